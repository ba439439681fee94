/* SPDX-License-Identifier: BSD-3-Clause */
/* What the reading of a description has at hand: where it is, and where texts and files go. */
#ifndef KERNEL_READER_H
#define KERNEL_READER_H

#include "definition.h"

/* What is being read. */
struct kernel_reader {
    const struct clopt_description *description;
    const struct clopt_section *app;
    struct kernel_definition *definition;
    struct clopt_error *error;
    unsigned program_files; /* that commands have named so far */
};

/* Makes a text that belongs to the tables; "" when memory has run out. */
const char *kernel_reader_keep(struct kernel_reader *reader, const char *format, ...)
    CLOPT_PRINTF(2, 3);

/* Finds out in which folder the study is. */
void kernel_reader_folder(struct kernel_reader *reader);

/* Returns the end of the table of inputs. */
struct clopt_parameter *kernel_reader_next_input(struct kernel_reader *reader);

/* Makes a file an input of the app: so its content takes part in the key of a trial. The input's
 * name has a blank, which no size can have. */
void kernel_reader_add_file(struct kernel_reader *reader, const struct kernel_place *place,
                            const char *name, const char *suffix, const char *file);

/* Notes a command, which stays the caller's, and makes the files that it names inputs, in the same
 * way. */
void kernel_reader_add_program(struct kernel_reader *reader, const struct kernel_place *place,
                               const char *command);

/* Read the source file and the build options that a section names. */
void kernel_reader_source(struct kernel_reader *reader, const struct clopt_section *section,
                          struct clopt_app *app);
void kernel_reader_options(struct kernel_reader *reader, const struct clopt_section *section,
                           struct clopt_app *app);

#endif
