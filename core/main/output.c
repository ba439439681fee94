/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes documents in the format that a command line asks for. */
#include "main/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

#define NARROWEST 60 /* columns of text, whatever the terminal says */
#define WIDEST    160

void clopt_output_options(const struct option *own, struct option *all)
{
    size_t count = 0;
    for (; own->name && count < CLOPT_MOST_OPTIONS / 2; own++)
        all[count++] = *own;
    for (int i = 0; clopt_formats[i].name && count < CLOPT_MOST_OPTIONS - 4; i++)
        if (clopt_formats[i].option)
            all[count++] =
                (struct option){clopt_formats[i].option,
                                clopt_formats[i].in_folder ? required_argument : no_argument, NULL,
                                CLOPT_OUTPUT_FIRST + i};
    all[count++] = (struct option){"all", no_argument, NULL, CLOPT_OUTPUT_ALL};
    all[count++] = (struct option){"brief", no_argument, NULL, CLOPT_OUTPUT_BRIEF};
    all[count++] = (struct option){"format", required_argument, NULL, CLOPT_OUTPUT_LAST};
    all[count] = (struct option){NULL, 0, NULL, 0};
}

int clopt_output_take(struct clopt_output *output, const char *command, int option)
{
    if (option == CLOPT_OUTPUT_LAST) {
        output->figure = optarg;
        return CLOPT_EXIT_DONE;
    }
    if (option == CLOPT_OUTPUT_ALL || option == CLOPT_OUTPUT_BRIEF) {
        output->extent = option == CLOPT_OUTPUT_ALL ? 'a' : 'b';
        return CLOPT_EXIT_DONE;
    }
    const struct clopt_format *format = &clopt_formats[option - CLOPT_OUTPUT_FIRST];
    if (output->format && output->format != format)
        return clopt_usage_error(command, "--%s and --%s: one format at a time",
                                 output->format->option, format->option);
    output->format = format;
    output->folder = format->in_folder ? optarg : NULL;
    return CLOPT_EXIT_DONE;
}

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
    if (format->draws && !format->in_folder && !*gnuplot)
        clopt_text_print(stderr, "clopt: the page has no figures: %s\n", missing.message);
    return format->in_folder && !*gnuplot ? CLOPT_FAILED : CLOPT_OK;
}

enum clopt_status clopt_output_prepare(const struct clopt_output *output, struct clopt_error *error)
{
    enum clopt_chart_format figure;
    return output->figure ? clopt_chart_format_find(output->figure, &figure, error) : CLOPT_OK;
}

/* Returns how many columns the terminal has that stdout is; 0: it is none, or does not say. */
static size_t find_width(void)
{
    struct winsize size = {0};
    if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || !size.ws_col)
        return 0;
    return size.ws_col < NARROWEST ? NARROWEST : size.ws_col > WIDEST ? WIDEST : size.ws_col;
}

enum clopt_status clopt_output_finish(const struct clopt_output *output,
                                      struct clopt_document *document, enum clopt_status status,
                                      struct clopt_error *error)
{
    struct clopt_writing writing = {.stream = stdout,
                                    .color = clopt_wants_color(),
                                    .brief = output->extent ? output->extent == 'b'
                                                            : isatty(STDOUT_FILENO),
                                    .width = find_width(),
                                    .folder = output->folder};
    if (!status && output->figure)
        status = clopt_chart_format_find(output->figure, &writing.figure, error);
    if (!status && clopt_document_needs_gnuplot(document))
        status = find_gnuplot(output, &writing.gnuplot, error);
    if (!status)
        status = clopt_document_write(document, format_of(output), &writing, error);
    if (!status && fflush(stdout) != 0)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    clopt_document_fini(document);
    free(writing.gnuplot);
    return status;
}
