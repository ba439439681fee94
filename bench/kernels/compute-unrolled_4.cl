/* SPDX-License-Identifier: BSD-3-Clause */
/* compute by hand: four turns of the loop over the tables at once (thesis, figure 6.33). */
__kernel void compute(__global const uchar *g_num, __global const uchar *g_tables,
                      __global uchar *g_answer, uint num_size, int numTables)
{
    uint tid = get_global_id(0);

    if (tid < num_size) {
        uint val = num_size - tid;
        uchar temp = g_num[tid];
        int i;

        for (i = 0; i + 3 < numTables; i += 4) {
            if (((val >> i) % 2) == 1)
                temp = g_tables[i * 256 + temp];
            if (((val >> (i + 1)) % 2) == 1)
                temp = g_tables[(i + 1) * 256 + temp];
            if (((val >> (i + 2)) % 2) == 1)
                temp = g_tables[(i + 2) * 256 + temp];
            if (((val >> (i + 3)) % 2) == 1)
                temp = g_tables[(i + 3) * 256 + temp];
        }
        for (; i < numTables; i++) {
            if (((val >> i) % 2) == 1)
                temp = g_tables[i * 256 + temp];
        }
        g_answer[tid] = temp;
    }
}
