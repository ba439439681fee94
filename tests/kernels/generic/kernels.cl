/* SPDX-License-Identifier: BSD-3-Clause */
/* Pointers that OpenCL C 2.0 lets point anywhere. */
#define N 4
typedef float4 quad;
typedef const float *floats;
struct view {
    const float *data;
    int step;
};
static float total(const float *a, int n);
const float *skip(const float *a, int n) { return a + n; }

static float total(const float *a, int n)
{
    const float *end = skip(a, n);
    float s = 0;
    for (; a < end; a++)
        s += *a;
    return s;
}
float both(const float *a, const float *b) { return total(a, N) - total(b, N); }
float four(const float *p)
{
    quad v = *(const quad *)p;
    return v.x + v.y * 2 + v.z * 3 + v.w * 4;
}
void put(float *p, float v) { p[0] += v; }
float either(const float *a, const float *b, int which)
{
    if (which)
        a = b;
    return a[0];
}
int bump(volatile atomic_int *c)
{
    return atomic_fetch_add_explicit(c, 1, memory_order_relaxed, memory_scope_device);
}

/* Each pointer points to one address space, and each function gets up to three. */
kernel void placed(global const float *x, global float *y, local float *t)
{
    int i = get_global_id(0), l = get_local_id(0);
    const float *from = x + N * i, *to = from + N, v = 0.5f;
    float own[N], sum = v;
    t[l] = x[N * i + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    const float *mine = own, *theirs = t;
    for (int k = 0; k < N; k++)
        own[k] = from[k] * theirs[(l + k) % get_local_size(0)];
    const float *a = x + i, *b = y + i;
    for (int k = 0; k < 3; k++) {
        const float *c = a;
        a = b;
        b = c;
    }
    put(&sum, total(from, to - from));
    for (const float *p = from; p < to; p++)
        sum += *p * mine[p - from];
    sum += both(from, own) + both(own, from) + total(t, get_local_size(0)) + four(from) + four(own);
    barrier(CLK_GLOBAL_MEM_FENCE);
    put(y + i, sum + *b);
}

/* What these point to is known when they are executed. */
kernel void left(global const float *x, global float *y, local float *t)
{
    int i = get_global_id(0), l = get_local_id(0);
    float own[N] = {1, 2, 3, 4}, one = i;
    const float *q = own;
    float *w = &one;
    floats f = x + i;
    t[l] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 3 == 1)
        q = x + i;
    else if (l % 3 == 2)
        q = t;
    if (l % 4 == 3)
        w = y + i;
    struct view view = {q, 1};
    const float **at = &q;
    for (int k = 0; k < N; k++)
        *w += q[k] + total(view.data, 2) + f[k] + (*at)[1];
    put(w, either(x + i, own, l % 2));
    y[i] += one + (to_global(q) ? 16 : 0) + (to_local(q) ? 32 : 0);
}

kernel void counted(global const int *x, global atomic_int *h, global int *y)
{
    local atomic_int mine;
    if (get_local_id(0) == 0)
        atomic_init(&mine, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x[get_global_id(0)] > 3)
        bump(&mine);
    bump(h + x[get_global_id(0)]);
    barrier(CLK_LOCAL_MEM_FENCE);
    y[get_global_id(0)] = atomic_load_explicit(&mine, memory_order_relaxed, memory_scope_work_group);
}

kernel void other(global float *y, local float *t)
{
    t[get_local_id(0)] = get_local_id(0);
    put(y + get_global_id(0), total(t, 1) + four(t));
}
