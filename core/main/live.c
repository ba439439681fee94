/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the page of a study that runs: a process of low priority reads the store and makes it. */
#include "main/live.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "main/output.h"
#include "report/analysis.h"

#define INTERVAL_S 5
#define LOWEST     19 /* priority */
#define SHARE      20 /* of the time at most goes into pages: they disturb what is measured */

/* Writes what a store holds; NULL: that there is none yet. */
static enum clopt_status write_page(const struct clopt_live *live, struct clopt_store *store,
                                    unsigned refresh_s, struct clopt_error *error)
{
    struct clopt_output output = {
        .format = clopt_format_find("html"), .save = live->path, .refresh_s = refresh_s};
    struct clopt_document document = clopt_output_begin(&output, "clopt report");
    const struct clopt_analysis_request request = {.store = store, .paths = &live->store_path};
    enum clopt_status status = CLOPT_OK;
    if (store)
        status = clopt_report_best(&request, &document, error);
    else
        clopt_document_heading(&document, CLOPT_HEADING_TITLE, "The study begins");
    return clopt_output_finish(&output, &document, status, error);
}

/* Writes pages until a signal says that it is enough, which is looked for between them. */
static void keep_writing(const struct clopt_live *live, pid_t parent, const sigset_t *end)
{
    time_t pause_s = 1;      /* a study shows nothing at first */
    signal(SIGINT, SIG_IGN); /* the parent ends by it, and this then */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    while (getppid() == parent) {
        struct clopt_error error = {0};
        struct clopt_store *store = NULL;
        struct timespec began, ended;
        struct timespec pause = {.tv_sec = pause_s};
        if (sigtimedwait(end, NULL, &pause) > 0)
            return;
        clock_gettime(CLOCK_MONOTONIC, &began);
        if (!clopt_store_open_read(live->store_path, &store, &error))
            write_page(live, store, INTERVAL_S, &error); /* what fails may do later */
        clopt_store_close(store);
        clock_gettime(CLOCK_MONOTONIC, &ended);
        pause_s = SHARE * (ended.tv_sec - began.tv_sec);
        pause_s = pause_s > INTERVAL_S ? pause_s : INTERVAL_S;
    }
}

enum clopt_status clopt_live_begin(struct clopt_live *live, struct clopt_error *error)
{
    pid_t parent = getpid();
    sigset_t end, before;
    if (!live->path)
        return CLOPT_OK;
    if (write_page(live, NULL, INTERVAL_S, error))
        return error->status;
    sigemptyset(&end);
    sigaddset(&end, SIGTERM);
    sigprocmask(SIG_BLOCK, &end, &before);
    live->writer = fork();
    if (live->writer == 0) {
        setpriority(PRIO_PROCESS, 0, LOWEST);
        keep_writing(live, parent, &end);
        _exit(0);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    return live->writer < 0 ? clopt_fail(error, CLOPT_FAILED, "--live: cannot start a process: %s",
                                         strerror(errno))
                            : CLOPT_OK;
}

enum clopt_status clopt_live_end(struct clopt_live *live, struct clopt_store *store,
                                 struct clopt_error *error)
{
    if (live->writer <= 0)
        return CLOPT_OK;
    kill(live->writer, SIGTERM);
    while (waitpid(live->writer, NULL, 0) < 0 && errno == EINTR) {
    }
    live->writer = 0;
    return store ? write_page(live, store, 0, error) : CLOPT_OK;
}
