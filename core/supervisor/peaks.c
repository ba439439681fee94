/* SPDX-License-Identifier: BSD-3-Clause */
/* Has a device's peaks measured, in a worker of its own. */
#include "supervisor/peaks.h"

#include "opencl/traits.h"

enum clopt_status clopt_peaks_find(struct clopt_loop *loop, size_t device,
                                   const volatile sig_atomic_t *stop, struct clopt_peaks *peaks,
                                   struct clopt_error *cause, struct clopt_error *error)
{
    struct clopt_reply reply;
    enum clopt_status status =
        clopt_loop_ask(loop, device, json_pack("{s:s}", "op", "peaks"), stop, &reply, error);
    *peaks = reply.answer && !reply.cause.status
                 ? clopt_peaks_from_json(json_object_get(reply.answer, "peaks"))
                 : clopt_peaks_unknown();
    *cause = reply.cause;
    json_decref(reply.answer);
    return status;
}

bool clopt_peaks_make_sense(const struct clopt_device_info *device)
{
    return device->available && device->compiler_available &&
           !clopt_traits_find(device->platform)->checks_accesses;
}
