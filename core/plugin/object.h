/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at the file of a shared object before it is mapped. */
#ifndef CLOPT_PLUGIN_OBJECT_H
#define CLOPT_PLUGIN_OBJECT_H

#include <clopt/error.h>

#include "file/sha256.h"

/* Checks that a file is a whole shared object, and hashes it. The dynamic loader maps what the
 * headers promise: where a file was cut, it ends the program with SIGBUS. */
enum clopt_status clopt_object_check(const char *path, char hash[CLOPT_HASH_SIZE],
                                     struct clopt_error *error);

#endif
