/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the variants of a kernel that promise most: what was tried elsewhere, and is feasible here.
 */
#include <stdlib.h>
#include <string.h>

#include "advice/parts.h"
#include "analysis/profile.h"
#include "base/text.h"
#include "base/variant_name.h"

#define MOST_REWRITTEN 10 /* variants that are rewritten for one that is named */

/* A composition of steps, and what is expected of it. */
struct composition {
    const char *name;
    struct clopt_expected expected;
};

struct finding {
    const struct clopt_advice_subject *subject;
    const struct clopt_trial *trial;
    json_t *names; /* an object with the names of all compositions */
    struct composition *items;
    size_t count;
    json_t *programs; /* fingerprints of those that were named */
};

enum clopt_status clopt_advice_describe_trial(const struct clopt_advice *advice,
                                              const struct clopt_trial *trial,
                                              const struct clopt_app_source *source,
                                              const struct clopt_device_info *device,
                                              struct clopt_advice_subject *subject,
                                              struct clopt_error *error)
{
    struct clopt_variant variant;
    struct clopt_source *tree = NULL;
    struct clopt_kernel_work work;
    *subject = (struct clopt_advice_subject){
        .device = {.compute_units = device->compute_units, .peaks = clopt_peaks_unknown()}};
    snprintf(subject->device.type, sizeof subject->device.type, "%s", device->type);
    for (size_t i = 0; i < advice->count; i++)
        if (strcmp(advice->lessons[i].device_name, device->name) == 0)
            subject->device.peaks = advice->lessons[i].device.peaks;
    enum clopt_status status = clopt_variant_make(trial, source, device, &variant, error);
    if (status)
        return status;
    status = clopt_trial_describe(trial, variant.knobs, trial->kernel, &work, error);
    if (!status)
        status = clopt_source_create(source->path, variant.source, NULL, variant.options,
                                     trial->kernel->name, &tree, error);
    if (!status)
        status = clopt_profile_find(tree, &work.ndrange, &subject->profile, error);
    clopt_source_destroy(tree);
    clopt_variant_fini(&variant);
    return status;
}

/* ---- what was tried elsewhere ---- */

/* Whether a value means the same for any kernel of so many dimensions. */
static bool is_general(const struct finding *finding, const struct clopt_name_value *value)
{
    double dimensions = finding->subject->profile.values[CLOPT_PROFILE_DIMENSIONS];
    if (!value->optimization.length || clopt_piece_is(value->name, "block_size") ||
        clopt_piece_is(value->name, "padding") || clopt_piece_is(value->name, "transposed"))
        return false; /* macros and knobs are the app's */
    if (clopt_piece_is(value->name, "loops"))
        return !strpbrk(value->value.text, "0123456789") ||
               strcspn(value->value.text, "0123456789") >= value->value.length;
    if (clopt_piece_is(value->name, "stage") || clopt_piece_is(value->name, "constant"))
        return clopt_piece_is(value->value, "all");
    if (clopt_piece_is(value->name, "dimension"))
        return strtod(value->value.text, NULL) < dimensions;
    if (clopt_piece_is(value->name, "local_size")) {
        unsigned count = 1;
        for (size_t i = 0; i < value->value.length; i++)
            count += value->value.text[i] == 'x';
        return finding->trial->kernel->any_local_size && count == dimensions;
    }
    return true;
}

static enum clopt_status collect(struct finding *finding, const struct clopt_lesson *lesson,
                                 struct clopt_error *error)
{
    for (size_t i = 0; i < lesson->count; i++) {
        struct clopt_name_value value = clopt_name_begin(lesson->variants[i].name);
        bool general = true;
        size_t values = 0;
        for (; general && clopt_name_next(&value); values++)
            general = is_general(finding, &value);
        if (general && values &&
            json_object_set_new(finding->names, lesson->variants[i].name, json_true()) != 0)
            return clopt_fail_memory(error);
    }
    return CLOPT_OK;
}

static int compare_compositions(const void *a, const void *b)
{
    const struct composition *one = a, *other = b;
    double left = one->expected.speedup, right = other->expected.speedup;
    return left == right ? strcmp(one->name, other->name) : left < right ? 1 : -1;
}

/* Collects all compositions, those of which most is expected first. */
static enum clopt_status rank(struct finding *finding, const struct clopt_advice *advice,
                              const struct clopt_advice_model *model, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    const char *name;
    json_t *value;
    for (size_t i = 0; i < advice->count && !status; i++)
        if (strcmp(advice->lessons[i].device.type, finding->subject->device.type) == 0)
            status = collect(finding, &advice->lessons[i], error);
    finding->items = calloc(json_object_size(finding->names) + 1, sizeof *finding->items);
    if (!finding->items && !status)
        status = clopt_fail_memory(error);
    if (status)
        return status;
    json_object_foreach(finding->names, name, value) finding->items[finding->count++] =
        (struct composition){name, clopt_advice_expect(model, finding->subject, name)};
    qsort(finding->items, finding->count, sizeof *finding->items, compare_compositions);
    return CLOPT_OK;
}

/* ---- what is feasible here ---- */

/* Rewrites a variant; `*good` where it can be, and is no program that was named before. */
static enum clopt_status try_composition(struct finding *finding,
                                         const struct clopt_app_source *source,
                                         const struct clopt_registry *registry,
                                         const struct clopt_device_info *device,
                                         const struct composition *composition,
                                         struct clopt_trial *trial, bool *good,
                                         struct clopt_error *error)
{
    struct clopt_variant variant = {0};
    struct clopt_error reason = {0};
    *good = false;
    enum clopt_status status = clopt_trial_copy(finding->trial, trial, error);
    if (status)
        return status;
    status = clopt_trial_parse_name(trial, composition->name, registry, &reason);
    if (!status)
        status = clopt_variant_make(trial, source, device, &variant, &reason);
    if (!status && !json_object_get(finding->programs, variant.fingerprint)) {
        json_object_set_new(finding->programs, variant.fingerprint, json_true());
        *good = true;
    }
    clopt_variant_fini(&variant);
    if (!*good)
        clopt_trial_fini(trial);
    return CLOPT_OK;
}

static enum clopt_status choose(struct finding *finding, const struct clopt_app_source *source,
                                const struct clopt_registry *registry,
                                const struct clopt_device_info *device, size_t most,
                                struct clopt_candidates *candidates, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    candidates->considered = finding->count;
    candidates->items = calloc(most, sizeof *candidates->items);
    if (!candidates->items)
        return clopt_fail_memory(error);
    for (size_t i = 0;
         i < finding->count && i < most * MOST_REWRITTEN && !status && candidates->count < most;
         i++) {
        const struct composition *composition = &finding->items[i];
        struct clopt_candidate *next = &candidates->items[candidates->count];
        bool good;
        status = try_composition(finding, source, registry, device, composition, &next->trial,
                                 &good, error);
        candidates->infeasible += !good;
        if (status || !good)
            continue;
        candidates->count++;
        next->name = strdup(composition->name);
        next->expected = composition->expected;
        if (!next->name)
            status = clopt_fail_memory(error);
    }
    return status;
}

enum clopt_status clopt_advice_find(const struct clopt_advice *advice,
                                    const struct clopt_advice_model *model,
                                    const struct clopt_advice_subject *subject,
                                    const struct clopt_trial *trial,
                                    const struct clopt_app_source *source,
                                    const struct clopt_registry *registry,
                                    const struct clopt_device_info *device, size_t most,
                                    struct clopt_candidates *candidates, struct clopt_error *error)
{
    struct finding finding = {
        .subject = subject, .trial = trial, .names = json_object(), .programs = json_object()};
    *candidates = (struct clopt_candidates){0};
    enum clopt_status status = finding.names && finding.programs
                                   ? rank(&finding, advice, model, error)
                                   : clopt_fail_memory(error);
    if (!status)
        status = choose(&finding, source, registry, device, most, candidates, error);
    json_decref(finding.programs);
    json_decref(finding.names);
    free(finding.items);
    if (status)
        clopt_candidates_fini(candidates);
    return status;
}

void clopt_candidates_fini(struct clopt_candidates *candidates)
{
    for (size_t i = 0; i < candidates->count; i++) {
        clopt_trial_fini(&candidates->items[i].trial);
        free(candidates->items[i].name);
    }
    free(candidates->items);
    *candidates = (struct clopt_candidates){0};
}
