/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder for temporary files, which goes when its process ends, however it ends. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* pipe2(), close_range() */
#endif
#include "file/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/file.h"

#define NAME      "clopt-XXXXXX"
#define PREFIX    6   /* of the name, which is the same for all */
#define ATTEMPTS  100 /* what was using the folder may take a moment to end */
#define PERIOD_MS 10

/* Is the process that waits for the end of this one, and then removes the folder. */
static void become_cleaner(const char *path, const int ends[2])
{
    char byte;
    setsid(); /* a signal of the terminal, or one for the group, is not for it */
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    int nothing = open("/dev/null", O_RDWR);
    dup2(ends[0], 0);
    dup2(nothing, 1); /* nobody who reads what clopt prints waits for this process */
    dup2(nothing, 2);
    close_range(3, ~0U, 0);
    while (read(0, &byte, 1) < 0 && errno == EINTR) {
    }
    for (int i = 0; i < ATTEMPTS && access(path, F_OK) == 0; i++) {
        clopt_folder_remove(path);
        poll(NULL, 0, PERIOD_MS);
    }
    _exit(0);
}

/* Takes the lock of a folder, which goes with this process; -1: it is gone, or, with LOCK_NB,
 * another one has it. */
static int hold(const char *path, int how)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && flock(folder, LOCK_EX | how) == 0 && access(path, F_OK) == 0)
        return folder;
    if (folder >= 0)
        close(folder);
    return -1;
}

/* Returns where the folders are made. */
static const char *find_above(void)
{
    const char *above = getenv("TMPDIR");
    return above && *above ? above : "/tmp";
}

void clopt_temporary_sweep(void)
{
    const char *above = find_above();
    DIR *listing = opendir(above);
    const struct dirent *entry;
    while (listing && (entry = readdir(listing))) {
        bool named =
            strncmp(entry->d_name, NAME, PREFIX) == 0 && strlen(entry->d_name) == sizeof NAME - 1;
        CLOPT_FREED char *path = named ? clopt_path_join(above, entry->d_name) : NULL;
        int folder = path ? hold(path, LOCK_NB) : -1;
        if (folder >= 0) {
            clopt_scratch_remove(path); /* nothing but what clopt has marked */
            close(folder);
        }
    }
    if (listing)
        closedir(listing);
}

/* Makes a folder that is locked; another one where that was swept by another process before. */
static bool make_folder(struct clopt_temporary *temporary, const char *above,
                        struct clopt_error *error)
{
    for (int i = 0; i < ATTEMPTS && temporary->lock < 0; i++) {
        free(temporary->path);
        temporary->path = clopt_path_join(above, NAME);
        if (!mkdtemp(temporary->path) || clopt_scratch_create(temporary->path, error))
            return false;
        temporary->lock = hold(temporary->path, 0);
    }
    return temporary->lock >= 0;
}

enum clopt_status clopt_temporary_create(struct clopt_temporary *temporary,
                                         struct clopt_error *error)
{
    const char *above = find_above();
    int ends[2] = {-1, -1};
    clopt_temporary_sweep();
    *temporary = (struct clopt_temporary){.file = -1, .lock = -1};
    bool made = make_folder(temporary, above, error);
    pid_t cleaner = made && pipe2(ends, O_CLOEXEC) == 0 ? fork() : -1;
    if (cleaner == 0)
        become_cleaner(temporary->path, ends);
    enum clopt_status status =
        cleaner > 0 ? CLOPT_OK
                    : clopt_fail(error, CLOPT_FAILED,
                                 "TMPDIR=%s: no temporary folder can be made there: %s; name "
                                 "another one, such as TMPDIR=/tmp",
                                 above, strerror(errno));
    if (ends[0] >= 0)
        close(ends[0]);
    temporary->file = ends[1];
    temporary->cleaner = cleaner;
    if (!status)
        return CLOPT_OK;
    if (made)
        rmdir(temporary->path);
    clopt_temporary_fini(temporary);
    return status;
}

void clopt_temporary_fini(struct clopt_temporary *temporary)
{
    if (!temporary->path)
        return;
    if (temporary->file >= 0)
        close(temporary->file);
    if (temporary->lock >= 0)
        close(temporary->lock);
    if (temporary->cleaner > 0) {
        clopt_folder_remove(temporary->path);
        if (access(temporary->path, F_OK) != 0) /* else it goes on trying */
            kill(temporary->cleaner, SIGKILL);
        while (waitpid(temporary->cleaner, NULL, 0) < 0 && errno == EINTR) {
        }
    }
    free(temporary->path);
    *temporary = (struct clopt_temporary){.file = -1, .lock = -1};
}
