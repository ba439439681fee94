/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what is wrong with a command line. */
#include "main/usage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/suggest.h"
#include "base/text.h"
#include "opencl/driver.h"

#define MOST_OPTIONS 32 /* that are worth a suggestion */

int clopt_usage_error(const char *command, const char *format, ...)
{
    struct clopt_text text = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&text, format, arguments);
    va_end(arguments);
    clopt_text_print(stderr, "clopt: %s\n", clopt_text_string(&text));
    clopt_text_fini(&text);
    fprintf(stderr, "Try `clopt %s%s--help`.\n", command, *command ? " " : "");
    return CLOPT_EXIT_USAGE;
}

/* Returns the name of the option that a word such as "--jsn" or "--jsn=3" was meant to be. */
static const char *suggest(const char *word, const struct option *options)
{
    const char *names[MOST_OPTIONS];
    size_t count = 0;
    char name[64];
    for (const struct option *option = options; option->name && count < MOST_OPTIONS; option++)
        names[count++] = option->name;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    return clopt_suggest(name, names, count);
}

int clopt_option_error(const char *command, int failure, char *const *argv,
                       const struct option *options)
{
    const char *word = argv[optind - 1];
    bool is_long = strncmp(word, "--", 2) == 0;
    char letter[3] = {'-', (char)optopt, '\0'};
    if (failure == ':')
        return clopt_usage_error(command, "%s: needs a value", is_long ? word : letter);
    if (!is_long)
        return clopt_usage_error(command, "%s: unknown option", letter);
    if (optopt)
        return clopt_usage_error(command, "%s: this option takes no value", word);
    const char *meant = suggest(word, options);
    return clopt_usage_error(command, "%s: unknown option%s%s%s", word,
                             meant ? "; did you mean --" : "", meant ? meant : "",
                             meant ? "?" : "");
}

bool clopt_wants_color(void)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(STDOUT_FILENO);
}

int64_t clopt_limit_read(const char *text)
{
    return clopt_number_read(text, 1, 86400);
}

enum clopt_status clopt_command_apart(int64_t limit_s,
                                      enum clopt_status (*work)(void *user,
                                                                struct clopt_error *error),
                                      void *user, struct clopt_error *error)
{
    const struct clopt_child_limits limits = {.seconds = (double)limit_s,
                                              .seconds_key = "--limit",
                                              .memory_bytes = clopt_memory_limit(0),
                                              .advice = CLOPT_PARSING_ADVICE};
    return clopt_child_run(&limits, work, user, error) ? clopt_driver_accuse(NULL, error)
                                                       : CLOPT_OK;
}

int64_t clopt_run_read(const char *command, const char *text)
{
    int64_t run = clopt_number_read(text, 1, INT64_MAX);
    if (run < 0)
        clopt_usage_error(command, "--run=%s: not the number of a run", text);
    return run;
}

const char *clopt_store_argument(const char *command, int argc, char *const *argv)
{
    if (optind + 1 < argc)
        clopt_usage_error(command, "%s: one store at a time", argv[optind + 1]);
    else if (optind == argc || !*argv[optind])
        clopt_usage_error(command, "no store given: clopt %s STORE", command);
    else
        return argv[optind];
    return NULL;
}

enum clopt_status clopt_input_set(const struct clopt_plugin_entry *app, struct clopt_values *inputs,
                                  const char *assignment, struct clopt_error *error)
{
    size_t length = strcspn(assignment, "=");
    if (!assignment[length])
        return clopt_fail(error, CLOPT_INVALID, "%s: not of the form input=value", assignment);
    char *name = strndup(assignment, length);
    if (!name)
        return clopt_fail_memory(error);
    const char *app_name = app->plugin->name;
    const struct clopt_parameter *parameter =
        clopt_parameter_find(clopt_entry_app(app)->inputs, name);
    enum clopt_status status =
        parameter ? clopt_values_set(inputs, parameter, assignment + length + 1, error)
                  : clopt_fail(error, CLOPT_INVALID,
                               "%s: %s has no such input; `clopt plugins %s` lists them", name,
                               app_name, app_name);
    free(name);
    return status;
}

void clopt_tell_next(const char *written, const char *before, const char *after)
{
    struct clopt_text word = {0};
    clopt_text_append_word(&word, written);
    clopt_text_print(stderr, "clopt: wrote %s; next: %s%s%s\n", written, before,
                     clopt_text_string(&word), after);
    clopt_text_fini(&word);
}
