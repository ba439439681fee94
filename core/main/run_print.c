/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints what came of `clopt run`. */
#include "main/run_parts.h"

#include <stdlib.h>

#include "number/statistics.h"
#include "opencl/device.h"
#include "text/json.h"
#include "text/table.h"
#include "text/text.h"
#include "trial/rate.h"
#include "trial/trial.h"

static struct clopt_interval column_interval(const struct run *run, size_t column)
{
    struct clopt_interval interval = {0};
    CLOPT_FREED double *times = calloc(run->block.count, sizeof *times);
    CLOPT_FREED uint32_t *process = calloc(run->block.count, sizeof *process);
    for (size_t row = 0; times && process && row < run->block.count; row++)
        times[row] = run->block.times_ns[row * run->block.columns + column];
    if (times && process)
        interval = clopt_interval_estimate(times, process, run->block.count);
    return interval;
}

static void add_time_row(const struct run *run, struct clopt_table *table, const char *name,
                         size_t column, const struct clopt_kernel *kernel)
{
    struct clopt_interval time = column_interval(run, column);
    if (time.median == 0) /* the app has not launched this kernel */
        return;
    clopt_table_cell(table, "%s", name);
    clopt_table_cell(table, "%.4g ms", time.median * 1e-6);
    struct clopt_kernel_work work = {0};
    if (kernel)
        run->session->app->describe(&run->session->problem, run->workspace.state, kernel, &work,
                                    NULL);
    if (work.operations > 0)
        clopt_table_cell(table, "%.4g %s", work.operations / time.median,
                         clopt_arithmetic_unit(work.arithmetic));
    else
        clopt_table_cell(table, "%s", "");
    if (work.bytes > 0)
        clopt_table_cell(table, "%.4g GB/s", work.bytes / time.median);
    clopt_table_end_row(table);
}

static enum clopt_status print_text(const struct run *run, FILE *stream, struct clopt_error *error)
{
    const struct clopt_app *app = run->trial.app->plugin->app;
    const struct clopt_device_info *device = &run->workspace.context.info;
    CLOPT_FREED char *label = clopt_inputs_label(run->trial.app, run->trial.inputs);
    CLOPT_FREED char *variant = clopt_trial_name(&run->trial);
    clopt_text_print(stream, "%s %s, %s, on %s (%s)\n", run->app_name, label ? label : "",
                     variant ? variant : "", device->name, device->platform);
    clopt_text_print(stream, "%s", run->result);
    clopt_text_print(stream, "check: right; %s: error %.3g, allowed %.3g\n", run->verdict.text,
                     run->verdict.error, run->verdict.bound);
    struct clopt_table *table = clopt_table_create("lrrr");
    if (!table)
        return clopt_fail_memory(error);
    clopt_table_cell(table, "kernel");
    clopt_table_cell(table, "median of %zu", run->block.count);
    clopt_table_end_row(table);
    clopt_table_rule(table);
    for (size_t k = 0; app->kernels[k].name; k++)
        add_time_row(run, table, app->kernels[k].name, k, &app->kernels[k]);
    add_time_row(run, table, "whole run", run->block.columns - 1, NULL);
    enum clopt_status status = clopt_table_print(table, stream, 0, error);
    clopt_table_destroy(table);
    return status;
}

static enum clopt_status print_json(const struct run *run, FILE *stream, struct clopt_error *error)
{
    const struct clopt_app *app = run->trial.app->plugin->app;
    json_t *kernels = json_object();
    for (size_t k = 0; app->kernels[k].name; k++)
        json_object_set_new(kernels, app->kernels[k].name,
                            clopt_json_real(column_interval(run, k).median));
    CLOPT_FREED char *variant = clopt_trial_name(&run->trial);
    json_t *object = json_pack(
        "{s:s,s:o,s:I,s:s,s:o,s:o,s:b,s:s,s:o,s:o,s:i,s:o,s:o}", "app", run->app_name, "inputs",
        clopt_values_to_json(run->trial.inputs), "seed", (json_int_t)run->seed, "variant",
        variant ? variant : "", "device", clopt_device_to_json(&run->workspace.context.info),
        "result", clopt_json_from_lines(run->result), "right", run->verdict.right, "check",
        run->verdict.text, "error", clopt_json_real(run->verdict.error), "bound",
        clopt_json_real(run->verdict.bound), "runs", (int)run->block.count, "kernels_ns", kernels,
        "whole_run_ns", clopt_json_real(column_interval(run, run->block.columns - 1).median));
    return clopt_json_print(object, stream, "the result", error);
}

enum clopt_status clopt_run_print(const struct run *run, FILE *stream, struct clopt_error *error)
{
    return run->json ? print_json(run, stream, error) : print_text(run, stream, error);
}
