/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes whole files, which appear when they are complete, over clopt's own and over no others. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"

#define MOST_LINKS 40
#define UNFINISHED (S_ISVTX | S_IRUSR | S_IWUSR) /* no file of a user has such a mode */

const struct clopt_file_kind clopt_file_any = {0};

/* How a file is written. */
struct saving {
    const char *path;                   /* as the user names it */
    const struct clopt_file_kind *over; /* what is replaced; NULL: nothing */
    char *target;                       /* what its links lead to */
    char *temporary;                    /* NULL: the target is written itself */
    mode_t mode;
    bool replace; /* something has the name */
    bool sync;
};

static enum clopt_status fail(const struct saving *saving, int reason, struct clopt_error *error)
{
    return clopt_fail(error, CLOPT_FAILED, "%s: cannot be written: %s", saving->path,
                      reason == ENXIO    ? "no process reads from it"
                      : reason == EEXIST ? "another process has just created it; start again"
                                         : strerror(reason));
}

/* ---- what is there ---- */

/* Follows a link, one that leads to nothing, too. Fails where it leads in a circle. */
static enum clopt_status follow_links(struct saving *saving, struct clopt_error *error)
{
    char link[4096];
    for (unsigned i = 0; i < MOST_LINKS; i++) {
        ssize_t length = readlink(saving->target, link, sizeof link - 1);
        if (length < 0)
            return CLOPT_OK;
        link[length] = '\0';
        char *next = clopt_path_beside(saving->target, link);
        free(saving->target);
        saving->target = next;
    }
    return fail(saving, ELOOP, error);
}

/* Whether a file is empty, or begins as those of a kind (NULL: none) do. */
static bool is_of_kind(const char *path, const struct clopt_file_kind *kind)
{
    char begin[256] = "";
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, begin, sizeof begin - 1);
    bool is = length == 0;
    if (file >= 0)
        close(file);
    for (size_t i = 0; length > 0 && kind && kind->begins[i]; i++)
        is |= strncmp(begin, kind->begins[i], strlen(kind->begins[i])) == 0;
    return is;
}

/* Finds what is written, and refuses to replace what is not of the kind. */
static enum clopt_status find_target(struct saving *saving, struct clopt_error *error)
{
    struct stat about;
    const struct clopt_file_kind *over = saving->over;
    saving->target = clopt_strdup(saving->path);
    saving->replace = true;
    if (over == &clopt_file_any) /* a link is replaced, not followed */
        return CLOPT_OK;
    CLOPT_TRY(follow_links(saving, error));
    saving->replace = stat(saving->target, &about) == 0;
    if (!saving->replace || !S_ISREG(about.st_mode) || is_of_kind(saving->target, over))
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_INVALID,
                      "%s: exists already%s%s%s, and stays as it is; move it away, or name another "
                      "file",
                      saving->path, over ? ", is no " : "", over ? over->name : "",
                      over ? " of clopt's" : "");
}

enum clopt_status clopt_file_check_target(const char *path, const struct clopt_file_kind *over,
                                          struct clopt_error *error)
{
    struct saving saving = {.path = path, .over = over};
    enum clopt_status status = find_target(&saving, error);
    free(saving.target);
    return status;
}

/* ---- where it is written ---- */

/* Takes over a file that a process has left which was killed: its mode says that it is one, and no
 * process holds its lock. */
static bool take_over(int file)
{
    struct stat about;
    return file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0 && fstat(file, &about) == 0 &&
           about.st_mode == (S_IFREG | UNFINISHED) && about.st_uid == geteuid() &&
           about.st_nlink == 1 && ftruncate(file, 0) == 0;
}

int clopt_file_open_beside(const char *target, char **path)
{
    *path = clopt_text_format("%s.clopt-new", target);
    int file = open(*path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file >= 0 && flock(file, LOCK_EX | LOCK_NB) == 0)
        fchmod(file, UNFINISHED);
    if (file >= 0 || errno != EEXIST)
        return file;
    file = open(*path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (take_over(file))
        return file;
    if (file >= 0)
        close(file);
    free(*path);
    *path = clopt_text_format("%s.XXXXXX", target);
    return mkstemp(*path);
}

/* Opens something that is not a file, such as a device, or a pipe that somebody reads. */
static int open_other(const struct saving *saving)
{
    int file = open(saving->target, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0)
        fcntl(file, F_SETFL, 0);
    return file;
}

/* Opens what is written: a new file beside the target, or what has its place and is no file. A file
 * that is replaced keeps its permissions. */
static int open_target(struct saving *saving)
{
    struct stat about;
    bool exists = saving->over != &clopt_file_any && stat(saving->target, &about) == 0;
    if (exists && !S_ISREG(about.st_mode))
        return open_other(saving);
    mode_t mask = umask(0);
    umask(mask);
    saving->mode = exists ? about.st_mode & 0777 : 0666 & ~mask;
    return clopt_file_open_beside(saving->target, &saving->temporary);
}

/* ---- writing ---- */

/* Gives a finished file its name; one that has come meanwhile stays. */
static bool put_in_place(const struct saving *saving)
{
    if (saving->replace)
        return rename(saving->temporary, saving->target) == 0;
    if (link(saving->temporary, saving->target) != 0)
        return false;
    unlink(saving->temporary);
    return true;
}

/* Writes, and closes a stream: what fails leaves its reason, or EIO, in errno. */
static enum clopt_status write_all(const struct saving *saving, FILE *stream, clopt_writer write,
                                   void *user, struct clopt_error *error)
{
    errno = 0;
    enum clopt_status status = write(user, stream, error);
    bool bad = fflush(stream) != 0 || ferror(stream);
    if (saving->temporary && !bad && !status)
        bad = (saving->sync && fsync(fileno(stream)) != 0) ||
              fchmod(fileno(stream), saving->mode) != 0 || !put_in_place(saving);
    int reason = errno;
    if (saving->temporary && (bad || status))
        unlink(saving->temporary);
    if (fclose(stream) != 0 && !bad) {
        bad = true;
        reason = errno;
    }
    return bad && !status ? fail(saving, reason ? reason : EIO, error) : status;
}

static enum clopt_status save(struct saving saving, clopt_writer write, void *user,
                              struct clopt_error *error)
{
    enum clopt_status status = find_target(&saving, error);
    int file = status ? -1 : open_target(&saving);
    FILE *stream = file < 0 ? NULL : fdopen(file, "wb");
    if (stream)
        status = write_all(&saving, stream, write, user, error);
    else if (!status)
        status = fail(&saving, errno, error);
    if (file >= 0 && !stream)
        close(file);
    free(saving.temporary);
    free(saving.target);
    return status;
}

enum clopt_status clopt_file_save(const char *path, const struct clopt_file_kind *over,
                                  clopt_writer write, void *user, struct clopt_error *error)
{
    return save((struct saving){.path = path, .over = over, .sync = true}, write, user, error);
}

struct block {
    const void *data;
    size_t size;
};

static enum clopt_status write_block(void *user, FILE *stream, struct clopt_error *error)
{
    const struct block *block = user;
    (void)error; /* save() looks at the stream */
    fwrite(block->data, 1, block->size, stream);
    return CLOPT_OK;
}

enum clopt_status clopt_file_write(const char *path, const struct clopt_file_kind *over,
                                   const void *data, size_t size, struct clopt_error *error)
{
    return clopt_file_save(path, over, write_block, &(struct block){data, size}, error);
}

enum clopt_status clopt_file_write_soon(const char *path, const void *data, size_t size,
                                        struct clopt_error *error)
{
    return save((struct saving){.path = path, .over = &clopt_file_any}, write_block,
                &(struct block){data, size}, error);
}
