/* SPDX-License-Identifier: BSD-3-Clause */
/* Speckle-reducing anisotropic diffusion (thesis, section 6.4; Yu, Acton: Speckle reducing
 * anisotropic diffusion, IEEE Transactions on Image Processing 11, 2002).
 *
 * One iteration of diffusion over the image J, work-groups of BLOCK_SIZE x BLOCK_SIZE pixels:
 *
 *     srad_cuda_1   differences of each pixel to its neighbours N, S, W and E, and from them the
 *                   coefficient C: how much flows, less where there is an edge
 *     srad_cuda_2   what flows changes J
 *
 * A pixel at the edge of the image is its own neighbour. Rows are `stride` pixels apart, and the
 * host gives arrays of whole blocks: work-items outside of the image repeat its edge, and nobody
 * looks at what they store.
 *
 * The initial code is the thesis's: each work-group keeps its pixels in local memory, and their
 * neighbours outside of the block in arrays of their own. Only the block's edges need those, so
 * srad_cuda_1 asks in one chain of branches on which edge or corner a pixel is. Its other forms:
 *
 *     SEPARATE   an array of one row or column for each edge, and a branch of its own for each
 *     PADDING    the block has a border that holds the neighbours: all pixels are treated alike
 *     DIRECT     no local memory: each pixel reads its neighbours from global memory
 *     FUSED      both kernels in one, which reads the image and writes the next one: a work-item
 *                goes down a tile, with the pixels and coefficients of its last rows in private
 *                memory */

float diffusion_coefficient(float jc, float n, float s, float w, float e, float q0sqr)
{
    float g2 = (n * n + s * s + w * w + e * e) / (jc * jc);
    float l = (n + s + w + e) / jc;
    float num = 0.5f * g2 - 0.0625f * (l * l);
    float den = 1.0f + 0.25f * l;
    float qsqr = num / (den * den);

    return clamp(1.0f / (1.0f + (qsqr - q0sqr) / (q0sqr * (1.0f + q0sqr))), 0.0f, 1.0f);
}

#if FUSED

#define TILE   512 /* columns of a tile, which has BLOCK_SIZE rows */
#define MARGIN 16  /* numbers before those of a tile's row */

/* Copies `count` pixels of a row from `column` on, and the neighbours of the first and last one. */
void load_row(__global const float *J, int column, int count, int columns, float *pixels)
{
    int x;

    for (x = 0; x < count; x += 16)
        vstore16(vload16(0, J + column + x), 0, pixels + x);
    pixels[-1] = J[max(column - 1, 0)];
    vstore16((float16)(J[min(column + count, columns - 1)]), 0, pixels + count);
    pixels[count + 1] = J[min(column + count + 1, columns - 1)];
    if (columns - column < count)
        pixels[columns - column] = pixels[columns - column - 1];
}

/* Computes the coefficients of a row and of the pixel after it: diffusion_coefficient() with its
 * fractions reduced to one. */
void find_coefficients(const float *north, const float *here, const float *south, int count,
                       float q0sqr, float *coefficients)
{
    const float scale = 1.0f / (q0sqr * (1.0f + q0sqr));
    int x;

    for (x = 0; x <= count; x += 16) {
        float16 jc = vload16(0, here + x);
        float16 n = vload16(0, north + x) - jc;
        float16 s = vload16(0, south + x) - jc;
        float16 w = vload16(0, here + x - 1) - jc;
        float16 e = vload16(0, here + x + 1) - jc;
        float16 l = n + s + w + e;
        float16 num = 8.0f * (n * n + s * s + w * w + e * e) - l * l;
        float16 den = (4.0f * jc + l) * (4.0f * jc + l);

        vstore16(clamp(den / (den + (num - q0sqr * den) * scale), 0.0f, 1.0f), 0, coefficients + x);
    }
}

__kernel void srad_cuda_1(__global const float *J, __global float *next, int rows, int columns,
                          int stride, float q0sqr, float lambda)
{
    float memory[6][MARGIN + TILE + 2 * 16];
    float *north = memory[0] + MARGIN;
    float *here = memory[1] + MARGIN;
    float *south = memory[2] + MARGIN;
    float *below = memory[3] + MARGIN; /* the row to the south of that one */
    float *c = memory[4] + MARGIN;
    float *cs = memory[5] + MARGIN; /* of the row to the south */
    int column = get_global_id(0) * TILE;
    int row = get_global_id(1) * BLOCK_SIZE;
    int count = min(TILE, stride - column);
    int x, y;

    for (y = 0; y < 4; y++)
        vstore16((float16)(0.0f), 0, memory[y] + MARGIN + count + 16);
    load_row(J + max(row - 1, 0) * stride, column, count, columns, north);
    load_row(J + min(row, rows - 1) * stride, column, count, columns, here);
    load_row(J + min(row + 1, rows - 1) * stride, column, count, columns, south);
    find_coefficients(north, here, south, count, q0sqr, c);

    for (y = row; y < min(row + BLOCK_SIZE, rows); y++) {
        float *spare = north;

        load_row(J + min(y + 2, rows - 1) * stride, column, count, columns, below);
        find_coefficients(here, south, below, count, q0sqr, cs);
        /* A pixel at the edge has no neighbour from which anything flows. */
        if (columns - column <= count)
            c[columns - column] = 0.0f;
        for (x = 0; x < count; x += 16) {
            float16 jc = vload16(0, here + x);
            float16 cc = vload16(0, c + x);
            float16 flow = cc * (vload16(0, north + x) - jc) +
                           vload16(0, cs + x) * (vload16(0, south + x) - jc) +
                           cc * (vload16(0, here + x - 1) - jc) +
                           vload16(0, c + x + 1) * (vload16(0, here + x + 1) - jc);

            vstore16(jc + 0.25f * lambda * flow, 0, next + y * stride + column + x);
        }
        north = here;
        here = south;
        south = below;
        below = spare;
        spare = c;
        c = cs;
        cs = spare;
    }
}

/* Copies an image. */
__kernel void srad_cuda_2(__global float *J, __global const float *next, int rows, int stride)
{
    int column = get_global_id(0) * TILE;
    int row = get_global_id(1) * BLOCK_SIZE;
    int x, y;

    for (y = row; y < min(row + BLOCK_SIZE, rows); y++) {
        for (x = column; x < min(column + TILE, stride); x += 16)
            vstore16(vload16(0, next + y * stride + x), 0, J + y * stride + x);
    }
}

#elif DIRECT

__kernel void srad_cuda_1(__global const float *J, __global float *C, __global float *N,
                          __global float *S, __global float *W, __global float *E, int rows,
                          int columns, int stride, float q0sqr)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    int index = row * stride + column;
    float jc = J[index];
    float n = J[row > 0 ? index - stride : index] - jc;
    float s = J[row < rows - 1 ? index + stride : index] - jc;
    float w = J[column > 0 ? index - 1 : index] - jc;
    float e = J[column < columns - 1 ? index + 1 : index] - jc;

    N[index] = n;
    S[index] = s;
    W[index] = w;
    E[index] = e;
    C[index] = diffusion_coefficient(jc, n, s, w, e, q0sqr);
}

__kernel void srad_cuda_2(__global float *J, __global const float *C, __global const float *N,
                          __global const float *S, __global const float *W, __global const float *E,
                          int rows, int columns, int stride, float lambda)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    int index = row * stride + column;
    float cc = C[index];
    float cs = C[row < rows - 1 ? index + stride : index];
    float ce = C[column < columns - 1 ? index + 1 : index];

    J[index] += 0.25f * lambda * (cc * N[index] + cs * S[index] + cc * W[index] + ce * E[index]);
}

#elif PADDING

__kernel void srad_cuda_1(__global const float *J, __global float *C, __global float *N,
                          __global float *S, __global float *W, __global float *E, int rows,
                          int columns, int stride, float q0sqr)
{
    __local float temp[BLOCK_SIZE + 2][BLOCK_SIZE + 2];
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int column = get_group_id(0) * BLOCK_SIZE;
    int row = get_group_id(1) * BLOCK_SIZE;
    int index = (row + ty) * stride + column + tx;
    int x, y;
    float jc, n, s, w, e;

    for (y = ty; y < BLOCK_SIZE + 2; y += BLOCK_SIZE) {
        for (x = tx; x < BLOCK_SIZE + 2; x += BLOCK_SIZE)
            temp[y][x] =
                J[clamp(row + y - 1, 0, rows - 1) * stride + clamp(column + x - 1, 0, columns - 1)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    jc = temp[ty + 1][tx + 1];
    n = temp[ty][tx + 1] - jc;
    s = temp[ty + 2][tx + 1] - jc;
    w = temp[ty + 1][tx] - jc;
    e = temp[ty + 1][tx + 2] - jc;

    N[index] = n;
    S[index] = s;
    W[index] = w;
    E[index] = e;
    C[index] = diffusion_coefficient(jc, n, s, w, e, q0sqr);
}

__kernel void srad_cuda_2(__global float *J, __global const float *C, __global const float *N,
                          __global const float *S, __global const float *W, __global const float *E,
                          int rows, int columns, int stride, float lambda)
{
    __local float temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1];
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int column = get_group_id(0) * BLOCK_SIZE;
    int row = get_group_id(1) * BLOCK_SIZE;
    int index = (row + ty) * stride + column + tx;
    int x, y;

    for (y = ty; y < BLOCK_SIZE + 1; y += BLOCK_SIZE) {
        for (x = tx; x < BLOCK_SIZE + 1; x += BLOCK_SIZE)
            temp[y][x] = C[min(row + y, rows - 1) * stride + min(column + x, columns - 1)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);

    J[index] += 0.25f * lambda *
                (temp[ty][tx] * N[index] + temp[ty + 1][tx] * S[index] + temp[ty][tx] * W[index] +
                 temp[ty][tx + 1] * E[index]);
}

#else

#if SEPARATE

__kernel void srad_cuda_1(__global const float *J, __global float *C, __global float *N,
                          __global float *S, __global float *W, __global float *E, int rows,
                          int columns, int stride, float q0sqr)
{
    __local float temp[BLOCK_SIZE][BLOCK_SIZE];
    __local float north[BLOCK_SIZE];
    __local float south[BLOCK_SIZE];
    __local float west[BLOCK_SIZE];
    __local float east[BLOCK_SIZE];
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int column = get_group_id(0) * BLOCK_SIZE + tx;
    int row = get_group_id(1) * BLOCK_SIZE + ty;
    int index = row * stride + column;
    int x = min(column, columns - 1);
    int y = min(row, rows - 1);
    float jc, n, s, w, e;

    temp[ty][tx] = J[y * stride + x];
    if (ty == 0)
        north[tx] = J[max(row - 1, 0) * stride + x];
    if (ty == BLOCK_SIZE - 1)
        south[tx] = J[min(row + 1, rows - 1) * stride + x];
    if (tx == 0)
        west[ty] = J[y * stride + max(column - 1, 0)];
    if (tx == BLOCK_SIZE - 1)
        east[ty] = J[y * stride + min(column + 1, columns - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);

    jc = temp[ty][tx];
    if (ty == 0)
        n = north[tx] - jc;
    else
        n = temp[ty - 1][tx] - jc;
    if (ty == BLOCK_SIZE - 1)
        s = south[tx] - jc;
    else
        s = temp[ty + 1][tx] - jc;
    if (tx == 0)
        w = west[ty] - jc;
    else
        w = temp[ty][tx - 1] - jc;
    if (tx == BLOCK_SIZE - 1)
        e = east[ty] - jc;
    else
        e = temp[ty][tx + 1] - jc;

    N[index] = n;
    S[index] = s;
    W[index] = w;
    E[index] = e;
    C[index] = diffusion_coefficient(jc, n, s, w, e, q0sqr);
}

#else

__kernel void srad_cuda_1(__global const float *J, __global float *C, __global float *N,
                          __global float *S, __global float *W, __global float *E, int rows,
                          int columns, int stride, float q0sqr)
{
    __local float temp[BLOCK_SIZE][BLOCK_SIZE];
    __local float result[BLOCK_SIZE][BLOCK_SIZE];
    __local float north[BLOCK_SIZE][BLOCK_SIZE];
    __local float south[BLOCK_SIZE][BLOCK_SIZE];
    __local float west[BLOCK_SIZE][BLOCK_SIZE];
    __local float east[BLOCK_SIZE][BLOCK_SIZE];
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int column = get_group_id(0) * BLOCK_SIZE + tx;
    int row = get_group_id(1) * BLOCK_SIZE + ty;
    int index = row * stride + column;
    int x = min(column, columns - 1);
    int y = min(row, rows - 1);
    float jc, n, s, w, e;

    temp[ty][tx] = J[y * stride + x];
    /* The row above the block and the one below it, the column before it and the one after it. */
    north[ty][tx] = J[max(row - ty - 1, 0) * stride + x];
    south[ty][tx] = J[min(row - ty + BLOCK_SIZE, rows - 1) * stride + x];
    west[ty][tx] = J[y * stride + max(column - tx - 1, 0)];
    east[ty][tx] = J[y * stride + min(column - tx + BLOCK_SIZE, columns - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);

    jc = temp[ty][tx];
    if (ty == 0 && tx == 0) {
        n = north[ty][tx] - jc;
        s = temp[ty + 1][tx] - jc;
        w = west[ty][tx] - jc;
        e = temp[ty][tx + 1] - jc;
    } else if (ty == 0 && tx == BLOCK_SIZE - 1) {
        n = north[ty][tx] - jc;
        s = temp[ty + 1][tx] - jc;
        w = temp[ty][tx - 1] - jc;
        e = east[ty][tx] - jc;
    } else if (ty == BLOCK_SIZE - 1 && tx == 0) {
        n = temp[ty - 1][tx] - jc;
        s = south[ty][tx] - jc;
        w = west[ty][tx] - jc;
        e = temp[ty][tx + 1] - jc;
    } else if (ty == BLOCK_SIZE - 1 && tx == BLOCK_SIZE - 1) {
        n = temp[ty - 1][tx] - jc;
        s = south[ty][tx] - jc;
        w = temp[ty][tx - 1] - jc;
        e = east[ty][tx] - jc;
    } else if (ty == 0) {
        n = north[ty][tx] - jc;
        s = temp[ty + 1][tx] - jc;
        w = temp[ty][tx - 1] - jc;
        e = temp[ty][tx + 1] - jc;
    } else if (ty == BLOCK_SIZE - 1) {
        n = temp[ty - 1][tx] - jc;
        s = south[ty][tx] - jc;
        w = temp[ty][tx - 1] - jc;
        e = temp[ty][tx + 1] - jc;
    } else if (tx == 0) {
        n = temp[ty - 1][tx] - jc;
        s = temp[ty + 1][tx] - jc;
        w = west[ty][tx] - jc;
        e = temp[ty][tx + 1] - jc;
    } else if (tx == BLOCK_SIZE - 1) {
        n = temp[ty - 1][tx] - jc;
        s = temp[ty + 1][tx] - jc;
        w = temp[ty][tx - 1] - jc;
        e = east[ty][tx] - jc;
    } else {
        n = temp[ty - 1][tx] - jc;
        s = temp[ty + 1][tx] - jc;
        w = temp[ty][tx - 1] - jc;
        e = temp[ty][tx + 1] - jc;
    }
    result[ty][tx] = diffusion_coefficient(jc, n, s, w, e, q0sqr);
    barrier(CLK_LOCAL_MEM_FENCE);

    C[index] = result[ty][tx];
    N[index] = n;
    S[index] = s;
    W[index] = w;
    E[index] = e;
}

#endif

__kernel void srad_cuda_2(__global float *J, __global const float *C, __global const float *N,
                          __global const float *S, __global const float *W, __global const float *E,
                          int rows, int columns, int stride, float lambda)
{
    __local float temp[BLOCK_SIZE][BLOCK_SIZE];
    __local float south[BLOCK_SIZE];
    __local float east[BLOCK_SIZE];
    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int column = get_group_id(0) * BLOCK_SIZE + tx;
    int row = get_group_id(1) * BLOCK_SIZE + ty;
    int index = row * stride + column;
    int x = min(column, columns - 1);
    int y = min(row, rows - 1);
    float cc, cs, ce;

    temp[ty][tx] = C[y * stride + x];
    if (ty == BLOCK_SIZE - 1)
        south[tx] = C[min(row + 1, rows - 1) * stride + x];
    if (tx == BLOCK_SIZE - 1)
        east[ty] = C[y * stride + min(column + 1, columns - 1)];
    barrier(CLK_LOCAL_MEM_FENCE);

    cc = temp[ty][tx];
    if (ty == BLOCK_SIZE - 1)
        cs = south[tx];
    else
        cs = temp[ty + 1][tx];
    if (tx == BLOCK_SIZE - 1)
        ce = east[ty];
    else
        ce = temp[ty][tx + 1];

    J[index] += 0.25f * lambda * (cc * N[index] + cs * S[index] + cc * W[index] + ce * E[index]);
}

#endif
