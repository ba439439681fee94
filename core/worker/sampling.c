/* SPDX-License-Identifier: BSD-3-Clause */
/* Times runs of a variant. */
#include "worker/sampling.h"

#include <math.h>
#include <time.h>

#include "process/clock.h"

/* A kernel shorter than this many ticks of the clock is run several times a sample: one tick more
 * or less is then half a percent, and less in the median of many samples. */
#define TICKS_PER_SAMPLE 200
#define LONGEST_BATCH    256
#define MOST_GROWTH      8 /* a batch that has to be so many times as large is chosen again */

/* Less of the time in a sample of energy cannot tell what kernels take from what all else takes. */
#define LEAST_BUSY 0.5

/* A sample is disturbed if its threads waited for more than this share of it; then it is taken
 * again, after a pause as long as the sample, up to this, so often at most. */
#define DISTURBED     0.1
#define LONGEST_PAUSE 5000000
#define MOST_TRIES    3
#define LONGEST_AGAIN 500e6 /* ns: what is longer outlasts any pause, and costs too much */

/* What the newest sample counts for in the share of samples that are disturbed, and the share from
 * which on it is in vain to take one again. */
#define NEWEST  0.2
#define IN_VAIN 0.7
#define BUSY    0.99 /* of a run that may have compiled: so much is kernels where it is a sample */

/* Takes one sample: the mean of a batch of runs. */
static enum clopt_status sample_once(struct clopt_session *session, unsigned batch, double *row)
{
    size_t columns = session->kernel_count + 1;
    memset(row, 0, columns * sizeof *row);
    for (unsigned run = 0; run < batch; run++)
        CLOPT_TRY(clopt_session_run(session, row));
    for (size_t column = 0; column < columns; column++)
        row[column] /= batch;
    return CLOPT_OK;
}

/* Takes a sample again while it is disturbed, of which its threads have waited for a `share`. The
 * one that was disturbed least stays; the row after it has room for another one. */
static enum clopt_status find_quiet(struct clopt_session *session, struct clopt_counting *waits,
                                    double share, struct clopt_sample_block *block)
{
    double *row = block->times_ns + block->count * block->columns, *again = row + block->columns;
    double *whole_ns = &row[session->kernel_count];
    enum clopt_status status = CLOPT_OK;
    double *disturbed = &session->workspace->disturbed;
    *disturbed += NEWEST * ((share > DISTURBED) - *disturbed);
    bool repeats = session->workspace->seeks_quiet && *disturbed < IN_VAIN &&
                   *whole_ns * session->batch < LONGEST_AGAIN;
    for (int tried = 1; repeats && tried < MOST_TRIES && share > DISTURBED && !status; tried++) {
        long pause_ns = (long)fmin(*whole_ns * session->batch, LONGEST_PAUSE);
        nanosleep(&(struct timespec){.tv_nsec = pause_ns}, NULL);
        clopt_waits_begin(waits);
        status = sample_once(session, session->batch, again);
        double its_share = clopt_waits_end(waits);
        if (status || its_share >= share)
            continue;
        memcpy(row, again, block->columns * sizeof *row);
        share = its_share;
    }
    row[session->kernel_count + 1] = share;
    block->waited_ns += share * *whole_ns * session->batch;
    block->least_ns = fmin(block->least_ns, (1 - share) * *whole_ns);
    return status;
}

/* How many runs make a sample, from the times of one: the shortest kernel must last many ticks. */
static unsigned batch_size(const struct clopt_session *session, const double *row)
{
    double shortest = INFINITY;
    for (size_t k = 0; k < session->kernel_count; k++)
        if (session->launched[k] && row[k] < shortest)
            shortest = row[k];
    double wanted = TICKS_PER_SAMPLE * session->workspace->context.clock.resolution_ns;
    if (shortest >= wanted)
        return 1;
    double runs = ceil(wanted / fmax(shortest, 1));
    return runs < LONGEST_BATCH ? (unsigned)runs : LONGEST_BATCH;
}

/* Takes one sample of the energy of a launch, or of that times how long it lasts: runs are repeated
 * until the counter has moved so often that its steps no longer matter. Kernels share the mean
 * power of that time by how long they run. */
static enum clopt_status sample_energy(struct clopt_session *session,
                                       enum clopt_objective objective, double *row)
{
    struct clopt_counting *energy = session->workspace->energy;
    struct clopt_error *error = session->error;
    double before_nj = clopt_counting_value(energy), busy_ns = 0, took_ns = 0;
    size_t kernels = session->kernel_count;
    unsigned runs = 0;
    memset(row, 0, (kernels + 1) * sizeof *row);
    CLOPT_TRY(clopt_counting_begin(energy, error));
    for (int64_t began = clopt_now_ns(); took_ns < CLOPT_ENERGY_SAMPLE_NS; runs++) {
        CLOPT_TRY(clopt_session_run(session, row));
        took_ns = (double)(clopt_now_ns() - began);
    }
    CLOPT_TRY(clopt_counting_end(energy, 0, error));
    double taken_nj = clopt_counting_value(energy) - before_nj;
    if (!(taken_nj > 0))
        return clopt_fail(error, CLOPT_FAILED, "the energy counter did not move for %.1f s",
                          took_ns * 1e-9);
    for (size_t k = 0; k < kernels; k++)
        busy_ns += row[k];
    if (busy_ns < LEAST_BUSY * took_ns)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "its kernels ran in %.0f%% of the time in which energy was read, %.0f%% "
                          "are needed to tell theirs: choose a larger size",
                          100 * busy_ns / took_ns, 100 * LEAST_BUSY);
    for (size_t k = 0; k <= kernels; k++) {
        double time_ns = row[k] / runs;
        row[k] = time_ns / took_ns * taken_nj;
        if (objective == CLOPT_OBJECTIVE_ENERGY_DELAY)
            row[k] *= time_ns * 1e-9;
    }
    return CLOPT_OK;
}

/* Refuses a sample shorter than the clock can tell. */
static enum clopt_status check_times(struct clopt_session *session, const double *row)
{
    const struct clopt_clock *clock = &session->workspace->context.clock;
    bool by_host = clock->source == CLOPT_CLOCK_HOST;
    /* By how much launches are less than their overhead is in the mean of many, too. */
    double least_ns = clock->resolution_ns / (by_host ? 1 : session->batch);
    for (size_t k = 0; k < session->kernel_count; k++)
        if (session->launched[k] && !(row[k] >= least_ns))
            return clopt_fail(session->error, CLOPT_INFEASIBLE,
                              "a launch of %s takes less than %.3g us, the least that the %s can "
                              "tell: choose a larger size",
                              session->app->kernels[k].name, least_ns * 1e-3,
                              by_host ? "host's clock" : "driver's events");
    return CLOPT_OK;
}

/* Takes one sample; the first one, which chooses how many runs make one, is none where these are
 * several, and neither is one that chooses again. */
static enum clopt_status sample_time(struct clopt_session *session, struct clopt_counting *waits,
                                     struct clopt_sample_block *block)
{
    double *row = block->times_ns + block->count * block->columns;
    bool first =
        session->batch == 0 || session->batch_source != session->workspace->context.clock.source;
    clopt_waits_begin(waits);
    CLOPT_TRY(sample_once(session, first ? 1 : session->batch, row));
    if (first) {
        session->batch = batch_size(session, row);
        session->batch_source = session->workspace->context.clock.source;
        if (session->batch > 1)
            return CLOPT_OK;
    }
    CLOPT_TRY(find_quiet(session, waits, clopt_waits_end(waits), block));
    unsigned batch = batch_size(session, row), before = session->batch;
    session->batch = batch / MOST_GROWTH < before ? before : batch;
    if (session->batch > before) /* the run that chose how many was held up */
        return CLOPT_OK;
    CLOPT_TRY(check_times(session, row));
    block->count++;
    return CLOPT_OK;
}

/* Takes one sample of whatever is asked for; once more where it has shown that the driver's events
 * are wrong, by the clock that is left. */
static enum clopt_status take_sample(struct clopt_session *session, enum clopt_objective objective,
                                     struct clopt_counting *waits, struct clopt_sample_block *block)
{
    const struct clopt_clock *clock = &session->workspace->context.clock;
    enum clopt_clock_source source = clock->source;
    for (bool again = false;; again = true) {
        enum clopt_status status =
            objective == CLOPT_OBJECTIVE_TIME
                ? sample_time(session, waits, block)
                : sample_energy(session, objective,
                                block->times_ns + block->count * block->columns);
        if (!status && objective != CLOPT_OBJECTIVE_TIME)
            block->count++;
        if (!status || again || clock->source == source || clock->source != CLOPT_CLOCK_HOST)
            return status;
    }
}

/* Takes the run that was verified as a sample, if it is long enough, and nothing was compiled
 * between its launches. */
static bool take_verified(struct clopt_session *session, enum clopt_objective objective,
                          struct clopt_sample_block *block)
{
    const struct clopt_clock *clock = &session->workspace->context.clock;
    const double *first_ns = session->first_ns;
    unsigned whole = session->kernel_count;
    double busy_ns = 0;
    for (unsigned k = 0; first_ns && k < whole; k++)
        busy_ns += first_ns[k];
    block->verified = busy_ns > session->workspace->once_ns && session->batch == 0 &&
                      objective == CLOPT_OBJECTIVE_TIME && clock->source == CLOPT_CLOCK_EVENTS &&
                      busy_ns >= BUSY * first_ns[whole];
    if (!block->verified)
        return false;
    memcpy(block->times_ns, first_ns, block->columns * sizeof *block->times_ns);
    block->waited_ns = first_ns[whole] * first_ns[whole + 1];
    block->least_ns = first_ns[whole] - block->waited_ns;
    block->count = session->batch = 1;
    session->batch_source = clock->source;
    return true;
}

enum clopt_status clopt_samples_take(struct clopt_session *session, enum clopt_objective objective,
                                     size_t count, int64_t max_ns, struct clopt_sample_block *block)
{
    struct clopt_workspace *workspace = session->workspace;
    struct clopt_counting *waits = NULL;
    enum clopt_status status = CLOPT_OK;
    *block =
        (struct clopt_sample_block){.columns = session->kernel_count + 2, .least_ns = INFINITY};
    CLOPT_TRY(clopt_session_make_buffers(session));
    clopt_workspace_begin(workspace, CLOPT_STAGE_SAMPLE);
    if (!session->rival)
        CLOPT_TRY(clopt_clock_measure(workspace->registry, &workspace->context, session->error));
    int64_t began = clopt_now_ns();
    bool first = session->batch == 0;
    block->times_ns = clopt_calloc(count + 1, block->columns * sizeof *block->times_ns);
    if (take_verified(session, objective, block))
        return CLOPT_OK;
    if (objective != CLOPT_OBJECTIVE_TIME)
        status = clopt_workspace_open_energy(workspace);
    else if (clopt_device_is_cpu(&workspace->context.info))
        waits = clopt_waits_open(workspace->registry, &workspace->context);
    while (!status && block->count < count &&
           (block->count == 0 || clopt_now_ns() - began < max_ns))
        status = take_sample(session, objective, waits, block);
    clopt_counting_close(waits);
    /* What is measured next gets the same inputs. */
    return status ? status : clopt_buffers_check(session->buffers, first);
}
