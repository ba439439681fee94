/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock that times the launches of a device: its driver's events, where they agree with the
 * host's clock, else that one. */
#pragma once

#include <jansson.h>

#include "text/text.h"

enum clopt_clock_source {
    CLOPT_CLOCK_UNKNOWN, /* not measured */
    CLOPT_CLOCK_EVENTS,
    CLOPT_CLOCK_HOST,
    CLOPT_CLOCK_NONE, /* neither can be believed */
};

struct clopt_clock {
    enum clopt_clock_source source;
    double resolution_ns; /* the tick of events, as it was seen: drivers may count more finely than
                           * they report; what the host's clock says of equal launches differs by
                           * so much */
    double overhead_ns;   /* of an empty launch by the host's clock, which is taken out of others */
    double agreement;     /* what events say of what the host's clock says; NaN: not known */
    bool host_works;      /* a longer launch takes longer by the host's clock */
    double host_resolution_ns;
    unsigned suspects; /* runs that were shorter than they can be */
    char reason[256];  /* why events are not believed */
};

/* Whether some clock can be believed, by what was measured: else CLOPT_INFEASIBLE, which says why,
 * and from then on there is none. */
enum clopt_status clopt_clock_check(struct clopt_clock *clock, struct clopt_error *error);

/* Events were found to be wrong by a launch: goes on with the host's clock, if that works, and
 * returns CLOPT_INFEASIBLE with the reason. */
enum clopt_status clopt_clock_doubt(struct clopt_clock *clock, const char *reason,
                                    struct clopt_error *error);

/* What a launch takes without its overhead, by the host's clock; 0: less than can be told. */
double clopt_clock_host_time(const struct clopt_clock *clock, double host_ns);

/* What both clocks have said of runs. */
struct clopt_believed {
    double closest;     /* what events said of what the host's clock did, where that was most */
    double shortest_ns; /* by events, of the runs in which both agreed nearly so well; by the
                         * host's clock where that was less */
    double suspect_ns;  /* the shortest of the runs that seem too short */
    unsigned suspects;
    unsigned agreeing; /* runs in which both agreed nearly so well */
};

/* Whether what events say of a run can be true beside the host's clock, from the first call until
 * all was over. Other programs make the host hear of the end late: then later runs say the same,
 * and suspects are none. */
bool clopt_believed_add(struct clopt_believed *known, struct clopt_clock *clock, double events_ns,
                        double host_ns);

/* Appends which clock it is, its resolution and how both agree, in words. */
void clopt_clock_say(struct clopt_text *text, const struct clopt_clock *clock);

/* "events", "host", "none"; NULL: unknown. */
const char *clopt_clock_name(enum clopt_clock_source source);
enum clopt_clock_source clopt_clock_find(const char *name);

json_t *clopt_clock_to_json(const struct clopt_clock *clock);
struct clopt_clock clopt_clock_from_json(const json_t *json);
