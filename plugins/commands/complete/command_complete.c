/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt complete WORD ...`: what the completions of bash, zsh and fish ask; not for people.
 *
 * The words are those of a command line without the program; the last one, which may be empty, is
 * to be completed. Each line of the answer is a candidate for it, a tab and a description; or, for
 * files, what the candidate begins with ("--config="), two tabs and the ending (".ini"; "": any;
 * "/": a folder). Where nothing is known or something is wrong, the answer is empty. No OpenCL
 * device is opened, and nothing runs that a study names. */
#include "commands/shared/commands.h"
#include "main/command.h"

#include <unistd.h>

#include "commands/complete/completion.h"

#define LONGEST_S 5 /* that a shell waits */

/* A command line on its way to its last word. */
struct line {
    const struct clopt_global_options *global;
    struct clopt_completion completion;
    const struct clopt_command *command; /* NULL: none yet */
    bool unknown;                        /* there is a word for it, but no such command */
    const struct clopt_key *pending;     /* its value is the next word */
    size_t argument_count;
    char *last; /* that is to be completed */
};

/* Returns option number `index` that may stand here; NULL after the last. */
static const struct clopt_key *option_here(const struct line *line, size_t index)
{
    const struct clopt_key *option;
    if (line->command || line->unknown)
        return line->command ? clopt_command_option(line->global, line->command, index, NULL)
                             : NULL;
    for (size_t i = 0; (option = clopt_command_option(line->global, &clopt_program, i, NULL)); i++)
        if (index-- == 0)
            return option;
    return clopt_command_option(line->global, &clopt_study_command, index, NULL);
}

/* Finds an option by its long name, of which `length` bytes count, or by its letter. */
static const struct clopt_key *find_option(const struct line *line, const char *name, size_t length,
                                           char letter)
{
    const struct clopt_key *option;
    for (size_t i = 0; (option = option_here(line, i)); i++)
        if (name ? option->is.name && strncmp(option->is.name, name, length) == 0 &&
                       !option->is.name[length]
                 : option->letter == letter)
            return option;
    return NULL;
}

static bool is_optional(const struct clopt_key *option)
{
    return option->value && option->value[0] == '[';
}

static void take_value(struct line *line, const struct clopt_key *option, const char *value)
{
    if (option->is.name && strcmp(option->is.name, "config") == 0)
        line->completion.study_path = value;
    else if (option->is.name && strcmp(option->is.name, "plugin-path") == 0)
        line->completion.plugin_path = value;
}

/* Takes "--name", "--name=value", or "-abvalue". */
static void take_option(struct line *line, const char *word)
{
    bool is_long = word[1] == '-';
    size_t length = is_long ? strcspn(word, "=") : 2;
    const struct clopt_key *option =
        find_option(line, is_long ? word + 2 : NULL, length - 2, word[1]);
    const char *rest = word + length + (is_long && word[length]);
    if (option && option->value && word[length])
        take_value(line, option, rest);
    else if (option && option->value && !is_optional(option))
        line->pending = option;
    else if (!is_long && *rest)
        take_option(line, rest - 1);
}

static void take_argument(struct line *line, const char *word)
{
    if (line->command || line->unknown) {
        if (line->argument_count++ == 0)
            line->completion.argument = word;
        return;
    }
    line->unknown = true;
    const struct clopt_plugin_entry *entry = NULL;
    if (!clopt_registry_find(line->global->registry, CLOPT_KIND_COMMAND, word, &entry, NULL)) {
        line->command = entry->extension->operations;
        line->unknown = false;
    }
    line->completion.command = word;
}

/* Offers what a value may be, which help calls "FILE" or "[FILE]". */
static void offer_option_value(struct line *line, const struct clopt_key *option)
{
    char value[32];
    snprintf(value, sizeof value, "%s", option->value + is_optional(option));
    value[strcspn(value, "]")] = '\0';
    if (!option->is.name || !clopt_offer_values(&line->completion, option->is.name))
        clopt_offer_values(&line->completion, value);
}

static void offer_options(struct line *line)
{
    const struct clopt_key *option;
    for (size_t i = 0; (option = option_here(line, i)); i++) {
        const char *name = option->is.name, *text = option->is.help;
        if (option->letter && find_option(line, NULL, 0, option->letter) == option)
            clopt_offer(&line->completion, 0, text, "-%c", option->letter);
        if (!name || find_option(line, name, strlen(name), 0) != option)
            continue;
        if (!option->value || is_optional(option))
            clopt_offer(&line->completion, 0, text, "--%s", name);
        if (option->value)
            clopt_offer(&line->completion, 0, text, "--%s=", name);
    }
}

/* Finds what the schema calls argument number `index`; of the last one there may be several. */
static bool find_argument(const struct clopt_command *command, size_t index, char *word,
                          size_t size)
{
    const char *at = command->arguments ? command->arguments : "";
    *word = '\0';
    for (size_t length; *at; at += length + (at[length] == ' ')) {
        length = strcspn(at, " ");
        if (strcmp(at, "...") == 0)
            return *word;
        snprintf(word, size, "%.*s", (int)length, at);
        if (index-- == 0)
            return true;
    }
    return false;
}

static void offer_argument(struct line *line)
{
    char what[64];
    if (line->command) {
        if (find_argument(line->command, line->argument_count, what, sizeof what))
            clopt_offer_values(&line->completion, what);
        return;
    }
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0;
         !line->unknown && !line->completion.study_path &&
         (entry = clopt_registry_entry(line->global->registry, CLOPT_KIND_COMMAND, i));
         i++)
        if (!((const struct clopt_command *)entry->extension->operations)->hidden)
            clopt_offer(&line->completion, 0, entry->extension->summary, "%s",
                        entry->extension->name);
}

static void complete(struct line *line, char *word)
{
    struct clopt_completion *completion = &line->completion;
    completion->word = word;
    const char *equals = strncmp(word, "--", 2) == 0 ? strchr(word, '=') : NULL;
    const struct clopt_key *option =
        equals ? find_option(line, word + 2, (size_t)(equals - word) - 2, 0) : NULL;
    if (line->pending)
        offer_option_value(line, line->pending);
    else if (option && option->value) {
        CLOPT_FREED char *prefix = clopt_strndup(word, (size_t)(equals - word) + 1);
        completion->prefix = prefix;
        completion->word = equals + 1;
        offer_option_value(line, option);
    } else if (word[0] == '-') {
        offer_options(line);
        if (strcmp(completion->command, "transform") == 0)
            clopt_offer_optimizations(completion);
    } else
        offer_argument(line);
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

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct line line = {.global = global, .completion = {.command = "", .prefix = "", .word = ""}};
    clopt_registry_trust(global->registry); /* a shell that gets no answer goes on */
    signal(SIGALRM, give_up);
    alarm(LONGEST_S);
    for (int i = 1; i < argc - 1; i++) {
        const struct clopt_key *pending = line.pending;
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
    return CLOPT_EXIT_DONE;
}

const struct clopt_command clopt_complete_command = {
    .name = "complete", .hidden = true, .run = run_command};
