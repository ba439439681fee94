/* SPDX-License-Identifier: BSD-3-Clause */
/* The analyses of `clopt report`: extensions that add to a document, without device or study. */
#pragma once

#include "document/document.h"
#include "plugin/registry.h"
#include "results/results.h"

/* What is asked of an analysis. */
struct clopt_analysis_request {
    struct clopt_store *store; /* of which a run is chosen; NULL: it opens several by itself */
    const char *const *paths;  /* of the stores, for messages, and for commands to copy */
    size_t path_count;
    const char *value;    /* of the option that names it; NULL: none */
    const char *baseline; /* NULL: its default */
    size_t top;           /* variants of each device that are shown; 0: all */
    struct clopt_selection selection;
};

/* Adds what it finds to a document, whatever that is written as. */
typedef enum clopt_status clopt_analysis_writer(const struct clopt_analysis_request *request,
                                                struct clopt_document *document,
                                                struct clopt_error *error);

/* An extension of kind ANALYSIS: its name is an option of `clopt report`: --productivity, say. */
struct clopt_analysis {
    clopt_analysis_writer *write;
    char letter;       /* of the option; 0: none */
    const char *value; /* what help calls its value: "[counters]"; NULL: there is none */
    bool standard;     /* what a report is about unless an option names another one */
    bool top, baseline, selection; /* options that go with it */
    bool several;                  /* stores, which it opens by itself */
    bool draws;                    /* with --format alone, on stdout */
};

/* Returns the standard analysis; NULL, with an error: there is none. */
const struct clopt_analysis *clopt_analysis_find(const struct clopt_registry *registry,
                                                 struct clopt_error *error);
