// SPDX-License-Identifier: BSD-3-Clause
// Functions without a result that ask for identities: as statements, in regions, in each other.
// local 16 global 64
void put(global int *out, int x)
{
    out[get_global_id(0)] += x;
}
void put_some(global int *out, int x)
{
    if (x > 40)
        return;
    put(out, x * (int)get_local_id(0));
}
kernel void k(global const int *in, global int *out, int n)
{
    int l = get_local_id(0);
    out[get_global_id(0)] = 0;
    put(out, in[l]);
    for (int i = 0; i < 3; i++)
        put_some(out, l + i);
    if (in[get_global_id(0)] % 3 == 0) {
        put(out, 1);
        l++;
    } else
        put_some(out, l);
    put(out, l);
}
