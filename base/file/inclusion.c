/* SPDX-License-Identifier: BSD-3-Clause */
/* Follows #include through the files of a source, before a compiler does. */
#include "file/inclusion.h"

#include <sys/stat.h>

#include "file/file.h"

char *clopt_included_name(const char *line)
{
    static const char *const spellings[] = {"#", "%:", "?\?="};
    size_t length = 0;
    line += strspn(line, " \t");
    for (size_t i = 0; i < 3 && !length; i++)
        length = strncmp(line, spellings[i], i + 1) == 0 ? i + 1 : 0;
    line += length + strspn(line + length, " \t");
    if (!length || strncmp(line, "include", 7) != 0)
        return NULL;
    line += 7 + strspn(line + 7, " \t");
    if (*line != '"' && *line != '<')
        return NULL;
    return clopt_strndup(line + 1, strcspn(line + 1, "\"><\n"));
}

/* The files that a source includes. */
struct inclusions {
    const char *top; /* the source */
    const struct clopt_build_options *options;
    struct clopt_sha256 *hash; /* NULL: none */
    struct clopt_text *files;  /* the same */
    struct clopt_text seen;    /* the identity of each file that has been read */
    bool any;
    struct clopt_error *error;
};

static enum clopt_status add_includes(struct inclusions *inclusions, const char *path,
                                      const char *text);

/* Finds an included file, no folder: beside the file that includes it, beside the source, or in a
 * folder of the build options. Returns its path; NULL where it is in none of them: that is the
 * compiler's affair. */
static char *find_include(const struct inclusions *inclusions, const char *path, const char *name,
                          struct stat *about)
{
    const struct clopt_build_options *options = inclusions->options;
    for (size_t i = 0; i < options->count + 2; i++) {
        const char *folder = i < 2 ? NULL : clopt_option_value(options->words[i - 2], "-I");
        char *found = i == 0   ? clopt_path_beside(path, name)
                      : i == 1 ? clopt_path_beside(inclusions->top, name)
                      : folder ? clopt_path_join(folder, name)
                               : NULL;
        if (found && stat(found, about) == 0 && !S_ISDIR(about->st_mode))
            return found;
        free(found);
    }
    return NULL;
}

/* Takes note of a file; false where it has been read before: guards end such circles. */
static bool is_new(struct inclusions *inclusions, const struct stat *about)
{
    char identity[64];
    snprintf(identity, sizeof identity, " %ju:%ju ", (uintmax_t)about->st_dev,
             (uintmax_t)about->st_ino);
    if (strstr(clopt_text_string(&inclusions->seen), identity))
        return false;
    clopt_text_append(&inclusions->seen, identity);
    return true;
}

static enum clopt_status add_include(struct inclusions *inclusions, const char *path,
                                     const char *name)
{
    struct stat about;
    CLOPT_FREED char *text = NULL;
    enum clopt_status status = CLOPT_OK;
    CLOPT_FREED char *found = find_include(inclusions, path, name, &about);
    bool read = found && is_new(inclusions, &about);
    if (read) /* what cannot be read has no end, perhaps: the compiler must not see it */
        status = clopt_text_read(found, &text, inclusions->error);
    if (status)
        clopt_fail_within(inclusions->error, "%s: #include \"%s\"", path, name);
    inclusions->any = true;
    if (inclusions->files && read && !status)
        clopt_text_append_bytes(inclusions->files, found, strlen(found) + 1);
    if (inclusions->hash) {
        clopt_sha256_add_string(inclusions->hash, name);
        clopt_sha256_add_string(inclusions->hash, text);
    }
    if (!status && read)
        status = add_includes(inclusions, found, text);
    return status;
}

/* Adds to the hash what a text includes. */
static enum clopt_status add_includes(struct inclusions *inclusions, const char *path,
                                      const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        CLOPT_FREED char *name = clopt_included_name(line);
        if (name)
            CLOPT_TRY(add_include(inclusions, path, name));
    }
    return CLOPT_OK;
}

enum clopt_status clopt_inclusions_add(const char *path, const char *text,
                                       const struct clopt_build_options *options,
                                       struct clopt_sha256 *hash, struct clopt_text *files,
                                       bool *any, struct clopt_error *error)
{
    struct inclusions inclusions = {
        .top = path, .options = options, .hash = hash, .files = files, .error = error};
    enum clopt_status status = add_includes(&inclusions, path, text);
    clopt_text_fini(&inclusions.seen);
    *any = inclusions.any;
    return status;
}

/* ---- what is not followed ---- */

/* Returns what comes after the sign of a directive, which a comment may precede; NULL: none is in
 * the line. */
static const char *find_directive(const char *line)
{
    static const char *const signs[] = {"#", "%:", "?\?="};
    for (size_t i = 0; i < 3; i++) {
        const char *sign = strstr(line, signs[i]);
        if (sign)
            return sign + i + 1 + strspn(sign + i + 1, " \t");
    }
    return NULL;
}

/* Whether a line names the time of a build, or may include what is not found, or in a way that
 * clopt_included_name() does not know: by a macro, by another directive, over several lines. Where
 * a comment says so, it counts, too. */
static bool is_open(const struct inclusions *inclusions, const char *path, const char *line)
{
    struct stat about;
    CLOPT_FREED char *text = clopt_strndup(line, strcspn(line, "\n"));
    CLOPT_FREED char *name = clopt_included_name(text);
    CLOPT_FREED char *found = name ? find_include(inclusions, path, name, &about) : NULL;
    const char *directive = find_directive(text);
    if (strstr(text, "__TIME") || strstr(text, "__DATE__"))
        return true;
    if (found || !directive)
        return false;
    const char *end = directive + strspn(directive, "abcdefghijklmnopqrstuvwxyz_");
    return strstr(directive, "include") || strstr(directive, "import") ||
           strstr(directive, "embed") || *end == '\\' || *directive == '/';
}

/* Whether a line of a text is open. */
static bool has_open(const struct inclusions *inclusions, const char *path, const char *text)
{
    bool open = false;
    for (const char *line = text; line && !open; line = strchr(line, '\n')) {
        line += *line == '\n';
        open = is_open(inclusions, path, line);
    }
    return open;
}

bool clopt_inclusions_decide(const char *source, const struct clopt_build_options *options)
{
    const struct inclusions inclusions = {.top = "", .options = options};
    CLOPT_OWNED(clopt_text) files = {0};
    bool any = false, open = has_open(&inclusions, "", source) ||
                             clopt_inclusions_add("", source, options, NULL, &files, &any, NULL);
    for (size_t at = 0; at < files.length && !open; at += strlen(files.data + at) + 1) {
        CLOPT_FREED char *text = NULL;
        open = clopt_text_read(files.data + at, &text, NULL) ||
               has_open(&inclusions, files.data + at, text);
    }
    return !open;
}
