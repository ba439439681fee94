/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs of a study, and what a run is about: devices, problems, variants. */

#include <time.h>
#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "process/clock.h"
#include "store/statement.h"

static const struct {
    enum clopt_status status;
    const char *name;
} run_ends[] = {
    {CLOPT_OK, "ok"},
    {CLOPT_INTERRUPTED, "interrupted"},
    {CLOPT_DEVICE_LOST, "device-lost"},
    {CLOPT_FAILED, "failed"}, /* and all others */
};

#define RUN_END_COUNT (sizeof run_ends / sizeof *run_ends)

static const char *run_end_name(enum clopt_status status)
{
    size_t i = 0;
    while (i < RUN_END_COUNT - 1 && run_ends[i].status != status)
        i++;
    return run_ends[i].name;
}

enum clopt_status clopt_store_put_run(struct clopt_store *store, const char *title,
                                      const char *config, uint64_t seed, uint64_t not_chosen,
                                      uint64_t not_feasible, struct clopt_error *error)
{
    char seed_text[24];
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    store->began_s = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    store->began_ns = clopt_now_ns();
    snprintf(seed_text, sizeof seed_text, "%" PRIu64, seed);
    CLOPT_TRY(clopt_store_put(
        store, CLOPT_SQL_PUT_RUN, error, "ssssiid", title, config, seed_text, PACKAGE_VERSION,
        (int64_t)(not_chosen < INT64_MAX ? not_chosen : INT64_MAX),
        (int64_t)(not_feasible < INT64_MAX ? not_feasible : INT64_MAX), store->began_s));
    store->run = sqlite3_last_insert_rowid(store->database);
    return CLOPT_OK;
}

enum clopt_status clopt_store_end_run(struct clopt_store *store, enum clopt_status status,
                                      uint64_t not_reached, struct clopt_error *error)
{
    double ended_s = store->began_s + 1e-9 * (double)(clopt_now_ns() - store->began_ns);
    return clopt_store_put(store, CLOPT_SQL_END_RUN, error, "rdsi", ended_s, run_end_name(status),
                           (int64_t)not_reached);
}

/* What puts a row unless it is there, finds its id, and makes it part of the run. */
struct row {
    enum clopt_store_sql put, find, link;
    const char *doing;
};

/* Does so. Both of the first two statements get the parameters: the one that finds has the first of
 * them, or all. */
static enum clopt_status put_row(struct clopt_store *store, const struct row *row, int64_t *id,
                                 struct clopt_error *error, const char *types, ...)
{
    sqlite3_stmt *put = clopt_store_statement(store, row->put, error);
    sqlite3_stmt *find = put ? clopt_store_statement(store, row->find, error) : NULL;
    if (!find)
        return CLOPT_FAILED;
    for (int i = 0; i < 2; i++) {
        va_list arguments;
        va_start(arguments, types);
        clopt_store_vbind(i ? find : put, store->run, types, arguments);
        va_end(arguments);
    }
    CLOPT_TRY(clopt_store_begin(store, error));
    enum clopt_status status = clopt_store_run(store, put, row->doing, error);
    if (!status)
        status = clopt_store_get_integer(store, find, row->doing, id, error);
    if (!status && store->run)
        status = clopt_store_put(store, row->link, error, "ri", *id);
    return clopt_store_finish(store, status, error);
}

enum clopt_status clopt_store_put_device(struct clopt_store *store, const char *label,
                                         const struct clopt_device_info *device, int64_t *id,
                                         struct clopt_error *error)
{
    static const struct row row = {CLOPT_SQL_PUT_DEVICE, CLOPT_SQL_FIND_DEVICE,
                                   CLOPT_SQL_PUT_RUN_DEVICE, "store a device"};
    return put_row(store, &row, id, error, "ssssssssiiiii", label, device->platform, device->name,
                   device->vendor, device->type, device->opencl_version, device->driver_version,
                   device->platform_version, (int64_t)device->compute_units,
                   (int64_t)device->clock_mhz, (int64_t)device->max_work_group_size,
                   (int64_t)device->local_memory_bytes, (int64_t)device->global_memory_bytes);
}

enum clopt_status clopt_store_put_problem(struct clopt_store *store, const char *app,
                                          const char *label, const char *inputs_json, int64_t *id,
                                          struct clopt_error *error)
{
    static const struct row row = {CLOPT_SQL_PUT_PROBLEM, CLOPT_SQL_FIND_PROBLEM,
                                   CLOPT_SQL_PUT_RUN_PROBLEM, "store a problem"};
    return put_row(store, &row, id, error, "sss", app, label, inputs_json);
}

enum clopt_status clopt_store_put_variants(struct clopt_store *store,
                                           const struct clopt_store_variant *variants, size_t count,
                                           struct clopt_error *error)
{
    static const struct row row = {CLOPT_SQL_PUT_VARIANT, CLOPT_SQL_FIND_VARIANT,
                                   CLOPT_SQL_PUT_RUN_VARIANT, "store a variant"};
    enum clopt_status status = CLOPT_OK;
    CLOPT_TRY(clopt_store_begin(store, error));
    for (size_t i = 0; i < count && !status; i++) {
        const struct clopt_store_variant *own = &variants[i]; /* runs share rows that are equal */
        int64_t id;
        status =
            put_row(store, &row, &id, error, "iissiiss", own->device, own->problem, own->kernel,
                    own->name, own->ordinal, own->trial, own->reason, own->trial_json);
    }
    return clopt_store_finish(store, status, error);
}

enum clopt_status clopt_store_next_process(struct clopt_store *store, const char *host,
                                           int64_t *process, struct clopt_error *error)
{
    char name[256] = "";
    if (!host && gethostname(name, sizeof name - 1) == 0)
        host = name;
    CLOPT_TRY(clopt_store_put(store, CLOPT_SQL_PUT_PROCESS, error, "r"));
    *process = sqlite3_last_insert_rowid(store->database);
    return host && *host ? clopt_store_put(store, CLOPT_SQL_PUT_HOST, error, "is", *process, host)
                         : CLOPT_OK;
}
