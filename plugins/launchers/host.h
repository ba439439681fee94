/* SPDX-License-Identifier: BSD-3-Clause */
/* One host, as its supervisor talks to it: a launcher such as ssh starts `clopt worker` there
 * (relay.c), over whose standard input and output both talk. */
#pragma once

#include "launchers/stream.h"
#include "pool/transport.h"
#include "study/schema.h"

#define CLOPT_MOST_GUESTS     1024                  /* workers of a host */
#define CLOPT_MOST_TRAVELLING ((uint64_t)256 << 20) /* bytes of a file that is sent there */

/* What becomes of a file of the study. */
enum clopt_file_want { CLOPT_FILE_KNOWN, CLOPT_FILE_WANTED, CLOPT_FILE_SENT };

/* [host NAME]: another host, whose devices measure, too. */
struct clopt_study_host {
    char *name;
    char *launcher; /* the command that starts a program there, with %h for the name; "": none, it
                     * is this host */
    char *program;  /* clopt's there */
    double start_s; /* from the launcher's start until it is ready */
};

/* What all hosts of a study get. */
struct clopt_host_setup {
    json_t *json;       /* what the frame says: the working folder, the files by their hashes */
    const char *errors; /* a folder for what launchers print on standard error */
    FILE *notices;      /* gets what becomes of hosts; NULL: nothing */
};

struct clopt_link {
    const struct clopt_host_setup *setup;
    const struct clopt_study_host *wanted;
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
    uint32_t channels;                /* that there were so far */
    struct clopt_process **processes; /* its workers */
    size_t process_count;
};

/* Hangs up, and the host ends all that runs there, of its own accord. */
void clopt_host_hang_up(struct clopt_host *host);

/* Hangs up, if that was not done, and waits for the launcher. */
void clopt_host_fini(struct clopt_host *host);

/* Goes on without a host, for good; `reason` is what it did. */
void clopt_host_leave_out(struct clopt_host *host, const char *reason);

/* Whether what several do at the same time is waited for any longer: once the first has done it,
 * the others are too late after some time, which is longer where that one took long. */
struct clopt_lateness {
    int64_t began_ns, first_ns; /* 0: none has done it yet */
};
bool clopt_is_too_late(struct clopt_lateness *lateness, bool one_has);

/* ---- what a study says of hosts ---- */

extern const struct clopt_study_section clopt_section_host;

/* Whether a text may be the name of a host. */
bool clopt_host_name_is_legal(const char *name);

/* Completes what a study knows of a host; `launcher` is for one that names none, NULL the standard
 * one. */
enum clopt_status clopt_host_complete(const struct clopt_registry *registry,
                                      struct clopt_study *study, struct clopt_study_host *host,
                                      const char *launcher, struct clopt_error *error);

void clopt_study_hosts_destroy(struct clopt_study_host *hosts, size_t count);

/* ---- operations of the transport (pool/transport.h) ---- */

enum clopt_status clopt_hosts_choose(struct clopt_study *study,
                                     const struct clopt_registry *registry, const char *list,
                                     struct clopt_error *error);
struct pollfd clopt_host_awaits(const struct clopt_host *host);
bool clopt_host_advance(struct clopt_host *host);
enum clopt_status clopt_hosts_list(struct clopt_pool *pool, struct clopt_host_devices *hosts,
                                   size_t *count, struct clopt_error *error);
void clopt_host_start(struct clopt_host *host, struct clopt_process *process,
                      const struct clopt_process_settings *settings);
enum clopt_status clopt_host_request(struct clopt_process *process, json_t *request,
                                     struct clopt_error *error);
void clopt_host_order(const struct clopt_process *process, enum clopt_order order);
int clopt_host_end(struct clopt_process *process);
enum clopt_status clopt_relay_serve(const struct clopt_process_settings *settings,
                                    struct clopt_error *error);

extern const struct clopt_transport clopt_transport;
