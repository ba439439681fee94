/* SPDX-License-Identifier: BSD-3-Clause */
/* The ways from sources to kernels: builds that call back, that fail, and that come again. */
#include "host.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char shifting[] = "kernel void shift(global int *y, global const int *x)\n"
                               "{ int i = get_global_id(0), s = 0;\n"
                               "  for (int j = 0; j < 16; j++) s += x[i] * j;\n"
                               "  y[i] = s + BY; }\n";

static cl_program make_program(const char *text)
{
    cl_int result;
    cl_program made = clCreateProgramWithSource(context, 1, &text, NULL, &result);
    need("program", result);
    return made;
}

/* Launches a kernel on the numbers 0 to 6, and prints what it leaves. */
static void shift(cl_kernel kernel)
{
    cl_int result, numbers[ITEMS];
    for (int i = 0; i < ITEMS; i++)
        numbers[i] = i % 7;
    cl_mem x = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &result);
    cl_mem y = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &result);
    need("argument", clSetKernelArg(kernel, 0, sizeof y, &y));
    need("argument", clSetKernelArg(kernel, 1, sizeof x, &x));
    launch(queue, kernel, 64, NULL);
    need("read", clEnqueueReadBuffer(queue, y, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    printf("y %d %d %d\n", numbers[0], numbers[1], numbers[ITEMS - 1]);
    clReleaseMemObject(x);
    clReleaseMemObject(y);
}

static void release_after_use(cl_program own, const char *name)
{
    cl_int result;
    cl_kernel kernel = clCreateKernel(own, name, &result);
    need(name, result);
    shift(kernel);
    clReleaseKernel(kernel);
    clReleaseProgram(own);
}

static _Atomic int builds;

static void CL_CALLBACK count_build(cl_program built, void *user)
{
    (void)built;
    builds += user == &builds;
}

/* Builds, and is called when that has ended. */
void build_and_wait(void)
{
    cl_program own = make_program(shifting);
    need("build", clBuildProgram(own, 1, &device, "-DBY=5000", count_build, (void *)&builds));
    while (!builds)
        usleep(1000);
    release_after_use(own, "shift");
}

/* Releases a kernel that was launched, once the commands have given it up: for a moment after they
 * have ended PoCL's still hold it, and its program is not built again. */
static void release_idle(cl_kernel kernel)
{
    cl_uint references = 2;
    for (int i = 0; i < 5000 && references > 1; i++) {
        need("references", clGetKernelInfo(kernel, CL_KERNEL_REFERENCE_COUNT, sizeof references,
                                           &references, NULL));
        usleep(references > 1 ? 1000 : 0);
    }
    clReleaseKernel(kernel);
}

/* Builds once more while there is a kernel: no driver may do that. */
void build_again(void)
{
    cl_int result;
    cl_program own = make_program(shifting);
    need("build", clBuildProgram(own, 1, &device, "-DBY=1", NULL, NULL));
    cl_kernel kernel = clCreateKernel(own, "shift", &result);
    show("again", clBuildProgram(own, 1, &device, "-DBY=5000", NULL, NULL));
    show("again", clBuildProgram(own, 1, &device, "-DBY=5000", count_build, (void *)&builds));
    shift(kernel);
    release_idle(kernel);
    show("wrong", clBuildProgram(own, 1, &device, "-DBY=none", NULL, NULL));
    show("again", clBuildProgram(own, 1, &device, "-DBY=5000", NULL, NULL));
    release_after_use(own, "shift");
}

/* Builds what includes a file of the folder `headers`. */
void build_with_headers(void)
{
    char text[1024];
    snprintf(text, sizeof text, "#include \"by.h\"\n%s", shifting);
    cl_program own = make_program(text);
    need("build", clBuildProgram(own, 1, &device, "-I headers -DUNUSED", NULL, NULL));
    release_after_use(own, "shift");
}

/* Builds what includes such a file by a macro. */
void build_with_macro(void)
{
    char text[1024];
    snprintf(text, sizeof text, "#define HEADER \"by.h\"\n#include HEADER\n%s", shifting);
    cl_program own = make_program(text);
    need("build", clBuildProgram(own, 1, &device, "-I headers", NULL, NULL));
    release_after_use(own, "shift");
}

/* Builds a source that has a NUL in it, and how the driver takes that is its affair. */
void build_with_nul(void)
{
    char texts[2][1024];
    for (int i = 0; i < 2; i++) {
        int bytes = snprintf(texts[i], sizeof texts[i], "%s/* %c%d */", shifting, 0, i);
        const char *text = texts[i];
        const size_t length = (size_t)bytes;
        cl_int result;
        cl_program own = clCreateProgramWithSource(context, 1, &text, &length, &result);
        need("program", result);
        show("build", clBuildProgram(own, 1, &device, "-DBY=3", NULL, NULL));
        clReleaseProgram(own);
    }
}

static cl_program compile(const char *text, const char *options, cl_uint count,
                          const cl_program *headers, const char **names)
{
    cl_program made = make_program(text);
    need("compile", clCompileProgram(made, 1, &device, options, count, headers, names, NULL, NULL));
    return made;
}

/* Compiles a source with headers, of which one includes the other, and links the object. */
void compile_and_link(void)
{
    cl_int result;
    char text[1024];
    const char *names[] = {"one.h", "more/two.h"};
    snprintf(text, sizeof text, "#include \"one.h\"\n%s", shifting);
    cl_program headers[] = {make_program("#include <more/two.h>\n"),
                            make_program("#define BY (TWO + 2)\n")};
    cl_program object = compile(text, "-DTWO=2", 2, headers, names);
    cl_program linked = clLinkProgram(context, 1, &device, NULL, 1, &object, NULL, NULL, &result);
    need("link", result);
    for (int i = 0; i < 2; i++)
        clReleaseProgram(headers[i]);
    clReleaseProgram(object);
    release_after_use(linked, "shift");
}

/* Links two objects, of which the second one is compiled with options of its own, or not. */
static void link_two(const char *options)
{
    cl_int result;
    char text[1024];
    snprintf(text, sizeof text, "int get(void);\n%s", shifting);
    cl_program objects[] = {compile(text, "-DBY=get()", 0, NULL, NULL),
                            compile("int get(void) { return 6; }", options, 0, NULL, NULL)};
    cl_program linked = clLinkProgram(context, 1, &device, NULL, 2, objects, NULL, NULL, &result);
    need("link", result);
    for (int i = 0; i < 2; i++)
        clReleaseProgram(objects[i]);
    release_after_use(linked, "shift");
}

void link_both(void)
{
    link_two(NULL);
}

void link_alike(void)
{
    link_two("-DBY=get()");
}

#define MOST_BYTES (1 << 24)

/* Keeps the binary of a program in the file `kept`. */
static void keep(cl_program own)
{
    size_t bytes = 0;
    need("size", clGetProgramInfo(own, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    unsigned char *binary = malloc(bytes);
    need("binary", clGetProgramInfo(own, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    FILE *file = fopen("kept", "wb");
    need("keep", file && fwrite(binary, 1, bytes, file) == bytes && fclose(file) == 0 ? 0 : 1);
    free(binary);
}

/* Makes a program of the binary that an earlier process has kept; else builds what includes a file
 * of the folder `headers`, and keeps that. */
void load_binary(void)
{
    cl_int result, state;
    char text[1024];
    cl_program own;
    FILE *file = fopen("kept", "rb");
    if (file) {
        unsigned char *binary = malloc(MOST_BYTES);
        size_t bytes = fread(binary, 1, MOST_BYTES, file);
        fclose(file);
        own = clCreateProgramWithBinary(context, 1, &device, &bytes,
                                        (const unsigned char **)&binary, &state, &result);
        need("load", result);
        free(binary);
        need("build", clBuildProgram(own, 1, &device, NULL, NULL, NULL));
    } else {
        snprintf(text, sizeof text, "#include \"by.h\"\n%s", shifting);
        own = make_program(text);
        need("build", clBuildProgram(own, 1, &device, "-I headers -DKEPT", NULL, NULL));
        keep(own);
    }
    release_after_use(own, "shift");
}

/* Searches, and finds something at the fifth launch: those before change nothing. A second kernel
 * finds nothing. */
void search_late(void)
{
    cl_int result;
    const char *text = "kernel void search(global const int *a, global int *found, int wanted)\n"
                       "{ if (a[get_global_id(0)] == wanted) atomic_inc(found); }\n"
                       "kernel void vainly(global const int *a, global int *found, int wanted)\n"
                       "{ if (a[get_global_id(0)] == wanted) atomic_inc(found); }\n";
    size_t global = 64;
    int numbers[64] = {4, 4, 4}, found = 0;
    cl_program searching = clCreateProgramWithSource(context, 1, &text, NULL, &result);
    need("build", clBuildProgram(searching, 1, &device, NULL, NULL, NULL));
    cl_mem from = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof numbers,
                                 numbers, &result);
    cl_mem to = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, sizeof found,
                               &found, &result);
    for (cl_int i = 0; i < 16; i++) {
        const char *name = i % 2 ? "vainly" : "search";
        cl_int wanted = i % 2 ? 9 : 8 - i / 2;
        cl_kernel kernel = clCreateKernel(searching, name, &result);
        need("argument", clSetKernelArg(kernel, 0, sizeof from, &from));
        need("argument", clSetKernelArg(kernel, 1, sizeof to, &to));
        need("argument", clSetKernelArg(kernel, 2, sizeof wanted, &wanted));
        need("search",
             clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
        clReleaseKernel(kernel);
    }
    need("read", clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
    printf("found %d\n", found);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseProgram(searching);
}

/* Launches a kernel twice that takes its time. */
void spin_twice(void)
{
    cl_int result;
    cl_program own = make_program("kernel void spin(global int *y)\n"
                                  "{ for (volatile int n = 0; n < 4000; n++) {}\n"
                                  "  y[get_global_id(0)] += 1; }\n");
    need("build", clBuildProgram(own, 1, &device, NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(own, "spin", &result);
    need("spin", result);
    need("argument", clSetKernelArg(kernel, 0, sizeof data, &data));
    launch(queue, kernel, 64, NULL);
    launch(queue, kernel, 64, NULL);
    clReleaseKernel(kernel);
    clReleaseProgram(own);
    print_buffer(data, ITEMS);
}

/* Runs the same kernel with several constants, as applications do that tune themselves. */
void try_constants(void)
{
    char text[1024], option[32];
    for (int i = 1; i <= 3; i++) {
        snprintf(text, sizeof text, "#define BY (%d * FACTOR)\n%s", i, shifting);
        snprintf(option, sizeof option, "-DFACTOR=%d", i % 2 + 1);
        cl_program own = make_program(text);
        need("build", clBuildProgram(own, 1, &device, option, NULL, NULL));
        release_after_use(own, "shift");
    }
}

/* Launches a kernel by a second loader, which has never been asked for its platforms. */
void use_second_loader(void)
{
    const char *path = getenv("SECOND_LOADER");
    void *second = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = second ? dlsym(second, "clEnqueueNDRangeKernel") : NULL;
    cl_int(CL_API_CALL * start)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                const size_t *, const size_t *, cl_uint, const cl_event *,
                                cl_event *);
    const size_t global = ITEMS;
    cl_kernel kernel = make_scale(data, 2);
    need("second loader", symbol ? CL_SUCCESS : CL_INVALID_VALUE);
    memcpy(&start, &symbol, sizeof start);
    need("launch", start(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    launch(queue, kernel, 64, NULL);
    print_buffer(data, ITEMS);
    clReleaseKernel(kernel);
}

/* Builds with options that no study can have. */
void build_oddly(void)
{
    static const char *const options[] = {"-DBY=3 -I \"my headers\"", "-DBY=4 -DODD=\033"};
    for (int i = 0; i < 2; i++) {
        cl_program own = make_program(shifting);
        need("build", clBuildProgram(own, 1, &device, options[i], NULL, NULL));
        release_after_use(own, "shift");
    }
}

/* ---- what an application may ask of a program that was built ---- */

/* Prints what a build says of a program, without handles. */
static void print_program(cl_program own)
{
    char text[8192] = "";
    cl_uint number = 0;
    cl_build_status status = CL_BUILD_NONE;
    size_t bytes = 0;
    show("status",
         clGetProgramBuildInfo(own, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    show("options",
         clGetProgramBuildInfo(own, device, CL_PROGRAM_BUILD_OPTIONS, sizeof text, text, &bytes));
    printf("status %d options %zu %s\n", status, bytes, text);
    show("log size", clGetProgramBuildInfo(own, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes));
    show("log", clGetProgramBuildInfo(own, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
    printf("log %d %d\n", strstr(text, "warning") != NULL, bytes == strlen(text) + 1);
    show("log", clGetProgramBuildInfo(own, device, CL_PROGRAM_BUILD_LOG, bytes - 1, text, NULL));
    show("no device", clGetProgramBuildInfo(own, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, &bytes));
    show("source", clGetProgramInfo(own, CL_PROGRAM_SOURCE, sizeof text, text, &bytes));
    printf("source %zu %.24s\n", bytes, text);
    show("names", clGetProgramInfo(own, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, &bytes));
    show("kernels", clGetProgramInfo(own, CL_PROGRAM_NUM_KERNELS, sizeof(size_t), &bytes, NULL));
    printf("%zu kernels %s\n", bytes, text);
    show("references",
         clGetProgramInfo(own, CL_PROGRAM_REFERENCE_COUNT, sizeof number, &number, NULL));
    printf("references %u\n", number);
    show("sizes", clGetProgramInfo(own, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL));
    printf("binary %d\n", bytes > 0);
}

static void print_kernel(cl_kernel kernel, cl_program own)
{
    char text[256] = "";
    size_t bytes = 0;
    cl_uint number = 0;
    cl_program of = NULL;
    for (cl_uint i = 0; i < 3; i++) {
        show("argument",
             clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, &bytes));
        printf("argument %u %s\n", i, text);
    }
    show("attributes", clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof text, text, &bytes));
    show("arguments", clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof number, &number, NULL));
    show("program", clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof of, &of, &bytes));
    printf("%s %u %d %zu\n", text, number, of == own, bytes);
}

/* Builds, asks for all that is known of it, and builds other things of the same source. */
void ask_program(void)
{
    cl_int result;
    cl_kernel kernels[2];
    cl_uint count = 0;
    const char *text = "#warning odd\n"
                       "constant int table[3] = {1, 2, 3};\n"
                       "kernel void zero(global int *y) { y[get_global_id(0)] = 0; }\n"
                       "__attribute__((reqd_work_group_size(64, 1, 1)))\n"
                       "kernel void shift(global int *y, global const int *x)\n"
                       "{ int i = get_global_id(0); y[i] = x[i] + BY + table[i % 3]; }\n";
    cl_program own = make_program(text);
    need("build", clBuildProgram(own, 1, &device, "-DBY=7 -cl-kernel-arg-info", NULL, NULL));
    print_program(own);
    cl_kernel kernel = clCreateKernel(own, "shift", &result);
    need("shift", result);
    print_kernel(kernel, own);
    shift(kernel);
    show("while there is a kernel", clBuildProgram(own, 0, NULL, "-DBY=8", NULL, NULL));
    show("compile then", clCompileProgram(own, 0, NULL, "-DBY=8", 0, NULL, NULL, NULL, NULL));
    print_program(own);
    shift(kernel);
    release_idle(kernel);
    show("none", clCreateKernel(own, "none", &result) ? CL_SUCCESS : result);
    cl_program linked = clLinkProgram(context, 1, &device, NULL, 1, &own, NULL, NULL, &result);
    show("link what is built", linked ? CL_SUCCESS : result);
    need("build again", clBuildProgram(own, 0, NULL, "-DBY=9", NULL, NULL));
    print_program(own);
    need("all", clCreateKernelsInProgram(own, 2, kernels, &count));
    shift(kernels[1]);
    clReleaseProgram(own); /* kernels keep it */
    print_kernel(kernels[1], own);
    cl_program of = NULL;
    need("of", clGetKernelInfo(kernels[0], CL_KERNEL_PROGRAM, sizeof of, &of, NULL));
    if (clRetainProgram(of) == CL_SUCCESS) { /* Intel's runtime has no such program any more */
        kernel = clCreateKernel(of, "shift", &result);
        need("another", result);
        clReleaseKernel(kernel);
        clReleaseProgram(of);
    }
    for (cl_uint i = 0; i < count; i++)
        clReleaseKernel(kernels[i]);
    own = make_program(text);
    need("build", clBuildProgram(own, 1, &device, "-DBY=7 -cl-kernel-arg-info", NULL, NULL));
    show("wrong", clBuildProgram(own, 1, &device, "-DBY=none", NULL, NULL));
    show("no kernel", clCreateKernel(own, "shift", &result) ? CL_SUCCESS : result);
    clReleaseProgram(own);
    own = make_program(text);
    need("build", clBuildProgram(own, 1, &device, "-DBY=7 -cl-kernel-arg-info", NULL, NULL));
    need("compile", clCompileProgram(own, 1, &device, "-DBY=3", 0, NULL, NULL, NULL, NULL));
    linked = clLinkProgram(context, 1, &device, NULL, 1, &own, NULL, NULL, &result);
    need("link", result);
    clReleaseProgram(own);
    release_after_use(linked, "shift");
}
