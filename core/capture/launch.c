/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what the layer has captured of a launch. */
#include "capture/launch.h"

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
    unsigned char *value = strlen(digits) == 2 * bytes ? malloc(bytes + 1) : NULL;
    for (size_t i = 0; value && i < bytes; i++) {
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
    int used = 0;
    if (sscanf(rest, "%zu %zu %n", &index, &bytes, &used) != 2 ||
        index >= CLOPT_MOST_CAPTURED_ARGUMENTS)
        return false;
    struct clopt_captured_argument *argument = &launch->arguments[index];
    argument->kind = kind;
    argument->bytes = bytes;
    argument->changed = strcmp(rest + used, "changed") == 0;
    if (launch->argument_count <= index)
        launch->argument_count = index + 1;
    if (kind == CLOPT_CAPTURED_VALUE && !argument->value)
        argument->value = read_bytes(rest + used, bytes);
    return kind != CLOPT_CAPTURED_VALUE || argument->value;
}

/* Reads what follows the number of an argument that is an image, after its line as a buffer, or a
 * sampler. */
static bool read_text(struct clopt_captured *launch, bool is_sampler, const char *rest)
{
    size_t index;
    int used = 0;
    if (sscanf(rest, "%zu %n", &index, &used) != 1 || index >= CLOPT_MOST_CAPTURED_ARGUMENTS)
        return false;
    struct clopt_captured_argument *argument = &launch->arguments[index];
    if (is_sampler)
        argument->kind = CLOPT_CAPTURED_SAMPLER;
    if (launch->argument_count <= index)
        launch->argument_count = index + 1;
    argument->text = rest + used;
    return true;
}

static bool read_line(struct clopt_captured *launch, const char *word, const char *rest)
{
    if (strcmp(word, "kernel") == 0)
        launch->kernel = rest;
    else if (strcmp(word, "program") == 0)
        launch->program = rest;
    else if (strcmp(word, "device") == 0)
        launch->device = rest;
    else if (strcmp(word, "options") == 0)
        launch->options = rest;
    else if (strcmp(word, "global") == 0)
        launch->dimensions = (unsigned)read_sizes(rest, launch->global);
    else if (strcmp(word, "local") == 0)
        return read_sizes(rest, launch->local) == launch->dimensions;
    else if (strcmp(word, "buffer") == 0)
        return read_argument(launch, CLOPT_CAPTURED_BUFFER, rest);
    else if (strcmp(word, "null") == 0)
        return read_argument(launch, CLOPT_CAPTURED_NULL, rest);
    else if (strcmp(word, "image") == 0 || strcmp(word, "sampler") == 0)
        return read_text(launch, *word == 's', rest);
    else
        return strcmp(word, "value") == 0 && read_argument(launch, CLOPT_CAPTURED_VALUE, rest);
    return true;
}

enum clopt_status clopt_captured_read(const char *path, struct clopt_captured *launch,
                                      struct clopt_error *error)
{
    *launch = (struct clopt_captured){.stem = strndup(path, strlen(path) - strlen(".launch"))};
    CLOPT_NEED(launch->stem, error);
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

void clopt_captured_fini(struct clopt_captured *launch)
{
    for (size_t i = 0; i < launch->argument_count; i++)
        free(launch->arguments[i].value);
    free(launch->stem);
    free(launch->text);
}
