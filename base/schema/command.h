/* SPDX-License-Identifier: BSD-3-Clause */
/* Commands, and how their options are read and printed as help. A new option is a row. */
#pragma once

#include "schema/key.h"

/* Exit codes of the program. */
enum clopt_exit {
    CLOPT_EXIT_DONE = 0,
    CLOPT_EXIT_FAILURE = 1,
    CLOPT_EXIT_USAGE = 2,
    CLOPT_EXIT_PLUGIN = 3,
    CLOPT_EXIT_VERIFICATION = 4,
};

struct clopt_registry;

/* Makes the option of an extension; false: extensions of its kind have none here. */
typedef bool clopt_option_row(const struct clopt_extension *extension, struct clopt_key *option);

/* Options that stand before the command and hold for all of them, and where extensions are. */
struct clopt_global_options {
    const char *plugin_path;
    const char *kernel_path;
    struct clopt_registry *registry; /* NULL: there are none */
    /* Returns the options that extensions have, which end with zeros and belong to the registry. */
    const struct clopt_key *(*extension_options)(struct clopt_registry *registry,
                                                 clopt_option_row *row);
};

#define CLOPT_MOST_OPTION_LISTS 3

/* An extension of kind COMMAND, by whose name it is called; the summary is what lists say. */
struct clopt_command {
    const char *name;
    /* Gets its own name as argv[0] and returns an exit code. */
    int (*run)(const struct clopt_global_options *global, int argc, char **argv);

    const char *usage;     /* what follows the program's name, and more such lines */
    const char *about;     /* lines, with an empty one at the end */
    bool hidden;           /* not listed for people */
    bool first;            /* what a newcomer needs: in the short list of `clopt --help` */
    const char *arguments; /* such as "STORE TRIAL"; with ... at the end there may be more */

    /* Lists of options, and where what each of them reads begins in what the command reads. */
    struct {
        const struct clopt_key *options;
        size_t at;
        clopt_option_row *row; /* for those of extensions, which follow; NULL: none do */
    } lists[CLOPT_MOST_OPTION_LISTS];

    /* Takes a long option that is in no list, with the value that follows it (NULL: none); NULL:
     * that is an error. */
    enum clopt_status (*take_other)(void *read, const char *name, const char *value,
                                    struct clopt_error *error);
};

/* Returns option number `index` of a command, of which --help is the last; NULL after the last.
 * `at`, unless NULL, becomes where what its list reads begins. */
const struct clopt_key *clopt_command_option(const struct clopt_global_options *global,
                                             const struct clopt_command *command, size_t index,
                                             size_t *at);

/* Returns the option that a name was meant to be; NULL: none is near. */
const char *clopt_command_suggest(const struct clopt_global_options *global,
                                  const struct clopt_command *command, const char *name);

/* Reads the options into `read`; the arguments are argv[optind] and what follows. False: that was
 * all, since help was asked for and printed, or something is wrong, and has been said; `code` is
 * the exit code then. */
bool clopt_command_read(const struct clopt_global_options *global,
                        const struct clopt_command *command, void *read, int argc, char **argv,
                        int *code);

/* Print the help of a command, or only its options. */
void clopt_command_print_help(const struct clopt_global_options *global,
                              const struct clopt_command *command, FILE *stream);
void clopt_command_print_options(const struct clopt_global_options *global,
                                 const struct clopt_command *command, FILE *stream);

/* Prints a usage error with a pointer to the command's help; returns CLOPT_EXIT_USAGE. */
int clopt_usage_error(const char *command, const char *format, ...) CLOPT_PRINTF(2, 3);
