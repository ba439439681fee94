/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a device's peaks measured, in a worker of its own. */
#include "supervisor/peaks.h"

#include "opencl/traits.h"

#define TURN_MS 50

struct conversation {
    struct clopt_task task;
    struct clopt_peaks *peaks;
    struct clopt_error *cause;
    bool over;
};

static json_t *next(struct clopt_task *task, const json_t *answer)
{
    struct conversation *conversation = (struct conversation *)task;
    if (!answer)
        return json_pack("{s:s}", "op", "peaks");
    if (clopt_message_get_error(answer, conversation->cause) == CLOPT_OK)
        *conversation->peaks = clopt_peaks_from_json(json_object_get(answer, "peaks"));
    conversation->over = true;
    return NULL;
}

static void died(struct clopt_task *task, const struct clopt_error *error, enum clopt_stage stage,
                 int signal_number)
{
    struct conversation *conversation = (struct conversation *)task;
    (void)stage;
    (void)signal_number; /* the message tells it */
    *conversation->cause = *error;
    conversation->over = true;
}

enum clopt_status clopt_peaks_find(struct clopt_loop *loop, size_t device,
                                   const volatile sig_atomic_t *stop, struct clopt_peaks *peaks,
                                   struct clopt_error *cause, struct clopt_error *error)
{
    struct conversation conversation = {
        .task = {.next = next, .died = died, .fresh = true}, .peaks = peaks, .cause = cause};
    *peaks = clopt_peaks_unknown();
    *cause = (struct clopt_error){0};
    enum clopt_status status = clopt_loop_begin(loop, clopt_loop_idle_seat(loop, device, true),
                                                device, &conversation.task, error);
    while (!status && !conversation.over && !(stop && *stop))
        status = clopt_loop_turn(loop, TURN_MS, error);
    if (!conversation.over)
        clopt_loop_cancel(loop, &conversation.task);
    if (!status && !conversation.over)
        clopt_fail(cause, CLOPT_INTERRUPTED, "interrupted");
    return status;
}

bool clopt_peaks_make_sense(const struct clopt_device_info *device)
{
    return device->available && device->compiler_available &&
           !clopt_traits_find(device->platform)->checks_accesses;
}
