/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which problems of a study could not be measured. */
#ifndef CLOPT_MAIN_FAILURES_H
#define CLOPT_MAIN_FAILURES_H

#include "main/command.h"
#include "store/store.h"

/* Prints on stderr each problem and device of the newest run on which the initial code failed, with
 * the reason and, where it does not compile, the compiler's log. `code` gets what the program is to
 * end with: CLOPT_EXIT_USAGE for an input that is wrong, CLOPT_EXIT_FAILURE for other failures,
 * CLOPT_EXIT_VERIFICATION where some variant computed something wrong. */
enum clopt_status clopt_failures_print(struct clopt_store *store, enum clopt_exit *code,
                                       struct clopt_error *error);

#endif
