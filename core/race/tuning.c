/* SPDX-License-Identifier: BSD-3-Clause */
/* What the searches of a race ask for, and are told. */
#include "race/tuning.h"

#include <math.h>

#include "process/clock.h"
#include "search/tuner.h"

/* Variants of a generation. On a CPU each has a process of its own, which measures the initial code
 * beside them: fewer would have most of the time go there, more would be chosen with less known. On
 * a GPU two generations are under way, one for the builds of all processors, one for the device. */
#define GENERATION_CPU 12 /* and where more can be built at the same time, up to */
#define MOST_CPU       20
#define GENERATION_GPU 16

#define MOST_ROUNDS 50 /* in a row without anything feasible: then there is hardly more */

/* A variant that was asked for. */
struct ask {
    size_t kernel;               /* of the race's, that are optimized */
    size_t number;               /* of its tuner */
    unsigned generation;         /* from 1 */
    bool counts;                 /* it is feasible, and no other's program */
    bool told;                   /* to the tuner */
    bool left_out;               /* the time was over before it had a result */
    char key[CLOPT_HASH_SIZE];   /* under which the store knows it */
    char print[CLOPT_HASH_SIZE]; /* the variant's fingerprint; "": it has none */
};

/* What is known of a kernel's search. */
struct kernel {
    struct clopt_tuner *tuner;
    uint64_t trials;
    bool empty; /* it has no more */
};

struct clopt_tuning {
    struct kernel *kernels;
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

struct clopt_tuning *clopt_tuning_create(const struct clopt_race *race)
{
    const struct clopt_study *study = race->run->study;
    struct clopt_error *failure = race->run->failure;
    size_t kernels = race->app->kernel_count;
    double processors = (double)clopt_usable_processors();
    size_t size =
        race->on_cpu ? (size_t)fmin(fmax(GENERATION_CPU, processors), MOST_CPU) : GENERATION_GPU;
    struct clopt_tuning *tuning = clopt_calloc(1, sizeof *tuning);
    struct kernel *all = clopt_calloc(kernels, sizeof *all);
    *tuning = (struct clopt_tuning){.kernels = all,
                                    .kernel_count = kernels,
                                    .limit = study->search.trials,
                                    /* as many as members, at least: so none waits for others */
                                    .size = race->members > size ? race->members : size,
                                    .ahead = race->on_cpu ? 0 : 1,
                                    .generation = 1,
                                    .timed = study->measure.time_s > 0};
    for (size_t k = 0; k < kernels && !failure->status; k++)
        clopt_tuner_create(study, race->number, k, &race->device->info, &all[k].tuner, failure);
    return tuning;
}

void clopt_tuning_destroy(struct clopt_tuning *tuning)
{
    if (!tuning)
        return;
    for (size_t k = 0; k < tuning->kernel_count; k++)
        clopt_tuner_destroy(tuning->kernels[k].tuner);
    free(tuning->kernels);
    free(tuning->asks);
    free(tuning);
}

uint64_t clopt_tuning_trials(const struct clopt_tuning *tuning)
{
    uint64_t sum = 0;
    for (size_t k = 0; k < tuning->kernel_count; k++)
        sum += tuning->kernels[k].trials;
    return sum;
}

uint64_t clopt_tuning_limit(const struct clopt_tuning *tuning)
{
    return tuning->limit * tuning->kernel_count;
}

/* ---- what became of variants ---- */

/* Finds the candidate of a variant; NULL: it is over, and in the store alone. */
static const struct clopt_candidate *find_candidate(const struct clopt_race *race,
                                                    const struct ask *ask)
{
    for (size_t i = 0; i < race->count; i++)
        if (strcmp(race->candidates[i]->row.key, ask->key) == 0)
            return race->candidates[i];
    return NULL;
}

static bool is_over(const struct clopt_race *race, const struct ask *ask)
{
    const struct clopt_candidate *candidate = find_candidate(race, ask);
    return !candidate || (candidate->phase == CLOPT_PHASE_OVER && !candidate->users) ||
           candidate->finals;
}

/* Whether another variant before this one, or the initial code, is the same program. */
static bool is_double(const struct clopt_race *race, size_t number)
{
    const struct ask *asks = race->tuning->asks;
    const char *initial = clopt_race_initial(race)->row.fingerprint;
    if (!asks[number].print[0])
        return false;
    for (size_t i = 0; i < number; i++)
        if (strcmp(asks[i].print, asks[number].print) == 0)
            return true;
    return initial && strcmp(initial, asks[number].print) == 0;
}

/* Learns whether a variant that has been made counts as a trial; then it is shown in reports. */
static void judge(struct clopt_race *race, size_t number)
{
    const struct clopt_run *run = race->run;
    struct ask *ask = &race->tuning->asks[number];
    struct clopt_tuner *tuner = race->tuning->kernels[ask->kernel].tuner;
    const struct clopt_candidate *candidate = find_candidate(race, ask);
    CLOPT_OWNED(clopt_store_trial) found = {0};
    CLOPT_OWNED(clopt_trial) trial = {0};
    uint64_t index;
    if (!candidate)
        clopt_store_find_trial(run->store, ask->key, &found, run->failure);
    const struct clopt_store_trial *row = candidate ? &candidate->row : &found;
    snprintf(ask->print, sizeof ask->print, "%s", row->fingerprint ? row->fingerprint : "");
    ask->told = row->outcome == CLOPT_OUTCOME_INFEASIBLE;
    ask->counts = !ask->told && !is_double(race, number);
    if (ask->told)
        clopt_tuner_refuse(tuner, ask->number, row->reason ? row->reason : "", run->failure);
    else if (ask->counts && !clopt_tuner_trial(tuner, ask->number, &trial, &index, run->failure))
        clopt_race_show(race, &trial, index, row->id, NULL);
}

/* Returns the shortest of a trial's samples out of its first process, which was disturbed least;
 * NaN: there is none. What other processes take later for the best of all changes nothing here.
 * `sum_s` (may be NULL) gets the seconds that they took. */
static double find_time(const struct clopt_race *race, int64_t trial, const char *kernel,
                        double *sum_s)
{
    const struct clopt_run *run = race->run;
    CLOPT_FREED double *times_ns = NULL;
    double least_ns = NAN;
    CLOPT_FREED uint32_t *process = NULL;
    size_t count = 0;
    if (clopt_store_get_samples(run->store, trial, kernel, &times_ns, &process, &count,
                                run->failure))
        count = 0;
    for (size_t i = 0; i < count && process[i] == process[0]; i++) {
        least_ns = fmin(least_ns, times_ns[i]);
        if (sum_s)
            *sum_s += 1e-9 * (run->study->measure.objective == CLOPT_OBJECTIVE_TIME
                                  ? times_ns[i]
                                  : CLOPT_ENERGY_SAMPLE_NS);
    }
    return least_ns;
}

/* Returns what a variant that ended so has cost; NaN: unknown. */
static double find_cost(const struct clopt_race *race, const struct clopt_store_trial *row,
                        double samples_s)
{
    const struct clopt_limits *limits = &race->run->study->limits;
    double cost_s = (double)(row->build.ns + row->build.deferred_ns) * 1e-9 + samples_s;
    if (row->outcome == CLOPT_OUTCOME_TIMEOUT)
        cost_s += row->stage && strcmp(row->stage, clopt_stage_name(CLOPT_STAGE_BUILD)) == 0
                      ? limits->build_s
                      : limits->launch_s;
    return race->tuning->timed && cost_s > 0 ? cost_s : NAN;
}

/* Tells a tuner what became of a variant. One without samples of its own may be the same program as
 * a trial that has some. */
static void tell(struct clopt_race *race, struct ask *ask)
{
    const struct clopt_run *run = race->run;
    const char *kernel = race->app->kernels[ask->kernel]->name;
    CLOPT_OWNED(clopt_store_trial) row = {0};
    double time_ns = NAN, run_s = 0;
    int64_t duplicate = 0;
    clopt_store_find_trial(run->store, ask->key, &row, run->failure);
    if (row.outcome == CLOPT_OUTCOME_OK || row.outcome == CLOPT_OUTCOME_PENDING) {
        time_ns = find_time(race, row.id, kernel, NULL);
        find_time(race, row.id, "", &run_s);
        if (row.least_ns > 0)
            run_s = 1e-9 * (time_ns = row.least_ns);
        else if (isnan(time_ns) && row.fingerprint)
            clopt_store_find_duplicate(run->store, row.device, row.problem, row.fingerprint,
                                       &duplicate, run->failure);
        if (duplicate)
            time_ns = find_time(race, duplicate, kernel, NULL);
    }
    ask->told = true;
    clopt_tuner_tell(race->tuning->kernels[ask->kernel].tuner, ask->number, time_ns,
                     find_cost(race, &row, run_s));
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
    const struct kernel *kernels = tuning->kernels;
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < tuning->kernel_count; k++)
        if (!kernels[k].empty && (!tuning->limit || kernels[k].trials < tuning->limit) &&
            (found == SIZE_MAX || kernels[k].trials < kernels[found].trials))
            found = k;
    return found;
}

/* Finds a variant that was left out; NULL: there is none. */
static struct ask *find_left_out(const struct clopt_tuning *tuning)
{
    for (size_t i = 0; i < tuning->count; i++)
        if (tuning->asks[i].left_out)
            return &tuning->asks[i];
    return NULL;
}

/* When all variants of a round are made, decides which of them count. */
static void end_round(struct clopt_race *race)
{
    struct clopt_tuning *tuning = race->tuning;
    const struct clopt_candidate *initial = clopt_race_initial(race);
    bool vain = true;
    if (!initial->row.fingerprint && initial->phase != CLOPT_PHASE_OVER)
        return; /* it may be the same program as one of them */
    for (size_t i = tuning->round; i < tuning->count; i++) {
        const struct clopt_candidate *made = find_candidate(race, &tuning->asks[i]);
        if (made && !made->variant && made->phase != CLOPT_PHASE_OVER)
            return;
    }
    for (; tuning->round < tuning->count && !race->run->failure->status; tuning->round++) {
        const struct ask *ask = &tuning->asks[tuning->round];
        judge(race, tuning->round);
        tuning->filled -= !ask->counts;
        tuning->kernels[ask->kernel].trials -= !ask->counts;
        vain = vain && !ask->counts;
    }
    tuning->vain = vain ? tuning->vain + 1 : 0;
    tuning->stopped |= tuning->vain == MOST_ROUNDS;
}

/* Tells all variants of a generation, in the order in which they were asked for, once they are
 * over. False: they are not. In a search on a processor with a time limit, those that are still
 * being built when most others are over go to the next one, so that processors stay busy. */
static bool end_generation(struct clopt_race *race, unsigned generation)
{
    struct clopt_tuning *tuning = race->tuning;
    int more = 0; /* are over than not */
    for (size_t i = 0; i < tuning->count; i++) {
        const struct ask *ask = &tuning->asks[i];
        const struct clopt_candidate *candidate = find_candidate(race, ask);
        if (ask->generation != generation)
            continue;
        bool ended = !candidate || is_over(race, ask);
        if (!ended && (!tuning->timed || !race->on_cpu || !candidate->users ||
                       !clopt_candidate_is_unbuilt(candidate)))
            return false;
        more += ended ? 1 : -1;
    }
    if (more < 0)
        return false;
    for (size_t i = 0; i < tuning->count && !race->run->failure->status; i++) {
        struct ask *ask = &tuning->asks[i];
        if (ask->generation == generation && !is_over(race, ask))
            ask->generation++;
        else if (ask->generation == generation && !ask->told)
            tell(race, ask);
    }
    return true;
}

void clopt_tuning_advance(struct clopt_race *race)
{
    struct clopt_tuning *tuning = race->tuning;
    if (tuning->round < tuning->count)
        end_round(race);
    if (tuning->stopped || !is_full(tuning) || tuning->round < tuning->count)
        return;
    if (tuning->generation <= tuning->ahead ||
        end_generation(race, tuning->generation - tuning->ahead)) {
        tuning->generation++;
        tuning->filled = 0;
    }
}

/* Whether there are variants to ask for. */
static bool has_more(const struct clopt_tuning *tuning)
{
    return find_left_out(tuning) || find_kernel(tuning) != SIZE_MAX;
}

void clopt_tuning_stop(struct clopt_tuning *tuning)
{
    tuning->stopped = true;
}

void clopt_tuning_leave_out(struct clopt_tuning *tuning, const struct clopt_candidate *candidate)
{
    for (size_t i = 0; i < tuning->count; i++) {
        struct ask *ask = &tuning->asks[i];
        if (!ask->told && strcmp(ask->key, candidate->row.key) == 0)
            ask->left_out = ask->told = true; /* nothing was learned of it */
    }
}

bool clopt_tuning_can_resume(const struct clopt_tuning *tuning)
{
    return tuning->vain < MOST_ROUNDS && tuning->round == tuning->count && has_more(tuning);
}

void clopt_tuning_resume(struct clopt_tuning *tuning)
{
    tuning->stopped = false;
}

bool clopt_tuning_wants(const struct clopt_tuning *tuning)
{
    return !tuning->stopped && !is_full(tuning) && has_more(tuning);
}

bool clopt_tuning_is_over(const struct clopt_tuning *tuning)
{
    return tuning->stopped || (tuning->round == tuning->count && !has_more(tuning));
}

bool clopt_tuning_ask(struct clopt_race *race, struct clopt_candidate *candidate)
{
    struct clopt_tuning *tuning = race->tuning;
    struct ask *left_out = find_left_out(tuning);
    struct ask ask = left_out ? *left_out : (struct ask){.kernel = find_kernel(tuning)};
    struct kernel *kernel = &tuning->kernels[ask.kernel];
    bool more = true;
    if (left_out) { /* what it was counts no longer */
        kernel->trials -= left_out->counts;
        left_out->left_out = left_out->counts = false;
    }
    if (left_out ? clopt_tuner_trial(kernel->tuner, ask.number, &candidate->trial,
                                     &candidate->index, race->run->failure)
                 : clopt_tuner_ask(kernel->tuner, &ask.number, &candidate->trial, &candidate->index,
                                   &more, race->run->failure))
        return false;
    kernel->empty |= !more;
    kernel->trials += more;
    tuning->filled += more;
    if (more)
        *(struct ask *)clopt_array_add(&tuning->asks, &tuning->count, sizeof ask) = (struct ask){
            .kernel = ask.kernel, .number = ask.number, .generation = tuning->generation};
    return more;
}

void clopt_tuning_enter(struct clopt_tuning *tuning, const struct clopt_candidate *candidate)
{
    memcpy(tuning->asks[tuning->count - 1].key, candidate->row.key, CLOPT_HASH_SIZE);
}

bool clopt_tuning_find_shown(const struct clopt_race *race, const struct clopt_candidate *candidate,
                             struct clopt_trial *trial, uint64_t *index)
{
    const struct clopt_tuning *tuning = race->tuning;
    for (size_t i = 0; i < tuning->count && candidate->row.fingerprint; i++) {
        const struct ask *ask = &tuning->asks[i];
        const struct clopt_kernel *kernel = &race->kernels[ask->kernel];
        if (ask->counts && clopt_trial_is_of(&candidate->trial, kernel) &&
            strcmp(ask->print, candidate->row.fingerprint) == 0)
            return !clopt_tuner_trial(tuning->kernels[ask->kernel].tuner, ask->number, trial, index,
                                      race->run->failure);
    }
    return false;
}
