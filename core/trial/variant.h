/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a variant: applies a trial's steps to the source of its kernel. */
#pragma once

#include "file/file_hash.h"
#include "trial/transform.h"
#include "trial/trial.h"

/* The source files of an app, read once. */
struct clopt_app_source {
    char *path;
    char *text;
    bool includes;              /* it includes others: they are looked for in its folder */
    struct clopt_text files;    /* the paths of these, each with a NUL after it */
    char hash[CLOPT_HASH_SIZE]; /* of the text and of every file that it includes */
    struct clopt_app_source *alternatives; /* those of the app */
    size_t alternative_count;
};

/* Finds a file in the first folder of `kernel_path` (colon-separated, may be NULL),
 * CLOPT_KERNEL_PATH or the compiled-in folder that has it. The caller frees its path. */
enum clopt_status clopt_source_find(const char *name, const char *kernel_path, char **found,
                                    struct clopt_error *error);

/* Reads an app's kernels from its path, or from the first folder of `kernel_path` (colon-separated,
 * may be NULL), CLOPT_KERNEL_PATH or the compiled-in folder that has them. The caller ends it where
 * that fails, too, as a variant. */
enum clopt_status clopt_app_source_read(const struct clopt_app *app, const char *kernel_path,
                                        struct clopt_app_source *source, struct clopt_error *error);
void clopt_app_source_fini(struct clopt_app_source *source);

/* Returns the source that a trial begins with: the app's, or one of its alternatives. */
const struct clopt_app_source *clopt_app_source_of(const struct clopt_app_source *source,
                                                   const struct clopt_trial *trial);

/* What a variant changes of a kernel's launches. */
struct clopt_kernel_change {
    const struct clopt_kernel *kernel;
    struct clopt_ndrange_change change;
};

/* A program ready to be built. */
struct clopt_variant {
    char *source;
    char *compiled; /* without kernels that are not launched; NULL: the source */
    char *options;
    char *dialect; /* the same, and what the device defines, for the front end alone */
    struct clopt_values *knobs;
    struct clopt_kernel_change *changes; /* one a part of the trial */
    size_t change_count;
    char fingerprint[CLOPT_HASH_SIZE]; /* of source, options and changes: equal variants */
    unsigned lines_changed; /* lines that the initial code has not; all of that one's, and of a
                               rival's; 0: not known, where no rewriting has made it */
};

/* Says whether a trial can work on a device (NULL: unknown), without rewriting anything:
 * CLOPT_INFEASIBLE with the reason. Used for dry runs and before trials are handed out. */
enum clopt_status clopt_variant_check(const struct clopt_trial *trial,
                                      const struct clopt_device_info *device,
                                      struct clopt_error *error);

/* Applies the steps. */
enum clopt_status clopt_variant_make(const struct clopt_trial *trial,
                                     const struct clopt_app_source *source,
                                     const struct clopt_device_info *device,
                                     struct clopt_variant *variant, struct clopt_error *error);
void clopt_variant_fini(struct clopt_variant *variant);

/* What a variant changes of a kernel's launches; NULL: it leaves them as they are. */
const struct clopt_ndrange_change *clopt_variant_change(const struct clopt_variant *variant,
                                                        const struct clopt_kernel *kernel);

/* Adds a change, which is empty. */
struct clopt_ndrange_change *clopt_variant_add_change(struct clopt_variant *variant,
                                                      const struct clopt_kernel *kernel);

/* Writes the build options of the initial code of a trial; for the caller to free. */
enum clopt_status clopt_variant_initial_options(const struct clopt_trial *trial,
                                                const struct clopt_app_source *source,
                                                char **options, struct clopt_error *error);

/* Whether the value of a tuned macro is a build option in its place: -cl-mad-enable. */
static inline bool clopt_is_build_option(const char *value)
{
    return value && *value == '-' && value[1] >= 'a' && value[1] <= 'z';
}
/* Appends the build option that gives a program the value of a macro. */
void clopt_definition_append(struct clopt_text *options, const char *macro, const char *value);

/* Turn a variant of a trial into a message, and back. Sources that are not UTF-8 give NULL. */
json_t *clopt_variant_to_json(const struct clopt_variant *variant);
enum clopt_status clopt_variant_from_json(const json_t *json, const struct clopt_trial *trial,
                                          struct clopt_variant *variant, struct clopt_error *error);

/* The key of a trial: a hash of everything on which its outcome may depend: source, includes,
 * plugins, options, steps, inputs (files by content), seed, device, driver and platform. Steps that
 * are knobs alone belong to the whole program, so their key does not depend on the kernel. */
enum clopt_status clopt_trial_key(const struct clopt_trial *trial,
                                  const struct clopt_app_source *source,
                                  const struct clopt_device_info *device,
                                  struct clopt_file_hashes *known, char key[CLOPT_HASH_SIZE],
                                  struct clopt_error *error);
