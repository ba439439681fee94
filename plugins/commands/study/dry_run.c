/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows what a study would try, without trying it. */
#include "commands/study/dry_run.h"

#include <errno.h>

#include "space/space.h"
#include "trial/rival.h"
#include "trial/variant.h"

/* The column of variants is as wide as the widest of so many at a kernel's start. */
#define ROWS_FOR_WIDTH 100
#define WIDEST_VARIANT 60

/* What is printed, and where. */
struct run {
    const struct clopt_study *study;
    const struct clopt_device_info *devices;
    const struct clopt_dry_run_search *search; /* NULL: none */
    FILE *stream;
    uint64_t count;
    uint64_t infeasible;
    uint64_t not_chosen;
    uint64_t not_feasible; /* of those: that would have been chosen */
    int kernel_width;
    int variant_width;
};

/* One row. */
struct row {
    struct clopt_trial trial;
    struct clopt_space_group group;
    char *variant;
    char *problem;
    bool feasible;
    struct clopt_error reason;
};

static void row_fini(struct row *row)
{
    free(row->variant);
    free(row->problem);
    clopt_trial_fini(&row->trial);
}

/* Makes trial number `index` of a group; *more is false after the last one. */
static enum clopt_status make_trial(const struct run *run, size_t group, uint64_t index,
                                    struct clopt_trial *trial, bool *more,
                                    struct clopt_error *error)
{
    *more = index < clopt_space_count(run->study, group);
    if (*more)
        return clopt_space_trial(run->study, group, index, trial, error);
    return run->search ? run->search->next(run->search->user, group, trial, more, error) : CLOPT_OK;
}

/* Completes a row that has its trial. */
static enum clopt_status make_row(const struct run *run, size_t group, struct row *row,
                                  struct clopt_error *error)
{
    row->group = clopt_space_group(run->study, group);
    const struct clopt_device_info *device = run->devices ? &run->devices[row->group.device] : NULL;
    row->variant = clopt_trial_name(&row->trial);
    row->problem = clopt_inputs_label(row->trial.app, row->trial.inputs);
    enum clopt_status status = clopt_variant_check(&row->trial, device, &row->reason);
    row->feasible = status == CLOPT_OK;
    if (row->feasible || status == CLOPT_INFEASIBLE)
        return CLOPT_OK;
    /* What is wrong with more than this variant ends the dry run, as it would end the study. */
    clopt_fail(error, status, "%s/%s %s: %s", row->trial.app->extension->name,
               row->trial.kernel->name, row->variant, row->reason.message);
    return status;
}

static void print_json_row(struct run *run, const struct row *row)
{
    json_auto_t *json = clopt_trial_to_json(&row->trial);
    json_object_set_new(json, "device", json_string(run->study->devices[row->group.device].label));
    json_object_set_new(json, "problem", json_string(row->problem));
    json_object_set_new(json, "variant", json_string(row->variant));
    json_object_set_new(json, "infeasible",
                        row->feasible ? json_null() : json_string(row->reason.message));
    fputs(run->count ? ",\n " : "\n ", run->stream);
    json_dumpf(json, run->stream, JSON_SORT_KEYS);
}

static void print_heading(const struct run *run, const struct row *row)
{
    const struct clopt_study_device *device = &run->study->devices[row->group.device];
    clopt_text_print(run->stream, "%s%s%s on %s", row->trial.app->extension->name,
                     *row->problem ? " " : "", row->problem, device->label);
    if (run->devices)
        clopt_text_print(run->stream, " (%s)", run->devices[row->group.device].name);
    fputs("\n", run->stream);
}

static void print_text_row(const struct run *run, const struct row *row)
{
    if (row->feasible)
        clopt_text_print(run->stream, "  %-*s  %s\n", run->kernel_width, row->trial.kernel->name,
                         row->variant);
    else
        clopt_text_print(run->stream, "  %-*s  %-*s  infeasible: %s\n", run->kernel_width,
                         row->trial.kernel->name, run->variant_width, row->variant,
                         row->reason.message);
}

/* Chooses the widths of a group's columns from its first rows. */
static enum clopt_status choose_widths(struct run *run, size_t group, struct clopt_error *error)
{
    const struct clopt_study_app *app = &run->study->apps[clopt_space_group(run->study, group).app];
    run->kernel_width = run->variant_width = 0;
    for (size_t i = 0; i < app->kernel_count; i++) {
        int width = (int)strlen(app->kernels[i]->name);
        run->kernel_width = width > run->kernel_width ? width : run->kernel_width;
    }
    uint64_t count = clopt_space_count(run->study, group);
    for (uint64_t i = 0; i < count && i < ROWS_FOR_WIDTH; i++) {
        CLOPT_OWNED(clopt_trial) trial = {0};
        CLOPT_TRY(clopt_space_trial(run->study, group, i, &trial, error));
        CLOPT_FREED char *name = clopt_trial_name(&trial);
        size_t width = strlen(name);
        width = width > WIDEST_VARIANT ? WIDEST_VARIANT : width;
        run->variant_width = (int)width > run->variant_width ? (int)width : run->variant_width;
    }
    return CLOPT_OK;
}

static enum clopt_status fail_write(struct clopt_error *error)
{
    return clopt_fail(error, CLOPT_FAILED, "the dry run cannot be written: %s", strerror(errno));
}

/* Says how a rival is made: "<rivals/lud.c> by cc -O3 -fopenmp -lz", or the command that runs it.
 */
static void print_program(FILE *stream, const json_t *program)
{
    const json_t *sources = json_object_get(program, "sources");
    const json_t *libraries = json_object_get(program, "libraries");
    const char *command = clopt_rival_text(program, "command");
    for (size_t i = 0; i < json_array_size(sources) && !*command; i++)
        clopt_text_print(stream, "%s%s", i ? ", " : "",
                         json_string_value(json_array_get(sources, i)));
    if (*command)
        clopt_text_print(stream, "%s\n", command);
    else
        clopt_text_print(stream, " by %s %s", clopt_rival_text(program, "compiler"),
                         clopt_rival_text(program, "cflags"));
    for (size_t i = 0; i < json_array_size(libraries) && !*command; i++)
        clopt_text_print(stream, " -l%s", json_string_value(json_array_get(libraries, i)));
    fputs(*command ? "" : "\n", stream);
}

/* Lists the native programs that are measured beside the trials of a group. */
static void print_rivals(const struct run *run, size_t group)
{
    const struct clopt_study *study = run->study;
    struct clopt_space_group where = clopt_space_group(study, group);
    const char *type = run->devices ? run->devices[where.device].type : "cpu";
    for (size_t i = 0; i < study->rival_count; i++) {
        const struct clopt_study_rival *rival = &study->rivals[i];
        if (!clopt_study_has_rival(study, rival, where.app, where.device, type))
            continue;
        clopt_text_print(run->stream, "  rival %s: ", rival->label);
        print_program(run->stream, rival->program);
    }
}

static enum clopt_status print_group(struct run *run, size_t group, bool json,
                                     struct clopt_error *error)
{
    uint64_t left_out =
        clopt_space_count_all(run->study, group) - clopt_space_count(run->study, group);
    uint64_t infeasible = clopt_study_count_infeasible(run->study, group), printed = 0;
    const struct clopt_space_order order = clopt_space_order_make(run->study, group);
    if (!json)
        CLOPT_TRY(choose_widths(run, group, error));
    run->not_chosen += left_out;
    run->not_feasible += infeasible;
    for (uint64_t i = 0;; i++) {
        CLOPT_OWNED(row) row = {0};
        bool more;
        if (i < order.all.count && order.step > 1 &&
            clopt_permutation_find(&order.all, i) % order.step != order.first)
            continue; /* another shard's */
        CLOPT_TRY(make_trial(run, group, i, &row.trial, &more, error));
        if (!more)
            break;
        CLOPT_TRY(make_row(run, group, &row, error));
        if (json)
            print_json_row(run, &row);
        else if (printed++ == 0)
            print_heading(run, &row);
        if (!json)
            print_text_row(run, &row);
        run->count++;
        run->infeasible += !row.feasible;
        if (ferror(run->stream))
            return fail_write(error);
    }
    if (json)
        return CLOPT_OK;
    if (left_out)
        fprintf(run->stream,
                infeasible ? "  and %" PRIu64 " that are not chosen; %" PRIu64
                             " of them were drawn, and are infeasible\n"
                           : "  and %" PRIu64 " that are not chosen\n",
                left_out, infeasible);
    if (run->search)
        fputs("  and others, which follow from how fast these are\n", run->stream);
    if (printed) {
        print_rivals(run, group);
        fputs("\n", run->stream);
    }
    return CLOPT_OK;
}

static void print_json_rivals(const struct run *run)
{
    fputs("\n], \"rivals\": [", run->stream);
    for (size_t i = 0; i < run->study->rival_count; i++) {
        fputs(i ? ",\n " : "\n ", run->stream);
        json_dumpf(run->study->rivals[i].program, run->stream, JSON_SORT_KEYS);
    }
}

static void print_counts(const struct run *run, bool json)
{
    if (json)
        fprintf(run->stream,
                "], \"count\": %" PRIu64 ", \"infeasible\": %" PRIu64 ", \"not_chosen\": %" PRIu64
                ", \"not_feasible\": %" PRIu64 "}\n",
                run->count, run->infeasible, run->not_chosen, run->not_feasible);
    else if (run->not_chosen)
        fprintf(run->stream, "%" PRIu64 " trials of %" PRIu64 ", %" PRIu64 " infeasible%s\n",
                run->count, run->count + run->not_chosen, run->infeasible,
                run->devices ? "" : " (the limits of the devices are not known here)");
    else
        fprintf(run->stream, "%" PRIu64 " trial%s, %" PRIu64 " infeasible%s\n", run->count,
                run->count == 1 ? "" : "s", run->infeasible,
                run->devices ? "" : " (the limits of the devices are not known here)");
}

enum clopt_status clopt_dry_run_print(const struct clopt_study *study,
                                      const struct clopt_device_info *devices,
                                      const struct clopt_dry_run_search *search, FILE *stream,
                                      bool json, struct clopt_error *error)
{
    struct run run = {.study = study, .devices = devices, .search = search, .stream = stream};
    if (json)
        fputs("{\"trials\": [", stream);
    for (size_t i = 0; i < clopt_space_group_count(study); i++)
        CLOPT_TRY(print_group(&run, i, json, error));
    if (json)
        print_json_rivals(&run);
    print_counts(&run, json);
    return fflush(stream) || ferror(stream) ? fail_write(error) : CLOPT_OK;
}
