/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads winners of a study, and finds those of an application's kernels. */
#include "layer/winners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/sha256.h"
#include "text/array.h"

#define LINE 8192

static struct clopt_winner *winners;
static size_t winner_count;

/* ---- what there is ---- */

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t length = 0, room = 0, got = 1;
    while (file && got) {
        if (length + 1 >= room) {
            char *more = realloc(text, room = 2 * room + LINE);
            if (!more)
                break;
            text = more;
        }
        got = fread(text + length, 1, room - length - 1, file);
        length += got;
    }
    if (file)
        fclose(file);
    if (text)
        text[length] = '\0';
    return text;
}

static void read_size(struct clopt_winner *winner, const char *rest)
{
    unsigned d = winner->dimensions;
    if (d < 3 && sscanf(rest, "%zu %zu %zu %zu %zu %zu %d", &winner->sizes[d].initial_local,
                        &winner->sizes[d].local_size, &winner->sizes[d].divided_items,
                        &winner->sizes[d].merged_items, &winner->sizes[d].merged_groups,
                        &winner->sizes[d].multiple, &winner->sizes[d].only) == 7)
        winner->dimensions++;
}

static void read_line(struct clopt_winner *winner, const char *word, const char *rest)
{
    if (strcmp(word, "kernel") == 0)
        snprintf(winner->kernel, sizeof winner->kernel, "%s", rest);
    else if (strcmp(word, "source") == 0)
        snprintf(winner->source, sizeof winner->source, "%s", rest);
    else if (strcmp(word, "device") == 0)
        snprintf(winner->device, sizeof winner->device, "%s", rest);
    else if (strcmp(word, "variant") == 0)
        snprintf(winner->variant, sizeof winner->variant, "%s", rest);
    else if (strcmp(word, "types") == 0)
        snprintf(winner->types, sizeof winner->types, "%s", rest);
    else if (strcmp(word, "options") == 0)
        winner->options = strdup(rest);
    else if (strcmp(word, "build") == 0)
        winner->build = strdup(rest);
    else if (strcmp(word, "code") == 0)
        winner->code = read_file(rest);
    else if (strcmp(word, "size") == 0)
        read_size(winner, rest);
    else if (strcmp(word, "needs") == 0)
        sscanf(rest, "%d %d", &winner->whole_groups, &winner->distinct_buffers);
    else if (strcmp(word, "added") == 0 && winner->added_count < CLOPT_MOST_ADDED)
        sscanf(rest, "%u %zu", &winner->added[winner->added_count].number,
               &winner->added[winner->added_count].value),
            winner->added_count++;
    else if (strcmp(word, "multiple") == 0 && winner->multiple_count < CLOPT_MOST_ADDED)
        sscanf(rest, "%u %zu", &winner->multiples[winner->multiple_count].number,
               &winner->multiples[winner->multiple_count].value),
            winner->multiple_count++;
}

void clopt_winners_read(void)
{
    const char *path = clopt_record_get()->winners;
    FILE *file = *path ? fopen(path, "r") : NULL;
    struct clopt_winner *winner = NULL;
    char line[LINE];
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        char *blank = line + strcspn(line, " ");
        const char *rest = *blank ? blank + 1 : blank;
        *blank = '\0';
        if (strcmp(line, "winner") == 0)
            winner = clopt_array_add(&winners, &winner_count, sizeof *winners);
        else if (winner)
            read_line(winner, line, rest);
    }
    if (file)
        fclose(file);
}

/* ---- whose they are ---- */

/* Returns the next word of build options, those with folders left out; false: there are no more. */
static bool next_word(const char **at, const char **word, size_t *length)
{
    for (;;) {
        *at += strspn(*at, " \t\n");
        *word = *at;
        *length = strcspn(*at, " \t\n");
        *at += *length;
        if (strncmp(*word, "-I", 2) != 0)
            return *length != 0;
        if (*length == 2) {
            *at += strspn(*at, " \t\n");
            *at += strcspn(*at, " \t\n");
        }
    }
}

static bool are_equal(const char *options, const char *others)
{
    const char *word, *other;
    size_t length = 0, other_length = 0;
    bool more, more_others;
    do {
        more = next_word(&options, &word, &length);
        more_others = next_word(&others, &other, &other_length);
        if (more != more_others || length != other_length || strncmp(word, other, length) != 0)
            return false;
    } while (more);
    return true;
}

static void hash_source(struct clopt_program *program)
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add(&hash, program->source, strlen(program->source));
    clopt_sha256_end(&hash, program->source_hash);
}

const struct clopt_winner *clopt_winners_find(struct clopt_kernel_object *kernel,
                                              const char *device)
{
    struct clopt_program *program = kernel->program;
    if (!program || !program->source)
        return NULL;
    if (!program->source_hash[0])
        hash_source(program);
    for (size_t i = 0; i < winner_count; i++) {
        const struct clopt_winner *winner = &winners[i];
        if (winner->code && winner->options && winner->build && winner->dimensions &&
            strcmp(winner->kernel, kernel->name) == 0 &&
            strcmp(winner->source, program->source_hash) == 0 &&
            strcmp(winner->device, device) == 0 &&
            are_equal(program->options ? program->options : "", winner->options))
            return winner;
    }
    return NULL;
}

bool clopt_winners_any(void)
{
    return winner_count > 0;
}

void clopt_winners_give_up(const struct clopt_winner *winner, const char *failure)
{
    winners[winner - winners].failure = failure;
}
