/* SPDX-License-Identifier: BSD-3-Clause */
/* What runs name as the best of a kernel. */
#ifndef CLOPT_STORE_NAMED_H
#define CLOPT_STORE_NAMED_H

#include "number/ratio.h"
#include "store/store.h"

/* What a run has named as the best of a kernel, what that costs (clopt_field_name()), and why it
 * ended: "all 44 variants were tried". It knew all that the store has of the kernel. */
struct clopt_store_named {
    int64_t trial;              /* 0: nothing */
    struct clopt_regret regret; /* NaN where nothing was named */
    char *ending;
    bool earlier; /* it was named by a run before, which did not know this run's variants */
};
enum clopt_status clopt_store_put_named(struct clopt_store *store, int64_t device, int64_t problem,
                                        const char *kernel, const struct clopt_store_named *named,
                                        struct clopt_error *error);

/* Reads what the run, or else the newest before it, has named; `ending` is for the caller to free.
 */
enum clopt_status clopt_store_get_named(struct clopt_store *store, int64_t device, int64_t problem,
                                        const char *kernel, struct clopt_store_named *named,
                                        struct clopt_error *error);

#endif
