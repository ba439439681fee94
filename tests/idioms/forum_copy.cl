/* SPDX-License-Identifier: BSD-3-Clause */
/* Tiles that are copied asynchronously. */
#define TILE 64
kernel void smooth(global const float *a, global float *o, int n)
{
    local float t[TILE];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(t, a + TILE * get_group_id(0), TILE, 0);
    wait_group_events(1, &e);
    o[get_global_id(0)] = 0.5f * (t[l] + t[TILE - 1 - l]);
}
