/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs an application with the layer between it and its OpenCL drivers. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* secure_getenv() */
#endif
#include "commands/capture/application.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/file.h"
#include "file/folder.h"
#include "process/clock.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#define LAYER            "libclopt-layer.so"
#define LAYERS_VARIABLE  "OPENCL_LAYERS"
#define EXIT_NOT_STARTED 127

static volatile sig_atomic_t running; /* the process that gets the signals of this one */

static void hand_on(int number)
{
    if (running)
        kill((pid_t)running, number);
}

/* Finds the layer in a list of folders, or where libtool builds it; NULL: it is not there. */
static char *find_in(const char *folders)
{
    static const char *const names[] = {LAYER, LT_OBJDIR LAYER};
    for (const char *at = folders; at && *at; at += *at == ':') {
        size_t length = strcspn(at, ":");
        CLOPT_FREED char *folder = clopt_strndup(at, length);
        for (size_t i = 0; *folder && i < sizeof names / sizeof *names; i++) {
            CLOPT_FREED char *path = clopt_path_join(folder, names[i]);
            char *whole = realpath(path, NULL);
            if (whole)
                return whole;
        }
        at += length;
    }
    return NULL;
}

static enum clopt_status find_layer(const char *plugin_path, char **layer,
                                    struct clopt_error *error)
{
    const char *const lists[] = {plugin_path, secure_getenv("CLOPT_PLUGIN_PATH"), CLOPT_PLUGINDIR};
    *layer = NULL;
    for (size_t i = 0; i < sizeof lists / sizeof *lists && !*layer; i++)
        *layer = find_in(lists[i]);
    if (!*layer)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          LAYER ": not found where the plugins are, in " CLOPT_PLUGINDIR
                                "; --plugin-path and CLOPT_PLUGIN_PATH name other folders");
    if (strchr(*layer, ':'))
        return clopt_fail(error, CLOPT_INVALID,
                          "%s: " LAYERS_VARIABLE " cannot have a path with a colon; move it",
                          *layer);
    return CLOPT_OK;
}

/* Makes the record, as large as it will be, and maps it. */
static enum clopt_status make_record(const char *path, struct clopt_record **record,
                                     struct clopt_error *error)
{
    int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    int failure = file < 0 ? errno : posix_fallocate(file, 0, sizeof **record);
    void *mapped = failure
                       ? MAP_FAILED
                       : mmap(NULL, sizeof **record, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    failure = !failure && mapped == MAP_FAILED ? errno : failure;
    if (file >= 0)
        close(file);
    if (failure)
        return clopt_fail(error, CLOPT_FAILED, "%s: no room for the record: %s; see TMPDIR", path,
                          strerror(failure));
    *record = mapped;
    memcpy((*record)->magic, CLOPT_RECORD_MAGIC, sizeof CLOPT_RECORD_MAGIC);
    (*record)->bytes = sizeof **record;
    return CLOPT_OK;
}

/* Tells the layer what to capture, and what to launch instead. */
static enum clopt_status ask_for_launches(const struct clopt_application *application,
                                          struct clopt_error *error)
{
    struct clopt_record *record = application->record;
    const char *const texts[] = {application->folder, application->kernel, application->winners};
    char *const fields[] = {record->folder, record->kernel, record->winners};
    const size_t rooms[] = {sizeof record->folder, sizeof record->kernel, sizeof record->winners};
    for (size_t i = 0; i < 3; i++) {
        const char *text = texts[i] ? texts[i] : "";
        if ((size_t)snprintf(fields[i], rooms[i], "%s", text) >= rooms[i])
            return clopt_fail(error, CLOPT_INVALID, "%s: this name is too long", text);
    }
    record->checks = application->checks;
    record->keeps = application->keeps;
    record->launches = application->launches;
    record->limit_bytes = application->limit_bytes;
    return CLOPT_OK;
}

/* Becomes the application; tells `failure` why that is not possible. */
static void become(char *const *argv, const char *layer, const char *record, int failure)
{
    const char *others = getenv(LAYERS_VARIABLE);
    struct clopt_text layers = {0};
    if (others && *others)
        clopt_text_printf(&layers, "%s:", others);
    clopt_text_append(&layers, layer);
    signal(SIGXFSZ, SIG_DFL);
    if (setenv(LAYERS_VARIABLE, layers.data, 1) == 0 &&
        setenv(CLOPT_RECORD_VARIABLE, record, 1) == 0)
        execvp(argv[0], argv);
    int reason = errno;
    ssize_t ignored = write(failure, &reason, sizeof reason);
    (void)ignored;
    _exit(EXIT_NOT_STARTED);
}

/* Waits for the application. What is typed to end it is not for this process, which has still to
 * say what was recorded; what ends this one is for both. */
static int wait_for(pid_t child)
{
    struct sigaction old[4];
    static const int numbers[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};
    int wait_status = 0;
    running = (sig_atomic_t)child;
    for (size_t i = 0; i < 4; i++) {
        struct sigaction action = {.sa_handler = i < 2 ? SIG_IGN : hand_on};
        sigaction(numbers[i], &action, &old[i]);
    }
    while (waitpid(child, &wait_status, 0) < 0 && errno == EINTR) {
    }
    running = 0;
    for (size_t i = 0; i < 4; i++)
        sigaction(numbers[i], &old[i], NULL);
    return wait_status;
}

static enum clopt_status start(struct clopt_application *application, const char *layer,
                               const char *record, struct clopt_error *error)
{
    int ends[2], reason = 0;
    if (pipe(ends) != 0)
        return clopt_fail(error, CLOPT_FAILED, "%s: not started: %s", application->argv[0],
                          strerror(errno));
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    int64_t begin_ns = clopt_now_ns();
    application->record->began_ns = (uint64_t)begin_ns;
    pid_t child = fork();
    if (child == 0)
        become(application->argv, layer, record, ends[1]);
    reason = child < 0 ? errno : 0;
    close(ends[1]);
    int wait_status = child < 0 ? 0 : wait_for(child);
    application->wall_ns = (uint64_t)(clopt_now_ns() - begin_ns);
    if (child >= 0 && read(ends[0], &reason, sizeof reason) != sizeof reason)
        reason = 0;
    close(ends[0]);
    if (reason)
        return clopt_fail(error, CLOPT_INVALID, "%s: not started: %s", application->argv[0],
                          strerror(reason));
    application->signal = WIFSIGNALED(wait_status) ? WTERMSIG(wait_status) : 0;
    application->exit_code =
        application->signal ? 128 + application->signal : WEXITSTATUS(wait_status);
    return CLOPT_OK;
}

enum clopt_status clopt_application_run(struct clopt_application *application,
                                        struct clopt_error *error)
{
    CLOPT_OWNED(clopt_temporary) folder = {0};
    CLOPT_FREED char *layer = NULL;
    CLOPT_TRY(find_layer(application->plugin_path, &layer, error));
    CLOPT_TRY(clopt_temporary_create(&folder, error));
    CLOPT_FREED char *path = clopt_path_join(folder.path, "record");
    CLOPT_TRY(make_record(path, &application->record, error));
    CLOPT_TRY(ask_for_launches(application, error));
    return start(application, layer, path, error);
}

void clopt_application_fini(struct clopt_application *application)
{
    if (application->record)
        munmap(application->record, sizeof *application->record);
    application->record = NULL;
}
