/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs searches in a recording, and finds the quartiles of what they reach. */
#include "report/simulation.h"

#include <stdlib.h>

#include "number/statistics.h"

struct runs {
    struct clopt_replayed *trials; /* run by run, `budget` of each */
    size_t *counts;                /* how many a run has made */
    double *fractions;             /* of all runs at one step */
    size_t budget;
    size_t repeat;
};

/* Sorts what the runs have reached, and takes its quartiles. */
static struct clopt_simulated find_quartiles(struct runs *runs)
{
    struct clopt_quartiles quartiles = clopt_quartiles_find(runs->fractions, runs->repeat);
    size_t half = runs->repeat / 2;
    double median = runs->repeat % 2 ? runs->fractions[half]
                                     : (runs->fractions[half - 1] + runs->fractions[half]) / 2;
    return (struct clopt_simulated){quartiles.first_quarter, median, quartiles.third_quarter};
}

static void measure_by_trials(struct runs *runs, struct clopt_simulated *curve)
{
    for (size_t trial = 0; trial < runs->budget; trial++) {
        for (size_t run = 0; run < runs->repeat; run++) {
            size_t last = trial < runs->counts[run] ? trial : runs->counts[run] - 1;
            runs->fractions[run] = runs->trials[run * runs->budget + last].fraction;
        }
        curve[trial] = find_quartiles(runs);
    }
}

static void measure_by_seconds(struct runs *runs, double limit_s, struct clopt_simulated *curve)
{
    for (size_t step = 0; step < runs->budget; step++) {
        double time_s = limit_s * (double)(step + 1) / (double)runs->budget;
        for (size_t run = 0; run < runs->repeat; run++) {
            const struct clopt_replayed *trials = runs->trials + run * runs->budget;
            size_t done = 0;
            while (done < runs->counts[run] && trials[done].cost_s <= time_s)
                done++;
            runs->fractions[run] = done ? trials[done - 1].fraction : 0;
        }
        curve[step] = find_quartiles(runs);
    }
}

static enum clopt_status simulate(struct clopt_simulation *simulation, struct runs *runs,
                                  const struct clopt_simulation_request *request,
                                  struct clopt_simulation_curve *curve, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    curve->by_trials = calloc(runs->budget, sizeof *curve->by_trials);
    curve->by_seconds = calloc(runs->budget, sizeof *curve->by_seconds);
    if (!curve->by_trials || !curve->by_seconds)
        return clopt_fail_memory(error);
    for (size_t run = 0; run < runs->repeat && !status; run++) {
        if (request->progress)
            fprintf(request->progress, "\r%s: run %zu of %zu\033[K", curve->strategy->name, run + 1,
                    runs->repeat);
        status =
            clopt_replay(simulation->recording, curve->strategy, request->seed + run, runs->budget,
                         runs->trials + run * runs->budget, &runs->counts[run], error);
    }
    if (request->progress)
        fputs("\r\033[K", request->progress);
    if (status)
        return status;
    measure_by_trials(runs, curve->by_trials);
    if (simulation->limit_s > 0)
        measure_by_seconds(runs, simulation->limit_s, curve->by_seconds);
    return CLOPT_OK;
}

enum clopt_status clopt_simulation_init(struct clopt_simulation *simulation, const char *title,
                                        const struct clopt_recording *recording,
                                        const struct clopt_simulation_request *request,
                                        struct clopt_error *error)
{
    size_t budget =
        request->budget < recording->points.count ? request->budget : recording->points.count;
    size_t most = 0;
    while (request->strategies[most])
        most++;
    *simulation = (struct clopt_simulation){
        .title = title,
        .recording = recording,
        .repeat = request->repeat,
        .budget = budget,
        .limit_s = recording->cost_s * (double)budget,
        .curves = calloc(most + 1, sizeof *simulation->curves),
    };
    struct runs runs = {
        .trials = calloc(request->repeat * budget, sizeof *runs.trials),
        .counts = calloc(request->repeat, sizeof *runs.counts),
        .fractions = calloc(request->repeat, sizeof *runs.fractions),
        .budget = budget,
        .repeat = request->repeat,
    };
    bool good = simulation->curves && runs.trials && runs.counts && runs.fractions;
    enum clopt_status status = good ? CLOPT_OK : clopt_fail_memory(error);
    while (simulation->count < most && !status) {
        struct clopt_simulation_curve *curve = &simulation->curves[simulation->count];
        curve->strategy = request->strategies[simulation->count++];
        status = simulate(simulation, &runs, request, curve, error);
    }
    free(runs.trials);
    free(runs.counts);
    free(runs.fractions);
    if (status)
        clopt_simulation_fini(simulation);
    return status;
}

void clopt_simulation_fini(struct clopt_simulation *simulation)
{
    for (size_t i = 0; i < simulation->count; i++) {
        free(simulation->curves[i].by_trials);
        free(simulation->curves[i].by_seconds);
    }
    free(simulation->curves);
    *simulation = (struct clopt_simulation){0};
}
