/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that a program cannot do without: where there is none, the process ends. What it has
 * measured until then is in the store, and a worker that ends so costs its variant alone. An input
 * whose size a user chooses is another matter: malloc(), and CLOPT_NEED() refuses it. */
#pragma once

#include <clopt/error.h>

#define CLOPT_NEVER_NULL __attribute__((returns_nonnull, warn_unused_result))

/* What a process exits with that ended because memory had run out. */
#define CLOPT_EXIT_MEMORY 71

/* Says that memory ran out, and ends the process. */
CLOPT_API void clopt_memory_end(void) __attribute__((noreturn));

/* As calloc(), reallocarray(), strdup() and strndup(), for the caller to free(); never NULL. */
CLOPT_API void *clopt_calloc(size_t count, size_t size) CLOPT_NEVER_NULL;
CLOPT_API void *clopt_realloc(void *memory, size_t count, size_t size) CLOPT_NEVER_NULL;
CLOPT_API char *clopt_strdup(const char *text) CLOPT_NEVER_NULL;
CLOPT_API char *clopt_strndup(const char *text, size_t length) CLOPT_NEVER_NULL;

/* The same for a text that is formatted. */
CLOPT_API char *clopt_text_format(const char *format, ...) CLOPT_PRINTF(1, 2) CLOPT_NEVER_NULL;
CLOPT_API char *clopt_text_vformat(const char *format, va_list arguments) CLOPT_NEVER_NULL;
