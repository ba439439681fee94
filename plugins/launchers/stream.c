/* SPDX-License-Identifier: BSD-3-Clause */
/* Many connections in one stream of bytes. */
#include "launchers/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "process/clock.h"

#define HEAD_BYTES  9
#define SECOND_NS   ((int64_t)1000 * 1000 * 1000)
#define ALIVE_NS    SECOND_NS
#define SILENT_S    8
#define MOST_LOAD   8     /* it may be silent for so many times as long */
#define BUSY_S      60    /* this side may be, and still lives */
#define MOST_BEFORE 65536 /* bytes that a launcher may print before the magic */

void clopt_stream_open(struct clopt_stream *stream, int in, int out, uint32_t most_bytes)
{
    pthread_condattr_t own_clock;
    *stream = (struct clopt_stream){.in = in,
                                    .out = out,
                                    .most_bytes = most_bytes,
                                    .looked_ns = clopt_now_ns(),
                                    .told_ns = clopt_now_ns()};
    pthread_mutex_init(&stream->lock, NULL);
    pthread_condattr_init(&own_clock);
    pthread_condattr_setclock(&own_clock, CLOCK_MONOTONIC);
    pthread_cond_init(&stream->rest, &own_clock);
    pthread_condattr_destroy(&own_clock);
    fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
    fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

void clopt_stream_fini(struct clopt_stream *stream)
{
    clopt_stream_rest(stream);
    clopt_text_fini(&stream->received);
    clopt_text_fini(&stream->sending);
}

/* Drops bytes at the beginning of a text, once they are most of it. */
static void drop(struct clopt_text *text, size_t *bytes)
{
    if (!*bytes || *bytes < text->length / 2)
        return;
    memmove(text->data, text->data + *bytes, text->length - *bytes);
    text->length -= *bytes;
    *bytes = 0;
}

/* ---- writing ---- */

static void append_number(struct clopt_text *text, uint32_t number)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        clopt_text_append_char(text, (char)(number >> shift));
}

static void put(struct clopt_stream *stream, enum clopt_frame_kind kind, uint32_t channel,
                const void *data, size_t length)
{
    append_number(&stream->sending, (uint32_t)length);
    append_number(&stream->sending, channel);
    clopt_text_append_char(&stream->sending, (char)kind);
    clopt_text_append_bytes(&stream->sending, data, length);
    clopt_text_append_char(&stream->sending, '\n');
}

void clopt_stream_put(struct clopt_stream *stream, enum clopt_frame_kind kind, uint32_t channel,
                      const void *data, size_t length)
{
    pthread_mutex_lock(&stream->lock);
    put(stream, kind, channel, data, length);
    pthread_mutex_unlock(&stream->lock);
}

void clopt_stream_put_json(struct clopt_stream *stream, enum clopt_frame_kind kind,
                           uint32_t channel, json_t *json)
{
    CLOPT_FREED char *text = json_dumps(json, JSON_COMPACT);
    json_decref(json);
    clopt_stream_put(stream, kind, channel, text, strlen(text));
}

/* Writes without the signal that a program gets whose reader has gone. */
static ssize_t write_some(int file, const char *data, size_t size)
{
    ssize_t sent = send(file, data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
    return sent < 0 && errno == ENOTSOCK ? write(file, data, size) : sent;
}

static bool is_full(const struct clopt_stream *stream)
{
    return stream->sent < stream->sending.length;
}

/* Sends what can be without waiting, under the lock; false: the other side has hung up. */
static bool flush(struct clopt_stream *stream)
{
    int64_t now = clopt_now_ns();
    bool goes_on = true;
    if (now - stream->told_ns > ALIVE_NS && !is_full(stream))
        put(stream, CLOPT_FRAME_ALIVE, 0, "", 0);
    while (is_full(stream)) {
        ssize_t sent = write_some(stream->out, stream->sending.data + stream->sent,
                                  stream->sending.length - stream->sent);
        if (sent < 0 && errno != EINTR) {
            goes_on = errno == EAGAIN || errno == EWOULDBLOCK;
            break;
        }
        stream->sent += sent > 0 ? (size_t)sent : 0;
        stream->told_ns = now;
    }
    drop(&stream->sending, &stream->sent);
    return goes_on;
}

bool clopt_stream_is_full(struct clopt_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    bool full = is_full(stream);
    pthread_mutex_unlock(&stream->lock);
    return full;
}

/* ---- signs of life ---- */

/* Is the thread: what waits for a disk, or for a process to exit, says nothing by itself. */
static void *beat(void *user)
{
    struct clopt_stream *stream = user;
    pthread_mutex_lock(&stream->lock);
    while (!stream->rests) {
        struct timespec next;
        clock_gettime(CLOCK_MONOTONIC, &next);
        next.tv_sec++;
        pthread_cond_timedwait(&stream->rest, &stream->lock, &next);
        if (!stream->rests && clopt_now_ns() - stream->looked_ns < BUSY_S * SECOND_NS)
            flush(stream); /* that the other side has hung up is found out when it is read from */
    }
    pthread_mutex_unlock(&stream->lock);
    return NULL;
}

void clopt_stream_keep_alive(struct clopt_stream *stream)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the thread that was there */
    stream->beats = stream->beats || pthread_create(&stream->pulse, NULL, beat, stream) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void clopt_stream_rest(struct clopt_stream *stream)
{
    if (!stream->beats)
        return;
    pthread_mutex_lock(&stream->lock);
    stream->rests = true;
    pthread_cond_signal(&stream->rest);
    pthread_mutex_unlock(&stream->lock);
    pthread_join(stream->pulse, NULL);
    stream->beats = false;
}

double clopt_stream_patience_s(void)
{
    double load = 0;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) != 1 || processors < 1)
        return SILENT_S;
    return ceil(SILENT_S * fmin(fmax(load / (double)processors, 1), MOST_LOAD));
}

bool clopt_stream_is_silent(const struct clopt_stream *stream)
{
    return stream->silent_ns > SILENT_S * SECOND_NS &&
           (double)stream->silent_ns > clopt_stream_patience_s() * 1e9;
}

/* ---- reading ---- */

/* Reads what has come: not more than a frame at a time, however much the other side sends. */
static void fill(struct clopt_stream *stream)
{
    char chunk[65536];
    drop(&stream->received, &stream->taken);
    while (stream->received.length - stream->taken < HEAD_BYTES + (size_t)stream->most_bytes) {
        ssize_t got = read(stream->in, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            stream->ended |= got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
            break;
        }
        clopt_text_append_bytes(&stream->received, chunk, (size_t)got);
        stream->silent_ns = 0;
    }
}

void clopt_stream_exchange(struct clopt_stream *stream)
{
    if (stream->ended)
        return;
    pthread_mutex_lock(&stream->lock);
    int64_t now = clopt_now_ns(), passed = now - stream->looked_ns; /* this side may have slept */
    passed = passed < SECOND_NS ? passed : SECOND_NS;
    stream->looked_ns = now;
    stream->age_ns += passed;
    stream->silent_ns += passed;
    stream->ended = !flush(stream);
    pthread_mutex_unlock(&stream->lock);
    fill(stream);
}

/* Passes over what comes before the magic. */
static bool find_magic(struct clopt_stream *stream)
{
    const size_t length = strlen(CLOPT_STREAM_MAGIC);
    const struct clopt_text *text = &stream->received;
    for (size_t i = 0; !stream->greeted && i + length <= text->length; i++)
        if (memcmp(text->data + i, CLOPT_STREAM_MAGIC, length) == 0) {
            stream->greeted = true;
            stream->taken = i + length;
        }
    stream->ended |= !stream->greeted && text->length > MOST_BEFORE;
    return stream->greeted;
}

static uint32_t read_number(const char *data)
{
    uint32_t number = 0;
    for (int i = 0; i < 4; i++)
        number = number << 8 | (unsigned char)data[i];
    return number;
}

bool clopt_stream_take(struct clopt_stream *stream, struct clopt_frame *frame)
{
    if (!find_magic(stream))
        return false;
    if (stream->follows && stream->taken < stream->received.length) {
        stream->taken += stream->received.data[stream->taken] == '\n';
        stream->follows = false;
    }
    const char *data = stream->received.data + stream->taken;
    size_t left = stream->received.length - stream->taken;
    uint32_t length = left < HEAD_BYTES ? 0 : read_number(data);
    stream->ended |= length > stream->most_bytes;
    if (left < HEAD_BYTES || left - HEAD_BYTES < length || length > stream->most_bytes)
        return false;
    *frame = (struct clopt_frame){(enum clopt_frame_kind)data[8], read_number(data + 4),
                                  data + HEAD_BYTES, length};
    stream->taken += HEAD_BYTES + length;
    stream->follows = true;
    return true;
}
