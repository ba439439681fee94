/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses samples of variants: by rejection, so that a space of any size can be sampled. */
#include "space/space.h"

#include "trial/variant.h"

/* How many variants are looked at for one sample, at most. */
#define MOST_DRAWN(wanted) (100000 + 10 * (wanted))

/* Numbers of all samples together, at most: a number takes eight bytes. */
#define MOST_CHOSEN UINT64_C(10000000)

uint64_t clopt_study_count_infeasible(const struct clopt_study *study, size_t group)
{
    uint64_t infeasible = 0;
    size_t kernels = study->apps[clopt_space_group(study, group).app].kernel_count;
    for (size_t k = 0; study->samples && k < kernels; k++)
        infeasible += clopt_study_sample(study, group, k)->infeasible;
    return infeasible;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t *first = a, *second = b;
    return (*first > *second) - (*first < *second);
}

/* Whether variant number `number` can work on a device. */
static enum clopt_status check_variant(const struct clopt_subspace *space, uint64_t number,
                                       const struct clopt_device_info *device, bool *feasible,
                                       struct clopt_error *error)
{
    CLOPT_OWNED(clopt_trial) trial = {0};
    struct clopt_error reason = {0};
    CLOPT_TRY(clopt_space_variant(space, number, &trial, error));
    enum clopt_status status = clopt_variant_check(&trial, device, &reason);
    *feasible = status == CLOPT_OK;
    if (status && status != CLOPT_INFEASIBLE)
        *error = reason;
    return status == CLOPT_INFEASIBLE ? CLOPT_OK : status;
}

static enum clopt_status draw(const struct clopt_subspace *space,
                              const struct clopt_device_info *device, struct clopt_sample *sample,
                              struct clopt_error *error)
{
    const struct clopt_study *study = space->study;
    uint64_t all = clopt_space_variant_count(space);
    uint64_t wanted = study->sample < all ? study->sample : all;
    uint64_t most = MOST_DRAWN(wanted) < all ? MOST_DRAWN(wanted) : all;
    struct clopt_permutation order = clopt_permutation_make(all, study->seed + space->number);
    sample->variants = clopt_calloc(wanted + 1, sizeof *sample->variants);
    for (uint64_t i = 0; i < most && sample->count < wanted; i++) {
        bool feasible = false;
        uint64_t number = clopt_permutation_at(&order, i);
        CLOPT_TRY(check_variant(space, number, device, &feasible, error));
        sample->infeasible += !feasible;
        if (feasible)
            sample->variants[sample->count++] = number;
    }
    qsort(sample->variants, sample->count, sizeof *sample->variants, compare_numbers);
    return CLOPT_OK;
}

/* Names the first kernel that has fewer feasible variants than were wanted. */
static void tell_small(const struct clopt_study *study, FILE *notices)
{
    for (size_t g = 0; g < clopt_space_group_count(study); g++) {
        struct clopt_space_group where = clopt_space_group(study, g);
        const struct clopt_study_app *app = &study->apps[where.app];
        for (size_t k = 0; k < app->kernel_count; k++) {
            const struct clopt_sample *sample = clopt_study_sample(study, g, k);
            if (!sample->infeasible || sample->count >= study->sample)
                continue;
            CLOPT_FREED char *problem =
                clopt_inputs_label(app->entry, app->problems[where.problem]);
            clopt_text_print(
                notices,
                "clopt: [combine] sample = %" PRIu64 ": of %" PRIu64 " variants of %s with %s "
                "on %s that were drawn, %" PRIu64 " are feasible\n",
                study->sample, sample->count + sample->infeasible, app->kernels[k]->name, problem,
                study->devices[where.device].label, sample->count);
            return;
        }
    }
}

enum clopt_status clopt_study_draw_samples(struct clopt_study *study,
                                           const struct clopt_device_info *devices, FILE *notices,
                                           struct clopt_error *error)
{
    clopt_study_forget_samples(study);
    if (!study->sample)
        return CLOPT_OK;
    size_t groups = clopt_space_group_count(study), kernels = 0;
    uint64_t chosen = 0;
    for (size_t i = 0; i < study->app_count; i++)
        kernels = study->apps[i].kernel_count > kernels ? study->apps[i].kernel_count : kernels;
    for (size_t g = 0; g < groups; g++)
        chosen += clopt_space_count(study, g);
    if (chosen > MOST_CHOSEN)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [combine] sample = %" PRIu64 " chooses more than %" PRIu64
                          " variants, of all kernels with all problems on all devices",
                          study->path, study->sample, MOST_CHOSEN);
    study->sample_count = groups * kernels;
    study->samples_per_group = kernels;
    study->samples = clopt_calloc(study->sample_count, sizeof *study->samples);
    for (size_t g = 0; g < groups; g++) {
        struct clopt_space_group where = clopt_space_group(study, g);
        for (size_t k = 0; k < study->apps[where.app].kernel_count; k++) {
            struct clopt_subspace space = clopt_subspace(study, g, k);
            CLOPT_TRY(
                draw(&space, &devices[where.device], &study->samples[g * kernels + k], error));
        }
    }
    tell_small(study, notices);
    return CLOPT_OK;
}
