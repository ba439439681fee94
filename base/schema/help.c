/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints help: usage, what a command does, and its options in two columns. */
#include "schema/command.h"

#include "text/text.h"

#define WIDEST_NAMES 27 /* what is wider has its text below */
#define GAP          2

/* "  -o, --output=FILE" */
static void append_names(struct clopt_text *text, const struct clopt_key *option)
{
    const char *value = option->value ? option->value : "";
    bool optional = *value == '[';
    if (option->letter)
        clopt_text_printf(text, "  -%c%s", option->letter, option->is.name ? ", " : "");
    else
        clopt_text_append(text, "      ");
    if (option->is.name)
        clopt_text_printf(text, "--%s%s%s", option->is.name,
                          optional ? "[="
                          : *value ? "="
                                   : "",
                          value + optional);
    else
        clopt_text_printf(text, " %s", value);
}

/* Returns the column in which the texts begin. */
static size_t find_column(const struct clopt_global_options *global,
                          const struct clopt_command *command)
{
    const struct clopt_key *option;
    size_t widest = 0;
    for (size_t i = 0; (option = clopt_command_option(global, command, i, NULL)); i++) {
        CLOPT_OWNED(clopt_text) names = {0};
        append_names(&names, option);
        if (names.length > widest && names.length <= WIDEST_NAMES)
            widest = names.length;
    }
    return widest + GAP;
}

void clopt_command_print_options(const struct clopt_global_options *global,
                                 const struct clopt_command *command, FILE *stream)
{
    const struct clopt_key *option;
    size_t column = find_column(global, command);
    fputs("Options:\n", stream);
    for (size_t i = 0; (option = clopt_command_option(global, command, i, NULL)); i++) {
        CLOPT_OWNED(clopt_text) names = {0};
        append_names(&names, option);
        bool below = names.length + GAP > column;
        fprintf(stream, below ? "%s\n%*s" : "%s%*s", clopt_text_string(&names),
                (int)(below ? column : column - names.length), "");
        clopt_wrap_print(stream, column, (unsigned)column, option->is.help);
    }
}

void clopt_command_print_help(const struct clopt_global_options *global,
                              const struct clopt_command *command, FILE *stream)
{
    fprintf(stream, "Usage: clopt %s\n%s", command->usage, command->about);
    clopt_command_print_options(global, command, stream);
}
