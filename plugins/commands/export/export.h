/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the best variants of a store as files to use in programs of one's own. */
#pragma once

#include "commands/export/sizes.h"
#include "main/command.h"
#include "plugin/registry.h"
#include "pool/process.h"
#include "store/store.h"

struct clopt_export_request {
    const char *folder;  /* made where it is missing */
    const char *kernel;  /* NULL: all of them */
    const char *device;  /* its label in the study; NULL: all of them */
    const char *problem; /* its label; NULL: of each kernel that with the slowest initial code */
    const char *variant; /* its name; NULL: the best of each device */
    enum clopt_size_choice choice;
    bool allow_programs; /* those that the study runs to make its inputs may run */
    const struct clopt_registry *registry;
    struct clopt_process_settings settings; /* but for the workers' folder */
    FILE *stream;                           /* gets the path of each file, one a line */
    FILE *notices;                          /* gets what was chosen, and what is missing */
    struct clopt_text *ranges;              /* gets which variant is for which sizes; or NULL */
    struct clopt_text *wisdom;              /* gets the winners, and nothing is written; or NULL */
    size_t *winners;                        /* is increased by how many those are */
};

/* Writes, for each kernel of the chosen run of a store: the source of the best variant of each
 * device and of the initial code, a C header and JSON (clopt-export(1)) that say for which device
 * each of them is and how it is launched, and host programs in C and Python that run them, with
 * what they read. Files that are there, and that this has not written, are left alone: then it
 * fails before it writes anything of that kernel. */
enum clopt_status clopt_export(struct clopt_store *store,
                               const struct clopt_export_request *request,
                               struct clopt_error *error);

/* Writes the winners of all problems of a store as one file (clopt/wisdom.h). CLOPT_INVALID:
 * nothing is faster than the initial code. */
enum clopt_status clopt_export_wisdom(struct clopt_store *store,
                                      const struct clopt_export_request *request, const char *path,
                                      struct clopt_error *error);

/* Writes the best variants of a store as a folder, or `wisdom`, a file of winners, in its place. */
enum clopt_status clopt_store_export(const struct clopt_global_options *global,
                                     struct clopt_export_request *request, const char *store_path,
                                     const char *wisdom, struct clopt_error *error);
