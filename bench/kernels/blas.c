/* SPDX-License-Identifier: BSD-3-Clause */
/* The routine of a BLAS that computes what a kernel of polybench.cl does, as a rival:
 * compiled once a kernel, with KERNEL its name, for CLBlast on the platform whose name has PLATFORM
 * in it, or with OPENBLAS for that. Of syrk and syr2k a BLAS computes one triangle; the other is
 * copied when the time has been taken. */
#include <rival.h>

#include <stdbool.h>

#ifdef OPENBLAS
#include <cblas.h>

typedef float *matrix;
typedef CBLAS_TRANSPOSE turned;
static const turned NO = CblasNoTrans, YES = CblasTrans;
#define OF(m, w)        m, w
#define CALL(name, ...) cblas_s##name(CblasRowMajor, __VA_ARGS__)
#define LOWER           CblasLower
#else
#define CL_TARGET_OPENCL_VERSION 120
#include <clblast_c.h>

static cl_context context;
static cl_command_queue queue;

typedef cl_mem matrix;
typedef CLBlastTranspose turned;
static const turned NO = CLBlastTransposeNo, YES = CLBlastTransposeYes;
#define OF(m, w) m, 0, w
#define CALL(name, ...)                                                                            \
    check(CLBlastS##name(CLBlastLayoutRowMajor, __VA_ARGS__, &queue, NULL), #name)
#define LOWER CLBlastTriangleLower
#endif

struct problem {
    size_t n;
    float alpha, beta;
    matrix in[4], out;
};

/* ---- what the library needs ---- */

#ifdef OPENBLAS

static void open_device(void)
{
}

static matrix make(const float *from, size_t bytes)
{
    return memcpy(rival_memory(bytes), from, bytes);
}

static void put(matrix to, const float *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

static void finish(void)
{
}

static void get(matrix from, float *to, size_t bytes)
{
    memcpy(to, from, bytes);
}

#else

static void check(int code, const char *what)
{
    char text[32];
    snprintf(text, sizeof text, "fails with %d", code);
    if (code != 0)
        rival_fail(text, what);
}

static void open_device(void)
{
    cl_platform_id platforms[16];
    cl_device_id device = NULL;
    cl_uint count = 0;
    char name[256];
    int code;
    check(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16 && !device; i++)
        if (!clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL) &&
            strstr(name, PLATFORM))
            check(clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL), name);
    if (!device)
        rival_fail("no such platform", PLATFORM);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    check(code, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &code);
    check(code, "clCreateCommandQueue");
}

static matrix make(const float *from, size_t bytes)
{
    int code;
    matrix made = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                                 (void *)from, &code);
    check(code, "clCreateBuffer");
    return made;
}

static void put(matrix to, const float *from, size_t bytes)
{
    check(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, bytes, from, 0, NULL, NULL),
          "clEnqueueWriteBuffer");
}

static void finish(void)
{
    check(clFinish(queue), "clFinish");
}

static void get(matrix from, float *to, size_t bytes)
{
    check(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, bytes, to, 0, NULL, NULL),
          "clEnqueueReadBuffer");
}

#endif

/* ---- the kernels ---- */

static void multiply(const struct problem *p, turned left, turned right, float alpha, float beta)
{
    size_t n = p->n;
    CALL(gemm, left, right, n, n, n, alpha, OF(p->in[0], n), OF(p->in[1], n), beta, OF(p->out, n));
}

static void multiply_vector(const struct problem *p, int which, turned turns, float alpha, float beta)
{
    size_t n = p->n;
    matrix vector = p->in[2] ? p->in[2] : p->in[1];
    CALL(gemv, turns, n, n, alpha, OF(p->in[which], n), OF(vector, 1), beta, OF(p->out, 1));
}

static void gemm(const struct problem *p)
{
    multiply(p, NO, NO, p->alpha, p->beta);
}

static void mm2(const struct problem *p)
{
    multiply(p, NO, NO, p->alpha, 0);
}

static void atb(const struct problem *p)
{
    multiply(p, YES, NO, 1, 0);
}

static void abt(const struct problem *p)
{
    multiply(p, NO, YES, 1, 0);
}

static void syrk(const struct problem *p)
{
    CALL(syrk, LOWER, NO, p->n, p->n, p->alpha, OF(p->in[0], p->n), p->beta, OF(p->out, p->n));
}

static void syr2k(const struct problem *p)
{
    CALL(syr2k, LOWER, NO, p->n, p->n, p->alpha, OF(p->in[0], p->n), OF(p->in[1], p->n), p->beta,
         OF(p->out, p->n));
}

static void gesummv(const struct problem *p)
{
    multiply_vector(p, 0, NO, p->alpha, 0);
    multiply_vector(p, 1, NO, p->beta, 1);
}

static void atax(const struct problem *p)
{
    multiply_vector(p, 0, NO, 1, 0);
}

static void bicg(const struct problem *p)
{
    multiply_vector(p, 0, YES, 1, 0);
}

static void mvt(const struct problem *p)
{
    multiply_vector(p, 0, YES, 1, 1);
}

static void gemver(const struct problem *p)
{
    for (int i = 0; i < 4; i += 2)
        CALL(ger, p->n, p->n, 1, OF(p->in[i], 1), OF(p->in[i + 1], 1), OF(p->out, p->n));
}

#ifndef OPENBLAS /* cblas.h of others has no such routine */
static void transposition(const struct problem *p)
{
    CALL(omatcopy, YES, p->n, p->n, 1, OF(p->in[0], p->n), OF(p->out, p->n));
}
#endif

/* ---- a kernel ---- */

static const struct routine {
    const char *name;
    void (*call)(const struct problem *problem);
    const char *in[4], *out;
    bool goes_on;   /* from what the output holds before */
    bool is_vector; /* the output */
    bool mirrors;   /* one triangle of it to the other */
} routines[] = {
    {"gemm", gemm, {"a", "b"}, "c", true, false, false},
    {"mm2", mm2, {"a", "b"}, "c", false, false, false},
    {"atb", atb, {"a", "b"}, "c", false, false, false},
    {"abt", abt, {"a", "b"}, "c", false, false, false},
    {"syrk", syrk, {"a"}, "c", true, false, true},
    {"syr2k", syr2k, {"a", "b"}, "c", true, false, true},
    {"gesummv", gesummv, {"a", "b", "x"}, "y", false, true, false},
    {"atax", atax, {"a", "x"}, "y", false, true, false},
    {"bicg", bicg, {"a", "r"}, "s", false, true, false},
    {"mvt", mvt, {"a", "y"}, "x", true, true, false},
    {"gemver", gemver, {"u1", "v1", "u2", "v2"}, "a", true, false, false},
#ifndef OPENBLAS
    {"transposition", transposition, {"in"}, "out", false, false, false},
#endif
};

static const struct routine *find_routine(const char *name)
{
    for (size_t i = 0; i < sizeof routines / sizeof *routines; i++)
        if (strcmp(routines[i].name, name) == 0)
            return &routines[i];
    rival_fail("no BLAS has a routine for it", name);
    return NULL;
}

/* The two triangles differ by what they were before, times beta. */
static void mirror(float *c, const float *before, const struct problem *problem)
{
    size_t n = problem->n;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            c[j * n + i] = c[i * n + j] + problem->beta * (before[j * n + i] - before[i * n + j]);
}

int main(int argc, char **argv)
{
    struct rival rival = rival_begin(argc, argv);
    const struct routine *routine = find_routine(KERNEL);
    struct problem problem = {
        .n = (size_t)rival_integer(&rival, "n", 0), .alpha = 1.5F, .beta = 0.5F};
    size_t bytes, size = sizeof(float) * problem.n * (routine->is_vector ? 1 : problem.n);
    open_device();
    for (size_t i = 0; i < 4 && routine->in[i]; i++) {
        float *contents = rival_input(&rival, routine->in[i], &bytes);
        problem.in[i] = make(contents, bytes);
        free(contents);
    }
    float *result = rival_result(&rival, routine->out, size);
    float *before = routine->goes_on ? rival_input(&rival, routine->out, NULL) : rival_memory(size);
    problem.out = make(before, size);
    while (rival_next(&rival)) {
        put(problem.out, before, size);
        rival_start(&rival);
        routine->call(&problem);
        finish();
        rival_stop(&rival);
        get(problem.out, result, size);
        if (routine->mirrors)
            mirror(result, before, &problem);
    }
    return 0;
}
