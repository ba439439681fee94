/* SPDX-License-Identifier: BSD-3-Clause */
/* Build options of an OpenCL program, one by one. */
#pragma once

#include <clopt/device.h>
#include <clopt/error.h>

struct clopt_build_options {
    char **words;
    size_t count;
};

/* Splits a string of options the way OpenCL compilers do: at blanks, with quotes and backslashes,
 * and joins "-D NAME" and "-I FOLDER" to one word. */
void clopt_build_options_split(const char *text, struct clopt_build_options *options);
void clopt_build_options_fini(struct clopt_build_options *options);

/* Returns what follows the prefix of a word, or NULL: ("-DN=4", "-D") gives "N=4". */
const char *clopt_option_value(const char *word, const char *prefix);

/* Before the names of the extensions and features that a device has, with commas between them. */
#define CLOPT_DEVICE_OPTION "-clopt-device="

/* Returns build options with those macros that a device defines (NULL: not known), for the front
 * end alone: no OpenCL compiler takes them. For the caller to free. */
char *clopt_device_options(const char *options, const struct clopt_device_info *device);
