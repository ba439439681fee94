/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches the compositions of a study's optimizations for one kernel. */
#include "search/tuner.h"

#include <math.h>

#include "space/composition.h"
#include "trial/variant.h"

#define COMBINED "+" /* between the names of steps: no name begins with another one and this */

struct clopt_tuner {
    struct clopt_subspace variants; /* of the kernel */
    struct clopt_search_space space;
    struct clopt_search *search;
    const struct clopt_device_info *device;
    char **
        refused; /* names of the steps with which infeasible variants begin, each with a COMBINED */
    size_t refused_count;
};

/* ---- what is feasible ---- */

/* Writes the parameters and the first `count` steps of a trial, for the caller to free. */
static char *name_steps(const struct clopt_trial *trial, size_t count)
{
    struct clopt_text text = {0};
    for (size_t i = 0; trial->parameters && i < trial->parameters->count; i++)
        clopt_text_printf(&text, "%s=%s,", trial->parameters->items[i].name,
                          trial->parameters->items[i].text);
    for (size_t i = 0; i < count; i++) {
        CLOPT_FREED char *step = clopt_step_name(trial, &trial->steps[i]);
        clopt_text_printf(&text, "%s" COMBINED, step);
    }
    return clopt_text_take(&text);
}

static bool is_refused(const struct clopt_tuner *tuner, const struct clopt_trial *trial)
{
    CLOPT_FREED char *name = tuner->refused_count ? name_steps(trial, trial->step_count) : NULL;
    bool refused = false;
    for (size_t i = 0; i < tuner->refused_count && !refused; i++)
        refused = strncmp(name, tuner->refused[i], strlen(tuner->refused[i])) == 0;
    return refused;
}

/* Whether a point is a variant that can work, by all that is known without rewriting it. */
static bool is_feasible(const void *user, const size_t *point)
{
    const struct clopt_tuner *tuner = user;
    CLOPT_OWNED(clopt_trial) trial = {0};
    if (clopt_composition_trial(&tuner->variants, point, &trial, NULL))
        return false;
    return !clopt_trial_is_initial(&trial) && !is_refused(tuner, &trial) &&
           clopt_variant_check(&trial, tuner->device, NULL) == CLOPT_OK;
}

static void normalize(const void *user, size_t *point)
{
    const struct clopt_tuner *tuner = user;
    clopt_composition_normalize(tuner->variants.composition, point);
}

static void draw(const void *user, struct clopt_random *random, size_t *point)
{
    const struct clopt_tuner *tuner = user;
    clopt_composition_draw(tuner->variants.composition, random, point);
}

/* ---- what is tried first ---- */

/* Suggests a start; one that the study itself names has to be among what it searches. */
static enum clopt_status suggest_start(struct clopt_tuner *tuner, const struct clopt_start *start,
                                       size_t *point, struct clopt_error *error)
{
    const char *type = tuner->device ? tuner->device->type : "";
    if ((start->device_type && strcmp(start->device_type, type) != 0) ||
        (start->kernel && strcmp(start->kernel, tuner->variants.kernel->name) != 0))
        return CLOPT_OK;
    bool found = clopt_composition_find(&tuner->variants, start->variant, point);
    if (found)
        clopt_search_suggest(tuner->search, point);
    return found || start->device_type
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID,
                            "[search] first: %s: not among what the study searches; write it as "
                            "--dry-run names variants, with values that its sections "
                            "[optimization] have",
                            start->variant);
}

/* Suggests each program that somebody wrote by hand, as it is. */
static void suggest_alternatives(struct clopt_tuner *tuner, size_t *point)
{
    const struct clopt_composition *composition = tuner->variants.composition;
    for (size_t i = 0; i < composition->count; i++) {
        if (composition->dimensions[i].slot != CLOPT_STUDY_PARAMETER ||
            strcmp(composition->dimensions[i].name, CLOPT_ALTERNATIVE) != 0)
            continue;
        clopt_composition_reset(composition, CLOPT_NO_POSITION, point);
        for (point[i] = 0; point[i] < composition->domains[i].count; point[i]++)
            clopt_search_suggest(tuner->search, point);
    }
}

/* Suggests what others wrote, the starts, and each change alone. */
static enum clopt_status suggest(struct clopt_tuner *tuner, struct clopt_error *error)
{
    const struct clopt_search_plan *plan = &tuner->variants.study->search;
    CLOPT_FREED size_t *point = clopt_calloc(tuner->variants.composition->count + 1, sizeof *point);
    suggest_alternatives(tuner, point);
    for (size_t i = 0; i < plan->start_count; i++)
        CLOPT_TRY(suggest_start(tuner, &plan->starts[i], point, error));
    for (size_t i = 0; i < tuner->variants.composition->count && plan->start_count; i++)
        if (clopt_composition_alone(tuner->variants.composition, i, point))
            clopt_search_suggest(tuner->search, point);
    return CLOPT_OK;
}

/* ---- the search ---- */

enum clopt_status clopt_tuner_create(const struct clopt_study *study, size_t group, size_t kernel,
                                     const struct clopt_device_info *device,
                                     struct clopt_tuner **tuner, struct clopt_error *error)
{
    struct clopt_tuner *made = clopt_calloc(1, sizeof *made);
    *tuner = made;
    made->device = device;
    made->variants = clopt_subspace(study, group, kernel);
    made->space = (struct clopt_search_space){.domains = made->variants.composition->domains,
                                              .count = made->variants.composition->count,
                                              .size = UINT64_MAX,
                                              .is_feasible = is_feasible,
                                              .normalize = normalize,
                                              .draw = draw,
                                              .user = made};
    made->search =
        clopt_search_create(study->search.chosen, &made->space, study->search.seed + kernel);
    return suggest(made, error);
}

void clopt_tuner_destroy(struct clopt_tuner *tuner)
{
    if (!tuner)
        return;
    clopt_search_destroy(tuner->search);
    for (size_t i = 0; i < tuner->refused_count; i++)
        free(tuner->refused[i]);
    free(tuner->refused);
    free(tuner);
}

enum clopt_status clopt_tuner_trial(const struct clopt_tuner *tuner, size_t number,
                                    struct clopt_trial *trial, uint64_t *ordinal,
                                    struct clopt_error *error)
{
    const size_t *point = clopt_search_point(tuner->search, number);
    *ordinal = clopt_composition_number(tuner->variants.composition, point);
    return clopt_composition_trial(&tuner->variants, point, trial, error);
}

enum clopt_status clopt_tuner_ask(struct clopt_tuner *tuner, size_t *number,
                                  struct clopt_trial *trial, uint64_t *ordinal, bool *more,
                                  struct clopt_error *error)
{
    *more = clopt_search_ask(tuner->search, number);
    return *more ? clopt_tuner_trial(tuner, *number, trial, ordinal, error) : CLOPT_OK;
}

void clopt_tuner_tell(struct clopt_tuner *tuner, size_t number, double time, double cost_s)
{
    clopt_search_tell(tuner->search, number, time, cost_s);
}

/* Counts the steps of a trial up to the last that a reason names; all, where it names none. */
static size_t count_steps(const struct clopt_trial *trial, const char *reason)
{
    for (size_t i = trial->step_count; i-- > 0;) {
        CLOPT_FREED char *name = clopt_step_name(trial, &trial->steps[i]);
        if (strncmp(reason, name, strlen(name)) == 0)
            return i + 1;
    }
    return trial->step_count;
}

enum clopt_status clopt_tuner_refuse(struct clopt_tuner *tuner, size_t number, const char *reason,
                                     struct clopt_error *error)
{
    CLOPT_OWNED(clopt_trial) trial = {0};
    uint64_t ordinal;
    CLOPT_TRY(clopt_tuner_trial(tuner, number, &trial, &ordinal, error));
    clopt_array_grow(&tuner->refused, tuner->refused_count, sizeof *tuner->refused);
    tuner->refused[tuner->refused_count++] = name_steps(&trial, count_steps(&trial, reason));
    clopt_tuner_tell(tuner, number, NAN, NAN);
    return CLOPT_OK;
}
