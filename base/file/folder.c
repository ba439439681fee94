/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes folders, and removes those that clopt made. */
#include "file/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <clopt/memory.h>

/* A file in folders for temporary files: clopt made them, and may remove them. */
#define MARK ".clopt-scratch"

#define ATTEMPTS 50 /* to remove a folder while killed workers still write there: a second */

/* Makes a folder and those above it with a mode. */
static enum clopt_status create(const char *path, mode_t mode, struct clopt_error *error)
{
    CLOPT_FREED char *copy = clopt_strdup(path);
    for (char *end = copy + 1;; end++) {
        if (*end != '/' && *end != '\0')
            continue;
        char saved = *end;
        *end = '\0';
        struct stat about;
        if (mkdir(copy, mode) != 0 && errno != EEXIST)
            return clopt_fail(error, CLOPT_FAILED, "%s: %s", copy, strerror(errno));
        if (stat(copy, &about) != 0 || !S_ISDIR(about.st_mode))
            return clopt_fail(error, CLOPT_FAILED, "%s: %s", copy, strerror(ENOTDIR));
        *end = saved;
        if (!saved)
            return CLOPT_OK;
    }
}

enum clopt_status clopt_folder_create(const char *path, struct clopt_error *error)
{
    return create(path, 0777, error);
}

enum clopt_status clopt_folder_create_own(const char *path, struct clopt_error *error)
{
    struct stat about;
    CLOPT_TRY(create(path, 0700, error));
    if (stat(path, &about) != 0)
        return clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(errno));
    if (about.st_uid != geteuid())
        return clopt_fail(error, CLOPT_FAILED, "%s: belongs to another user", path);
    if (about.st_mode & (S_IWGRP | S_IWOTH))
        return clopt_fail(error, CLOPT_FAILED, "%s: others may write to it (chmod go-w ends that)",
                          path);
    return CLOPT_OK;
}

/* ---- removing ---- */

static int open_folder(int parent, const char *name)
{
    return openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void remove_entry(int parent, const char *name, dev_t device);

/* Removes what an open folder has, its mark last, so that it stays known as clopt's if that is cut
 * short; and closes it. */
static void remove_entries(int folder)
{
    struct stat about;
    DIR *listing = fstat(folder, &about) == 0 ? fdopendir(folder) : NULL;
    if (!listing) {
        close(folder);
        return;
    }
    for (const struct dirent *entry; (entry = readdir(listing));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
            strcmp(entry->d_name, MARK) != 0)
            remove_entry(folder, entry->d_name, about.st_dev);
    remove_entry(folder, MARK, about.st_dev);
    closedir(listing);
}

/* Removes an entry of a folder on a file system. */
static void remove_entry(int parent, const char *name, dev_t device)
{
    struct stat about;
    if (fstatat(parent, name, &about, AT_SYMLINK_NOFOLLOW) != 0 || about.st_dev != device)
        return;
    if (!S_ISDIR(about.st_mode)) {
        unlinkat(parent, name, 0);
        return;
    }
    int folder = open_folder(parent, name);
    if (folder >= 0)
        remove_entries(folder);
    unlinkat(parent, name, AT_REMOVEDIR);
}

void clopt_folder_remove(const char *path)
{
    int folder = open_folder(AT_FDCWD, path);
    if (folder < 0)
        return;
    remove_entries(folder);
    rmdir(path);
}

/* ---- folders for temporary files ---- */

/* Opens a folder that clopt has marked; -1: it is none. */
static int open_marked(const char *path)
{
    struct stat about, mark;
    int folder = open_folder(AT_FDCWD, path);
    if (folder < 0)
        return -1;
    if (fstat(folder, &about) == 0 && about.st_uid == geteuid() &&
        fstatat(folder, MARK, &mark, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(mark.st_mode) &&
        mark.st_uid == geteuid())
        return folder;
    close(folder);
    return -1;
}

/* Puts the mark into a folder. */
static bool mark_folder(const char *path)
{
    int folder = open_folder(AT_FDCWD, path);
    int mark = folder < 0 ? -1
                          : openat(folder, MARK,
                                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    int reason = errno;
    if (mark >= 0)
        close(mark);
    if (folder >= 0)
        close(folder);
    errno = reason;
    return mark >= 0;
}

void clopt_scratch_remove(const char *path)
{
    int folder = open_marked(path);
    if (folder < 0)
        return;
    remove_entries(folder);
    if (rmdir(path) != 0 && (errno == ENOTEMPTY || errno == EEXIST))
        mark_folder(path); /* a worker that is about to end wrote there: the rest goes later */
}

enum clopt_status clopt_scratch_create(const char *path, struct clopt_error *error)
{
    const struct timespec while_workers_end = {.tv_nsec = 20 * 1000 * 1000};
    int reason = 0;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        clopt_scratch_remove(path);
        rmdir(path); /* an empty one: clopt was killed before the mark was there */
        if (mkdir(path, 0700) == 0 && mark_folder(path))
            return CLOPT_OK;
        reason = errno;
        int folder = reason == EEXIST ? open_marked(path) : -1;
        if (folder < 0)
            break;
        close(folder);
        nanosleep(&while_workers_end, NULL);
    }
    if (reason == EEXIST)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: clopt puts temporary files there, but did not make it, and leaves "
                          "it alone: move it away, or name another store with -o",
                          path);
    return clopt_fail(error, CLOPT_FAILED, "%s: %s", path, strerror(reason));
}
