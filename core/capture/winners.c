/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the winners of a study for the layer. */
#include "capture/winners.h"

#include <clopt/source.h>

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "file/sha256.h"
#include "text/json.h"

/* What is exported of a kernel. */
struct exported {
    const char *folder;
    const json_t *json;
    char *source;      /* of the application: the initial code as the study has it */
    const char *types; /* of its arguments */
};

/* Reads the initial code without the comment that `clopt export` puts before it. */
static enum clopt_status read_source(const struct exported *exported, const char *name, char **text,
                                     struct clopt_error *error)
{
    char *path = clopt_path_join(exported->folder, name);
    enum clopt_status status = path ? clopt_text_read(path, text, error) : clopt_fail_memory(error);
    free(path);
    char *end = status ? NULL : strstr(*text, "*/\n");
    if (end)
        memmove(*text, end + 3, strlen(end + 3) + 1);
    return status;
}

/* Tells which arguments are buffers of real numbers. */
static enum clopt_status find_types(const struct exported *exported, const json_t *initial,
                                    struct clopt_text *types, struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    const char *kernel = clopt_json_string(exported->json, "kernel");
    if (clopt_source_create(kernel, exported->source, NULL, clopt_json_string(initial, "options"),
                            kernel, &source, error))
        return error->status;
    for (size_t i = 0; i < source->kernel->parameter_count; i++) {
        enum clopt_scalar scalar = source->kernel->parameters[i]->pointee_scalar;
        clopt_text_append_char(types, scalar == CLOPT_SCALAR_FLOAT    ? 'f'
                                      : scalar == CLOPT_SCALAR_DOUBLE ? 'd'
                                                                      : '-');
    }
    clopt_source_destroy(source);
    return CLOPT_OK;
}

static long long item(const json_t *variant, const char *name, size_t index)
{
    const json_t *value = json_array_get(json_object_get(variant, name), index);
    return json_is_true(value) ? 1 : json_integer_value(value);
}

static void append_pairs(struct clopt_text *text, const json_t *list, const char *word,
                         const char *first, const char *second)
{
    size_t i;
    const json_t *pair;
    json_array_foreach(list, i, pair) clopt_text_printf(
        text, "%s %lld %lld\n", word, (long long)json_integer_value(json_object_get(pair, first)),
        (long long)json_integer_value(json_object_get(pair, second)));
}

static void append_winner(const struct exported *exported, const json_t *device,
                          const json_t *variant, struct clopt_text *text)
{
    static const char *const sizes[] = {"initial_local", "local_size",    "divided_items",
                                        "merged_items",  "merged_groups", "local_multiple",
                                        "local_only"};
    const json_t *initial = json_array_get(json_object_get(exported->json, "variants"), 0);
    size_t dimensions = (size_t)json_integer_value(json_object_get(exported->json, "dimensions"));
    struct clopt_sha256 hash;
    char source[CLOPT_HASH_SIZE];
    clopt_sha256_init(&hash);
    clopt_sha256_add(&hash, exported->source, strlen(exported->source));
    clopt_sha256_end(&hash, source);
    clopt_text_printf(text, "winner\nkernel %s\ndevice %s\nvariant %s\nsource %s\n",
                      clopt_json_string(exported->json, "kernel"),
                      clopt_json_string(device, "name"), clopt_json_string(variant, "name"),
                      source);
    clopt_text_printf(text, "options %s\nbuild %s\ncode %s/%s\ntypes %s\n",
                      clopt_json_string(initial, "options"), clopt_json_string(variant, "options"),
                      exported->folder, clopt_json_string(variant, "source"), exported->types);
    for (size_t d = 0; d < dimensions; d++) {
        clopt_text_append(text, "size");
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            clopt_text_printf(text, " %lld", item(variant, sizes[i], d));
        clopt_text_append_char(text, '\n');
    }
    clopt_text_printf(text, "needs %d %d\n", json_is_true(json_object_get(variant, "whole_groups")),
                      json_is_true(json_object_get(variant, "distinct_buffers")));
    append_pairs(text, json_object_get(variant, "added_arguments"), "added", "dimension", "merged");
    append_pairs(text, json_object_get(variant, "argument_multiples"), "multiple", "argument",
                 "multiple");
}

/* Adds the winners of a kernel, of each device for which it is not the initial code. */
static enum clopt_status add_kernel(const char *folder, const char *name, struct clopt_text *text,
                                    size_t *count, struct clopt_error *error)
{
    struct clopt_text types = {0};
    struct exported exported = {.folder = folder};
    char *path = clopt_path_join(folder, name);
    json_t *json = path ? json_load_file(path, 0, NULL) : NULL;
    const json_t *variants = json_object_get(json, "variants"),
                 *initial = json_array_get(variants, 0), *device;
    size_t d;
    exported.json = json;
    enum clopt_status status =
        initial
            ? read_source(&exported, clopt_json_string(initial, "source"), &exported.source, error)
            : clopt_fail(error, CLOPT_FAILED, "%s: not what clopt export writes", name);
    if (!status)
        status = find_types(&exported, initial, &types, error);
    exported.types = clopt_text_string(&types);
    json_array_foreach(json_object_get(json, "devices"), d, device)
    {
        json_int_t variant = json_integer_value(json_object_get(device, "variant"));
        if (status || variant <= 0)
            continue;
        append_winner(&exported, device, json_array_get(variants, (size_t)variant), text);
        ++*count;
    }
    json_decref(json);
    free(exported.source);
    free(path);
    clopt_text_fini(&types);
    return status;
}

static int is_json(const struct dirent *entry)
{
    const char *ending = strrchr(entry->d_name, '.');
    return ending && strcmp(ending, ".json") == 0;
}

enum clopt_status clopt_winners_write(const char *folder, size_t *count, struct clopt_error *error)
{
    struct clopt_text text = {0};
    struct dirent **entries = NULL;
    enum clopt_status status = CLOPT_OK;
    int found = scandir(folder, &entries, is_json, alphasort);
    *count = 0;
    for (int i = 0; i < found; i++) {
        if (!status)
            status = add_kernel(folder, entries[i]->d_name, &text, count, error);
        free(entries[i]);
    }
    free(entries);
    char *path = clopt_path_join(folder, "winners");
    if (!status)
        status = path && !text.failed
                     ? clopt_file_write_soon(path, clopt_text_string(&text), text.length, error)
                     : clopt_fail_memory(error);
    free(path);
    clopt_text_fini(&text);
    return status;
}
