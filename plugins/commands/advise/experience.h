/* SPDX-License-Identifier: BSD-3-Clause */
/* What there is to learn from: the recorded spaces that ship, and the stores of the user's history.
 */
#pragma once

#include "commands/advise/advice.h"
#include "space/study.h"

/* Notes a store that a study has written in the history. That this fails is no reason to fail. */
void clopt_experience_note(const char *store);

/* Learns from the folders of recorded spaces: CLOPT_SPACE_PATH or, without it, the compiled-in one,
 * and from the stores of the history that are still there. `notices` (may be NULL) is told of files
 * that nothing can be learnt from. */
enum clopt_status clopt_experience_learn(struct clopt_advice *advice, FILE *notices,
                                         struct clopt_error *error);

/* Learns from the recorded spaces of a folder, sorted by name. */
enum clopt_status clopt_experience_learn_folder(struct clopt_advice *advice, const char *folder,
                                                bool may_be_empty, FILE *notices,
                                                struct clopt_error *error);

/* The folders of recorded spaces, with colons between them. */
const char *clopt_experience_folders(void);

/* Finds a recorded space by its name, "nbody-h100", for the caller to free; NULL: there is none. */
char *clopt_experience_find(const char *name);

/* Reads the file guidelines.json of the first folder of recorded spaces that has one; NULL: none
 * has. */
enum clopt_status clopt_experience_guidelines(json_t **document, struct clopt_error *error);

/* Adds to what a study's search tries first what the folders of recorded spaces name in a file
 * compositions.json. */
enum clopt_status clopt_experience_start(struct clopt_search_plan *plan, struct clopt_error *error);
