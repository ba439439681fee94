/* SPDX-License-Identifier: BSD-3-Clause */
/* What solves a problem instead of an app's kernels: what a trial says of it is JSON,
 *
 *     {"label": "openmp", "folder": the study's, "kind": NAME, unless it is the standard one,
 *      "pin": whether its threads are pinned}
 *
 * and the values of the keys that its kind has, or what that makes of them: an extension of kind
 * RIVAL, which builds and runs it; its operations are a struct clopt_rival. */
#pragma once

#include <jansson.h>

#include "file/file_hash.h"
#include "plugin/registry.h"
#include "text/text.h"

/* Returns a text of it; "" where there is none. */
const char *clopt_rival_text(const json_t *rival, const char *key);

struct clopt_ini_section; /* study/ini.h */
struct clopt_session;     /* worker/session.h */

struct clopt_rival {
    /* Makes the key of its trial of that of the initial code: all that says what is run. */
    enum clopt_status (*key)(const json_t *rival, const char *kernel_path,
                             struct clopt_file_hashes *known, char key[CLOPT_HASH_SIZE],
                             struct clopt_error *error);
    /* Checks that all is there that the program is made of, and what makes it. */
    enum clopt_status (*check)(const json_t *rival, const char *kernel_path,
                               struct clopt_error *error);
    /* Keeps the lines of its sources that are compiled, for the caller to free; empty: unknown. */
    enum clopt_status (*lines)(const json_t *rival, const char *kernel_path, char **lines,
                               struct clopt_error *error);
    /* Builds the program, or finds it built, and makes session->rival_state. */
    enum clopt_status (*build)(struct clopt_session *session);
    /* Has it solve the problem once, and adds the time by its clock to `time_ns` (may be NULL). */
    enum clopt_status (*solve)(struct clopt_session *session, double *time_ns);
    /* Copies its results to the buffers. */
    enum clopt_status (*fetch)(struct clopt_session *session);
    void (*destroy)(void *state); /* NULL is none */
    /* Makes more of the section of a study, which is at this path, than the texts of these; NULL:
     * nothing. */
    enum clopt_status (*describe)(const struct clopt_ini_section *section, const char *study,
                                  json_t *rival, struct clopt_error *error);
    bool standard;                            /* studies use it unless they name another one */
    const struct clopt_parameter *parameters; /* keys of [rival LABEL], besides apps and the like */
};

/* Finds who runs rivals of a kind; "": the standard one. */
enum clopt_status clopt_rival_find(const struct clopt_registry *registry, const char *kind,
                                   const struct clopt_rival **found, struct clopt_error *error);
