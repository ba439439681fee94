/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what a study says. */
#include "reading.h"

#include <ctype.h>

struct kernel_position kernel_position_of(const struct clopt_section *section,
                                          const struct clopt_setting *setting)
{
    return (struct kernel_position){.origin = setting ? setting->origin : section->origin,
                                    .section = section->title,
                                    .key = setting ? setting->key : NULL,
                                    .value = setting ? setting->value : ""};
}

enum clopt_status kernel_fail(const struct kernel_position *position, struct clopt_error *error,
                              const char *format, ...)
{
    char message[1024];
    va_list arguments;
    if (error->status)
        return error->status;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return clopt_fail(error, CLOPT_INVALID, "%s: [%s]%s%s: %s", position->origin, position->section,
                      position->key ? " " : "", position->key ? position->key : "", message);
}

enum clopt_status kernel_fail_for(const struct kernel_position *position, struct clopt_error *error,
                                  const struct clopt_error *reason)
{
    bool first = !error->status;
    kernel_fail(position, error, "%s", reason->message);
    if (first)
        error->status = reason->status;
    return error->status;
}

const struct clopt_section *kernel_section(const struct clopt_description *description,
                                           const char *name)
{
    for (size_t i = 0; i < description->count; i++)
        if (strcmp(description->sections[i].name, name) == 0)
            return &description->sections[i];
    return NULL;
}

const struct clopt_setting *kernel_setting(const struct clopt_section *section, const char *key)
{
    for (size_t i = 0; section && i < section->count; i++)
        if (strcmp(section->settings[i].key, key) == 0)
            return &section->settings[i];
    return NULL;
}

const char *kernel_parameter_section(const struct clopt_section *section)
{
    static const char word[] = "parameter ";
    size_t length = strlen(word);
    return strncmp(section->name, word, length) == 0 ? section->name + length : NULL;
}

/* ---- values ---- */

struct kernel_scan kernel_scan_begin(const struct kernel_position *position,
                                     struct clopt_error *error)
{
    return (struct kernel_scan){*position, position->value, error};
}

void kernel_scan_fail(const struct kernel_scan *scan, const char *format, ...)
{
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    kernel_fail(&scan->position, scan->error, "\"%s\", column %zu: %s", scan->position.value,
                (size_t)(scan->at - scan->position.value) + 1, message);
}

char kernel_scan_next(struct kernel_scan *scan)
{
    while (isspace((unsigned char)*scan->at))
        scan->at++;
    return scan->error->status ? '\0' : *scan->at;
}

void kernel_scan_word(struct kernel_scan *scan, char word[KERNEL_WORD])
{
    kernel_scan_next(scan);
    size_t length = clopt_word_length(scan->at);
    if (length >= KERNEL_WORD)
        length = 0;
    memcpy(word, scan->at, length);
    word[length] = '\0';
    scan->at += length;
}

unsigned kernel_scan_choice(struct kernel_scan *scan, const void *table, size_t bytes)
{
    const char *name;
    char word[KERNEL_WORD];
    unsigned row = 0;
    kernel_scan_word(scan, word);
    while ((name = *(const char *const *)((const char *)table + row * bytes)) &&
           strcmp(name, word) != 0)
        row++;
    if (!name)
        scan->at -= strlen(word);
    return row;
}

/* Returns how long a text is up to its end, or up to one of some characters outside of brackets. */
static size_t measure(const char *text, const char *ends)
{
    size_t depth = 0;
    const char *at = text;
    for (; *at && (depth || !strchr(ends, *at)); at++) {
        depth += *at == '(' || *at == '[';
        depth -= depth && (*at == ')' || *at == ']');
    }
    return (size_t)(at - text);
}

char *kernel_scan_bracket(struct kernel_scan *scan, char open)
{
    if (kernel_scan_next(scan) != open)
        return NULL;
    size_t length = measure(scan->at + 1, ")]");
    if (scan->at[1 + length] != (open == '[' ? ']' : ')')) {
        kernel_scan_fail(scan, "this %c is not closed", open);
        return NULL;
    }
    char *inside = clopt_strndup(scan->at + 1, length);
    scan->at += length + 2;
    return inside;
}

void kernel_scan_end(struct kernel_scan *scan)
{
    if (kernel_scan_next(scan))
        kernel_scan_fail(scan, "expected nothing more");
}

char *kernel_next_part(const char **list)
{
    const char *text = *list + strspn(*list, " \t");
    size_t length = measure(text, ",");
    if (!*text)
        return NULL;
    *list = text + length + (text[length] == ',');
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return clopt_strndup(text, length);
}
