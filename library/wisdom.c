/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens files of winners, finds those of a kernel, and maps its launches. The layer has this file,
 * too: it needs nothing but texts and hashes. */
#include "library/winner.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"
#include "file/inclusion.h"
#include "library/family.h"
#include "trial/transform.h"

/* ---- what there is ---- */

bool clopt_wisdom_is(const char *path)
{
    char begin[sizeof CLOPT_WISDOM_WORDS] = "";
    CLOPT_CLOSED FILE *file = NULL;
    return clopt_file_open(path, &file, NULL) == CLOPT_OK &&
           fread(begin, 1, sizeof begin - 1, file) == sizeof begin - 1 &&
           strcmp(begin, CLOPT_WISDOM_WORDS) == 0;
}

/* Kernels of the file run with the rights of this process: nobody else may have written them. */
static enum clopt_status check_owner(const char *path, FILE *file, struct clopt_error *error)
{
    struct stat about;
    if (fstat(fileno(file), &about) != 0)
        return clopt_fail(error, CLOPT_INVALID, "%s: cannot be read: %s", path, strerror(errno));
    if (about.st_uid != 0 && about.st_uid != geteuid())
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: belongs to user %ju, whose kernels would run as user %ju: a file of "
                          "winners must be root's, or your own",
                          path, (uintmax_t)about.st_uid, (uintmax_t)geteuid());
    if (about.st_mode & (S_IWGRP | S_IWOTH))
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: others may write to it, and its kernels would run as user %ju: "
                          "`chmod go-w` it",
                          path, (uintmax_t)geteuid());
    return CLOPT_OK;
}

/* Reads a regular file of a bounded size, whoever waits to write to it. */
static enum clopt_status read_all(const char *path, char **text, size_t *length,
                                  struct clopt_error *error)
{
    CLOPT_CLOSED FILE *file = NULL;
    CLOPT_TRY(clopt_file_open(path, &file, error));
    CLOPT_TRY(check_owner(path, file, error));
    uint64_t rest = clopt_file_rest(file);
    if (rest > CLOPT_MOST_TEXT_BYTES)
        return clopt_fail(error, CLOPT_INVALID, "%s: no more than %" PRIu64 " MiB are read", path,
                          CLOPT_MOST_TEXT_BYTES >> 20);
    *text = calloc(1, (size_t)rest + 1);
    if (!*text)
        return clopt_fail(error, CLOPT_INVALID, "%s: no memory for %" PRIu64 " bytes", path, rest);
    *length = fread(*text, 1, (size_t)rest, file);
    return CLOPT_OK;
}

/* Whether a text is one of winners, in a version of that: older ones lack words alone. */
static bool is_known(const char *text)
{
    const size_t begin = strlen(CLOPT_WISDOM_WORDS);
    return strncmp(text, CLOPT_WISDOM_WORDS, begin) == 0 && text[begin] >= '1' &&
           text[begin] <= CLOPT_WISDOM_HEAD[begin] && text[begin + 1] == '\n';
}

enum clopt_status clopt_wisdom_open(const char *path, struct clopt_wisdom **wisdom,
                                    struct clopt_error *error)
{
    size_t length = 0;
    char *text = NULL;
    *wisdom = NULL;
    enum clopt_status status = read_all(path, &text, &length, error);
    if (status || !text) /* one is the other, which gcc's analyzer does not see */
        return status;
    struct clopt_wisdom *made = calloc(1, sizeof *made);
    bool headed = is_known(text);
    if (made)
        made->text = text;
    else
        free(text);
    if (made && headed && clopt_wisdom_parse(made, length)) {
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
    for (unsigned d = 0; d < winner->initial.dimensions; d++)
        if (global[d] && winner->initial.global[d])
            far += fabs(log((double)global[d] / (double)winner->initial.global[d]));
    return far;
}

/* In what a winner is of another kernel than the wanted one: 0 in nothing, else the first of its
 * name, its device, its options and its source. */
static enum difference {
    SAME,
    SOURCE,
    OPTIONS,
    DEVICE,
    NAME
} compare(const struct clopt_winner *winner, const struct clopt_wanted *wanted, const char *hash)
{
    return strcmp(winner->kernel, wanted->kernel) != 0                       ? NAME
           : strcmp(winner->device, wanted->device) != 0                     ? DEVICE
           : wanted->options && !are_equal(wanted->options, winner->options) ? OPTIONS
           : hash && strcmp(winner->source, hash) != 0                       ? SOURCE
                                                                             : SAME;
}

/* Returns the device whose winners of a kernel count: the wanted one, or else the sibling that is
 * nearest to it; NULL: there is none. */
static const char *choose_device(const struct clopt_wisdom *wisdom,
                                 const struct clopt_wanted *wanted, const char *hash)
{
    const char *nearest = NULL;
    double least = INFINITY;
    for (size_t i = 0; wisdom && i < wisdom->count; i++) {
        const struct clopt_winner *winner = &wisdom->winners[i];
        struct clopt_wanted there = *wanted;
        there.device = winner->device;
        if (compare(winner, &there, hash) != SAME)
            continue;
        if (strcmp(winner->device, wanted->device) == 0)
            return wanted->device;
        double far = clopt_family_distance(winner->family, wanted->family);
        if (far < least) {
            least = far;
            nearest = winner->device;
        }
    }
    return nearest;
}

/* Whether a launch is one of those for which a winner was chosen. */
static bool is_in_range(const struct clopt_winner *winner, const size_t global[3])
{
    bool in = winner->range_count;
    for (unsigned d = 0; d < winner->range_count; d++)
        in = in && winner->low[d] <= global[d] && global[d] <= winner->high[d];
    return in;
}

/* Whether a winner can take the place of a launch, as far as that is known. */
static bool fits(const struct clopt_wisdom *wisdom, const struct clopt_winner *winner,
                 const struct clopt_wanted *wanted)
{
    struct clopt_winner_launch launch;
    if (winner->code && winner->change.layout_count)
        return wisdom->permutes;
    return !wanted->dimensions || !winner->code ||
           !clopt_winner_map(winner, wanted->dimensions, wanted->global, wanted->local,
                             wanted->integers, &launch);
}

/* Finds the winner on a device for a launch. Of equals the first one is the fastest. */
static struct clopt_winner *find_nearest(const struct clopt_wisdom *wisdom,
                                         const struct clopt_wanted *wanted, const char *hash)
{
    struct clopt_winner *nearest = NULL;
    double least = INFINITY;
    bool fitting = false;
    for (size_t i = 0; wisdom && i < wisdom->count; i++) {
        struct clopt_winner *winner = &wisdom->winners[i];
        bool in = is_in_range(winner, wanted->global);
        if (compare(winner, wanted, hash) != SAME || (winner->range_count && !in))
            continue;
        double far = in ? -1 : distance(winner, wanted->global);
        bool fit = fits(wisdom, winner, wanted);
        if (nearest && (fit == fitting ? far >= least : fitting))
            continue;
        nearest = winner;
        least = far;
        fitting = fit;
    }
    return nearest && nearest->code ? nearest : NULL;
}

struct clopt_winner *clopt_wisdom_find_hash(const struct clopt_wisdom *wisdom,
                                            const struct clopt_wanted *wanted, const char *hash)
{
    struct clopt_wanted there = *wanted;
    there.device = choose_device(wisdom, wanted, hash);
    return there.device ? find_nearest(wisdom, &there, hash) : NULL;
}

bool clopt_wisdom_has(const struct clopt_wisdom *wisdom, const struct clopt_wanted *wanted,
                      const char *hash)
{
    return choose_device(wisdom, wanted, hash);
}

const char *clopt_wisdom_access(const struct clopt_wisdom *wisdom,
                                const struct clopt_wanted *wanted, const char *hash)
{
    for (size_t i = 0; wisdom && i < wisdom->count; i++) {
        struct clopt_wanted there = *wanted;
        there.device = wisdom->winners[i].device;
        if (wisdom->winners[i].access && compare(&wisdom->winners[i], &there, hash) == SAME)
            return wisdom->winners[i].access;
    }
    return NULL;
}

void clopt_wisdom_explain(const struct clopt_wisdom *wisdom, const struct clopt_wanted *wanted,
                          const char *hash, char *reason, size_t size)
{
    const struct clopt_winner *nearest = NULL;
    enum difference least = NAME;
    for (size_t i = 0; i < wisdom->count; i++) {
        enum difference differs = compare(&wisdom->winners[i], wanted, hash);
        if (differs < least) {
            least = differs;
            nearest = &wisdom->winners[i];
        }
    }
    if (least == NAME)
        snprintf(reason, size, "the study has no kernel of this name");
    else if (least == DEVICE)
        snprintf(reason, size, "it was measured on %s", nearest->device);
    else if (least == OPTIONS)
        snprintf(reason, size,
                 "its program is built with `%.60s`, and not, as in the study, `%.60s`",
                 wanted->options, nearest->options);
    else
        snprintf(reason, size,
                 least == SOURCE ? "its source, or a file that this includes, is not the study's"
                                 : "nothing faster than the kernel itself is known");
}

bool clopt_wisdom_hash(const char *source, const char *options, char hash[CLOPT_HASH_SIZE])
{
    CLOPT_OWNED(clopt_build_options) words = {0};
    struct clopt_sha256 whole;
    bool any;
    clopt_build_options_split(options, &words);
    clopt_sha256_init(&whole);
    clopt_sha256_add_string(&whole, source);
    if (clopt_inclusions_add("", source, &words, &whole, NULL, &any, NULL))
        return false;
    if (any)
        clopt_sha256_end(&whole, hash);
    else
        clopt_sha256_bytes(source, strlen(source), hash);
    return true;
}

const struct clopt_winner *clopt_wisdom_find(const struct clopt_wisdom *wisdom,
                                             const struct clopt_wanted *wanted)
{
    char hash[CLOPT_HASH_SIZE];
    if (!wanted->source)
        return clopt_wisdom_find_hash(wisdom, wanted, NULL);
    return clopt_wisdom_hash(wanted->source, wanted->options ? wanted->options : "", hash)
               ? clopt_wisdom_find_hash(wisdom, wanted, hash)
               : NULL;
}

const char *clopt_winner_name(const struct clopt_winner *winner)
{
    return winner->variant;
}

const char *clopt_winner_device(const struct clopt_winner *winner)
{
    return winner->device;
}

const char *clopt_winner_source(const struct clopt_winner *winner)
{
    return winner->code;
}

const char *clopt_winner_options(const struct clopt_winner *winner)
{
    return winner->build;
}

double clopt_winner_loss(const struct clopt_winner *winner)
{
    return winner->loss[2] ? (double)winner->loss[0] / 1000 : NAN;
}

/* ---- their launches ---- */

/* The integers of a launch; NULL: they are not known. */
struct integers {
    const int64_t *values;
    size_t count;
};

static bool read_integer(const void *user, unsigned argument, int64_t *value)
{
    const struct integers *integers = user;
    bool known = integers->values && argument < integers->count;
    *value = known ? integers->values[argument] : 0;
    return known;
}

bool clopt_winner_reads(const struct clopt_winner *winner, size_t argument)
{
    return winner->access && argument < strlen(winner->access) && winner->access[argument] == 'r';
}

/* Maps what has another layout; returns why that does not fit, or NULL. */
static const char *map_layouts(const struct clopt_winner *winner,
                               const struct clopt_ndrange *initial, const struct integers *known,
                               const uint64_t *bytes,
                               struct clopt_layout_shape shapes[CLOPT_MOST_LAYOUTS])
{
    const struct clopt_ndrange_change *change = &winner->change;
    const size_t *local = change->local_size;
    const struct clopt_ndrange_change sizes = {.local_size = {local[0], local[1], local[2]}};
    struct clopt_ndrange range = clopt_ndrange_map(initial, &sizes);
    const struct clopt_launch_need *unmet;
    if (change->layout_count && !bytes)
        return "its winner has a buffer in another layout, which the layer alone gives it";
    for (size_t i = 0; i < change->layout_count; i++)
        if (!clopt_layout_shape_find(&change->layouts[i], bytes[change->layouts[i].argument],
                                     &range, read_integer, known, &shapes[i], &unmet))
            return "a buffer is not the rows that its winner has in another layout";
        else if (unmet)
            return "it may access what is outside of the rows that its winner has in another "
                   "layout";
    return NULL;
}

const char *clopt_winner_map(const struct clopt_winner *winner, unsigned dimensions,
                             const size_t *global, const size_t *local, const int64_t *integers,
                             struct clopt_winner_launch *launch)
{
    return clopt_winner_map_layouts(winner, dimensions, global, local, integers, NULL, launch,
                                    NULL);
}

const char *clopt_winner_map_layouts(const struct clopt_winner *winner, unsigned dimensions,
                                     const size_t *global, const size_t *local,
                                     const int64_t *integers, const uint64_t *bytes,
                                     struct clopt_winner_launch *launch,
                                     struct clopt_layout_shape shapes[CLOPT_MOST_LAYOUTS])
{
    const struct clopt_ndrange_change *change = &winner->change;
    const struct integers known = {integers, strlen(winner->types)};
    struct clopt_ndrange initial = {dimensions, {1, 1, 1}, {1, 1, 1}};
    *launch = (struct clopt_winner_launch){.added_count = change->added_count};
    if (dimensions != winner->initial.dimensions || !global)
        return "it has other dimensions";
    for (unsigned d = 0; d < dimensions; d++) {
        initial.global[d] = global[d];
        initial.local[d] = local ? local[d] : winner->initial.local[d];
        if (!initial.local[d] || global[d] % initial.local[d])
            return "its global size is not a multiple of the local size";
    }
    struct clopt_ndrange range = clopt_ndrange_map(&initial, change);
    memcpy(launch->global, range.global, dimensions * sizeof *range.global);
    memcpy(launch->local, range.local, dimensions * sizeof *range.local);
    const char *unfit = map_layouts(winner, &initial, &known, bytes, shapes);
    for (size_t i = 0; i < change->added_count && !unfit; i++) {
        const struct clopt_added_argument *added = &change->added[i];
        if (!added->rows && added->number >= dimensions)
            return "its winner needs a dimension that it does not have";
        launch->added[i] =
            added->rows ? shapes[added->number].rows : clopt_added_value(&initial, change, i, 0);
        launch->zeroed[i] = change->added[i].zeroed;
    }
    struct clopt_unmet unmet = clopt_launch_unmet(&initial, change, read_integer, &known);
    return unmet.what == CLOPT_MET           ? unfit
           : unmet.what == CLOPT_UNMET_LOCAL ? "its local size does not fit"
           : unmet.what == CLOPT_UNMET_GROUPS
               ? "its global size is not a multiple of the winner's local size"
           : unmet.demand->covers
               ? "an argument is less than the work-items that its winner needs it for"
           : unmet.demand->equals ? "an argument has another value than its winner is for"
                                  : "an argument is not a multiple of what its winner needs";
}
