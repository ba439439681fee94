/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes Pennycook's metric of performance portability. */
#include "view/portability.h"

#include <math.h>
#include <stdlib.h>

#include "base/text.h"

/* Whether a device has the trial of an earlier one: identical devices share what is measured. */
static bool is_repeated(const struct clopt_result *cells, size_t device)
{
    for (size_t d = 0; d < device; d++)
        if (cells[device].trial.id && cells[d].trial.id == cells[device].trial.id)
            return true;
    return false;
}

/* Whether something was tried on a device, and that was nowhere else. */
static bool does_count(const struct clopt_view *view, size_t device)
{
    bool tried = false;
    for (size_t i = 0; i < view->row_count; i++) {
        if (is_repeated(view->rows[i].row->cells, device))
            return false;
        tried |= view->rows[i].row->cells[device].present && !view->rows[i].rival;
    }
    return tried;
}

/* Whether a variant did not run correctly, as opposed to: was not tried, or not verified. */
static bool has_failed(const struct clopt_result *result)
{
    return result->present && result->outcome != CLOPT_OUTCOME_OK &&
           result->outcome != CLOPT_OUTCOME_PENDING;
}

/* Sums of what a variant takes on each device, the best there being 1. */
struct sums {
    double devices;
    double slowdown;
    double below; /* squared distances of the ends of the intervals */
    double above;
};

static void add_efficiency(struct sums *sums, const struct clopt_interval *efficiency)
{
    double slowdown = fmax(1, 1 / efficiency->median);
    double below = slowdown - fmax(1, 1 / efficiency->high);
    double above = fmax(1, 1 / efficiency->low) - slowdown;
    sums->devices++;
    sums->slowdown += slowdown;
    sums->below += below * below;
    sums->above += above * above;
}

static struct clopt_interval rate(const struct clopt_portability *portability, size_t row)
{
    const struct clopt_view *view = portability->view;
    struct clopt_interval metric = {NAN, NAN, NAN, 0, 0, true};
    struct sums sums = {0};
    bool unknown = false;
    for (size_t d = 0; d < view->results->device_count; d++) {
        const struct clopt_result *result = &view->rows[row].row->cells[d];
        const struct clopt_interval *efficiency = &result->times[view->scope].efficiency;
        if (!portability->counts[d])
            continue;
        if (has_failed(result))
            return (struct clopt_interval){.attained = true};
        if (clopt_result_shown(result, view->scope) && !isnan(efficiency->median)) {
            add_efficiency(&sums, efficiency);
            metric.samples += efficiency->samples;
            metric.attained = metric.attained && efficiency->attained;
            if (!metric.processes || efficiency->processes < metric.processes)
                metric.processes = efficiency->processes;
        } else {
            unknown = true;
        }
    }
    if (unknown || sums.devices == 0)
        return (struct clopt_interval){NAN, NAN, NAN, 0, 0, false};
    metric.median = sums.devices / sums.slowdown;
    metric.low = sums.devices / (sums.slowdown + sqrt(sums.above));
    metric.high = sums.devices / (sums.slowdown - sqrt(sums.below));
    return metric;
}

/* Marks the best rows of the devices that count, and counts these. */
static size_t list_best(struct clopt_portability *portability)
{
    const struct clopt_view *view = portability->view;
    size_t count = 0;
    for (size_t d = 0; d < view->results->device_count; d++)
        for (size_t i = 0; i < view->row_count; i++)
            if (portability->counts[d] && view->rows[i].row->cells[d].times[view->scope].best) {
                portability->listed[i] = true;
                count++;
            }
    return count;
}

enum clopt_status clopt_portability_init(struct clopt_portability *portability,
                                         const struct clopt_view *view, struct clopt_error *error)
{
    *portability = (struct clopt_portability){
        .view = view,
        .counts = calloc(view->results->device_count + 1, sizeof *portability->counts),
        .metrics = calloc(view->row_count + 1, sizeof *portability->metrics),
        .listed = calloc(view->row_count + 1, sizeof *portability->listed),
        .most = CLOPT_NO_ROW,
        .initial = CLOPT_NO_ROW,
    };
    if (!portability->counts || !portability->metrics || !portability->listed) {
        clopt_portability_fini(portability);
        return clopt_fail_memory(error);
    }
    for (size_t d = 0; d < view->results->device_count; d++)
        portability->counts[d] = does_count(view, d);
    portability->best_count = list_best(portability);
    double highest = 0;
    for (size_t i = 0; i < view->row_count; i++) {
        portability->metrics[i] =
            view->rows[i].rival ? clopt_interval_estimate(NULL, NULL, 0) : rate(portability, i);
        if (portability->metrics[i].median > highest) {
            highest = portability->metrics[i].median;
            portability->most = i;
        }
        if (view->rows[i].initial && portability->initial == CLOPT_NO_ROW)
            portability->initial = i;
    }
    if (portability->most != CLOPT_NO_ROW)
        portability->listed[portability->most] = true;
    if (portability->initial != CLOPT_NO_ROW)
        portability->listed[portability->initial] = true;
    return CLOPT_OK;
}

void clopt_portability_fini(struct clopt_portability *portability)
{
    free(portability->counts);
    free(portability->metrics);
    free(portability->listed);
    *portability = (struct clopt_portability){0};
}
