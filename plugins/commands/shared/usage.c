/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what is wrong with a command line. */
#include "commands/shared/usage.h"

#include <unistd.h>

#include "frontend/clang.h"
#include "opencl/device.h"

bool clopt_wants_color(void)
{
    const char *no_color = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");
    return !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0 &&
           isatty(STDOUT_FILENO);
}

void clopt_command_open_clang(void)
{
    struct clopt_clang clang; /* never closed */
    struct clopt_error none;
    clopt_clang_open(&clang, &none);
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
    clopt_command_open_clang();
    return clopt_child_run(&limits, work, user, error) ? clopt_driver_accuse(NULL, error)
                                                       : CLOPT_OK;
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
    CLOPT_FREED char *name = clopt_strndup(assignment, length);
    const char *app_name = app->extension->name;
    const struct clopt_parameter *parameter =
        clopt_parameter_find(app->extension->app->inputs, name);
    return parameter ? clopt_values_set(inputs, parameter, assignment + length + 1, error)
                     : clopt_fail(error, CLOPT_INVALID,
                                  "%s: %s has no such input; `clopt plugins %s` lists them", name,
                                  app_name, app_name);
}

void clopt_tell_next(const char *written, const char *before, const char *after)
{
    CLOPT_OWNED(clopt_text) word = {0};
    clopt_text_append_word(&word, written);
    clopt_text_print(stderr, "clopt: wrote %s; next: %s%s%s\n", written, before,
                     clopt_text_string(&word), after);
}

void clopt_study_tell_found(const struct clopt_study *study)
{
    if (study->found)
        clopt_text_print(stderr,
                         "clopt: %s: known to be wrong: %s\nclopt: mend it, and take [study] found "
                         "out: until then all that is measured is of a launch that is wrong\n",
                         study->path, study->found);
}

const struct clopt_study_app *clopt_study_find_app(const struct clopt_study *study,
                                                   const char *name)
{
    for (size_t i = 0; i < study->app_count; i++) {
        const struct clopt_plugin_entry *entry = study->apps[i].entry;
        if (strcmp(entry->extension->name, name) == 0 ||
            (entry->base && strcmp(entry->base->extension->name, name) == 0))
            return &study->apps[i];
    }
    return NULL;
}
