/* SPDX-License-Identifier: BSD-3-Clause */
/* Collects options for the OpenCL compiler. */
#include "commands/shared/compiler_options.h"

static void add_word(struct clopt_text *options, const char *letter, const char *value)
{
    bool quote = strpbrk(value, " \t'\"\\") != NULL;
    clopt_text_printf(options, quote ? "%s%s'%s'" : "%s%s%s", options->length ? " " : "", letter,
                      value);
}

static enum clopt_status take_macro(void *read, const struct clopt_key *option, const char *macro,
                                    struct clopt_error *error)
{
    struct clopt_compiler_options *options = read;
    (void)option;
    (void)error;
    add_word(&options->options, "-D", macro);
    add_word(&options->all, "-D", macro);
    return CLOPT_OK;
}

/* Studies name folders relative to themselves: an absolute path means the same everywhere. */
static enum clopt_status take_folder(void *read, const struct clopt_key *option, const char *folder,
                                     struct clopt_error *error)
{
    struct clopt_compiler_options *options = read;
    CLOPT_FREED char *path = realpath(folder, NULL);
    (void)option;
    (void)error;
    clopt_text_printf(&options->folders, "%s%s", options->folders.length ? ", " : "",
                      path ? path : folder);
    add_word(&options->all, "-I", folder);
    return CLOPT_OK;
}

static enum clopt_status take_others(void *read, const struct clopt_key *option, const char *others,
                                     struct clopt_error *error)
{
    struct clopt_compiler_options *options = read;
    (void)option;
    (void)error;
    clopt_text_printf(&options->options, "%s%s", options->options.length ? " " : "", others);
    clopt_text_printf(&options->all, "%s%s", options->all.length ? " " : "", others);
    return CLOPT_OK;
}

void clopt_compiler_options_add(struct clopt_compiler_options *options, const char *word)
{
    if (strncmp(word, "-I", 2) == 0) {
        take_folder(options, NULL, word + 2, NULL);
    } else {
        add_word(&options->options, "", word);
        add_word(&options->all, "", word);
    }
}

const struct clopt_key clopt_compiler_option_rows[] = {
    CLOPT_TAKEN('D', NULL, "NAME[=VALUE]", take_macro,
                "define a macro in the source, as for the OpenCL compiler"),
    CLOPT_TAKEN('I', NULL, "FOLDER", take_folder, "look for included files there"),
    CLOPT_TAKEN(0, "build-options", "TEXT", take_others,
                "other options of the OpenCL compiler: -cl-std=CL2.0"),
    {0},
};

void clopt_compiler_options_fini(struct clopt_compiler_options *options)
{
    clopt_text_fini(&options->all);
    clopt_text_fini(&options->options);
    clopt_text_fini(&options->folders);
}
