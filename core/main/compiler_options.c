/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects options for the OpenCL compiler. */
#include "main/compiler_options.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static void add_word(struct clopt_text *options, const char *letter, const char *value)
{
    bool quote = strpbrk(value, " \t'\"\\") != NULL;
    clopt_text_printf(options, quote ? "%s%s'%s'" : "%s%s%s", options->length ? " " : "", letter,
                      value);
}

void clopt_compiler_options_add_macro(struct clopt_compiler_options *options, const char *macro)
{
    add_word(&options->options, "-D", macro);
    add_word(&options->all, "-D", macro);
}

/* Studies name folders relative to themselves: an absolute path means the same everywhere. */
void clopt_compiler_options_add_folder(struct clopt_compiler_options *options, const char *folder)
{
    char *path = realpath(folder, NULL);
    clopt_text_printf(&options->folders, "%s%s", options->folders.length ? ", " : "",
                      path ? path : folder);
    add_word(&options->all, "-I", folder);
    free(path);
}

void clopt_compiler_options_add(struct clopt_compiler_options *options, const char *others)
{
    clopt_text_printf(&options->options, "%s%s", options->options.length ? " " : "", others);
    clopt_text_printf(&options->all, "%s%s", options->all.length ? " " : "", others);
}

void clopt_compiler_options_fini(struct clopt_compiler_options *options)
{
    clopt_text_fini(&options->all);
    clopt_text_fini(&options->options);
    clopt_text_fini(&options->folders);
}
