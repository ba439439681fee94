/* SPDX-License-Identifier: BSD-3-Clause */
/* compute by hand: four neighbouring bytes a work-item, looked up side by side (thesis, figure 6.29).
 */
#define STEP(k)                                                                                    \
    if (((val##k >> i) % 2) == 1)                                                                  \
        temp##k = g_tables[i * 256 + temp##k];

__kernel void compute(__global const uchar *g_num, __global const uchar *g_tables,
                      __global uchar *g_answer, uint num_size, int numTables)
{
    uint first = 4 * get_global_id(0);

    if (num_size >= 4 && first <= num_size - 4) {
        uint val0 = num_size - first;
        uint val1 = val0 - 1;
        uint val2 = val0 - 2;
        uint val3 = val0 - 3;
        uchar temp0 = g_num[first];
        uchar temp1 = g_num[first + 1];
        uchar temp2 = g_num[first + 2];
        uchar temp3 = g_num[first + 3];

        for (int i = 0; i < numTables; i++) {
            STEP(0)
            STEP(1)
            STEP(2)
            STEP(3)
        }
        g_answer[first] = temp0;
        g_answer[first + 1] = temp1;
        g_answer[first + 2] = temp2;
        g_answer[first + 3] = temp3;
    } else {
        for (uint tid = first; tid < num_size; tid++) {
            uint val = num_size - tid;
            uchar temp = g_num[tid];

            for (int i = 0; i < numTables; i++) {
                if (((val >> i) % 2) == 1)
                    temp = g_tables[i * 256 + temp];
            }
            g_answer[tid] = temp;
        }
    }
}
