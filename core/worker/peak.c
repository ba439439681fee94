/* SPDX-License-Identifier: BSD-3-Clause */
/* Measures what a device can do at most. */
#include "worker/peak.h"

#include "base/clock.h"
#include "base/text.h"
#include "worker/build.h"
#include "worker/peak_meter.h"

#define BUDGET_NS ((int64_t)2 * 1000 * 1000 * 1000)

/* A width of vectors that OpenCL has: the device's, or of one that has none a small one, by which
 * some GPUs have more to do at a time. */
static unsigned wide(uint32_t native)
{
    unsigned width = 4;
    if (native > 1)
        for (width = 2; width < 16 && 2 * width <= native;)
            width *= 2;
    return width;
}

static void add_type(struct clopt_text *options, const char *name, const char *type, unsigned width)
{
    clopt_text_printf(options, " -D %s=%s%u -D %s_SUM=SUM%u", name, type, width, name, width);
}

static void build(struct clopt_peak_meter *meter, const unsigned *widths)
{
    struct clopt_text options = {0};
    clopt_text_printf(&options, "-D HASH=%uu", CLOPT_PEAK_HASH);
    add_type(&options, "SINGLE", "float", widths[CLOPT_ARITHMETIC_SINGLE]);
    add_type(&options, "INTEGER", "uint", widths[CLOPT_ARITHMETIC_INTEGER]);
    if (meter->context->info.native_vector_width_double)
        add_type(&options, "DOUBLE", "double", widths[CLOPT_ARITHMETIC_DOUBLE]);
    meter->status = options.failed ? clopt_fail_memory(meter->error)
                                   : clopt_build_own(meter->context, "kernels", clopt_peak_source,
                                                     clopt_text_string(&options), &meter->program,
                                                     meter->error);
    clopt_text_fini(&options);
}

enum clopt_status clopt_peaks_measure(const struct clopt_context *context,
                                      struct clopt_peaks *peaks, struct clopt_error *error)
{
    const struct clopt_device_info *info = &context->info;
    const unsigned widths[CLOPT_ARITHMETIC_COUNT] = {
        [CLOPT_ARITHMETIC_SINGLE] = wide(info->native_vector_width_float),
        [CLOPT_ARITHMETIC_DOUBLE] = wide(info->native_vector_width_double),
        [CLOPT_ARITHMETIC_INTEGER] = wide(info->native_vector_width_int),
    };
    struct clopt_peak_meter meter = {.context = context, .error = error};
    *peaks = clopt_peaks_unknown();
    build(&meter, widths);
    if (meter.status)
        return meter.status;
    meter.deadline_ns = clopt_now_ns() + BUDGET_NS;
    clopt_peak_measure_memory(&meter, &peaks->gbytes_per_s);
    for (enum clopt_arithmetic kind = 0; kind < CLOPT_ARITHMETIC_COUNT; kind++)
        if (kind != CLOPT_ARITHMETIC_DOUBLE || info->native_vector_width_double)
            clopt_peak_measure_arithmetic(&meter, kind, widths[kind],
                                          &peaks->goperations_per_s[kind]);
    clReleaseProgram(meter.program);
    return meter.status ? clopt_fail_within(error, "clopt's own kernels") : CLOPT_OK;
}
