/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the variants of a kernel that promise most: what gained on kernels like it, and is feasible
 * here. */
#include <math.h>

#include "analysis/profile.h"

#include "commands/advise/advice.h"
#include "shared/variant_parse.h"

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
    json_t *programs; /* fingerprints of those that are there */
};

enum clopt_status clopt_advice_describe_trial(const struct clopt_advice_request *request,
                                              struct clopt_advice_subject *subject,
                                              struct clopt_error *error)
{
    const struct clopt_advice *advice = request->advice;
    const struct clopt_device_info *device = request->device;
    CLOPT_OWNED(clopt_variant) variant = {0};
    *subject = (struct clopt_advice_subject){
        .device = {.compute_units = device->compute_units, .peaks = clopt_peaks_from_json(NULL)}};
    snprintf(subject->device.type, sizeof subject->device.type, "%s", device->type);
    for (size_t i = 0; i < advice->count; i++)
        if (strcmp(advice->records[i].device_name, device->name) == 0)
            subject->device.peaks = advice->records[i].device.peaks;
    CLOPT_TRY(clopt_variant_make(request->trial, request->source, device, &variant, error));
    return clopt_variant_profile(request->trial, &variant, request->source->path,
                                 request->trial->kernel, &subject->profile, error);
}

/* ---- what was tried elsewhere ---- */

/* Finds a composition, or adds it. */
static struct composition *find_composition(struct finding *finding, const char *name)
{
    const json_t *number = json_object_get(finding->numbers, name);
    if (number)
        return &finding->items[json_integer_value(number)];
    clopt_array_grow(&finding->items, finding->count, sizeof *finding->items);
    json_object_set_new(finding->numbers, name, json_integer((json_int_t)finding->count));
    finding->items[finding->count] = (struct composition){name, 0, 1};
    return &finding->items[finding->count++];
}

static void collect(struct finding *finding, const struct clopt_training_record *record)
{
    const struct clopt_advice_request *request = finding->request;
    const struct clopt_advice_subject subject = clopt_advice_subject_of(record);
    double weight =
        exp(-clopt_advice_distance(request->advice, &subject.profile, &request->subject->profile));
    if (strcmp(record->device.type, request->subject->device.type) != 0)
        return;
    for (size_t i = 0; i < record->count; i++) {
        if (i == record->initial)
            continue;
        struct composition *item = find_composition(finding, record->variants[i].name);
        item->gains += weight * record->variants[i].gain;
        item->weights += weight;
    }
}

static int compare_compositions(const void *a, const void *b)
{
    const struct composition *one = a, *other = b;
    double left = one->gains / one->weights, right = other->gains / other->weights;
    return left == right ? strcmp(one->name, other->name) : left < right ? 1 : -1;
}

/* ---- what is feasible here ---- */

/* Makes a proposal of a variant, whose name it then has, unless it is a program that is there
 * already. What cannot be analyzed is not judged. */
static void judge(struct finding *finding, const struct clopt_variant *variant, const char *name,
                  struct clopt_proposal *proposal)
{
    const struct clopt_advice_request *request = finding->request;
    struct clopt_profile profile;
    struct clopt_error reason = {0};
    if (json_object_get(finding->programs, variant->fingerprint) ||
        clopt_variant_profile(&proposal->trial, variant, request->source->path,
                              request->trial->kernel, &profile, &reason))
        return;
    proposal->expected = clopt_advice_expect(request->model, request->subject, &profile);
    proposal->name = clopt_strdup(name);
    json_object_set_new(finding->programs, variant->fingerprint, json_true());
}

/* Rewrites a variant, where it can be. */
static void try_composition(struct finding *finding, const char *name,
                            struct clopt_proposal *proposal)
{
    const struct clopt_advice_request *request = finding->request;
    CLOPT_OWNED(clopt_variant) variant = {0};
    struct clopt_error reason = {0};
    proposal->name = NULL;
    clopt_trial_copy(request->trial, &proposal->trial);
    if (!clopt_trial_parse_name(&proposal->trial, name, request->registry, &reason) &&
        !clopt_variant_make(&proposal->trial, request->source, request->device, &variant, &reason))
        judge(finding, &variant, name, proposal);
    if (!proposal->name)
        clopt_trial_fini(&proposal->trial);
}

static int compare_proposals(const void *a, const void *b)
{
    const struct clopt_proposal *one = a, *other = b;
    return clopt_expected_compare(&one->expected, &other->expected);
}

static void add_candidate(struct finding *finding, const char *name,
                          struct clopt_proposals *proposals)
{
    struct clopt_proposal *proposal = &proposals->items[proposals->count];
    try_composition(finding, name, proposal);
    proposals->count += proposal->name != NULL;
    proposals->infeasible += !proposal->name;
}

/* Rewrites the compositions from the most promising on, and the study's own variants; keeps the
 * best. */
static void choose(struct finding *finding, struct clopt_proposals *proposals)
{
    const struct clopt_advice_request *request = finding->request;
    size_t most = request->most, wanted = most * PER_NAMED;
    wanted = wanted > LOOKED_AT ? wanted : LOOKED_AT;
    proposals->items = clopt_calloc(wanted + request->own_count, sizeof *proposals->items);
    for (size_t i = 0; i < finding->count && proposals->count < wanted; i++)
        add_candidate(finding, finding->items[i].name, proposals);
    for (size_t i = 0; i < request->own_count; i++)
        add_candidate(finding, request->own[i], proposals);
    qsort(proposals->items, proposals->count, sizeof *proposals->items, compare_proposals);
    while (proposals->count > most) {
        clopt_trial_fini(&proposals->items[--proposals->count].trial);
        free(proposals->items[proposals->count].name);
    }
}

struct clopt_proposals clopt_advice_find(const struct clopt_advice_request *request)
{
    const struct clopt_advice *advice = request->advice;
    struct finding finding = {
        .request = request, .numbers = json_object(), .programs = json_object()};
    struct clopt_proposals proposals = {0};
    for (size_t i = 0; i < advice->count; i++)
        collect(&finding, &advice->records[i]);
    if (finding.count)
        qsort(finding.items, finding.count, sizeof *finding.items, compare_compositions);
    choose(&finding, &proposals);
    json_decref(finding.programs);
    json_decref(finding.numbers);
    free(finding.items);
    return proposals;
}

void clopt_proposals_fini(struct clopt_proposals *proposals)
{
    for (size_t i = 0; i < proposals->count; i++) {
        clopt_trial_fini(&proposals->items[i].trial);
        free(proposals->items[i].name);
    }
    free(proposals->items);
    *proposals = (struct clopt_proposals){0};
}
