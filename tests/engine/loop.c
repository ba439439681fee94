/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves what is said of the turns of loops: where two touches of memory may meet, and what goes
 * from iteration to iteration. */
#include <clopt/loop.h>

#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static struct clopt_source *create(const char *statement)
{
    struct clopt_error error = {0};
    struct clopt_source *source = NULL;
    char text[1024];
    snprintf(text, sizeof text,
             "kernel void k(global int *a, global int *restrict b, local int *t, local int *v, "
             "int n, uint u)\n{\n    int p[99], s = 0;\n    uint w = 0;\n    %s\n}\n",
             statement);
    if (clopt_source_create("test.cl", text, NULL, "", "k", &source, &error))
        fail_msg("%s", error.message);
    return source;
}

static const struct clopt_node *find_loop(const struct clopt_node *node)
{
    if (clopt_node_is_loop(node))
        return node;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *found = find_loop(node->children[i]);
        if (found)
            return found;
    }
    return NULL;
}

/* Whether what the loop's body writes first may be accessed again by one of the `most` next
 * iterations, by anything. */
static bool meets(const char *statement, int64_t most)
{
    struct clopt_source *source = create(statement);
    const struct clopt_node *loop = find_loop(source->kernel->body);
    struct clopt_trip trip;
    struct clopt_accesses accesses = {0};
    assert_true(clopt_trip_find(loop, NULL, &trip));
    clopt_accesses_add(&accesses, loop->body);
    assert_true(accesses.count > 0 && accesses.items[0].writes);
    struct clopt_nest nest = {1, {loop, NULL}, {&trip, NULL}};
    struct clopt_distance distance = {1, most};
    bool found = false;
    for (size_t i = 0; i < accesses.count; i++)
        found |= clopt_accesses_depend(&nest, &accesses.items[0], &accesses.items[i], &distance);
    clopt_accesses_fini(&accesses);
    clopt_source_destroy(source);
    return found;
}

#define LOOP "for (int i = 0; i < n; i++) "

static void distances_count(void **state)
{
    (void)state;
    assert_false(meets(LOOP "b[i] = 1;", CLOPT_MANY_ITERATIONS));
    assert_false(meets(LOOP "b[i] = b[i + 1];", CLOPT_MANY_ITERATIONS));
    assert_true(meets(LOOP "b[i] = b[i - 1];", CLOPT_MANY_ITERATIONS));
    assert_true(meets(LOOP "b[i + 4] = b[i];", 4));
    assert_false(meets(LOOP "b[i + 4] = b[i];", 3));
    assert_false(meets("for (int i = 0; i < 4; i++) b[i + 4] = b[i];", CLOPT_MANY_ITERATIONS));
    assert_false(meets(LOOP "b[2 * i] = b[2 * i - 1];", CLOPT_MANY_ITERATIONS));
    assert_true(meets(LOOP "b[2 * i] = b[i];", 3));
    assert_true(meets(LOOP "b[n] = 1;", 3));
    assert_false(meets(LOOP "b[i * 4 + n] = b[i * 4 + n + 2];", CLOPT_MANY_ITERATIONS));
    assert_false(meets(LOOP "b[i * n] = 1;", 3)); /* n is more than i, which is 0 or more */
    assert_true(meets(LOOP "b[i * s] = 1;", 3));
    assert_false(meets("if (n > 0) for (int i = 0; i < 6; i++) b[i * n] = 1;", 3));
    assert_true(meets("if (n >= 0) for (int i = 0; i < 6; i++) b[i * n] = 1;", 3));
    assert_true(meets("if (s > 0) for (int i = 0; i < 6; i++) { b[i * s] = 1; s--; }", 3));
    assert_false(meets(LOOP "{ int x = i + n; b[x] = b[1 + x]; }", CLOPT_MANY_ITERATIONS));
    assert_true(meets(LOOP "{ int x = i + s; b[x] = b[1 + x]; s = x; }", 3));
}

/* Whether what the body of a nest of two loops writes may be written by a later iteration of the
 * outer and an earlier one of the inner loop. */
static bool rows_meet(const char *statement)
{
    static const struct clopt_distance distances[] = {{1, CLOPT_MANY_ITERATIONS},
                                                      {-CLOPT_MANY_ITERATIONS, -1}};
    struct clopt_source *source = create(statement);
    const struct clopt_node *outer = find_loop(source->kernel->body);
    const struct clopt_node *inner = find_loop(outer->body);
    struct clopt_trip trips[2];
    struct clopt_accesses accesses = {0};
    assert_true(clopt_trip_find(outer, NULL, &trips[0]) && clopt_trip_find(inner, NULL, &trips[1]));
    clopt_accesses_add(&accesses, inner->body);
    struct clopt_nest nest = {2, {outer, inner}, {&trips[0], &trips[1]}};
    bool found = clopt_accesses_depend(&nest, &accesses.items[0],
                                       &accesses.items[accesses.count - 1], distances);
    clopt_accesses_fini(&accesses);
    clopt_source_destroy(source);
    return found;
}

static void rows_are_apart(void **state)
{
    (void)state;
    assert_false(rows_meet(LOOP "for (int j = 0; j < n; j++) b[i * n + j] = 1;"));
    assert_false(rows_meet(LOOP "for (int j = 0; j < n; j++) b[j * n + i] = 1;"));
    assert_false(rows_meet(LOOP "for (int j = 1; j <= n; j++) b[i * n + j] = 1;"));
    assert_false(
        rows_meet(LOOP "for (int j = 2; j < n; j++) { b[i * n + j] = 1; b[i * n + j + 1] = 2; }"));
    assert_true(rows_meet(
        LOOP
        "for (int j = 1; j < n; j++) { b[i * n + j] = 1; b[i * n + j + 1] = b[i * n + j - 2]; }"));
    assert_true(rows_meet(LOOP "for (int j = 0; j <= n; j++) b[i * n + j] = 1;"));
    assert_true(rows_meet(LOOP "for (int j = 0; j < n; j++) b[i * n + 2 * j] = 1;"));
    assert_true(rows_meet(LOOP "for (int j = 0; j < 2 * n; j++) b[i * n + j] = 1;"));
    assert_true(
        rows_meet("for (uint i = 0; i < u; i++) for (uint j = 0; j < u; j++) b[i * u + j] = 1;"));
}

/* Whether an iteration of the loop over j may write what another one does, to either side of the
 * diagonal of a matrix. */
static bool triangles_meet(const char *before, const char *body)
{
    char statement[256];
    snprintf(statement, sizeof statement, "%s { %s }", before, body);
    return meets(statement, CLOPT_MANY_ITERATIONS);
}

static void triangles_are_apart(void **state)
{
    const char *guarded = "int i = get_global_id(0); if (i < n) for (int j = i; j < n; j++)";
    const char *writes = "b[i * n + j] = 1; b[j * n + i] = 2;";
    (void)state;
    assert_false(triangles_meet(guarded, writes));
    assert_false(triangles_meet(guarded, "b[j * n + i] = 1; b[n * i + j] = 2;"));
    assert_true(triangles_meet(guarded, "b[i * n + j] = 1; b[j * n + i + 1] = 2;"));
    assert_false(triangles_meet("int i = get_global_id(0); for (int j = i; j < n; j++)", writes));
    assert_true(
        triangles_meet("int i = get_global_id(0) - 1; for (int j = i; j < n; j++)", writes));
    assert_true(triangles_meet("int i = get_global_id(0); for (int j = 0; j < n; j++)", writes));
    assert_true(triangles_meet("int i = get_global_id(0); if (i < n) for (int j = i; j <= n; j++)",
                               writes));
    assert_true(triangles_meet("uint i = get_global_id(0); if (i < u) for (uint j = i; j < u; j++)",
                               "b[i * u + j] = 1; b[j * u + i] = 2;"));
}

static void unsigned_indices_wrap(void **state)
{
    (void)state;
    assert_false(meets("for (uint i = 0; i < u; i++) b[i] = 1;", CLOPT_MANY_ITERATIONS));
    assert_true(meets("for (uint i = 0; i < u; i++) b[2 * i] = 1;", CLOPT_MANY_ITERATIONS));
    assert_false(meets("for (uint i = 0; i < u; i++) b[2 * i] = 1;", 15));
}

static void other_memory_is_apart(void **state)
{
    (void)state;
    assert_true(meets(LOOP "a[i] = s + a[s];", 3));
    assert_false(meets(LOOP "a[i] = b[s];", 3)); /* restrict */
    assert_false(meets(LOOP "t[i] = v[s];", 3)); /* parameters of local memory */
    assert_false(meets(LOOP "t[i] = p[s];", 3));
    assert_true(meets(LOOP "p[i] = p[s];", 3));
    assert_true(meets(LOOP "{ local int *q = t + 1; t[i] = q[s]; }", 3));
    assert_false(meets(LOOP "{ local int *q = v + 1; t[i] = q[s]; }", 3));
    assert_true(meets(LOOP "a[i] = *(a + s);", 3));
}

static void expect_dependence(const char *statement, enum clopt_dependence carry, const char *op)
{
    struct clopt_source *source = create(statement);
    const struct clopt_node *loop = find_loop(source->kernel->body);
    const char *found = NULL;
    for (size_t i = 0; i < source->variable_count; i++)
        if (source->variables[i]->name[0] == 's')
            assert_int_equal(clopt_loop_dependence(loop, source->variables[i], &found), carry);
    if (op)
        assert_string_equal(found, op);
    else
        assert_null(found);
    clopt_source_destroy(source);
}

static void values_go_from_iteration_to_iteration(void **state)
{
    (void)state;
    expect_dependence(LOOP "s += a[i];", CLOPT_DEPENDENCE_REDUCTION, "+");
    expect_dependence(LOOP "{ s -= a[i]; if (n) s++; s = i + s; }", CLOPT_DEPENDENCE_REDUCTION,
                      "+");
    expect_dependence(LOOP "s = min(a[i], s);", CLOPT_DEPENDENCE_REDUCTION, "min");
    expect_dependence(LOOP "s = a[i] ^ s;", CLOPT_DEPENDENCE_REDUCTION, "^");
    expect_dependence(LOOP "{ s += a[i]; s *= 2; }", CLOPT_DEPENDENCE_OTHER, NULL);
    expect_dependence(LOOP "{ s += a[i]; a[i] = s; }", CLOPT_DEPENDENCE_OTHER, NULL);
    expect_dependence(LOOP "s = i - s;", CLOPT_DEPENDENCE_OTHER, NULL);
    expect_dependence(LOOP "s += s;", CLOPT_DEPENDENCE_OTHER, NULL);
    expect_dependence(LOOP "{ s = i; s += a[i]; a[i] = s; }", CLOPT_DEPENDENCE_NONE, NULL);
    expect_dependence(LOOP "if (n) s = i;", CLOPT_DEPENDENCE_OTHER, NULL);
    expect_dependence(LOOP "{ if (a[i]) continue; s = i; }", CLOPT_DEPENDENCE_OTHER, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_count),
        cmocka_unit_test(rows_are_apart),
        cmocka_unit_test(triangles_are_apart),
        cmocka_unit_test(unsigned_indices_wrap),
        cmocka_unit_test(other_memory_is_apart),
        cmocka_unit_test(values_go_from_iteration_to_iteration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
