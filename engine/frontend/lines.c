/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the lines of a text come from. */
#include "frontend/lines.h"

#include <clopt/memory.h>

/* Makes positions up to a line, of which nothing is known. */
static void reserve(struct clopt_lines *lines, size_t line)
{
    while (lines->count <= line)
        clopt_array_add(&lines->positions, &lines->count, sizeof *lines->positions);
}

/* Returns a copy of a file's name: most lines come from the file that the one before them does. */
static const char *copy_name(struct clopt_lines *lines, size_t line, const char *file)
{
    for (size_t i = line; i > 0 && i + 16 > line; i--) {
        const char *near = lines->positions[i - 1].file;
        if (near && strcmp(near, file) == 0)
            return near;
    }
    return clopt_arena_copy(&lines->names, file, strlen(file));
}

void clopt_lines_note(struct clopt_lines *lines, size_t line, struct clopt_position position)
{
    if (!position.file || (line < lines->count && lines->positions[line].file))
        return;
    reserve(lines, line);
    lines->positions[line] =
        (struct clopt_position){copy_name(lines, line, position.file), position.line};
}

void clopt_lines_shift(struct clopt_lines *lines, size_t by)
{
    size_t count = lines->count;
    if (!by || !count)
        return;
    reserve(lines, count + by - 1);
    memmove(lines->positions + by, lines->positions, count * sizeof *lines->positions);
    memset(lines->positions, 0, by * sizeof *lines->positions);
}

struct clopt_position clopt_lines_find(const struct clopt_lines *lines, size_t line)
{
    size_t known = line < lines->count ? line : lines->count;
    while (known > 0 && !lines->positions[known - 1].file)
        known--;
    if (known > 0)
        return lines->positions[known - 1];
    while (known < lines->count && !lines->positions[known].file)
        known++;
    return known < lines->count ? lines->positions[known] : (struct clopt_position){NULL, 0};
}

struct clopt_lines *clopt_lines_copy(const struct clopt_lines *lines)
{
    struct clopt_lines *copy = clopt_calloc(1, sizeof *copy);
    for (size_t i = 0; i < lines->count; i++)
        clopt_lines_note(copy, i, lines->positions[i]);
    for (size_t i = 0; i < lines->references.count; i++)
        clopt_references_add(&copy->references, lines->references.items[i].offset,
                             lines->references.items[i].declared);
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
    free(lines->positions);
    clopt_arena_fini(&lines->names);
    clopt_references_fini(&lines->references);
    *lines = (struct clopt_lines){0};
}
