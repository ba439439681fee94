/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the devices of a study, in a worker: the supervisor itself never opens OpenCL. */

#include "pool/query.h"
#include "pool/transport.h"
#include "space/parameters.h"
#include "supervisor/supervisor.h"

/* What is known while devices are chosen. */
struct choosing {
    struct clopt_study *study;
    struct clopt_host_devices *hosts;
    size_t host_count;
    struct clopt_pool_device *found; /* members of study devices, in their order */
    size_t count;
    struct clopt_error *error;
};

/* Adds a device of the study that is as another one, under another host's name. */
static void add_like(const struct choosing *choosing, size_t device, size_t host)
{
    struct clopt_study *study = choosing->study;
    struct clopt_study_device *added =
        clopt_array_add(&study->devices, &study->device_count, sizeof *added);
    const struct clopt_study_device *like = &study->devices[device];
    *added = *like;
    added->label = clopt_text_format("%.*s@%s", (int)strcspn(like->label, "@"), like->label,
                                     choosing->hosts[host].host->name);
    added->platform = like->platform ? clopt_strdup(like->platform) : NULL;
    added->name = like->name ? clopt_strdup(like->name) : NULL;
    added->type = like->type ? clopt_strdup(like->type) : NULL;
}

/* Adds the members that a device of the study has on a host: they equal the first of all, and have
 * its driver, which compiles. `other`: it has another one there. */
static enum clopt_status add_members(struct choosing *choosing, size_t device, size_t host,
                                     size_t first, bool *other)
{
    const struct clopt_host_devices *listed = &choosing->hosts[host];
    size_t members[CLOPT_MOST_MEMBERS], count = 0;
    CLOPT_TRY(clopt_study_choose_members(choosing->study, device, listed->devices, listed->count,
                                         members, &count, choosing->error));
    const struct clopt_device_info *one = &listed->devices[members[0]];
    *other = first < choosing->count &&
             (!clopt_device_are_equal(&choosing->found[first].info, one) ||
              strcmp(choosing->found[first].info.driver_version, one->driver_version) != 0);
    for (size_t i = 0; i < count && !*other; i++) {
        struct clopt_pool_device *added =
            clopt_array_add(&choosing->found, &choosing->count, sizeof *added);
        *added =
            (struct clopt_pool_device){.info = listed->devices[members[i]],
                                       .ordinal = clopt_device_ordinal(listed->devices, members[i]),
                                       .host = listed->host,
                                       .is_member = true};
    }
    return CLOPT_OK;
}

/* Adds all members of a device of the study; returns how many. Hosts without it are passed over;
 * where it is another device on some, that becomes a device of the study, too. */
static size_t add_device(struct choosing *choosing, size_t device, struct clopt_error *why)
{
    size_t first = choosing->count, unlike = SIZE_MAX;
    bool *taken = choosing->study->devices[device].hosts_taken;
    for (size_t h = 0; h < choosing->host_count && !choosing->error->status; h++) {
        bool other;
        if (taken[h])
            continue;
        if (add_members(choosing, device, h, first, &other)) {
            *why = *choosing->error;
            *choosing->error = (struct clopt_error){0};
        } else if (!other)
            taken[h] = true;
        else if (unlike == SIZE_MAX)
            unlike = h;
    }
    if (unlike != SIZE_MAX && !choosing->error->status)
        add_like(choosing, device, unlike);
    return choosing->count - first;
}

/* Puts the members where they belong: the first of each device in its place, others after all. */
static struct clopt_pool_device *arrange(const struct choosing *choosing, const size_t *counts)
{
    size_t devices = choosing->study->device_count, next = devices;
    struct clopt_pool_device *arranged = clopt_calloc(choosing->count, sizeof *arranged);
    for (size_t d = 0, from = 0; d < devices; from += counts[d++])
        for (size_t i = 0, slot = d; choosing->found && i < counts[d]; i++) {
            if (i > 0)
                slot = arranged[slot].next = next++;
            arranged[slot] = choosing->found[from + i];
            arranged[slot].is_member = counts[d] > 1;
        }
    return arranged;
}

/* Chooses the study's devices from those that there are. */
static enum clopt_status choose_devices(struct choosing *choosing,
                                        const struct clopt_supervisor_options *options,
                                        struct clopt_pool_device **devices,
                                        struct clopt_error *error)
{
    struct clopt_study *study = choosing->study;
    CLOPT_FREED size_t *counts =
        clopt_calloc(CLOPT_MOST_HOSTS * (study->device_count + 1), sizeof *counts);
    for (size_t i = 0; i < study->device_count; i++) { /* this adds others */
        struct clopt_error why = {0};
        counts[i] = add_device(choosing, i, &why);
        if (!counts[i] && !error->status)
            *error = why;
        CLOPT_TRY(error->status);
    }
    CLOPT_FREED struct clopt_device_info *infos = clopt_calloc(study->device_count, sizeof *infos);
    *devices = arrange(choosing, counts);
    for (size_t i = 0; i < study->device_count; i++)
        infos[i] = (*devices)[i].info;
    CLOPT_TRY(clopt_study_check_rivals(study, infos, options->kernel_path, error));
    CLOPT_TRY(clopt_study_find_combinations(study, infos, error));
    return clopt_study_draw_samples(study, infos, options->notices, error);
}

/* Lists the devices of this host, or of those that the pool has. */
static enum clopt_status list_devices(struct clopt_pool *pool, struct choosing *choosing)
{
    if (pool->host_count)
        return pool->hosts->transport->list(pool, choosing->hosts, &choosing->host_count,
                                            choosing->error);
    struct clopt_host_devices *own = &choosing->hosts[choosing->host_count++];
    return clopt_pool_list(pool, &own->devices, &own->count, choosing->error);
}

enum clopt_status clopt_supervisor_find_devices(struct clopt_study *study,
                                                const struct clopt_supervisor_options *options,
                                                struct clopt_pool *pool,
                                                struct clopt_pool_device **devices,
                                                struct clopt_error *error)
{
    CLOPT_OWNED(clopt_query) query = {0};
    const struct clopt_process_settings settings = {.plugin_path = options->plugin_path,
                                                    .kernel_path = options->kernel_path,
                                                    .pin = study->measure.pin};
    struct clopt_host_devices hosts[CLOPT_MOST_HOSTS] = {{.host = NULL}};
    struct choosing choosing = {.study = study, .hosts = hosts, .error = error};
    *devices = NULL;
    *error = (struct clopt_error){0};
    enum clopt_status status = pool ? list_devices(pool, &choosing)
                                    : clopt_query_open(&query, &settings, &study->limits, error);
    if (!pool)
        hosts[choosing.host_count++] =
            (struct clopt_host_devices){.devices = query.devices, .count = query.count};
    if (!status)
        status = choose_devices(&choosing, options, devices, error);
    for (size_t i = 0; pool && i < choosing.host_count; i++)
        free(hosts[i].devices);
    free(choosing.found);
    return status;
}

enum clopt_status clopt_supervisor_check_energy(const struct clopt_study *study,
                                                struct clopt_pool *pool, struct clopt_error *error)
{
    const char *objective = clopt_objective_words(study->measure.objective)->name;
    struct clopt_error cause;
    if (study->measure.objective == CLOPT_OBJECTIVE_TIME)
        return CLOPT_OK;
    if (study->rival_count)
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: [measure] objective = %s: programs of [rival] tell their time alone",
                          study->path, objective);
    for (size_t i = 0; i < study->device_count; i++) {
        json_auto_t *none = NULL;
        CLOPT_TRY(clopt_pool_measure(pool, i, "energy", &none, &cause, error));
        if (cause.status)
            return clopt_fail(
                error, cause.status == CLOPT_INTERRUPTED ? cause.status : CLOPT_INVALID,
                "%s: [measure] objective = %s: the energy of [device %s] cannot be read: %s; "
                "objective = time needs no counter",
                study->path, objective, study->devices[i].label, cause.message);
    }
    return CLOPT_OK;
}
