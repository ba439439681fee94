/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs the kernels of a drafted study under Oclgrind, to find arguments that are too short, and
 * data races. */
#include "draft/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "file/file.h"
#include "process/child.h"
#include "process/clock.h"
#include "process/program.h"

#define MOST_ARGUMENTS 64
#define MOST_ERRORS    "10000"
#define SELF           "/proc/self/exe"

/* Oclgrind numbers buffers from 1, in the order in which they are made, in the bits from here. */
#define BUFFER_SHIFT 48
#define MOST_BYTES   ((uint64_t)1 << 32) /* of an argument at small sizes: beyond is no length */

/* One app of the study. */
struct app {
    char name[128]; /* by which `clopt run` knows it */
    char kernel[64];
    char arguments[2][MOST_ARGUMENTS][64]; /* buffers, and those in local memory */
    size_t count[2];
};

/* ---- the study ---- */

/* Reads "NAME = USE ..." of [arguments]. */
static void note_argument(struct app *app, const char *line)
{
    static const char *const uses[] = {"input", "inout", "output", "scratch", "local"};
    char name[64], use[16];
    if (sscanf(line, "%63s = %15s", name, use) != 2)
        return;
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        size_t local = i == 4;
        if (strcmp(use, uses[i]) == 0 && app->count[local] < MOST_ARGUMENTS)
            snprintf(app->arguments[local][app->count[local]++], sizeof name, "%s", name);
    }
}

/* Reads the next app of a study that was drafted, and moves *at after it; false: no more. */
static bool read_app(const char **at, struct app *app)
{
    const char *begin = strstr(*at, "\n[app ");
    const char *end = begin ? strstr(begin + 1, "\n[app ") : NULL;
    bool arguments = false;
    *app = (struct app){0};
    if (!begin)
        return false;
    end = end ? end : begin + strlen(begin);
    for (const char *line = begin; line && line < end; line = strchr(line, '\n')) {
        char title[128];
        line++;
        if (sscanf(line, "[app %127[^]]]", title) == 1) {
            const char *label = strrchr(title, ' ');
            snprintf(app->name, sizeof app->name, "%s", label ? label + 1 : title);
        } else if (*line == '[') {
            arguments = strncmp(line, "[arguments", strlen("[arguments")) == 0;
        } else if (arguments) {
            note_argument(app, line);
        } else {
            sscanf(line, "kernel = %63s", app->kernel);
        }
    }
    *at = end;
    return true;
}

/* ---- what Oclgrind says ---- */

/* Takes in that an argument has to have so many bytes; 0: that not all of it is written. */
static void note_overrun(struct clopt_draft_check *check, const struct app *app, const char *name,
                         uint64_t bytes, const char *what)
{
    size_t i = 0;
    while (i < check->overrun_count && (strcmp(check->overruns[i].kernel, app->kernel) != 0 ||
                                        strcmp(check->overruns[i].argument, name) != 0))
        i++;
    check->found |= bytes || i == check->overrun_count;
    if (i == CLOPT_MOST_OVERRUNS)
        return;
    struct clopt_overrun *overrun = &check->overruns[i];
    if (i == check->overrun_count) {
        check->overrun_count++;
        *overrun = (struct clopt_overrun){0};
        snprintf(overrun->kernel, sizeof overrun->kernel, "%s", app->kernel);
        snprintf(overrun->argument, sizeof overrun->argument, "%s", name);
        if (bytes)
            clopt_text_printf(&check->corrected, "%s: %s was too short: %s\n", app->kernel, name,
                              what);
    }
    uint64_t *most = &overrun->bytes[check->run - 1];
    *most = bytes > *most ? bytes : *most;
}

/* Takes in one finding, which begins at `text`; false where it is no access to an argument. */
static bool note_finding(struct clopt_draft_check *check, const struct app *app, const char *text)
{
    char kind[16], space[16], what[160];
    uint64_t size, address;
    unsigned line = 0;
    if (sscanf(text, "Invalid %15s of size %" SCNu64 " at %15s memory address 0x%" SCNx64, kind,
               &size, space, &address) != 4)
        return false;
    bool local = strcmp(space, "local") == 0;
    uint64_t number = address >> BUFFER_SHIFT;
    uint64_t offset = address & (((uint64_t)1 << BUFFER_SHIFT) - 1);
    const char *at = strstr(text, "At line ");
    if (at)
        sscanf(at, "At line %u", &line);
    snprintf(what, sizeof what,
             "line %u accesses index %" PRIu64 " (elements of %" PRIu64 " bytes)", line,
             size ? offset / size : 0, size);
    bool global = !local && number >= 1 && number <= app->count[0];
    if (offset >= MOST_BYTES) /* in front of it, or anywhere: no length cures that */
        return false;
    if (global)
        note_overrun(check, app, app->arguments[0][number - 1], offset + size, what);
    for (size_t i = 0; local && i < app->count[1]; i++) /* it does not say which one */
        note_overrun(check, app, app->arguments[1][i], offset + size, what);
    return global || (local && app->count[1]);
}

/* Says what no longer argument cures: a data race, or an access to nothing. */
static void note_fault(struct clopt_draft_check *check, const struct app *app, const char *text)
{
    const char *end = strstr(text, "\n\n"), *at = strstr(text, "At line ");
    clopt_text_printf(&check->faults, "%s: %.*s", app->kernel, (int)strcspn(text, "\n"), text);
    if (at && (!end || at < end))
        clopt_text_printf(&check->faults, " (line %.*s)", (int)strspn(at + 8, "0123456789"),
                          at + 8);
    clopt_text_printf(&check->faults, "\n");
}

/* Reads the log; what is no access to an argument becomes a fault. */
static enum clopt_status read_log(struct clopt_draft_check *check, const struct app *app,
                                  bool *clean, struct clopt_error *error)
{
    char *log = NULL;
    bool said[2] = {false, false}; /* of accesses, and of what else there is */
    *clean = true;
    if (access(check->log, F_OK) != 0)
        return CLOPT_OK;
    enum clopt_status status = clopt_text_read(check->log, &log, error);
    for (const char *at = log; at && *at; at = strstr(at, "\n\n")) {
        at += strspn(at, "\n\t ");
        if (!*at || strncmp(at, "Oclgrind: ", 10) == 0)
            break;
        bool *known = &said[strncmp(at, "Invalid ", 8) != 0];
        if (!note_finding(check, app, at) && !*known) {
            note_fault(check, app, at);
            *known = true;
        }
        *clean = false;
    }
    free(log);
    return status;
}

/* ---- running ---- */

struct run {
    const struct clopt_draft_check *check;
    const struct app *app;
    const char *study;
    const char *options; /* of the compiler */
};

/* Becomes Oclgrind with clopt under it; for a child process. */
static enum clopt_status run_app(void *user, struct clopt_error *error)
{
    const struct run *run = user;
    const struct clopt_draft_check *check = run->check;
    struct clopt_text output = {0}, plugins = {0}, kernels = {0};
    char self[4096] = "";
    if (readlink(SELF, self, sizeof self - 1) < 0)
        return clopt_fail(error, CLOPT_FAILED, "%s cannot be read", SELF);
    clopt_text_printf(&plugins, "--plugin-path=%s",
                      check->global->plugin_path ? check->global->plugin_path : "");
    clopt_text_printf(&kernels, "--kernel-path=%s",
                      check->global->kernel_path ? check->global->kernel_path : "");
    const char *const words[] = {"oclgrind",
                                 "--data-races",
                                 "--max-errors",
                                 MOST_ERRORS,
                                 "--max-wgsize",
                                 "65536",
                                 "--local-mem-size",
                                 "1048576",
                                 "--build-options",
                                 run->options,
                                 "--log",
                                 check->log,
                                 self,
                                 clopt_text_string(&plugins),
                                 clopt_text_string(&kernels),
                                 "run",
                                 run->app->name,
                                 "-c",
                                 run->study,
                                 "-n",
                                 "1",
                                 "--limit=86400", /* there is one around all of it */
                                 NULL};
    enum clopt_status status =
        clopt_program_run(check->program, (char *const *)words, "", &output, error);
    clopt_text_fini(&output);
    clopt_text_fini(&plugins);
    clopt_text_fini(&kernels);
    return status;
}

/* Runs it once, within the time that is left. */
static void run_within_limit(struct clopt_draft_check *check, struct run *run,
                             struct clopt_error *failure)
{
    const struct clopt_child_limits limits = {.seconds = check->seconds};
    int64_t began = clopt_now_ns();
    unlink(check->log);
    *failure = (struct clopt_error){0};
    if (check->seconds <= 0 || clopt_child_run(&limits, run_app, run, failure) == CLOPT_TIMED_OUT)
        clopt_fail(failure, CLOPT_TIMED_OUT, "no time was left (--limit)");
    check->seconds -= (double)(clopt_now_ns() - began) * 1e-9;
}

/* Takes in that an output is written in part, where that is what failed. */
static bool note_unwritten(struct clopt_draft_check *check, const struct app *app,
                           const char *message)
{
    char name[64];
    const char *at = strstr(message, ": initial code: ");
    if (!at || !strstr(message, "nothing writes them") ||
        sscanf(at, ": initial code: %63[^:]", name) != 1)
        return false;
    size_t known = check->overrun_count;
    note_overrun(check, app, name, 0, "");
    return check->overrun_count > known;
}

/* Runs one app; that it fails is a fault, unless it has accessed what is not there. */
static enum clopt_status check_app(struct clopt_draft_check *check, const struct app *app,
                                   const char *study, struct clopt_error *error)
{
    struct run run = {check, app, study, ""};
    struct clopt_error failure;
    bool clean;
    run_within_limit(check, &run, &failure);
    if (strstr(failure.message,
               "CL_INVALID_KERNEL_NAME")) { /* optimized code calls what it lacks */
        run.options = "-cl-opt-disable";
        run_within_limit(check, &run, &failure);
    }
    enum clopt_status status = read_log(check, app, &clean, error);
    const char *said = strstr(failure.message, ": clopt: ");
    const char *name = said ? strchr(said + strlen(": clopt: "), ':') : NULL; /* the app's */
    if (!status && clean && failure.status && !note_unwritten(check, app, failure.message))
        clopt_text_printf(&check->faults, "%s: %s%s\n", app->kernel,
                          strstr(failure.message, "exit code 4") ? "" : "not checked: ",
                          name ? name + 2 : failure.message);
    return status;
}

enum clopt_status clopt_draft_check_run(struct clopt_draft_check *check, const char *study,
                                        struct clopt_error *error)
{
    char *text = NULL;
    struct app app;
    enum clopt_status status = clopt_text_read(study, &text, error);
    clopt_text_clear(&check->faults);
    check->found = false;
    for (const char *at = text; !status && read_app(&at, &app);) {
        if (check->progress)
            fprintf(check->progress, "\r\033[Kclopt: checking %s", app.kernel);
        status = check_app(check, &app, study, error);
    }
    if (check->progress)
        fputs("\r\033[K", check->progress);
    free(text);
    return status;
}

void clopt_draft_check_fini(struct clopt_draft_check *check)
{
    clopt_text_fini(&check->corrected);
    clopt_text_fini(&check->faults);
}
