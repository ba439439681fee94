/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that a variant has in another layout. A buffer is rows of the same length; the layout has
 * it column by column or, where `block` is not 0, so many rows interleaved, the last of them filled up.
 *
 * For a launch of such a variant:
 *   1. rows = @kernel@_rows(i, bytes, arguments, global, local): of the buffer, of so many bytes, that
 *      the initial code has as `argument`, from 0; arguments[n] is its integer argument n. Where that
 *      is 0, the variant is not right for this launch.
 *   2. @kernel@_to_layout(i, rows, bytes, from, to) makes what the variant gets in its place: it has
 *      @kernel@_layout_bytes(i, rows, bytes) bytes.
 *   3. Unless `added` is -1, that one of the variant's added arguments is not what @kernel@_added()
 *      says, but rows.
 *   4. Where `written` is 1, @kernel@_from_layout(i, rows, bytes, from, to) brings it back.
 * What only reads a buffer gains most where that is permuted once for many launches. */
struct @kernel@_layout {
    size_t variant; /* its number in @kernel@_variants */
    unsigned argument;
    size_t element_bytes;
    size_t block;
    int written;
    int added;
};

#define @KERNEL@_LAYOUTS @layout_count@
static const struct @kernel@_layout @kernel@_layouts[@KERNEL@_LAYOUTS] = {
@layout_list@};

static inline size_t @kernel@_rows(size_t index, size_t bytes, const long long *arguments,
                                   const size_t *global, const size_t *local)
{
    const struct @kernel@_layout *layout = &@kernel@_layouts[index];
    const struct @kernel@_variant *variant = &@kernel@_variants[layout->variant];
    long long g[3] = {1, 1, 1}, l[3] = {1, 1, 1}, width = 0;
    int fits = 0;
    for (unsigned d = 0; d < @KERNEL@_DIMENSIONS; d++) {
        size_t size = @kernel@_size(variant, d, local[d]);
        l[d] = (long long)size;
        g[d] = (long long)(@kernel@_divide_up(global[d], size) * size);
    }
    (void)arguments;
    switch (index) {
@widths@    }
    if (!fits || width < 1 || !g[0] || !l[0] || bytes % ((size_t)width * layout->element_bytes))
        return 0;
    return bytes / ((size_t)width * layout->element_bytes);
}

static inline size_t @kernel@_layout_bytes(size_t index, size_t rows, size_t bytes)
{
    size_t block = @kernel@_layouts[index].block ? @kernel@_layouts[index].block : 1;
    return @kernel@_divide_up(rows, block) * block * (bytes / rows);
}

static inline void @kernel@_permute(size_t index, size_t rows, size_t bytes, const void *from, void *to,
                                    int back)
{
    size_t size = @kernel@_layouts[index].element_bytes, block = @kernel@_layouts[index].block;
    size_t width = bytes / rows / size;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < width; c++) {
            size_t one = r * width + c;
            size_t other = block ? (r - r % block) * width + c * block + r % block : c * rows + r;
            memcpy((char *)to + (back ? one : other) * size,
                   (const char *)from + (back ? other : one) * size, size);
        }
}

static inline void @kernel@_to_layout(size_t index, size_t rows, size_t bytes, const void *from,
                                      void *to)
{
    @kernel@_permute(index, rows, bytes, from, to, 0);
}

static inline void @kernel@_from_layout(size_t index, size_t rows, size_t bytes, const void *from,
                                        void *to)
{
    @kernel@_permute(index, rows, bytes, from, to, 1);
}

