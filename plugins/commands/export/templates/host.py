#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs @kernel@ as clopt's study did: its initial code, and the variant that @kernel@.json chooses
for the device; compares what they compute, and says how long they take. Written by clopt @version@
(clopt export), to start from. It needs numpy and pyopencl:

    python3 @kernel@_host.py [NAME]

NAME is a part of the name of a device or of its platform; without it, the first device is taken
that @kernel@.json lists or, if none is here, the first one."""
import json
import os
import sys

import numpy as np
import pyopencl as cl

REPEAT = 3  # runs of each; the first one may compile
# Of floating-point results, beside the largest one: sums may be reordered.
TOLERANCE = 1e-4
HALF_TOLERANCE = 1e-2

FOLDER = os.path.dirname(os.path.abspath(__file__))
with open(os.path.join(FOLDER, "@kernel@.json"), encoding="utf-8") as file:
    EXPORT = json.load(file)


def divide_up(a, b):
    return -(-a // b)


class Zeroed:
    """A buffer that a variant takes in addition: zeros, at first. Launches that may run at the same
    time need one each."""

    def __init__(self, size):
        self.size = size


def map_launch(variant, global_size, local_size):
    """Returns global size, local size and added arguments of a variant for those of the initial
    code."""
    new_global, new_local, groups = [], [], []
    for d, (items, local) in enumerate(zip(global_size, local_size)):
        local = variant["local_size"][d] or local
        multiple = variant["local_multiple"][d]
        if local % multiple or (variant["local_only"][d] and local != multiple):
            raise ValueError("%s: not for local size %d" % (variant["name"], local))
        if variant["whole_groups"] and items % local:
            raise ValueError("%s: not for global size %d" % (variant["name"], items))
        groups.append(divide_up(items, local) * variant["divided_items"][d])
        new_local.append(divide_up(local, variant["merged_items"][d]))
        new_global.append(divide_up(groups[d], variant["merged_groups"][d]) * new_local[d])
    added = [
        Zeroed(int(np.prod(groups)) * argument["zeroed"])
        if argument["zeroed"]
        else np.uint64(divide_up(groups[argument["dimension"]], argument["merged"]))
        for argument in variant["added_arguments"]
    ]
    return tuple(new_global), tuple(new_local), added


@permuting@class Run:
    """One way to run it."""

    def __init__(self, context, queue, variant):
        self.context, self.queue, self.variant = context, queue, variant
        with open(os.path.join(FOLDER, variant["source"]), encoding="utf-8") as source:
            self.program = cl.Program(context, source.read()).build(variant["options"])
        self.zeros = None
        self.start()

    def zeroed(self, size):
        """Returns the buffer of zeros, which launches share one after the other."""
        if self.zeros is None or self.zeros.size < size:
            self.zeros = self.filled(0, size)
        return self.zeros

    def start(self):
        self.results, self.time_ms = [], 0

    def filled(self, byte, size):
        """Makes a buffer that holds copies of one byte."""
        return self.buffer(np.full(size, byte, np.uint8))

    def from_file(self, name, size):
        """Makes a buffer that holds a file, again and again if that is shorter."""
        return self.buffer(np.resize(np.fromfile(os.path.join(FOLDER, name), np.uint8), size))

    def buffer(self, data):
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        return cl.Buffer(self.context, flags, hostbuf=data)

    def result(self, name, element, buffer):
        """Says that a buffer holds a result in the end."""
        self.results.append((name, element, buffer))

    def write(self, buffer, offset, data):
        cl.enqueue_copy(self.queue, buffer, np.frombuffer(data, np.uint8), dst_offset=offset)

    def launch(self, name, global_size, local_size, arguments):
        """Launches a kernel over an NDRange of the initial code."""
        if name == "@entry@":
@permute_sizes@            global_size, local_size, added = map_launch(self.variant, global_size, local_size)
            arguments = arguments + [self.zeroed(a.size) if isinstance(a, Zeroed) else a for a in added]
@permute@        kernel = cl.Kernel(self.program, name)
        for i, argument in enumerate(arguments):
            kernel.set_arg(i, argument)
        event = cl.enqueue_nd_range_kernel(self.queue, kernel, global_size, local_size)
        event.wait()
        if name == "@entry@":
@permute_back@            self.time_ms += (event.profile.end - event.profile.start) * 1e-6

    def execute(self, app):
        """Returns the results as arrays, and the time of @kernel@."""
        times = []
        for _ in range(REPEAT):
            self.start()
            app(self)
            times.append(self.time_ms)
        arrays = []
        for name, element, buffer in self.results:
            array = np.empty(buffer.size // np.dtype(element).itemsize, element)
            cl.enqueue_copy(self.queue, array, buffer)
            arrays.append((name, array))
        return arrays, min(times)


def raw(digits):
    """Makes an argument of its bytes."""
    return np.frombuffer(bytes.fromhex(digits), np.uint8)


# What the app does, in terms of the initial code.


@runs@
# For each variant of @kernel@.json.
RUNS = [@run_list@]


def choose_device(wanted):
    listed = {(device["platform"], device["name"]): device["variant"] for device in EXPORT["devices"]}
    here = [(p.name, d) for p in cl.get_platforms() for d in p.get_devices()]
    if wanted:
        here = [(p, d) for p, d in here if wanted in p or wanted in d.name]
    here.sort(key=lambda pair: (pair[0], pair[1].name) not in listed)
    if not here:
        sys.exit("%s: no such OpenCL device" % (wanted or "any"))
    platform, device = here[0]
    return platform, device, listed.get((platform, device.name), EXPORT["default"])


def are_equal(name, expected, actual):
    """Whether two results are the same, bytes exactly and numbers nearly."""
    if expected.shape != actual.shape:
        return True  # another layout: there is nothing to compare
    differs = expected.view(np.uint8).reshape(len(expected), -1) != actual.view(np.uint8).reshape(
        len(expected), -1
    )
    differs = differs.any(axis=1)
    if expected.dtype.kind == "f":
        finite = np.abs(expected[np.isfinite(expected)])
        relative = HALF_TOLERANCE if expected.dtype == np.float16 else TOLERANCE
        tolerance = relative * (finite.max() if finite.size else 0)
        with np.errstate(invalid="ignore"):
            differs &= ~(np.abs(expected - actual) <= tolerance)
    for i in np.flatnonzero(differs)[:1]:
        print("%s[%d] is %g, with the initial code %g" % (name, i, actual[i], expected[i]))
    return not differs.any()


def main():
    platform, device, number = choose_device(sys.argv[1] if len(sys.argv) > 1 else None)
    context = cl.Context([device])
    queue = cl.CommandQueue(context, properties=cl.command_queue_properties.PROFILING_ENABLE)
    variant = EXPORT["variants"][number]
    expected, initial_ms = Run(context, queue, EXPORT["variants"][0]).execute(RUNS[0])
    actual, time_ms = Run(context, queue, variant).execute(RUNS[number])
    equal = [are_equal(name, a, b) for (name, a), (_, b) in zip(expected, actual)]
    print("device: %s (%s)" % (device.name, platform))
    print("variant: %s (%s)" % (variant["name"], variant["source"]))
    print("time: %.4g ms, initial code %.4g ms" % (time_ms, initial_ms))
    print("results: %s" % ("none to compare" if not equal else "equal" if all(equal) else "different"))
    return 0 if all(equal) else 1


if __name__ == "__main__":
    sys.exit(main())
