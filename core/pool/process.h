/* SPDX-License-Identifier: BSD-3-Clause */
/* A worker process, as its supervisor sees it. */
#pragma once

#include <signal.h>
#include <stdint.h>
#include <sys/types.h>

#include "process/child.h"
#include "protocol/message.h"

/* Called when a worker began, at a time, to do something else: a stage by name, "start", "paused"
 * or "end"; NULL: nothing. */
typedef void (*clopt_worker_begins)(void *user, unsigned worker, const char *doing,
                                    int64_t time_ns);

struct clopt_host;

/* What is known of a worker on another host. */
struct clopt_distant {
    struct clopt_host *host; /* NULL: it is on this one */
    uint32_t channel;
    bool heard; /* something has come of it that was not read */
    bool exited;
    bool lost; /* with its host */
    int wait_status;
    char *words;      /* the last that it printed; NULL: nothing */
    uint64_t memory;  /* that it takes, */
    uint64_t printed; /* and bytes that it has printed */
    int64_t usage_ns; /* when that came last; 0: never */
};

struct clopt_process {
    bool runs; /* or has exited, and was not waited for */
    pid_t pid; /* 0: none on this host */
    struct clopt_distant distant;
    int file;  /* the connection; */
    int notes; /* the one for notes, read when there is an answer, or limits are checked */
    struct clopt_message_reader reader;
    struct clopt_message_reader note_reader;
    char *folder;   /* its own, for temporary files */
    char *output;   /* the file there that gets what it prints for a request */
    bool busy;      /* a request is not answered yet */
    json_t *parts;  /* what has arrived of the answer by now; NULL: nothing */
    unsigned cache; /* as its settings say */
    clopt_worker_begins begins;
    void *user;
    unsigned number; /* of the worker, for those: its seat, and CLOPT_MOST_SEATS times its host's
                      * number, from 1 */
    enum clopt_stage stage;
    struct {
        int64_t stage_began_ns;
        int64_t request_began_ns;
        int64_t checked_ns;           /* when its limits were looked at last */
        struct clopt_process_use use; /* of processors, by then */
        int64_t paused_since_ns;      /* 0: it is not */
        int64_t paused_ns;            /* how long it was, in this request */
        double seconds[CLOPT_STAGES]; /* that stages before this one took, in this request */
    } clock;
};

/* How workers are started. The texts are not owned. */
struct clopt_process_settings {
    const char *program; /* clopt's; NULL: that of this process */
    const char *plugin_path;
    const char *kernel_path;
    const char *scratch;      /* a folder for theirs, where they print and leave temporary files */
    const char *builds;       /* one for the programs that they build; NULL: they store none */
    const char *driver_cache; /* one for the caches of drivers; NULL: scratch */
    unsigned cache;      /* number of a folder below scratch in which drivers that cache builds of
                          * sources do so; 0: where they do for the user */
    bool pin;            /* pin the threads of CPU runtimes to cores; or */
    bool unpin;          /* see to it that they are not, even if this process's are */
    const char *wrapper; /* a command of the shell that runs the worker, "$@", in another worker;
                          * NULL: none */
    struct clopt_host *host;           /* where they run; NULL: here */
    const volatile sig_atomic_t *stop; /* ends what a pool's owner waits for; may be NULL */
    clopt_worker_begins begins;        /* may be NULL */
    void *user;
};

/* Starts a worker. It ends with its supervisor, whatever happens. */
enum clopt_status clopt_process_start(struct clopt_process *process,
                                      const struct clopt_process_settings *settings,
                                      unsigned number, struct clopt_error *error);

/* Returns how many bytes the worker has printed since the last request, and its memory. */
uint64_t clopt_process_printed(const struct clopt_process *process);
uint64_t clopt_process_memory(const struct clopt_process *process);

/* Sends a request, and drops the reference to it. */
enum clopt_status clopt_process_request(struct clopt_process *process, json_t *request,
                                        struct clopt_error *error);

/* Takes in the notes that have arrived; fails where they are none. */
enum clopt_status clopt_process_take_notes(struct clopt_process *process,
                                           struct clopt_error *error);

/* Reads what has arrived: notes and parts are taken in, a whole answer is handed over. NULL: none
 * yet. CLOPT_INTERRUPTED: the worker has gone. */
enum clopt_status clopt_process_read(struct clopt_process *process, json_t **answer,
                                     struct clopt_error *error);

/* Pauses a worker and all that it started, or lets them go on; stages take no time meanwhile. */
void clopt_process_pause(struct clopt_process *process, bool paused);

/* Kills the worker and all that it started; clopt_process_stop() waits for it. */
void clopt_process_kill(struct clopt_process *process);

/* Whether a worker that was killed has exited, so that clopt_process_stop() does not wait. */
bool clopt_process_has_exited(const struct clopt_process *process);

/* Ends the worker and all that it started, without asking, and waits. Returns its wait status. */
int clopt_process_stop(struct clopt_process *process);

/* Gives a worker that has hung up time to exit, and ends it. Returns its wait status and the last
 * lines that it printed, for the caller to free; NULL: none. */
int clopt_process_end(struct clopt_process *process, char **words);

/* Ends the worker, unless it was killed or has hung up, and says how it ended: the signal's or exit
 * code's meaning and the last lines it printed, as `error`'s message. Returns the signal or 0. */
int clopt_process_explain(struct clopt_process *process, struct clopt_error *error);

void clopt_process_fini(struct clopt_process *process);
