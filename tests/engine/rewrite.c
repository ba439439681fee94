/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that patterns become the nodes that they say, that what is printed has the parentheses
 * that it needs, and that edits leave the user's text and comments alone. */
#include <clopt/rewrite.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/output.h"
#include "kernel/tree.h"
#include "rewrite/merging.h"

static struct clopt_source *create(const char *text, const char *kernel)
{
    struct clopt_error error = {0};
    struct clopt_source *source = NULL;
    if (clopt_source_create("test.cl", text, NULL, "", kernel, &source, &error))
        fail_msg("%s", error.message);
    return source;
}

/* Ends the source. */
static void expect_program(struct clopt_source *source, const char *text)
{
    struct clopt_output output = {0};
    assert_null(source->inner->wrong);
    clopt_source_write(source, &output);
    assert_string_equal(clopt_text_string(&output.text), text);
    clopt_output_fini(&output);
    clopt_source_destroy(source);
}

static struct clopt_node *statement(struct clopt_source *source, size_t index)
{
    return source->kernel->body->children[index];
}

static const char *const plain = "kernel void k(global int *a, int n)\n"
                                 "{\n"
                                 "    /* first */\n"
                                 "    a[0] = n; // set\n"
                                 "    if (n)\n"
                                 "        a[1] = 2 * n;\n"
                                 "}\n";

static void what_is_built_is_parenthesised(void **state)
{
    (void)state;
    static const struct {
        const char *pattern;
        const char *text;
    } cases[] = {
        {"($v + 1) * $v;", "(n + 1) * n;"},
        {"($v * 2) + $v;", "n * 2 + n;"},
        {"$v = $v * 1 + 0 - 0;", "n = n;"},
        {"$v = 0 + 1 * ($v + 2) / 1;", "n = n + 2;"},
        {"$v = 0 + -2 * $v + -3;", "n = -(2 * n) - 3;"},
        {"$v += -1 * $v;", "n -= n;"},
        {"$v = $v - -(0 * $v + 4) + 0.0f * 1.0f;", "n = n + 4 + 0.0f * 1.0f;"},
        {"$v - ($v - $v);", "n - (n - n);"},
        {"-(-$v);", "-(-n);"},
        {"($v << 2) + 1 < 3 && ($v || 1);", "(n << 2) + 1 < 3 && (n || 1);"},
        {"(float)($v + 1);", "(float)(n + 1);"},
        {"((float4)(1, 2, $v, 4)).x;", "((float4)(1, 2, n, 4)).x;"},
        {"$v ? $v : $v ? 1 : 2;", "n ? n : n ? 1 : 2;"},
        {"($v ? 1 : 2) + 1;", "(n ? 1 : 2) + 1;"},
        {"f($v, ($v, 2))[1]++;", "f(n, (n, 2))[1]++;"},
        {"*(&$v) = $v += 2;", "*&n = n += 2;"},
        {"if ($v) if ($v) return; else ; ", "if (n)\nif (n)\nreturn;\nelse ;"},
        {"for (; $v < 3;) { break; }", "for (; n < 3;) {\nbreak;\n}"},
        {"do { goto out; } while ($v);", "do {\ngoto out;\n} while (n);"},
        {"{ #pragma unroll 1\nwhile ($v) $v--; out:; }",
         "{\n#pragma unroll 1\nwhile (n)\nn--;\nout:;\n}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct clopt_source *source = create(plain, "k");
        struct clopt_variable *n = source->kernel->parameters[1];
        struct clopt_node *old = statement(source, 0);
        clopt_replace(source, old, clopt_build(source, old, cases[i].pattern, n, n, n, n));
        struct clopt_output output = {0};
        clopt_source_write(source, &output);
        const char *text = clopt_text_string(&output.text);
        assert_null(source->inner->wrong);
        /* Indentation is another matter. */
        char put[512];
        size_t length = 0;
        for (const char *at = strstr(text, "first */") + 8; strncmp(at, "// set", 6) != 0; at++)
            if (*at != ' ' || (length && put[length - 1] != '\n' && at[1] != ' '))
                put[length++] = *at;
        while (length && strchr(" \n", put[length - 1]))
            length--;
        put[length] = '\0';
        assert_string_equal(put + (*put == '\n'), cases[i].text);
        clopt_output_fini(&output);
        clopt_source_destroy(source);
    }
}

static void wrong_patterns_are_reported(void **state)
{
    (void)state;
    static const char *const patterns[] = {"1 +", "if (1)", "$q", "for (;;", "{ 1; ", "f(1", "1 2"};
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct clopt_source *source = create(plain, "k");
        clopt_build(source, NULL, patterns[i]);
        assert_ptr_equal(source->inner->wrong, patterns[i]);
        clopt_source_destroy(source);
    }
}

static void comments_stay_where_they_are(void **state)
{
    (void)state;
    struct clopt_source *source = create(plain, "k");
    struct clopt_variable *n = source->kernel->parameters[1];
    struct clopt_variable *b = clopt_variable_make(source, "const int", "", "n");
    struct clopt_node *last = statement(source, 1);
    clopt_insert_before(source, last, clopt_build(source, last, "$V = $v + $d;", b, n, -1));
    clopt_replace(source, statement(source, 0)->children[1],
                  clopt_build(source, NULL, "$v ? $v : $s", b, b, "INT_MAX"));
    clopt_insert_after(source, last->body, clopt_build(source, last, "barrier($s);", "1"));
    clopt_append(source, source->kernel->body, clopt_build(source, NULL, "return;"));
    expect_program(source, "kernel void k(global int *a, int n)\n"
                           "{\n"
                           "    /* first */\n"
                           "    a[0] = n_2 ? n_2 : INT_MAX; // set\n"
                           "    const int n_2 = n - 1;\n"
                           "    if (n) {\n"
                           "        a[1] = 2 * n;\n"
                           "        barrier(1);\n"
                           "    }\n"
                           "    return;\n"
                           "}\n");
}

/* A comment ends where it ends, not with its line, and is no part of a declaration. */
static void comments_stay_whole(void **state)
{
    (void)state;
    struct clopt_source *source = create("kernel void k(global int *a, int n)\n"
                                         "{\n"
                                         "    a[0] = n; /* one\n"
                                         "                 two */ // three\n"
                                         "    int b[2] /* = */ = /* four = */ {n, 5};\n"
                                         "    a[1] = b[0]; /* six\n"
                                         "                    seven */\n"
                                         "}\n",
                                         "k");
    struct clopt_node *declare = statement(source, 1);
    struct clopt_variable *b = declare->children[0]->variable;
    struct clopt_variable *copy = clopt_variable_copy(source, b, 2);
    clopt_insert_before(source, declare, clopt_build(source, declare, "$V = {0};", copy));
    clopt_append(source, source->kernel->body, clopt_build(source, declare, "return;"));
    expect_program(source, "kernel void k(global int *a, int n)\n"
                           "{\n"
                           "    a[0] = n; /* one\n"
                           "    two */ // three\n"
                           "    int b_2[2] /* = */ = {0};\n"
                           "    int b[2] /* = */ = /* four = */ {n, 5};\n"
                           "    a[1] = b[0]; /* six\n"
                           "    seven */\n"
                           "    return;\n"
                           "}\n");
}

/* Where braces are on the same line, and where what is moved was first or all that an if held. */
static void braces_stay_with_their_block(void **state)
{
    (void)state;
    struct clopt_source *source =
        create("kernel void k(global int *a, int n) { /* one */ a[0] = n; a[1] = n; { a[2] = 3; }\n"
               "if (n) a[3] = n; }\n",
               "k");
    struct clopt_node *body = source->kernel->body;
    struct clopt_node *block = statement(source, 2);
    struct clopt_node *last = statement(source, 3);
    struct clopt_cloning cloning = {.source = source, .plain = true};
    struct clopt_nodes nodes = {0};
    clopt_nodes_add(source, &nodes, clopt_clone(&cloning, last->body));
    clopt_nodes_add(source, &nodes, clopt_clone(&cloning, statement(source, 0)));
    clopt_replace(source, last->body, clopt_build(source, last, "$N", &nodes));
    nodes = (struct clopt_nodes){0};
    clopt_nodes_add(source, &nodes, clopt_clone(&cloning, statement(source, 0)));
    clopt_nodes_add(source, &nodes, clopt_remove(source, block->children[0]));
    clopt_replace(source, statement(source, 1), clopt_build(source, body, "$N", &nodes));
    clopt_append(source, body, clopt_build(source, body, "{ $n }", statement(source, 0)));
    clopt_prepend(source, body, clopt_build(source, body, "n++;"));
    clopt_prepend(source, block, clopt_build(source, body, "n--;"));
    expect_program(source, "kernel void k(global int *a, int n) {\n"
                           "    n++; /* one */\n"
                           "    a[0] = n;\n"
                           "    a[0] = n;\n"
                           "    a[2] = 3;\n"
                           "    {\n"
                           "        n--;\n"
                           "    }\n"
                           "    if (n) {\n"
                           "        a[3] = n;\n"
                           "        a[0] = n;\n"
                           "    }\n"
                           "    {\n"
                           "        /* one */\n"
                           "        a[0] = n;\n"
                           "    }\n"
                           "}\n");
}

static struct clopt_node *replace_variable(void *user, const struct clopt_node *node)
{
    struct clopt_source *source = user;
    if (node->kind != CLOPT_NODE_VARIABLE || strcmp(node->variable->name, "n") != 0)
        return NULL;
    return clopt_build(source, node, "$v + 1", node->variable);
}

static void clones_substitute(void **state)
{
    (void)state;
    struct clopt_source *source = create(plain, "k");
    struct clopt_cloning cloning = {source, source, replace_variable, NULL, true};
    for (size_t i = 0; i < 2; i++)
        clopt_append(source, source->kernel->body, clopt_clone(&cloning, statement(source, i)));
    clopt_remove(source, statement(source, 1));
    expect_program(source, "kernel void k(global int *a, int n)\n"
                           "{\n"
                           "    /* first */\n"
                           "    a[0] = n; // set\n"
                           "    a[0] = n + 1;\n"
                           "    if (n + 1)\n"
                           "        a[1] = 2 * (n + 1);\n"
                           "}\n");
}

/* Whether the pattern has it or not. */
static void statements_have_one_semicolon(void **state)
{
    (void)state;
    struct clopt_source *source = create(plain, "k");
    struct clopt_node *first = statement(source, 0);
    struct clopt_node *last = statement(source, 1);
    struct clopt_cloning cloning = {.source = source, .plain = true};
    clopt_append(source, source->kernel->body,
                 clopt_build(source, last, "{ $n $n; $n $n; }", clopt_clone(&cloning, first),
                             clopt_clone(&cloning, first), clopt_clone(&cloning, last),
                             clopt_clone(&cloning, last)));
    expect_program(source, "kernel void k(global int *a, int n)\n"
                           "{\n"
                           "    /* first */\n"
                           "    a[0] = n; // set\n"
                           "    if (n)\n"
                           "        a[1] = 2 * n;\n"
                           "    {\n"
                           "        a[0] = n;\n"
                           "        a[0] = n;\n"
                           "        if (n)\n"
                           "            a[1] = 2 * n;\n"
                           "        if (n)\n"
                           "            a[1] = 2 * n;\n"
                           "    }\n"
                           "}\n");
}

static void lists_on_one_line_stay_lists(void **state)
{
    (void)state;
    struct clopt_source *source =
        create("kernel void k(global int *a) { a[0] = 1; if (a[1]) {} }\n", "k");
    struct clopt_node *body = source->kernel->body;
    struct clopt_node *empty = body->children[1]->body;
    clopt_prepend(source, empty, clopt_build(source, NULL, "return;"));
    clopt_prepend(source, body, clopt_build(source, NULL, "barrier(1);"));
    clopt_remove(source, body->children[1]);
    expect_program(source, "kernel void k(global int *a) {\n"
                           "    barrier(1);\n"
                           "    if (a[1]) {\n"
                           "        return;\n"
                           "    }\n"
                           "}\n");
}

static void declarations_are_moved(void **state)
{
    (void)state;
    struct clopt_source *source = create("kernel void k(global int *a)\n"
                                         "{\n"
                                         "    int i;\n"
                                         "    local int t[4][2];\n"
                                         "    for (i = 0; i < 4; i++) // count\n"
                                         "        t[i][0] = i;\n"
                                         "}\n",
                                         "k");
    struct clopt_node *loop = statement(source, 2);
    struct clopt_variable *i = statement(source, 0)->children[0]->variable;
    struct clopt_variable *t = statement(source, 1)->children[0]->variable;
    clopt_replace(source, loop->init,
                  clopt_build(source, loop, "$V = $n;", i, loop->init->children[1]));
    clopt_replace(source, statement(source, 0),
                  clopt_build(source, loop, "$V = $d;",
                              clopt_variable_like(source, i, "const float4", ""), 1));
    clopt_replace(source, statement(source, 1),
                  clopt_build(source, loop, "$V = $n;",
                              clopt_variable_like(source, t, NULL, " __attribute__((aligned(16)))"),
                              NULL));
    expect_program(source, "kernel void k(global int *a)\n"
                           "{\n"
                           "    const float4 i = 1;\n"
                           "    local int t[4][2] __attribute__((aligned(16)));\n"
                           "    for (int i = 0; i < 4; i++) // count\n"
                           "        t[i][0] = i;\n"
                           "}\n");
}

/* What was an expression in a for's head is followed by a semicolon, a declaration has its own. */
static void declarations_end_once(void **state)
{
    (void)state;
    static const char *const heads[][2] = {
        {"i = 0; i < 4; i++", "int i = 0; i < 4; i++"},
        {"i = 0 /* ; */ ; i < 4; i++", "int i = 0 /* ; */ ; i < 4; i++"},
        {"i = 0 ;; i++", "int i = 0 ;; i++"},
        {"i = 0; ;", "int i = 0; ;"},
        {"int j = 0; i < 4; i++", "int i = 0; i < 4; i++"},
        {"int j = 0;;", "int i = 0;;"},
    };
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++) {
        char text[256], edited[256];
        const char *kernel = "kernel void k(global int *a)\n{\n    int i = 1;\n"
                             "    for (%s) ;\n}\n";
        snprintf(text, sizeof text, kernel, heads[h][0]);
        snprintf(edited, sizeof edited, kernel, heads[h][1]);
        struct clopt_source *source = create(text, "k");
        struct clopt_variable *i = statement(source, 0)->children[0]->variable;
        clopt_replace_by(source, statement(source, 1)->init, "$V = 0;", i);
        expect_program(source, edited);
    }
}

static void functions_are_copied(void **state)
{
    (void)state;
    struct clopt_source *source = create("int f(int x /* ) */) { return x; }\n"
                                         "int g(void) { return f(1); }\n"
                                         "kernel __attribute__((reqd_work_group_size(8, 4, 1)))\n"
                                         "void k(global int *a) { a[0] = f(g()); }\n",
                                         "k");
    struct clopt_cloning cloning = {.source = source};
    struct clopt_variable *item = clopt_variable_make(source, "const uint", "", "item");
    struct clopt_error error = {0};
    size_t count = source->function_count;
    for (size_t i = 1; i < count; i++) {
        struct clopt_function *copy = clopt_function_copy(&cloning, source->functions[i]);
        clopt_function_add_parameter(source, copy, item);
    }
    assert_int_equal(clopt_kernel_divide_size(source, 0, 16, 2, &error), CLOPT_INFEASIBLE);
    assert_int_equal(clopt_kernel_divide_size(source, 1, 2, 2, &error), CLOPT_OK);
    expect_program(source, "int f(int x /* ) */) { return x; }\n"
                           "\n"
                           "int f_2(int x /* ) */, const uint item) { return x; }\n"
                           "int g(void) { return f(1); }\n"
                           "\n"
                           "int g_2(const uint item) { return f(1); }\n"
                           "kernel __attribute__((reqd_work_group_size(8, 2, 1)))\n"
                           "void k(global int *a) { a[0] = f(g()); }\n");
}

struct item {
    struct clopt_merging merging;
    struct clopt_cloning cloning;
};

static struct clopt_node *merged_node(void *user, const struct clopt_node *node)
{
    const struct item *item = user;
    return clopt_merging_node(&item->merging, &item->cloning, node, 3, NULL);
}

static void expect_merged(const char *text, struct clopt_merge merge, const char *merged)
{
    struct clopt_source *source = create(text, "k");
    struct clopt_error error = {0};
    struct item item;
    item.cloning = (struct clopt_cloning){.source = source, .user = &item, .node = merged_node};
    assert_int_equal(clopt_merging_init(&item.merging, source, merge, &error), CLOPT_OK);
    struct clopt_node *body = source->kernel->body;
    clopt_replace(source, body, clopt_clone(&item.cloning, body));
    assert_int_equal(clopt_merging_finish(&item.merging, &error), CLOPT_OK);
    expect_program(source, merged);
}

static void merged_items_see_the_initial_range(void **state)
{
    (void)state;
    static const char text[] = "int f(void) { return get_local_id(0) * 2 + get_local_id(1); }\n"
                               "kernel __attribute__((reqd_work_group_size(8, 4, 1)))\n"
                               "void k(global int *a) { a[get_global_id(0)] = f() % "
                               "get_local_size(0); f(); }\n";
    expect_merged(text, (struct clopt_merge){.factor = 4, .stride = 1},
                  "int f(void) { return get_local_id(0) * 2 + get_local_id(1); }\n"
                  "\n"
                  "int f_4(const uint item) { return (4 * get_local_id(0) + item) * 2 + "
                  "get_local_id(1); }\n"
                  "kernel __attribute__((reqd_work_group_size(2, 4, 1)))\n"
                  "void k(global int *a) { a[4 * get_global_id(0) + 3] = f_4(3) % "
                  "(4 * get_local_size(0)); f_4(3); }\n");
    expect_merged(text, (struct clopt_merge){.factor = 4, .stride = 2},
                  "int f(void) { return get_local_id(0) * 2 + get_local_id(1); }\n"
                  "\n"
                  "int f_4(const uint item) { return (get_local_id(0) / 2 * 8 + get_local_id(0) % "
                  "2 + item * 2) * 2 + get_local_id(1); }\n"
                  "kernel __attribute__((reqd_work_group_size(2, 4, 1)))\n"
                  "void k(global int *a) { a[get_global_id(0) / 2 * 8 + get_global_id(0) % 2 + 6] "
                  "= f_4(3) % (4 * get_local_size(0)); f_4(3); }\n");
}

/* What is put before or after a loop is so for its pragma, too. */
static void pragmas_stay_with_their_loop(void **state)
{
    (void)state;
    struct clopt_source *source = create("kernel void k(global int *a, int n)\n"
                                         "{\n"
                                         "    if (n)\n"
                                         "#pragma unroll\n"
                                         "        for (int i = 0; i < n; i++)\n"
                                         "            a[i] = i;\n"
                                         "}\n",
                                         "k");
    struct clopt_node *loop = statement(source, 0)->body->body;
    struct clopt_variable *b = clopt_variable_make(source, "int", "", "n");
    assert_int_equal(loop->kind, CLOPT_NODE_FOR);
    assert_string_equal(b->name, "n_2");
    assert_string_equal(clopt_variable_make(source, "int", "", "n")->name, "n_3");
    clopt_insert_before(source, loop, clopt_build(source, loop, "$V = 1;", b));
    clopt_insert_after(source, loop, clopt_build(source, loop, "$v++;", b));
    expect_program(source, "kernel void k(global int *a, int n)\n"
                           "{\n"
                           "    if (n) {\n"
                           "        int n_2 = 1;\n"
                           "#pragma unroll\n"
                           "        for (int i = 0; i < n; i++)\n"
                           "            a[i] = i;\n"
                           "        n_2++;\n"
                           "    }\n"
                           "}\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_built_is_parenthesised),
        cmocka_unit_test(wrong_patterns_are_reported),
        cmocka_unit_test(comments_stay_where_they_are),
        cmocka_unit_test(comments_stay_whole),
        cmocka_unit_test(braces_stay_with_their_block),
        cmocka_unit_test(clones_substitute),
        cmocka_unit_test(statements_have_one_semicolon),
        cmocka_unit_test(lists_on_one_line_stay_lists),
        cmocka_unit_test(declarations_are_moved),
        cmocka_unit_test(declarations_end_once),
        cmocka_unit_test(functions_are_copied),
        cmocka_unit_test(pragmas_stay_with_their_loop),
        cmocka_unit_test(merged_items_see_the_initial_range),
    };
    return cmocka_run_group_tests_name("unit_rewrite", tests, NULL, NULL);
}
