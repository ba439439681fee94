/* SPDX-License-Identifier: BSD-3-Clause */
/* Another host, on which workers of this supervisor run: a launcher such as ssh starts `clopt
 * worker` there (pool/relay.h), which is talked to over its standard input and output. */
#pragma once

#include "pool/process.h"
#include "protocol/stream.h"
#include "space/study.h"

#define CLOPT_MOST_SEATS      8192                  /* of all hosts, */
#define CLOPT_MOST_GUESTS     1024                  /* and of one */
#define CLOPT_MOST_TRAVELLING ((uint64_t)256 << 20) /* bytes of a file that is sent there */

enum clopt_host_state {
    CLOPT_HOST_AWAY,     /* it is asked, or asked back, at its time */
    CLOPT_HOST_STARTING, /* its identity has not come, or it lacks files */
    CLOPT_HOST_READY,
    CLOPT_HOST_REFUSED, /* its clopt is another one, or it has none, or it was lost too often */
};

/* What becomes of a file of the study. */
enum clopt_file_want { CLOPT_FILE_KNOWN, CLOPT_FILE_WANTED, CLOPT_FILE_SENT };

/* What all hosts of a study get. */
struct clopt_host_setup {
    json_t *json;       /* what the frame says: the working folder, the files by their hashes */
    const char *errors; /* a folder for what launchers print on standard error */
    FILE *notices;      /* gets what becomes of hosts; NULL: nothing */
};

struct clopt_host {
    const struct clopt_study_host *wanted;
    const struct clopt_host_setup *setup;
    enum clopt_host_state state;
    pid_t launcher; /* 0: it is not running */
    int file;       /* its standard input and output */
    char *errors;   /* the file of its standard error */
    struct clopt_stream stream;
    bool known;                  /* it has said what it is */
    enum clopt_file_want *wants; /* of each file of the study */
    uint64_t file_bytes;         /* that were sent */
    int64_t hung_up_ns;
    int64_t next_ns;                  /* when it will be asked next */
    unsigned failures;                /* in a row */
    struct clopt_error why;           /* it is away, or refused */
    size_t builders;                  /* workers that may build there at the same time */
    size_t processors;                /* that it has, */
    uint64_t memory_bytes;            /* and 90% of its memory */
    char *builds;                     /* its folder for programs; NULL: it stores none */
    uint32_t channels;                /* that there were so far */
    struct clopt_process **processes; /* its workers */
    size_t process_count;
};

/* Makes room for a host; nothing is started. */
void clopt_host_init(struct clopt_host *host, const struct clopt_study_host *wanted,
                     const struct clopt_host_setup *setup);

/* Goes on with what there is to do, without waiting: asks for the host where it is time to, sends,
 * takes in what has come. Returns whether a worker has said something, or the host has come or
 * gone. */
bool clopt_host_advance(struct clopt_host *host);

/* Goes on without a host, for good; `reason` is what it did. */
void clopt_host_leave_out(struct clopt_host *host, const char *reason);

/* Loses a host whose workers do not end. */
void clopt_host_give_up(struct clopt_host *host);

/* Has a host end all that runs there, of its own accord. */
void clopt_host_hang_up(struct clopt_host *host);

/* Hangs up, if that was not done, and waits for the launcher. */
void clopt_host_fini(struct clopt_host *host);

/* The memory that a worker there may take. */
uint64_t clopt_host_memory(const struct clopt_host *host, const struct clopt_limits *limits);

/* ---- for pool/process.c: workers there ---- */

void clopt_host_start(struct clopt_host *host, struct clopt_process *process,
                      const struct clopt_process_settings *settings);
enum clopt_status clopt_host_request(struct clopt_process *process, json_t *request,
                                     struct clopt_error *error);
void clopt_host_tell(const struct clopt_process *process, enum clopt_frame_kind kind);
bool clopt_host_has_exited(const struct clopt_process *process);

/* Has no more come of a worker; returns its wait status. */
int clopt_host_forget(struct clopt_process *process);
