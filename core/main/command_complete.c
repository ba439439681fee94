/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt complete WORD ...`: what the completions of bash, zsh and fish ask; not for people.
 *
 * The words are those of a command line without the program; the last one, which may be empty, is
 * to be completed. Each line of the answer is a candidate for it, a tab and a description; or, for
 * files, what the candidate begins with ("--config="), two tabs and the ending (".ini"; "": any;
 * "/": a folder). Where nothing is known or something is wrong, the answer is empty. No OpenCL
 * device is opened, and nothing runs that a study names. */
#include "main/command.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"
#include "base/text.h"
#include "main/completion.h"

#define LONGEST_S 2 /* that a shell waits */

/* A command line on its way to its last word. */
struct line {
    struct clopt_completion completion;
    const struct clopt_command_entry *command; /* NULL: none yet; one without a name: unknown */
    struct clopt_help help;                    /* of the command, or of studies */
    const struct clopt_help_option *pending;   /* its value is the next word */
    size_t argument_count;
    char *last; /* that is to be completed */
};

static bool read_help(struct line *line)
{
    struct clopt_text text = {0};
    free(line->help.text);
    if (!line->command)
        clopt_text_append(&text, clopt_help_global);
    clopt_text_append(&text, line->command ? line->command->help : clopt_help_study);
    bool good = clopt_help_read(&line->help, clopt_text_string(&text));
    clopt_text_fini(&text);
    return good;
}

static void take_value(struct line *line, const struct clopt_help_option *option, const char *value)
{
    if (option->name && strcmp(option->name, "config") == 0)
        line->completion.study_path = value;
    else if (option->name && strcmp(option->name, "plugin-path") == 0)
        line->completion.plugin_path = value;
}

/* Takes "--name", "--name=value", or "-abvalue". */
static void take_option(struct line *line, const char *word)
{
    bool is_long = word[1] == '-';
    size_t length = is_long ? strcspn(word, "=") : 2;
    const struct clopt_help_option *option =
        is_long ? clopt_help_find(&line->help, word + 2, length - 2)
                : clopt_help_find_letter(&line->help, word[1]);
    const char *rest = word + length + (is_long && word[length]);
    if (option && option->value && word[length])
        take_value(line, option, rest);
    else if (option && option->value && !option->optional)
        line->pending = option;
    else if (!is_long && *rest)
        take_option(line, rest - 1);
}

static void take_argument(struct line *line, const char *word)
{
    if (line->command) {
        if (line->argument_count++ == 0)
            line->completion.argument = word;
        return;
    }
    line->command = clopt_commands;
    while (line->command->name && strcmp(line->command->name, word) != 0)
        line->command++;
    line->completion.command = word;
    read_help(line);
}

static void offer_option_value(struct line *line, const struct clopt_help_option *option)
{
    if (!option->name || !clopt_offer_values(&line->completion, option->name))
        clopt_offer_values(&line->completion, option->value);
}

static void offer_options(struct line *line)
{
    for (size_t i = 0; i < line->help.count; i++) {
        const struct clopt_help_option *option = &line->help.options[i];
        const char *text = option->description;
        if (option->letter && clopt_help_find_letter(&line->help, option->letter) == option)
            clopt_offer(&line->completion, 0, text, "-%c", option->letter);
        if (!option->name ||
            clopt_help_find(&line->help, option->name, strlen(option->name)) != option)
            continue;
        if (!option->value || option->optional)
            clopt_offer(&line->completion, 0, text, "--%s", option->name);
        if (option->value)
            clopt_offer(&line->completion, 0, text, "--%s=", option->name);
    }
}

static void offer_argument(struct line *line)
{
    char what[64];
    if (line->command) {
        if (clopt_help_argument(line->command->help, line->argument_count, what, sizeof what))
            clopt_offer_values(&line->completion, what);
        return;
    }
    for (const struct clopt_command_entry *entry = clopt_commands; entry->name; entry++)
        if (entry->summary && !line->completion.study_path)
            clopt_offer(&line->completion, 0, entry->summary, "%s", entry->name);
}

static void complete(struct line *line, char *word)
{
    struct clopt_completion *completion = &line->completion;
    completion->word = word;
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const struct clopt_help_option *option =
        equals ? clopt_help_find(&line->help, word + 2, (size_t)(equals - word) - 2) : NULL;
    if (line->pending) {
        offer_option_value(line, line->pending);
    } else if (option && option->value) {
        char *prefix = strndup(word, (size_t)(equals - word) + 1);
        completion->prefix = prefix ? prefix : "";
        completion->word = equals + 1;
        offer_option_value(line, option);
        free(prefix);
    } else if (word[0] == '-') {
        offer_options(line);
        if (strcmp(completion->command, "transform") == 0)
            clopt_offer_optimizations(completion);
    } else {
        offer_argument(line);
    }
}

/* Does so for the last of the words. */
static enum clopt_status complete_last(void *user, struct clopt_error *error)
{
    struct line *line = user;
    (void)error;
    complete(line, line->last);
    clopt_completion_fini(&line->completion);
    return CLOPT_OK;
}

static void give_up(int number)
{
    (void)number;
    _exit(CLOPT_EXIT_DONE);
}

int clopt_command_complete(const struct clopt_global_options *global, int argc, char **argv)
{
    struct line line = {.completion = {.command = "", .prefix = "", .word = ""}};
    (void)global;
    signal(SIGALRM, give_up);
    alarm(LONGEST_S);
    if (!read_help(&line))
        return CLOPT_EXIT_DONE;
    for (int i = 1; i < argc - 1; i++) {
        const struct clopt_help_option *pending = line.pending;
        line.pending = NULL;
        if (pending)
            take_value(&line, pending, argv[i]);
        else if (argv[i][0] == '-' && argv[i][1])
            take_option(&line, argv[i]);
        else
            take_argument(&line, argv[i]);
    }
    /* A pipe can be read once, by the command itself. */
    struct clopt_error error;
    if (line.completion.study_path && clopt_file_check(line.completion.study_path, &error))
        line.completion.study_path = "";
    /* To try each plugin in a child takes most of the time. So all are loaded untried in one child;
     * where that ends early, what it has printed is printed once more. */
    static const struct clopt_child_limits none = {0};
    line.last = argv[argc - 1];
    line.completion.trusts = true;
    if (argc > 1 && clopt_child_run(&none, complete_last, &line, &error)) {
        line.completion.trusts = false;
        complete_last(&line, &error);
    }
    free(line.help.text);
    return CLOPT_EXIT_DONE;
}
