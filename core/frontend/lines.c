/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the lines of a text come from. */
#include "frontend/lines.h"

#include <stdlib.h>
#include <string.h>

#include "text/array.h"

/* Makes places up to a line, of which nothing is known. */
static bool reserve(struct clopt_lines *lines, size_t line)
{
    while (lines->count <= line)
        if (!clopt_array_add(&lines->places, &lines->count, sizeof *lines->places))
            return false;
    return true;
}

/* Returns a copy of a file's name: most lines come from the file that the one before them does. */
static const char *copy_name(struct clopt_lines *lines, size_t line, const char *file)
{
    for (size_t i = line; i > 0 && i + 16 > line; i--) {
        const char *near = lines->places[i - 1].file;
        if (near && strcmp(near, file) == 0)
            return near;
    }
    return clopt_arena_copy(&lines->names, file, strlen(file));
}

bool clopt_lines_note(struct clopt_lines *lines, size_t line, struct clopt_place place)
{
    if (!place.file || (line < lines->count && lines->places[line].file))
        return true;
    if (!reserve(lines, line))
        return false;
    lines->places[line] = (struct clopt_place){copy_name(lines, line, place.file), place.line};
    return lines->places[line].file != NULL;
}

bool clopt_lines_shift(struct clopt_lines *lines, size_t by)
{
    size_t count = lines->count;
    if (!by || !count)
        return true;
    if (!reserve(lines, count + by - 1))
        return false;
    memmove(lines->places + by, lines->places, count * sizeof *lines->places);
    memset(lines->places, 0, by * sizeof *lines->places);
    return true;
}

struct clopt_place clopt_lines_find(const struct clopt_lines *lines, size_t line)
{
    size_t known = line < lines->count ? line : lines->count;
    while (known > 0 && !lines->places[known - 1].file)
        known--;
    if (known > 0)
        return lines->places[known - 1];
    while (known < lines->count && !lines->places[known].file)
        known++;
    return known < lines->count ? lines->places[known] : (struct clopt_place){NULL, 0};
}

struct clopt_lines *clopt_lines_copy(const struct clopt_lines *lines)
{
    struct clopt_lines *copy = calloc(1, sizeof *copy);
    for (size_t i = 0; copy && i < lines->count; i++)
        if (!clopt_lines_note(copy, i, lines->places[i])) {
            clopt_lines_destroy(copy);
            copy = NULL;
        }
    return copy;
}

void clopt_lines_destroy(struct clopt_lines *lines)
{
    if (lines)
        clopt_lines_fini(lines);
    free(lines);
}

void clopt_lines_fini(struct clopt_lines *lines)
{
    free(lines->places);
    clopt_arena_fini(&lines->names);
    *lines = (struct clopt_lines){0};
}
