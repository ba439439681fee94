/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the options of a command by its schema, and says what is wrong with a command line. */
#include "schema/command.h"

#include <getopt.h>

#include "text/suggest.h"

#define MOST_OPTIONS 64
#define FIRST        1000 /* getopt_long() returns this for the first option, and so on */

static const struct clopt_key help_option =
    CLOPT_OPTION('h', "help", NULL, OWN, BOOLEAN, NULL, NULL, 0, "show this help");

int clopt_usage_error(const char *command, const char *format, ...)
{
    CLOPT_OWNED(clopt_text) text = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(&text, format, arguments);
    va_end(arguments);
    clopt_text_print(stderr, "clopt: %s\n", clopt_text_string(&text));
    fprintf(stderr, "Try `clopt %s%s--help`.\n", command, *command ? " " : "");
    return CLOPT_EXIT_USAGE;
}

/* Returns row *index of a list; NULL after the last, with *index less their number. */
static const struct clopt_key *find_row(const struct clopt_key *option, size_t *index)
{
    for (; option && (option->letter || option->is.name); option++)
        if ((*index)-- == 0)
            return option;
    return NULL;
}

const struct clopt_key *clopt_command_option(const struct clopt_global_options *global,
                                             const struct clopt_command *command, size_t index,
                                             size_t *at)
{
    for (size_t i = 0; i < CLOPT_MOST_OPTION_LISTS && command->lists[i].options; i++) {
        const struct clopt_key *option = find_row(command->lists[i].options, &index);
        if (!option && command->lists[i].row && global->registry)
            option = find_row(global->extension_options(global->registry, command->lists[i].row),
                              &index);
        if (option && at)
            *at = command->lists[i].at;
        if (option)
            return option;
    }
    return index == 0 ? &help_option : NULL;
}

const char *clopt_command_suggest(const struct clopt_global_options *global,
                                  const struct clopt_command *command, const char *name)
{
    const char *names[MOST_OPTIONS];
    size_t count = 0;
    const struct clopt_key *option;
    for (size_t i = 0; (option = clopt_command_option(global, command, i, NULL)); i++)
        if (option->is.name && count < MOST_OPTIONS)
            names[count++] = option->is.name;
    return clopt_suggest(name, names, count);
}

/* What getopt_long() wants to know. */
struct wanted {
    struct option names[MOST_OPTIONS + 1];
    char letters[3 * MOST_OPTIONS + 2];
};

static void list_wanted(const struct clopt_global_options *global,
                        const struct clopt_command *command, struct wanted *wanted)
{
    const struct clopt_key *option;
    size_t count = 0;
    char *letter = wanted->letters;
    *letter++ = ':'; /* so that a missing value is told apart */
    for (size_t i = 0;
         i < MOST_OPTIONS && (option = clopt_command_option(global, command, i, NULL)); i++) {
        int argument = !option->value            ? no_argument
                       : option->value[0] == '[' ? optional_argument
                                                 : required_argument;
        if (option->is.name)
            wanted->names[count++] =
                (struct option){option->is.name, argument, NULL, FIRST + (int)i};
        if (option->letter)
            *letter++ = option->letter;
        for (int colons = 0; option->letter && colons < argument; colons++)
            *letter++ = ':';
    }
}

/* Returns the option that getopt_long() has read, and where its list begins. */
static const struct clopt_key *find_read(const struct clopt_global_options *global,
                                         const struct clopt_command *command, int found, size_t *at)
{
    const struct clopt_key *option;
    if (found >= FIRST)
        return clopt_command_option(global, command, (size_t)(found - FIRST), at);
    for (size_t i = 0; (option = clopt_command_option(global, command, i, at)); i++)
        if (option->letter == found)
            return option;
    return NULL;
}

static enum clopt_status take(const struct clopt_key *option, char *read, const char *value,
                              struct clopt_error *error)
{
    if (option->take)
        return option->take(read, option, value, error);
    const char *text = value ? value : option->is.initial ? option->is.initial : "yes";
    return clopt_key_read(option, text, read, error)
               ? clopt_fail(error, CLOPT_INVALID, "--%s=%s", option->is.name, error->message)
               : CLOPT_OK;
}

/* Says what getopt_long() has refused; `failure` is what that returned. */
static enum clopt_status refuse(const struct clopt_global_options *global,
                                const struct clopt_command *command, int failure, char *const *argv,
                                struct clopt_error *error)
{
    const char *word = argv[optind - 1];
    bool is_long = strncmp(word, "--", 2) == 0;
    char letter[3] = {'-', (char)optopt, '\0'};
    if (failure == ':')
        return clopt_fail(error, CLOPT_INVALID, "%s: needs a value", is_long ? word : letter);
    if (!is_long)
        return clopt_fail(error, CLOPT_INVALID, "%s: unknown option", letter);
    if (optopt)
        return clopt_fail(error, CLOPT_INVALID, "%s: this option takes no value", word);
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(word + 2, "="), word + 2);
    const char *meant = clopt_command_suggest(global, command, name);
    return clopt_fail(error, CLOPT_INVALID, "%s: unknown option%s%s%s", word,
                      meant ? "; did you mean --" : "", meant ? meant : "", meant ? "?" : "");
}

/* Hands "--name=value", or "--name" and the next word, to a command that takes what is in no list.
 */
static enum clopt_status take_other(const struct clopt_command *command, void *read, char **argv,
                                    struct clopt_error *error)
{
    const char *word = argv[optind - 1] + 2;
    size_t length = strcspn(word, "=");
    const char *value = word[length] ? word + length + 1 : argv[optind] ? argv[optind++] : NULL;
    CLOPT_FREED char *name = clopt_strndup(word, length);
    return command->take_other(read, name, value, error);
}

/* Takes what getopt_long() has read: an option, or something that is none. */
static enum clopt_status take_read(const struct clopt_global_options *global,
                                   const struct clopt_command *command, int found, void *read,
                                   char **argv, struct clopt_error *error)
{
    size_t at = 0;
    const struct clopt_key *option = find_read(global, command, found, &at);
    if (option)
        return take(option, (char *)read + at, optarg, error);
    bool unknown = found == '?' && !optopt && strncmp(argv[optind - 1], "--", 2) == 0;
    if (unknown && command->take_other)
        return take_other(command, read, argv, error);
    return refuse(global, command, found, argv, error);
}

bool clopt_command_read(const struct clopt_global_options *global,
                        const struct clopt_command *command, void *read, int argc, char **argv,
                        int *code)
{
    struct wanted wanted = {.letters = ""};
    struct clopt_error error = {0};
    int found;
    list_wanted(global, command, &wanted);
    *code = CLOPT_EXIT_DONE;
    optind = 0; /* glibc and musl begin anew then: a command may call another one */
    opterr = 0;
    while ((found = getopt_long(argc, argv, wanted.letters, wanted.names, NULL)) != -1) {
        if (find_read(global, command, found, NULL) == &help_option) {
            clopt_command_print_help(global, command, stdout);
            return false;
        }
        if (take_read(global, command, found, read, argv, &error)) {
            *code = clopt_usage_error(command->name, "%s", error.message);
            return false;
        }
    }
    return true;
}
