/* SPDX-License-Identifier: BSD-3-Clause */
/* Which devices the hosts of a study have. */
#include <clopt/memory.h>

#include "launchers/host.h"
#include "pool/query.h"

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
    clopt_pool_list_hosts(pool, asked, ready, error);
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
