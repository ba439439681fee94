/* SPDX-License-Identifier: BSD-3-Clause */
/* Winners that were measured on a sibling of the device, or whose buffers have other layouts: each
 * is checked, and timed against the kernel whose place it is to take. What is slower is dropped, in
 * later processes, too. */
#include "layer/apply.h"

#include <clopt/memory.h>

#include "library/kept.h"

#define MOST_RUNS   5   /* of each, the first one untimed */
#define ENOUGH_RUNS 2   /* where they take longer than: */
#define MOST_S      0.5 /* both */

static struct adopted {
    struct adopted *next;
    struct clopt_winner own;
} * adopted; /* with the layer's lock held */

struct clopt_winner *clopt_sibling_adopt(struct clopt_winner *winner, const char *device)
{
    struct adopted *made = adopted;
    while (made && !(made->own.of == winner && strcmp(made->own.device, device) == 0))
        made = made->next;
    if (made)
        return &made->own;
    made = calloc(1, sizeof *made);
    char *name = strdup(device);
    if (!made || !name) {
        free(made);
        free(name);
        return NULL;
    }
    *made = (struct adopted){adopted, *winner};
    made->own.device = name;
    made->own.of = winner;
    adopted = made;
    return &made->own;
}

/* ---- what it needs of the device ---- */

/* Whether the device has all extensions that a source asks for. */
static bool has_extensions(cl_device_id device, const char *source)
{
    size_t bytes = 0;
    clopt_next->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &bytes);
    CLOPT_FREED char *there = calloc(1, bytes + 1);
    if (!there ||
        clopt_next->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, bytes, there, NULL) != CL_SUCCESS)
        return false;
    while ((source = strstr(source, "OPENCL EXTENSION "))) {
        char name[100] = "";
        source += strlen("OPENCL EXTENSION ");
        if (sscanf(source, "%99[A-Za-z0-9_]", name) == 1 && strcmp(name, "all") != 0 &&
            !strstr(there, name))
            return false;
    }
    return true;
}

/* Whether a work-group of the winner is one that the device can have. */
static bool fits_groups(const struct clopt_replacement *made, cl_device_id device)
{
    size_t most = 0, of[3] = {0}, items = 1;
    clopt_next->clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    clopt_next->clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof of, of, NULL);
    for (cl_uint d = 0; d < made->launch->dimensions && d < 3; d++) {
        items *= made->sizes.local[d];
        if (made->sizes.local[d] > of[d])
            return false;
    }
    return items <= most;
}

/* Whether the device has the local memory of the winner, which declares so much of it. */
static bool fits_local_memory(const struct clopt_replacement *made, cl_device_id device,
                              cl_ulong needed)
{
    cl_ulong most = 0;
    if (clopt_next->clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, NULL))
        return false;
    for (size_t i = 0; i < made->count; i++)
        if (made->arguments[i].value.is_null) /* a null pointer is not much */
            needed += made->arguments[i].value.bytes;
    return needed <= most;
}

/* Drivers may end the process over what is too much: PoCL 6 does, and says 0 before. So the file is
 * asked first. */
static const char *find_unmet(const struct clopt_replacement *made, cl_device_id device)
{
    static const char *const too_much =
        "the winner of a sibling needs more local memory than the device has";
    cl_ulong declared = 0;
    if (!has_extensions(device, made->winner->code))
        return "the winner of a sibling needs an extension that the device does not have";
    if (!fits_groups(made, device))
        return "the winner of a sibling has larger work-groups than the device";
    if (!fits_local_memory(made, device, made->winner->local_bytes))
        return too_much;
    cl_kernel kernel = clopt_replacement_kernel(made);
    if (!kernel)
        return "the winner of a sibling cannot be built";
    clopt_next->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof declared,
                                         &declared, NULL);
    return fits_local_memory(made, device, declared) ? NULL : too_much;
}

/* ---- what it gains ---- */

/* Compares both several times, each on new copies of all memory, and keeps how they did. */
static const char *measure(struct clopt_replacement *made, cl_device_id device, double *gain)
{
    const struct clopt_program_calls calls = clopt_replacement_calls();
    const char *failure = NULL;
    for (int i = 0; i < MOST_RUNS && !failure; i++)
        if (i < ENOUGH_RUNS || made->kernel_s + made->winner_s < MOST_S)
            failure = clopt_replacement_check(made);
    if (failure || !made->kernel_s || !made->winner_s)
        return failure ? failure : "its winner could not be timed against the kernel";
    *gain = made->kernel_s / (made->winner_s + made->permuted_s / CLOPT_FEWEST_READS);
    clopt_kept_put_gain(&calls, device, made->winner, *gain);
    return NULL;
}

const char *clopt_sibling_try(struct clopt_replacement *made)
{
    const struct clopt_program_calls calls = clopt_replacement_calls();
    cl_device_id device = NULL;
    double gain = 0;
    if (clopt_next->clGetCommandQueueInfo(made->launch->queue, CL_QUEUE_DEVICE, sizeof device,
                                          &device, NULL) != CL_SUCCESS)
        return "the device of its queue is not known";
    const char *failure = made->winner->of ? find_unmet(made, device) : NULL;
    if (!failure && (gain = clopt_kept_gain(&calls, device, made->winner)) <= 0)
        failure = measure(made, device, &gain);
    else if (!failure && gain >= 1 && made->winner->of)
        failure = clopt_replacement_check(made);
    if (!failure && gain < 1)
        failure = made->winner->of
                      ? "the winner of a sibling is slower here than the kernel itself"
                      : "its winner is slower than the kernel itself, with what other layouts take";
    clopt_layer_lock();
    made->winner->tried = true;
    made->row->winner.gain = gain;
    clopt_layer_unlock();
    if (clopt_record_get()->untimed && !failure &&
        made->winner->of) /* no `clopt apply` reports it */
        fprintf(stderr, "clopt: note: %s: %s was measured on %s; here it is %.2f times as fast\n",
                made->kernel->name, made->winner->variant, made->winner->of->device, gain);
    return failure;
}
