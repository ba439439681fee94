/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads options and arguments out of help texts: what people read is what is completed. */
#include "main/completion.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct clopt_help_option *clopt_help_find(const struct clopt_help *help, const char *name,
                                                size_t length)
{
    for (size_t i = 0; i < help->count; i++) {
        const char *known = help->options[i].name;
        if (known && strncmp(known, name, length) == 0 && !known[length])
            return &help->options[i];
    }
    return NULL;
}

const struct clopt_help_option *clopt_help_find_letter(const struct clopt_help *help, char letter)
{
    for (size_t i = 0; i < help->count; i++)
        if (help->options[i].letter == letter)
            return &help->options[i];
    return NULL;
}

/* Cuts "=FILE", "[=FOLDER]" or " NAME[=VALUE]" off at `at`; returns what follows. */
static char *cut_value(char *at, struct clopt_help_option *option)
{
    if (*at != '=' && *at != '[' && !(*at == ' ' && isupper((unsigned char)at[1])))
        return at;
    option->optional = *at == '[';
    option->value = at + 1 + option->optional;
    *at = '\0';
    at = option->value + strcspn(option->value, " ,");
    if (option->optional)
        at[-1] = '\0';
    return at;
}

/* Reads "-c, --config=FILE"; a second long name is another option. Returns what follows. */
static char *read_names(struct clopt_help *help, char *at)
{
    struct clopt_help_option *option = NULL;
    while (*at == '-' && help->count < CLOPT_MOST_HELP_OPTIONS) {
        if (!option || option->name)
            option = &help->options[help->count++];
        if (at[1] == '-')
            option->name = at + 2;
        else
            option->letter = at[1];
        at = cut_value(at + strcspn(at, " ,=["), option);
        while (*at == ',' || *at == ' ')
            *at++ = '\0';
    }
    return at;
}

bool clopt_help_read(struct clopt_help *help, const char *text)
{
    *help = (struct clopt_help){.text = strdup(text)};
    char *end = NULL; /* of the description that is being read */
    for (char *line = help->text, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        char *at = line + strspn(line, " ");
        size_t first = help->count;
        if (at > line && *at == '-') {
            at = read_names(help, at);
            if (!*at && next && *next == ' ') { /* the description begins in the next line */
                at = next;
                *next++ = '\0';
            }
            for (size_t i = first; i < help->count; i++)
                help->options[i].description = at;
            end = at + strlen(at);
        } else if (at == line) {
            end = NULL;
        } else if (end) {
            if (*help->options[help->count - 1].description)
                *end++ = ' ';
            memmove(end, at, strlen(at) + 1);
            end += strlen(end);
        }
    }
    return help->text != NULL;
}

/* Moves to the next word of a line, and takes it. */
static bool next_word(const char **at, char *word, size_t size)
{
    *at += strspn(*at, " ");
    size_t length = strcspn(*at, " \n");
    snprintf(word, size, "%.*s", (int)length, *at);
    *at += length;
    return length > 0;
}

bool clopt_help_argument(const char *text, size_t index, char *word, size_t size)
{
    const char *at = strstr(text, "clopt ");
    size_t count = 0;
    char next[64];
    bool option = false, repeated = false;
    if (!at)
        return false;
    for (at += strlen("clopt "); next_word(&at, next, sizeof next);) {
        bool ends = next[strlen(next) - 1] == ']';
        if (option || strncmp(next, "[-", 2) == 0) {
            option = !ends;
        } else if (strncmp(next, "...", 3) == 0) {
            repeated = true;
        } else if (next[0] != '-' && count++ <= index + 1) { /* the command is the first */
            next[strcspn(next, "]")] = '\0';
            snprintf(word, size, "%s", next + (next[0] == '['));
        }
    }
    return count > index + 1 || (repeated && count > 1);
}
