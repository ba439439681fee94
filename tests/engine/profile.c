/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that the profile of a kernel counts what it does however its loops are written, and that
 * what is counted tells which of two variants costs a device less. */
#include "analysis/profile.h"

#include <math.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "commands/advise/advice.h"
#include "text/text.h"

#define PARAMETERS "global const float *a, global const float *b, global float *c, int n"

static struct clopt_profile find_profile(const char *body, struct clopt_ndrange ndrange)
{
    struct clopt_source *source = NULL;
    struct clopt_error error = {0};
    struct clopt_text text = {0};
    struct clopt_profile profile;
    clopt_text_printf(&text, "kernel void k(%s)\n{\n%s\n}\n", PARAMETERS, body);
    if (clopt_source_create("test.cl", clopt_text_string(&text), NULL, "", "k", &source, &error))
        fail_msg("%s", error.message);
    clopt_profile_find(source, &ndrange, &profile);
    clopt_source_destroy(source);
    clopt_text_fini(&text);
    return profile;
}

/* Counts one feature. */
static void check(const char *body, enum clopt_profile_feature feature, double expected)
{
    struct clopt_profile profile = find_profile(body, CLOPT_RANGE2(1024, 1024, 16, 16));
    double count = exp2(profile.values[feature]) - 1;
    if (fabs(count - expected) > 0.001)
        fail_msg("%s: %s is %g, not %g", body, clopt_profile_names[feature], count, expected);
}

static void loops_of_unknown_length_are_as_long_however_they_are_written(void **state)
{
    (void)state;
    check("for (int k = 0; k < n; k++) c[k] = a[k] * 2;", CLOPT_PROFILE_FLOATS, 256);
    check(
        "int k = 0;\n#pragma unroll 1\nfor (; k < (n & ~1); k += 2) { c[k] = a[k] * 2; c[k + 1] = "
        "a[k + 1] * 2; } for (; k < n; k++) c[k] = a[k] * 2;",
        CLOPT_PROFILE_FLOATS, 257);
    check(
        "for (int k0 = 0; k0 < n - 15; k0 += 16) for (int k = k0; k < k0 + 16; k++) c[k] = a[k] * "
        "2; for (int k = n / 16 * 16; k < n; k++) c[k] = a[k] * 2;",
        CLOPT_PROFILE_FLOATS, 257);
    check("for (int k = (int)a[0]; k < (int)a[1]; k++) { c[k] = a[k] * 2; k++; if (!(k < "
          "(int)a[1])) break; c[k] = a[k] * 2; }",
          CLOPT_PROFILE_FLOATS, 256);
    check("for (int k = 0; k < 5; k++) c[k] = a[k] * 2; for (int k = 1 + n; k < n * n; k++) c[k] = "
          "a[k] * 2;",
          CLOPT_PROFILE_FLOATS, 5 + 256);
}

static void what_is_rare_does_not_count(void **state)
{
    (void)state;
    check("int i = get_global_id(0); if (i < n) c[i] = a[i] * 2 + a[i + 1]; else c[i] = 2 * a[i];",
          CLOPT_PROFILE_FLOATS, 2);
    check("int i = get_global_id(0); if (i < n) c[i] = 0; else for (int k = 0; k < 8; k++) c[i] += "
          "2 * a[i + k] * b[i] * 3 + 4 * a[i + k] * b[i + 1] * 5;",
          CLOPT_PROFILE_FLOATS, 8 * 8);
    check("int i = get_global_id(0); if (i < n) c[i] = a[i] * 2; else c[i] = a[1] + a[2];",
          CLOPT_PROFILE_READS, 1);
#define LANE "{ if (i + 1 < n) { float x = a[i + 1]; x = x * x; c[i + 1] = x; } }"
    check(
        "int i = 4 * get_global_id(0); if (i + 3 < n) vstore4(vload4(0, &a[i]), 0, &c[i]); else if "
        "(i < n) { " LANE LANE LANE LANE " }",
        CLOPT_PROFILE_FLOATS, 0);
#undef LANE
}

static void what_is_read_twice_counts_once(void **state)
{
    (void)state;
    check("int i = get_global_id(0); c[i] = a[i] * b[i]; c[i + n] = a[i] * b[i + 1];",
          CLOPT_PROFILE_READS, 3);
    check("int i = get_global_id(0); vstore4(vload4(0, &a[i]) + vload4(0, &a[i]), 0, &c[i]);",
          CLOPT_PROFILE_READS, 1);
    check("int i = get_global_id(0); vstore4(vload4(0, &a[i]) + vload4(0, &a[i]), 0, &c[i]);",
          CLOPT_PROFILE_ELEMENTS, 8);
    check("int i = get_global_id(0); vstore4(vload4(0, &a[i]) + vload4(0, &a[i]), 0, &c[i]);",
          CLOPT_PROFILE_FUNCTIONS, 0);
    check("local float t[4][4]; int i = get_local_id(0); t[i][0] = a[i]; c[i] = t[i][1] + t[i][1];",
          CLOPT_PROFILE_LOCAL, 2);
    check("local float t[16]; int i = get_local_id(0); *(local float4 *)&t[i] = vload4(0, &a[i]); "
          "c[i] = vload2(0, &t[4]).x; vstore2((float2)(1, 2), 0, &t[8]);",
          CLOPT_PROFILE_LOCAL_ELEMENTS, 4 + 2 + 2);
    check("int i = get_global_id(0); float4 x = vload4(0, &a[i]); vstore4(x * 2, 0, &c[i]);",
          CLOPT_PROFILE_FLOATS, 4);
    check("int i = get_global_id(0); float4 x = vload4(0, &a[i]); vstore4(x * 2, 0, &c[i]);",
          CLOPT_PROFILE_FLOAT_INSTRUCTIONS, 1);
}

static const char product[] = "int x = get_global_id(0), y = get_global_id(1); float sum = 0; for "
                              "(int k = 0; k < n; k++) sum "
                              "+= a[y * n + k] * b[k * n + x]; c[y * n + x] = sum;";
static const char rows[] =
    "int x = get_global_id(0), y = 2 * get_global_id(1), y1 = y + 1; float sum = 0, sum1 = 0; for "
    "(int k = 0; k < n; k++) { sum += a[y * n + k] * b[k * n + x]; sum1 += a[y1 * n + k] * b[k * n "
    "+ x]; } c[y * n + x] = sum; c[y1 * n + x] = sum1;";
static const char vectors[] =
    "int x = 8 * get_global_id(0), y = get_global_id(1); float8 sum = 0; for (int k = 0; k < n; "
    "k++) sum += a[y * n + k] * vload8(0, &b[k * n + x]); vstore8(sum, 0, &c[y * n + x]);";

/* Counts the speed-up of a variant of the product of matrices. */
static double count_speedup(const char *type, const char *variant, struct clopt_ndrange ndrange)
{
    struct clopt_advice_subject subject = {
        .profile = find_profile(product, CLOPT_RANGE2(1024, 1024, 16, 16)),
        .device = {.compute_units = 4}};
    struct clopt_profile profile = find_profile(variant, ndrange);
    snprintf(subject.device.type, sizeof subject.device.type, "%s", type);
    return exp2(clopt_count_gain(&subject, &profile));
}

static void what_is_counted_tells_what_costs_less(void **state)
{
    (void)state;
    assert_float_equal(count_speedup("gpu", product, CLOPT_RANGE2(1024, 1024, 16, 16)), 1, 1e-9);
    /* what two rows read once; vectors of a processor, which a lane of a GPU does not have */
    double two_rows = count_speedup("gpu", rows, CLOPT_RANGE2(1024, 512, 16, 8));
    assert_true(two_rows > 1.2 && two_rows < 2);
    assert_true(count_speedup("cpu", vectors, CLOPT_RANGE2(128, 1024, 2, 16)) > 5);
    assert_true(count_speedup("gpu", vectors, CLOPT_RANGE2(128, 1024, 2, 16)) < 2);
    /* groups that leave lanes idle, and too few work-items for the device */
    assert_true(count_speedup("gpu", rows, CLOPT_RANGE2(1024, 512, 4, 2)) < two_rows / 3);
    assert_true(count_speedup("gpu", product, CLOPT_RANGE2(16, 16, 16, 16)) < 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loops_of_unknown_length_are_as_long_however_they_are_written),
        cmocka_unit_test(what_is_rare_does_not_count),
        cmocka_unit_test(what_is_read_twice_counts_once),
        cmocka_unit_test(what_is_counted_tells_what_costs_less),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
