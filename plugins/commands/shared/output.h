/* SPDX-License-Identifier: BSD-3-Clause */
/* The options that say in which format a document is written: one for each format there is. */
#pragma once

#include "document/format.h"
#include "main/command.h"
#include "results/results.h"

/* All zero but the registry is text on stdout. */
struct clopt_output {
    const struct clopt_registry *registry;
    const struct clopt_extension *format; /* NULL: the standard one */
    const char *folder;                   /* of figures */
    const char *figure;                   /* --format */
    bool all, brief;                      /* text; neither: brief on a terminal, or */
    bool answer;                          /* what a search ends with */
    const char *save;                     /* a file to write it to; NULL: stdout, or `on_stderr` */
    const struct clopt_file_kind *over;   /* what it may replace */
    bool on_stderr;
    unsigned refresh_s; /* after which a page loads itself again; 0: never */
    const char *doing;  /* what goes on, for such a page; NULL: nothing */
};

/* The options, for lists that begin at the structure: their own, and those of formats. */
extern const struct clopt_key clopt_output_options[];
clopt_option_row clopt_output_row;

/* Refuses what does not go together; `global` says where formats are. */
int clopt_output_check(const struct clopt_global_options *global, struct clopt_output *output,
                       const char *command);

/* Begins a document for the format; `program` is what JSON calls it. */
struct clopt_document clopt_output_begin(const struct clopt_output *output, const char *program);

/* Refuses a format of figures that there is not, and a file that is to stay, before anything is
 * computed. */
enum clopt_status clopt_output_prepare(const struct clopt_output *output,
                                       struct clopt_error *error);

/* Writes a document to stdout, or a folder, unless `status` says that it failed; frees it. */
enum clopt_status clopt_output_finish(const struct clopt_output *output,
                                      struct clopt_document *document, enum clopt_status status,
                                      struct clopt_error *error);

/* --device, --problem and --kernel, for lists that begin at a struct clopt_selection. */
extern const struct clopt_key clopt_selection_options[];

/* ---- a page of a study that runs ---- */

struct clopt_live {
    const struct clopt_registry *registry;
    const char *path; /* of the page; NULL: none is wanted */
    const char *store_path;
    pid_t writer; /* the process that writes it; 0: none */
    char *doing;  /* what the study does, which both processes have */
};

/* Writes a page that says that the study begins, and has a process of its own write what the store
 * holds every few seconds. To be called before the store is opened: SQLite's connections do not
 * outlive a fork. */
enum clopt_status clopt_live_begin(struct clopt_live *live, struct clopt_error *error);

/* Ends that process, and writes the last page, which does not load itself again. */
enum clopt_status clopt_live_end(struct clopt_live *live, struct clopt_store *store,
                                 struct clopt_error *error);
