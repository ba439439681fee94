/* SPDX-License-Identifier: BSD-3-Clause */
/* All that a study says of a kernel, read and checked. */
#pragma once

#include "step.h"

#define KERNEL_MOST_STEPS         32
#define KERNEL_MOST_VARIANTS      32
#define KERNEL_MOST_PROGRAM_FILES 16 /* that commands name, all together */
#define KERNEL_MOST_FILES         (2 * KERNEL_MOST_BUFFERS + KERNEL_MOST_PROGRAM_FILES + 1)

/* The tables that clopt_app points to. */
struct kernel_tables {
    struct clopt_kernel kernels[KERNEL_MOST_STEPS + 1];
    struct clopt_parameter inputs[KERNEL_MOST_SIZES + KERNEL_MOST_FILES + 1];
    struct clopt_parameter results[KERNEL_MOST_BUFFERS + 1];
    const char *programs[KERNEL_MOST_BUFFERS + 2]; /* [reference], and one a result */
    size_t program_count;
    char *texts[KERNEL_MOST_BUFFERS + 2 * KERNEL_MOST_FILES + 2 * KERNEL_MOST_VARIANTS +
                8]; /* that belong to the tables */
    size_t text_count;
};

/* [variant NAME]: a program that was written by hand, which is its first member. */
struct kernel_variant {
    struct clopt_app program;
    struct clopt_kernel kernels[KERNEL_MOST_STEPS + 1];
    bool has_step;        /* which it launches instead of the app's only one, */
    const char *replaced; /* whose kernel has this name */
    struct kernel_step step;
};

struct kernel_definition {
    const char *folder; /* the study's, with a slash at its end, or empty */
    struct kernel_names names;
    struct kernel_argument arguments[KERNEL_MOST_ARGUMENTS];
    size_t argument_count;
    struct kernel_step steps[KERNEL_MOST_STEPS];
    size_t step_count;
    struct kernel_expressions repeat;      /* of all steps; none: once */
    const struct kernel_argument *goes_on; /* no more repetitions where it is 0; NULL: all */
    struct kernel_reference reference;
    struct kernel_variant *variants;
    size_t variant_count;
    struct clopt_alternative alternatives[KERNEL_MOST_VARIANTS + 1]; /* the same, for clopt */
    struct kernel_tables tables;
    struct clopt_defined defined; /* what clopt is told of all this */
};

/* Reads a description, and fills the tables of an app. */
enum clopt_status kernel_define(const struct clopt_description *description, struct clopt_app *app,
                                struct clopt_error *error);
void kernel_undefine(struct clopt_app *app);

/* Tells whether a study describes several launches. */
bool kernel_has_steps(const struct clopt_description *description);

/* Returns what a run launches as step number `index`, in which variant it is. */
const struct kernel_step *kernel_step_of(const struct kernel_definition *definition,
                                         const struct clopt_problem *problem, size_t index);

/* ---- reading ---- */

/* What is being read. */
struct kernel_reader {
    const struct clopt_description *description;
    const struct clopt_section *app;
    struct kernel_definition *definition;
    struct clopt_error *error;
    unsigned program_files; /* that commands have named so far */
};

/* Finds an argument of [arguments]; NULL: there is none of the name. */
struct kernel_argument *kernel_reader_argument(struct kernel_reader *reader, const char *name);

/* Makes a text that belongs to the tables. */
const char *kernel_reader_keep(struct kernel_reader *reader, const char *format, ...)
    CLOPT_PRINTF(2, 3);

/* Returns the end of the table of inputs. */
struct clopt_parameter *kernel_reader_next_input(struct kernel_reader *reader);

/* Makes a file an input of the app: so its content takes part in the key of a trial. Returns the
 * input's name, which has a blank, as no size can have. */
const char *kernel_reader_add_file(struct kernel_reader *reader,
                                   const struct kernel_position *position, const char *name,
                                   const char *suffix, const char *file);

/* Notes a command, which stays the caller's, and makes the files that it names inputs, in the same
 * way. */
void kernel_reader_add_program(struct kernel_reader *reader, const struct kernel_position *position,
                               const char *command);

/* Reads [variant NAME], all of them; the steps are there. */
void kernel_variants_read(struct kernel_reader *reader, const struct clopt_app *app);

/* Read the source file and the build options that a section names. */
void kernel_reader_source(struct kernel_reader *reader, const struct clopt_section *section,
                          struct clopt_app *app);
void kernel_reader_options(struct kernel_reader *reader, const struct clopt_section *section,
                           struct clopt_app *app);
