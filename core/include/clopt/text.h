/* SPDX-License-Identifier: BSD-3-Clause */
/* A string that grows: for messages, sources, tables and JSON. */
#pragma once

#include <clopt/memory.h>

/* All zero is an empty text. `data` is NULL or ends with a NUL. */
struct clopt_text {
    char *data;
    size_t length;
    size_t capacity;
};

CLOPT_API void clopt_text_append(struct clopt_text *text, const char *string);
CLOPT_API void clopt_text_append_bytes(struct clopt_text *text, const char *bytes, size_t length);
CLOPT_API void clopt_text_printf(struct clopt_text *text, const char *format, ...)
    CLOPT_PRINTF(2, 3);

/* Returns the string, never NULL; it stays the text's. */
CLOPT_API const char *clopt_text_string(const struct clopt_text *text);

/* Returns the string for the caller to free() and empties the text. */
CLOPT_API char *clopt_text_take(struct clopt_text *text) CLOPT_NEVER_NULL;

CLOPT_API void clopt_text_fini(struct clopt_text *text);

/* Whether a list, whose words blanks or commas separate, has a word. */
CLOPT_API bool clopt_text_has_word(const char *list, const char *word);

/* Returns how many letters, digits and _ a text begins with; and whether it is an identifier: of
 * these alone, and no digit first. */
CLOPT_API size_t clopt_word_length(const char *text);
CLOPT_API bool clopt_is_identifier(const char *text);
