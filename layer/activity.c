/* SPDX-License-Identifier: BSD-3-Clause */
/* What the process does, moment by moment: in which call of OpenCL it is, or in none. */
#include "layer/layer.h"

#include <time.h>

static unsigned inside[CLOPT_ACTIVITIES]; /* threads; with the layer's lock held, as: */
static uint64_t noted_ns;                 /* up to when all is noted */
static struct clopt_record_line *line;    /* of the process; NULL: there is no room */

uint64_t clopt_activity_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Notes what was done until now. */
static void catch_up(struct clopt_record *record)
{
    enum clopt_activity activity = CLOPT_OPENS;
    uint64_t until = clopt_activity_now();
    while (activity < CLOPT_OUTSIDE && !inside[activity])
        activity++;
    record->activity_ns[activity] += until - noted_ns;
    if (line)
        clopt_line_add(line, activity, noted_ns, until);
    noted_ns = until;
}

uint64_t clopt_activity_note(enum clopt_activity activity, bool enters)
{
    struct clopt_record *record = clopt_record_get();
    if (!record || record->untimed)
        return 0;
    clopt_layer_lock();
    catch_up(record);
    inside[activity] += enters ? 1 : -1u;
    record->activity_calls[activity] += enters;
    uint64_t noted = noted_ns;
    clopt_layer_unlock();
    return noted;
}

void clopt_activity_waited(enum clopt_activity activity, uint64_t begin_ns, uint64_t ns)
{
    struct clopt_record *record = clopt_record_get();
    clopt_layer_lock();
    if (ns > record->activity_ns[activity]) /* another thread's counted meanwhile */
        ns = record->activity_ns[activity];
    record->activity_ns[activity] -= ns;
    record->activity_ns[CLOPT_WAITS] += ns;
    if (line)
        clopt_line_change(line, activity, CLOPT_WAITS, begin_ns, begin_ns + ns);
    clopt_layer_unlock();
}

void clopt_activities_begin(void)
{
    memset(inside, 0, sizeof inside);
    noted_ns = clopt_activity_now();
    line = clopt_record_claim_line(NULL);
}

/* What comes after the last call counts, too, unless the process ends by a signal or by _exit(). */
__attribute__((destructor)) static void note_the_end(void)
{
    clopt_activity_note(CLOPT_OUTSIDE, false);
}

/* ---- calls that only take time ---- */

#define TAKING(TYPE, NAME, ACTIVITY, PARAMETERS, ARGUMENTS)                                        \
    static CL_API_ENTRY TYPE CL_API_CALL timed_##NAME PARAMETERS                                   \
    {                                                                                              \
        clopt_activity_note(ACTIVITY, true);                                                       \
        TYPE result = clopt_next->cl##NAME ARGUMENTS;                                              \
        clopt_activity_note(ACTIVITY, false);                                                      \
        return result;                                                                             \
    }
TAKING(cl_context, CreateContext, CLOPT_OPENS,
       (const cl_context_properties *properties, cl_uint count, const cl_device_id *devices,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
        cl_int *error),
       (properties, count, devices, notify, user, error))
TAKING(cl_context, CreateContextFromType, CLOPT_OPENS,
       (const cl_context_properties *properties, cl_device_type type,
        void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *), void *user,
        cl_int *error),
       (properties, type, notify, user, error))

void clopt_activities_install(cl_icd_dispatch *dispatch)
{
#define INSTALL(NAME) dispatch->cl##NAME = timed_##NAME
    INSTALL(CreateContext);
    INSTALL(CreateContextFromType);
}
