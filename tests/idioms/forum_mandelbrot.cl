/* SPDX-License-Identifier: BSD-3-Clause */
/* How often a point can be squared. */
kernel void mandelbrot(global int *out, int width, int height, float x0, float y0, float step,
                       int max_iter)
{
    int px = get_global_id(0), py = get_global_id(1);
    if (px >= width || py >= height)
        return;
    float cx = x0 + px * step, cy = y0 + py * step, x = 0, y = 0;
    int k = 0;
    while (k < max_iter && x * x + y * y < 4) {
        float t = x * x - y * y + cx;
        y = 2 * x * y + cy;
        x = t;
        k++;
    }
    out[py * width + px] = k;
}
