/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the value of a key from left to right. */
#include "scan.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void skip_blanks(struct kernel_scan *scan)
{
    while (isspace((unsigned char)*scan->at))
        scan->at++;
}

struct kernel_scan kernel_scan_begin(const struct kernel_place *place)
{
    return (struct kernel_scan){place, place->value, place->value};
}

bool kernel_scan_word(struct kernel_scan *scan, char word[KERNEL_WORD])
{
    size_t length = 0;
    skip_blanks(scan);
    while (isalnum((unsigned char)scan->at[length]) || scan->at[length] == '_')
        length++;
    if (length == 0 || length >= KERNEL_WORD)
        return false;
    memcpy(word, scan->at, length);
    word[length] = '\0';
    scan->at += length;
    return true;
}

/* Returns where the bracket is closed that opens at `text`; NULL where it is not. */
static const char *find_closing(const char *text)
{
    size_t depth = 0;
    for (; *text; text++) {
        depth += *text == '(' || *text == '[';
        if (*text == ')' || *text == ']')
            depth--;
        if (depth == 0)
            return text;
    }
    return NULL;
}

enum clopt_status kernel_scan_bracket(struct kernel_scan *scan, char open, char **inside,
                                      struct clopt_error *error)
{
    *inside = NULL;
    skip_blanks(scan);
    if (*scan->at != open)
        return CLOPT_OK;
    const char *closing = find_closing(scan->at);
    if (!closing || *closing != (open == '[' ? ']' : ')'))
        return kernel_scan_fail(scan, error, "this %c is not closed", open);
    *inside = strndup(scan->at + 1, (size_t)(closing - scan->at - 1));
    if (!*inside)
        return clopt_fail_memory(error);
    scan->at = closing + 1;
    return CLOPT_OK;
}

const char *kernel_scan_rest(struct kernel_scan *scan)
{
    skip_blanks(scan);
    return scan->at;
}

enum clopt_status kernel_scan_fail(const struct kernel_scan *scan, struct clopt_error *error,
                                   const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return kernel_fail(scan->place, error, "\"%s\", column %zu: %s", scan->text,
                       (size_t)(scan->at - scan->text) + 1, message);
}

char *kernel_next_part(const char **list)
{
    const char *text = *list + strspn(*list, " \t");
    size_t length = 0;
    size_t depth = 0;
    if (!*text)
        return NULL;
    for (; text[length] && (depth || text[length] != ','); length++) {
        depth += text[length] == '(' || text[length] == '[';
        if (depth && (text[length] == ')' || text[length] == ']'))
            depth--;
    }
    *list = text + length + (text[length] == ',');
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return strndup(text, length);
}
