/* SPDX-License-Identifier: BSD-3-Clause */
/* Times runs of a variant. */
#include "worker/sampling.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/text.h"

/* A kernel shorter than this many ticks of the event clock is run several times a sample: one tick
 * more or less is then half a percent, and less in the median of many samples. */
#define TICKS_PER_SAMPLE 200
#define LONGEST_BATCH    256

/* Less of the time in a sample of energy cannot tell what kernels take from what all else takes. */
#define LEAST_BUSY 0.5

/* Takes one sample: the mean of a batch of runs. `single` has room for the times of one. */
static enum clopt_status sample_once(struct clopt_session *session, unsigned batch, double *single,
                                     double *row, struct clopt_error *error)
{
    size_t kernels = session->kernel_count;
    for (size_t k = 0; k <= kernels; k++)
        row[k] = 0;
    for (unsigned run = 0; run < batch; run++) {
        struct clopt_run_times times = {.kernels_ns = single};
        enum clopt_status status = clopt_session_run(session, &times, error);
        if (status)
            return status;
        for (size_t k = 0; k < kernels; k++)
            row[k] += single[k] / batch;
        row[kernels] += times.whole_ns / batch;
    }
    return CLOPT_OK;
}

/* How many runs make a sample, from the times of one: the shortest kernel must last for many ticks
 * of the event clock. */
static unsigned batch_size(const struct clopt_session *session, const double *row)
{
    double shortest = INFINITY;
    for (size_t k = 0; k < session->kernel_count; k++)
        if (session->launched[k] && row[k] < shortest)
            shortest = row[k];
    double wanted = TICKS_PER_SAMPLE * clopt_context_tick_ns(&session->workspace->context);
    if (shortest >= wanted)
        return 1;
    double runs = ceil(wanted / fmax(shortest, 1));
    return runs < LONGEST_BATCH ? (unsigned)runs : LONGEST_BATCH;
}

/* Takes one sample of the energy of a launch, or of that times how long it lasts: runs are repeated
 * until the counter has moved so often that its steps no longer matter. Kernels share the mean
 * power of that time by how long they run. */
static enum clopt_status sample_energy(struct clopt_session *session,
                                       enum clopt_objective objective, double *single, double *row,
                                       struct clopt_error *error)
{
    struct clopt_energy *energy = session->workspace->energy;
    double before_nj, after_nj = 0, busy_ns = 0, took_ns = 0;
    size_t kernels = session->kernel_count;
    unsigned runs = 0;
    enum clopt_status status = clopt_energy_read(energy, &before_nj, error);
    int64_t began = clopt_now_ns();
    for (size_t k = 0; k <= kernels; k++)
        row[k] = 0;
    while (!status && took_ns < CLOPT_ENERGY_SAMPLE_NS) {
        struct clopt_run_times times = {.kernels_ns = single};
        status = clopt_session_run(session, &times, error);
        for (size_t k = 0; k < kernels && !status; k++)
            busy_ns += single[k], row[k] += single[k];
        row[kernels] += status ? 0 : times.whole_ns;
        took_ns = (double)(clopt_now_ns() - began);
        runs++;
    }
    if (!status)
        status = clopt_energy_read(energy, &after_nj, error);
    if (!status && !(after_nj > before_nj))
        status = clopt_fail(error, CLOPT_FAILED, "the energy counter did not move for %.1f s",
                            took_ns * 1e-9);
    if (!status && busy_ns < LEAST_BUSY * took_ns)
        status =
            clopt_fail(error, CLOPT_INFEASIBLE,
                       "its kernels ran in %.0f%% of the time in which energy was read, %.0f%% "
                       "are needed to tell theirs: choose a larger size",
                       100 * busy_ns / took_ns, 100 * LEAST_BUSY);
    for (size_t k = 0; k <= kernels && !status; k++) {
        double time_ns = row[k] / runs;
        row[k] = time_ns / took_ns * (after_nj - before_nj);
        if (objective == CLOPT_OBJECTIVE_ENERGY_DELAY)
            row[k] *= time_ns * 1e-9;
    }
    return status;
}

/* Decides how many runs make a sample of a variant. Where more than one seem to be needed, further
 * runs show first what the clock's tick really is. */
static enum clopt_status choose_batch(struct clopt_session *session, double *single, double *row,
                                      struct clopt_error *error)
{
    enum clopt_status status = sample_once(session, 1, single, row, error);
    unsigned first = status ? 0 : batch_size(session, row);
    for (unsigned run = 1; run < first && !status; run++) {
        if (session->workspace->context.ticks_seen >= CLOPT_TICKS_KNOWN)
            break;
        status = sample_once(session, 1, single, row, error);
    }
    session->batch = status || first == 1 ? first : batch_size(session, row);
    return status;
}

static enum clopt_status take(struct clopt_session *session, enum clopt_objective objective,
                              size_t count, int64_t max_ns, struct clopt_sample_block *block,
                              struct clopt_error *error)
{
    double *single = calloc(session->kernel_count, sizeof *single);
    *block = (struct clopt_sample_block){.columns = session->kernel_count + 1};
    block->times_ns = calloc(count, block->columns * sizeof *block->times_ns);
    enum clopt_status status = single && block->times_ns ? CLOPT_OK : clopt_fail_memory(error);
    int64_t began = clopt_now_ns();
    if (!status && objective != CLOPT_OBJECTIVE_TIME)
        status = clopt_workspace_open_energy(session->workspace, error);
    else if (!status && session->batch == 0) {
        status = choose_batch(session, single, block->times_ns, error);
        block->count = !status && session->batch == 1; /* that was a sample */
    }
    while (!status && block->count < count &&
           (block->count == 0 || clopt_now_ns() - began < max_ns)) {
        double *row = block->times_ns + block->count * block->columns;
        status = objective == CLOPT_OBJECTIVE_TIME
                     ? sample_once(session, session->batch, single, row, error)
                     : sample_energy(session, objective, single, row, error);
        block->count += !status;
    }
    free(single);
    return status;
}

enum clopt_status clopt_samples_take(struct clopt_session *session, enum clopt_objective objective,
                                     size_t count, int64_t max_ns, struct clopt_sample_block *block,
                                     struct clopt_error *error)
{
    struct clopt_stage_clock *clock = &session->workspace->clock;
    *block = (struct clopt_sample_block){0};
    enum clopt_status status = clopt_session_make_buffers(session, error);
    if (status)
        return status;
    clopt_stage_begin(clock, CLOPT_STAGE_SAMPLE);
    return clopt_stage_end(clock, take(session, objective, count, max_ns, block, error));
}
