/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that programs are normalised without changing what they mean, that their trees say what is
 * in them, and that what is wrong is quoted with its place. */
#include <clopt/divergence.h>

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct clopt_source *create(const char *text, const char *options)
{
    struct clopt_error error = {0};
    struct clopt_source *source = NULL;
    if (clopt_source_create("test.cl", text, NULL, options, "k", &source, &error))
        fail_msg("%s", error.message);
    return source;
}

static void expect_text(const char *text, const char *options, const char *normalised)
{
    struct clopt_source *source = create(text, options);
    assert_string_equal(source->text, normalised);
    clopt_source_destroy(source);
}

static void expect_refusal(const char *text, const char *options, enum clopt_status status,
                           const char *message)
{
    struct clopt_error error = {0};
    struct clopt_source *source = NULL;
    assert_int_equal(clopt_source_create("test.cl", text, NULL, options, "k", &source, &error),
                     status);
    assert_string_equal(error.message, message);
    assert_null(source);
}

static void macros_are_expanded_and_layout_is_kept(void **state)
{
    (void)state;
    expect_text("#define N 4 // items\n"
                "#define AT(a, i) ((a)[(i) * N])\n"
                "/* Doubles. */\n"
                "kernel void k(global int *a)\n"
                "{\n"
                "    AT(a, get_global_id(0)) *= 2; // twice\n"
                "}\n",
                "",
                "/* Doubles. */\n"
                "kernel void k(global int *a)\n"
                "{\n"
                "    ((a)[(get_global_id(0)) * 4]) *= 2; // twice\n"
                "}\n");
}

static void digraphs_and_trigraphs_are_what_they_stand_for(void **state)
{
    (void)state;
    expect_text("%:define N 4\n"
                "?\?=define PASTE(a, b) a %:%: b\n"
                "%: ifdef M\n"
                "#error\n"
                "?\?=endif\n"
                "kernel void k(global int *a) // %:> ?\?/\n"
                " still a comment\n"
                "<% \n"
                "    a<:get_global_id(0):> ?\?'= PASTE(0x, 4) % N;\n"
                "    a?\?(N?\?) = '<%' ?\?!?\?! \"?\?<\"<:0:>;\n"
                "?\?>\n",
                "",
                "kernel void k(global int *a) // %:> \\\n"
                " still a comment\n"
                "{ \n"
                "    a[get_global_id(0)] ^= 0x4 % 4;\n"
                "    a[4] = '<%' || \"{\"[0];\n"
                "}\n");
    expect_text("kernel void k(global int *a) { a[0] = '?\?!'; } // ?\?/\n", "-cl-std=CLC++",
                "kernel void k(global int *a) { a[0] = '?\?!'; } // ?\?/\n");
}

static void directives_are_obeyed_after_macros_that_vanish(void **state)
{
    (void)state;
    expect_text("#define INLINE\n"
                "#define NONE(x)\n"
                "#if 1\n"
                "INLINE\n"
                "#endif\n"
                "#ifdef INLINE\n"
                "NONE(1) INLINE // nothing\n"
                "#else\n"
                "other\n"
                "#endif\n"
                "kernel void k(global int *o) { o[0] = 1; }\n"
                "#if 1\n"
                "NONE(\n"
                "2)\n"
                "#endif\n",
                "",
                "\n"
                " // nothing\n"
                "kernel void k(global int *o) { o[0] = 1; }\n"
                "\n");
    expect_text("#define EMPTY\n"
                "#define BOTH EMPTY EMPTY\n"
                "#define ADD(a, b) ((a) + (b))\n"
                "kernel void k(global int *o)\n"
                "{\n"
                "    #pragma unroll 2\n"
                "    BOTH for (int i = 0; i < 4; i++)\n"
                "#if 1\n"
                "        BOTH EMPTY\n"
                "#endif\n"
                "        o[i] = ADD(\n"
                "#if 0\n"
                "            1,\n"
                "#endif\n"
                "#ifdef EMPTY\n"
                "            2,\n"
                "#endif\n"
                "            3);\n"
                "}\n",
                "",
                "kernel void k(global int *o)\n"
                "{\n"
                "    #pragma unroll 2\n"
                "     for (int i = 0; i < 4; i++)\n"
                "\n"
                "        o[i] = ((2) + (3));\n"
                "}\n");
}

static void operators_of_macros_work(void **state)
{
    (void)state;
    expect_text("#define JOIN(a, b) a##b\n"
                "#define CALL(f, ...) f(__VA_ARGS__)\n"
                "#define NEG -\n"
                "#define x x + 1\n"
                "#define f(a) a * g\n"
                "#define g(a) f(a)\n"
                "#define EMPTY\n"
                "constant char t[] = \n"
                "#define TEXT(x) #x\n"
                "    TEXT(a  \"b\" c);\n"
                "kernel void k(global int *a, int x1, int g) {\n"
                "    JOIN(x, 1) = CALL(max, 1, CALL(min, x1, EMPTY 2));\n"
                "    a[0] = NEG-x1;\n"
                "    a[1] = f(2) EMPTY;\n"
                "}\n",
                "",
                "constant char t[] = \n"
                "    \"a \\\"b\\\" c\";\n"
                "kernel void k(global int *a, int x1, int g) {\n"
                "    x1 = max(1, min(x1, 2));\n"
                "    a[0] = - -x1;\n"
                "    a[1] = 2 * g;\n"
                "}\n");
}

static void variable_arguments_may_be_none(void **state)
{
    (void)state;
    expect_text("#define SAY(text, ...) printf(text, ## __VA_ARGS__)\n"
                "#define TELL(text, rest...) printf(text, rest)\n"
                "#define NAME(a, ...) a = sizeof(#__VA_ARGS__)\n"
                "#define JOIN(a, ...) __VA_ARGS__##a\n"
                "#define N 2\n"
                "kernel void k(global int *a, int x1) {\n"
                "    SAY(\"none\"); SAY(\"%d %d\", N, a[0]);\n"
                "    TELL(\"%d\", N);\n"
                "    NAME(a[0]);\n"
                "    a[1] = JOIN(x1) + JOIN(1, x);\n"
                "}\n",
                "",
                "kernel void k(global int *a, int x1) {\n"
                "    printf(\"none\"); printf(\"%d %d\", 2, a[0]);\n"
                "    printf(\"%d\", 2);\n"
                "    a[0] = sizeof(\"\");\n"
                "    a[1] = x1 + x1;\n"
                "}\n");
}

static void conditions_are_resolved(void **state)
{
    (void)state;
    expect_text("#if defined(BIG) && BIG > 2\n"
                "typedef long number;\n"
                "#elif 1\n"
                "typedef int number;\n"
                "#else\n"
                "typedef char number;\n"
                "#endif\n"
                "kernel void k(global number *a) { a[0] = BIG; }\n",
                "-D BIG=3",
                "typedef long number;\nkernel void k(global number *a) { a[0] = 3; }\n");
}

static void macros_of_opencl_stay(void **state)
{
    (void)state;
    const char *text = "kernel void k(global float *a)\n"
                       "{\n"
                       "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                       "    a[0] = M_PI_F + INFINITY + as_float(3);\n"
                       "}\n";
    expect_text(text, "", text);
}

static void names_that_options_define_are_protected(void **state)
{
    (void)state;
    expect_text("#undef N\n"
                "kernel void k(global int *N) { N[0] = M; }\n",
                "-DN=4 -DM=5", "#undef N\nkernel void k(global int *N) { N[0] = 5; }\n");
}

/* Those on the left come first; what only names values is written where it is used. */
static void statement_expressions_are_opened(void **state)
{
    (void)state;
    expect_text("kernel void k(global int *a)\n"
                "{\n"
                "    int x = a[0];\n"
                "    a[0] = ({ x++; x; }) * 2 + ({ char c = x; x *= 3; c; });\n"
                "    while (({ const short s = a[1]; s; }) < x)\n"
                "        x = ({ int v = a[2], w = v + 1; v * w; });\n"
                "}\n",
                "",
                "kernel void k(global int *a)\n"
                "{\n"
                "    int x = a[0];\n"
                "    int value;\n"
                "    { x++; value = x; }\n"
                "    char value_2;\n"
                "    { char c = x; x *= 3; value_2 = c; }\n"
                "    a[0] = value * 2 + value_2;\n"
                "    while ((short)a[1] < x)\n"
                "        x = a[2] * (a[2] + 1);\n"
                "}\n");
    expect_text("kernel void k(global int *a)\n"
                "{\n"
                "    switch (a[0]) {\n"
                "    case 1:\n"
                "        a[1] = ({ int x = a[2]; x++; x; });\n"
                "    }\n"
                "}\n",
                "",
                "kernel void k(global int *a)\n"
                "{\n"
                "    switch (a[0]) {\n"
                "        case 1: {\n"
                "            int value;\n"
                "            { int x = a[2]; x++; value = x; }\n"
                "            a[1] = value;\n"
                "        }\n"
                "    }\n"
                "}\n");
}

static void errors_are_quoted_with_their_place(void **state)
{
    (void)state;
    expect_refusal("kernel void k(global int *a)\n{\n    a[0] = b;\n}\n", "", CLOPT_INVALID,
                   "test.cl:3: use of undeclared identifier 'b'");
    /* Since LLVM 15 it is undeclared, before it was implicitly declared. */
    struct clopt_error error = {0};
    struct clopt_source *source = NULL;
    assert_int_equal(clopt_source_create("test.cl", "kernel void k(void)\n{\n    nothing();\n}\n",
                                         NULL, "", "k", &source, &error),
                     CLOPT_INVALID);
    assert_memory_equal(error.message, "test.cl:3: ", 11);
    assert_non_null(strstr(error.message, " 'nothing'"));
    expect_refusal("kernel void other(global int *a)\n{\n}\nvoid help(void)\n{\n}\n"
                   "__kernel void last(void)\n{\n}\n",
                   "", CLOPT_INVALID, "test.cl: no kernel k in this file; it has other, last");
    expect_refusal("void help(void)\n{\n}\n", "", CLOPT_INVALID,
                   "test.cl: no kernel k in this file");
    expect_refusal("void k(global int *a)\n{\n}\n", "", CLOPT_INVALID, "k: not a kernel");
    expect_refusal("#include \"missing.h\"\nkernel void k(global int *a)\n{\n}\n", "",
                   CLOPT_INVALID,
                   "test.cl:1: 'missing.h' file not found; say where it is with -I FOLDER, or "
                   "include = FOLDER in a study");
}

static void unknown_constructs_are_refused(void **state)
{
    (void)state;
    static const char named[] =
        "test.cl:3: type that is declared inside a function, with a name that means something else "
        "elsewhere: declare it in front of the function";
    expect_refusal("kernel void k(global int *a)\n{ int n;\n    struct s { int x[sizeof n]; } v;\n"
                   "    a[0] = v.x[0];\n}\n",
                   "", CLOPT_INFEASIBLE, named);
    expect_refusal("typedef int t;\nkernel void k(global int *a)\n{   typedef float t;\n"
                   "    a[0] = sizeof(t);\n}\n",
                   "", CLOPT_INFEASIBLE, named);
    expect_refusal("enum { A };\nkernel void k(global int *a)\n{   enum { A = 3 };\n"
                   "    a[0] = A;\n}\n",
                   "", CLOPT_INFEASIBLE, named);
    expect_refusal("kernel void k(global int *a)\n{\n    int x = 1;\n    long p = (long)&x;\n"
                   "    a[0] = *(int *)p;\n}\n",
                   "", CLOPT_INFEASIBLE,
                   "test.cl:4: pointer to private memory that becomes a number");
    expect_refusal("kernel void k(global int *a)\n{\n"
                   "    while (({ int x = a[0]; x++; x; }) < 3)\n        a[0]++;\n}\n",
                   "", CLOPT_INFEASIBLE,
                   "test.cl:3: statement inside an expression, that cannot be put in front of it");
    expect_refusal("kernel void k(global int *a)\n{\n    a[0] = 1;\n"
                   "    a[0] = a[1] && ({ int x = a[0]; x++; x; });\n}\n",
                   "", CLOPT_INFEASIBLE,
                   "test.cl:4: statement inside an expression, that cannot be put in front of it");
    expect_refusal(
        "kernel void k(global int *a)\n{\n    switch (a[0]) { case 1 ... 3: a[1] = 2; }\n"
        "}\n",
        "", CLOPT_INFEASIBLE, "test.cl:3: case with a range");
}

static struct clopt_variable *variable(const struct clopt_source *source, const char *name)
{
    for (size_t i = 0; i < source->variable_count; i++)
        if (strcmp(source->variables[i]->name, name) == 0)
            return source->variables[i];
    fail_msg("no variable %s", name);
    return NULL;
}

/* What x is declared as is that number; NAN: none. */
static void expect_number(const char *initial, double expected)
{
    char text[128];
    double number = NAN;
    snprintf(text, sizeof text, "kernel void k(global float *a) { float x = %s; a[0] = x; }",
             initial);
    struct clopt_source *source = create(text, "");
    const struct clopt_node *node = variable(source, "x")->declarator->condition;
    assert_int_equal(clopt_node_number(source, node, &number), !isnan(expected));
    if (isnan(expected) ? !isnan(number) : number != expected)
        fail_msg("%s is %g", initial, number);
    clopt_source_destroy(source);
}

static void numbers_are_read_as_they_are_written(void **state)
{
    (void)state;
    expect_number("0.5f", 0.5);
    expect_number("(-1.25e2)", -125);
    expect_number("0x1p-3f", 0.125);
    expect_number("2 * 3", 6);
    expect_number("-(4u)", -4);
    expect_number("a[1]", NAN);
    expect_number("0.5f + 0.5f", NAN);
    expect_number("M_PI_F", NAN);
}

static void expect_verdict(const char *text, const char *name, bool diverges)
{
    struct clopt_source *source = create(text, "");
    struct clopt_identity identity = {.dimension = 0, .local_id = true};
    const struct clopt_divergence *divergence = clopt_divergence_create(source, identity);
    if (clopt_variable_diverges(divergence, variable(source, name)) != diverges)
        fail_msg("%s in %s", name, text);
    clopt_source_destroy(source);
}

static void divergence_follows_data_and_control(void **state)
{
    (void)state;
    expect_verdict("kernel void k(global int *a) { int x = get_group_id(0); a[x] = x; }", "x",
                   false);
    expect_verdict("kernel void k(global int *a) { int x = get_local_id(1); a[x] = x; }", "x",
                   false);
    expect_verdict("kernel void k(global int *a) { int x = a[get_local_id(0)]; a[0] = x; }", "x",
                   true);
    expect_verdict("kernel void k(global int *a) { int x = 0; if (get_global_id(0)) x = 1;"
                   " a[x] = 1; }",
                   "x", true);
    expect_verdict("kernel void k(global int *a) { int x = 0, y = 0; for (int i = 0; i < 3; i++)"
                   " { x = y; y = get_global_id(0); } a[x] = 1; }",
                   "x", true);
    expect_verdict("void f(int *p, int v) { *p = v; } kernel void k(global int *a)"
                   " { int x; f(&x, get_global_id(0)); a[x] = 1; }",
                   "x", true);
    expect_verdict("kernel void k(global int *a) { int x = 1, y; int *p = &x, **q = &p;"
                   " **q = get_global_id(0); y = x; a[y] = 1; }",
                   "y", true);
    expect_verdict("kernel void k(global int *a) { int x = 0; while (x < 9) { if (a[x] > "
                   "(int)get_global_id(0)) break; x++; } a[x] = 1; }",
                   "x", true);
    expect_verdict("kernel void k(global int *a) { int i; if (get_global_id(0)) for (i = 0; i < 3;"
                   " i++) a[i] = 1; for (i = 0; i < 3; i++) a[i] = 2; }",
                   "i", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(macros_are_expanded_and_layout_is_kept),
        cmocka_unit_test(digraphs_and_trigraphs_are_what_they_stand_for),
        cmocka_unit_test(directives_are_obeyed_after_macros_that_vanish),
        cmocka_unit_test(operators_of_macros_work),
        cmocka_unit_test(variable_arguments_may_be_none),
        cmocka_unit_test(conditions_are_resolved),
        cmocka_unit_test(macros_of_opencl_stay),
        cmocka_unit_test(names_that_options_define_are_protected),
        cmocka_unit_test(statement_expressions_are_opened),
        cmocka_unit_test(errors_are_quoted_with_their_place),
        cmocka_unit_test(unknown_constructs_are_refused),
        cmocka_unit_test(numbers_are_read_as_they_are_written),
        cmocka_unit_test(divergence_follows_data_and_control),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
