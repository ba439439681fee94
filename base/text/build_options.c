/* SPDX-License-Identifier: BSD-3-Clause */
/* Build options of an OpenCL program, one by one. */
#include "text/build_options.h"

#include "text/text.h"

const char *clopt_option_value(const char *word, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(word, prefix, length) == 0 ? word + length : NULL;
}

/* Appends the word at *at, without its quotes. */
static void read_word(const char **at, struct clopt_text *word)
{
    char quote = 0;
    for (; **at && (quote || !strchr(" \t\n", **at)); ++*at) {
        char c = **at;
        if (c == '\\' && (*at)[1] && quote != '\'') {
            c = *++*at;
        } else if (quote ? c == quote : c == '"' || c == '\'') {
            quote = quote ? 0 : c;
            continue;
        }
        clopt_text_append_char(word, c);
    }
}

static int takes_value(const char *word)
{
    return strcmp(word, "-D") == 0 || strcmp(word, "-I") == 0 || strcmp(word, "-U") == 0;
}

void clopt_build_options_split(const char *text, struct clopt_build_options *options)
{
    *options = (struct clopt_build_options){0};
    for (const char *at = text;;) {
        at += strspn(at, " \t\n");
        if (!*at)
            return;
        struct clopt_text word = {0};
        read_word(&at, &word);
        if (takes_value(clopt_text_string(&word))) {
            at += strspn(at, " \t\n");
            read_word(&at, &word);
        }
        char **added = clopt_array_add(&options->words, &options->count, sizeof *added);
        *added = clopt_text_take(&word);
    }
}

void clopt_build_options_fini(struct clopt_build_options *options)
{
    for (size_t i = 0; i < options->count; i++)
        free(options->words[i]);
    free(options->words);
    *options = (struct clopt_build_options){0};
}

char *clopt_device_options(const char *options, const struct clopt_device_info *device)
{
    struct clopt_text text = {0};
    clopt_text_append(&text, options);
    if (!device || !*device->extensions)
        return clopt_text_take(&text);
    clopt_text_printf(&text, "%s" CLOPT_DEVICE_OPTION, text.length ? " " : "");
    for (const char *at = device->extensions; *at; at++)
        clopt_text_append_char(&text, *at == ' ' ? ',' : *at);
    for (const char *at = device->opencl_c_features; *at; at++)
        clopt_text_append_char(&text, *at == ' ' || at == device->opencl_c_features ? ',' : *at);
    return clopt_text_take(&text);
}
