/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes the text of a file of winners apart. The layer has this file, too. */
#include <limits.h>

#include "library/winner.h"

#define MOST_BLOCK 1024 /* rows that are interleaved */

/* Reads numbers with blanks between them; returns how many there are. */
static size_t read_numbers(const char *text, size_t *numbers, size_t most)
{
    size_t count = 0;
    int used = 0;
    while (count < most && sscanf(text, "%zu%n", &numbers[count], &used) == 1) {
        text += used;
        count++;
    }
    return count;
}

static bool read_size(struct clopt_winner *winner, const char *text)
{
    struct clopt_ndrange_change *change = &winner->change;
    unsigned d = winner->initial.dimensions;
    size_t n[8];
    if (d == 3 || read_numbers(text, n, 8) != 8 || !n[3] || !n[4] || !n[5] || !n[6])
        return false;
    winner->initial.global[d] = n[0];
    winner->initial.local[d] = n[1];
    change->local_size[d] = n[2];
    change->divided_items[d] = n[3];
    change->merged_items[d] = n[4];
    change->merged_groups[d] = n[5];
    change->local_multiple[d] = n[6];
    change->local_only[d] = n[7];
    winner->initial.dimensions++;
    return true;
}

/* Reads the sizes of the next dimension for which a winner is. */
static bool read_range(struct clopt_winner *winner, const char *text)
{
    size_t n[2], d = winner->range_count;
    if (d == 3 || read_numbers(text, n, 2) != 2 || (n[1] && n[1] < n[0]))
        return false;
    winner->low[d] = n[0];
    winner->high[d] = n[1] ? n[1] : SIZE_MAX;
    winner->range_count++;
    return true;
}

/* Reads a form, to the end of a line. */
static bool read_form(struct clopt_affine *form, const char *text)
{
    int used = 0;
    size_t wraps = 0;
    if (sscanf(text, "%zu%n", &wraps, &used) != 1)
        return false;
    form->wraps = wraps;
    while (form->count < CLOPT_AFFINE_TERMS) {
        struct clopt_term term = {0};
        text += used;
        if (sscanf(text, "%" SCNd64 "%n", &term.factor, &used) != 1)
            break;
        for (size_t i = 0; i < CLOPT_TERM_SYMBOLS; i++) {
            text += used;
            if (sscanf(text, "%hu%n", &term.symbols[i], &used) != 1)
                return false;
        }
        form->terms[form->count++] = term;
    }
    return !*(text + strspn(text, " "));
}

/* Skips numbers of a line. */
static const char *skip_numbers(const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        text += strspn(text, " ");
        text += strcspn(text, " ");
    }
    return text;
}

static bool read_layout(struct clopt_winner *winner, const char *text)
{
    struct clopt_ndrange_change *change = &winner->change;
    size_t n[3];
    if (change->layout_count == CLOPT_MOST_LAYOUTS || read_numbers(text, n, 3) != 3 ||
        n[0] >= CLOPT_LAUNCH_GLOBAL - 1 || !n[1] || n[1] > 16 || (n[1] & (n[1] - 1)) ||
        n[2] > MOST_BLOCK)
        return false;
    struct clopt_layout *layout = &change->layouts[change->layout_count++];
    *layout = (struct clopt_layout){
        .argument = (unsigned)n[0], .element_bytes = (unsigned)n[1], .block = (unsigned)n[2]};
    return read_form(&layout->row, skip_numbers(text, 3));
}

static bool read_need(struct clopt_winner *winner, const char *text)
{
    struct clopt_ndrange_change *change = &winner->change;
    struct clopt_layout *layout = &change->layouts[change->layout_count - !!change->layout_count];
    size_t n;
    if (!change->layout_count || layout->need_count == CLOPT_LAYOUT_NEEDS ||
        read_numbers(text, &n, 1) != 1 || n > UINT_MAX)
        return false;
    struct clopt_launch_need *need = &layout->needs[layout->need_count++];
    *need = (struct clopt_launch_need){.multiple = (unsigned)n};
    return read_form(&need->form, skip_numbers(text, 1));
}

/* Reads a line of two numbers. */
static bool read_demand(struct clopt_ndrange_change *change, const char *word, const char *text)
{
    struct clopt_argument_multiple demand = {.multiple = 1};
    unsigned *value = strcmp(word, "multiple") == 0 ? &demand.multiple
                      : strcmp(word, "covers") == 0 ? &demand.covers
                      : strcmp(word, "equals") == 0 ? &demand.equals
                                                    : NULL;
    bool zeroed = strcmp(word, "zeroed") == 0, rows = strcmp(word, "rows") == 0;
    bool added = zeroed || rows || strcmp(word, "added") == 0;
    size_t n[2];
    if (!(value || added) || read_numbers(text, n, 2) != 2 || !n[1] || n[0] > UINT_MAX ||
        n[1] > UINT_MAX ||
        (added ? change->added_count == CLOPT_MOST_ADDED
               : change->multiple_count == CLOPT_MOST_MULTIPLES))
        return false;
    demand.argument = (unsigned)n[0];
    if (!value)
        change->added[change->added_count++] =
            (struct clopt_added_argument){.number = zeroed ? 0 : demand.argument,
                                          .merged = n[1],
                                          .rows = rows,
                                          .zeroed = zeroed ? demand.argument : 0};
    else {
        *value = (unsigned)n[1];
        change->multiples[change->multiple_count++] = demand;
    }
    return demand.covers <= 3;
}

static bool read_line(struct clopt_winner *winner, const char *word, const char *rest)
{
    const struct {
        const char *word;
        const char **text;
    } texts[] = {
        {"kernel", &winner->kernel}, {"device", &winner->device},   {"variant", &winner->variant},
        {"source", &winner->source}, {"options", &winner->options}, {"build", &winner->build},
        {"types", &winner->types},   {"family", &winner->family},   {"access", &winner->access}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(word, texts[i].word) == 0) {
            *texts[i].text = rest;
            return true;
        }
    if (strcmp(word, "size") == 0)
        return read_size(winner, rest);
    if (strcmp(word, "range") == 0)
        return read_range(winner, rest);
    if (strcmp(word, "loss") == 0)
        return read_numbers(rest, winner->loss, 5) == 5;
    if (strcmp(word, "local") == 0)
        return read_numbers(rest, &winner->local_bytes, 1) == 1;
    if (strcmp(word, "layout") == 0)
        return read_layout(winner, rest);
    if (strcmp(word, "need") == 0)
        return read_need(winner, rest);
    if (strcmp(word, "needs") != 0)
        return read_demand(&winner->change, word, rest);
    size_t n[2];
    if (read_numbers(rest, n, 2) != 2)
        return false;
    winner->change.whole_groups = n[0];
    winner->change.distinct_buffers = n[1];
    return true;
}

/* Whether all that its layouts and what is added are about is there. */
static bool has_layouts(const struct clopt_winner *winner)
{
    const struct clopt_ndrange_change *change = &winner->change;
    bool there = !winner->access || strlen(winner->access) == strlen(winner->types);
    for (size_t i = 0; i < change->layout_count; i++)
        there = there && change->layouts[i].argument < strlen(winner->types);
    for (size_t i = 0; i < change->added_count; i++)
        there = there && (!change->added[i].rows || change->added[i].number < change->layout_count);
    return there;
}

static bool is_whole(const struct clopt_winner *winner)
{
    return winner->kernel && winner->device && winner->variant && winner->source &&
           winner->options && winner->build && winner->types && winner->initial.dimensions &&
           (!winner->range_count || winner->range_count == winner->initial.dimensions) &&
           has_layouts(winner);
}

bool clopt_wisdom_parse(struct clopt_wisdom *wisdom, size_t length)
{
    char *end = wisdom->text + length, *at = strchr(wisdom->text, '\n') + 1;
    struct clopt_winner *winner = NULL;
    bool open = false; /* the code of the last one is still to come */
    while (at < end) {
        char *line = at, *newline = strchr(at, '\n');
        if (!newline)
            return false;
        *newline = '\0';
        at = newline + 1;
        char *blank = line + strcspn(line, " ");
        const char *rest = *blank ? blank + 1 : blank;
        *blank = '\0';
        size_t bytes = 0;
        if (strcmp(line, "winner") == 0) {
            if (open)
                return false;
            winner = realloc(wisdom->winners, (wisdom->count + 1) * sizeof *winner);
            if (!winner) /* not clopt_array_add(): the program is not ours to end */
                return false;
            wisdom->winners = winner;
            winner += wisdom->count++;
            *winner = (struct clopt_winner){0};
            open = true;
        } else if (open && strcmp(line, "code") == 0) {
            if (read_numbers(rest, &bytes, 1) != 1 || bytes >= (size_t)(end - at) ||
                at[bytes] != '\n' || !is_whole(winner))
                return false;
            winner->code = bytes ? at : NULL;
            at[bytes] = '\0';
            at += bytes + 1;
            open = false;
        } else if (!open || !read_line(winner, line, rest)) {
            return false;
        }
    }
    return !open;
}
