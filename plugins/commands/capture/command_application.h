/* SPDX-License-Identifier: BSD-3-Clause */
/* What the commands share that run an application with the layer, and report what it launched. */
#pragma once

#include "commands/capture/application.h"
#include "commands/shared/output.h"

/* The first member of what each of them reads its command line into. */
struct clopt_application_request {
    struct clopt_output output;
    const struct clopt_global_options *global;
    struct clopt_application application;
    /* Adds to the table of kernels; may be NULL. */
    enum clopt_status (*report)(struct clopt_application_request *request,
                                struct clopt_document *document, struct clopt_error *error);
};

extern const struct clopt_key clopt_application_options[];

/* Reads a command line that is an application; false: the exit code is known. */
bool clopt_application_take(const struct clopt_command *command,
                            struct clopt_application_request *request, int argc, char **argv,
                            int *code);

/* Runs the application, and reports on stderr or where the output is saved; returns its exit
 * code, or that of this command where it has failed. */
int clopt_application_command(const struct clopt_command *command,
                              struct clopt_application_request *request, char **argv);
