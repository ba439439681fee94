/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds programs, or finds them built, with what it cost when the compiler really ran. */
#include "worker/build.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include <jansson.h>

#include "base/clock.h"
#include "base/json.h"
#include "base/sha256.h"
#include "base/text.h"
#include "worker/kept.h"

/* Changes whenever what is kept would mean something else. */
static const char build_version[] = "clopt build 1";
static const char launch_version[] = "clopt launch 1";

/* A word that the build options get, and with them all that a driver may keep by itself: what it
 * has under a new word is surely nothing, so that the compiler's time is the compiler's. */
struct salt {
    char word[17];
};

static struct salt make_salt(void)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        number = (uint64_t)clopt_now_ns();
    struct salt salt;
    snprintf(salt.word, sizeof salt.word, "%016" PRIx64, number);
    return salt;
}

/* Hashes all that decides the binary. */
static void make_key(const struct clopt_context *context, const char *source, const char *options,
                     const char *included, char key[CLOPT_HASH_SIZE])
{
    const struct clopt_device_info *device = &context->info;
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, build_version);
    clopt_sha256_add_string(&hash, device->platform);
    clopt_sha256_add_string(&hash, device->platform_version);
    clopt_sha256_add_string(&hash, device->name);
    clopt_sha256_add_string(&hash, device->vendor);
    clopt_sha256_add_string(&hash, device->opencl_version);
    clopt_sha256_add_string(&hash, device->driver_version);
    clopt_traits_hash_environment(&hash);
    clopt_sha256_add_string(&hash, source);
    clopt_sha256_add_string(&hash, options);
    clopt_sha256_add_string(&hash, included);
    clopt_sha256_end(&hash, key);
}

/* Compiles, and says how long that took. */
static enum clopt_status compile(const struct clopt_context *context, const char *source,
                                 const char *options, const struct salt *salt, int64_t *build_ns,
                                 char **log, cl_program *program, struct clopt_error *error)
{
    struct clopt_text salted = {0};
    clopt_text_printf(&salted, "%s -D CLOPT_BUILD=0x%s", options, salt->word);
    if (salted.failed) {
        clopt_text_fini(&salted);
        return clopt_fail_memory(error);
    }
    int64_t began = clopt_now_ns();
    enum clopt_status status =
        clopt_program_build(context, source, salted.data, program, log, error);
    *build_ns = clopt_now_ns() - began;
    clopt_text_fini(&salted);
    return status;
}

/* Writes what a later process needs: a line of JSON, then the binary, if the driver does not keep
 * that itself. Some drivers compile more than was asked for when they hand out a binary. */
static void keep(const struct clopt_context *context, const struct clopt_build *build,
                 const struct salt *salt, cl_program program)
{
    unsigned char *binary = NULL;
    size_t bytes = 0;
    struct clopt_error none; /* where the driver has no binary to give, it compiles once more */
    if (!context->traits->caches_builds && clopt_program_binary(program, &binary, &bytes, &none))
        return;
    json_t *object = json_pack("{s:s,s:I,s:o}", "salt", salt->word, "build_ns",
                               (json_int_t)build->build_ns, "log", clopt_json_text(build->log));
    char *head = object ? json_dumps(object, JSON_COMPACT) : NULL;
    struct clopt_text data = {0};
    clopt_text_printf(&data, "%s\n", head ? head : "");
    clopt_text_append_bytes(&data, (const char *)binary, bytes);
    if (head && !data.failed)
        clopt_kept_write(context->builds, build->key, data.data, data.length);
    clopt_text_fini(&data);
    free(head);
    json_decref(object);
    free(binary);
}

/* Reads the line of JSON; the binary follows at `binary`. */
static bool read_head(char *data, size_t bytes, struct clopt_build *build, struct salt *salt,
                      const char **binary)
{
    const char *end = memchr(data, '\n', bytes);
    json_t *object = end ? json_loadb(data, (size_t)(end - data), 0, NULL) : NULL;
    const char *word = json_string_value(json_object_get(object, "salt"));
    const json_t *build_ns = json_object_get(object, "build_ns");
    const char *log = json_string_value(json_object_get(object, "log"));
    bool good = word && strlen(word) < sizeof salt->word && json_is_integer(build_ns);
    if (good) {
        snprintf(salt->word, sizeof salt->word, "%s", word);
        build->build_ns = json_integer_value(build_ns);
        build->log = log ? strdup(log) : NULL;
        *binary = end + 1;
    }
    json_decref(object);
    return good;
}

/* Makes the program of what was kept; false where there is nothing, or the driver refuses it. */
static bool load(const struct clopt_context *context, const char *source, const char *options,
                 struct clopt_build *build, cl_program *program)
{
    char *data = NULL, *log = NULL;
    size_t bytes = 0;
    struct clopt_error refusal; /* it is compiled once more then */
    struct salt salt;
    const char *binary = NULL;
    int64_t build_ns;
    build->kept = clopt_kept_read(context->builds, build->key, &data, &bytes) &&
                  read_head(data, bytes, build, &salt, &binary);
    if (build->kept && context->traits->caches_builds)
        build->kept = compile(context, source, options, &salt, &build_ns, &log, program,
                              &refusal) == CLOPT_OK;
    else if (build->kept)
        build->kept = clopt_program_load(context, binary, bytes - (size_t)(binary - data), options,
                                         program, &refusal) == CLOPT_OK;
    free(log);
    free(data);
    if (!build->kept) {
        free(build->log);
        build->log = NULL;
    }
    return build->kept;
}

enum clopt_status clopt_build_program(const struct clopt_context *context, const char *source,
                                      const char *options, const char *included,
                                      struct clopt_build *build, cl_program *program,
                                      struct clopt_error *error)
{
    *build = (struct clopt_build){0};
    if (!context->builds) {
        int64_t began = clopt_now_ns();
        enum clopt_status status =
            clopt_program_build(context, source, options, program, &build->log, error);
        build->build_ns = clopt_now_ns() - began;
        return status;
    }
    make_key(context, source, options, included, build->key);
    if (load(context, source, options, build, program))
        return CLOPT_OK;
    struct salt salt = make_salt();
    enum clopt_status status =
        compile(context, source, options, &salt, &build->build_ns, &build->log, program, error);
    if (!status)
        keep(context, build, &salt, *program);
    return status;
}

void clopt_build_fini(struct clopt_build *build)
{
    free(build->log);
    *build = (struct clopt_build){0};
}

enum clopt_status clopt_build_own(const struct clopt_context *context, const char *name,
                                  const char *source, cl_program *program,
                                  struct clopt_error *error)
{
    struct clopt_build build;
    if (*program)
        return CLOPT_OK;
    enum clopt_status status =
        clopt_build_program(context, source, "", NULL, &build, program, error);
    clopt_build_fini(&build);
    return status ? clopt_fail_within(error, "clopt's own %s kernel", name) : CLOPT_OK;
}

static void make_launch_key(const struct clopt_build *build, const char *launch,
                            char key[CLOPT_HASH_SIZE])
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, launch_version);
    clopt_sha256_add_string(&hash, build->key);
    clopt_sha256_add_string(&hash, launch);
    clopt_sha256_end(&hash, key);
}

void clopt_build_find_launch(const struct clopt_context *context, const char *launch,
                             struct clopt_build *build)
{
    if (!build->kept)
        return;
    char key[CLOPT_HASH_SIZE];
    char *data = NULL;
    size_t bytes = 0;
    make_launch_key(build, launch, key);
    build->launched = clopt_kept_read(context->builds, key, &data, &bytes) &&
                      sscanf(data, "%" SCNd64, &build->deferred_ns) == 1;
    free(data);
}

bool clopt_build_recall(const struct clopt_context *context, const char *source,
                        const char *options, const char *included, const char *launch,
                        struct clopt_build *build)
{
    char *data = NULL;
    size_t bytes = 0;
    struct salt salt;
    const char *binary;
    *build = (struct clopt_build){0};
    if (!context->builds)
        return false;
    make_key(context, source, options, included, build->key);
    build->kept = clopt_kept_read(context->builds, build->key, &data, &bytes) &&
                  read_head(data, bytes, build, &salt, &binary);
    free(data);
    clopt_build_find_launch(context, launch, build);
    return build->launched;
}

void clopt_build_note_launch(const struct clopt_context *context, const char *launch,
                             struct clopt_build *build, int64_t deferred_ns)
{
    if (!build->launched) /* another variant, or process, may have been the first meanwhile */
        clopt_build_find_launch(context, launch, build);
    if (build->launched)
        return;
    build->launched = true;
    build->deferred_ns = deferred_ns;
    if (!context->builds)
        return;
    char key[CLOPT_HASH_SIZE], text[32];
    make_launch_key(build, launch, key);
    snprintf(text, sizeof text, "%" PRId64 "\n", deferred_ns);
    clopt_kept_write(context->builds, key, text, strlen(text));
}
