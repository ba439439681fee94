/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens, checks, locks and closes stores. */
#include "store/store.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/statement.h"

/* Opens the file itself: SQLite's own messages do not say what is wrong with it. */
static enum clopt_status open_file(const char *path, int flags, int *descriptor,
                                   struct clopt_error *error)
{
    struct stat status;
    *descriptor = open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0666);
    if (*descriptor < 0)
        return clopt_fail(error, CLOPT_FAILED, "%s: cannot open the store: %s", path,
                          strerror(errno));
    if (fstat(*descriptor, &status) != 0 || !S_ISREG(status.st_mode))
        return clopt_fail(error, CLOPT_FAILED, "%s: is not a regular file; name a store of clopt",
                          path);
    return CLOPT_OK;
}

enum clopt_status clopt_store_lock(struct clopt_store *store, int flags, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    int reason = EWOULDBLOCK;
    struct stat own, named;
    for (int i = 0; i < 5 && !status && reason == EWOULDBLOCK; i++) {
        /* A reader that looks for a writer holds the lock for a moment. */
        const struct timespec moment = {0, i ? 10000000 : 0};
        nanosleep(&moment, NULL);
        if (store->lock >= 0)
            close(store->lock);
        status = open_file(store->path, O_RDWR | O_CREAT | flags, &store->lock, error);
        if (!status && flock(store->lock, LOCK_EX | LOCK_NB) != 0)
            reason = errno;
        else if (!status && fstat(store->lock, &own) == 0 && stat(store->path, &named) == 0 &&
                 own.st_dev == named.st_dev && own.st_ino == named.st_ino)
            reason = 0; /* else a merge has replaced the file */
    }
    store->written = true;
    if (status || !reason)
        return status;
    if (reason == EWOULDBLOCK)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: another clopt is writing this store: wait for it to end, or name "
                          "another store with -o",
                          store->path);
    return clopt_fail(error, CLOPT_FAILED, "%s: cannot lock the store: %s", store->path,
                      strerror(reason));
}

static enum clopt_status execute(struct clopt_store *store, const char *sql,
                                 struct clopt_error *error)
{
    if (sqlite3_exec(store->database, sql, NULL, NULL, NULL) != SQLITE_OK)
        return clopt_store_fail(store, "open the store", error);
    return CLOPT_OK;
}

/* Asks for one integer without keeping the statement. */
static int ask(struct clopt_store *store, const char *sql, int64_t *value)
{
    sqlite3_stmt *statement = NULL;
    int code = sqlite3_prepare_v2(store->database, sql, -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    if (code == SQLITE_ROW)
        *value = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    return code == SQLITE_ROW ? SQLITE_OK : code;
}

/* Refuses a store of another version. */
static enum clopt_status check_version(const struct clopt_store *store, int64_t version,
                                       struct clopt_error *error)
{
    if (version > CLOPT_STORE_VERSION)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: was written by a newer clopt (schema %lld, this one knows %d): use "
                          "that one, or name another store with -o",
                          store->path, (long long)version, CLOPT_STORE_VERSION);
    if (version < CLOPT_STORE_VERSION)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: was written by an older clopt (schema %lld, this one knows %d): run "
                          "the study again, with another store (-o)",
                          store->path, (long long)version, CLOPT_STORE_VERSION);
    return CLOPT_OK;
}

#define DAMAGED "%s: the file is damaged: run the study again with another store (-o)"

/* Looks what kind of file it is, and if it is whole; `*version` is 0 where it is empty. */
static enum clopt_status check_kind(struct clopt_store *store, int64_t *version,
                                    struct clopt_error *error)
{
    int64_t application = 0, objects = 0, intact = 0;
    *version = 0;
    int code = ask(store, "PRAGMA application_id", &application);
    if (code == SQLITE_OK)
        code = ask(store, "PRAGMA user_version", version);
    if (code == SQLITE_OK)
        code = ask(store, "SELECT count(*) FROM sqlite_master", &objects);
    if (code == SQLITE_NOTADB)
        return clopt_fail(
            error, CLOPT_FAILED, "%s: is not a store of clopt%s", store->path,
            clopt_text_ends(store->path, ".ini")
                ? "; that of a study is beside it, with the ending .db, unless -o named another"
            : clopt_text_ends(store->path, ".xz") ? "; unpack it first, by xz -dk"
                                                  : "");
    if (code != SQLITE_OK)
        return clopt_store_fail(store, "open the store", error);
    if (objects == 0 && application == 0 && *version == 0)
        return CLOPT_OK;
    if (application != CLOPT_STORE_APPLICATION)
        return clopt_fail(error, CLOPT_FAILED, "%s: is a database, but no store of clopt",
                          store->path);
    CLOPT_TRY(check_version(store, *version, error));
    code = ask(store, "SELECT quick_check = 'ok' FROM pragma_quick_check LIMIT 1", &intact);
    if (code != SQLITE_OK)
        return clopt_store_fail(store, "read the store", error);
    return intact ? CLOPT_OK : clopt_fail(error, CLOPT_FAILED, DAMAGED, store->path);
}

static struct clopt_store *create_handle(const char *path)
{
    struct clopt_store *store = clopt_calloc(1, sizeof *store);
    *store = (struct clopt_store){.path = clopt_strdup(path), .lock = -1};
    return store;
}

/* Opens the database by its URI, of which SQLite is told `more`: "?immutable=1", or nothing. */
static enum clopt_status open_uri(struct clopt_store *store, int flags, const char *more,
                                  struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) uri = {0};
    clopt_text_append(&uri, *store->path == '/' ? "file://" : "file:");
    for (const char *c = store->path; *c; c++)
        clopt_text_printf(&uri, strchr("%?#", *c) ? "%%%02X" : "%c", (unsigned char)*c);
    clopt_text_append(&uri, more);
    return sqlite3_open_v2(clopt_text_string(&uri), &store->database, flags | SQLITE_OPEN_URI,
                           NULL) == SQLITE_OK
               ? CLOPT_OK
               : clopt_store_fail(store, "open the store", error);
}

/* NORMAL: whatever ends the process, what was committed stays; the machine may lose its last
 * moments when its power fails, never the store. */
static enum clopt_status prepare_writing(struct clopt_store *store, struct clopt_error *error)
{
    int64_t version = 0;
    sqlite3_busy_timeout(store->database, 10000); /* readers may hold up the end of the log */
    CLOPT_TRY(check_kind(store, &version, error));
    CLOPT_TRY(execute(store,
                      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                      "PRAGMA foreign_keys = ON",
                      error));
    store->created = version == 0;
    return clopt_store_raise(store, "main", store->path, error);
}

/* Removes what SQLite keeps beside a database. */
static void remove_beside(const char *path, const char *ending)
{
    CLOPT_FREED char *name = clopt_text_format("%s%s", path, ending);
    unlink(name);
}

void clopt_store_forget_logs(const char *path)
{
    remove_beside(path, "-wal");
    remove_beside(path, "-shm");
    remove_beside(path, "-journal");
}

static enum clopt_status open_writing(const char *path, bool named, struct clopt_store **store,
                                      struct clopt_error *error)
{
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_URI;
    CLOPT_HELD(clopt_store) opened = create_handle(path);
    *store = NULL;
    if (named) {
        CLOPT_TRY(clopt_store_lock(opened, 0, error));
        CLOPT_TRY(open_uri(opened, SQLITE_OPEN_READWRITE, "", error));
    } else if (sqlite3_open_v2("", &opened->database, flags, NULL) != SQLITE_OK) {
        return clopt_store_fail(opened, "open a temporary file", error);
    }
    CLOPT_TRY(prepare_writing(opened, error));
    *store = opened;
    opened = NULL;
    return CLOPT_OK;
}

enum clopt_status clopt_store_open(const char *path, struct clopt_store **store,
                                   struct clopt_error *error)
{
    return open_writing(path, true, store, error);
}

enum clopt_status clopt_store_open_unnamed(const char *path, struct clopt_store **store,
                                           struct clopt_error *error)
{
    return open_writing(path, false, store, error);
}

/* Opens the file as it is, without a look at its log, which nobody writes. */
static enum clopt_status reopen_immutable(struct clopt_store *store, struct clopt_error *error)
{
    sqlite3_close(store->database);
    store->database = NULL;
    return open_uri(store, SQLITE_OPEN_READONLY, "?immutable=1", error);
}

/* Opens a store with a log where there is no room for the index of the log: who has the database
 * alone keeps that in memory. */
static enum clopt_status reopen_alone(struct clopt_store *store, struct clopt_error *error)
{
    int64_t version;
    sqlite3_close(store->database);
    store->database = NULL;
    CLOPT_TRY(open_uri(store, SQLITE_OPEN_READWRITE, "", error));
    CLOPT_TRY(execute(store, "PRAGMA locking_mode = EXCLUSIVE", error));
    if (ask(store, "PRAGMA user_version", &version) != SQLITE_OK)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: cannot read the store: %s; its disk may be full: make room",
                          store->path, sqlite3_errmsg(store->database));
    remove_beside(store->path, "-shm");
    return CLOPT_OK;
}

/* Opens the database. SQLite makes files next to one in WAL mode even to read it. Who may write
 * removes them in the end, unless somebody else has them open; so it is opened for writing, and
 * writing is then forbidden. Who may not write would leave them behind, or cannot make them: where
 * there is no log, so that nobody writes, the file is read as it is. */
static enum clopt_status open_reading(struct clopt_store *store, struct clopt_error *error)
{
    int64_t version;
    CLOPT_FREED char *log_path = clopt_text_format("%s-wal", store->path);
    bool log = access(log_path, F_OK) == 0;
    bool writable = access(store->path, W_OK) == 0;
    CLOPT_TRY(open_uri(store, writable ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY, "", error));
    sqlite3_busy_timeout(store->database, 10000);
    if (!writable && !log)
        return reopen_immutable(store, error);
    int code = ask(store, "PRAGMA user_version", &version);
    bool full = code == SQLITE_IOERR || code == SQLITE_FULL;
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY && !full)
        return CLOPT_OK;
    if (!log) {
        enum clopt_status status = reopen_immutable(store, error);
        if (full && !store->written) { /* the files that SQLite began, and had no room for */
            remove_beside(store->path, "-wal");
            remove_beside(store->path, "-shm");
        }
        return status;
    }
    if (full)
        return reopen_alone(store, error);
    return clopt_fail(
        error, CLOPT_FAILED,
        "%s: cannot read the store: its log %s-wal belongs to it, and the folder must "
        "be writable; copy both to one that is",
        store->path, store->path);
}

static enum clopt_status prepare_reading(struct clopt_store *store, struct clopt_error *error)
{
    int descriptor = -1;
    enum clopt_status status = open_file(store->path, O_RDONLY, &descriptor, error);
    if (!status)
        store->written = flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (descriptor >= 0)
        close(descriptor); /* before SQLite has it: closing would drop SQLite's locks */
    if (status)
        return status;
    int64_t version = 0;
    CLOPT_TRY(open_reading(store, error));
    CLOPT_TRY(check_kind(store, &version, error));
    if (version == 0)
        return clopt_fail(error, CLOPT_FAILED, "%s: is empty: no study has written to it",
                          store->path);
    CLOPT_TRY(execute(store, "PRAGMA temp_store = MEMORY", error)); /* the disk may be full */
    CLOPT_TRY(clopt_store_raise(store, "temp", store->path, error));
    return execute(store, "PRAGMA query_only = 1", error);
}

enum clopt_status clopt_store_open_read(const char *path, struct clopt_store **store,
                                        struct clopt_error *error)
{
    CLOPT_HELD(clopt_store) opened = create_handle(path);
    *store = NULL;
    CLOPT_TRY(prepare_reading(opened, error));
    *store = opened;
    opened = NULL;
    return CLOPT_OK;
}

bool clopt_store_is_written(const struct clopt_store *store)
{
    return store->written;
}

static void close_database(struct clopt_store *store)
{
    for (size_t i = 0; i < CLOPT_SQL_COUNT; i++) {
        sqlite3_finalize(store->statements[i]);
        store->statements[i] = NULL;
    }
    sqlite3_close(store->database);
    store->database = NULL;
}

void clopt_store_close(struct clopt_store *store)
{
    if (!store)
        return;
    close_database(store);
    if (store->lock >= 0)
        close(store->lock);
    free(store->path);
    free(store);
}

void clopt_store_discard(struct clopt_store *store)
{
    int64_t runs = 0;
    bool unused =
        store->created && ask(store, "SELECT count(*) FROM run", &runs) == SQLITE_OK && !runs;
    close_database(store); /* its log goes with it */
    if (unused)
        unlink(store->path);
    clopt_store_close(store);
}
