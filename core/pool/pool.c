/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs tasks in worker processes, under limits. */
#include "pool/pool.h"

#include <errno.h>

#define WAIT_NS ((int64_t)100 * 1000 * 1000)
#define LOOK_NS ((int64_t)10 * 1000 * 1000) /* hosts that are silent are looked at so often */

void clopt_pool_init(struct clopt_pool *pool, const struct clopt_process_settings *settings,
                     const struct clopt_limits *limits, size_t seat_count)
{
    *pool = (struct clopt_pool){.settings = *settings,
                                .limits = *limits,
                                .memory_bytes = clopt_memory_limit(limits->memory_bytes),
                                .seats = clopt_calloc(seat_count, sizeof *pool->seats),
                                .seat_count = seat_count};
    for (size_t i = 0; i < seat_count; i++)
        pool->seats[i].process.file = pool->seats[i].process.notes = -1;
}

void clopt_pool_stop(struct clopt_pool *pool)
{
    for (size_t i = 0; i < pool->seat_count; i++) { /* drivers take a while to let one go */
        clopt_pool_count_lost(pool, &pool->seats[i]);
        clopt_process_kill(&pool->seats[i].process);
    }
    for (size_t i = 0; i < pool->seat_count; i++) /* hosts end theirs as they are hung up on */
        pool->seats[i].process.distant.exited = true;
    for (size_t i = 0; i < pool->seat_count; i++)
        clopt_process_stop(&pool->seats[i].process);
    for (size_t i = 0; i < pool->seat_count; i++)
        clopt_pool_note_busy(pool, &pool->seats[i]);
}

void clopt_pool_fini(struct clopt_pool *pool)
{
    for (size_t i = 0; i < pool->seat_count; i++)
        clopt_process_fini(&pool->seats[i].process);
    free(pool->seats);
    if (pool->host_count) /* their workers have ended */
        pool->hosts->transport->close(pool);
    *pool = (struct clopt_pool){0};
}

/* ---- seats ---- */

static bool is_idle_with(const struct clopt_seat *seat, size_t device)
{
    return !seat->task && seat->opened && seat->device == device;
}

bool clopt_pool_has_idle(const struct clopt_pool *pool, size_t device)
{
    for (size_t i = 0; i < pool->seat_count; i++)
        if (is_idle_with(&pool->seats[i], device))
            return true;
    return false;
}

/* Takes a seat's task away. */
static void free_seat(struct clopt_seat *seat)
{
    if (seat->task)
        seat->task->seat = NULL;
    seat->task = NULL;
}

/* Ends a seat's worker, and its task with it. Drivers take a while to let one go, and hosts to say
 * so: only measurements of this processor, and the seat's next task, wait for that. */
static void end_worker(struct clopt_seat *seat)
{
    seat->ending =
        seat->task && seat->process.runs && (seat->task->untimed || seat->process.distant.host);
    if (seat->ending)
        clopt_process_kill(&seat->process);
    else
        clopt_process_fini(&seat->process);
    seat->opened = seat->warming = false;
    free_seat(seat);
}

/* Returns where a task runs; NULL: here. */
static struct clopt_host *host_of(const struct clopt_pool *pool, size_t device,
                                  const struct clopt_task *task)
{
    return device != CLOPT_NO_DEVICE ? pool->devices[device].host : task ? task->host : NULL;
}

bool clopt_pool_is_away(const struct clopt_pool_device *device)
{
    return device->host && device->host->state != CLOPT_HOST_READY &&
           device->host->state != CLOPT_HOST_REFUSED;
}

/* Returns the number of the cache of drivers for a task's worker. */
static unsigned cache_of(const struct clopt_pool *pool, const struct clopt_task *task)
{
    return task && task->cache ? task->cache : pool->settings.cache;
}

/* How much of what a task needs a seat has: best is a worker with the device open, then one that
 * has opened none yet, then none at all. */
enum fitness { TAKEN, TO_BE_ENDED, ENDING, EMPTY, WARMING, WARM, OPENED };

static enum fitness judge_seat(const struct clopt_pool *pool, const struct clopt_seat *seat,
                               size_t device, const struct clopt_task *task)
{
    if (seat->task)
        return TAKEN;
    if (!seat->process.runs)
        return EMPTY;
    if (seat->ending)
        return ENDING;
    if (seat->process.distant.host != host_of(pool, device, task) ||
        seat->process.cache != cache_of(pool, task))
        return TO_BE_ENDED;
    if (!task->fresh && is_idle_with(seat, device))
        return OPENED;
    if (!task->untimed || seat->device != CLOPT_NO_DEVICE)
        return TO_BE_ENDED;
    return seat->warming ? WARMING : WARM;
}

/* Finds the seat for a task, and ends a worker there that is of no use. */
static struct clopt_seat *find_seat(struct clopt_pool *pool, size_t device,
                                    const struct clopt_task *task)
{
    struct clopt_seat *best = NULL;
    enum fitness most = TAKEN;
    for (size_t i = 0; i < pool->seat_count; i++) {
        enum fitness fitness = judge_seat(pool, &pool->seats[i], device, task);
        if (fitness > most) {
            most = fitness;
            best = &pool->seats[i];
        }
        if (most == OPENED)
            break;
    }
    if (most == TO_BE_ENDED || most == ENDING)
        end_worker(best);
    return best;
}

/* Says how a seat's worker was lost; `cause` is why it was ended here (NULL: by itself). */
static struct clopt_loss explain_loss(struct clopt_seat *seat, const struct clopt_error *cause)
{
    struct clopt_loss loss = {.stage = seat->process.stage, .was_suspect = seat->is_suspect};
    const struct clopt_distant *distant = &seat->process.distant;
    if (distant->lost) { /* not by the task */
        loss.stage = CLOPT_STAGE_OPEN;
        loss.error = distant->host->why;
        return loss;
    }
    if (cause)
        clopt_process_kill(&seat->process);
    if (!cause || !distant->host)
        loss.signal = clopt_process_explain(&seat->process, &loss.error);
    if (cause) {
        loss.error = *cause;
        loss.signal = 0;
    } else if (loss.signal == SIGKILL) {
        clopt_fail(&loss.error, CLOPT_OUT_OF_RESOURCES,
                   "killed from outside in stage %s (signal 9), as the system does where "
                   "memory is short",
                   clopt_stage_name(loss.stage));
    }
    if (!seat->opened)
        loss.stage = CLOPT_STAGE_OPEN;
    else if (loss.stage == CLOPT_STAGE_OPEN)
        loss.stage = CLOPT_STAGE_SETUP; /* it exited before it said what it was about */
    return loss;
}

/* Ends the task of a worker that is lost. */
static void lose_worker(struct clopt_pool *pool, struct clopt_seat *seat,
                        const struct clopt_error *cause)
{
    clopt_pool_count_lost(pool, seat);
    struct clopt_loss loss = explain_loss(seat, cause);
    if (seat->device != CLOPT_NO_DEVICE && !seat->opened && !seat->process.distant.lost)
        pool->devices[seat->device].failures++;
    pool->changed = true;
    if (seat->task)
        seat->task->lost(seat->task, seat->process.parts, &loss);
    end_worker(seat);
    clopt_pool_note_busy(pool, seat);
}

static void request(struct clopt_pool *pool, struct clopt_seat *seat, json_t *message)
{
    if (clopt_process_request(&seat->process, message, NULL))
        lose_worker(pool, seat, NULL);
    clopt_pool_note_busy(pool, seat);
}

static void send_next(struct clopt_pool *pool, struct clopt_seat *seat, const json_t *answer)
{
    struct clopt_task *task = seat->task;
    json_t *message = task->next(task, answer);
    if (message)
        request(pool, seat, message);
    else if (!task->waiting && (task->fresh || task->spoiled))
        end_worker(seat);
    else if (!task->waiting)
        free_seat(seat);
}

/* Starts a seat's worker, which is to open a device for a task (NULL: there is none yet). */
static enum clopt_status start_worker(struct clopt_pool *pool, struct clopt_seat *seat,
                                      size_t device, const struct clopt_task *task,
                                      struct clopt_error *error)
{
    struct clopt_process_settings settings = pool->settings;
    bool untimed = !task || task->untimed;
    unsigned number = (unsigned)(seat - pool->seats);
    settings.unpin = settings.pin && untimed;
    settings.pin = settings.pin && !untimed;
    settings.host = host_of(pool, device, task);
    settings.cache = cache_of(pool, task);
    if (settings.host)
        number += CLOPT_MOST_SEATS * (unsigned)(settings.host - pool->hosts + 1);
    seat->device = CLOPT_NO_DEVICE;
    seat->is_suspect = false;
    return clopt_process_start(&seat->process, &settings, number, error);
}

enum clopt_status clopt_pool_warm(struct clopt_pool *pool, size_t count, struct clopt_error *error)
{
    size_t warm = 0;
    for (size_t i = 0; i < pool->seat_count && !pool->host_count; i++)
        warm += !pool->seats[i].task && !pool->seats[i].ending && pool->seats[i].process.runs &&
                pool->seats[i].device == CLOPT_NO_DEVICE;
    for (size_t i = 0; i < pool->seat_count && warm < count && !pool->host_count; i++) {
        struct clopt_seat *seat = &pool->seats[i];
        if (seat->task || seat->process.runs)
            continue;
        CLOPT_TRY(start_worker(pool, seat, CLOPT_NO_DEVICE, NULL, error));
        seat->warming = true;
        warm++;
        request(pool, seat, json_pack("{s:s}", "op", "list"));
    }
    return CLOPT_OK;
}

/* Has a seat's worker open the device that its task is for, or goes on with the task. */
static void open_device(struct clopt_pool *pool, struct clopt_seat *seat)
{
    if (seat->device == CLOPT_NO_DEVICE) {
        seat->opened = true;
        if (seat->task)
            send_next(pool, seat, NULL);
        return;
    }
    const struct clopt_pool_device *device = &pool->devices[seat->device];
    const struct clopt_host *host = device->host;
    const char *builds = host ? host->builds : pool->settings.builds;
    json_t *message = json_pack(
        "{s:s,s:o,s:I,s:I}", "op", "open", "device", clopt_device_to_json(&device->info), "ordinal",
        (json_int_t)device->ordinal, "memory", (json_int_t)clopt_limits_memory(pool, host));
    if (builds)
        json_object_set_new(message, "builds", json_string(builds));
    request(pool, seat, message);
}

enum clopt_status clopt_pool_begin(struct clopt_pool *pool, size_t device, struct clopt_task *task,
                                   struct clopt_error *error)
{
    struct clopt_seat *seat = find_seat(pool, device, task);
    if (!seat->process.runs)
        CLOPT_TRY(start_worker(pool, seat, device, task, error));
    seat->task = task;
    task->seat = seat;
    seat->opened = seat->opened && seat->device == device;
    seat->device = device;
    if (seat->opened)
        send_next(pool, seat, NULL);
    else if (!seat->warming)
        open_device(pool, seat);
    return CLOPT_OK;
}

void clopt_pool_wake(struct clopt_pool *pool, struct clopt_task *task)
{
    if (!task->waiting || !task->seat)
        return; /* it has a request under way, and is asked when that is answered */
    task->waiting = false;
    send_next(pool, task->seat, NULL);
}

bool clopt_pool_can_pause(struct clopt_pool *pool)
{
    struct clopt_error none;
    for (size_t i = 0; i < pool->seat_count; i++) {
        struct clopt_seat *seat = &pool->seats[i];
        if (!seat->task || !seat->task->untimed || !seat->process.busy)
            continue;
        clopt_process_take_notes(&seat->process, &none);
        if (seat->process.stage == CLOPT_STAGE_SETUP)
            return false;
    }
    return true;
}

void clopt_pool_pause(struct clopt_pool *pool, const struct clopt_host *host, bool paused)
{
    for (size_t i = 0; i < pool->seat_count; i++) {
        struct clopt_seat *seat = &pool->seats[i];
        if (seat->process.distant.host != host)
            continue;
        /* One that had just answered when it was paused may have no task any more. */
        if (paused ? seat->task && seat->task->untimed : seat->process.clock.paused_since_ns != 0)
            clopt_process_pause(&seat->process, paused);
    }
}

void clopt_pool_cancel(struct clopt_pool *pool, struct clopt_task *task)
{
    struct clopt_seat *seat = task->seat;
    clopt_pool_count_lost(pool, seat);
    end_worker(seat);
    clopt_pool_note_busy(pool, seat);
}

/* ---- answers ---- */

/* Whether a worker has opened a device of another driver than was expected, as on a host that came
 * after the devices were chosen. */
static bool is_another(const struct clopt_pool *pool, const struct clopt_seat *seat,
                       const json_t *answer, struct clopt_error *error)
{
    const struct clopt_pool_device *device = &pool->devices[seat->device];
    const char *driver =
        json_string_value(json_object_get(json_object_get(answer, "device"), "driver_version"));
    if (!device->host || (driver && strcmp(driver, device->info.driver_version) == 0))
        return false;
    clopt_fail(error, CLOPT_DEVICE_LOST, "host %s has driver %s, others have %s",
               device->host->name, driver ? driver : "?", device->info.driver_version);
    return true;
}

/* Deals with what a worker has sent. */
static void receive(struct clopt_pool *pool, struct clopt_seat *seat)
{
    json_auto_t *answer = NULL;
    struct clopt_error error = {0};
    enum clopt_status status = clopt_process_read(&seat->process, &answer, &error);
    if (status) {
        /* One that sends nonsense cannot be believed any more. */
        lose_worker(pool, seat, status == CLOPT_INTERRUPTED ? NULL : &error);
        return;
    }
    if (!answer)
        return;
    pool->changed = true;
    pool->requests_s += (double)(clopt_now_ns() - seat->process.clock.request_began_ns) * 1e-9;
    clopt_pool_note_busy(pool, seat);
    double counted_s = clopt_pool_count_seconds(pool, answer);
    if (!seat->opened)
        pool->start_s +=
            (double)(clopt_now_ns() - seat->process.clock.request_began_ns) * 1e-9 - counted_s;
    if (seat->warming) { /* a failure will show once more */
        seat->warming = false;
        open_device(pool, seat);
    } else if (seat->opened)
        send_next(pool, seat, answer);
    else if (clopt_message_get_error(answer, &error) || is_another(pool, seat, answer, &error))
        lose_worker(pool, seat, &error);
    else {
        seat->opened = true;
        pool->opened++;
        pool->devices[seat->device].failures = 0;
        clopt_pool_note_busy(pool, seat);
        send_next(pool, seat, NULL);
    }
}

/* Waits for something to arrive, at most so long, and deals with it. */
static enum clopt_status poll_workers(struct clopt_pool *pool, int timeout_ms,
                                      struct clopt_error *error)
{
    struct pollfd files[CLOPT_MOST_SEATS + CLOPT_MOST_HOSTS], *hosts = files + pool->seat_count;
    for (size_t i = 0; i < pool->seat_count; i++) /* poll() passes over -1 */
        files[i] = (struct pollfd){pool->seats[i].process.file, POLLIN, 0};
    for (size_t i = 0; i < pool->host_count; i++)
        hosts[i] = pool->hosts[i].transport->awaits(&pool->hosts[i]);
    int ready = poll(files, pool->seat_count + pool->host_count, timeout_ms);
    if (ready < 0 && errno != EINTR)
        return clopt_fail(error, CLOPT_FAILED, "poll: %s", strerror(errno));
    pool->read_ns = clopt_now_ns();
    bool all = pool->read_ns - pool->looked_ns > LOOK_NS;
    pool->looked_ns = all ? pool->read_ns : pool->looked_ns;
    for (size_t i = 0; i < pool->host_count; i++)
        if (all || hosts[i].revents)
            pool->changed |= pool->hosts[i].transport->advance(&pool->hosts[i]);
    for (size_t i = 0; i < pool->seat_count; i++) {
        struct clopt_seat *seat = &pool->seats[i];
        struct clopt_error over = {0};
        struct clopt_distant *distant = &seat->process.distant;
        bool heard = distant->heard && seat->process.runs && !seat->ending;
        distant->heard = false;
        if (heard || (ready > 0 && files[i].revents && files[i].fd == seat->process.file))
            receive(pool, seat);
        if (seat->ending &&
            (distant->host ? distant->exited : clopt_process_has_exited(&seat->process)))
            end_worker(seat);
        else if (seat->process.runs && clopt_limits_check(pool, seat, &over))
            lose_worker(pool, seat, &over);
    }
    return CLOPT_OK;
}

/* Fails where a device is lost without which the study cannot go on. */
static enum clopt_status check_devices(const struct clopt_pool *pool, struct clopt_error *error)
{
    for (size_t i = 0; i < pool->seat_count; i++) {
        size_t device = pool->seats[i].device;
        const struct clopt_pool_device *lost =
            device != CLOPT_NO_DEVICE && pool->devices ? &pool->devices[device] : NULL;
        if (!lost || lost->failures < CLOPT_MOST_OPEN_FAILURES || lost->is_member)
            continue;
        char small[CLOPT_SMALL_LIMIT_MAX];
        clopt_small_limit(small);
        return clopt_fail(error, CLOPT_DEVICE_LOST,
                          "workers could not open the device %d times in a row%s",
                          CLOPT_MOST_OPEN_FAILURES, *small ? small : "; try `clopt devices`");
    }
    return CLOPT_OK;
}

enum clopt_status clopt_pool_wait(struct clopt_pool *pool, struct clopt_error *error)
{
    bool busy = false;
    for (size_t i = 0; i < pool->seat_count; i++)
        busy = busy || pool->seats[i].task;
    for (size_t i = 0; i < pool->host_count; i++)
        busy |= pool->hosts[i].state < CLOPT_HOST_READY;
    int64_t left_ns = busy ? WAIT_NS : 0, end_ns = clopt_now_ns() + left_ns;
    enum clopt_status status = CLOPT_OK;
    pool->changed = false;
    do {
        status = poll_workers(pool, (int)((left_ns + 999999) / 1000000), error);
        left_ns = end_ns - clopt_now_ns();
    } while (!status && !pool->changed && left_ns > 0);
    return status ? status : check_devices(pool, error);
}
