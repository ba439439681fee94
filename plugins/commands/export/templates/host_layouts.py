# SPDX-License-Identifier: BSD-3-Clause
# ---- buffers in another layout ----


class Layout:
    """A buffer that a variant has in another layout: rows of the same length, which that has column
    by column or, where `block` is not 0, so many rows interleaved, the last of them filled up."""

    def __init__(self, variant, argument, element_bytes, block, written, added, width, fits):
        self.variant, self.argument = variant, argument
        self.element_bytes, self.block = element_bytes, block
        self.written, self.added = written, added
        self.width, self.fits = width, fits  # of a launch: its arguments, global and local size

    def to_layout(self, rows, data):
        cells = data.reshape(rows, -1, self.element_bytes)
        if not self.block:
            return cells.transpose(1, 0, 2).ravel()
        filled = np.zeros((divide_up(rows, self.block) * self.block,) + cells.shape[1:], np.uint8)
        filled[:rows] = cells
        return filled.reshape(-1, self.block, *cells.shape[1:]).transpose(0, 2, 1, 3).ravel()

    def from_layout(self, rows, size, data):
        width = size // rows // self.element_bytes
        if not self.block:
            return data.reshape(width, rows, self.element_bytes).transpose(1, 0, 2).ravel()
        blocks = data.reshape(-1, width, self.block, self.element_bytes).transpose(0, 2, 1, 3)
        return blocks.ravel()[:size]


LAYOUTS = [
@layout_list@]


def integer(argument):
    """Returns an argument that may be an integer."""
    if not isinstance(argument, (np.ndarray, np.generic)) or argument.nbytes not in (1, 2, 4, 8):
        return 0
    return int(np.frombuffer(argument.tobytes(), "i%d" % argument.nbytes)[0])


def permute(run, count, arguments, global_size, local_size):
    """Gives a launch, whose first arguments are so many of the initial code, what its buffers are in
    the layouts of the variant; returns the arguments, and what it has made."""
    own, made = [integer(argument) for argument in arguments[:count]], []
    l = [run.variant["local_size"][d] or local for d, local in enumerate(local_size)]
    g = [divide_up(items, local) * local for items, local in zip(global_size, l)]
    l, g = l + [1, 1], g + [1, 1]
    arguments = list(arguments)
    for layout in LAYOUTS:
        if EXPORT["variants"][layout.variant] is not run.variant:
            continue
        buffer = arguments[layout.argument]
        row = layout.width(own, g, l) * layout.element_bytes
        if not layout.fits(own, g, l) or row < 1 or buffer.size % row:
            raise ValueError("%s: not for this launch" % run.variant["name"])
        rows, data = buffer.size // row, np.empty(buffer.size, np.uint8)
        cl.enqueue_copy(run.queue, data, buffer)
        arguments[layout.argument] = run.buffer(layout.to_layout(rows, data))
        made.append((layout, rows, buffer, arguments[layout.argument]))
        if layout.added >= 0:
            arguments[count + layout.added] = np.uint64(rows)
    return arguments, made


def permute_back(run, made):
    """Brings back what the launch has written."""
    for layout, rows, buffer, other in made:
        if layout.written:
            data = np.empty(other.size, np.uint8)
            cl.enqueue_copy(run.queue, data, other)
            cl.enqueue_copy(run.queue, buffer, layout.from_layout(rows, buffer.size, data))


