/* SPDX-License-Identifier: BSD-3-Clause */
/* Compiles a rival, or finds it compiled. */
#include <errno.h>
#include <sys/stat.h>

#include "file/cache.h"
#include "file/file.h"
#include "process/clock.h"
#include "process/program.h"
#include "rivals/native.h"

/* Changes whenever what is cached would mean something else. */
static const char rival_version[] = "clopt rival 1";

#define MOST_PROGRAM_BYTES ((uint64_t)1 << 30)

/* Writes the line that compiles the sources to a program. */
static enum clopt_status make_line(const struct clopt_session *session, const char *program,
                                   struct clopt_text *line)
{
    const json_t *rival = session->trial.rival;
    const json_t *libraries = json_object_get(rival, "libraries");
    const char *kernel_path = session->workspace->kernel_path;
    struct clopt_error *error = session->error;
    CLOPT_TRY(clopt_native_append_compiler(rival, kernel_path, line, error));
    for (size_t i = 0; i < json_array_size(json_object_get(rival, "sources")); i++) {
        CLOPT_FREED char *path = NULL;
        CLOPT_TRY(clopt_native_source(rival, i, kernel_path, &path, error));
        const char *end = strrchr(path, '.');
        if (!end || strcmp(end, ".h") != 0) {
            clopt_text_append(line, " ");
            clopt_text_append_word(line, path);
        }
    }
    clopt_text_append(line, " -o ");
    clopt_text_append_word(line, program);
    for (size_t i = 0; i < json_array_size(libraries); i++)
        clopt_text_printf(line, " -l%s", json_string_value(json_array_get(libraries, i)));
    clopt_text_append(line, " -lm");
    return CLOPT_OK;
}

/* Names what is built: the sources, and the macros that the compiler defines by itself, which tell
 * its version and the machine that it compiles for. */
static enum clopt_status make_key(const struct clopt_session *session, char key[CLOPT_HASH_SIZE])
{
    const json_t *rival = session->trial.rival;
    CLOPT_OWNED(clopt_text) macros = {0};
    struct clopt_error none;
    struct clopt_sha256 hash;
    clopt_native_macros(rival, &macros, &none);
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, rival_version);
    clopt_sha256_add_string(&hash, clopt_text_string(&macros));
    enum clopt_status status =
        clopt_native_hash(rival, session->workspace->kernel_path, NULL, &hash, session->error);
    clopt_sha256_end(&hash, key);
    return status;
}

/* Writes the program that is cached: what its build took, then the file. */
static bool recall(struct clopt_build *build, const char *folder, const char *program)
{
    size_t bytes = 0;
    struct clopt_error none;
    const char *data = folder ? clopt_cache_find(folder, build->key, &bytes) : NULL;
    build->cached = data && bytes > sizeof build->build_ns;
    if (build->cached) {
        memcpy(&build->build_ns, data, sizeof build->build_ns);
        build->cached = clopt_file_write_soon(program, data + sizeof build->build_ns,
                                              bytes - sizeof build->build_ns, &none) == CLOPT_OK;
    }
    clopt_cache_release(data, bytes);
    return build->cached && chmod(program, 0700) == 0;
}

static void keep(const struct clopt_build *build, const char *folder, const char *program)
{
    CLOPT_FREED char *file = NULL;
    size_t size = 0;
    struct clopt_error none;
    CLOPT_OWNED(clopt_text) data = {0};
    if (!folder || clopt_file_read(program, MOST_PROGRAM_BYTES, &file, &size, &none))
        return;
    clopt_text_append_bytes(&data, (const char *)&build->build_ns, sizeof build->build_ns);
    clopt_text_append_bytes(&data, file, size);
    clopt_cache_put(folder, build->key, data.data, data.length);
}

/* Compiles it. */
static enum clopt_status compile(struct clopt_session *session, const char *program)
{
    CLOPT_OWNED(clopt_text) line = {0}, output = {0};
    struct clopt_error *error = session->error;
    const json_t *rival = session->trial.rival;
    const char *package = clopt_rival_text(rival, "package");
    enum clopt_status status = make_line(session, program, &line);
    int64_t began = clopt_now_ns();
    if (!status && clopt_shell_run(clopt_text_string(&line), clopt_rival_text(rival, "compiler"),
                                   &output, error))
        status = clopt_fail(error, CLOPT_BUILD_FAILED, "%s%s%s", error->message,
                            *package ? "; is it installed? Debian: apt-get install " : "", package);
    session->build.build_ns = clopt_now_ns() - began;
    return status;
}

/* Makes the program at a path. */
static enum clopt_status make_program(struct clopt_session *session, const char *program)
{
    const char *builds = session->workspace->context.builds;
    enum clopt_status status = make_key(session, session->build.key);
    if (status || recall(&session->build, builds, program))
        return status;
    status = compile(session, program);
    if (!status)
        keep(&session->build, builds, program);
    return status;
}

enum clopt_status clopt_native_build(struct clopt_session *session)
{
    const char *given = clopt_rival_text(session->trial.rival, "command");
    const char *temporary = getenv("TMPDIR");
    struct clopt_text command = {0};
    struct clopt_native *rival = session->rival_state = clopt_calloc(1, sizeof *rival);
    char *folder = rival->folder = clopt_path_join(temporary ? temporary : "/tmp", "rival-XXXXXX");
    if (!mkdtemp(folder))
        return clopt_fail(session->error, CLOPT_FAILED, "%s: %s", folder, strerror(errno));
    CLOPT_FREED char *program = clopt_path_join(folder, "program");
    if (*given)
        clopt_text_append(&command, given);
    else
        clopt_text_append_word(&command, program);
    rival->command = clopt_text_take(&command);
    return *given ? CLOPT_OK : make_program(session, program);
}
