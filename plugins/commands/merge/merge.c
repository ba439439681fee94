/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes one store of those that several machines have written about the same study. */
#include "commands/merge/merge.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"
#include "results/objective.h"
#include "store/statement.h"

#define MOST_CONFLICTS 20 /* that are told */

/* What is in braces in merge.sql. */
#define DEVICE_REST                                                                                \
    "platform, name, vendor, type, opencl_version, driver_version, platform_version,"              \
    " compute_units"
#define DEVICE      "label, " DEVICE_REST
#define DEVICE_MORE "clock_mhz, max_work_group_size, local_memory_bytes, global_memory_bytes"
#define RESULT                                                                                     \
    "outcome, abandoned, complete, verified, verify_error, verify_bound, verify_text,"             \
    " fingerprint, stage, reason, signal, build_ns, build_kept, deferred_ns, lines_changed,"       \
    " options, source, log, least_ns"
#define NEWEST "(SELECT max(id) FROM part.run)"
#define SOURCE "(SELECT max(id) FROM temp.source)"
#define SUFFIX "(SELECT suffix FROM temp.source ORDER BY id DESC LIMIT 1)"
#define STEM   "(SELECT stem FROM temp.source ORDER BY id DESC LIMIT 1)"
#define ROWS                                                                                       \
    "(SELECT run_variant.run, variant.* FROM part.run_variant JOIN part.variant ON variant.id ="   \
    " run_variant.variant)"

/* The statements of merge.sql, by their kind. */
enum kind {
    BEGIN,
    APART,
    END,
    CHECKS,
    MATCHES,
    TAKE,
    CONFLICTS,
    GAPS,
    JOIN,
    ORIGINS,
    JOINED,
};

static const struct {
    enum kind kind;
    const char *sql;
} statements[] = {
#define SQL(KIND, TEXT) {KIND, TEXT},
#include "plugins/commands/merge/merge_text.h"
};

/* Returns statement number `index` of a kind; NULL after the last. */
static const char *find_statement(enum kind kind, size_t index)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (statements[i].kind == kind && index-- == 0)
            return statements[i].sql;
    return NULL;
}

struct merge {
    struct clopt_store *store; /* the new one, which has no name yet */
    const char *part;          /* the path of the one of which a copy is attached */
    FILE *notices;
    bool pool;
    bool joins;                     /* stores of any studies, */
    enum clopt_objective objective; /* which measured this */
    size_t conflicts;
};

/* What SQLite says while a part is read is the part's fault, unless writing is what fails. */
static enum clopt_status fail_part(const struct merge *merge, struct clopt_error *error)
{
    int code = sqlite3_errcode(merge->store->database);
    if (code == SQLITE_FULL && merge->part)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: cannot be made: the folder for temporary files (TMPDIR) is full",
                          merge->store->path);
    if (code == SQLITE_FULL || code == SQLITE_IOERR || code == SQLITE_NOMEM || !merge->part)
        return clopt_store_fail(merge->store, "merge", error);
    return clopt_fail(
        error, CLOPT_FAILED,
        "%s: cannot be merged: %s; if it is damaged, run the study again with another "
        "store (-o)",
        merge->part, sqlite3_errmsg(merge->store->database));
}

/* Executes all statements of a kind. */
static enum clopt_status execute(const struct merge *merge, enum kind kind,
                                 struct clopt_error *error)
{
    const char *sql;
    for (size_t i = 0; (sql = find_statement(kind, i)); i++)
        if (sqlite3_exec(merge->store->database, sql, NULL, NULL, NULL) != SQLITE_OK)
            return fail_part(merge, error);
    return CLOPT_OK;
}

/* Calls `take` with each row of a statement, a text; parameter 1 is `value`. */
static enum clopt_status query(struct merge *merge, const char *sql, const char *value,
                               void (*take)(struct merge *merge, const char *text, void *user),
                               void *user, struct clopt_error *error)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(merge->store->database, sql, -1, &statement, NULL);
    if (code == SQLITE_OK && value)
        code = sqlite3_bind_text(statement, 1, value, -1, SQLITE_STATIC);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(statement);
        const char *text =
            code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        if (text && take)
            take(merge, text, user);
    }
    enum clopt_status status = code == SQLITE_DONE ? CLOPT_OK : fail_part(merge, error);
    sqlite3_finalize(statement);
    return status;
}

/* Takes the first text. */
static void keep(struct merge *merge, const char *text, void *user)
{
    char **kept = user;
    (void)merge;
    *kept = *kept ? *kept : clopt_strdup(text);
}

static void tell_conflict(struct merge *merge, const char *text, void *user)
{
    (void)user;
    if (merge->conflicts++ < MOST_CONFLICTS)
        clopt_text_print(merge->notices, "clopt: conflict: %s\n", text);
}

static void tell_gap(struct merge *merge, const char *text, void *user)
{
    (void)user;
    clopt_text_print(merge->notices, "clopt: note: %s\n", text);
}

/* ---- the same study ---- */

/* Returns the next line of a configuration, without where its value comes from, and passes it. */
static const char *next_line(const char **text, size_t *length)
{
    const char *line = *text;
    size_t all = strcspn(line, "\n");
    *text += all + (line[all] == '\n');
    *length = all;
    for (size_t i = all; i-- > 0;)
        if (strncmp(line + i, " ; ", 3) == 0) {
            *length = i;
            break;
        }
    return line;
}

/* Finds the first line in which two configurations differ. */
static bool differ(const char *ours, const char *theirs, struct clopt_text *how)
{
    while (*ours || *theirs) {
        size_t lengths[2];
        const char *lines[] = {next_line(&ours, &lengths[0]), next_line(&theirs, &lengths[1])};
        if (lengths[0] == lengths[1] && memcmp(lines[0], lines[1], lengths[0]) == 0)
            continue;
        clopt_text_printf(how, "`%.*s` there, `%.*s` here", (int)lengths[0], lines[0],
                          (int)lengths[1], lines[1]);
        return true;
    }
    return false;
}

static enum clopt_status check_study(struct merge *merge, struct clopt_error *error)
{
    CLOPT_FREED char *ours = NULL, *theirs = NULL, *first = NULL;
    CLOPT_OWNED(clopt_text) how = {0};
    CLOPT_TRY(query(merge, "SELECT config FROM main.run", NULL, keep, &ours, error));
    CLOPT_TRY(query(merge, "SELECT config FROM part.run ORDER BY id DESC LIMIT 1", NULL, keep,
                    &theirs, error));
    CLOPT_TRY(query(merge, "SELECT path FROM temp.source WHERE id = 1", NULL, keep, &first, error));
    if (ours && theirs && differ(ours, theirs, &how))
        return clopt_fail(error, CLOPT_INVALID, "%s: is of another study than %s: %s", merge->part,
                          first ? first : "", clopt_text_string(&how));
    return CLOPT_OK;
}

/* Asks for the first reason not to take the part. */
static enum clopt_status check(struct merge *merge, enum kind kind, struct clopt_error *error)
{
    const char *sql;
    for (size_t i = 0; (sql = find_statement(kind, i)); i++) {
        CLOPT_FREED char *reason = NULL;
        CLOPT_TRY(query(merge, sql, NULL, keep, &reason, error));
        if (reason)
            return clopt_fail(error, CLOPT_INVALID, "%s: %s", merge->part, reason);
    }
    return CLOPT_OK;
}

/* ---- stores of any studies ---- */

/* Returns what a store is called in a report: its file's name without .db, unless another one has
 * that. */
static char *name_part(struct merge *merge)
{
    const char *slash = strrchr(merge->part, '/');
    const char *name = slash ? slash + 1 : merge->part;
    size_t length = strlen(name) - (clopt_text_ends(name, ".db") ? strlen(".db") : 0);
    char *stem = clopt_text_format("%.*s", (int)length, name), *taken = NULL;
    query(merge, "SELECT stem FROM temp.source WHERE stem = ?1", stem, keep, &taken, NULL);
    if (taken) {
        free(stem);
        stem = clopt_strdup(merge->part);
    }
    free(taken);
    return stem;
}

static enum clopt_status join_part(struct merge *merge, struct clopt_error *error)
{
    CLOPT_FREED char *stem = name_part(merge), *config = NULL, *earlier = NULL;
    CLOPT_TRY(query(merge, "SELECT config FROM part.run ORDER BY id DESC LIMIT 1", NULL, keep,
                    &config, error));
    CLOPT_TRY(query(merge, "SELECT config FROM main.run", NULL, keep, &earlier, error));
    merge->objective = clopt_objective_of(config);
    if (earlier && merge->objective != clopt_objective_of(earlier))
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: measured %s, and the stores before it did not: report on them apart",
                          merge->part, clopt_objective_words(merge->objective)->name);
    CLOPT_TRY(query(merge, "UPDATE temp.source SET stem = ?1 WHERE stem IS NULL", stem, NULL, NULL,
                    error));
    CLOPT_TRY(execute(merge, JOIN, error));
    CLOPT_TRY(execute(merge, TAKE, error));
    return execute(merge, ORIGINS, error);
}

/* ---- parts ---- */

static enum clopt_status take_part(struct merge *merge, struct clopt_error *error)
{
    CLOPT_TRY(
        query(merge, "INSERT INTO temp.source (path) VALUES (?1)", merge->part, NULL, NULL, error));
    CLOPT_TRY(check(merge, CHECKS, error));
    if (merge->joins)
        return join_part(merge, error);
    if (!merge->pool)
        CLOPT_TRY(execute(merge, APART, error));
    CLOPT_TRY(check(merge, MATCHES, error));
    CLOPT_TRY(check_study(merge, error));
    CLOPT_TRY(execute(merge, TAKE, error));
    return query(merge, find_statement(CONFLICTS, 0), NULL, tell_conflict, NULL, error);
}

/* Copies a store that no process writes, and adds to the copy what an earlier release lacks. */
static enum clopt_status copy_part(struct merge *merge, struct clopt_error *error)
{
    CLOPT_HELD(clopt_store) store = NULL;
    CLOPT_TRY(clopt_store_open_read(merge->part, &store, error));
    if (clopt_store_is_written(store))
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: another clopt is writing this store: wait for it to end",
                          merge->part);
    sqlite3_backup *copy =
        sqlite3_backup_init(merge->store->database, "part", store->database, "main");
    if (copy)
        sqlite3_backup_step(copy, -1);
    if (sqlite3_backup_finish(copy) != SQLITE_OK)
        return fail_part(merge, error);
    return clopt_store_raise(merge->store, "part", merge->part, error);
}

static enum clopt_status add_part(struct merge *merge, struct clopt_error *error)
{
    CLOPT_TRY(query(merge, "ATTACH '' AS part", NULL, NULL, NULL, error));
    enum clopt_status status = copy_part(merge, error);
    if (!status)
        status = clopt_store_begin(merge->store, error);
    if (!status)
        status = clopt_store_finish(merge->store, take_part(merge, error), error);
    sqlite3_exec(merge->store->database, "DETACH part", NULL, NULL, NULL);
    return status;
}

static enum clopt_status add_parts(struct merge *merge, const char *const *paths, size_t count,
                                   struct clopt_error *error)
{
    CLOPT_TRY(execute(merge, BEGIN, error));
    for (size_t i = 0; i < count; i++) {
        merge->part = paths[i];
        CLOPT_TRY(add_part(merge, error));
    }
    merge->part = NULL;
    if (merge->conflicts)
        return clopt_fail(error, CLOPT_INVALID,
                          "%zu conflict%s: nothing was written; measure one of each again, by "
                          "--retry=OUTCOME or with another store (-o)",
                          merge->conflicts, merge->conflicts == 1 ? "" : "s");
    CLOPT_TRY(execute(merge, END, error));
    const char *gap;
    for (size_t i = 0; (gap = find_statement(GAPS, i)); i++)
        CLOPT_TRY(query(merge, gap, NULL, tell_gap, NULL, error));
    return CLOPT_OK;
}

/* ---- the new store ---- */

static enum clopt_status fail_file(const char *path, int reason, struct clopt_error *error)
{
    if (reason == EEXIST)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: exists already; remove it, or name another store (-o)", path);
    return clopt_fail(error, CLOPT_FAILED, "%s: cannot be written: %s", path, strerror(reason));
}

/* Gives the file its name, unless there is a store of that name by now. An empty file is none. */
static enum clopt_status publish(struct clopt_store *store, const char *temporary, int file,
                                 struct clopt_error *error)
{
    struct stat target;
    CLOPT_TRY(clopt_store_lock(store, O_NOFOLLOW, error));
    if (fstat(store->lock, &target) != 0)
        return fail_file(store->path, errno, error);
    if (target.st_size > 0)
        return fail_file(store->path, EEXIST, error);
    clopt_store_forget_logs(store->path);
    if (fchmod(file, target.st_mode & 0777) == 0 && flock(file, LOCK_EX) == 0 &&
        rename(temporary, store->path) == 0)
        return CLOPT_OK;
    enum clopt_status status = fail_file(store->path, errno, error);
    unlink(store->path);
    return status;
}

/* Writes the new store beside its place, and then into it: nobody sees a part of it. */
static enum clopt_status save(struct merge *merge, struct clopt_error *error)
{
    CLOPT_FREED char *temporary = NULL;
    int file = clopt_file_open_beside(merge->store->path, &temporary);
    enum clopt_status status = file < 0 ? fail_file(merge->store->path, errno, error) : CLOPT_OK;
    if (!status)
        status = query(merge, "VACUUM main INTO ?1", temporary, NULL, NULL, error);
    if (!status && fsync(file) != 0)
        status = fail_file(merge->store->path, errno, error);
    if (!status)
        status = publish(merge->store, temporary, file, error);
    if (file >= 0) {
        if (status) {
            unlink(temporary);
            clopt_store_forget_logs(temporary);
        }
        close(file);
    }
    return status;
}

enum clopt_status clopt_store_merge(const char *const *paths, size_t count, const char *output,
                                    bool pool, FILE *notices, struct clopt_error *error)
{
    struct merge merge = {.notices = notices, .pool = pool};
    struct stat there;
    if (lstat(output, &there) == 0 && (!S_ISREG(there.st_mode) || there.st_size > 0))
        return fail_file(output, EEXIST, error);
    CLOPT_HELD(clopt_store) store = NULL;
    CLOPT_TRY(clopt_store_open_unnamed(output, &store, error));
    merge.store = store;
    CLOPT_TRY(add_parts(&merge, paths, count, error));
    return save(&merge, error);
}

enum clopt_status clopt_store_join(const char *const *paths, size_t count,
                                   struct clopt_store **store, struct clopt_error *error)
{
    struct merge merge = {.pool = true, .joins = true};
    CLOPT_HELD(clopt_store) joined = NULL;
    *store = NULL;
    CLOPT_TRY(clopt_store_open_unnamed(*paths, &joined, error));
    merge.store = joined;
    CLOPT_TRY(execute(&merge, BEGIN, error));
    for (size_t i = 0; i < count; i++) {
        merge.part = paths[i];
        CLOPT_TRY(add_part(&merge, error));
    }
    merge.part = NULL;
    CLOPT_TRY(execute(&merge, JOINED, error));
    CLOPT_FREED char *config = clopt_text_format("[measure]\nobjective = %s\n",
                                                 clopt_objective_words(merge.objective)->name);
    CLOPT_TRY(query(&merge, "UPDATE main.run SET config = ?1", config, NULL, NULL, error));
    *store = joined;
    joined = NULL;
    return CLOPT_OK;
}
