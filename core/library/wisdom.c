/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads winners of studies, finds those of a kernel, and maps its launches. The layer has this
 * file, too: it needs nothing but texts and hashes. */
#include "library/winner.h"

#include <errno.h>
#include <math.h>

#include "file/sha256.h"

struct clopt_wisdom {
    char *text;
    struct clopt_winner *winners;
    size_t count;
};

/* ---- what there is ---- */

static char *read_all(FILE *file, size_t *length)
{
    char *text = NULL;
    size_t room = 0, got = 1;
    for (*length = 0; got; *length += got) {
        char *more = *length + 1 >= room ? realloc(text, room = 2 * room + 65536) : text;
        if (!more) {
            free(text);
            return NULL;
        }
        text = more;
        got = fread(text + *length, 1, room - *length - 1, file);
    }
    text[*length] = '\0';
    return text;
}

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
    size_t n[8];
    if (winner->dimensions == 3 || read_numbers(text, n, 8) != 8 || !n[3] || !n[4] || !n[5] ||
        !n[6])
        return false;
    winner->sizes[winner->dimensions++] =
        (struct clopt_winner_size){n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]};
    return true;
}

static bool read_pair(struct clopt_winner_pairs *pairs, const char *text)
{
    size_t n[2];
    if (pairs->count == CLOPT_MOST_ADDED || read_numbers(text, n, 2) != 2 || !n[1])
        return false;
    pairs->items[pairs->count++] = (struct clopt_winner_pair){n[0], n[1]};
    return true;
}

static bool read_line(struct clopt_winner *winner, const char *word, const char *rest)
{
    const struct {
        const char *word;
        const char **text;
    } texts[] = {{"kernel", &winner->kernel},   {"device", &winner->device},
                 {"variant", &winner->variant}, {"source", &winner->source},
                 {"options", &winner->options}, {"build", &winner->build},
                 {"types", &winner->types}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(word, texts[i].word) == 0) {
            *texts[i].text = rest;
            return true;
        }
    if (strcmp(word, "size") == 0)
        return read_size(winner, rest);
    if (strcmp(word, "added") == 0)
        return read_pair(&winner->added, rest);
    if (strcmp(word, "multiple") == 0)
        return read_pair(&winner->multiples, rest);
    if (strcmp(word, "covers") == 0)
        return read_pair(&winner->covers, rest);
    return strcmp(word, "needs") == 0 &&
           sscanf(rest, "%zu %zu", &winner->whole_groups, &winner->distinct_buffers) == 2;
}

static bool is_whole(const struct clopt_winner *winner)
{
    return winner->kernel && winner->device && winner->variant && winner->source &&
           winner->options && winner->build && winner->types && winner->dimensions;
}

/* Takes the text apart; false: it is not what it has to be. Each line is ended by a NUL. */
static bool parse(struct clopt_wisdom *wisdom, size_t length)
{
    char *end = wisdom->text + length, *at = wisdom->text + strlen(CLOPT_WISDOM_HEAD);
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

bool clopt_wisdom_is(const char *path)
{
    char begin[sizeof CLOPT_WISDOM_WORDS] = "";
    CLOPT_CLOSED FILE *file = fopen(path, "rb");
    return file && fread(begin, 1, sizeof begin - 1, file) == sizeof begin - 1 &&
           strcmp(begin, CLOPT_WISDOM_WORDS) == 0;
}

enum clopt_status clopt_wisdom_open(const char *path, struct clopt_wisdom **wisdom,
                                    struct clopt_error *error)
{
    size_t length = 0;
    CLOPT_CLOSED FILE *file = fopen(path, "rb");
    *wisdom = NULL;
    if (!file)
        return clopt_fail(error, CLOPT_INVALID, "%s: cannot be read: %s", path, strerror(errno));
    struct clopt_wisdom *made = calloc(1, sizeof *made);
    if (made)
        made->text = read_all(file, &length);
    bool headed = made && made->text &&
                  strncmp(made->text, CLOPT_WISDOM_HEAD, strlen(CLOPT_WISDOM_HEAD)) == 0;
    if (headed && parse(made, length)) {
        *wisdom = made;
        return CLOPT_OK;
    }
    clopt_wisdom_close(made);
    return clopt_fail(error, CLOPT_INVALID, "%s: %s", path,
                      headed ? "damaged; write it again by `clopt export STORE --wisdom FILE`"
                             : "not a file that this clopt's `export --wisdom` writes");
}

void clopt_wisdom_close(struct clopt_wisdom *wisdom)
{
    if (wisdom) {
        free(wisdom->text);
        free(wisdom->winners);
    }
    free(wisdom);
}

/* ---- whose they are ---- */

/* Returns the next word of build options, those with folders left out; false at their end. */
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

/* How far a launch is from the one that was measured, as a factor of work-items, in its logarithm.
 */
static double distance(const struct clopt_winner *winner, const size_t global[3])
{
    double far = 0;
    for (unsigned d = 0; d < winner->dimensions; d++)
        if (global[d] && winner->sizes[d].global)
            far += fabs(log((double)global[d] / (double)winner->sizes[d].global));
    return far;
}

struct clopt_winner *clopt_wisdom_find_hash(const struct clopt_wisdom *wisdom,
                                            const struct clopt_wanted *wanted, const char *hash)
{
    struct clopt_winner *nearest = NULL;
    for (size_t i = 0; wisdom && i < wisdom->count; i++) {
        struct clopt_winner *winner = &wisdom->winners[i];
        if (strcmp(winner->kernel, wanted->kernel) == 0 &&
            strcmp(winner->device, wanted->device) == 0 &&
            (!hash || strcmp(winner->source, hash) == 0) &&
            (!wanted->options || are_equal(wanted->options, winner->options)) &&
            (!nearest || distance(winner, wanted->global) < distance(nearest, wanted->global)))
            nearest = winner;
    }
    return nearest && nearest->code ? nearest : NULL;
}

const struct clopt_winner *clopt_wisdom_find(const struct clopt_wisdom *wisdom,
                                             const struct clopt_wanted *wanted)
{
    char text[CLOPT_HASH_SIZE];
    clopt_sha256_bytes(wanted->source, wanted->source ? strlen(wanted->source) : 0, text);
    return clopt_wisdom_find_hash(wisdom, wanted, wanted->source ? text : NULL);
}

const char *clopt_winner_name(const struct clopt_winner *winner)
{
    return winner->variant;
}

const char *clopt_winner_source(const struct clopt_winner *winner)
{
    return winner->code;
}

const char *clopt_winner_options(const struct clopt_winner *winner)
{
    return winner->build;
}

/* ---- their launches ---- */

const char *clopt_winner_map(const struct clopt_winner *winner, unsigned dimensions,
                             const size_t *global, const size_t *local,
                             struct clopt_winner_launch *launch)
{
    size_t groups[3] = {1, 1, 1};
    *launch = (struct clopt_winner_launch){.added_count = winner->added.count};
    if (dimensions != winner->dimensions || !global)
        return "it has other dimensions";
    for (unsigned d = 0; d < dimensions; d++) {
        const struct clopt_winner_size *size = &winner->sizes[d];
        size_t given = local ? local[d] : size->local;
        size_t items = size->local_size ? size->local_size : given;
        if (!given || global[d] % given)
            return "its global size is not a multiple of the local size";
        if (items % size->multiple || (size->only && items != size->multiple))
            return "its local size does not fit";
        if (winner->whole_groups && global[d] % items)
            return "its global size is not a multiple of the winner's local size";
        groups[d] = clopt_divide_up(global[d], items) * size->divided_items;
        launch->local[d] = clopt_divide_up(items, size->merged_items);
        launch->global[d] = clopt_divide_up(groups[d], size->merged_groups) * launch->local[d];
    }
    for (size_t i = 0; i < winner->added.count; i++) {
        const struct clopt_winner_pair *added = &winner->added.items[i];
        if (added->number >= dimensions)
            return "its winner needs a dimension that it does not have";
        launch->added[i] = clopt_divide_up(groups[added->number], added->value);
    }
    return NULL;
}
