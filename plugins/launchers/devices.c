/* SPDX-License-Identifier: BSD-3-Clause */
/* Which devices the hosts of a study have. */
#include <clopt/memory.h>

#include "launchers/host.h"
#include "pool/query.h"
#include "process/clock.h"

#define LATE_NS ((int64_t)15 * 1000 * 1000 * 1000)

bool clopt_is_too_late(struct clopt_lateness *lateness, bool one_has)
{
    int64_t now = clopt_now_ns();
    if (one_has && !lateness->first_ns)
        lateness->first_ns = now;
    return lateness->first_ns &&
           now - lateness->first_ns > LATE_NS + 2 * (lateness->first_ns - lateness->began_ns);
}

/* A host that is asked. */
struct listing {
    struct clopt_question question;
    unsigned attempts;
};

/* Asks a host, or takes what it has answered; whether it has not ended. */
static bool go_on(struct clopt_pool *pool, struct listing *listing, struct clopt_host_devices *host,
                  struct clopt_error *error)
{
    struct clopt_reply *reply = &listing->question.reply;
    if (listing->question.task.seat)
        return true;
    if (host->listed || host->error.status || error->status)
        return false;
    if (!listing->attempts || clopt_reply_lacks(reply, listing->attempts)) {
        listing->attempts++;
        clopt_question_begin(pool, host->host, CLOPT_NO_DEVICE, json_pack("{s:s}", "op", "list"),
                             &listing->question, error);
        return true;
    }
    host->listed = !clopt_reply_take_devices(reply, &host->devices, &host->count, &host->error);
    json_decref(reply->answer);
    return false;
}

/* Has several hosts list their devices at the same time; those that are too late are not waited
 * for. Fails only where the pool does, or is to stop. */
static enum clopt_status list_hosts(struct clopt_pool *pool, struct clopt_host_devices *hosts,
                                    size_t count, struct clopt_error *error)
{
    struct clopt_lateness lateness = {.began_ns = clopt_now_ns()};
    CLOPT_FREED struct listing *listings = clopt_calloc(count + 1, sizeof *listings);
    bool waits = true, listed = false;
    while (waits && !error->status && !clopt_pool_is_to_stop(pool) &&
           !clopt_is_too_late(&lateness, listed)) {
        waits = false;
        for (size_t i = 0; i < count; i++) {
            waits |= go_on(pool, &listings[i], &hosts[i], error);
            listed |= hosts[i].listed;
        }
        if (waits && !error->status)
            clopt_pool_wait(pool, error);
    }
    for (size_t i = 0; i < count; i++)
        clopt_question_end(pool, &listings[i].question);
    return clopt_pool_is_to_stop(pool) && !error->status
               ? clopt_fail(error, CLOPT_INTERRUPTED, "interrupted")
               : error->status;
}

static bool is_listed(const struct clopt_host_devices *hosts, size_t count,
                      const struct clopt_host *host)
{
    for (size_t i = 0; i < count; i++)
        if (hosts[i].host == host)
            return true;
    return false;
}

/* Expects of hosts that have not come that they have the devices of another one. */
static void expect_hosts(struct clopt_pool *pool, struct clopt_host_devices *hosts, size_t *count)
{
    const struct clopt_host_devices first = hosts[0];
    for (size_t h = 0; h < pool->host_count; h++) {
        struct clopt_host *host = &pool->hosts[h];
        if (is_listed(hosts, *count, host) || host->state == CLOPT_HOST_REFUSED)
            continue;
        struct clopt_host_devices *added = &hosts[(*count)++];
        *added = first;
        added->host = host;
        added->devices = clopt_calloc(first.count, sizeof *first.devices);
        memcpy(added->devices, first.devices, first.count * sizeof *first.devices);
    }
}

/* Says why no host has listed its devices: that of one that was lost, or is left out. */
static enum clopt_status fail_unlisted(const struct clopt_pool *pool, struct clopt_error *error)
{
    for (size_t h = 0; h < pool->host_count; h++)
        if (pool->hosts[h].why.status) {
            *error = pool->hosts[h].why;
            return error->status;
        }
    return clopt_fail(error, CLOPT_FAILED, "no host lists its devices");
}

enum clopt_status clopt_hosts_list(struct clopt_pool *pool, struct clopt_host_devices *hosts,
                                   size_t *count, struct clopt_error *error)
{
    CLOPT_FREED struct clopt_host_devices *asked = clopt_calloc(pool->host_count, sizeof *asked);
    size_t ready = 0;
    for (size_t h = 0; h < pool->host_count; h++)
        if (pool->hosts[h].state == CLOPT_HOST_READY)
            asked[ready++].host = &pool->hosts[h];
    list_hosts(pool, asked, ready, error);
    for (size_t i = 0; i < ready; i++) {
        struct clopt_host *host = asked[i].host;
        if (asked[i].listed)
            hosts[(*count)++] = asked[i];
        else if (asked[i].error.status && host->state == CLOPT_HOST_READY && !error->status)
            clopt_host_leave_out(host, asked[i].error.message);
    }
    CLOPT_TRY(error->status);
    if (!*count)
        return fail_unlisted(pool, error);
    expect_hosts(pool, hosts, count);
    return CLOPT_OK;
}
