/* SPDX-License-Identifier: BSD-3-Clause */
/* Which clock of a device is believed, by what was measured and by later runs. */
#include "opencl/clock.h"

#include <math.h>

#include "text/json.h"

/* What is said where neither clock can be believed. */
static enum clopt_status fail_clock(struct clopt_clock *clock, struct clopt_error *error)
{
    clock->source = CLOPT_CLOCK_NONE;
    return clopt_fail(error, CLOPT_INFEASIBLE,
                      "%s, and by the host's clock a launch of several times as much does not take "
                      "longer: no time of this device can be believed; use another driver of it",
                      clock->reason);
}

enum clopt_status clopt_clock_check(struct clopt_clock *clock, struct clopt_error *error)
{
    bool works = clock->source == CLOPT_CLOCK_EVENTS ||
                 (clock->source == CLOPT_CLOCK_HOST && clock->host_works);
    return works ? CLOPT_OK : fail_clock(clock, error);
}

enum clopt_status clopt_clock_doubt(struct clopt_clock *clock, const char *reason,
                                    struct clopt_error *error)
{
    snprintf(clock->reason, sizeof clock->reason, "%s", reason);
    if (!clock->host_works)
        return fail_clock(clock, error);
    clock->source = CLOPT_CLOCK_HOST;
    clock->resolution_ns = clock->host_resolution_ns;
    return clopt_fail(error, CLOPT_INFEASIBLE, "%s", reason);
}

double clopt_clock_host_time(const struct clopt_clock *clock, double host_ns)
{
    return fmax(host_ns - clock->overhead_ns, 0);
}

/* ---- runs of a variant ---- */

/* A run shorter than this share of the shortest one in which both clocks agreed as well as ever is
 * suspect: did the driver's clock stand still? So many are too many, where as many runs agreed. */
#define STOOD_STILL   0.5
#define NEARLY        0.9
#define MOST_SUSPECTS 3
#define HELD_UP       3    /* a run so many times as long by the host's clock says nothing */
#define OVERHEADS     4    /* a run shorter than this many: the host measures its own calls */
#define TOO_LONG      1.01 /* that events may say a run takes */

static bool is_too_short(const struct clopt_believed *known, const struct clopt_clock *clock,
                         double events_ns)
{
    return known->shortest_ns > OVERHEADS * clock->overhead_ns &&
           events_ns < STOOD_STILL * known->shortest_ns;
}

bool clopt_believed_add(struct clopt_believed *known, struct clopt_clock *clock, double events_ns,
                        double host_ns)
{
    double agreement = events_ns / host_ns;
    if (events_ns > TOO_LONG * host_ns + clock->resolution_ns)
        return false;
    if (is_too_short(known, clock, events_ns) && host_ns >= known->shortest_ns &&
        host_ns <= HELD_UP * known->shortest_ns && agreement < STOOD_STILL * known->closest) {
        known->suspect_ns = known->suspects ? fmin(known->suspect_ns, events_ns) : events_ns;
        known->suspects++;
        return ++clock->suspects < MOST_SUSPECTS || known->agreeing < MOST_SUSPECTS;
    }
    known->closest = fmax(known->closest, agreement);
    bool agrees = agreement >= NEARLY * known->closest;
    known->agreeing += agrees;
    /* A run that was held up on the device agrees, too: a later one is shorter by either clock. */
    double run_ns = agrees ? events_ns : host_ns;
    if (!(known->shortest_ns > 0) || run_ns < known->shortest_ns)
        known->shortest_ns = run_ns;
    if (!is_too_short(known, clock, known->suspect_ns)) {
        clock->suspects -= known->suspects;
        known->suspects = 0;
    }
    return true;
}

/* ---- words ---- */

const char *clopt_clock_name(enum clopt_clock_source of)
{
    static const char *const names[] = {NULL, "events", "host", "none"};
    return names[of];
}

enum clopt_clock_source clopt_clock_find(const char *name)
{
    for (enum clopt_clock_source i = CLOPT_CLOCK_EVENTS; name && i <= CLOPT_CLOCK_NONE; i++)
        if (strcmp(name, clopt_clock_name(i)) == 0)
            return i;
    return CLOPT_CLOCK_UNKNOWN;
}

/* Appends a time with its unit. */
static void say_time(struct clopt_text *text, double ns)
{
    if (ns < 1e3)
        clopt_text_printf(text, "%.0f ns", ns);
    else if (ns < 1e6)
        clopt_text_printf(text, "%.3g us", ns * 1e-3);
    else
        clopt_text_printf(text, "%.3g ms", ns * 1e-6);
}

void clopt_clock_say(struct clopt_text *text, const struct clopt_clock *clock)
{
    if (clock->source == CLOPT_CLOCK_EVENTS) {
        clopt_text_append(text, "events, tick ");
        say_time(text, clock->resolution_ns);
        clopt_text_printf(text, ", within %.1f%% of the host's clock",
                          100 * fabs(clock->agreement - 1));
    } else if (clock->source == CLOPT_CLOCK_HOST) {
        clopt_text_append(text, "the host's, without the overhead of a launch, ");
        say_time(text, clock->overhead_ns);
        clopt_text_append(text, " give or take ");
        say_time(text, clock->resolution_ns);
        clopt_text_printf(text, ", since %s", clock->reason);
    } else if (clock->source == CLOPT_CLOCK_NONE) {
        clopt_text_printf(text, "none: %s", clock->reason);
    }
}

json_t *clopt_clock_to_json(const struct clopt_clock *clock)
{
    return clopt_json_object("source:s resolution_ns:d overhead_ns:d agreement:d reason:s",
                             clopt_clock_name(clock->source), clock->resolution_ns,
                             clock->overhead_ns, clock->agreement,
                             clock->reason[0] ? clock->reason : NULL);
}

struct clopt_clock clopt_clock_from_json(const json_t *json)
{
    struct clopt_clock clock = {.agreement = NAN};
    const char *reason = json_string_value(json_object_get(json, "reason"));
    const json_t *agreement = json_object_get(json, "agreement");
    clock.source = clopt_clock_find(json_string_value(json_object_get(json, "source")));
    clock.resolution_ns = json_number_value(json_object_get(json, "resolution_ns"));
    clock.overhead_ns = json_number_value(json_object_get(json, "overhead_ns"));
    clock.host_works = json_is_true(json_object_get(json, "host_works"));
    clock.host_resolution_ns = json_number_value(json_object_get(json, "host_resolution_ns"));
    if (json_is_number(agreement))
        clock.agreement = json_number_value(agreement);
    snprintf(clock.reason, sizeof clock.reason, "%s", reason ? reason : "");
    return clock;
}
