/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt complete` knows of a command line, and what it offers for the last word. */
#pragma once

#include "space/study.h"

/* The word that is to be completed, and what those before it say. */
struct clopt_completion {
    const char *command;     /* "" for a study */
    const char *plugin_path; /* this and the next two: NULL where not given */
    const char *study_path;
    const char *argument; /* the first positional one, such as an app */
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

/* Opens the registry and what the command line has named; false: it cannot be. */
bool clopt_completion_open(struct clopt_completion *completion);
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

/* Offers the names of all extensions of a kind. */
void clopt_offer_extensions(struct clopt_completion *completion, enum clopt_kind kind, size_t stem);

/* Offer what plugins have: their own names, of a kind ("app", or "" for both); of the app that the
 * first argument names, inputs and kernels; variants; and options of transform, --NAME=VALUES. */
void clopt_offer_plugins(struct clopt_completion *completion, const char *kind);
void clopt_offer_inputs(struct clopt_completion *completion, const char *text);
void clopt_offer_kernels(struct clopt_completion *completion, const char *text);
void clopt_offer_variants(struct clopt_completion *completion, const char *text);
void clopt_offer_optimizations(struct clopt_completion *completion);

/* Offers "SECTION.PARAMETER=" and values for the section of a plugin, where the word begins so. */
void clopt_offer_parameters(struct clopt_completion *completion, const char *section,
                            const char *plugin);
