/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds recorded spaces and the stores of the user's history. */
#include "commands/advise/experience.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "commands/advise/recording.h"
#include "file/cache.h"
#include "file/file.h"
#include "file/folder.h"

#define ENDING       ".space.json"
#define HISTORY      "stores"
#define COMPOSITIONS "compositions.json"
#define GUIDELINES   "guidelines.json"
#define MOST_HISTORY 200 /* stores that are learnt from, the newest */

/* ---- the history ---- */

static char *history_path(void)
{
    CLOPT_FREED char *folder = clopt_cache_folder(NULL);
    return folder ? clopt_path_join(folder, HISTORY) : NULL;
}

void clopt_experience_note(const char *store)
{
    struct clopt_error error = {0};
    CLOPT_FREED char *folder = clopt_cache_folder(NULL), *path = history_path(),
                     *real = realpath(store, NULL);
    CLOPT_OWNED(clopt_text) line = {0};
    if (path && real && !strchr(real, '\n') && !clopt_folder_create_own(folder, &error)) {
        clopt_text_printf(&line, "%s\n", real);
        /* One write, so that processes that end at once do not mix their lines. */
        int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (file >= 0) {
            if (write(file, line.data, line.length) < 0)
                clopt_fail(&error, CLOPT_FAILED, "%s cannot be written", path);
            close(file);
        }
    }
}

/* Learns from a file; one that nothing can be learnt from is told of, and left out. */
static enum clopt_status try_file(struct clopt_advice *advice, const char *path, FILE *notices,
                                  struct clopt_error *error)
{
    enum clopt_status status = clopt_advice_learn(advice, path, error);
    if (status != CLOPT_INVALID && status != CLOPT_FAILED)
        return status;
    if (notices)
        clopt_text_print(notices, "clopt: not learnt from: %s\n", error->message);
    *error = (struct clopt_error){0};
    return CLOPT_OK;
}

/* Whether a line is there once more further down. */
static bool comes_again(const char *line, size_t length)
{
    const char *rest = line + length;
    while (*rest) {
        rest += *rest == '\n';
        size_t other = strcspn(rest, "\n");
        if (other == length && strncmp(rest, line, length) == 0)
            return true;
        rest += other;
    }
    return false;
}

/* Learns from the stores of the history that are still there, each once; a history that others may
 * have written is not believed. */
static enum clopt_status learn_history(struct clopt_advice *advice, struct clopt_error *error)
{
    CLOPT_FREED char *folder = clopt_cache_folder(NULL), *path = history_path(), *lines = NULL;
    struct clopt_error none = {0};
    size_t left = 0;
    bool own = path && access(path, R_OK) == 0 && !clopt_folder_create_own(folder, &none);
    if (!own || clopt_text_read(path, &lines, error))
        return CLOPT_OK;
    for (const char *at = lines; *at; at++)
        left += *at == '\n';
    for (const char *at = lines; *at; left--) {
        size_t length = strcspn(at, "\n");
        CLOPT_FREED char *store = clopt_strndup(at, length);
        if (left <= MOST_HISTORY && !comes_again(at, length) && access(store, R_OK) == 0)
            CLOPT_TRY(try_file(advice, store, NULL, error)); /* it need not have a profile */
        at += length + (at[length] == '\n');
    }
    return CLOPT_OK;
}

/* ---- recorded spaces ---- */

static int is_space(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name), ending = strlen(ENDING);
    return length > ending && strcmp(entry->d_name + length - ending, ENDING) == 0;
}

enum clopt_status clopt_experience_learn_folder(struct clopt_advice *advice, const char *folder,
                                                bool may_be_empty, FILE *notices,
                                                struct clopt_error *error)
{
    struct dirent **entries = NULL;
    enum clopt_status status = CLOPT_OK;
    int count = scandir(folder, &entries, is_space, alphasort);
    if (count < 0)
        return clopt_fail(error, CLOPT_INVALID, "%s: this folder cannot be read", folder);
    if (count == 0 && !may_be_empty)
        status = clopt_fail(error, CLOPT_INVALID, "%s: this folder has no recorded space, *" ENDING,
                            folder);
    for (int i = 0; i < count; i++) {
        CLOPT_FREED char *path = clopt_path_join(folder, entries[i]->d_name);
        if (!status)
            status = try_file(advice, path, notices, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}

const char *clopt_experience_folders(void)
{
    const char *folders = getenv("CLOPT_SPACE_PATH");
    return folders ? folders : CLOPT_SPACEDIR;
}

/* Returns the next folder of recorded spaces that is there, for the caller to free; NULL: no more.
 */
static char *next_folder(const char **folders)
{
    while (**folders) {
        size_t length = strcspn(*folders, ":");
        char *folder = clopt_strndup(*folders, length);
        *folders += length + ((*folders)[length] == ':');
        if (*folder && access(folder, R_OK | X_OK) == 0)
            return folder;
        free(folder);
    }
    return NULL;
}

enum clopt_status clopt_experience_learn(struct clopt_advice *advice, FILE *notices,
                                         struct clopt_error *error)
{
    const char *folders = clopt_experience_folders();
    for (char *next; (next = next_folder(&folders));) {
        CLOPT_FREED char *folder = next;
        CLOPT_TRY(clopt_experience_learn_folder(advice, folder, true, notices, error));
    }
    return learn_history(advice, error);
}

char *clopt_experience_find(const char *name)
{
    const char *folders = strchr(name, '/') ? "" : clopt_experience_folders();
    for (char *next; (next = next_folder(&folders));) {
        CLOPT_FREED char *folder = next;
        char *path = clopt_text_format("%s/%s%s", folder, name, ENDING);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

/* ---- guidelines, and compositions that are known to pay ---- */

enum clopt_status clopt_experience_guidelines(json_t **document, struct clopt_error *error)
{
    const char *folders = clopt_experience_folders();
    for (char *next; !*document && (next = next_folder(&folders));) {
        CLOPT_FREED char *folder = next;
        CLOPT_FREED char *path = clopt_path_join(folder, GUIDELINES);
        if (access(path, R_OK) == 0)
            CLOPT_TRY(clopt_recording_read_file(path, document, error));
    }
    return CLOPT_OK;
}

/* Adds the variants of a part of a file. */
static enum clopt_status add_part(struct clopt_search_plan *plan, const json_t *part,
                                  struct clopt_error *error)
{
    const char *type = json_string_value(json_object_get(part, "device_type"));
    const json_t *variants = json_object_get(part, "variants"), *variant;
    size_t i;
    if (!type || !json_is_array(variants))
        return clopt_fail(error, CLOPT_INVALID,
                          "a part without \"device_type\" or a list \"variants\"");
    json_array_foreach(variants, i, variant)
    {
        const char *name = json_string_value(variant);
        if (!name)
            return clopt_fail(error, CLOPT_INVALID, "variant %zu of %s is not a string", i + 1,
                              type);
        clopt_search_plan_add(plan, name, strlen(name), type);
    }
    return CLOPT_OK;
}

static enum clopt_status start_from(struct clopt_search_plan *plan, const char *folder,
                                    struct clopt_error *error)
{
    CLOPT_FREED char *path = clopt_path_join(folder, COMPOSITIONS);
    json_auto_t *document = NULL;
    const json_t *part;
    size_t i;
    if (access(path, R_OK) == 0)
        CLOPT_TRY(clopt_recording_read_file(path, &document, error));
    json_array_foreach(json_object_get(document, "compositions"), i, part)
    {
        if (add_part(plan, part, error))
            return clopt_fail_within(error, "%s", path);
    }
    return CLOPT_OK;
}

enum clopt_status clopt_experience_start(struct clopt_search_plan *plan, struct clopt_error *error)
{
    const char *folders = plan->strategy ? clopt_experience_folders() : "";
    for (char *next; (next = next_folder(&folders));) {
        CLOPT_FREED char *folder = next;
        CLOPT_TRY(start_from(plan, folder, error));
    }
    return CLOPT_OK;
}
