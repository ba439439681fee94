/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts by the counters of plugins. */
#include "worker/counting.h"

#include <time.h>

#define LONGEST_MS                                                                                 \
    1024 /* a counter that does not move in so long, and twice that before, is none */
#define STILL_S 2

struct clopt_counting {
    struct opened {
        const struct clopt_counter *counter;
        void *state;
    } * items;
    size_t count;
};

/* Returns the counter after number `*at` that has a use, and what it takes; NULL: there is none. */
static const struct clopt_counter *next_counter(const struct clopt_registry *registry,
                                                enum clopt_counter_use use, size_t *at)
{
    const struct clopt_plugin_entry *entry;
    bool measures = use >= CLOPT_MEASURES_PEAKS;
    while ((entry = clopt_registry_entry(registry, CLOPT_KIND_COUNTER, (*at)++))) {
        const struct clopt_counter *counter = entry->extension->operations;
        if (counter->use == use && (measures ? counter->measure != NULL : counter->open != NULL))
            return counter;
    }
    return NULL;
}

/* Waits until the counter moves. */
static enum clopt_status see_it_move(struct clopt_counting *counting, struct clopt_error *error)
{
    for (long ms = 1; ms <= LONGEST_MS; ms *= 2) {
        struct timespec pause = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
        CLOPT_TRY(clopt_counting_begin(counting, error));
        nanosleep(&pause, NULL);
        CLOPT_TRY(clopt_counting_end(counting, 0, error));
        if (clopt_counting_value(counting) > 0)
            return CLOPT_OK;
    }
    return clopt_fail(error, CLOPT_FAILED, "its energy counter did not move for %d s", STILL_S);
}

/* Opens one counter more. */
static enum clopt_status open_counter(struct clopt_counting *counting,
                                      const struct clopt_counter *counter,
                                      const struct clopt_context *context, unsigned kernels,
                                      struct clopt_error *error)
{
    void *state = NULL;
    CLOPT_TRY(counter->open(context, kernels, &state, error));
    struct opened *item = clopt_array_add(&counting->items, &counting->count, sizeof *item);
    *item = (struct opened){counter, state};
    return counter->use == CLOPT_COUNTS_ENERGY ? see_it_move(counting, error) : CLOPT_OK;
}

static void close_all(struct clopt_counting *counting)
{
    for (; counting->count; counting->count--) {
        struct opened *item = &counting->items[counting->count - 1];
        item->counter->close(item->state);
    }
}

enum clopt_status clopt_counting_open(const struct clopt_registry *registry,
                                      const struct clopt_context *context,
                                      enum clopt_counter_use use, unsigned kernels,
                                      struct clopt_counting **counting, struct clopt_error *error)
{
    CLOPT_HELD(clopt_counting) opened = clopt_calloc(1, sizeof *opened);
    const struct clopt_counter *counter;
    struct clopt_error why = {0};
    size_t at = 0;
    while ((counter = next_counter(registry, use, &at)) &&
           !(use == CLOPT_COUNTS_ENERGY && opened->count)) {
        enum clopt_status status = open_counter(opened, counter, context, kernels, error);
        if (status == CLOPT_OK || status == CLOPT_INFEASIBLE)
            continue;
        if (use != CLOPT_COUNTS_ENERGY)
            return status;
        why = why.status ? why : *error;
        close_all(opened);
    }
    if (!opened->count)
        return why.status ? clopt_fail(error, why.status, "%s", why.message)
                          : clopt_fail(error, CLOPT_INFEASIBLE,
                                       "no plugin counts it on such "
                                       "devices");
    *counting = opened;
    opened = NULL;
    return CLOPT_OK;
}

void clopt_counting_close(struct clopt_counting *counting)
{
    if (!counting)
        return;
    close_all(counting);
    free(counting->items);
    free(counting);
}

enum clopt_status clopt_counting_begin(struct clopt_counting *counting, struct clopt_error *error)
{
    for (size_t i = 0; i < counting->count; i++)
        CLOPT_TRY(counting->items[i].counter->begin(counting->items[i].state, error));
    return CLOPT_OK;
}

enum clopt_status clopt_counting_end(struct clopt_counting *counting, unsigned kernel,
                                     struct clopt_error *error)
{
    for (size_t i = counting->count; i-- > 0;)
        CLOPT_TRY(counting->items[i].counter->end(counting->items[i].state, kernel, error));
    return CLOPT_OK;
}

void clopt_counting_list(const struct clopt_counting *counting, unsigned kernel,
                         clopt_count_taker *take, void *user)
{
    struct clopt_reading count;
    for (size_t i = 0; i < counting->count; i++)
        for (unsigned n = 0;
             counting->items[i].counter->get(counting->items[i].state, kernel, n, &count); n++)
            take(user, kernel, &count);
}

double clopt_counting_value(const struct clopt_counting *counting)
{
    struct clopt_reading count = {.value = 0};
    counting->items[0].counter->get(counting->items[0].state, 0, 0, &count);
    return count.value;
}

struct clopt_counting *clopt_waits_open(const struct clopt_registry *registry,
                                        const struct clopt_context *context)
{
    struct clopt_counting *waits = NULL;
    clopt_counting_open(registry, context, CLOPT_COUNTS_WAITS, 0, &waits, NULL);
    return waits;
}

void clopt_waits_begin(struct clopt_counting *waits)
{
    if (waits)
        clopt_counting_begin(waits, NULL);
}

double clopt_waits_end(struct clopt_counting *waits)
{
    return waits && !clopt_counting_end(waits, 0, NULL) ? clopt_counting_value(waits) : 0;
}

enum clopt_status clopt_counter_measure(const struct clopt_registry *registry,
                                        const struct clopt_context *context,
                                        enum clopt_counter_use use, json_t **rates,
                                        struct clopt_error *error)
{
    size_t at = 0;
    const struct clopt_counter *counter = next_counter(registry, use, &at);
    return counter ? counter->measure(context, rates, error)
                   : clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                                "no plugin measures it; `clopt plugins --kind=counter` lists those "
                                "that there are");
}

enum clopt_status clopt_clock_measure(const struct clopt_registry *registry,
                                      struct clopt_context *context, struct clopt_error *error)
{
    struct clopt_clock *clock = &context->clock;
    json_auto_t *found = NULL;
    if (!clock->source) {
        CLOPT_TRY(clopt_counter_measure(registry, context, CLOPT_MEASURES_CLOCK, &found, error));
        *clock = clopt_clock_from_json(found);
    }
    return clopt_clock_check(clock, error);
}
