/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which variants are worth trying, and from what that is known. */
#ifndef CLOPT_ADVICE_PRINT_H
#define CLOPT_ADVICE_PRINT_H

#include "advice/advice.h"
#include "text/json.h"

struct clopt_advice_print {
    const struct clopt_advice *advice;
    const struct clopt_advice_subject *subject;
    const struct clopt_trial *trial; /* the initial code */
    const struct clopt_device_info *device;
    const struct clopt_proposals *proposals;
    const char *file; /* the kernel's source */
};

/* Print it for people, after an empty line where it is not the first, and for machines. */
enum clopt_status clopt_advice_print(const struct clopt_advice_print *print, bool again,
                                     FILE *stream, struct clopt_error *error);
json_t *clopt_advice_to_json(const struct clopt_advice_print *print);

#endif
