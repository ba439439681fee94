/* SPDX-License-Identifier: BSD-3-Clause */
/* The descriptor by which clopt recognizes a plugin, and the extensions that a plugin brings. */
#pragma once

#include <stdint.h>

#include <clopt/error.h>

/* Grows whenever a struct or a function of the installed headers changes its meaning. */
#define CLOPT_ABI 8u

/* The release that these headers are of. */
#define CLOPT_RELEASE "0.1.0"

struct clopt_app;
struct clopt_optimization;
struct clopt_parameter;

/* What an extension is. Apps and optimizations are promised to work with each clopt of the same
 * ABI; the others are inner kinds, which work with the release that they were built for. */
enum clopt_kind {
    CLOPT_KIND_ANY, /* where one is looked for */
    CLOPT_KIND_APP,
    CLOPT_KIND_OPTIMIZATION,
    CLOPT_KIND_STRATEGY, /* of search: search/strategy.h */
    CLOPT_KIND_ANALYSIS, /* of `clopt report`: view/analysis.h */
    CLOPT_KIND_FORMAT,   /* of documents and results: document/format.h */
    CLOPT_KIND_COMMAND,  /* schema/command.h */
    CLOPT_KIND_OBSERVER, /* looks at a variant before or after its launch */
    CLOPT_KIND_COUNTER,  /* counts what a device does meanwhile */
    CLOPT_KIND_LAUNCHER, /* starts workers elsewhere */
    CLOPT_KIND_READER,   /* of studies and spaces in foreign formats */
    CLOPT_KIND_RIVAL,    /* runs what others have written for the same problem */
    CLOPT_KIND_SECTION,  /* of studies: study/schema.h */
    CLOPT_KINDS
};

/* One thing that a study, a command line or a report can name. */
struct clopt_extension {
    uint32_t kind;            /* enum clopt_kind */
    uint32_t operations_size; /* sizeof(struct clopt_app), ... */
    const char *name;         /* unique among its kind: [a-z][a-z0-9_-]*, at most 31 characters */
    const char *summary;      /* one line, without a full stop */
    union {                   /* by its kind */
        const void *operations;
        const struct clopt_app *app;
        const struct clopt_optimization *optimization;
    };
};

/* Every plugin exports one constant of this type under the name clopt_plugin. clopt reads the ABI
 * number before anything else, and calls nothing in the plugin before all fields are checked. */
struct clopt_plugin {
    uint32_t abi;                             /* CLOPT_ABI */
    uint32_t size;                            /* sizeof(struct clopt_plugin) */
    const char *release;                      /* CLOPT_RELEASE */
    const struct clopt_extension *extensions; /* ends with one without a name */
};

/* One extension: CLOPT_EXTENSION(FORMAT, "org", "print it for Org mode", &org). */
#define CLOPT_EXTENSION(KIND, extension_name, extension_summary, operations)                       \
    {                                                                                              \
        CLOPT_KIND_##KIND, sizeof *(operations), (extension_name), (extension_summary),            \
        {                                                                                          \
            (operations)                                                                           \
        }                                                                                          \
    }

/* Exports a plugin with these extensions. */
#define CLOPT_PLUGIN(...)                                                                          \
    static const struct clopt_extension clopt_extensions[] = {__VA_ARGS__, {0}};                   \
    CLOPT_API extern const struct clopt_plugin clopt_plugin;                                       \
    const struct clopt_plugin clopt_plugin = {CLOPT_ABI, sizeof(struct clopt_plugin),              \
                                              CLOPT_RELEASE, clopt_extensions}

/* Export a plugin with one of the two kinds alone. */
#define CLOPT_APP_PLUGIN(name, summary, app) CLOPT_PLUGIN(CLOPT_EXTENSION(APP, name, summary, app))
#define CLOPT_OPTIMIZATION_PLUGIN(name, summary, optimization)                                     \
    CLOPT_PLUGIN(CLOPT_EXTENSION(OPTIMIZATION, name, summary, optimization))
