/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes documents in the format that a command line asks for, and the page of a study that runs: a
 * process of low priority reads the store and makes it. */
#include "commands/shared/output.h"
#include "commands/shared/usage.h"

#include <errno.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "view/analysis.h"
#include "watch/progress.h"

#define NARROWEST 40 /* columns of text, whatever the terminal says */
#define WIDEST    160

/* of a page that is written again and again */
#define INTERVAL_S 5
#define LOWEST     19 /* priority */
#define SHARE      20 /* of the time at most goes into pages: they disturb what is measured */

static enum clopt_status take_format(void *read, const struct clopt_key *option, const char *value,
                                     struct clopt_error *error)
{
    struct clopt_output *output = read;
    if (output->format && output->format != option->extension)
        return clopt_fail(error, CLOPT_INVALID, "--%s and --%s: one format at a time",
                          output->format->name, option->is.name);
    output->format = option->extension;
    output->folder = value;
    return CLOPT_OK;
}

bool clopt_output_row(const struct clopt_extension *extension, struct clopt_key *option)
{
    if (extension->kind != CLOPT_KIND_FORMAT)
        return false;
    const struct clopt_format *format = extension->operations;
    option->value = format->value;
    option->take = take_format;
    return format->write && !format->standard;
}

const struct clopt_key clopt_output_options[] = {
    CLOPT_FLAG(0, "all", struct clopt_output, all, "text with all tables and notes"),
    CLOPT_FLAG(0, "brief", struct clopt_output, brief, "text that fits a screen, as on a terminal"),
    CLOPT_TEXT(0, "format", "FORMAT", struct clopt_output, figure,
               "of figures: svg [default], png, pdf; trees: dot"),
    {0},
};

const struct clopt_key clopt_selection_options[] = {
    CLOPT_TEXT('d', "device", "LABEL", struct clopt_selection, device,
               "only this device, as the study calls it"),
    CLOPT_TEXT('p', "problem", "LABEL", struct clopt_selection, problem,
               "only this problem, as reports call it: size=512"),
    CLOPT_TEXT('k', "kernel", "NAME", struct clopt_selection, kernel, "only this kernel"),
    {0},
};

static const struct clopt_format *format_of(const struct clopt_output *output)
{
    const struct clopt_extension *format =
        output->format ? output->format : clopt_format_find(output->registry, NULL);
    return format ? format->operations : NULL;
}

int clopt_output_check(const struct clopt_global_options *global, struct clopt_output *output,
                       const char *command)
{
    output->registry = global->registry;
    const struct clopt_format *format = format_of(output);
    if (!format)
        return clopt_report_error(
            &(struct clopt_error){.status = CLOPT_PLUGIN_UNUSABLE,
                                  .message = "no plugin has a standard format of documents; "
                                             "`clopt plugins` lists what was refused"});
    if (output->figure && !format->in_folder)
        return clopt_usage_error(command, "--format goes with --figures");
    if (format->in_folder && output->folder && !*output->folder)
        return clopt_usage_error(command, "--%s takes a folder", output->format->name);
    return CLOPT_EXIT_DONE;
}

struct clopt_document clopt_output_begin(const struct clopt_output *output, const char *program)
{
    return (struct clopt_document){.program = program,
                                   .for_programs = format_of(output)->for_programs};
}

/* Finds what draws; a page without figures is worth having, but that they are missing is said. */
static enum clopt_status find_gnuplot(const struct clopt_output *output, char **gnuplot,
                                      struct clopt_error *error)
{
    struct clopt_error missing = {0};
    const struct clopt_format *format = format_of(output);
    *gnuplot =
        format->draws ? clopt_chart_find_gnuplot(format->in_folder ? error : &missing) : NULL;
    if (format->draws && !format->in_folder && !*gnuplot && !output->save)
        clopt_text_print(stderr, "clopt: the page has no figures: %s\n", missing.message);
    return format->in_folder && !*gnuplot ? CLOPT_FAILED : CLOPT_OK;
}

enum clopt_status clopt_output_prepare(const struct clopt_output *output, struct clopt_error *error)
{
    enum clopt_chart_format figure;
    if (output->save)
        CLOPT_TRY(clopt_file_check_target(output->save, output->over, error));
    return output->figure ? clopt_chart_format_find(output->figure, &figure, error) : CLOPT_OK;
}

/* Returns how many columns a terminal has; 0: the file is none, or does not say. */
static size_t find_width(int file)
{
    struct winsize size = {0};
    if (!isatty(file) || ioctl(file, TIOCGWINSZ, &size) != 0 || !size.ws_col)
        return 0;
    return size.ws_col < NARROWEST ? NARROWEST : size.ws_col > WIDEST ? WIDEST : size.ws_col;
}

/* A document that is written to a file. */
struct saving {
    const struct clopt_document *document;
    const struct clopt_format *format;
    struct clopt_writing writing;
};

static enum clopt_status save(void *user, FILE *stream, struct clopt_error *error)
{
    struct saving *saving = user;
    saving->writing.stream = stream;
    return clopt_document_write(saving->document, saving->format, &saving->writing, error);
}

enum clopt_status clopt_output_finish(const struct clopt_output *output,
                                      struct clopt_document *document, enum clopt_status status,
                                      struct clopt_error *error)
{
    int file = output->on_stderr ? STDERR_FILENO : STDOUT_FILENO;
    struct clopt_writing writing = {.stream = output->on_stderr ? stderr : stdout,
                                    .color = !output->on_stderr && clopt_wants_color(),
                                    .answer = output->answer && !output->all && !output->brief,
                                    .brief = output->brief || (!output->all && isatty(file)),
                                    .width = find_width(file),
                                    .folder = output->folder,
                                    .refresh_s = output->refresh_s,
                                    .doing = output->doing};
    if (!status && output->figure)
        status = clopt_chart_format_find(output->figure, &writing.figure, error);
    if (!status && clopt_document_needs_gnuplot(document))
        status = find_gnuplot(output, &writing.gnuplot, error);
    struct saving saving = {document, format_of(output), writing};
    if (!status && output->save)
        status = clopt_file_save(output->save, output->over, save, &saving, error);
    else if (!status)
        status = clopt_document_write(document, format_of(output), &writing, error);
    if (!status && fflush(stdout) != 0)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    clopt_document_fini(document);
    free(writing.gnuplot);
    return status;
}

/* ---- a page of a study that runs ---- */

/* Writes what a store holds; NULL: that there is none yet. */
static enum clopt_status write_page(const struct clopt_live *live, struct clopt_store *store,
                                    unsigned refresh_s, struct clopt_error *error)
{
    struct clopt_output output = {.registry = live->registry,
                                  .format = clopt_format_find(live->registry, "html"),
                                  .save = live->path,
                                  .over = &clopt_page_kind,
                                  .refresh_s = refresh_s,
                                  .doing = refresh_s ? live->doing : NULL};
    struct clopt_document document = clopt_output_begin(&output, "clopt report");
    const struct clopt_analysis_request request = {
        .store = store, .paths = &live->store_path, .path_count = 1};
    enum clopt_status status = CLOPT_OK;
    const struct clopt_analysis *best = clopt_analysis_find(live->registry, error);
    if (!best)
        status = error->status;
    else if (store)
        status = best->write(&request, &document, error);
    else
        clopt_document_heading(&document, CLOPT_HEADING_TITLE, "The study begins");
    return clopt_output_finish(&output, &document, status, error);
}

/* Writes pages until a signal says that it is enough, which is looked for between them. */
static void keep_writing(const struct clopt_live *live, pid_t parent, const sigset_t *end)
{
    time_t pause_s = 1;      /* a study shows nothing at first */
    signal(SIGINT, SIG_IGN); /* the parent ends by it, and this then */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    while (getppid() == parent) {
        struct clopt_error error = {0};
        struct clopt_store *store = NULL;
        struct timespec began, ended;
        struct timespec pause = {.tv_sec = pause_s};
        if (sigtimedwait(end, NULL, &pause) > 0)
            return;
        clock_gettime(CLOCK_MONOTONIC, &began);
        if (!clopt_store_open_read(live->store_path, &store, &error))
            write_page(live, store, INTERVAL_S, &error); /* what fails may do later */
        clopt_store_close(store);
        clock_gettime(CLOCK_MONOTONIC, &ended);
        pause_s = SHARE * (ended.tv_sec - began.tv_sec);
        pause_s = pause_s > INTERVAL_S ? pause_s : INTERVAL_S;
    }
}

enum clopt_status clopt_live_begin(struct clopt_live *live, struct clopt_error *error)
{
    pid_t parent = getpid();
    sigset_t end, before;
    if (!live->path)
        return CLOPT_OK;
    live->doing =
        mmap(NULL, CLOPT_PROGRESS, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (live->doing == MAP_FAILED)
        return clopt_fail(error, CLOPT_FAILED, "--live: %s", strerror(errno));
    CLOPT_TRY(write_page(live, NULL, INTERVAL_S, error));
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, &before);
    live->writer = fork();
    if (live->writer == 0) {
        setpriority(PRIO_PROCESS, 0, LOWEST);
        keep_writing(live, parent, &end);
        _exit(0);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return live->writer < 0 ? clopt_fail(error, CLOPT_FAILED, "--live: cannot start a process: %s",
                                         strerror(errno))
                            : CLOPT_OK;
}

enum clopt_status clopt_live_end(struct clopt_live *live, struct clopt_store *store,
                                 struct clopt_error *error)
{
    if (live->writer <= 0)
        return CLOPT_OK;
    kill(live->writer, SIGTERM);
    while (waitpid(live->writer, NULL, 0) < 0 && errno == EINTR) {
    }
    live->writer = 0;
    return store ? write_page(live, store, 0, error) : CLOPT_OK;
}
