/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes in what a check of a drafted study has found. */
#include "commands/draft/draft.h"

#include "text/json.h"

/* Small runs have smaller work-groups than the study, which need not write all of local memory. */
#define LEFT_OUT "uninitialized-read"

/* Takes in that an argument has to have so many bytes; 0: that not all of it is written. */
static void note_overrun(struct clopt_draft_check *check, const char *kernel, const char *name,
                         uint64_t bytes, const char *what)
{
    size_t i = 0;
    while (i < check->overrun_count && (strcmp(check->overruns[i].kernel, kernel) != 0 ||
                                        strcmp(check->overruns[i].argument, name) != 0))
        i++;
    check->found |= bytes || i == check->overrun_count;
    if (i == CLOPT_MOST_OVERRUNS)
        return;
    struct clopt_overrun *overrun = &check->overruns[i];
    if (i == check->overrun_count) {
        check->overrun_count++;
        *overrun = (struct clopt_overrun){0};
        snprintf(overrun->kernel, sizeof overrun->kernel, "%s", kernel);
        snprintf(overrun->argument, sizeof overrun->argument, "%s", name);
        if (bytes)
            clopt_text_printf(&check->corrected, "%s: %s was too short: %s\n", kernel, name, what);
    }
    uint64_t *most = &overrun->bytes[check->run - 1];
    *most = bytes > *most ? bytes : *most;
}

void clopt_draft_check_device(struct clopt_draft_check *check, const char *label,
                              const char *platform, const char *name)
{
    unsigned number = 1;
    CLOPT_OWNED(clopt_text) heading = {0};
    do {
        clopt_text_clear(&heading);
        clopt_text_printf(&heading, number > 1 ? "[device %s%u]\n" : "[device %s]\n", label,
                          number);
        number++;
    } while (strstr(clopt_text_string(&check->device), clopt_text_string(&heading)));
    clopt_text_printf(&check->device, "%splatform = %s\nname = %s\n", clopt_text_string(&heading),
                      platform, name);
}

/* Takes in the findings of an app: a longer argument cures those that say how long. */
static void note_findings(struct clopt_draft_check *check, const json_t *findings)
{
    size_t i;
    json_t *finding;
    const char *last = "";
    json_array_foreach(findings, i, finding)
    {
        const char *kernel = clopt_json_string(finding, "kernel");
        const char *kind = clopt_json_string(finding, "kind");
        uint64_t needed = (uint64_t)json_integer_value(json_object_get(finding, "needed"));
        CLOPT_OWNED(clopt_text) what = {0};
        clopt_text_printf(&what, "line %d: %s",
                          (int)json_integer_value(json_object_get(finding, "line")),
                          clopt_json_string(finding, "message"));
        if (needed)
            note_overrun(check, kernel, clopt_json_string(finding, "array"), needed,
                         clopt_text_string(&what));
        else if (strcmp(kind, last) != 0 && strcmp(kind, LEFT_OUT) != 0)
            clopt_text_printf(&check->faults, "%s: %s: %s\n", kernel, kind,
                              clopt_text_string(&what));
        if (!check->first.length && strcmp(kind, LEFT_OUT) != 0)
            clopt_text_printf(&check->first, "%s: %s: %s", kernel, kind, clopt_text_string(&what));
        last = needed ? last : kind;
    }
}

/* ---- what does nothing ---- */

static void note_idle(struct clopt_draft_check *check, const json_t *run)
{
    json_t *list = check->idle[check->run - 1];
    const char *kernel = clopt_json_string(run, "kernel");
    CLOPT_OWNED(clopt_text) message = {0};
    clopt_text_printf(
        &message,
        "%s: nothing is computed; a size, counter, member or offset may be guessed so "
        "that there is nothing to do",
        kernel);
    if (json_is_true(json_object_get(run, "vacuous")))
        json_array_append_new(list,
                              json_pack("{s:s,s:s,s:i,s:s}", "kind", "vacuous", "kernel", kernel,
                                        "line", 0, "message", clopt_text_string(&message)));
    json_array_extend(list, json_object_get(run, "idle"));
}

/* Whether a run says the same as another one, but for its numbers. */
static bool has_idle(const json_t *list, const json_t *wanted)
{
    static const char *const keys[] = {"kind", "kernel", "line"};
    size_t i;
    json_t *idle;
    json_array_foreach(list, i, idle)
    {
        size_t same = 0;
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
            same += json_equal(json_object_get(idle, keys[k]), json_object_get(wanted, keys[k]));
        if (same == sizeof keys / sizeof *keys)
            return true;
    }
    return false;
}

void clopt_draft_check_tell_idle(const struct clopt_draft_check *check, struct clopt_text *lines)
{
    size_t i;
    json_t *idle;
    const json_t *last = check->idle[1] ? check->idle[1] : check->idle[0];
    json_array_foreach(last, i, idle)
    {
        if (has_idle(check->idle[0], idle))
            clopt_text_printf(lines, "%s\n", clopt_json_string(idle, "message"));
    }
}

/* ---- rounds ---- */

void clopt_draft_check_note(struct clopt_draft_check *check, const json_t *runs)
{
    size_t r, i;
    json_t *run, *name;
    clopt_text_clear(&check->faults);
    clopt_text_clear(&check->first);
    check->found = check->timed_out = false;
    clopt_text_clear(&check->failure);
    json_decref(check->idle[check->run - 1]);
    check->idle[check->run - 1] = json_array();
    size_t failed = 0;
    json_array_foreach(runs, r, run)
    {
        const json_t *error = json_object_get(run, "error");
        if (error)
            clopt_text_printf(&check->faults, "%s: not checked: %s\n",
                              clopt_json_string(run, "app"), json_string_value(error));
        check->timed_out |= json_is_true(json_object_get(run, "timed_out"));
        failed += error && json_equal(error, json_object_get(json_array_get(runs, 0), "error"));
        if (!check->device.length && json_integer_value(json_object_get(run, "devices")) > 1)
            clopt_draft_check_device(check, clopt_json_string(run, "type"),
                                     clopt_json_string(run, "platform"),
                                     clopt_json_string(run, "device"));
        note_findings(check, json_object_get(run, "findings"));
        note_idle(check, run);
        json_array_foreach(json_object_get(run, "unwritten"), i, name)
            note_overrun(check, clopt_json_string(run, "kernel"), json_string_value(name), 0, "");
    }
    if (failed && failed == json_array_size(runs)) { /* such as without a device */
        clopt_text_clear(&check->faults);
        clopt_text_append(&check->failure, clopt_json_string(json_array_get(runs, 0), "error"));
    }
}

void clopt_draft_check_fail(struct clopt_draft_check *check, const char *reason)
{
    clopt_text_clear(&check->faults);
    clopt_text_clear(&check->failure);
    clopt_text_append(&check->failure, reason);
    check->found = check->timed_out = false;
}

void clopt_draft_check_shrink(struct clopt_draft_check *check)
{
    check->halvings[check->run - 1]++;
    for (size_t i = 0; i < check->overrun_count; i++)
        check->overruns[i].bytes[check->run - 1] = 0;
}

void clopt_draft_check_fini(struct clopt_draft_check *check)
{
    clopt_text_fini(&check->corrected);
    clopt_text_fini(&check->first);
    clopt_text_fini(&check->faults);
    clopt_text_fini(&check->failure);
    clopt_text_fini(&check->device);
    for (size_t i = 0; i < CLOPT_DRAFT_RUNS; i++)
        json_decref(check->idle[i]);
}
