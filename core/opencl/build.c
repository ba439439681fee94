/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds programs, or finds them built, with what it cost when the compiler really ran. */
#include "opencl/build.h"

#include <sys/random.h>

#include "file/cache.h"
#include "process/clock.h"
#include "text/json.h"
#include "text/text.h"

/* Changes whenever what is cached would mean something else. */
static const char build_version[] = "clopt build 3";

/* What is cached of a build: a line of JSON, then the binary, unless the driver caches that. */
struct entry {
    /* A word that the build options get, and with them all that a driver may cache by itself: what
     * it has under a new word is surely nothing, so that the compiler's time is the compiler's. */
    char salt[17];
    const char *binary;
    size_t binary_bytes;
    const void *data; /* all of it */
    size_t bytes;
};

void clopt_build_init(struct clopt_build *build)
{
    const struct clopt_device_info *device = &build->context->info;
    const char *const parts[] = {
        build_version,  device->platform,       device->platform_version, device->name,
        device->vendor, device->opencl_version, device->driver_version,   build->source,
        build->options, build->included,
    };
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        clopt_sha256_add_string(&hash, parts[i]);
    clopt_traits_hash_environment(&hash);
    clopt_sha256_end(&hash, build->key);
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, build->key);
    clopt_sha256_add_string(&hash, build->launch);
    clopt_sha256_end(&hash, build->launch_key);
    build->included = build->launch = NULL;
}

void clopt_build_fini(struct clopt_build *build)
{
    free(build->log);
    *build = (struct clopt_build){0};
}

/* Makes the program of a source or a binary, and says how long that took. The options are those of
 * the build: NVIDIA's driver, which finds in its own cache what it made of a binary, does so only
 * where they are the same. */
static enum clopt_status make(struct clopt_build *build, const struct entry *entry, bool compiles,
                              cl_program *program, struct clopt_error *error)
{
    const struct clopt_traits *traits = build->context->traits;
    struct clopt_program_code code = {.source = compiles ? build->source : NULL,
                                      .binary = (const unsigned char *)entry->binary,
                                      .bytes = entry->binary_bytes};
    CLOPT_OWNED(clopt_text) options = {0};
    clopt_text_append(&options, build->options);
    if (traits->verbose)
        clopt_text_printf(&options, " %s", traits->verbose);
    if (compiles && *entry->salt)
        clopt_text_printf(&options, " -D CLOPT_BUILD=0x%s", entry->salt);
    code.options = clopt_text_string(&options);
    int64_t began = clopt_now_ns();
    enum clopt_status status = clopt_program_make(build->context, &code, program, error);
    build->build_ns = clopt_now_ns() - began;
    build->log = code.log;
    return status;
}

/* Caches what a later process needs. Some drivers compile more than was asked for when they hand
 * out a binary; where one has none to give, it compiles once more. */
static void put_entry(const struct clopt_build *build, const struct entry *entry,
                      cl_program program)
{
    const struct clopt_context *context = build->context;
    CLOPT_FREED unsigned char *binary = NULL;
    size_t bytes = 0;
    struct clopt_error none;
    if (!context->traits->cache_variable && clopt_program_binary(program, &binary, &bytes, &none))
        return;
    json_auto_t *object =
        json_pack("{s:s,s:I,s:o}", "salt", entry->salt, "build_ns", (json_int_t)build->build_ns,
                  "log", clopt_json_text(build->log));
    CLOPT_FREED char *head = json_dumps(object, JSON_COMPACT);
    CLOPT_OWNED(clopt_text) data = {0};
    clopt_text_printf(&data, "%s\n", head);
    clopt_text_append_bytes(&data, (const char *)binary, bytes);
    clopt_cache_put(context->builds, build->key, data.data, data.length);
}

/* Finds what is cached. `build` gets its time and log, and whether it was launched. */
static bool find_entry(struct clopt_build *build, struct entry *entry)
{
    const char *builds = build->context->builds;
    *entry = (struct entry){.data = NULL};
    entry->data = builds ? clopt_cache_find(builds, build->key, &entry->bytes) : NULL;
    const char *end = entry->data ? memchr(entry->data, '\n', entry->bytes) : NULL;
    json_auto_t *object =
        end ? json_loadb(entry->data, (size_t)(end - (const char *)entry->data), 0, NULL) : NULL;
    const char *salt = json_string_value(json_object_get(object, "salt"));
    const char *log = json_string_value(json_object_get(object, "log"));
    bool good = salt && strlen(salt) < sizeof entry->salt;
    free(build->log);
    build->log = NULL;
    if (good) {
        snprintf(entry->salt, sizeof entry->salt, "%s", salt);
        build->build_ns = json_integer_value(json_object_get(object, "build_ns"));
        build->log = log ? clopt_strdup(log) : NULL;
        entry->binary = end + 1;
        entry->binary_bytes = entry->bytes - (size_t)(entry->binary - (const char *)entry->data);
    }
    return good;
}

/* Finds out whether a program that is cached had been launched, too. */
static void find_launch(struct clopt_build *build)
{
    size_t bytes = sizeof build->deferred_ns;
    const void *data =
        build->cached ? clopt_cache_find(build->context->builds, build->launch_key, &bytes) : NULL;
    build->launched = data != NULL;
    if (data)
        memcpy(&build->deferred_ns, data, bytes);
    clopt_cache_release(data, bytes);
}

bool clopt_build_recall(struct clopt_build *build)
{
    struct entry entry;
    build->cached = find_entry(build, &entry);
    clopt_cache_release(entry.data, entry.bytes);
    find_launch(build);
    return build->launched;
}

/* Makes the program of what is cached, whose time and log stay; false where there is nothing, or it
 * is of no use: it is compiled once more then. */
static bool load(struct clopt_build *build, cl_program *program)
{
    struct clopt_error refusal;
    struct entry entry;
    build->cached = find_entry(build, &entry);
    if (build->cached) {
        struct clopt_build known = *build;
        build->cached =
            !make(build, &entry, build->context->traits->cache_variable, program, &refusal);
        free(build->log);
        build->log = known.log;
        build->build_ns = known.build_ns;
    }
    clopt_cache_release(entry.data, entry.bytes);
    return build->cached;
}

enum clopt_status clopt_build_make(struct clopt_build *build, cl_program *program,
                                   struct clopt_error *error)
{
    struct entry entry = {.salt = ""};
    bool loaded = load(build, program);
    find_launch(build);
    if (loaded)
        return CLOPT_OK;
    free(build->log);
    if (build->context->builds) {
        uint64_t number = 0;
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            number = (uint64_t)clopt_now_ns();
        snprintf(entry.salt, sizeof entry.salt, "%016" PRIx64, number);
    }
    CLOPT_TRY(make(build, &entry, true, program, error));
    if (build->context->builds)
        put_entry(build, &entry, *program);
    return CLOPT_OK;
}

void clopt_build_note_launch(struct clopt_build *build, int64_t deferred_ns)
{
    const char *builds = build->context->builds;
    if (!build->launched) /* another variant, or process, may have been the first meanwhile */
        find_launch(build);
    if (build->launched)
        return;
    build->launched = true;
    build->deferred_ns = deferred_ns;
    if (builds)
        clopt_cache_put(builds, build->launch_key, &deferred_ns, sizeof deferred_ns);
}
