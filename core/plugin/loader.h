/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens one plugin, and finds the true reason where that fails. */
#pragma once

#include <ltdl.h>

#include <clopt/plugin.h>

#include "file/sha256.h"

/* A plugin that is opened: the path is the caller's, the rest is filled. */
struct clopt_opened_plugin {
    const char *path;
    char *object; /* while it is opened */
    lt_dlhandle handle;
    const struct clopt_plugin *plugin;
    char hash[CLOPT_HASH_SIZE];
};

/* Opens NAME.so, or NAME.la in a build tree, and checks its descriptor. Nothing of the plugin is
 * called, but loading runs its constructors: with `probe`, first in a child, which is lost where
 * they crash, hang or exit; without it, the file is not hashed. CLOPT_PLUGIN_UNUSABLE, or a status
 * of clopt_child_run(), says why not, without the path. Between lt_dlinit() and lt_dlexit(). */
enum clopt_status clopt_plugin_open(struct clopt_opened_plugin *opened, bool probe,
                                    struct clopt_error *error);

/* Hashes the file of a plugin. */
enum clopt_status clopt_plugin_hash(const char *path, char hash[CLOPT_HASH_SIZE],
                                    struct clopt_error *error);

/* ---- looks at the file of a shared object before it is mapped ---- */

/* Checks that a file is a whole shared object, and hashes it. The dynamic loader maps what the
 * headers promise: where a file was cut, it ends the program with SIGBUS. */
enum clopt_status clopt_object_check(const char *path, char hash[CLOPT_HASH_SIZE],
                                     struct clopt_error *error);
