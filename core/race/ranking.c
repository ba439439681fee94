/* SPDX-License-Identifier: BSD-3-Clause */
/* How the candidates of a race compare, and which of them need more samples for that. */
#include "race/ranking.h"

#include <math.h>

#include "race/combined.h"
#include "race/finals.h"

/* How much a process changes ratios, as the standard deviation of their logarithms, where nothing
 * is known of that yet. */
#define PRIOR_CPU 0.05
#define PRIOR_GPU 0.01

#define NORMAL_97_5 1.959964

#define MOST_PROCESSES 2     /* times [measure] processes: then it is not going to become precise */
#define CHEAP_S        20e-3 /* samples that take no longer cost less than a process */
#define SERIES_S       0.1   /* of one candidate in a process: another process costs as much */
#define ONCE           0.02  /* of a search's time: what takes longer is run once a process */
#define FAR            1.5   /* times slower: one sample shows that */
#define MANY           10    /* times slower: a launch takes as long as variants of a process */
#define FEW_SAMPLES    3 /* most of fewer may have been disturbed: those have to be twice as slow */
#define SHORTEST_NS    20e6 /* what takes less costs little to measure */
#define BESIDE         2 /* times slower a launch may be beside others, by the memory they share */

bool clopt_ranking_has_samples(const struct clopt_candidate *candidate, size_t kernel)
{
    return clopt_candidate_is_measured(candidate) && clopt_candidate_is_of(candidate, kernel);
}

/* Adds what processes do to a candidate's ratio to the one that all are measured beside. */
static void add_spread(const struct clopt_race *race, struct clopt_spread *spread,
                       const struct clopt_candidate *candidate, size_t kernel)
{
    const struct clopt_candidate *reference = clopt_race_reference(race);
    if (clopt_ranking_has_samples(candidate, kernel) && candidate != reference)
        clopt_spread_add(spread, clopt_samples_medians(&candidate->samples, kernel),
                         clopt_samples_medians(&reference->samples, kernel));
}

/* The times of a kernel, where `ran` less what threads waited. */
static const struct clopt_medians *medians_of(const struct clopt_candidate *candidate,
                                              size_t kernel, bool ran)
{
    const struct clopt_samples *samples = &candidate->samples;
    return clopt_samples_medians(samples, ran ? clopt_samples_ran(samples, kernel) : kernel);
}

/* The time of one over that of another, directly or through what all are measured beside. Variants
 * do not tell what processes do to the ratios of an initial code that is far slower. */
static struct clopt_interval estimate(const struct clopt_race *race,
                                      const struct clopt_candidate *above,
                                      const struct clopt_candidate *below, size_t kernel, bool ran,
                                      struct clopt_spread spread)
{
    spread.apart = race->reference ? medians_of(clopt_race_initial(race), kernel, ran) : NULL;
    return clopt_ratio_estimate_through(
        medians_of(above, kernel, ran), medians_of(below, kernel, ran),
        medians_of(clopt_race_reference(race), kernel, ran), &spread);
}

/* The usual spread is enough to choose what is measured next: finals decide by what was measured.
 */
static struct clopt_interval guess_ratio(const struct clopt_race *race,
                                         const struct clopt_candidate *above,
                                         const struct clopt_candidate *below, size_t kernel,
                                         bool ran)
{
    struct clopt_spread spread = race->ranking[kernel].spread;
    spread.prior = 0;
    struct clopt_interval ratio = estimate(race, above, below, kernel, ran, spread);
    if (ratio.attained || isnan(ratio.median))
        return ratio;
    double prior = race->on_cpu ? PRIOR_CPU : PRIOR_GPU;
    double within = 0.5 * log(ratio.high / ratio.low);
    double half = hypot(within, NORMAL_97_5 * prior);
    ratio.low = ratio.median * exp(-half);
    ratio.high = ratio.median * exp(half);
    return ratio;
}

struct clopt_interval clopt_ranking_ratio(const struct clopt_race *race,
                                          const struct clopt_candidate *above,
                                          const struct clopt_candidate *below, size_t kernel)
{
    return estimate(race, above, below, kernel, false, race->ranking[kernel].spread);
}

double clopt_ranking_gain(const struct clopt_race *race, const struct clopt_candidate *candidate,
                          size_t kernel)
{
    const struct clopt_candidate *initial = clopt_race_initial(race);
    double ran = guess_ratio(race, initial, candidate, kernel, true).median;
    return fmin(ran, clopt_ranking_ratio(race, initial, candidate, kernel).median);
}

/* The shortest of a candidate's samples, less what its threads waited, or what all will exceed. */
static double shortest(const struct clopt_candidate *candidate, size_t kernel)
{
    const struct clopt_samples *samples = &candidate->samples;
    if (!samples->count)
        return candidate->row.least_ns;
    const double *times_ns = samples->columns[clopt_samples_ran(samples, kernel)].times_ns;
    double least = INFINITY;
    for (size_t i = 0; i < samples->count; i++)
        least = fmin(least, times_ns[i]);
    return least;
}

bool clopt_ranking_is_hopeless(const struct clopt_race *race,
                               const struct clopt_candidate *candidate)
{
    double factor = race->run->study->measure.abandon;
    if (candidate->samples.count < FEW_SAMPLES)
        factor *= 2;
    if (candidate->role || !(candidate->samples.count || candidate->row.least_ns > 0))
        return false;
    for (size_t k = 0; k < clopt_race_columns(race); k++) {
        const struct clopt_ranking *ranking = &race->ranking[k];
        double best_ns = fmin(ranking->leader ? ranking->leader_ns : INFINITY,
                              race->quickest_ns > 0 ? race->quickest_ns : INFINITY);
        if (clopt_candidate_is_of(candidate, k) && !(shortest(candidate, k) > factor * best_ns))
            return false;
    }
    return true;
}

double clopt_ranking_once_ns(const struct clopt_race *race)
{
    const struct clopt_measure *measure = &race->run->study->measure;
    return race->tuning && measure->winner_only ? ONCE * measure->time_s * 1e9 : 0;
}

/* Whether something takes a good part of a search's time. */
static bool is_costly(const struct clopt_race *race, double time_ns)
{
    double once_ns = clopt_ranking_once_ns(race);
    return once_ns > 0 && time_ns > once_ns;
}

/* Whether one launch of the initial code takes longer than another process, and as long as many of
 * a variant, by their first ones; or where it takes a good part of the time, than some. */
static bool is_initial_slow(const struct clopt_race *race)
{
    double many = is_costly(race, race->initial_ns) ? FAR : MANY;
    return race->initial_ns > SERIES_S * 1e9 && race->initial_ns > many * race->quickest_ns;
}

void clopt_ranking_take_launch(struct clopt_race *race, struct clopt_candidate *candidate,
                               const json_t *answer, int64_t paused_ns)
{
    const json_t *launch_ns = json_object_get(answer, "launch_ns");
    double least_ns = json_number_value(json_array_get(launch_ns, 0)) - (double)paused_ns;
    double most_ns = json_number_value(json_array_get(launch_ns, 1));
    struct clopt_store_trial *row = &candidate->row;
    const struct clopt_run *run = race->run;
    if (!race->tuning || !race->on_cpu || race->kernel_count > 1 || run->counts ||
        run->study->measure.objective != CLOPT_OBJECTIVE_TIME)
        return;
    if (candidate->role == CLOPT_ROLE_INITIAL) {
        race->initial_ns = least_ns / BESIDE;
        race->bad_problems |= is_costly(race, race->initial_ns) ? CLOPT_SPARED_PROBLEMS : 0;
    }
    if (candidate->samples.count)
        return;
    if (most_ns > 0 && !(race->quickest_ns > 0 && race->quickest_ns < most_ns))
        race->quickest_ns = most_ns;
    row->least_ns = least_ns / BESIDE;
    if (is_initial_slow(race) && !race->candidates[1]->samples.count)
        race->candidates[1]->phase = CLOPT_PHASE_OVER; /* its noise says little of the best */
    row->abandoned = row->least_ns > SHORTEST_NS && clopt_ranking_is_hopeless(race, candidate);
    if (!row->abandoned) {
        row->least_ns = 0;
        return;
    }
    row->outcome = CLOPT_OUTCOME_OK;
    free(row->reason);
    row->reason = clopt_text_format("slower than %s ms; given up after its first launch",
                                    clopt_number_text(row->least_ns * 1e-6, 3).text);
    clopt_candidate_end(candidate, run);
}

struct clopt_judgement clopt_ranking_judge(const struct clopt_race *race,
                                           const struct clopt_candidate *candidate, size_t kernel)
{
    const struct clopt_measure *measure = &race->run->study->measure;
    struct clopt_candidate *leader = race->ranking[kernel].leader;
    struct clopt_interval ratio =
        clopt_ranking_ratio(race, candidate, clopt_race_initial(race), kernel);
    struct clopt_judgement judgement = {
        .different = ratio.low > 1 || ratio.high < 1,
        .precise = ratio.attained && 0.5 * log(ratio.high / ratio.low) <= measure->precision,
    };
    if (leader && leader != candidate) {
        /* A candidate is not given up because other programs ran while it was sampled. Finalists
         * are compared as they were measured. */
        double low = guess_ratio(race, candidate, leader, kernel, !candidate->samples.rounds).low;
        judgement.slower = low > 1;
        judgement.far = low > FAR;
        judgement.no_gain = low > 1 - measure->precision;
    }
    return judgement;
}

/* Where the initial code is slow, has others measured beside the best so far, which was measured
 * beside it. */
static void choose_reference(struct clopt_race *race)
{
    struct clopt_candidate *leader = race->ranking->leader;
    if (!race->reference && is_initial_slow(race) && race->members == 1 && leader &&
        !leader->role && clopt_candidate_is_measured(clopt_race_initial(race)))
        race->reference = leader;
}

bool clopt_ranking_needs_initial(const struct clopt_race *race, bool finals)
{
    const struct clopt_measure *measure = &race->run->study->measure;
    const struct clopt_candidate *initial = clopt_race_initial(race);
    if (!race->reference || clopt_candidate_has_failed(race->reference))
        return true;
    bool once = shortest(initial, 0) * (double)measure->processes > measure->max_time_s * 1e9 ||
                is_costly(race, shortest(initial, 0));
    return finals && (initial->samples.measurements < (once ? 2 : measure->processes) ||
                      clopt_race_count(race, clopt_candidate_is_finalist) == 1);
}

void clopt_ranking_find_leaders(struct clopt_race *race)
{
    for (size_t k = 0; k < clopt_race_columns(race); k++) {
        struct clopt_ranking *ranking = &race->ranking[k];
        ranking->spread = ranking->past;
        ranking->spread.prior = race->expected;
        ranking->leader = NULL;
        for (size_t i = 1; i < race->count; i++)
            add_spread(race, &ranking->spread, race->candidates[i], k);
        for (size_t i = 0; i < race->count; i++) {
            struct clopt_candidate *other = race->candidates[i];
            if (other->role != CLOPT_ROLE_AGAIN && clopt_ranking_has_samples(other, k) &&
                (!ranking->leader ||
                 clopt_ranking_ratio(race, other, ranking->leader, k).median < 1))
                ranking->leader = other;
        }
        if (ranking->leader)
            ranking->leader_ns = clopt_samples_median(&ranking->leader->samples, k);
    }
    choose_reference(race);
}

bool clopt_ranking_is_spent(const struct clopt_measure *measure,
                            const struct clopt_candidate *candidate)
{
    return candidate->samples.count >= measure->max_samples ||
           clopt_samples_seconds(&candidate->samples, measure->objective, 0,
                                 candidate->samples.count) >= measure->max_time_s;
}

/* Whether a candidate is far slower than the best of every kernel that it has samples of. */
static bool is_far(const struct clopt_race *race, const struct clopt_candidate *candidate)
{
    for (size_t k = 0; k < clopt_race_columns(race); k++)
        if (clopt_ranking_has_samples(candidate, k) && !clopt_ranking_judge(race, candidate, k).far)
            return false;
    return true;
}

bool clopt_ranking_needs_quiet(const struct clopt_race *race,
                               const struct clopt_candidate *candidate)
{
    return !race->run->study->measure.winner_only || candidate->finals ||
           (candidate->role ? !is_initial_slow(race) : !is_far(race, candidate));
}

/* How many samples a verdict needs. */
static uint64_t least_samples(const struct clopt_race *race,
                              const struct clopt_judgement *judgement)
{
    const struct clopt_measure *measure = &race->run->study->measure;
    if (!measure->winner_only)
        return measure->min_samples;
    return judgement->far ? 1 : FEW_SAMPLES;
}

bool clopt_ranking_is_settled(const struct clopt_race *race,
                              const struct clopt_candidate *candidate)
{
    const struct clopt_measure *measure = &race->run->study->measure;
    bool full = candidate->samples.measurements >= measure->processes;
    bool spent = clopt_ranking_is_spent(measure, candidate) ||
                 candidate->samples.measurements >= MOST_PROCESSES * measure->processes;
    for (size_t k = 0; k < clopt_race_columns(race); k++) {
        if (!clopt_candidate_is_of(candidate, k))
            continue;
        struct clopt_judgement known = clopt_ranking_judge(race, candidate, k);
        if (candidate->samples.count < least_samples(race, &known))
            return false;
        bool enough = measure->winner_only ? known.no_gain : known.slower && known.different;
        if (!enough && !(full && (measure->winner_only || spent || known.precise)))
            return false;
    }
    return true;
}

/* Whether further samples of a process would say little more of a column: the median is known well
 * for the precision that is wanted or, unless they are cheap, for what the next will differ by. */
static bool says_enough(const struct clopt_race *race, const struct clopt_candidate *candidate,
                        size_t column, uint32_t process)
{
    const struct clopt_medians *medians = clopt_samples_medians(&candidate->samples, column);
    double precision = race->run->study->measure.precision, variance = 0;
    for (size_t i = 0; i < medians->count; i++)
        if (medians->items[i].process == process)
            variance = medians->items[i].log_variance;
    double between = race->on_cpu ? PRIOR_CPU : PRIOR_GPU;
    if (column < clopt_race_columns(race) && race->ranking[column].spread.freedom)
        between = clopt_spread_deviation(&race->ranking[column].spread);
    size_t first, count = clopt_samples_find(&candidate->samples, process, &first);
    enum clopt_objective objective = race->run->study->measure.objective;
    bool cheap = clopt_samples_seconds(&candidate->samples, objective, first, count) < CHEAP_S;
    double added = cheap ? 0 : fmax(between * between - 2 * variance, 0); /* by the process */
    return variance <= fmax(0.5 * precision * precision, added);
}

bool clopt_ranking_has_enough(const struct clopt_race *race,
                              const struct clopt_candidate *candidate, uint32_t process)
{
    const struct clopt_measure *measure = &race->run->study->measure;
    size_t first, count = clopt_samples_find(&candidate->samples, process, &first);
    if (count == 0)
        return false;
    if (count >= clopt_ranking_most_samples(measure) ||
        clopt_ranking_seconds_left(race, candidate, process) < 0)
        return true;
    bool enough = count >= measure->min_samples;
    double seconds = clopt_samples_seconds(&candidate->samples, measure->objective, first, count);
    /* In a search for the best, a long series is worth less than another process, and samples that
     * are long themselves are for a median, not for precision. What takes a good part of the time
     * is sampled once: finals do so again, where they come to it. */
    bool winner = measure->winner_only;
    if (winner && ((count >= FEW_SAMPLES && seconds >= SERIES_S) || is_costly(race, seconds * 1e9)))
        return true;
    if (winner && (candidate->role || !clopt_candidate_wants_samples(candidate)))
        return enough; /* others are compared with it */
    if (!candidate->role && !candidate->finals &&
        ((winner && enough && seconds >= CHEAP_S) || clopt_ranking_is_hopeless(race, candidate) ||
         clopt_ranking_is_settled(race, candidate)))
        return true;
    for (size_t k = 0; k < candidate->samples.column_count && enough; k++)
        if (clopt_candidate_has_column(candidate, k) ||
            (candidate->role == CLOPT_ROLE_RIVAL && k + 1 == candidate->samples.column_count))
            enough = says_enough(race, candidate, k, process);
    return enough;
}

uint64_t clopt_ranking_most_samples(const struct clopt_measure *measure)
{
    return (measure->max_samples + measure->processes - 1) / measure->processes;
}

double clopt_ranking_seconds_left(const struct clopt_race *race,
                                  const struct clopt_candidate *candidate, uint32_t process)
{
    const struct clopt_measure *measure = &race->run->study->measure;
    size_t first, count = clopt_samples_find(&candidate->samples, process, &first);
    return measure->max_time_s / (double)measure->processes -
           clopt_samples_seconds(&candidate->samples, measure->objective, first, count);
}

/* Whether a candidate is surely slower than the best of every kernel that it is of. */
static bool is_slower(const struct clopt_race *race, const struct clopt_candidate *candidate)
{
    for (size_t k = 0; k < clopt_race_columns(race); k++)
        if (clopt_candidate_is_of(candidate, k) && !clopt_ranking_judge(race, candidate, k).slower)
            return false;
    return true;
}

void clopt_ranking_decide(struct clopt_race *race)
{
    const struct clopt_measure *measure = &race->run->study->measure;
    clopt_ranking_find_leaders(race);
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *candidate = race->candidates[i];
        if (candidate->phase != CLOPT_PHASE_MEASURE ||
            candidate->samples.stored < candidate->samples.count || candidate->samples.rounds ||
            !clopt_candidate_is_measured(candidate))
            continue;
        bool full = candidate->samples.measurements >= measure->processes;
        bool hopeless = clopt_ranking_is_hopeless(race, candidate);
        bool slower = measure->winner_only && is_slower(race, candidate);
        /* The noise of what takes long says little of the best. */
        bool far = race->reference && candidate == clopt_race_initial(race);
        far |= race->tuning && candidate->role == CLOPT_ROLE_AGAIN && is_far(race, candidate);
        if (candidate->role ? !full && !far
                            : !(race->tuning && candidate->samples.measurements) && !hopeless &&
                                  !clopt_ranking_is_settled(race, candidate))
            continue;
        candidate->row.outcome = CLOPT_OUTCOME_OK;
        candidate->row.abandoned = !candidate->role && !full && (hopeless || slower);
        clopt_candidate_end(candidate, race->run);
    }
}

bool clopt_ranking_may_win(const struct clopt_race *race, const struct clopt_candidate *candidate)
{
    for (size_t k = clopt_race_open_column(race);
         clopt_candidate_is_measured(candidate) && k < clopt_race_columns(race); k++)
        if ((candidate->finals >> k & 1) && !clopt_ranking_judge(race, candidate, k).slower)
            return true;
    return false;
}

/* ---- finalists ---- */

/* Makes a candidate a finalist of a kernel; where there are enough, the slowest is none unless it
 * may be the best, and where there are too many, in any case. */
static void rank(struct clopt_race *race, struct clopt_candidate *candidate, size_t kernel)
{
    uint64_t bit = (uint64_t)1 << kernel;
    struct clopt_candidate *slowest = candidate;
    size_t count = 0;
    candidate->finals |= bit;
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *other = race->candidates[i];
        if (!(other->finals & bit))
            continue;
        count++;
        if (other != slowest && other != race->reference &&
            clopt_ranking_ratio(race, other, slowest, kernel).median > 1)
            slowest = other;
    }
    if (count > CLOPT_MOST_FINALISTS ||
        (count > CLOPT_FINALISTS && clopt_ranking_judge(race, slowest, kernel).slower))
        slowest->finals &= ~bit;
}

static bool is_over(const struct clopt_candidate *candidate)
{
    return clopt_candidate_is_in_hand(candidate) && candidate->phase == CLOPT_PHASE_OVER &&
           !candidate->users;
}

void clopt_ranking_release(struct clopt_race *race)
{
    size_t left = 0;
    race->tally.over += clopt_race_count(race, is_over);
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *candidate = race->candidates[i];
        bool over = is_over(candidate);
        for (size_t k = 0; k < clopt_race_columns(race) && over; k++)
            if (clopt_ranking_has_samples(candidate, k))
                rank(race, candidate, k);
    }
    for (size_t i = 0; i < race->count; i++) {
        struct clopt_candidate *candidate = race->candidates[i];
        if (!is_over(candidate)) {
            race->candidates[left++] = candidate;
            continue;
        }
        for (size_t k = 0; k < clopt_race_columns(race); k++) /* its share of the spread stays */
            add_spread(race, &race->ranking[k].past, candidate, k);
        clopt_combined_note(race, candidate);
        clopt_candidate_destroy(candidate);
    }
    bool some = left < race->count;
    race->count = left;
    if (some) /* one of them may have been a leader */
        clopt_ranking_find_leaders(race);
}
