/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a study: opens what it needs, has the schedule advance to the end, records the rest. */
#include "supervisor/supervisor.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "file/cache.h"
#include "file/file.h"
#include "pool/query.h"
#include "store/cursor.h"
#include "supervisor/rules.h"
#include "trial/observer.h"

#define BUILDS_FOLDER     "builds"
#define MOST_BUILDS_BYTES ((uint64_t)1 << 30) /* a study adds to it, and ends with no more */

struct supervisor {
    struct clopt_run run;
    struct clopt_study *study;
    const struct clopt_supervisor_options *options;
    size_t jobs; /* workers that may build at the same time */
    uint64_t trials;
    struct {
        char *scratch;
        char *builds;       /* where programs are kept: for later studies, or below scratch */
        char *driver_cache; /* the caches of drivers, in it */
    } folders;
    struct clopt_pool pool;
    struct clopt_schedule schedule;
    struct clopt_error failure;     /* what ends the run: every step goes on without it alone */
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
        stop_requested = signal_number;
    } else if (now - stop_requested_ns > AGAIN_NS) {
        signal(signal_number, SIG_DFL);
        raise(signal_number);
    }
}

/* Writing to what nobody reads any more fails; that is all. Programs that are started get the
 * signal all the same, as they would not if it were ignored. */
static void bear(int signal_number)
{
    (void)signal_number;
}

/* All that would end the process. SIGHUP: the terminal, or the connection to it, is gone. */
static const int stop_signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
                                   SIGUSR2, SIGALRM, SIGXCPU, SIGPIPE};

#define STOP_SIGNALS (sizeof stop_signals / sizeof *stop_signals)

/* Names a signal that surprises. */
static void fail_interrupted(struct clopt_error *error)
{
    bool usual = stop_requested == SIGINT || stop_requested == SIGTERM || stop_requested == SIGHUP;
    clopt_fail(error, CLOPT_INTERRUPTED, usual ? "interrupted" : "interrupted by signal %d (%s)",
               (int)stop_requested, strsignal(stop_requested));
}

static void catch_signals(struct sigaction old[STOP_SIGNALS])
{
    const struct sigaction action = {.sa_handler = request_stop};
    const struct sigaction bearing = {.sa_handler = bear, .sa_flags = SA_RESTART};
    stop_requested = 0;
    for (size_t i = 0; i < STOP_SIGNALS; i++) {
        sigaction(stop_signals[i], stop_signals[i] == SIGPIPE ? &bearing : &action, &old[i]);
        if (stop_signals[i] == SIGHUP && old[i].sa_handler == SIG_IGN)
            sigaction(SIGHUP, &old[i], NULL); /* nohup(1) */
    }
}

/* ---- the study ---- */

/* What workers told between two waits is one transaction, which ends before the next wait: what has
 * ended is stored, whatever comes. */
static void run(struct supervisor *supervisor)
{
    struct clopt_error *failure = &supervisor->failure;
    struct clopt_store *store = supervisor->run.store;
    const struct clopt_watcher *watcher = supervisor->options->watcher;
    clopt_store_begin(store, failure);
    while (!failure->status && clopt_schedule_advance(&supervisor->schedule)) {
        watcher->step(watcher->user, &supervisor->schedule);
        clopt_store_finish(store, CLOPT_OK, failure);
        watcher->show(watcher->user, &supervisor->schedule);
        clopt_store_begin(store, failure);
        clopt_pool_wait(&supervisor->pool, failure);
        if (!failure->status && stop_requested)
            fail_interrupted(failure);
    }
    clopt_store_finish(store, CLOPT_OK, failure); /* what is done is kept */
}

/* Makes the folder for what workers print and build: beside the store, so that a resumed study
 * clears away what a killed one left. */
static void make_scratch(struct supervisor *supervisor)
{
    supervisor->folders.scratch = clopt_text_format("%s.scratch", supervisor->options->store_path);
    clopt_scratch_create(supervisor->folders.scratch, &supervisor->failure);
}

/* Makes a folder of programs with that of drivers in it. */
static enum clopt_status try_builds(struct supervisor *supervisor, const char *parent,
                                    struct clopt_error *error)
{
    free(supervisor->folders.builds);
    free(supervisor->folders.driver_cache);
    const char *builds = supervisor->folders.builds = clopt_path_join(parent, BUILDS_FOLDER);
    supervisor->folders.driver_cache = clopt_path_join(builds, "driver");
    CLOPT_TRY(clopt_folder_create_own(parent, error));
    CLOPT_TRY(clopt_folder_create_own(builds, error));
    if (access(builds, W_OK) != 0)
        return clopt_fail(error, CLOPT_FAILED, "%s: %s", builds, strerror(errno));
    return clopt_folder_create_own(supervisor->folders.driver_cache, error);
}

/* Decides where programs are kept, and makes the folders. */
static void make_builds(struct supervisor *supervisor)
{
    struct clopt_error why = {0};
    bool keep = supervisor->run.study->measure.keep_builds;
    CLOPT_FREED char *cache = keep ? clopt_cache_folder(NULL) : NULL;
    if (!cache || try_builds(supervisor, cache, &why)) {
        if (why.status)
            clopt_text_print(supervisor->run.notices,
                             "clopt: note: nothing is kept for later studies: %s\n", why.message);
        try_builds(supervisor, supervisor->folders.scratch, &supervisor->failure);
    }
}

/* Puts the published times that the study is compared with into the store. */
static void put_published(struct supervisor *supervisor)
{
    struct clopt_store *store = supervisor->run.store;
    struct clopt_error *failure = &supervisor->failure;
    const char *source, *figure, *app, *kernel, *problem, *variant, *device, *outcome;
    double time_s;
    json_t *row;
    size_t i;
    clopt_store_begin(store, failure);
    json_array_foreach(supervisor->study->published, i, row)
    {
        if (!failure->status &&
            !json_unpack(row, "[s,s,s,s,s,s,s,F,s]", &source, &figure, &app, &kernel, &problem,
                         &variant, &device, &time_s, &outcome))
            clopt_store_put(store, CLOPT_SQL_PUT_PUBLISHED, failure, "rsssssssds", source, figure,
                            app, kernel, problem, variant, device, time_s > 0 ? time_s : NAN,
                            outcome);
    }
    clopt_store_finish(store, failure->status, failure);
}

/* Puts the run into the store, with how many trials a sample leaves out, and how many of the chosen
 * ones were drawn and are infeasible; and the devices of the study. */
static void put_run(struct supervisor *supervisor)
{
    const struct clopt_study *study = supervisor->run.study;
    struct clopt_store *store = supervisor->run.store;
    struct clopt_error *failure = &supervisor->failure;
    uint64_t not_chosen = 0, not_feasible = 0;
    for (size_t group = 0; group < clopt_space_group_count(study); group++) {
        uint64_t more = clopt_space_count_all(study, group) - clopt_space_count(study, group);
        not_chosen = more < UINT64_MAX - not_chosen ? not_chosen + more : UINT64_MAX;
        not_feasible += clopt_study_count_infeasible(study, group);
        supervisor->trials += clopt_space_order_make(study, group).count;
    }
    clopt_store_put_run(store, study->title, study->effective, study->seed, not_chosen,
                        not_feasible, failure);
    if (!failure->status && study->shard.count)
        clopt_store_put(store, CLOPT_SQL_PUT_SHARD, failure, "rii", (int64_t)study->shard.number,
                        (int64_t)study->shard.count);
    for (size_t i = 0; i < study->device_count && !failure->status; i++)
        clopt_store_put_device(store, study->devices[i].label, &supervisor->run.devices[i].info,
                               &supervisor->run.device_rows[i], failure);
}

/* Asks what verifies and what counts whether it can; without the latter they are not counted. */
static void ask_observers(struct supervisor *supervisor)
{
    const struct clopt_measure *measure = &supervisor->study->measure;
    const struct clopt_observer *verifies = measure->verifies;
    const struct clopt_observer *counter = measure->counter ? measure->counter->operations : NULL;
    struct clopt_error why = {0};
    if (verifies && verifies->usable && verifies->usable(true, &supervisor->failure))
        clopt_fail_within(&supervisor->failure, "%s: [measure] verify = %s",
                          supervisor->study->path, measure->verifier);
    if (counter && counter->usable)
        counter->usable(false, &why);
    else if (!counter)
        clopt_fail(&why, CLOPT_PLUGIN_UNUSABLE, "no plugin counts them");
    supervisor->run.counts = measure->counters && !why.status;
    if (measure->counters && why.status)
        clopt_text_print(supervisor->run.notices,
                         "clopt: note: instructions and memory accesses are not counted: %s\n",
                         why.message);
}

/* Finds the devices and makes room for what belongs to each. */
static void find_devices(struct supervisor *supervisor)
{
    struct clopt_run *run = &supervisor->run;
    struct clopt_error *failure = &supervisor->failure;
    if (clopt_supervisor_find_devices(supervisor->study, supervisor->options, &supervisor->pool,
                                      &run->devices, failure)) {
        if (stop_requested)
            fail_interrupted(failure);
        return;
    }
    supervisor->pool.devices = run->devices;
    run->device_rows = clopt_calloc(run->study->device_count, sizeof *run->device_rows);
    ask_observers(supervisor);
    if (!failure->status)
        clopt_supervisor_check_energy(run->study, &supervisor->pool, failure);
}

/* Opens the pool, and has the first workers load the drivers. */
static void open_pool(struct supervisor *supervisor)
{
    const struct clopt_study *study = supervisor->run.study;
    const struct clopt_supervisor_options *options = supervisor->options;
    const struct clopt_process_settings settings = {.program = options->program,
                                                    .plugin_path = options->plugin_path,
                                                    .kernel_path = options->kernel_path,
                                                    .scratch = supervisor->folders.scratch,
                                                    .builds = supervisor->folders.builds,
                                                    .driver_cache =
                                                        supervisor->folders.driver_cache,
                                                    .pin = study->measure.pin,
                                                    .stop = &stop_requested,
                                                    .begins = options->watcher->begins,
                                                    .user = options->watcher->user};
    struct clopt_error *failure = &supervisor->failure;
    clopt_pool_init(&supervisor->pool, &settings, &study->limits, CLOPT_MOST_SEATS);
    supervisor->pool.seat_count = supervisor->jobs + CLOPT_MEASUREMENTS;
    if (study->host_count &&
        study->transport->open(&supervisor->pool, study, options->jobs, options->notices, failure))
        return;
    clopt_pool_warm(&supervisor->pool,
                    CLOPT_FIRST_WORKERS(supervisor->jobs) + (supervisor->jobs > 1), failure);
}

/* Opens the schedule above the pool. */
static void open_schedule(struct supervisor *supervisor)
{
    clopt_schedule_init(&supervisor->schedule, &supervisor->run, supervisor->options->watcher,
                        supervisor->trials, supervisor->jobs);
}

/* Records how the run ended. */
static void end_run(struct supervisor *supervisor)
{
    const struct clopt_watcher *watcher = supervisor->options->watcher;
    struct clopt_error late = {0};
    clopt_pool_stop(&supervisor->pool);
    if (!watcher->end(watcher->user, &supervisor->schedule, &late))
        clopt_store_end_run(supervisor->run.store, supervisor->failure.status,
                            clopt_schedule_tally(&supervisor->schedule).not_reached, &late);
    if (!supervisor->failure.status)
        supervisor->failure = late;
}

static void supervisor_fini(struct supervisor *supervisor)
{
    clopt_pool_fini(&supervisor->pool); /* the workers first: they may be writing below scratch */
    clopt_schedule_fini(&supervisor->schedule);
    if (supervisor->folders.builds)
        clopt_cache_prune(supervisor->folders.builds, MOST_BUILDS_BYTES);
    if (supervisor->folders.scratch)
        clopt_scratch_remove(supervisor->folders.scratch);
    clopt_file_hashes_fini(&supervisor->files);
    free(supervisor->folders.scratch);
    free(supervisor->folders.builds);
    free(supervisor->folders.driver_cache);
    free(supervisor->run.devices);
    free(supervisor->run.device_rows);
}

enum clopt_status clopt_supervisor_run(struct clopt_study *study, struct clopt_store *store,
                                       const struct clopt_supervisor_options *options,
                                       struct clopt_error *error)
{
    static void (*const steps[])(struct supervisor *) = {
        make_scratch, make_builds, open_pool, find_devices, put_run, put_published, open_schedule};
    const size_t most = CLOPT_MOST_SEATS / 2;
    size_t jobs = options->jobs ? options->jobs : clopt_usable_processors();
    struct supervisor supervisor = {.run = {.study = study,
                                            .store = store,
                                            .pool = &supervisor.pool,
                                            .kernel_path = options->kernel_path,
                                            .files = &supervisor.files,
                                            .retry = options->retry,
                                            .ended = options->ended,
                                            .user = options->user,
                                            .notices = options->notices,
                                            .failure = &supervisor.failure},
                                    .study = study,
                                    .options = options,
                                    .jobs = jobs < most ? jobs : most};
    struct sigaction old[STOP_SIGNALS];
    catch_signals(old);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !supervisor.failure.status; i++)
        steps[i](&supervisor);
    if (!supervisor.failure.status) {
        options->watcher->start(options->watcher->user, &supervisor.schedule);
        if (!supervisor.failure.status && stop_requested)
            fail_interrupted(&supervisor.failure);
        if (!supervisor.failure.status)
            run(&supervisor);
        end_run(&supervisor);
    }
    const enum clopt_status status = supervisor.failure.status;
    if (status)
        *error = supervisor.failure;
    supervisor_fini(&supervisor);
    for (size_t i = 0; i < STOP_SIGNALS && !stop_requested; i++)
        sigaction(stop_signals[i], &old[i], NULL); /* else the signal may be on its way once more */
    return status;
}
