/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes whole files, which appear when they are complete. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file/file.h"

#define MOST_LINKS 40

/* How a file is written. */
struct saving {
    const char *path; /* as the user names it */
    char *target;     /* what its links lead to */
    char *temporary;  /* NULL: the target is written itself */
    mode_t mode;
    bool own; /* clopt chose the name: what has it is replaced, whatever it is */
    bool replace;
    bool sync;
};

static enum clopt_status fail(const struct saving *saving, int reason, struct clopt_error *error)
{
    return clopt_fail(error, CLOPT_FAILED, "%s: cannot be written: %s", saving->path,
                      reason == ENXIO    ? "no process reads from it"
                      : reason == EEXIST ? "another process has just created it; start again"
                                         : strerror(reason));
}

/* Follows a link, one that leads to nothing, too. Returns false where it leads in a circle. */
static bool follow_links(struct saving *saving)
{
    char link[4096];
    for (unsigned i = 0; i < MOST_LINKS; i++) {
        ssize_t length = readlink(saving->target, link, sizeof link - 1);
        if (length < 0)
            return true;
        link[length] = '\0';
        char *next = clopt_path_beside(saving->target, link);
        free(saving->target);
        saving->target = next;
    }
    return false;
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
    bool exists = !saving->own && stat(saving->target, &about) == 0;
    if (exists && !S_ISREG(about.st_mode))
        return open_other(saving);
    mode_t mask = umask(0);
    umask(mask);
    saving->mode = exists ? about.st_mode & 0777 : 0666 & ~mask;
    saving->temporary = clopt_text_format("%s.XXXXXX", saving->target);
    return mkstemp(saving->temporary);
}

/* Gives a finished file its name; one that is there already stays, unless it is to be replaced. */
static bool put_in_place(const struct saving *saving)
{
    if (saving->replace)
        return rename(saving->temporary, saving->target) == 0;
    if (link(saving->temporary, saving->target) != 0)
        return false;
    unlink(saving->temporary);
    return true;
}

static enum clopt_status save(struct saving *saving, clopt_writer write, void *user,
                              struct clopt_error *error)
{
    int file = open_target(saving);
    if (file < 0)
        return fail(saving, errno, error);
    FILE *stream = fdopen(file, "wb");
    if (!stream) {
        close(file);
        return fail(saving, errno, error);
    }
    errno = 0;
    enum clopt_status status = write(user, stream, error);
    bool bad = fflush(stream) != 0 || ferror(stream);
    if (saving->temporary && !bad)
        bad = fchmod(file, saving->mode) != 0 || (saving->sync && fsync(file) != 0);
    int reason = errno;
    if (fclose(stream) != 0 && !bad) {
        bad = true;
        reason = errno;
    }
    if (!status && !bad && saving->temporary && !put_in_place(saving)) {
        bad = true;
        reason = errno;
    }
    return bad && !status ? fail(saving, reason ? reason : EIO, error) : status;
}

static enum clopt_status save_file(struct saving saving, clopt_writer write, void *user,
                                   struct clopt_error *error)
{
    saving.target = clopt_strdup(saving.path);
    bool reached = saving.own || follow_links(&saving);
    enum clopt_status status =
        reached ? save(&saving, write, user, error) : fail(&saving, ELOOP, error);
    if (status && saving.temporary)
        unlink(saving.temporary);
    free(saving.temporary);
    free(saving.target);
    return status;
}

enum clopt_status clopt_file_save(const char *path, clopt_writer write, void *user,
                                  struct clopt_error *error)
{
    struct saving saving = {.path = path, .replace = true, .sync = true};
    return save_file(saving, write, user, error);
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

enum clopt_status clopt_file_write(const char *path, const void *data, size_t size,
                                   struct clopt_error *error)
{
    return clopt_file_save(path, write_block, &(struct block){data, size}, error);
}

enum clopt_status clopt_file_write_soon(const char *path, const void *data, size_t size,
                                        struct clopt_error *error)
{
    struct saving saving = {.path = path, .own = true, .replace = true};
    return save_file(saving, write_block, &(struct block){data, size}, error);
}

enum clopt_status clopt_file_create(const char *path, const void *data, size_t size,
                                    struct clopt_error *error)
{
    struct saving saving = {.path = path, .sync = true};
    return save_file(saving, write_block, &(struct block){data, size}, error);
}
