/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the variants of a kernel that promise most: what gained on kernels like it, and is feasible
 * here. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/parts.h"

#define LOOKED_AT 60 /* compositions that are rewritten, and more where many are wanted: */
#define PER_NAMED 6

/* A composition of steps, and what it gained elsewhere. */
struct composition {
    const char *name;
    double gains;   /* weighted by how much the kernels resemble */
    double weights; /* of them, and one more without a gain */
};

struct finding {
    const struct clopt_advice_request *request;
    json_t *numbers; /* of all compositions, by name */
    struct composition *items;
    size_t count;
    size_t capacity;
    json_t *programs; /* fingerprints of those that are there */
};

enum clopt_status clopt_advice_describe_trial(const struct clopt_advice *advice,
                                              const struct clopt_trial *trial,
                                              const struct clopt_app_source *source,
                                              const struct clopt_device_info *device,
                                              struct clopt_advice_subject *subject,
                                              struct clopt_error *error)
{
    struct clopt_variant variant;
    *subject = (struct clopt_advice_subject){
        .device = {.compute_units = device->compute_units, .peaks = clopt_peaks_unknown()}};
    snprintf(subject->device.type, sizeof subject->device.type, "%s", device->type);
    for (size_t i = 0; i < advice->count; i++)
        if (strcmp(advice->lessons[i].device_name, device->name) == 0)
            subject->device.peaks = advice->lessons[i].device.peaks;
    enum clopt_status status = clopt_variant_make(trial, source, device, &variant, error);
    if (status)
        return status;
    status = clopt_variant_profile(trial, &variant, source->path, trial->kernel, &subject->profile,
                                   error);
    clopt_variant_fini(&variant);
    return status;
}

/* ---- what was tried elsewhere ---- */

/* Finds a composition, or adds it; NULL when memory runs out. */
static struct composition *find_composition(struct finding *finding, const char *name)
{
    const json_t *number = json_object_get(finding->numbers, name);
    if (number)
        return &finding->items[json_integer_value(number)];
    if (finding->count == finding->capacity) {
        size_t capacity = finding->capacity ? 2 * finding->capacity : 256;
        struct composition *items = realloc(finding->items, capacity * sizeof *items);
        if (!items)
            return NULL;
        finding->items = items;
        finding->capacity = capacity;
    }
    if (json_object_set_new(finding->numbers, name, json_integer((json_int_t)finding->count)) != 0)
        return NULL;
    finding->items[finding->count] = (struct composition){name, 0, 1};
    return &finding->items[finding->count++];
}

static enum clopt_status collect(struct finding *finding, const struct clopt_lesson *lesson,
                                 struct clopt_error *error)
{
    const struct clopt_advice_request *request = finding->request;
    const struct clopt_advice_subject subject = clopt_advice_subject_of(lesson);
    double weight =
        exp(-clopt_advice_distance(request->advice, &subject.profile, &request->subject->profile));
    if (strcmp(lesson->device.type, request->subject->device.type) != 0)
        return CLOPT_OK;
    for (size_t i = 0; i < lesson->count; i++) {
        if (i == lesson->initial)
            continue;
        struct composition *item = find_composition(finding, lesson->variants[i].name);
        if (!item)
            return clopt_fail_memory(error);
        item->gains += weight * lesson->variants[i].gain;
        item->weights += weight;
    }
    return CLOPT_OK;
}

static int compare_compositions(const void *a, const void *b)
{
    const struct composition *one = a, *other = b;
    double left = one->gains / one->weights, right = other->gains / other->weights;
    return left == right ? strcmp(one->name, other->name) : left < right ? 1 : -1;
}

/* ---- what is feasible here ---- */

/* Makes a candidate of a variant, whose name it then has; `*good` where it is no program that is
 * there already. What cannot be analyzed is not judged. */
static enum clopt_status judge(struct finding *finding, const struct clopt_variant *variant,
                               const char *name, struct clopt_candidate *candidate, bool *good,
                               struct clopt_error *error)
{
    const struct clopt_advice_request *request = finding->request;
    struct clopt_profile profile;
    struct clopt_error reason = {0};
    if (json_object_get(finding->programs, variant->fingerprint) ||
        clopt_variant_profile(&candidate->trial, variant, request->source->path,
                              request->trial->kernel, &profile, &reason))
        return CLOPT_OK;
    candidate->expected = clopt_advice_expect(request->model, request->subject, &profile);
    candidate->name = strdup(name);
    *good = candidate->name &&
            json_object_set_new(finding->programs, variant->fingerprint, json_true()) == 0;
    if (*good)
        return CLOPT_OK;
    free(candidate->name);
    return clopt_fail_memory(error);
}

/* Rewrites a variant, where it can be. */
static enum clopt_status try_composition(struct finding *finding, const char *name,
                                         struct clopt_candidate *candidate, bool *good,
                                         struct clopt_error *error)
{
    const struct clopt_advice_request *request = finding->request;
    struct clopt_variant variant = {0};
    struct clopt_error reason = {0};
    *good = false;
    enum clopt_status status = clopt_trial_copy(request->trial, &candidate->trial, error);
    if (status)
        return status;
    bool made =
        !clopt_trial_parse_name(&candidate->trial, name, request->registry, &reason) &&
        !clopt_variant_make(&candidate->trial, request->source, request->device, &variant, &reason);
    if (made)
        status = judge(finding, &variant, name, candidate, good, error);
    clopt_variant_fini(&variant);
    if (!*good)
        clopt_trial_fini(&candidate->trial);
    return status;
}

static int compare_candidates(const void *a, const void *b)
{
    const struct clopt_candidate *one = a, *other = b;
    return clopt_expected_compare(&one->expected, &other->expected);
}

static enum clopt_status add_candidate(struct finding *finding, const char *name,
                                       struct clopt_candidates *candidates,
                                       struct clopt_error *error)
{
    bool good;
    enum clopt_status status =
        try_composition(finding, name, &candidates->items[candidates->count], &good, error);
    candidates->count += good;
    candidates->infeasible += !good;
    return status;
}

/* Rewrites the compositions from the most promising on, and the study's own variants; keeps the
 * best. */
static enum clopt_status choose(struct finding *finding, struct clopt_candidates *candidates,
                                struct clopt_error *error)
{
    const struct clopt_advice_request *request = finding->request;
    size_t most = request->most, wanted = most * PER_NAMED;
    enum clopt_status status = CLOPT_OK;
    wanted = wanted > LOOKED_AT ? wanted : LOOKED_AT;
    candidates->items = calloc(wanted + request->own_count, sizeof *candidates->items);
    if (!candidates->items)
        return clopt_fail_memory(error);
    for (size_t i = 0; i < finding->count && candidates->count < wanted && !status; i++)
        status = add_candidate(finding, finding->items[i].name, candidates, error);
    for (size_t i = 0; i < request->own_count && !status; i++)
        status = add_candidate(finding, request->own[i], candidates, error);
    qsort(candidates->items, candidates->count, sizeof *candidates->items, compare_candidates);
    while (candidates->count > most) {
        clopt_trial_fini(&candidates->items[--candidates->count].trial);
        free(candidates->items[candidates->count].name);
    }
    return status;
}

enum clopt_status clopt_advice_find(const struct clopt_advice_request *request,
                                    struct clopt_candidates *candidates, struct clopt_error *error)
{
    const struct clopt_advice *advice = request->advice;
    struct finding finding = {
        .request = request, .numbers = json_object(), .programs = json_object()};
    *candidates = (struct clopt_candidates){0};
    enum clopt_status status =
        finding.numbers && finding.programs ? CLOPT_OK : clopt_fail_memory(error);
    for (size_t i = 0; i < advice->count && !status; i++)
        status = collect(&finding, &advice->lessons[i], error);
    if (!status && finding.count)
        qsort(finding.items, finding.count, sizeof *finding.items, compare_compositions);
    if (!status)
        status = choose(&finding, candidates, error);
    json_decref(finding.programs);
    json_decref(finding.numbers);
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
