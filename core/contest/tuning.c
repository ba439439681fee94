/* SPDX-License-Identifier: BSD-3-Clause */
/* What the searches of a contest ask for, and are told. */
#include "contest/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "search/tuner.h"

/* Variants of a generation. On a CPU each has a process of its own, which measures the initial code
 * beside them: fewer would have most of the time go there, more would be chosen with less known. On
 * a GPU two generations are under way, one for the builds of all processors, one for the device. */
#define GENERATION_CPU 12
#define GENERATION_GPU 16

#define MOST_ROUNDS 50 /* in a row without anything feasible: then there is hardly more */

/* A variant that was asked for. */
struct ask {
    size_t kernel;               /* of the contest's, that are optimized */
    size_t number;               /* of its tuner */
    unsigned generation;         /* from 1 */
    bool counts;                 /* it is feasible, and no other's program */
    bool told;                   /* to the tuner */
    double time_ns;              /* that was told */
    char key[CLOPT_HASH_SIZE];   /* under which the store knows it */
    char print[CLOPT_HASH_SIZE]; /* the variant's fingerprint; "": it has none */
};

struct clopt_tuning {
    struct clopt_tuner **tuners; /* of each kernel */
    uint64_t *trials;            /* of each */
    bool *empty;                 /* whose space is */
    size_t kernel_count;
    uint64_t limit;      /* trials of a kernel; 0: as many as there is time for */
    size_t size;         /* of a generation */
    unsigned ahead;      /* generations that are asked for before the last one is over */
    unsigned generation; /* that is being filled */
    size_t filled;       /* variants of it that count, or may */
    size_t round;        /* number of the first variant whose making has to be waited for */
    unsigned vain;       /* rounds without any that counts */
    bool timed;          /* time is limited: costs matter */
    bool stopped;
    struct ask *asks;
    size_t count;
};

/* ---- making and ending it ---- */

enum clopt_status clopt_tuning_create(const struct clopt_contest *contest,
                                      struct clopt_tuning **tuning, struct clopt_error *error)
{
    const struct clopt_study *study = contest->run->study;
    size_t kernels = contest->app->kernel_count;
    struct clopt_tuning *made = calloc(1, sizeof *made);
    *tuning = made;
    if (!made)
        return clopt_fail_memory(error);
    *made = (struct clopt_tuning){.tuners = calloc(kernels, sizeof(struct clopt_tuner *)),
                                  .trials = calloc(kernels, sizeof *made->trials),
                                  .empty = calloc(kernels, sizeof *made->empty),
                                  .kernel_count = kernels,
                                  .limit = study->search.trials,
                                  .size = contest->on_cpu ? GENERATION_CPU : GENERATION_GPU,
                                  .ahead = contest->on_cpu ? 0 : 1,
                                  .generation = 1,
                                  .timed = study->measure.time_s > 0};
    if (!made->tuners || !made->trials || !made->empty)
        return clopt_fail_memory(error);
    enum clopt_status status = CLOPT_OK;
    for (size_t k = 0; k < kernels && !status; k++)
        status = clopt_tuner_create(study, contest->number, k, &contest->device->info,
                                    &made->tuners[k], error);
    return status;
}

void clopt_tuning_destroy(struct clopt_tuning *tuning)
{
    if (!tuning)
        return;
    for (size_t k = 0; tuning->tuners && k < tuning->kernel_count; k++)
        clopt_tuner_destroy(tuning->tuners[k]);
    free(tuning->tuners);
    free(tuning->trials);
    free(tuning->empty);
    free(tuning->asks);
    free(tuning);
}

void clopt_tuning_stop(struct clopt_tuning *tuning)
{
    tuning->stopped = true;
}

uint64_t clopt_tuning_trials(const struct clopt_tuning *tuning)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < tuning->kernel_count; k++)
        sum += tuning->trials[k];
    return sum;
}

uint64_t clopt_tuning_limit(const struct clopt_tuning *tuning)
{
    return tuning->limit * tuning->kernel_count;
}

/* ---- what became of variants ---- */

/* Finds the contender of a variant; NULL: it is over, and in the store alone. */
static const struct clopt_contender *find_contender(const struct clopt_contest *contest,
                                                    const struct ask *ask)
{
    for (size_t i = 0; i < contest->count; i++)
        if (strcmp(contest->contenders[i]->row.key, ask->key) == 0)
            return contest->contenders[i];
    return NULL;
}

static bool is_made(const struct clopt_contest *contest, const struct ask *ask)
{
    const struct clopt_contender *contender = find_contender(contest, ask);
    return !contender || contender->variant || contender->phase == CLOPT_PHASE_OVER;
}

static bool is_over(const struct clopt_contest *contest, const struct ask *ask)
{
    const struct clopt_contender *contender = find_contender(contest, ask);
    return !contender || (contender->phase == CLOPT_PHASE_OVER && !contender->users) ||
           contender->places;
}

/* Whether another variant before this one, or the initial code, is the same program. */
static bool is_double(const struct clopt_contest *contest, size_t number)
{
    const struct ask *asks = contest->tuning->asks;
    const char *initial = clopt_contest_initial(contest)->row.fingerprint;
    if (!asks[number].print[0])
        return false;
    for (size_t i = 0; i < number; i++)
        if (strcmp(asks[i].print, asks[number].print) == 0)
            return true;
    return initial && strcmp(initial, asks[number].print) == 0;
}

/* Shows a variant in reports. */
static enum clopt_status show(const struct clopt_contest *contest, const struct ask *ask,
                              int64_t row, struct clopt_error *error)
{
    struct clopt_contender shown = {.row.id = row};
    enum clopt_status status = clopt_tuner_trial(contest->tuning->tuners[ask->kernel], ask->number,
                                                 &shown.trial, &shown.index, error);
    if (!status)
        status = clopt_contest_show(contest, &shown, NULL, error);
    clopt_trial_fini(&shown.trial);
    return status;
}

/* Learns whether a variant that has been made counts as a trial. */
static enum clopt_status judge(struct clopt_contest *contest, size_t number,
                               struct clopt_error *error)
{
    struct clopt_tuning *tuning = contest->tuning;
    struct ask *ask = &tuning->asks[number];
    const struct clopt_contender *contender = find_contender(contest, ask);
    struct clopt_store_trial found = {0};
    enum clopt_status status =
        contender ? CLOPT_OK : clopt_store_find_trial(contest->run->store, ask->key, &found, error);
    const struct clopt_store_trial *row = contender ? &contender->row : &found;
    snprintf(ask->print, sizeof ask->print, "%s", row->fingerprint ? row->fingerprint : "");
    ask->told = row->outcome == CLOPT_OUTCOME_INFEASIBLE;
    ask->counts = !ask->told && !is_double(contest, number);
    if (!status && ask->told)
        status = clopt_tuner_refuse(tuning->tuners[ask->kernel], ask->number,
                                    row->reason ? row->reason : "", error);
    if (!status && ask->counts)
        status = show(contest, ask, row->id, error);
    clopt_store_trial_fini(&found);
    return status;
}

/* Returns the shortest of a trial's samples out of its first process, which was disturbed least;
 * NaN: there is none. What other processes take later for the best of all changes nothing here. */
static enum clopt_status find_time(const struct clopt_contest *contest, int64_t trial,
                                   const char *kernel, double *least_ns, double *sum_s,
                                   struct clopt_error *error)
{
    double *times_ns = NULL;
    uint32_t *process = NULL;
    size_t count = 0;
    enum clopt_status status = clopt_store_get_samples(contest->run->store, trial, kernel,
                                                       &times_ns, &process, &count, error);
    *least_ns = NAN;
    *sum_s = 0;
    for (size_t i = 0; !status && i < count && process[i] == process[0]; i++) {
        *least_ns = fmin(*least_ns, times_ns[i]);
        *sum_s += contest->run->study->measure.objective == CLOPT_OBJECTIVE_TIME
                      ? times_ns[i] * 1e-9
                      : CLOPT_ENERGY_SAMPLE_NS * 1e-9;
    }
    free(times_ns);
    free(process);
    return status;
}

/* Returns what a variant that ended so has cost; NaN: unknown. */
static double find_cost(const struct clopt_contest *contest, const struct clopt_store_trial *row,
                        double samples_s)
{
    const struct clopt_limits *limits = &contest->run->study->limits;
    double cost_s = (double)(row->build_ns + row->deferred_ns) * 1e-9 + samples_s;
    if (row->outcome == CLOPT_OUTCOME_TIMEOUT)
        cost_s += row->stage && strcmp(row->stage, clopt_stage_name(CLOPT_STAGE_BUILD)) == 0
                      ? limits->build_s
                      : limits->launch_s;
    return contest->tuning->timed && cost_s > 0 ? cost_s : NAN;
}

/* Tells a tuner what became of a variant. One without samples of its own may be the same program as
 * a trial that has some. */
static enum clopt_status tell(struct clopt_contest *contest, struct ask *ask,
                              struct clopt_error *error)
{
    struct clopt_store *store = contest->run->store;
    const char *kernel = contest->app->kernels[ask->kernel]->name;
    struct clopt_store_trial row = {0};
    double run_ns, kernel_s, run_s = 0;
    int64_t twin = 0;
    enum clopt_status status = clopt_store_find_trial(store, ask->key, &row, error);
    bool right = row.outcome == CLOPT_OUTCOME_OK || row.outcome == CLOPT_OUTCOME_PENDING;
    ask->time_ns = NAN;
    if (!status && right)
        status = find_time(contest, row.id, kernel, &ask->time_ns, &kernel_s, error);
    if (!status && right)
        status = find_time(contest, row.id, "", &run_ns, &run_s, error);
    double cost_s = find_cost(contest, &row, run_s);
    if (!status && right && isnan(ask->time_ns) && row.fingerprint)
        status =
            clopt_store_find_twin(store, row.device, row.problem, row.fingerprint, &twin, error);
    if (!status && twin)
        status = find_time(contest, twin, kernel, &ask->time_ns, &kernel_s, error);
    clopt_store_trial_fini(&row);
    ask->told = true;
    return status ? status
                  : clopt_tuner_tell(contest->tuning->tuners[ask->kernel], ask->number,
                                     ask->time_ns, cost_s, error);
}

/* ---- generations ---- */

static bool is_full(const struct clopt_tuning *tuning)
{
    return tuning->filled >= tuning->size;
}

/* Finds a kernel for the next variant: the one with the fewest trials that may have more; SIZE_MAX:
 * none may. */
static size_t find_kernel(const struct clopt_tuning *tuning)
{
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < tuning->kernel_count; k++)
        if (!tuning->empty[k] && (!tuning->limit || tuning->trials[k] < tuning->limit) &&
            (found == SIZE_MAX || tuning->trials[k] < tuning->trials[found]))
            found = k;
    return found;
}

/* When all variants of a round are made, decides which of them count. */
static enum clopt_status end_round(struct clopt_contest *contest, struct clopt_error *error)
{
    struct clopt_tuning *tuning = contest->tuning;
    const struct clopt_contender *initial = clopt_contest_initial(contest);
    enum clopt_status status = CLOPT_OK;
    bool vain = true;
    if (!initial->row.fingerprint && initial->phase != CLOPT_PHASE_OVER)
        return CLOPT_OK; /* it may be the same program as one of them */
    for (size_t i = tuning->round; i < tuning->count; i++)
        if (!is_made(contest, &tuning->asks[i]))
            return CLOPT_OK;
    for (; tuning->round < tuning->count && !status; tuning->round++) {
        const struct ask *ask = &tuning->asks[tuning->round];
        status = judge(contest, tuning->round, error);
        tuning->filled -= !ask->counts;
        tuning->trials[ask->kernel] -= !ask->counts;
        vain = vain && !ask->counts;
    }
    tuning->vain = vain ? tuning->vain + 1 : 0;
    tuning->stopped |= tuning->vain == MOST_ROUNDS;
    return status;
}

/* Tells all variants of a generation, in the order in which they were asked for, once they are
 * over. */
static enum clopt_status end_generation(struct clopt_contest *contest, unsigned generation,
                                        bool *ended, struct clopt_error *error)
{
    struct clopt_tuning *tuning = contest->tuning;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < tuning->count; i++)
        if (tuning->asks[i].generation == generation && !is_over(contest, &tuning->asks[i]))
            return CLOPT_OK;
    *ended = true;
    for (size_t i = 0; i < tuning->count && !status; i++)
        if (tuning->asks[i].generation == generation && !tuning->asks[i].told)
            status = tell(contest, &tuning->asks[i], error);
    return status;
}

enum clopt_status clopt_tuning_advance(struct clopt_contest *contest, struct clopt_error *error)
{
    struct clopt_tuning *tuning = contest->tuning;
    bool ended = false;
    if (tuning->round < tuning->count) {
        enum clopt_status status = end_round(contest, error);
        if (status)
            return status;
    }
    if (tuning->stopped || !is_full(tuning) || tuning->round < tuning->count)
        return CLOPT_OK;
    if (tuning->generation <= tuning->ahead)
        ended = true;
    enum clopt_status status =
        ended ? CLOPT_OK
              : end_generation(contest, tuning->generation - tuning->ahead, &ended, error);
    if (ended) {
        tuning->generation++;
        tuning->filled = 0;
    }
    return status;
}

bool clopt_tuning_wants(const struct clopt_tuning *tuning)
{
    return !tuning->stopped && !is_full(tuning) && find_kernel(tuning) != SIZE_MAX;
}

bool clopt_tuning_is_over(const struct clopt_tuning *tuning)
{
    return tuning->stopped || (tuning->round == tuning->count && find_kernel(tuning) == SIZE_MAX);
}

bool clopt_tuning_ask(struct clopt_contest *contest, struct clopt_contender *contender,
                      struct clopt_error *error)
{
    struct clopt_tuning *tuning = contest->tuning;
    size_t kernel = find_kernel(tuning);
    bool more = false;
    if (!clopt_array_grow(&tuning->asks, tuning->count, sizeof *tuning->asks)) {
        clopt_fail_memory(error);
        return false;
    }
    struct ask *ask = &tuning->asks[tuning->count];
    *ask = (struct ask){.kernel = kernel, .generation = tuning->generation};
    if (clopt_tuner_ask(tuning->tuners[kernel], &ask->number, &contender->trial, &contender->index,
                        &more, error))
        return false;
    tuning->empty[kernel] = !more;
    tuning->count += more;
    tuning->filled += more;
    tuning->trials[kernel] += more;
    return more;
}

void clopt_tuning_enter(struct clopt_tuning *tuning, const struct clopt_contender *contender)
{
    memcpy(tuning->asks[tuning->count - 1].key, contender->row.key, CLOPT_HASH_SIZE);
}
