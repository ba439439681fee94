/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves which patterns of memory access are found in kernels of known patterns: those that the
 * names come from, and others that try to look like them. */
#include "analysis/pattern.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "text/text.h"

/* Lists "array access item[(distance)] group[(distance)]" of each access, one a line. */
static char *list_patterns(const char *text, unsigned dimension)
{
    struct clopt_source *source = NULL;
    struct clopt_patterns patterns = {0};
    struct clopt_error error = {0};
    struct clopt_text list = {0};
    if (clopt_source_create("test.cl", text, NULL, "", "k", &source, &error))
        fail_msg("%s", error.message);
    clopt_patterns_find(source, dimension, &patterns);
    for (size_t i = 0; i < patterns.count; i++) {
        const struct clopt_pattern *pattern = &patterns.items[i];
        clopt_text_printf(&list, "%s %s %s", pattern->array, clopt_access_name(pattern->access),
                          clopt_item_pattern_name(pattern->item));
        if (pattern->item_distance)
            clopt_text_printf(&list, "(%s)", pattern->item_distance);
        clopt_text_printf(&list, " %s", clopt_group_pattern_name(pattern->group));
        if (pattern->group_distance)
            clopt_text_printf(&list, "(%s)", pattern->group_distance);
        clopt_text_append(&list, "\n");
    }
    clopt_patterns_fini(&patterns);
    clopt_source_destroy(source);
    return clopt_text_take(&list);
}

static void check(const char *parameters, const char *body, const char *expected)
{
    struct clopt_text text = {0};
    clopt_text_printf(&text, "kernel void k(%s)\n{\n%s\n}\n", parameters, body);
    char *list = list_patterns(clopt_text_string(&text), 0);
    assert_string_equal(list, expected);
    free(list);
    clopt_text_fini(&text);
}

static void one_element_a_work_item_is_single(void **state)
{
    (void)state;
    check("global const float *in, global float *out",
          "int i = get_global_id(0); out[i] = 2 * in[i];",
          "in read single separate(1)\nout write single separate(1)\n");
    check("global float *a, int n",
          "int i = get_group_id(0) * get_local_size(0) + get_local_id(0); if (i >= n) return;"
          "a[n - 1 - i] += 1;",
          "a update single separate(-1)\n");
    check("global float *a, constant float *c", "a[2 * get_global_id(0)] = c[0];",
          "c read single focused\na write single separate(2)\n");
}

static void a_matrix_product_reads_rows_and_columns(void **state)
{
    (void)state;
    check("global const float *a, global const float *b, global float *c, int n",
          "int x = get_global_id(0), y = get_global_id(1); float sum = 0;\n"
          "for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];\n"
          "c[y * n + x] = sum;",
          "a read row focused\nb read column(n) separate(1)\nc write single separate(1)\n");
    /* The same with pointers that move, and a running index. */
    check("global const float *a, global const float *b, global float *c, int n",
          "global const float *row = a + get_global_id(1) * n; int at = get_global_id(0);\n"
          "float sum = 0; int k = 0;\n"
          "while (k < n) { sum += *row * b[at]; row++; at += n; k += 1; }\n"
          "c[get_global_id(1) * n + get_global_id(0)] = sum;",
          "a read row focused\nb read column(n) separate(1)\nc write single separate(1)\n");
    /* Unrolled, it is still a row. */
    check("global const float *a, global float *c, int n",
          "int y = get_global_id(0); float sum = 0;\n"
          "for (int k = 0; k < n; k += 2) sum += a[y * n + k] + a[y * n + k + 1];\n"
          "c[y] = sum;",
          "a read row separate(n)\na read row separate(n)\nc write single separate(1)\n");
}

static void windows_are_blocks_and_crosses_neighbours(void **state)
{
    (void)state;
    check("global const float *in, global float *out, int n",
          "int x = get_global_id(0), y = get_global_id(1); float sum = 0;\n"
          "for (int j = 0; j < 3; j++) for (int i = 0; i < 3; i++)\n"
          "    sum += in[(y + j) * n + x + i];\n"
          "out[y * n + x] = sum;",
          "in read block separate(1)\nout write single separate(1)\n");
    check("global const float *in, global float *out, int n, int m",
          "int x = get_global_id(0), y = get_global_id(1), i = y * n + x;\n"
          "out[i] = in[i] + in[i - 1] + in[min(x + 1, n - 1) + y * n]\n"
          "         + in[i - n] + in[x + n * clamp(y + 1, 0, m)];",
          "in read neighbours separate(1)\nin read neighbours separate(1)\n"
          "in read neighbours separate(1)\nin read neighbours separate(1)\n"
          "in read neighbours separate(1)\nout write single separate(1)\n");
    /* Of a width that is a number. */
    check("global const float *in, global float *out",
          "int i = get_global_id(0); out[i] = in[i] + in[i - 1] + in[i + 1] + in[i - 64] + "
          "in[i + 64];",
          "in read neighbours separate(1)\nin read neighbours separate(1)\n"
          "in read neighbours separate(1)\nin read neighbours separate(1)\n"
          "in read neighbours separate(1)\nout write single separate(1)\n");
}

static void what_is_not_affine_is_unknown(void **state)
{
    (void)state;
    check("global const int *index, global float *a", "a[index[get_global_id(0)]] = 1;",
          "index read single separate(1)\na write single unknown\n");
    check("global const int *index, global float *a, int n",
          "for (int i = 0; i < n; i++) a[index[i]] = get_global_id(0);",
          "index read row focused\na write unknown focused\n");
    check("global float *a, int n", "a[get_global_id(0) / n] = 1;", "a write single unknown\n");
    check("global float *a", "int i = get_global_id(0); a[i * i] = 1;", "a write single unknown\n");
    /* A branch that not all take leaves one of two values. */
    check("global float *a, int n", "int i = n; if (get_local_id(0) > 3) i = 0; a[i] = 1;",
          "a write single unknown\n");
    check("global float *a, int n", "int i = 5; if (n > 3) i = 0; a[i] = 1;",
          "a write single focused\n");
    /* What the work-item has computed in an earlier turn. */
    check("global float *a, int n",
          "int i = 0, j = 0; for (int t = 0; t < n; t++) { a[j] = 1; j = i; i = get_local_id(0); }",
          "a write unknown unknown\n");
    check("global float *a, int n", "for (int s = n; s > 0; s /= 2) a[s] = 1;",
          "a write unknown focused\n");
}

static void pointers_are_followed_through_loops(void **state)
{
    (void)state;
    const char *parameters = "global const float *a, global const float *c, global float *b, int n";
    check(parameters,
          "int g = get_global_id(0); global const float *p = a;"
          "for (int i = 0; i < n; i++) { b[g] += p[g]; p = p + n; }",
          "a read unknown separate(1)\nb update single separate(1)\n");
    /* What is read in the first iteration alone says nothing of the others. */
    check(parameters,
          "int g = get_global_id(0); global const float *p = a;"
          "for (int i = 0; i < n; i++) { b[g] += p[g]; p = c; }",
          "? read unknown unknown\nb update single separate(1)\n");
    check(parameters,
          "int g = get_global_id(0); global const float *p = a, *q = c, *r;"
          "for (int i = 0; i < n; i++) { b[g] += p[g]; r = p; p = q; q = r; } b[0] = p[0];",
          "? read unknown unknown\nb update single separate(1)\n? read unknown unknown\n"
          "b write single focused\n");
}

static void functions_are_followed(void **state)
{
    (void)state;
    char *list = list_patterns("float get(global const float *p, int i) { return p[i + 1]; }\n"
                               "kernel void k(global const float *a, global float *b, int n)\n"
                               "{ int i = get_global_id(1);\n"
                               "  b[i] = get(a, i * n) + get(a, get_local_id(0));\n"
                               "  vstore4(vload4(i, a), 0, b + 4 * get_global_id(0)); }\n",
                               1);
    assert_string_equal(list, "a read single separate(n)\na read single focused\n"
                              "b write single separate(1)\n"
                              "a read row separate(4)\nb write row focused\n");
    free(list);
}

static void what_functions_return_is_not_taken_for_their_arguments(void **state)
{
    (void)state;
    char *list = list_patterns("int own(void) { return get_local_id(0); }\n"
                               "int same(int n) { return 2 * n; }\n"
                               "kernel void k(global float *a, local float *l, int n)\n"
                               "{ float4 all = vload4(0, l);\n"
                               "  a[own()] = all.x; a[same(n)] = 1; }\n",
                               0);
    assert_string_equal(list, "a write single unknown\na write single focused\n");
    free(list);
}

static void of_many_loops_the_last_are_unknown(void **state)
{
    (void)state;
    struct clopt_text text = {0};
    for (int i = 0; i < 28; i++)
        clopt_text_append(&text, "for (int i = 0; i < n; i++) ;\n");
    clopt_text_append(&text, "for (int i = 0; i < n; i++) a[i] = 1;");
    check("global float *a, int n", clopt_text_string(&text), "a write single unknown\n");
    clopt_text_fini(&text);
}

static void more_symbols_than_forms_can_name_are_no_patterns(void **state)
{
    (void)state;
    struct clopt_text text = {0};
    for (int i = 0; i < 33000; i++)
        clopt_text_append(&text, "n = a[n] / 3;\n");
    check("global int *a, int n", clopt_text_string(&text), "");
    clopt_text_fini(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_element_a_work_item_is_single),
        cmocka_unit_test(a_matrix_product_reads_rows_and_columns),
        cmocka_unit_test(windows_are_blocks_and_crosses_neighbours),
        cmocka_unit_test(what_is_not_affine_is_unknown),
        cmocka_unit_test(pointers_are_followed_through_loops),
        cmocka_unit_test(functions_are_followed),
        cmocka_unit_test(what_functions_return_is_not_taken_for_their_arguments),
        cmocka_unit_test(of_many_loops_the_last_are_unknown),
        cmocka_unit_test(more_symbols_than_forms_can_name_are_no_patterns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
