/* SPDX-License-Identifier: BSD-3-Clause */
/* Fuzzes the reader of what other hosts send: the first byte says into pieces of which size the
 * others are cut, and the same frames must come out in any pieces. */
#include "launchers/stream.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* What came out: frames as they were sent, and whether the stream was given up. */
struct outcome {
    struct clopt_text frames;
    bool ended;
};

static void read_in_pieces(const char *data, size_t size, size_t piece, struct outcome *outcome)
{
    int ends[2];
    struct clopt_stream stream;
    struct clopt_frame frame;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
        abort();
    clopt_stream_open(&stream, ends[0], ends[0], CLOPT_MOST_FRAME_BYTES);
    for (size_t at = 0; at < size && !stream.ended; at += piece) {
        size_t part = piece < size - at ? piece : size - at;
        if (write(ends[1], data + at, part) != (ssize_t)part)
            abort();
        clopt_stream_exchange(&stream);
        while (clopt_stream_take(&stream, &frame)) {
            clopt_text_append_char(&outcome->frames, (char)frame.kind);
            clopt_text_append_bytes(&outcome->frames, (const char *)&frame.channel, 4);
            clopt_text_append_bytes(&outcome->frames, frame.data, frame.length);
        }
    }
    outcome->ended = stream.ended;
    clopt_stream_fini(&stream);
    close(ends[0]);
    close(ends[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    struct outcome whole = {0}, pieces = {0};
    read_in_pieces((const char *)data + 1, size - 1, size, &whole);
    read_in_pieces((const char *)data + 1, size - 1, (size_t)data[0] + 1, &pieces);
    if (whole.ended != pieces.ended || whole.frames.length != pieces.frames.length ||
        (whole.frames.length &&
         memcmp(whole.frames.data, pieces.frames.data, whole.frames.length) != 0))
        abort();
    clopt_text_fini(&whole.frames);
    clopt_text_fini(&pieces.frames);
    return 0;
}
