/* SPDX-License-Identifier: BSD-3-Clause */
/* Build options of an OpenCL program, one by one. */
#include "frontend/options.h"

#include "text/array.h"
#include "text/text.h"

const char *clopt_option_value(const char *word, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(word, prefix, length) == 0 ? word + length : NULL;
}

static enum clopt_status add_word(struct clopt_build_options *options, char *word,
                                  struct clopt_error *error)
{
    if (!word || !clopt_array_grow(&options->words, options->count, sizeof word)) {
        free(word);
        return clopt_fail_memory(error);
    }
    options->words[options->count++] = word;
    return CLOPT_OK;
}

/* Reads one word at *at, without its quotes. */
static char *read_word(const char **at)
{
    struct clopt_text word = {0};
    char quote = 0;
    for (; **at && (quote || !strchr(" \t\n", **at)); ++*at) {
        char c = **at;
        if (c == '\\' && (*at)[1] && quote != '\'') {
            c = *++*at;
        } else if (quote ? c == quote : c == '"' || c == '\'') {
            quote = quote ? 0 : c;
            continue;
        }
        clopt_text_append_char(&word, c);
    }
    return clopt_text_take(&word);
}

static int takes_value(const char *word)
{
    return strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0 || strcmp(word, "-U") == 0;
}

enum clopt_status clopt_build_options_split(const char *text, struct clopt_build_options *options,
                                            struct clopt_error *error)
{
    *options = (struct clopt_build_options){0};
    for (const char *at = text;;) {
        at += strspn(at, " \t\n");
        if (!*at)
            return CLOPT_OK;
        char *word = read_word(&at);
        if (word && takes_value(word)) {
            at += strspn(at, " \t\n");
            CLOPT_FREED char *value = read_word(&at);
            struct clopt_text joined = {0};
            clopt_text_printf(&joined, "%s%s", word, value ? value : "");
            free(word);
            word = clopt_text_take(&joined);
        }
        CLOPT_TRY(add_word(options, word, error));
    }
}

void clopt_build_options_fini(struct clopt_build_options *options)
{
    for (size_t i = 0; i < options->count; i++)
        free(options->words[i]);
    free(options->words);
    *options = (struct clopt_build_options){0};
}
