/* SPDX-License-Identifier: BSD-3-Clause */
/* Binaries that applications keep: of what the layer has seen built, it remembers the source and
 * the options, so that a later process that loads the binary has a program of that source. */
#include "file/cache.h"
#include "layer/program.h"
#include "library/winner.h"
#include "text/text.h"

#define MOST_BYTES ((uint64_t)64 << 20) /* of all that is remembered */

/* Change whenever what is kept would mean something else. */
static const char version[] = "clopt origin 1";

static void make_key(const void *binary, size_t bytes, char key[CLOPT_HASH_SIZE])
{
    const uint64_t sum[2] = {clopt_cache_checksum(binary, bytes), bytes};
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, version);
    clopt_sha256_add(&hash, sum, sizeof sum);
    clopt_sha256_end(&hash, key);
}

/* ---- what is remembered: hash, options and source of a program, each ended by a NUL ---- */

/* Writes down what a program was built from; false: that is not known. */
static bool write_origin(cl_program handle, struct clopt_text *text)
{
    clopt_layer_lock();
    const struct clopt_program *program = clopt_object_find(CLOPT_PROGRAM, handle);
    bool known = program && program->source && program->options && program->source_hash[0];
    for (unsigned i = 0; known && i < 3; i++) {
        const char *part = i == 0   ? program->source_hash
                           : i == 1 ? program->options
                                    : program->source;
        clopt_text_append_bytes(text, part, strlen(part) + 1);
    }
    clopt_layer_unlock();
    return known;
}

/* Makes a program of what is remembered; NULL: a file that the source includes is another one now,
 * or memory has run out. */
static struct clopt_program *read_origin(const char *data, size_t bytes)
{
    char hash[CLOPT_HASH_SIZE] = "";
    const char *options = data + strnlen(data, bytes) + 1, *end = data + bytes;
    const char *source =
        options < end ? options + strnlen(options, (size_t)(end - options)) + 1 : end;
    if (source >= end || end[-1])
        return NULL;
    if (!clopt_wisdom_hash(source, options, hash) || strcmp(hash, data) != 0)
        return NULL;
    struct clopt_program *program = clopt_program_create(CLOPT_PROGRAM_SOURCE);
    char *text = strdup(source), *built_by = strdup(options);
    if (!program || !text || !built_by) {
        free(program);
        free(text);
        free(built_by);
        return NULL;
    }
    program->source = text;
    program->built_by = built_by;
    memcpy(program->source_hash, hash, sizeof program->source_hash);
    clopt_program_add(program->content, source, strlen(source));
    return program;
}

struct clopt_program *clopt_binary_find(const void *binary, size_t bytes)
{
    char key[CLOPT_HASH_SIZE];
    size_t found = 0;
    CLOPT_FREED char *folder = clopt_cache_folder("binaries");
    if (!folder)
        return NULL;
    make_key(binary, bytes, key);
    const void *data = clopt_cache_find(folder, key, &found);
    struct clopt_program *program = data ? read_origin(data, found) : NULL;
    clopt_cache_release(data, found);
    return program;
}

static void remember(const char *folder, const struct clopt_text *origin, const void *binary,
                     size_t bytes)
{
    char key[CLOPT_HASH_SIZE];
    size_t found = origin->length;
    make_key(binary, bytes, key);
    const void *data = clopt_cache_find(folder, key, &found);
    bool there = data && memcmp(data, origin->data, found) == 0;
    clopt_cache_release(data, found);
    if (there)
        return;
    clopt_cache_put(folder, key, origin->data, origin->length);
    clopt_cache_prune(folder, MOST_BYTES);
}

/* ---- the application asks for binaries ---- */

static CL_API_ENTRY cl_int CL_API_CALL get_program_info(cl_program handle, cl_program_info name,
                                                        size_t size, void *value, size_t *needed)
{
    enum { MOST_DEVICES = 64 };
    size_t sizes[MOST_DEVICES], given = 0;
    CLOPT_OWNED(clopt_text) origin = {0};
    cl_int result = clopt_proxy_info(handle, name, size, value, needed);
    if (name != CL_PROGRAM_BINARIES || result != CL_SUCCESS || !value)
        return result;
    CLOPT_FREED char *folder = clopt_cache_folder("binaries");
    if (folder && write_origin(handle, &origin) &&
        clopt_proxy_info(handle, CL_PROGRAM_BINARY_SIZES, sizeof sizes, sizes, &given) ==
            CL_SUCCESS)
        for (size_t i = 0; i < given / sizeof *sizes && i < size / sizeof(void *); i++) {
            const void *binary;
            memcpy(&binary, (char *)value + i * sizeof binary, sizeof binary);
            if (binary && sizes[i])
                remember(folder, &origin, binary, sizes[i]);
        }
    return result;
}

void clopt_binaries_install(cl_icd_dispatch *dispatch)
{
    dispatch->clGetProgramInfo = get_program_info;
}
