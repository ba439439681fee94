/* SPDX-License-Identifier: BSD-3-Clause */
/* Searches that are simulated in a recorded space. */
#pragma once

#include "commands/advise/recording.h"
#include "document/document.h"

struct clopt_simulation_request {
    const struct clopt_extension *const *strategies; /* ends with NULL */
    size_t repeat;                                   /* runs of each */
    size_t budget;                                   /* trials of a run */
    uint64_t seed;                                   /* of the first run; the next ones count up */
    FILE *progress;                                  /* a terminal; NULL: none */
};

/* Runs all searches of a recording, and adds what they reach: tables and a chart over trials and
 * over time; for programs a row a strategy and step. */
enum clopt_status clopt_report_simulation(const char *title,
                                          const struct clopt_recording *recording,
                                          const struct clopt_simulation_request *request,
                                          struct clopt_document *document,
                                          struct clopt_error *error);
