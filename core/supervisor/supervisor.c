/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a study: opens what it needs, has the schedule advance until it is over, records the rest.
 */
#include "supervisor/supervisor.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cache.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/folder.h"
#include "base/text.h"
#include "pool/inquiry.h"
#include "space/order.h"
#include "space/parameters.h"
#include "space/sample.h"
#include "supervisor/governor.h"
#include "supervisor/schedule.h"
#include "supervisor/timeline.h"

#define BUILDS_FOLDER     "builds"
#define MOST_BUILDS_BYTES ((uint64_t)1 << 30) /* a study adds to it, and ends with no more */

struct supervisor {
    struct clopt_run run;
    const struct clopt_supervisor_options *options;
    size_t jobs; /* workers that may build at the same time */
    int64_t began_ns;
    double began_used_s;    /* processor time of this process, */
    struct clopt_load load; /* and all of it, when the run began */
    char *oclgrind;         /* the program; NULL: not needed */
    char *scratch;
    char *builds;       /* where programs are kept: for later studies, or below scratch */
    char *driver_cache; /* the caches of drivers, in it */
    struct clopt_pool pool;
    struct clopt_timeline timeline;
    struct clopt_schedule schedule;
    struct clopt_progress progress;
    struct clopt_error failure;     /* of tasks */
    struct clopt_file_hashes files; /* of the inputs */
};

/* ---- ctrl-C ---- */

#define AGAIN_NS 1000000000

static volatile sig_atomic_t stop_requested;
static int64_t stop_requested_ns;

/* Asks for the end of the study. A signal that comes at once a second time is the same one, which
 * timeout(1) sends to the process and to its group; a later one ends the process. */
static void request_stop(int signal_number)
{
    int64_t now = clopt_now_ns();
    if (!stop_requested) {
        stop_requested_ns = now;
        stop_requested = 1;
    } else if (now - stop_requested_ns > AGAIN_NS) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
}

/* SIGHUP: the terminal, or the connection to it, is gone. */
static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

#define STOP_SIGNALS (sizeof stop_signals / sizeof *stop_signals)

static void catch_signals(struct sigaction old[STOP_SIGNALS])
{
    const struct sigaction action = {.sa_handler = request_stop};
    stop_requested = 0;
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        sigaction(stop_signals[i], &action, &old[i]);
        if (stop_signals[i] == SIGHUP && old[i].sa_handler == SIG_IGN)
            sigaction(SIGHUP, &old[i], NULL); /* nohup(1) */
    }
}

static void release_signals(const struct sigaction old[STOP_SIGNALS])
{
    for (size_t i = 0; i < STOP_SIGNALS; i++)
        sigaction(stop_signals[i], &old[i], NULL);
}

/* ---- the study ---- */

/* What workers told between two waits is one transaction, which ends before the next wait: what has
 * ended is stored, whatever comes. */
static enum clopt_status run(struct supervisor *supervisor, struct clopt_error *error)
{
    struct clopt_error *failure = &supervisor->failure;
    struct clopt_store *store = supervisor->run.store;
    clopt_store_begin(store, failure);
    while (!failure->status && clopt_schedule_advance(&supervisor->schedule)) {
        clopt_store_finish(store, CLOPT_OK, failure);
        clopt_schedule_show(&supervisor->schedule);
        clopt_store_begin(store, failure);
        clopt_pool_wait(&supervisor->pool, failure);
        if (!failure->status && stop_requested)
            clopt_fail(failure, CLOPT_INTERRUPTED, "interrupted");
    }
    clopt_store_finish(store, CLOPT_OK, failure); /* what is done is kept */
    clopt_progress_end(&supervisor->progress);
    if (failure->status)
        *error = *failure;
    return failure->status;
}

/* Makes the folder for what workers print and build: beside the store, so that a resumed study
 * clears away what a killed one left. */
static enum clopt_status make_scratch(const char *store_path, char **scratch,
                                      struct clopt_error *error)
{
    struct clopt_text path = {0};
    clopt_text_printf(&path, "%s.scratch", store_path);
    *scratch = clopt_text_take(&path);
    if (!*scratch)
        return clopt_fail_memory(error);
    return clopt_scratch_create(*scratch, error);
}

/* Makes a folder of programs with that of drivers in it. */
static enum clopt_status try_builds(struct supervisor *supervisor, char *folder,
                                    struct clopt_error *error)
{
    supervisor->builds = folder;
    supervisor->driver_cache = folder ? clopt_path_join(folder, "driver") : NULL;
    if (!supervisor->driver_cache)
        return clopt_fail_memory(error);
    enum clopt_status status = clopt_folder_create_own(folder, error);
    if (!status && access(folder, W_OK) != 0)
        status = clopt_fail(error, CLOPT_FAILED, "%s: %s", folder, strerror(errno));
    return status ? status : clopt_folder_create_own(supervisor->driver_cache, error);
}

/* Decides where programs are kept, and makes the folders. */
static enum clopt_status make_builds(struct supervisor *supervisor, struct clopt_error *error)
{
    struct clopt_error why = {0};
    bool keep = supervisor->run.study->measure.keep_builds;
    char *cache = keep ? clopt_cache_folder(NULL) : NULL;
    if (cache && clopt_folder_create_own(cache, &why) == CLOPT_OK &&
        try_builds(supervisor, clopt_path_join(cache, BUILDS_FOLDER), &why) == CLOPT_OK) {
        free(cache);
        return CLOPT_OK;
    }
    if (why.status)
        clopt_text_print(supervisor->run.notices,
                         "clopt: note: nothing is kept for later studies: %s\n", why.message);
    free(cache);
    free(supervisor->builds);
    free(supervisor->driver_cache);
    return try_builds(supervisor, clopt_path_join(supervisor->scratch, BUILDS_FOLDER), error);
}

/* Puts the devices of the study into the store. */
static enum clopt_status put_devices(struct supervisor *supervisor, struct clopt_error *error)
{
    const struct clopt_study *study = supervisor->run.study;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < study->device_count && !status; i++)
        status = clopt_store_put_device(supervisor->run.store, study->devices[i].label,
                                        &supervisor->run.devices[i].info,
                                        &supervisor->run.device_rows[i], error);
    return status;
}

/* Puts the published times that the study is compared with into the store. */
static enum clopt_status put_published(struct supervisor *supervisor, struct clopt_error *error)
{
    const struct clopt_study *study = supervisor->run.study;
    enum clopt_status status = clopt_store_begin(supervisor->run.store, error);
    if (status)
        return status;
    for (size_t i = 0; i < study->published_count; i++)
        for (size_t j = 0; j < study->published[i].count && !status; j++) {
            const struct clopt_published *row = &study->published[i].items[j];
            const struct clopt_store_published published = {study->published[i].source,
                                                            row->figure,
                                                            row->app,
                                                            row->kernel,
                                                            row->problem,
                                                            row->variant,
                                                            row->device,
                                                            row->time_s,
                                                            row->outcome};
            status = clopt_store_put_published(supervisor->run.store, &published, error);
        }
    return clopt_store_finish(supervisor->run.store, status, error);
}

/* Records where the time went, after all workers have ended. */
static enum clopt_status put_stages(struct supervisor *supervisor, struct clopt_error *error)
{
    const struct clopt_pool *pool = &supervisor->pool;
    const struct clopt_load now = clopt_pool_load(pool);
    double wall_s = (double)(clopt_now_ns() - supervisor->began_ns) * 1e-9, in_stages_s = 0;
    enum clopt_status status = CLOPT_OK;
    for (enum clopt_stage stage = 0; stage < CLOPT_STAGES && !status; stage++) {
        in_stages_s += pool->seconds[stage];
        status = clopt_store_put_stage(supervisor->run.store, clopt_stage_name(stage),
                                       pool->seconds[stage], error);
    }
    const struct {
        const char *name;
        double seconds;
    } others[] = {{"start", pool->start_s},
                  {"other", fmax(pool->requests_s - pool->start_s - in_stages_s, 0)},
                  {"wall", wall_s},
                  {"waiting", fmax(wall_s - pool->busy_s, 0)},
                  {"supervisor", clopt_used_seconds(false) - supervisor->began_used_s},
                  {"machine", now.machine.all_s - supervisor->load.machine.all_s},
                  {"others", clopt_load_of_others(&supervisor->load, &now)}};
    for (size_t i = 0; i < sizeof others / sizeof *others && !status; i++)
        if (!isnan(others[i].seconds))
            status = clopt_store_put_stage(supervisor->run.store, others[i].name, others[i].seconds,
                                           error);
    return status;
}

static uint64_t count_trials(const struct clopt_study *study)
{
    uint64_t count = 0;
    for (size_t group = 0; group < clopt_space_group_count(study); group++)
        count += clopt_space_order_make(study, group).count;
    return count;
}

/* Puts the run into the store, with how many trials a sample leaves out, and how many of the chosen
 * ones were drawn and are infeasible. */
static enum clopt_status put_run(struct supervisor *supervisor, struct clopt_error *error)
{
    const struct clopt_study *study = supervisor->run.study;
    uint64_t not_chosen = 0, not_feasible = 0;
    for (size_t group = 0; group < clopt_space_group_count(study); group++) {
        uint64_t more = clopt_space_count_all(study, group) - clopt_space_count(study, group);
        not_chosen = more < UINT64_MAX - not_chosen ? not_chosen + more : UINT64_MAX;
        not_feasible += clopt_study_count_infeasible(study, group);
    }
    enum clopt_status status =
        clopt_store_put_run(supervisor->run.store, study->title, study->effective, study->seed,
                            not_chosen, not_feasible, error);
    if (!status && study->shard.count)
        status = clopt_store_put_shard(supervisor->run.store, study->shard.number,
                                       study->shard.count, error);
    return status;
}

/* Finds Oclgrind, where variants are to be checked or counted; without it they are not counted. */
static enum clopt_status find_oclgrind(struct supervisor *supervisor, struct clopt_error *error)
{
    const struct clopt_study *study = supervisor->run.study;
    const struct clopt_measure *measure = &study->measure;
    struct clopt_pool_device *oclgrind = &supervisor->run.devices[study->device_count];
    if (!measure->verify_oclgrind && !measure->counters)
        return CLOPT_OK;
    enum clopt_status status = clopt_supervisor_find_oclgrind(
        study, supervisor->options, &supervisor->oclgrind, &oclgrind->info, error);
    if (status && measure->verify_oclgrind)
        return clopt_fail_within(error, "%s: [measure] verify = oclgrind", study->path);
    if (status) {
        clopt_text_print(supervisor->run.notices,
                         "clopt: note: instructions and memory accesses are not counted: %s\n",
                         error->message);
        free(supervisor->oclgrind); /* it may be there, and be of no use */
        supervisor->oclgrind = NULL;
        *error = (struct clopt_error){0};
        return CLOPT_OK;
    }
    oclgrind->oclgrind = supervisor->oclgrind;
    oclgrind[1] = *oclgrind;
    oclgrind[1].counts = true;
    return CLOPT_OK;
}

/* Finds the devices and makes room for what belongs to each. */
static enum clopt_status find_devices(struct supervisor *supervisor, struct clopt_study *study,
                                      struct clopt_error *error)
{
    enum clopt_status status = clopt_supervisor_find_devices(
        study, supervisor->options, &supervisor->pool, &supervisor->run.devices, error);
    if (status)
        return status;
    supervisor->run.device_rows = calloc(study->device_count, sizeof *supervisor->run.device_rows);
    if (!supervisor->run.device_rows)
        return clopt_fail_memory(error);
    supervisor->pool.devices = supervisor->run.devices;
    return find_oclgrind(supervisor, error);
}

/* Measures what a device can do at most, unless the store knows, and puts it there. */
static enum clopt_status measure_device(struct supervisor *supervisor, size_t device,
                                        struct clopt_error *error)
{
    struct clopt_peaks peaks;
    struct clopt_error cause;
    int64_t row = supervisor->run.device_rows[device];
    enum clopt_status status = clopt_store_get_peaks(supervisor->run.store, row, &peaks, error);
    if (status || clopt_peaks_any(&peaks) ||
        !clopt_peaks_make_sense(&supervisor->run.devices[device].info))
        return status;
    clopt_progress_show(&supervisor->progress, 0, "measuring what the device can do at most");
    status = clopt_peaks_find(&supervisor->pool, device, &stop_requested, &peaks, &cause, error);
    if (status || stop_requested)
        return status;
    if (cause.status)
        clopt_text_print(supervisor->run.notices, "clopt: [device %s]: no peaks: %s\n",
                         supervisor->run.study->devices[device].label, cause.message);
    return cause.status ? CLOPT_OK
                        : clopt_store_put_peaks(supervisor->run.store, row, &peaks, error);
}

/* Warns where a processor that is measured may change its frequency meanwhile. */
static void warn_of_governor(const struct supervisor *supervisor)
{
    const struct clopt_study *study = supervisor->run.study;
    char governor[CLOPT_GOVERNOR_MAX];
    bool cpu = false;
    for (size_t i = 0; i < study->device_count; i++)
        cpu |= clopt_device_is_cpu(&supervisor->run.devices[i].info);
    if (cpu && clopt_governor_read(NULL, governor) && !clopt_governor_is_steady(governor))
        clopt_text_print(supervisor->run.notices,
                         "clopt: note: the system may change the processors' frequency (governor "
                         "%s), and times with it; `cpupower frequency-set -g performance` keeps "
                         "it\n",
                         governor);
}

/* Puts what is kept of a device's access rates into the store. */
static enum clopt_status recall_access(struct supervisor *supervisor, size_t device,
                                       struct clopt_error *error)
{
    struct clopt_access_rates rates = clopt_access_recall(&supervisor->run.devices[device].info);
    return clopt_access_any(&rates)
               ? clopt_store_put_access(supervisor->run.store, supervisor->run.device_rows[device],
                                        &rates, error)
               : CLOPT_OK;
}

static enum clopt_status measure_devices(struct supervisor *supervisor, struct clopt_error *error)
{
    const struct clopt_study *study = supervisor->run.study;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < study->device_count && !status; i++)
        status = recall_access(supervisor, i, error);
    for (size_t i = 0; i < study->device_count && study->measure.peaks && !status; i++)
        status = measure_device(supervisor, i, error);
    if (!status && stop_requested)
        status = clopt_fail(error, CLOPT_INTERRUPTED, "interrupted");
    return status;
}

/* How many workers may build at the same time. */
static size_t count_jobs(const struct clopt_supervisor_options *options)
{
    const size_t most = CLOPT_MOST_SEATS / 2;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t jobs = options->jobs ? options->jobs : processors > 0 ? (size_t)processors : 1;
    return jobs < most ? jobs : most;
}

/* Opens the pool, and has the first workers load the drivers. */
static enum clopt_status open_pool(struct supervisor *supervisor, struct clopt_error *error)
{
    const struct clopt_study *study = supervisor->run.study;
    const struct clopt_supervisor_options *options = supervisor->options;
    const struct clopt_process_settings settings = {.plugin_path = options->plugin_path,
                                                    .kernel_path = options->kernel_path,
                                                    .scratch = supervisor->scratch,
                                                    .builds = supervisor->builds,
                                                    .driver_cache = supervisor->driver_cache,
                                                    .pin = study->measure.pin,
                                                    .begins = clopt_timeline_note,
                                                    .user = &supervisor->timeline};
    enum clopt_status status = clopt_timeline_init(&supervisor->timeline, CLOPT_MOST_SEATS, error);
    if (!status)
        status =
            clopt_pool_init(&supervisor->pool, &settings, &study->limits, CLOPT_MOST_SEATS, error);
    if (status)
        return status;
    supervisor->pool.seat_count = supervisor->jobs + CLOPT_SWEEPS;
    return clopt_pool_warm(&supervisor->pool,
                           CLOPT_FIRST_WORKERS(supervisor->jobs) + (supervisor->jobs > 1), error);
}

/* Opens the schedule above the pool. */
static enum clopt_status open_schedule(struct supervisor *supervisor, struct clopt_error *error)
{
    const struct clopt_study *study = supervisor->run.study;
    supervisor->run.counts = study->measure.counters && supervisor->oclgrind;
    clopt_progress_begin(&supervisor->progress, supervisor->options->progress, count_trials(study));
    enum clopt_status status =
        clopt_schedule_init(&supervisor->schedule, &supervisor->run, &supervisor->pool,
                            &supervisor->progress, supervisor->jobs, error);
    supervisor->pool.seat_count = supervisor->jobs;
    for (size_t i = 0; i < supervisor->schedule.track_count; i++)
        supervisor->pool.seat_count += supervisor->schedule.tracks[i].sweep_count;
    if (!status && supervisor->pool.seat_count > CLOPT_MOST_SEATS)
        status = clopt_fail(error, CLOPT_INVALID, "%s: more than %d devices at the same time",
                            study->path, (CLOPT_MOST_SEATS / 2) / CLOPT_SWEEPS);
    return status;
}

/* Records how the run ended. */
static enum clopt_status end_run(struct supervisor *supervisor, enum clopt_status status,
                                 struct clopt_error *error)
{
    struct clopt_error late = {0};
    clopt_pool_stop(&supervisor->pool);
    if (put_stages(supervisor, &late) == CLOPT_OK &&
        clopt_timeline_put(&supervisor->timeline, supervisor->run.store, supervisor->began_ns,
                           &late) == CLOPT_OK &&
        clopt_store_end_run(supervisor->run.store, status,
                            clopt_schedule_tally(&supervisor->schedule).not_reached,
                            &late) == CLOPT_OK)
        return status;
    if (!status)
        *error = late;
    return error->status;
}

static void supervisor_fini(struct supervisor *supervisor)
{
    clopt_pool_fini(&supervisor->pool); /* the workers first: they may be writing below scratch */
    clopt_timeline_fini(&supervisor->timeline);
    clopt_schedule_fini(&supervisor->schedule);
    if (supervisor->builds)
        clopt_cache_prune(supervisor->builds, MOST_BUILDS_BYTES);
    if (supervisor->scratch)
        clopt_scratch_remove(supervisor->scratch);
    clopt_file_hashes_fini(&supervisor->files);
    free(supervisor->scratch);
    free(supervisor->builds);
    free(supervisor->driver_cache);
    free(supervisor->oclgrind);
    free(supervisor->run.devices);
    free(supervisor->run.device_rows);
}

enum clopt_status clopt_supervisor_run(struct clopt_study *study, struct clopt_store *store,
                                       const struct clopt_supervisor_options *options,
                                       struct clopt_error *error)
{
    struct supervisor supervisor = {.run = {.study = study,
                                            .store = store,
                                            .kernel_path = options->kernel_path,
                                            .files = &supervisor.files,
                                            .retry = options->retry,
                                            .notices = options->notices,
                                            .failure = &supervisor.failure},
                                    .options = options,
                                    .jobs = count_jobs(options),
                                    .began_ns = clopt_now_ns(),
                                    .began_used_s = clopt_used_seconds(false)};
    struct sigaction old[STOP_SIGNALS];
    supervisor.load = clopt_pool_load(&supervisor.pool);
    catch_signals(old);
    enum clopt_status status = make_scratch(options->store_path, &supervisor.scratch, error);
    if (!status)
        status = make_builds(&supervisor, error);
    if (!status)
        status = open_pool(&supervisor, error);
    if (!status)
        status = find_devices(&supervisor, study, error);
    if (!status)
        status = clopt_supervisor_check_energy(study, &supervisor.pool, &stop_requested, error);
    if (!status)
        status = put_run(&supervisor, error);
    if (!status)
        status = put_devices(&supervisor, error);
    if (!status)
        status = put_published(&supervisor, error);
    if (!status)
        status = open_schedule(&supervisor, error);
    if (!status) {
        warn_of_governor(&supervisor);
        status = measure_devices(&supervisor, error);
        status = end_run(&supervisor, status ? status : run(&supervisor, error), error);
    }
    supervisor_fini(&supervisor);
    if (!stop_requested) /* else the signal may be on its way once more */
        release_signals(old);
    return status;
}
