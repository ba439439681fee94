/* SPDX-License-Identifier: BSD-3-Clause */
/* Many connections in one stream of bytes. */
#include "protocol/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "process/clock.h"

#define HEAD_BYTES  9
#define ALIVE_NS    1000000000
#define MOST_BYTES  ((uint32_t)320 << 20) /* of a frame */
#define MOST_BEFORE 65536                 /* that a launcher may print before the magic */

void clopt_stream_open(struct clopt_stream *stream, int in, int out)
{
    *stream = (struct clopt_stream){
        .in = in, .out = out, .heard_ns = clopt_now_ns(), .told_ns = clopt_now_ns()};
    fcntl(in, F_SETFL, fcntl(in, F_GETFL) | O_NONBLOCK);
    fcntl(out, F_SETFL, fcntl(out, F_GETFL) | O_NONBLOCK);
}

void clopt_stream_fini(struct clopt_stream *stream)
{
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

void clopt_stream_put(struct clopt_stream *stream, enum clopt_frame_kind kind, uint32_t channel,
                      const void *data, size_t length)
{
    append_number(&stream->sending, (uint32_t)length);
    append_number(&stream->sending, channel);
    clopt_text_append_char(&stream->sending, (char)kind);
    clopt_text_append_bytes(&stream->sending, data, length);
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

static void flush(struct clopt_stream *stream)
{
    int64_t now = clopt_now_ns();
    if (now - stream->told_ns > ALIVE_NS && !clopt_stream_is_full(stream))
        clopt_stream_put(stream, CLOPT_FRAME_ALIVE, 0, "", 0);
    while (clopt_stream_is_full(stream)) {
        ssize_t sent = write_some(stream->out, stream->sending.data + stream->sent,
                                  stream->sending.length - stream->sent);
        if (sent < 0 && errno != EINTR) {
            stream->ended |= errno != EAGAIN && errno != EWOULDBLOCK;
            break;
        }
        stream->sent += sent > 0 ? (size_t)sent : 0;
        stream->told_ns = now;
    }
    drop(&stream->sending, &stream->sent);
}

bool clopt_stream_is_full(const struct clopt_stream *stream)
{
    return stream->sent < stream->sending.length;
}

/* ---- reading ---- */

/* Reads what has come: not more than a frame at a time, however much the other side sends. */
static void fill(struct clopt_stream *stream)
{
    char chunk[65536];
    drop(&stream->received, &stream->taken);
    while (stream->received.length - stream->taken < HEAD_BYTES + MOST_BYTES) {
        ssize_t got = read(stream->in, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0) {
            stream->ended |= got == 0 || (errno != EAGAIN && errno != EWOULDBLOCK);
            break;
        }
        clopt_text_append_bytes(&stream->received, chunk, (size_t)got);
        stream->heard_ns = clopt_now_ns();
    }
}

void clopt_stream_exchange(struct clopt_stream *stream)
{
    if (stream->ended)
        return;
    flush(stream);
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
    const char *data = stream->received.data + stream->taken;
    size_t left = stream->received.length - stream->taken;
    uint32_t length = left < HEAD_BYTES ? 0 : read_number(data);
    stream->ended |= length > MOST_BYTES;
    if (left < HEAD_BYTES || left - HEAD_BYTES < length || length > MOST_BYTES)
        return false;
    *frame = (struct clopt_frame){(enum clopt_frame_kind)data[8], read_number(data + 4),
                                  data + HEAD_BYTES, length};
    stream->taken += HEAD_BYTES + length;
    return true;
}
