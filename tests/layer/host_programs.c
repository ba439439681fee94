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
    clReleaseKernel(kernel);
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
