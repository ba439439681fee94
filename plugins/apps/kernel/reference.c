/* SPDX-License-Identifier: BSD-3-Clause */
/* [reference]: what computes the results that variants are compared with. */
#include "reference.h"

/* The section with what it takes over from [app ...]. */
struct merged {
    struct clopt_section section;
    struct clopt_setting settings[8];
};

static void take(struct merged *merged, const struct clopt_section *from, const char *key)
{
    const struct clopt_setting *setting = kernel_setting(from, key);
    if (setting && !kernel_setting(&merged->section, key))
        merged->settings[merged->section.count++] = *setting;
}

static void merge(struct merged *merged, const struct clopt_section *section,
                  const struct clopt_section *whole)
{
    *merged = (struct merged){.section = *section};
    merged->section.settings = merged->settings;
    merged->section.count = 0;
    take(merged, section, "kernel");
    take(merged, section, "arguments");
    take(merged, section, "global");
    take(merged, section, "local");
    take(merged, whole, "global");
    take(merged, whole, "local");
}

/* Reads a command: then nothing else counts. */
static enum clopt_status read_program(const struct clopt_section *section,
                                      const struct clopt_setting *setting,
                                      struct kernel_reference *reference, struct clopt_error *error)
{
    reference->place = kernel_place_of(section, setting);
    reference->program = setting->value;
    for (size_t i = 0; i < section->count; i++) {
        struct kernel_place place = kernel_place_of(section, &section->settings[i]);
        if (&section->settings[i] != setting)
            return kernel_fail(&place, error, "a program is the reference: nothing else is");
    }
    return CLOPT_OK;
}

enum clopt_status kernel_reference_read(const struct clopt_section *section,
                                        const struct clopt_section *whole,
                                        struct kernel_names *names,
                                        struct kernel_argument *arguments, size_t argument_count,
                                        struct kernel_reference *reference,
                                        struct clopt_error *error)
{
    static const char *const keys[] = {"kernel", "source",    "options", "global",
                                       "local",  "arguments", "program", NULL};
    *reference = (struct kernel_reference){0};
    if (!section)
        return CLOPT_OK;
    enum clopt_status status = kernel_check_keys(section, keys, error);
    const struct clopt_setting *program = kernel_setting(section, "program");
    if (status || program)
        return status ? status : read_program(section, program, reference, error);
    struct merged merged;
    merge(&merged, section, whole);
    status = kernel_step_read(&merged.section, true, names, arguments, argument_count,
                              &reference->step, error);
    if (status)
        return status;
    reference->has_step = true;
    reference->kernels[0] = (struct clopt_kernel){
        reference->step.kernel_name, (unsigned)reference->step.global.count, false, false};
    return CLOPT_OK;
}

void kernel_reference_fini(struct kernel_reference *reference)
{
    if (reference->has_step)
        kernel_step_fini(&reference->step);
    reference->has_step = false;
}
