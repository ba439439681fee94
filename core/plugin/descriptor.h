/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks what a plugin says of itself, before any of its functions is called. */
#pragma once

#include <clopt/app.h>
#include <clopt/optimization.h>

/* Tells whether a name is legal for a plugin, a parameter or a knob. */
bool clopt_name_is_legal(const char *name);

/* Returns what a kind is called: "app"; "plugin" for any. */
const char *clopt_kind_text(enum clopt_kind kind);

/* Returns where plugins of a kind are in the source, and the name of the one that ships: "apps". */
const char *clopt_kind_folder(enum clopt_kind kind);

/* Checks a descriptor of which `bytes` bytes can be read, and its extensions. */
enum clopt_status clopt_descriptor_check(const void *descriptor, size_t bytes,
                                         struct clopt_error *error);

/* Check the operations of a kind, their tables included. */
enum clopt_status clopt_app_check(const struct clopt_app *app, struct clopt_error *error);
enum clopt_status clopt_optimization_check(const struct clopt_optimization *optimization,
                                           struct clopt_error *error);
