/* SPDX-License-Identifier: BSD-3-Clause */
/* Global alignment after Needleman and Wunsch, with OpenMP: tiles of the matrix along its
 * diagonals; in a row of a tile all is computed by vectors, and what comes from the left is a
 * running maximum. */
#include <rival.h>

#define LETTERS 32 /* of a table of scores */
#define ROWS    128
#define COLUMNS 1024

struct alignment {
    const uint8_t *first, *second;
    const int32_t *profile; /* what each letter scores with those of the second sequence */
    int32_t *matrix, gap;
    size_t rows, columns, stride;
};

/* Computes the row of a tile from the one above it, of which it gets the cell to the left, too. */
static int32_t align_row(const struct alignment *all, size_t y, size_t x, size_t count,
                         const int32_t *above, int32_t corner, int32_t west)
{
    const int32_t *scores = all->profile + all->first[y] * all->columns + x;
    int32_t *row = all->matrix + y * all->stride + x, down[COLUMNS];
    const int32_t gap = all->gap;
    int32_t most = west;
    down[0] = corner + scores[0];
    down[0] = down[0] > above[0] + gap ? down[0] : above[0] + gap;
#pragma omp simd
    for (size_t i = 1; i < count; i++) {
        int32_t both = above[i - 1] + scores[i], one = above[i] + gap;
        down[i] = (both > one ? both : one) - (int32_t)i * gap;
    }
    most += gap;
#pragma omp simd reduction(inscan, max : most)
    for (size_t i = 0; i < count; i++) {
        most = most > down[i] ? most : down[i];
#pragma omp scan inclusive(most)
        row[i] = most + (int32_t)i * gap;
    }
    return row[count - 1];
}

static void align_tile(const struct alignment *all, size_t tile_y, size_t tile_x)
{
    const size_t from = tile_y * ROWS, x = tile_x * COLUMNS;
    const size_t to = from + ROWS < all->rows ? from + ROWS : all->rows;
    const size_t count = x + COLUMNS < all->columns ? COLUMNS : all->columns - x;
    int32_t edge[COLUMNS];
    for (size_t i = 0; i < count; i++)
        edge[i] = (int32_t)(x + i + 1) * all->gap;
    for (size_t y = from; y < to; y++) {
        const int32_t *row = all->matrix + y * all->stride + x;
        int32_t corner = (int32_t)(x ? y ? 0 : x : y) * all->gap;
        if (x && y)
            corner = (row - all->stride)[-1];
        align_row(all, y, x, count, y ? row - all->stride : edge, corner,
                  x ? row[-1] : (int32_t)(y + 1) * all->gap);
    }
}

static void align(const struct alignment *all)
{
    size_t down = (all->rows + ROWS - 1) / ROWS, across = (all->columns + COLUMNS - 1) / COLUMNS;
#pragma omp parallel
    for (size_t diagonal = 0; diagonal < down + across - 1; diagonal++) {
        size_t from = diagonal < down ? 0 : diagonal - down + 1;
        size_t to = diagonal < across ? diagonal + 1 : across;
#pragma omp for schedule(dynamic)
        for (size_t x = from; x < to; x++)
            align_tile(all, diagonal - x, x);
    }
}

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    size_t rows, columns;
    const uint8_t *first = rival_input(&rival, "first", &rows);
    const uint8_t *second = rival_input(&rival, "second", &columns);
    const int32_t *scores = rival_input(&rival, "scores", NULL);
    const size_t stride = columns + 16; /* both are whole tiles of the kernels */
    int32_t *profile = rival_memory(LETTERS * columns * sizeof *profile);
    struct alignment all = {first,
                            second,
                            profile,
                            rival_result(&rival, "matrix", rows * stride * sizeof(int32_t)),
                            (int32_t)rival_integer(&rival, "gap", -10),
                            rows,
                            columns,
                            stride};
    while (rival_next(&rival)) {
        rival_start(&rival);
#pragma omp parallel for
        for (size_t letter = 0; letter < LETTERS; letter++)
            for (size_t x = 0; x < columns; x++)
                profile[letter * columns + x] = scores[letter * LETTERS + second[x]];
        align(&all);
        rival_stop(&rival);
    }
    return 0;
}
