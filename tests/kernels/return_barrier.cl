// A barrier behind a return that not all take.
// local 16 global 64
// refuse 0: return_barrier.cl:11: barrier behind a return that diverges, in line 8
kernel void k(global const int *in, global int *out, int n)
{
    local int tile[16];
    int g = get_global_id(0);
    if (g >= n)
        return;
    tile[get_local_id(0)] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[15 - get_local_id(0)];
}
