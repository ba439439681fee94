/* SPDX-License-Identifier: BSD-3-Clause */
/* What a command line says for the OpenCL compiler: -D, -I and --build-options. */
#pragma once

#include "schema/command.h"
#include "text/text.h"

/* Zero it. */
struct clopt_compiler_options {
    struct clopt_text all;     /* for the compiler */
    struct clopt_text options; /* for a study, without: */
    struct clopt_text folders; /* -I, a list as in a study */
};

/* For lists that begin at the structure. */
extern const struct clopt_key clopt_compiler_option_rows[];

/* Adds a word of the options that a program was built with. */
void clopt_compiler_options_add(struct clopt_compiler_options *options, const char *word);

void clopt_compiler_options_fini(struct clopt_compiler_options *options);
