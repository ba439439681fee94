/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory whose pages can be protected: a write there goes on, and is noticed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Handles faults from now on, instead of whoever did. One that is no write to protected pages ends
 * the process by its signal. */
void clopt_pages_watch(void);

/* Maps so many bytes and rounds them up to whole pages, not protected. NULL: there are none. */
void *clopt_pages_map(size_t *bytes);
void clopt_pages_release(void *pages);

/* Protects pages, and forgets that they were written to (false: it is not possible); or lets them
 * be written to. */
bool clopt_pages_protect(void *pages);
void clopt_pages_open(void *pages);

/* Whether something wrote to pages since they were protected. */
bool clopt_pages_were_written(const void *pages);
