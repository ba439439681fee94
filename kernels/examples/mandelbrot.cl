/* SPDX-License-Identifier: BSD-3-Clause */
/* After how many steps points of the complex plane leave the circle of radius 2. */
__kernel void mandelbrot(__global int *steps, float left, float top, float scale, int limit,
                         int width, int height)
{
    int column = get_global_id(0);
    int row = get_global_id(1);
    if (column >= width || row >= height)
        return;
    float real = left + scale * column;
    float imaginary = top + scale * row;
    float x = 0, y = 0;
    int count = 0;
    for (int k = 0; k < limit; k++) {
        float next = x * x - y * y + real;
        y = 2 * x * y + imaginary;
        x = next;
        if (x * x + y * y <= 4)
            count++;
    }
    steps[row * width + column] = count;
}
