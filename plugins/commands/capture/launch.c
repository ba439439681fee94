/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what the layer has captured of a launch. */
#include "commands/capture/launch.h"

#include "file/file.h"

static size_t read_sizes(const char *rest, size_t sizes[3])
{
    size_t count = 0;
    int used = 0;
    while (count < 3 && sscanf(rest, "%zu%n", &sizes[count], &used) == 1) {
        rest += used;
        count++;
    }
    return count;
}

/* Reads two digits a byte; NULL: there are others. */
static unsigned char *read_bytes(const char *digits, size_t bytes)
{
    if (strlen(digits) != 2 * bytes)
        return NULL;
    unsigned char *value = clopt_calloc(bytes, 1);
    for (size_t i = 0; i < bytes; i++) {
        unsigned byte;
        if (sscanf(digits + 2 * i, "%2x", &byte) != 1) {
            free(value);
            return NULL;
        }
        value[i] = (unsigned char)byte;
    }
    return value;
}

/* Reads an argument: its number, its bytes, and what else there is. */
static bool read_argument(struct clopt_captured *launch, enum clopt_captured_kind kind,
                          const char *rest)
{
    size_t index, bytes;
    int used = 0, changed, shared;
    if (sscanf(rest, "%zu %zu %n", &index, &bytes, &used) != 2 ||
        index >= CLOPT_MOST_CAPTURED_ARGUMENTS || launch->arguments[index].kind)
        return false;
    struct clopt_captured_argument *argument = &launch->arguments[index];
    *argument = (struct clopt_captured_argument){.kind = kind, .bytes = bytes};
    if (launch->argument_count <= index)
        launch->argument_count = index + 1;
    rest += used;
    if (kind == CLOPT_CAPTURED_VALUE)
        return (argument->value = read_bytes(rest, bytes)) != NULL;
    if (kind == CLOPT_CAPTURED_BUFFER) {
        if (sscanf(rest, "%d %d %" SCNx64 " %zu %n", &changed, &shared, &argument->memory,
                   &argument->begin, &used) != 4)
            return false;
        argument->changed = changed;
        argument->is_shared = shared;
        rest += used;
    }
    argument->text = *rest ? rest : NULL;
    return true;
}

static bool read_line(struct clopt_captured *launch, const char *word, const char *rest)
{
    static const char *const kinds[] = {"nothing", "buffer", "null", "value", "sampler"};
    const struct {
        const char *word;
        const char **text;
    } texts[] = {{"kernel", &launch->kernel},
                 {"program", &launch->program},
                 {"device", &launch->device},
                 {"options", &launch->options}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(word, texts[i].word) == 0) {
            *texts[i].text = rest;
            return true;
        }
    for (size_t i = 1; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(word, kinds[i]) == 0)
            return read_argument(launch, (enum clopt_captured_kind)i, rest);
    if (strcmp(word, "order") == 0)
        launch->order = strtoull(rest, NULL, 10);
    else if (strcmp(word, "bytes") == 0)
        launch->buffer_bytes = strtoull(rest, NULL, 10);
    else if (strcmp(word, "global") == 0)
        launch->dimensions = (unsigned)read_sizes(rest, launch->global);
    else
        return strcmp(word, "local") == 0 && read_sizes(rest, launch->local) == launch->dimensions;
    return true;
}

enum clopt_status clopt_captured_read(const char *path, struct clopt_captured *launch,
                                      struct clopt_error *error)
{
    *launch =
        (struct clopt_captured){.stem = clopt_strndup(path, strlen(path) - strlen(".launch"))};
    if (clopt_text_read(path, &launch->text, error))
        return error->status;
    bool whole = false, right = true;
    char *rest;
    for (char *line = strtok_r(launch->text, "\n", &rest); line && right && !whole;
         line = strtok_r(NULL, "\n", &rest)) {
        char *blank = line + strcspn(line, " ");
        bool ends = !*blank;
        *blank = '\0';
        whole = strcmp(line, "end") == 0;
        right = whole || read_line(launch, line, ends ? blank : blank + 1);
    }
    if (!whole || !right || !launch->kernel || !launch->program || !launch->options ||
        !launch->device || !launch->dimensions)
        return clopt_fail(error, CLOPT_INVALID, "%s: this launch was not captured to its end",
                          path);
    return CLOPT_OK;
}

void clopt_captured_destroy(struct clopt_captured *launch)
{
    for (size_t i = 0; i < launch->argument_count; i++)
        free(launch->arguments[i].value);
    free(launch->stem);
    free(launch->text);
    free(launch);
}

char *clopt_captured_file(const struct clopt_captured *launch, size_t argument, const char *when)
{
    return clopt_text_format("%s-%zu.%s", launch->stem, argument, when);
}

bool clopt_captured_same_memory(const struct clopt_captured_argument *a,
                                const struct clopt_captured_argument *b)
{
    return a->memory == b->memory && a->begin == b->begin && a->bytes == b->bytes;
}

/* ---- launches that belong together ---- */

static bool are_equal(const char *path, const char *other)
{
    char chunk[8192], other_chunk[8192];
    CLOPT_CLOSED FILE *file = fopen(path, "rb"), *other_file = fopen(other, "rb");
    size_t got = 1;
    bool equal = file && other_file;
    while (equal && got) {
        got = fread(chunk, 1, sizeof chunk, file);
        equal = fread(other_chunk, 1, sizeof other_chunk, other_file) == got &&
                memcmp(chunk, other_chunk, got) == 0;
    }
    return equal;
}

/* Compares a buffer of the last launch with what the others have left in it. Returns why they are
 * not steps of one study, or NULL; `reads` is set where it has what one of them has left. */
static const char *compare_memory(const struct clopt_captured *const *launches, size_t last,
                                  size_t index, bool *reads)
{
    const struct clopt_captured_argument *asked = &launches[last]->arguments[index];
    CLOPT_FREED char *before = clopt_captured_file(launches[last], index, "before");
    bool changed = false, same = false, whole = true;
    for (size_t i = last; i-- > 0 && !(same && changed);)
        for (size_t j = 0; j < launches[i]->argument_count; j++) {
            const struct clopt_captured_argument *known = &launches[i]->arguments[j];
            if (known->kind != CLOPT_CAPTURED_BUFFER || known->memory != asked->memory)
                continue;
            if (!clopt_captured_same_memory(known, asked)) {
                whole &= known->begin >= asked->begin + asked->bytes ||
                         asked->begin >= known->begin + known->bytes;
                continue;
            }
            CLOPT_FREED char *left =
                clopt_captured_file(launches[i], j, known->changed ? "after" : "before");
            if (!same && !are_equal(before, left)) {
                *reads = true;
                return "the application changes a buffer between them";
            }
            same = true;
            changed |= known->changed;
        }
    *reads |= changed;
    return whole ? NULL : "they have parts of a buffer that overlap";
}

size_t clopt_sequence_length(const struct clopt_captured *const *launches, size_t count,
                             const char **reason)
{
    size_t length = 1;
    *reason = NULL;
    for (; length < count; length++) {
        const struct clopt_captured *next = launches[length], *before = launches[length - 1];
        size_t process = strcspn(strrchr(next->stem, '/'), "-");
        bool reads = false;
        const char *obstacle = NULL;
        if (strncmp(strrchr(next->stem, '/'), strrchr(before->stem, '/'), process + 1) != 0)
            break;
        for (size_t i = 0; i < next->argument_count && !obstacle; i++)
            if (next->arguments[i].kind == CLOPT_CAPTURED_BUFFER)
                obstacle = compare_memory(launches, length, i, &reads);
        if (strcmp(next->program, before->program) != 0)
            obstacle = "they are of different programs";
        else if (strcmp(next->device, before->device) != 0)
            obstacle = "they run on different devices";
        else if (next->order != before->order + 1)
            obstacle = "launches between them are not captured: see --launches";
        if (reads && strcmp(next->kernel, before->kernel) != 0)
            *reason = obstacle;
        if (!reads || obstacle)
            break;
    }
    return length;
}
