/* SPDX-License-Identifier: BSD-3-Clause */
/* Many connections in one stream of bytes, as between a supervisor and another host.
 *
 * A frame is four bytes of length, four of the channel, one that says what it is, and so many bytes
 * of data; numbers have their most significant byte first. A newline may follow, and does of this
 * side: Open MPI 5's mpirun keeps back a line without an end. What a launcher prints before
 * CLOPT_STREAM_MAGIC is passed over. */
#pragma once

#include <jansson.h>
#include <pthread.h>

#include "text/text.h"

#define CLOPT_STREAM_MAGIC     "\nclopt worker pool\n"
#define CLOPT_MOST_FRAME_BYTES ((uint32_t)320 << 20)

enum clopt_frame_kind {
    CLOPT_FRAME_ALIVE = 'a',    /* nothing: once a second, so that each side knows of the other */
    CLOPT_FRAME_IDENTITY = 'i', /* from the host: what it is, and its clopt */
    CLOPT_FRAME_SETUP = 'v',    /* to it: which files the study has, by their hashes */
    CLOPT_FRAME_WANTED = 'w',   /* from it: those that it lacks; none: it is ready */
    CLOPT_FRAME_FILE = 'f',     /* to it: the file whose number the channel is */
    CLOPT_FRAME_START = 's',    /* to it, for the worker of the channel: start it, */
    CLOPT_FRAME_REQUEST = 'q',  /* hand it a message, */
    CLOPT_FRAME_PAUSE = 'p',    /* pause it, */
    CLOPT_FRAME_RESUME = 'r',   /* let it go on, */
    CLOPT_FRAME_KILL = 'k',     /* end it */
    CLOPT_FRAME_ANSWER = 'A',   /* from it: bytes that the worker has sent, */
    CLOPT_FRAME_NOTES = 'N',    /* bytes of its notes, */
    CLOPT_FRAME_USAGE = 'U',    /* what it takes of memory, has printed, and lost to others, */
    CLOPT_FRAME_EXIT = 'X',     /* how it ended */
};

struct clopt_frame {
    enum clopt_frame_kind kind;
    uint32_t channel;
    const char *data; /* the stream's, until the next call */
    size_t length;
};

/* The files are not owned. All else zero at first. */
struct clopt_stream {
    int in, out;
    uint32_t most_bytes; /* of a frame that comes */
    bool follows;        /* a frame was taken, behind which a newline may be */
    struct clopt_text received, sending;
    size_t taken, sent;   /* bytes of those that are done with */
    bool greeted;         /* the magic has come */
    bool ended;           /* the other side has hung up */
    int64_t looked_ns;    /* when this side looked last for what has come, */
    int64_t age_ns;       /* for how long it has looked, */
    int64_t silent_ns;    /* and how much of that since something came */
    int64_t told_ns;      /* when something was sent last */
    pthread_t pulse;      /* keeps this side alive */
    bool beats, rests;    /* there is that thread, and it is to end */
    pthread_mutex_t lock; /* of `sending`, `sent`, `looked_ns`, `told_ns` and `rests` */
    pthread_cond_t rest;
};

/* Begins to talk: neither reading nor writing waits from then on. Frames that come have at most so
 * many bytes, or the stream ends. */
void clopt_stream_open(struct clopt_stream *stream, int in, int out, uint32_t most_bytes);

/* Has a thread say that this side lives where it is busy, for a minute at most. */
void clopt_stream_keep_alive(struct clopt_stream *stream);

/* Ends that thread: before `out` is closed. */
void clopt_stream_rest(struct clopt_stream *stream);
void clopt_stream_fini(struct clopt_stream *stream);

/* Returns for how many seconds the other side may say nothing: 8, and more where the machine is
 * loaded. */
double clopt_stream_patience_s(void);

/* Whether it has said nothing for so long. Time in which this side did not look does not count: it
 * was busy, or the machine was. */
bool clopt_stream_is_silent(const struct clopt_stream *stream);

/* Adds a frame to what is to be sent: bytes; or JSON, to which the reference is dropped. */
void clopt_stream_put(struct clopt_stream *stream, enum clopt_frame_kind kind, uint32_t channel,
                      const void *data, size_t length);
void clopt_stream_put_json(struct clopt_stream *stream, enum clopt_frame_kind kind,
                           uint32_t channel, json_t *json);

/* Writes and reads what can be without waiting, and says once a second that this side lives. */
void clopt_stream_exchange(struct clopt_stream *stream);

/* Whether something waits to be written. */
bool clopt_stream_is_full(struct clopt_stream *stream);

/* Takes the next whole frame; false: there is none. */
bool clopt_stream_take(struct clopt_stream *stream, struct clopt_frame *frame);
