/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds what the devices of a study can do at most, and what may disturb their measurements. */
#include "pool/query.h"
#include "results/peaks.h"
#include "store/cursor.h"
#include "watch/governor.h"
#include "watch/watch.h"

/* A study of less time does without peaks of a processor that were not measured before: PoCL builds
 * them for 2 s, and for 10 s beside other programs, and they are for reports alone. */
#define LEAST_TIME_S 60

/* Whether the study is to end. */
static bool is_stopped(const struct clopt_run *run)
{
    return *run->pool->settings.stop;
}

/* Whether a study has no time to measure what a device can do at most. */
static bool is_short(const struct clopt_run *run, size_t device)
{
    double time_s = run->study->measure.time_s;
    return time_s > 0 && time_s < LEAST_TIME_S && clopt_device_is_cpu(&run->devices[device].info);
}

/* Finds what a device can do at most, unless the store knows, and puts it there: measures it, or in
 * a short search takes what was measured before. */
static void find_peaks(struct clopt_watch *watch, const struct clopt_schedule *schedule,
                       size_t device)
{
    const struct clopt_run *run = schedule->run;
    struct clopt_peaks peaks;
    struct clopt_error cause;
    json_auto_t *found = NULL;
    if (clopt_store_get_peaks(run->store, run->device_rows[device], &peaks, run->failure) ||
        clopt_peaks_any(&peaks) || !clopt_peaks_make_sense(&run->devices[device].info))
        return;
    if (is_short(run, device)) {
        if (clopt_peaks_known(&run->devices[device].info, &peaks))
            clopt_store_put_peaks(run->store, run->device_rows[device], &peaks, run->failure);
        return;
    }
    clopt_progress_follow(&watch->progress, schedule, "measuring what the device can do at most");
    if (clopt_pool_measure(run->pool, device, "peaks", &found, &cause, run->failure) == CLOPT_OK &&
        cause.status && !is_stopped(run))
        clopt_text_print(run->notices, "clopt: [device %s]: no peaks: %s\n",
                         run->study->devices[device].label, cause.message);
    peaks = clopt_peaks_from_json(found);
    if (found && !is_stopped(run)) {
        clopt_peaks_keep(&run->devices[device].info, &peaks);
        clopt_store_put_peaks(run->store, run->device_rows[device], &peaks, run->failure);
    }
}

/* Warns where a processor that is measured may change its frequency meanwhile. */
static void warn_of_governor(const struct clopt_run *run)
{
    char governor[CLOPT_GOVERNOR_MAX];
    bool cpu = false;
    for (size_t i = 0; i < run->study->device_count; i++)
        cpu |= clopt_device_is_cpu(&run->devices[i].info);
    if (cpu && clopt_governor_read(NULL, governor) && !clopt_governor_is_steady(governor))
        clopt_text_print(run->notices,
                         "clopt: note: the system may change the processors' frequency (governor "
                         "%s), and times with it; `cpupower frequency-set -g performance` keeps "
                         "it\n",
                         governor);
}

/* Finds what the devices can do at most, and puts what is kept of their access rates into the
 * store.
 */
void clopt_watch_devices(void *user, const struct clopt_schedule *schedule)
{
    const struct clopt_run *run = schedule->run;
    warn_of_governor(run);
    for (size_t i = 0; i < run->study->device_count && !run->failure->status; i++) {
        json_auto_t *rates = clopt_kept_get(CLOPT_KEPT_ACCESS, &run->devices[i].info);
        CLOPT_FREED char *text = rates ? json_dumps(rates, JSON_COMPACT) : NULL;
        if (text)
            clopt_store_put(run->store, CLOPT_SQL_PUT_ACCESS, run->failure, "is",
                            run->device_rows[i], text);
        if (run->study->measure.peaks && !run->failure->status)
            find_peaks(user, schedule, i);
    }
}
