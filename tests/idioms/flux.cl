/* SPDX-License-Identifier: BSD-3-Clause */
/* Unstructured grid: four neighbours an element, variables one after the other. */
#define NEIGHBOURS 4
#define VARIABLES 5
__kernel void flux(__global const int *surrounding, __global const float *variables,
                   __global float *fluxes, int nelr)
{
    const int i = get_global_id(0);
    if (i >= nelr)
        return;
    float sum[VARIABLES] = {0};
    for (int j = 0; j < NEIGHBOURS; j++) {
        int nb = surrounding[i + j * nelr];
        if (nb >= 0)
            for (int v = 0; v < VARIABLES; v++)
                sum[v] += variables[nb + v * nelr] - variables[i + v * nelr];
    }
    for (int v = 0; v < VARIABLES; v++)
        fluxes[i + v * nelr] = sum[v];
}
