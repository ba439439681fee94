/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt complete` knows of a command line, and what it offers for the last word. */
#ifndef CLOPT_MAIN_COMPLETION_H
#define CLOPT_MAIN_COMPLETION_H

#include "plugin/registry.h"
#include "space/study.h"

/* An option as a help text describes it. */
struct clopt_help_option {
    char letter;      /* 0: none */
    const char *name; /* NULL: none */
    char *value;      /* what help calls it; NULL: takes none */
    bool optional;    /* the value may be left out */
    const char *description;
};

#define CLOPT_MOST_HELP_OPTIONS 64

struct clopt_help {
    char *text; /* which the options are parts of */
    struct clopt_help_option options[CLOPT_MOST_HELP_OPTIONS];
    size_t count;
};

/* Finds the options that a help text describes. The caller frees help->text; false when memory runs
 * out. */
bool clopt_help_read(struct clopt_help *help, const char *text);

/* Find an option by its long name, of which `length` bytes count, or by its letter; NULL: none. */
const struct clopt_help_option *clopt_help_find(const struct clopt_help *help, const char *name,
                                                size_t length);
const struct clopt_help_option *clopt_help_find_letter(const struct clopt_help *help, char letter);

/* Puts what the first line of a command's help calls positional argument number `index`, such as
 * STORE, into `word`; of the last one there may be several. False: there is none. */
bool clopt_help_argument(const char *text, size_t index, char *word, size_t size);

/* The word that is to be completed, and what those before it say. */
struct clopt_completion {
    const char *command;     /* "" for a study */
    const char *plugin_path; /* this and the next two: NULL where not given */
    const char *study_path;
    const char *argument; /* the first positional one: app, source or store */
    const char *prefix;   /* of the word, such as "--kernel=": candidates get it in front */
    const char *word;     /* what follows it: candidates begin so */
    bool trusts;          /* plugins are loaded without being tried before */

    /* What these name, from the first time that plugins are asked for; NULL where it is unusable.
     */
    struct clopt_registry *registry;
    struct clopt_study *study;
    const struct clopt_study_app *study_app;
    const struct clopt_plugin_entry *app;
};

void clopt_completion_fini(struct clopt_completion *completion);

/* Prints a candidate that begins as the word does: its first `stem` bytes, then the format. One
 * with control characters is not printed. */
void clopt_offer(const struct clopt_completion *completion, size_t stem, const char *description,
                 const char *format, ...) CLOPT_PRINTF(4, 5);

/* Says that the word is the path of a file from byte `stem` on, with this ending: "" is any, "/" a
 * folder. */
void clopt_offer_files(const struct clopt_completion *completion, size_t stem, const char *ending);

/* Offers what `what` means to the command: an option's name, or what help calls the value of an
 * option or an argument. False: nothing is known of it. */
bool clopt_offer_values(struct clopt_completion *completion, const char *what);

/* Offer what plugins have: their own names, of a kind ("app", or "" for both); of the app that the
 * first argument names, inputs and kernels; variants; and options of transform, --NAME=VALUES. */
void clopt_offer_plugins(struct clopt_completion *completion, const char *kind);
void clopt_offer_inputs(struct clopt_completion *completion, const char *text);
void clopt_offer_kernels(struct clopt_completion *completion, const char *text);
void clopt_offer_variants(struct clopt_completion *completion, const char *text);
void clopt_offer_optimizations(struct clopt_completion *completion);

#endif
