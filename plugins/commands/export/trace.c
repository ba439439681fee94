/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the app of an exported kernel to see what it launches, over which buffers. */
#include "commands/export/unit.h"
#include "opencl/traits.h"

/* Chooses a device to run on: one for which something is exported or, without it, any one, since
 * what an app launches does not depend on the device. */
static bool use_device(struct clopt_export_unit *unit)
{
    struct clopt_query *query = unit->query;
    size_t found = CLOPT_NO_ROW;
    for (size_t i = query->count; i-- > 0;) {
        const struct clopt_device_info *here = &query->devices[i];
        if (here->available && here->compiler_available &&
            !clopt_traits_find(here->platform)->checks_accesses)
            found = i;
    }
    for (size_t d = unit->results->device_count; d-- > 0;) {
        const struct clopt_device_info *here =
            unit->chosen[d] == CLOPT_NO_ROW ? NULL : clopt_export_find_device(unit, d);
        if (here)
            found = (size_t)(here - query->devices);
    }
    if (found != CLOPT_NO_ROW)
        clopt_query_use(query, found);
    return found != CLOPT_NO_ROW;
}

/* Asks for the trace of a variant: of the code that it begins with, with its options and knobs,
 * since what else the variant changes is not the app's concern. */
static enum clopt_status trace_variant(struct clopt_export_unit *unit,
                                       struct clopt_export_variant *variant,
                                       struct clopt_error *error)
{
    struct clopt_variant plain = variant->made;
    struct clopt_kernel_change nothing = {.kernel = variant->trial.kernel};
    struct clopt_reply reply;
    CLOPT_FREED char *prefix =
        clopt_text_format("%s/%zu-", unit->query->scratch.path, (size_t)(variant - unit->variants));
    plain.source = clopt_app_source_of(&unit->source, &variant->trial)->text;
    plain.compiled = NULL;
    plain.changes = &nothing;
    plain.change_count = 1;
    json_t *request = clopt_message_request(0, CLOPT_STAGE_MAKE, CLOPT_STAGE_BUILD);
    json_object_set_new(request, "trial", clopt_trial_to_json(&variant->trial));
    json_object_set_new(request, "variant", clopt_variant_to_json(&plain));
    json_object_set_new(request, "observers", json_pack("[s]", "trace"));
    json_object_set_new(request, "trace", json_string(prefix));
    enum clopt_status status = clopt_pool_ask(&unit->query->pool, 0, request, &reply, error);
    if (!status && reply.cause.status)
        unit->no_host = reply.cause;
    if (!status)
        variant->trace = json_incref(json_object_get(reply.answer, "trace"));
    json_decref(reply.answer);
    return status;
}

/* Whether an app does the same for two variants. */
static bool are_alike(const struct clopt_export_variant *a, const struct clopt_export_variant *b)
{
    const struct clopt_values *parameters = a->trial.parameters;
    return clopt_values_equal(a->made.knobs, b->made.knobs) &&
           (!parameters || clopt_values_equal(parameters, b->trial.parameters));
}

/* Whether host programs can do what a trace says: they have no images. */
static bool can_be_done(const json_t *trace)
{
    size_t index;
    json_t *buffer;
    json_array_foreach(json_object_get(trace, "buffers"), index, buffer)
    {
        if (json_is_true(json_object_get(buffer, "image")))
            return false;
    }
    return true;
}

static enum clopt_status trace_all(struct clopt_export_unit *unit, struct clopt_error *error)
{
    for (size_t i = 0; i < unit->count && !unit->no_host.status; i++) {
        struct clopt_export_variant *variant = &unit->variants[i];
        variant->run = variant->view == unit->view ? i : 0; /* else it is of another problem */
        for (size_t k = 0; k < i && variant->run == i; k++)
            if (are_alike(&unit->variants[k], variant))
                variant->run = k;
        if (variant->run == i)
            CLOPT_TRY(trace_variant(unit, variant, error));
        if (variant->trace && !can_be_done(variant->trace))
            clopt_fail(&unit->no_host, CLOPT_INFEASIBLE, "the app has images");
    }
    return CLOPT_OK;
}

enum clopt_status clopt_export_trace(struct clopt_export_unit *unit, struct clopt_error *error)
{
    const struct clopt_defined *defined = unit->variants->trial.app->extension->app->defined;
    const char *const *programs = defined ? defined->programs : NULL;
    if (programs && *programs && !unit->request->allow_programs)
        clopt_fail(&unit->no_host, CLOPT_INVALID,
                   "the study runs a program: %s; if you trust it, say --allow-programs",
                   *programs);
    else if (unit->query && !use_device(unit))
        clopt_fail(&unit->no_host, CLOPT_FAILED, "no OpenCL device is here to run the app on");
    return unit->no_host.status ? CLOPT_OK : trace_all(unit, error);
}
