/* SPDX-License-Identifier: BSD-3-Clause */
/* The best contenders of each kernel of a group. */
#include "supervisor/finalists.h"

#include <stdlib.h>
#include <string.h>

#include "supervisor/standing.h"

/* So many sweeps compare the finalists that may win. */
#define RACES 2

/* Takes a finalist off its place; without any it is not needed any more. */
static void unseat(struct clopt_contender *finalist, size_t kernel)
{
    if (!finalist)
        return;
    finalist->places &= ~((uint64_t)1 << kernel);
    if (!finalist->places && finalist->phase == CLOPT_PHASE_OVER)
        clopt_contender_destroy(finalist);
}

/* Puts a contender at its place among a kernel's finalists. */
static void rank(struct clopt_group *group, struct clopt_contender *contender, size_t kernel)
{
    struct clopt_contender **finalists = &group->finalists[kernel * CLOPT_FINALISTS];
    size_t place = CLOPT_FINALISTS;
    while (place > 0 &&
           (!finalists[place - 1] ||
            clopt_standing_ratio(group, contender, finalists[place - 1], kernel).median < 1))
        place--;
    if (place == CLOPT_FINALISTS)
        return;
    contender->places |= (uint64_t)1 << kernel;
    unseat(finalists[CLOPT_FINALISTS - 1], kernel);
    memmove(finalists + place + 1, finalists + place,
            (CLOPT_FINALISTS - 1 - place) * sizeof *finalists);
    finalists[place] = contender;
}

void clopt_finalists_rank(struct clopt_group *group, struct clopt_contender *contender)
{
    for (size_t k = 0; k < group->kernel_count; k++)
        if (contender->kernels >> k & 1) {
            clopt_standing_keep_spread(group, contender, k);
            rank(group, contender, k);
        }
}

void clopt_finalists_fini(struct clopt_group *group)
{
    for (size_t i = 0; i < group->racer_count; i++) /* where a race was interrupted */
        group->racers[i]->phase = CLOPT_PHASE_OVER;
    for (size_t f = 0; group->finalists && f < group->kernel_count * CLOPT_FINALISTS; f++)
        unseat(group->finalists[f], f / CLOPT_FINALISTS);
    free(group->finalists);
    free(group->racers);
}

/* ---- races ---- */

/* Whether a finalist was seen before, at another kernel. */
static bool is_racer(const struct clopt_group *group, const struct clopt_contender *contender)
{
    for (size_t i = 0; i < group->racer_count; i++)
        if (group->racers[i] == contender)
            return true;
    return false;
}

void clopt_finalists_end_race(struct clopt_group *group)
{
    for (size_t i = 0; i < group->racer_count; i++)
        group->racers[i]->phase = CLOPT_PHASE_OVER;
    group->racer_count = 0;
    clopt_standing_find_leaders(group);
}

/* In how many processes both were sampled. */
static size_t count_common(const struct clopt_contender *one, const struct clopt_contender *other)
{
    size_t common = 0;
    for (size_t i = 0; i < one->count; i++) {
        bool seen = i > 0 && one->process[i] == one->process[i - 1];
        for (size_t k = 0; !seen && k < other->count; k++)
            if (other->process[k] == one->process[i]) {
                common++;
                break;
            }
    }
    return common;
}

/* Whether a racer has not met all others in as many processes as the study asks for. */
static bool has_to_race(const struct clopt_group *group, const struct clopt_contender *racer)
{
    for (size_t i = 0; i < group->racer_count; i++)
        if (count_common(racer, group->racers[i]) < group->run->study->measure.processes)
            return racer->races < RACES;
    return false;
}

size_t clopt_finalists_race(struct clopt_group *group)
{
    bool needed = false;
    for (size_t f = 0; f < group->kernel_count * CLOPT_FINALISTS; f++) {
        struct clopt_contender *finalist = group->finalists[f];
        if (finalist && !is_racer(group, finalist) && clopt_standing_may_win(group, finalist))
            group->racers[group->racer_count++] = finalist;
    }
    for (size_t i = 0; i < group->racer_count; i++)
        needed |= has_to_race(group, group->racers[i]);
    if (!needed)
        group->racer_count = 0;
    for (size_t i = 0; i < group->racer_count; i++) {
        group->racers[i]->phase = CLOPT_PHASE_MEASURE;
        group->racers[i]->races++;
    }
    return group->racer_count;
}

struct clopt_contender *clopt_finalists_to_recheck(struct clopt_group *group, unsigned problem)
{
    unsigned bit = 1u << problem;
    for (size_t f = 0; f < group->kernel_count * CLOPT_FINALISTS; f++) {
        struct clopt_contender *finalist = group->finalists[f];
        if (!finalist ||
            ((finalist->rechecked | finalist->rechecking | group->bad_problems) & bit) ||
            !clopt_standing_may_win(group, finalist))
            continue;
        return group->initial.rechecked & bit ? finalist : &group->initial;
    }
    return NULL;
}
