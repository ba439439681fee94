/* SPDX-License-Identifier: BSD-3-Clause */
/* The descriptor by which clopt recognizes a plugin. */
#pragma once

#include <stdint.h>

#include <clopt/error.h>

/* Grows whenever a struct or a function of the installed headers changes its meaning. */
#define CLOPT_ABI 5u

struct clopt_app;
struct clopt_optimization;

enum clopt_plugin_kind { CLOPT_PLUGIN_APP = 1, CLOPT_PLUGIN_OPTIMIZATION = 2 };

/* Every plugin exports one constant of this type under the name clopt_plugin. clopt reads the ABI
 * number before anything else, and calls nothing in the plugin before all fields are checked. */
struct clopt_plugin {
    uint32_t abi;             /* CLOPT_ABI */
    uint32_t size;            /* sizeof(struct clopt_plugin) */
    uint32_t kind;            /* enum clopt_plugin_kind */
    uint32_t operations_size; /* sizeof(struct clopt_app) or sizeof(struct clopt_optimization) */
    const char *name;         /* [a-z][a-z0-9_]*, at most 31 characters; also the file's name */
    const char *summary;      /* one line, without a full stop */
    union {                   /* by its kind */
        const void *operations;
        const struct clopt_app *app;
        const struct clopt_optimization *optimization;
    };
};

#define CLOPT_APP_PLUGIN(plugin_name, plugin_summary, app)                                         \
    CLOPT_API extern const struct clopt_plugin clopt_plugin;                                       \
    const struct clopt_plugin clopt_plugin = {                                                     \
        CLOPT_ABI,        sizeof(struct clopt_plugin),                                             \
        CLOPT_PLUGIN_APP, sizeof(struct clopt_app),                                                \
        (plugin_name),    (plugin_summary),                                                        \
        {(app)},                                                                                   \
    }

#define CLOPT_OPTIMIZATION_PLUGIN(plugin_name, plugin_summary, optimization)                       \
    CLOPT_API extern const struct clopt_plugin clopt_plugin;                                       \
    const struct clopt_plugin clopt_plugin = {                                                     \
        CLOPT_ABI,                                                                                 \
        sizeof(struct clopt_plugin),                                                               \
        CLOPT_PLUGIN_OPTIMIZATION,                                                                 \
        sizeof(struct clopt_optimization),                                                         \
        (plugin_name),                                                                             \
        (plugin_summary),                                                                          \
        {(optimization)},                                                                          \
    }
