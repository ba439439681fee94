/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes documents in the format that a command line asks for. */
#include "main/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "file/file.h"
#include "text/text.h"

#define NARROWEST 60 /* columns of text, whatever the terminal says */
#define WIDEST    160

static enum clopt_status take_format(void *read, const struct clopt_option *option,
                                     const char *value, struct clopt_error *error)
{
    struct clopt_output *output = read;
    const struct clopt_format *format = clopt_format_find(option->name);
    if (output->format && output->format != format)
        return clopt_fail(error, CLOPT_INVALID, "--%s and --%s: one format at a time",
                          output->format->option, format->option);
    output->format = format;
    output->folder = value;
    return CLOPT_OK;
}

#define FORMAT_OPTION(OPTION, VALUE, HELP, ...) CLOPT_TAKEN(0, OPTION, VALUE, take_format, HELP),

const struct clopt_option clopt_output_options[] = {
    CLOPT_FLAG(0, "all", struct clopt_output, all,
               "print all tables and notes as text: the default but on a terminal"),
    CLOPT_FLAG(0, "brief", struct clopt_output, brief,
               "print what fits a screen: the default on a terminal"),
    CLOPT_FORMATS(FORMAT_OPTION)
        CLOPT_TEXT(0, "format", "FORMAT", struct clopt_output, figure,
                   "their format: svg (the default), png or pdf; a tree is drawn by Graphviz, and "
                   "printed: svg, png, pdf or dot (default: text)"),
    {0},
};

int clopt_output_check(const struct clopt_output *output, const char *command)
{
    bool drawn = output->format && output->format->in_folder;
    if (output->figure && !drawn)
        return clopt_usage_error(command, "--format goes with --figures");
    if (drawn && output->folder && !*output->folder)
        return clopt_usage_error(command, "--%s takes a folder", output->format->option);
    return CLOPT_EXIT_DONE;
}

static const struct clopt_format *format_of(const struct clopt_output *output)
{
    return output->format ? output->format : clopt_formats;
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
                                    .brief = output->brief || (!output->all && isatty(file)),
                                    .width = find_width(file),
                                    .folder = output->folder,
                                    .refresh_s = output->refresh_s};
    if (!status && output->figure)
        status = clopt_chart_format_find(output->figure, &writing.figure, error);
    if (!status && clopt_document_needs_gnuplot(document))
        status = find_gnuplot(output, &writing.gnuplot, error);
    struct saving saving = {document, format_of(output), writing};
    if (!status && output->save)
        status = clopt_file_save(output->save, save, &saving, error);
    else if (!status)
        status = clopt_document_write(document, format_of(output), &writing, error);
    if (!status && fflush(stdout) != 0)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    clopt_document_fini(document);
    free(writing.gnuplot);
    return status;
}
