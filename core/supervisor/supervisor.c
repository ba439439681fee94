/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a study.
 *
 * A batch of contenders is first prepared, built that is, by as many workers as there are, and then
 * measured in sweeps: one process at a time takes samples of all of them in turn. On a CPU device
 * nothing else runs meanwhile; while a GPU is measured the next batch for it is being built. */
#include "supervisor/supervisor.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/text.h"
#include "supervisor/group.h"
#include "supervisor/progress.h"
#include "supervisor/tasks.h"

#define FINAL_SWEEPS 2
#define TURN_MS      50

/* When a run began. */
struct clock {
    int64_t wall_ns;
    double used_s; /* of the processor's time */
};

/* A batch on its way. */
struct stage {
    struct clopt_batch batch; /* group NULL: none */
    size_t handed_out;        /* to builders */
    unsigned sweeps;
    bool rechecked;
};

struct supervisor {
    const struct clopt_study *study;
    struct clopt_store *store;
    struct clopt_group_context groups_context;
    struct clopt_task_context task_context;
    struct clopt_loop loop;
    char *scratch;
    struct clopt_prepare *builders; /* one a seat */
    size_t jobs;
    size_t next_group;
    struct clopt_group *group; /* whose batches are being filled */
    bool group_exhausted;
    struct stage preparing;
    struct stage sweeping;
    struct clopt_sweep sweep;
    struct clopt_recheck recheck;
    struct clopt_progress progress;
    uint64_t looked_at;
    struct clopt_error failure; /* of tasks */
};

static volatile sig_atomic_t stop_requested;

static void request_stop(int signal_number)
{
    (void)signal_number;
    stop_requested = 1;
}

static bool on_cpu(const struct supervisor *supervisor, const struct stage *stage)
{
    size_t device = stage->batch.group->device;
    return strcmp(supervisor->loop.devices[device].info.type, "cpu") == 0;
}

static bool is_empty(const struct stage *stage)
{
    return stage->batch.group == NULL;
}

/* ---- filling batches ---- */

static enum clopt_status begin_group(struct supervisor *supervisor, struct clopt_error *error)
{
    supervisor->group = calloc(1, sizeof *supervisor->group);
    if (!supervisor->group)
        return clopt_fail_memory(error);
    supervisor->group_exhausted = false;
    return clopt_group_init(supervisor->group, &supervisor->groups_context,
                            supervisor->next_group++, error);
}

static void end_group(struct supervisor *supervisor)
{
    if (supervisor->group)
        clopt_group_fini(supervisor->group);
    free(supervisor->group);
    supervisor->group = NULL;
}

/* How far from 1 the ratio of the initial code to its double may be; NaN where unknown. */
static enum clopt_status noise_of(const struct clopt_group *group, size_t column, double *noise,
                                  struct clopt_error *error)
{
    struct clopt_medians one = {0}, other = {0};
    bool good = clopt_contender_medians(&group->initial, column, &one) &&
                clopt_contender_medians(&group->again, column, &other);
    struct clopt_interval ratio = clopt_ratio_estimate(&one, &other);
    *noise = isnan(ratio.median) ? NAN : fmax(fabs(ratio.low - 1), fabs(ratio.high - 1));
    clopt_medians_fini(&one);
    clopt_medians_fini(&other);
    return good ? CLOPT_OK : clopt_fail_memory(error);
}

/* How the initial code changed from its first process to its last; 0 where that may be chance. */
static double drift_of(const struct clopt_contender *initial, size_t column)
{
    struct clopt_interval begin = clopt_contender_interval(initial, column, initial->process[0]);
    struct clopt_interval end =
        clopt_contender_interval(initial, column, initial->process[initial->count - 1]);
    return clopt_interval_overlap(&begin, &end) ? 0 : end.median / begin.median - 1;
}

/* Records noise and drift of every kernel, and of the whole run. */
static enum clopt_status put_noise(struct supervisor *supervisor, struct clopt_error *error)
{
    const struct clopt_group *group = supervisor->group;
    const struct clopt_kernel *kernels = clopt_entry_app(group->app)->kernels;
    if (group->initial.count == 0 || group->again.count == 0)
        return CLOPT_OK;
    enum clopt_status status = CLOPT_OK;
    for (size_t column = 0; column <= group->kernel_count && !status; column++) {
        const char *kernel = column < group->kernel_count ? kernels[column].name : "";
        double noise;
        status = noise_of(group, column, &noise, error);
        if (!status)
            status = clopt_store_put_noise(supervisor->store, group->device_row, group->problem_row,
                                           kernel, noise, drift_of(&group->initial, column), error);
    }
    return status;
}

/* Fills the next batch to prepare: of the group at hand, then its finalists, then the next group.
 */
static enum clopt_status fill_next(struct supervisor *supervisor, struct clopt_error *error)
{
    struct stage *stage = &supervisor->preparing;
    *stage = (struct stage){0};
    enum clopt_status status = CLOPT_OK;
    if (!supervisor->group) {
        if (supervisor->next_group == clopt_space_group_count(supervisor->study))
            return CLOPT_OK;
        status = begin_group(supervisor, error);
        if (status)
            return status;
    }
    if (!supervisor->group_exhausted) {
        uint64_t before = supervisor->looked_at;
        status = clopt_batch_fill(&stage->batch, &supervisor->groups_context, supervisor->group,
                                  &supervisor->looked_at, error);
        supervisor->group_exhausted = supervisor->group->position == supervisor->group->order.count;
        supervisor->progress.skipped += supervisor->looked_at - before - stage->batch.count;
        return status;
    }
    if (!is_empty(&supervisor->sweeping))
        return CLOPT_OK; /* the finalists are not known before that is over */
    status = clopt_batch_fill_finalists(&stage->batch, &supervisor->groups_context,
                                        supervisor->group, error);
    return status;
}

/* ---- preparing ---- */

/* Counts the contenders that are ready to be measured; `all` gets how many there are. */
static size_t count_prepared(const struct clopt_batch *batch, size_t *all)
{
    size_t prepared = 0;
    const struct clopt_contender *contender;
    for (*all = 0; (contender = clopt_batch_contender(batch, *all)); ++*all)
        prepared += contender->prepared;
    return prepared;
}

static bool is_being_prepared(const struct supervisor *supervisor,
                              const struct clopt_contender *contender)
{
    for (size_t i = 0; i < supervisor->jobs; i++)
        if (supervisor->builders[i].contender == contender)
            return true;
    return false;
}

static size_t busy_builders(const struct supervisor *supervisor)
{
    size_t busy = 0;
    for (size_t i = 0; i < supervisor->jobs; i++)
        busy += supervisor->builders[i].contender != NULL;
    return busy;
}

static struct clopt_prepare *free_builder(struct supervisor *supervisor)
{
    for (size_t i = 0; i < supervisor->jobs; i++)
        if (!supervisor->builders[i].contender)
            return &supervisor->builders[i];
    return NULL;
}

/* Hands contenders that are not prepared out to workers that are idle. */
static enum clopt_status hand_out(struct supervisor *supervisor, struct clopt_error *error)
{
    struct stage *stage = &supervisor->preparing;
    enum clopt_status status = CLOPT_OK;
    /* The process that measures a GPU meanwhile needs a processor to itself. */
    size_t most = supervisor->jobs - (!is_empty(&supervisor->sweeping) && supervisor->jobs > 1);
    struct clopt_contender *contender;
    for (size_t i = 0; !status && (contender = clopt_batch_contender(&stage->batch, i)); i++) {
        if (contender->prepared || is_being_prepared(supervisor, contender))
            continue;
        struct clopt_prepare *builder =
            busy_builders(supervisor) < most ? free_builder(supervisor) : NULL;
        size_t device = stage->batch.group->device;
        struct clopt_seat *seat =
            builder ? clopt_loop_idle_seat(&supervisor->loop, device, false) : NULL;
        if (!seat)
            break;
        clopt_prepare_init(builder, &supervisor->task_context, &stage->batch, contender,
                           on_cpu(supervisor, stage));
        status = clopt_loop_begin(&supervisor->loop, seat, device, &builder->task, error);
    }
    return status;
}

/* ---- measuring ---- */

/* After a sweep: who needs no more? */
static enum clopt_status decide(struct supervisor *supervisor, struct clopt_contender *contender,
                                struct clopt_error *error)
{
    struct clopt_store_trial *row = &contender->row;
    if (row->complete && row->outcome != CLOPT_OUTCOME_OK)
        return CLOPT_OK;
    clopt_contender_decide(contender, &supervisor->study->measure);
    if (!contender->decided || contender->count == 0)
        return CLOPT_OK;
    row->outcome = CLOPT_OUTCOME_OK;
    row->complete = true;
    free(row->source); /* the plugins make it again */
    row->source = NULL;
    return clopt_store_put_trial(supervisor->store, row, error);
}

static enum clopt_status decide_all(struct supervisor *supervisor, struct clopt_error *error)
{
    struct clopt_batch *batch = &supervisor->sweeping.batch;
    enum clopt_status status = decide(supervisor, &batch->group->initial, error);
    if (!status)
        status = decide(supervisor, &batch->group->again, error);
    for (size_t i = 0; i < batch->count && !status; i++)
        status = decide(supervisor, &batch->items[i], error);
    return status;
}

/* Begins a task that measures, in a process of its own. */
static enum clopt_status begin_task(struct supervisor *supervisor, struct clopt_task *task,
                                    struct clopt_error *error)
{
    size_t device = supervisor->sweeping.batch.group->device;
    struct clopt_seat *seat = clopt_loop_idle_seat(&supervisor->loop, device, task->fresh);
    return clopt_loop_begin(&supervisor->loop, seat, device, task, error);
}

static enum clopt_status begin_sweep(struct supervisor *supervisor, struct clopt_error *error)
{
    struct stage *stage = &supervisor->sweeping;
    enum clopt_status status = clopt_sweep_init(&supervisor->sweep, &supervisor->task_context,
                                                &stage->batch, supervisor->study->seed, error);
    if (status)
        return status;
    if (supervisor->sweep.active)
        return begin_task(supervisor, &supervisor->sweep.task, error);
    clopt_sweep_fini(&supervisor->sweep);
    return CLOPT_OK;
}

/* Ends the batch that has been measured. */
static enum clopt_status end_batch(struct supervisor *supervisor, struct clopt_error *error)
{
    struct stage *stage = &supervisor->sweeping;
    enum clopt_status status = CLOPT_OK;
    bool final = stage->batch.final;
    if (!final)
        clopt_group_rank(stage->batch.group, &stage->batch);
    else
        status = put_noise(supervisor, error);
    if (!status)
        status = clopt_batch_share_outcomes(&stage->batch, supervisor->store, error);
    clopt_recheck_fini(&supervisor->recheck);
    clopt_batch_fini(&stage->batch);
    *stage = (struct stage){0};
    if (final)
        end_group(supervisor);
    return status;
}

/* Opens a contender's case again for the final sweeps. */
static void reopen(struct clopt_batch *batch)
{
    for (size_t i = 0; i < batch->count; i++)
        batch->items[i].decided = batch->items[i].row.outcome != CLOPT_OUTCOME_OK;
}

/* Takes the next step with the batch that is being measured. */
static enum clopt_status go_on_measuring(struct supervisor *supervisor, struct clopt_error *error)
{
    struct stage *stage = &supervisor->sweeping;
    if (supervisor->sweep.active || supervisor->recheck.active)
        return CLOPT_OK;
    enum clopt_status status = CLOPT_OK;
    if (supervisor->sweep.entries) {
        clopt_sweep_fini(&supervisor->sweep);
        stage->sweeps++;
        status = decide_all(supervisor, error);
        if (status)
            return status;
    }
    if (stage->batch.final && stage->batch.count && clopt_recheck_resume(&supervisor->recheck))
        return begin_task(supervisor, &supervisor->recheck.task, error);
    if (stage->batch.final && stage->sweeps < FINAL_SWEEPS)
        reopen(&stage->batch);
    if (!stage->batch.final || (stage->batch.count && stage->sweeps < FINAL_SWEEPS))
        status = begin_sweep(supervisor, error);
    if (!status && !supervisor->sweep.entries)
        status = end_batch(supervisor, error);
    return status;
}

/* ---- the whole ---- */

static void show_progress(struct supervisor *supervisor)
{
    const struct stage *preparing = &supervisor->preparing, *sweeping = &supervisor->sweeping;
    double done = (double)supervisor->looked_at;
    const char *doing = "starting";
    if (!is_empty(preparing)) {
        size_t all;
        double prepared = (double)count_prepared(&preparing->batch, &all) / (double)(all ? all : 1);
        done -= (double)preparing->batch.count * (1 - 0.3 * prepared);
        doing = "building and verifying";
    }
    if (!is_empty(sweeping)) {
        double share = (double)sweeping->sweeps / (double)supervisor->study->measure.processes;
        if (!sweeping->batch.final)
            done -= 0.7 * (double)sweeping->batch.count * (1 - fmin(share, 1));
        doing = sweeping->batch.final ? "measuring the best once more" : "measuring";
    }
    clopt_progress_show(&supervisor->progress, fmax(done, 0), doing);
}

/* Moves batches on; false when there is nothing left to do. */
static enum clopt_status schedule(struct supervisor *supervisor, bool *over,
                                  struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    struct stage *preparing = &supervisor->preparing, *sweeping = &supervisor->sweeping;
    if (is_empty(preparing))
        status = fill_next(supervisor, error);
    if (status)
        return status;
    bool may_build = is_empty(sweeping) || (!is_empty(preparing) && !on_cpu(supervisor, sweeping) &&
                                            !on_cpu(supervisor, preparing));
    if (!is_empty(preparing) && may_build)
        status = hand_out(supervisor, error);
    size_t all = 0;
    if (!status && !is_empty(preparing) && is_empty(sweeping) &&
        count_prepared(&preparing->batch, &all) == all) {
        *sweeping = *preparing;
        *preparing = (struct stage){0};
        clopt_recheck_init(&supervisor->recheck, &supervisor->task_context, &sweeping->batch);
    }
    if (!status && !is_empty(sweeping))
        status = go_on_measuring(supervisor, error);
    *over = is_empty(preparing) && is_empty(sweeping) && !supervisor->group &&
            supervisor->next_group == clopt_space_group_count(supervisor->study);
    return status;
}

static enum clopt_status run(struct supervisor *supervisor, struct clopt_error *error)
{
    bool over = false;
    enum clopt_status status = CLOPT_OK;
    while (!status) {
        status = schedule(supervisor, &over, error);
        if (status || over)
            break;
        show_progress(supervisor);
        bool busy = false;
        for (size_t i = 0; i < supervisor->loop.seat_count; i++)
            busy = busy || supervisor->loop.seats[i].task;
        status = clopt_loop_turn(&supervisor->loop, busy ? TURN_MS : 0, error);
        if (!status && clopt_task_context_failed(&supervisor->task_context)) {
            *error = supervisor->failure;
            status = error->status;
        }
        if (!status && stop_requested)
            status = clopt_fail(error, CLOPT_INTERRUPTED, "interrupted");
    }
    return status;
}

/* ---- devices ---- */

static enum clopt_status choose_devices(const struct clopt_study *study,
                                        const struct clopt_device_info *all, size_t count,
                                        struct clopt_device_info *devices, size_t *ordinals,
                                        struct clopt_error *error)
{
    for (size_t i = 0; i < study->device_count; i++) {
        const struct clopt_study_device *wanted = &study->devices[i];
        struct clopt_device_pattern pattern = {
            .platform = wanted->platform, .name = wanted->name, .type = wanted->type};
        size_t index;
        if (clopt_device_choose(all, count, &pattern, &index, error))
            return clopt_fail_within(error, "%s: [device %s]", study->path, wanted->label);
        devices[i] = all[index];
        ordinals[i] = clopt_device_ordinal(all, index);
    }
    return CLOPT_OK;
}

static struct clopt_process_settings process_settings(
    const struct clopt_study *study, const struct clopt_supervisor_options *options,
    const char *scratch)
{
    return (struct clopt_process_settings){.plugin_path = options->plugin_path,
                                           .kernel_path = options->kernel_path,
                                           .scratch = scratch,
                                           .pin = study->measure.pin};
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
    clopt_folder_remove(*scratch);
    return clopt_folder_create(*scratch, error);
}

enum clopt_status clopt_supervisor_find_devices(const struct clopt_study *study,
                                                const struct clopt_supervisor_options *options,
                                                struct clopt_device_info **devices,
                                                size_t **ordinals, struct clopt_error *error)
{
    char scratch[] = "/tmp/clopt-XXXXXX";
    if (!mkdtemp(scratch))
        return clopt_fail(error, CLOPT_FAILED, "/tmp: %s", strerror(errno));
    struct clopt_process_settings settings = process_settings(study, options, scratch);
    struct clopt_loop loop;
    struct clopt_device_info *all = NULL;
    size_t count = 0;
    *devices = NULL;
    *ordinals = NULL;
    enum clopt_status status = clopt_loop_init(&loop, &settings, &study->limits, 1, error);
    if (!status) {
        status = clopt_loop_list_devices(&loop, &all, &count, error);
        clopt_loop_fini(&loop);
    }
    if (!status) {
        *devices = calloc(study->device_count, sizeof **devices);
        *ordinals = calloc(study->device_count, sizeof **ordinals);
        status = *devices && *ordinals
                     ? choose_devices(study, all, count, *devices, *ordinals, error)
                     : clopt_fail_memory(error);
    }
    if (status) {
        free(*devices);
        free(*ordinals);
    }
    free(all);
    clopt_folder_remove(scratch);
    return status;
}

/* Puts the devices of the study into the store. */
static enum clopt_status put_devices(struct supervisor *supervisor,
                                     const struct clopt_loop_device *devices, int64_t *rows,
                                     struct clopt_error *error)
{
    const struct clopt_study *study = supervisor->study;
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < study->device_count && !status; i++)
        status = clopt_store_put_device(supervisor->store, study->devices[i].label,
                                        &devices[i].info, &rows[i], error);
    return status;
}

/* Processor time that this process has used so far. */
static double used_s(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static enum clopt_status put_stages(struct supervisor *supervisor, const struct clock *began,
                                    struct clopt_error *error)
{
    const struct clopt_loop *loop = &supervisor->loop;
    double wall_s = (double)(clopt_now_ns() - began->wall_ns) * 1e-9;
    double in_stages_s = 0;
    enum clopt_status status = CLOPT_OK;
    for (enum clopt_stage stage = 0; stage < CLOPT_STAGES && !status; stage++) {
        in_stages_s += loop->seconds[stage];
        status = clopt_store_put_stage(supervisor->store, clopt_stage_name(stage),
                                       loop->seconds[stage], error);
    }
    const struct {
        const char *name;
        double seconds;
    } others[] = {{"other", fmax(loop->requests_s - in_stages_s, 0)},
                  {"wall", wall_s},
                  {"waiting", fmax(wall_s - clopt_loop_busy_seconds(loop), 0)},
                  {"supervisor", used_s() - began->used_s}};
    for (size_t i = 0; i < sizeof others / sizeof *others && !status; i++)
        status = clopt_store_put_stage(supervisor->store, others[i].name, others[i].seconds, error);
    return status;
}

static uint64_t count_trials(const struct clopt_study *study)
{
    uint64_t count = 0;
    for (size_t group = 0; group < clopt_space_group_count(study); group++)
        count += clopt_space_count(study, group);
    return count;
}

/* Does the work between the opening and the closing of what it needs. */
static enum clopt_status supervise(struct supervisor *supervisor,
                                   const struct clopt_supervisor_options *options,
                                   struct clopt_error *error)
{
    struct sigaction action = {.sa_handler = request_stop}, old_int, old_term;
    stop_requested = 0;
    sigaction(SIGINT, &action, &old_int);
    sigaction(SIGTERM, &action, &old_term);
    clopt_progress_begin(&supervisor->progress, options->progress, count_trials(supervisor->study));
    enum clopt_status status = run(supervisor, error);
    clopt_progress_end(&supervisor->progress);
    sigaction(SIGINT, &old_int, NULL);
    sigaction(SIGTERM, &old_term, NULL);
    return status;
}

enum clopt_status clopt_supervisor_run(const struct clopt_study *study, struct clopt_store *store,
                                       const struct clopt_supervisor_options *options,
                                       struct clopt_error *error)
{
    struct clock began = {clopt_now_ns(), used_s()};
    struct clopt_device_info *infos = NULL;
    size_t *ordinals = NULL;
    enum clopt_status status =
        clopt_supervisor_find_devices(study, options, &infos, &ordinals, error);
    if (status)
        return status;
    struct supervisor *supervisor = calloc(1, sizeof *supervisor);
    struct clopt_loop_device *devices = calloc(study->device_count, sizeof *devices);
    int64_t *rows = calloc(study->device_count, sizeof *rows);
    if (!supervisor || !devices || !rows) {
        status = clopt_fail_memory(error);
        goto out;
    }
    for (size_t i = 0; i < study->device_count; i++)
        devices[i] = (struct clopt_loop_device){infos[i], ordinals[i]};
    supervisor->study = study;
    supervisor->store = store;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    supervisor->jobs = options->jobs ? options->jobs : processors > 0 ? (size_t)processors : 1;
    supervisor->groups_context = (struct clopt_group_context){.study = study,
                                                              .store = store,
                                                              .devices = devices,
                                                              .device_rows = rows,
                                                              .kernel_path = options->kernel_path,
                                                              .retry = options->retry};
    status = clopt_store_put_run(store, study->title, study->effective, study->seed, error);
    if (!status)
        status = put_devices(supervisor, devices, rows, error);
    if (!status)
        status = make_scratch(options->store_path, &supervisor->scratch, error);
    if (status)
        goto out;
    supervisor->task_context = (struct clopt_task_context){.store = store,
                                                           .measure = &study->measure,
                                                           .scratch = supervisor->scratch,
                                                           .error = &supervisor->failure};
    supervisor->builders = calloc(supervisor->jobs, sizeof *supervisor->builders);
    struct clopt_process_settings settings = process_settings(study, options, supervisor->scratch);
    status = supervisor->builders ? clopt_loop_init(&supervisor->loop, &settings, &study->limits,
                                                    supervisor->jobs + 1, error)
                                  : clopt_fail_memory(error);
    if (status)
        goto out;
    supervisor->loop.devices = devices;
    status = supervise(supervisor, options, error);
    struct clopt_error late = {0};
    if (put_stages(supervisor, &began, &late) || clopt_store_end_run(store, status, &late)) {
        if (!status)
            *error = late;
        status = status ? status : late.status;
    }
out:
    if (supervisor) {
        clopt_loop_fini(&supervisor->loop);
        clopt_sweep_fini(&supervisor->sweep);
        clopt_recheck_fini(&supervisor->recheck);
        clopt_batch_fini(&supervisor->preparing.batch);
        clopt_batch_fini(&supervisor->sweeping.batch);
        end_group(supervisor);
        if (supervisor->scratch)
            clopt_folder_remove(supervisor->scratch);
        free(supervisor->scratch);
        free(supervisor->builders);
        free(supervisor);
    }
    free(devices);
    free(rows);
    free(infos);
    free(ordinals);
    return status;
}
