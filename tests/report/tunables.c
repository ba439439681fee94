/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves which tunable parameters the descriptions of variants have: named by optimization, with
 * the value that changes nothing where a variant does not set them, in the order of the steps where
 * that matters, and never two variants alike. */
#include "results/tunables.h"

#include <setjmp.h>
#include <stdlib.h>

#include <cmocka.h>

struct variant {
    const char *name;
    const char *description;
};

/* Equal values of a parameter are one and the same. */
static void check_shared(const struct clopt_tunables *tunables, json_t *row)
{
    const char *name;
    json_t *value, *other;
    size_t i;
    json_object_foreach(row, name, value)
    {
        bool listed = false;
        json_array_foreach(json_object_get(tunables->values, name), i, other) listed |=
            other == value;
        assert_true(listed);
    }
}

/* Compares what is found with `wanted`: a line of values, and one a variant. */
static void check(const struct variant *variants, size_t count, const char *const *wanted)
{
    struct clopt_result cell = {.present = true};
    struct clopt_results_table table = {.kernel = "k", .row_count = count};
    struct clopt_tunables tunables;
    struct clopt_error error = {0};
    table.rows = calloc(count, sizeof *table.rows);
    assert_non_null(table.rows);
    for (size_t i = 0; i < count; i++)
        table.rows[i] = (struct clopt_results_row){.name = (char *)variants[i].name,
                                                   .description = (char *)variants[i].description,
                                                   .cells = &cell};
    enum clopt_status status = clopt_tunables_init(&tunables, &table, 0, &error);
    if (!wanted[1]) {
        assert_int_equal(status, CLOPT_FAILED);
        assert_string_equal(error.message, wanted[0]);
        free(table.rows);
        return;
    }
    assert_int_equal(status, CLOPT_OK);
    for (size_t i = 0; i < count; i++)
        check_shared(&tunables, tunables.rows[i]);
    for (size_t i = 0; i <= count; i++) {
        char *text = json_dumps(i ? tunables.rows[i - 1] : tunables.values, JSON_COMPACT);
        assert_string_equal(text, wanted[i]);
        free(text);
    }
    clopt_tunables_fini(&tunables);
    free(table.rows);
}

#define CHECK(variants, ...)                                                                       \
    check(variants, sizeof(variants) / sizeof *(variants), (const char *const[]){__VA_ARGS__, NULL})

#define STEP(optimization, values) "{\"optimization\":\"" optimization "\",\"values\":{" values "}}"
#define STEPS(steps)               "{\"steps\":[" steps "]}"

/* What a name leaves out changes nothing; what no name leaves out is not known. */
static void neutral_values(void **state)
{
    static const struct variant variants[] = {
        {"initial code", STEPS("")},
        {"geometry(granularity=2)",
         STEPS(STEP("geometry", "\"granularity\":\"2\",\"stride\":\"1\""))},
        {"geometry(local_size=64,granularity=2,stride=4)",
         STEPS(STEP("geometry", "\"local_size\":\"64\",\"granularity\":\"2\",\"stride\":\"4\""))},
        {"loops(unroll=full)+geometry(stride=2)",
         STEPS(STEP("loops", "\"unroll\":\"full\",\"pragma\":\"no\"") "," STEP(
             "geometry", "\"granularity\":\"1\",\"stride\":\"2\""))},
    };
    (void)state;
    CHECK(variants,
          "{\"geometry.granularity\":[1,2],\"geometry.stride\":[1,4,2],"
          "\"geometry.local_size\":[null,64],\"loops.unroll\":[null,\"full\"]}",
          "{\"geometry.granularity\":1,\"geometry.stride\":1,"
          "\"geometry.local_size\":null,\"loops.unroll\":null}",
          "{\"geometry.granularity\":2,\"geometry.stride\":1,"
          "\"geometry.local_size\":null,\"loops.unroll\":null}",
          "{\"geometry.granularity\":2,\"geometry.stride\":4,"
          "\"geometry.local_size\":64,\"loops.unroll\":null}",
          "{\"geometry.granularity\":1,\"geometry.stride\":2,"
          "\"geometry.local_size\":null,\"loops.unroll\":\"full\"}");
}

/* A parameter that two optimizations have is in the name, but perhaps for the other one. */
static void same_name(void **state)
{
    static const struct variant variants[] = {
        {"initial code", STEPS("")},
        {"vector(within=4)+loops(unroll=2,loops=all)",
         STEPS(STEP("vector", "\"within\":\"4\",\"loops\":\"innermost\"") "," STEP(
             "loops", "\"unroll\":\"2\",\"loops\":\"all\""))},
    };
    (void)state;
    CHECK(variants,
          "{\"vector.within\":[null,4],\"vector.loops\":[null,\"innermost\"],"
          "\"loops.unroll\":[null,2],\"loops.loops\":[null,\"all\"]}",
          "{\"vector.within\":null,\"vector.loops\":null,\"loops.unroll\":null,"
          "\"loops.loops\":null}",
          "{\"vector.within\":4,\"vector.loops\":\"innermost\",\"loops.unroll\":2,"
          "\"loops.loops\":\"all\"}");
}

static void order_of_steps(void **state)
{
#define A STEP("geometry", "\"granularity\":\"2\"")
#define B STEP("vector", "\"across\":\"4\"")
    static const struct variant one_way[] = {
        {"geometry(granularity=2)", STEPS(A)},
        {"geometry(granularity=2)+vector(across=4)", STEPS(A "," B)},
    };
    static const struct variant both_ways[] = {
        {"geometry(granularity=2)+vector(across=4)", STEPS(A "," B)},
        {"vector(across=4)+geometry(granularity=2)", STEPS(B "," A)},
        {"initial code", STEPS("")},
    };
    static const struct variant twice[] = {
        {"geometry(granularity=2)", STEPS(A)},
        {"geometry(granularity=2)+geometry(stride=3)",
         STEPS(A "," STEP("geometry", "\"stride\":\"3\""))},
    };
    (void)state;
    CHECK(one_way, "{\"vector.across\":[null,4]}", "{\"vector.across\":null}",
          "{\"vector.across\":4}");
    CHECK(both_ways,
          "{\"geometry.granularity\":[2,null],\"vector.across\":[4,null],"
          "\"combine.products\":[\"geometry+vector\",\"vector+geometry\",null]}",
          "{\"geometry.granularity\":2,\"vector.across\":4,"
          "\"combine.products\":\"geometry+vector\"}",
          "{\"geometry.granularity\":2,\"vector.across\":4,"
          "\"combine.products\":\"vector+geometry\"}",
          "{\"geometry.granularity\":null,\"vector.across\":null,\"combine.products\":null}");
    CHECK(twice, "{\"geometry.2.stride\":[null,3]}", "{\"geometry.2.stride\":null}",
          "{\"geometry.2.stride\":3}");
#undef A
#undef B
}

#define MACRO(name, type, value)                                                                   \
    "{\"name\":\"" name "\",\"type\":\"" type "\",\"value\":\"" value "\"}"

/* Numbers are numbers where every program writes them the same way. */
static void macros(void **state)
{
    static const struct variant variants[] = {
        {"initial code",
         "{\"parameters\":[" MACRO("WG", "integer", "32") "," MACRO("TYPE", "text", "1") "," MACRO(
             "RATE", "real", "0.5") "," MACRO("SAME", "integer", "7") "]}"},
        {"WG=9223372036854775807,TYPE=01,RATE=1e-30",
         "{\"parameters\":[" MACRO("WG", "integer", "9223372036854775807") "," MACRO(
             "TYPE", "text", "01") "," MACRO("RATE", "real", "1e-30") "," MACRO("SAME", "integer",
                                                                                "7") "]}"},
        {"RATE=2",
         "{\"parameters\":[" MACRO("WG", "integer", "32") "," MACRO("TYPE", "text", "1") "," MACRO(
             "RATE", "real", "2") "," MACRO("SAME", "integer", "7") "]}"},
    };
    (void)state;
    CHECK(variants,
          "{\"WG\":[32,9223372036854775807],\"TYPE\":[\"1\",\"01\"],"
          "\"RATE\":[0.5,\"1e-30\",2.0]}",
          "{\"WG\":32,\"TYPE\":\"1\",\"RATE\":0.5}",
          "{\"WG\":9223372036854775807,\"TYPE\":\"01\",\"RATE\":\"1e-30\"}",
          "{\"WG\":32,\"TYPE\":\"1\",\"RATE\":2.0}");
}

/* One would hide the other. A description that is damaged is said to be. */
static void same_values(void **state)
{
    static const struct variant undescribed[] = {{"initial code", NULL}, {"loops(unroll=2)", NULL}};
    static const struct variant damaged[] = {{"initial code", "{}"},
                                             {"loops(unroll=2)", "{\"steps\":[{}, 1]"}};
    (void)state;
    CHECK(undescribed,
          "k: the store describes initial code and loops(unroll=2) by the same values");
    CHECK(damaged, "k: the store's description of loops(unroll=2) cannot be read");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neutral_values), cmocka_unit_test(same_name),
        cmocka_unit_test(order_of_steps), cmocka_unit_test(macros),
        cmocka_unit_test(same_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
