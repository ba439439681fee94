/* SPDX-License-Identifier: BSD-3-Clause */
/* The sources of a native program: its compiler's macros, what is missing, and its lines. */
#include "file/file.h"
#include "process/program.h"
#include "rivals/native.h"
#include "trial/variant.h"

/* Below those of kernels, the folder that holds rival.h, and the programs that ship. */
#define FOLDER "rivals"

enum clopt_status clopt_native_macros(const json_t *rival, struct clopt_text *macros,
                                      struct clopt_error *error)
{
    const char *compiler = clopt_rival_text(rival, "compiler");
    CLOPT_FREED char *line = clopt_text_format("%s %s -E -dM -x c /dev/null", compiler,
                                               clopt_rival_text(rival, "cflags"));
    return clopt_shell_run(line, compiler, macros, error);
}

/* Whether all sources are C: flags for other languages are left to their compiler. */
static bool is_c(const json_t *rival)
{
    const json_t *sources = json_object_get(rival, "sources");
    bool c = true;
    for (size_t i = 0; i < json_array_size(sources); i++) {
        const char *end = strrchr(json_string_value(json_array_get(sources, i)), '.');
        c &= end && (strncmp(end, ".c>", 3) == 0 || !strcmp(end, ".c") || !strncmp(end, ".h", 2));
    }
    return c;
}

/* Checks that the shell knows the program that a line begins with, unless that takes the shell. */
static enum clopt_status check_program(const json_t *rival, const char *key,
                                       struct clopt_error *error)
{
    const char *text = clopt_rival_text(rival, key);
    size_t length = strcspn(text, " \t");
    CLOPT_OWNED(clopt_text) line = {0}, none = {0};
    enum clopt_status status = CLOPT_OK;
    clopt_text_append(&line, "cd ");
    clopt_text_append_word(&line, strcmp(key, "command") ? "." : clopt_rival_text(rival, "folder"));
    clopt_text_printf(&line, " && command -v %.*s", (int)length, text);
    if (strcspn(text, "=$`'\"\\;&|<>()~*?[#") >= length &&
        clopt_shell_run(clopt_text_string(&line), "", &none, error))
        status = clopt_fail(error, CLOPT_INVALID,
                            "%s = %s: program %.*s not found; install it, "
                            "or name another one",
                            key, text, (int)length, text);
    return status;
}

static enum clopt_status check_sources(const json_t *rival, const char *kernel_path,
                                       struct clopt_error *error)
{
    for (size_t i = 0; i < json_array_size(json_object_get(rival, "sources")); i++) {
        CLOPT_FREED char *path = NULL;
        if (clopt_native_source(rival, i, kernel_path, &path, error) ||
            clopt_file_check(path, error))
            return clopt_fail_within(error, "sources");
    }
    return CLOPT_OK;
}

enum clopt_status clopt_native_check(const json_t *rival, const char *kernel_path,
                                     struct clopt_error *error)
{
    bool command = *clopt_rival_text(rival, "command");
    CLOPT_OWNED(clopt_text) macros = {0};
    struct clopt_error cause;
    CLOPT_TRY(check_sources(rival, kernel_path, error));
    CLOPT_TRY(check_program(rival, command ? "command" : "compiler", error));
    if (!command && is_c(rival) && clopt_native_macros(rival, &macros, &cause))
        return clopt_fail(error, CLOPT_INVALID, "%s; correct compiler = %s and cflags = %s",
                          cause.message, clopt_rival_text(rival, "compiler"),
                          clopt_rival_text(rival, "cflags"));
    return CLOPT_OK;
}

/* ---- its lines ---- */

enum clopt_status clopt_native_append_compiler(const json_t *rival, const char *kernel_path,
                                               struct clopt_text *line, struct clopt_error *error)
{
    char *path = NULL, *slash;
    enum clopt_status status = clopt_source_find(FOLDER "/rival.h", kernel_path, &path, error);
    if (!status && (slash = strrchr(path, '/')))
        *slash = '\0';
    clopt_text_printf(line, "%s %s -I ", clopt_rival_text(rival, "compiler"),
                      clopt_rival_text(rival, "cflags"));
    clopt_text_append_word(line, path ? path : "");
    free(path);
    return status;
}

/* Reads a line that says where the next one is from, # 12 "path" 1: `at` becomes its number, or 0
 * where that is another file than `path`. */
static bool read_marker(const char *line, const char *path, size_t *at)
{
    const char *quote = strchr(line, '"');
    size_t length = strlen(path);
    if (line[0] != '#' || line[1] != ' ' || !quote)
        return false;
    bool own = strncmp(quote + 1, path, length) == 0 && quote[1 + length] == '"';
    *at = own ? strtoul(line + 2, NULL, 10) : 0;
    return true;
}

/* Marks the lines of a file of which the preprocessor has printed something. */
static void mark_compiled(const char *output, const char *path, bool openmp, bool *compiled,
                          size_t count)
{
    static const char openmp_pragma[] = "#pragma omp";
    size_t at = 0;
    for (; *output; output += strcspn(output, "\n"), output += *output == '\n') {
        if (read_marker(output, path, &at))
            continue;
        const char *start = output + strspn(output, " \t");
        bool left_out = !openmp && strncmp(start, openmp_pragma, strlen(openmp_pragma)) == 0;
        if (at && at <= count && *start != '\n' && *start && !left_out)
            compiled[at] = true;
        at += at > 0;
    }
}

/* Lines while they are collected. */
struct collecting {
    const json_t *rival;
    const char *kernel_path;
    bool openmp; /* the compiler understands it */
    struct clopt_text lines;
};

/* Appends those lines of a file, which are cut out of `text`. */
static void append_own(struct collecting *collecting, char *text, const char *output,
                       const char *path)
{
    struct clopt_text *lines = &collecting->lines;
    size_t count = 1, at = 1;
    for (const char *c = text; *c; c++)
        count += *c == '\n';
    CLOPT_FREED bool *compiled = clopt_calloc(count + 1, sizeof *compiled);
    mark_compiled(output, path, collecting->openmp, compiled, count);
    for (char *next, *line = text; line; line = next, at++) {
        if ((next = strchr(line, '\n')))
            *next++ = '\0';
        for (char *c = line; *c; c++) /* a store has UTF-8 */
            *c = (unsigned char)*c < 128 ? *c : '?';
        if (compiled[at])
            clopt_text_printf(lines, "%s%s", lines->length ? "\n" : "", clopt_text_trim(line));
    }
}

static enum clopt_status append_source(struct collecting *collecting, size_t index,
                                       struct clopt_error *error)
{
    const json_t *rival = collecting->rival;
    const char *kernel_path = collecting->kernel_path;
    CLOPT_FREED char *path = NULL, *text = NULL;
    CLOPT_OWNED(clopt_text) command = {0}, output = {0};
    struct clopt_error none;
    CLOPT_TRY(clopt_native_source(rival, index, kernel_path, &path, error));
    CLOPT_TRY(clopt_native_append_compiler(rival, kernel_path, &command, error));
    const char *end = strrchr(path, '.');
    clopt_text_append(&command, " -E ");
    clopt_text_append_word(&command, path);
    if (!(end && strcmp(end, ".h") == 0) &&
        !clopt_shell_run(clopt_text_string(&command), "", &output, &none) &&
        !clopt_text_read(path, &text, &none))
        append_own(collecting, text, clopt_text_string(&output), path);
    return CLOPT_OK;
}

enum clopt_status clopt_native_lines(const json_t *rival, const char *kernel_path, char **lines,
                                     struct clopt_error *error)
{
    struct collecting collecting = {rival, kernel_path, false, {0}};
    CLOPT_OWNED(clopt_text) macros = {0};
    struct clopt_error none;
    bool compiled = !*clopt_rival_text(rival, "command");
    size_t count = compiled ? json_array_size(json_object_get(rival, "sources")) : 0;
    enum clopt_status status = CLOPT_OK;
    if (count)
        clopt_native_macros(rival, &macros, &none);
    collecting.openmp = strstr(clopt_text_string(&macros), "#define _OPENMP ") != NULL;
    for (size_t i = 0; i < count && !status; i++)
        status = append_source(&collecting, i, error);
    *lines = clopt_text_take(&collecting.lines);
    return status;
}
