/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves, on every device found, that the digest of what a run has computed is the same for the
 * same contents and another one for others, wherever a byte differs and whatever is exchanged, in
 * buffers that are summed up on the host and on the device; and that scratch and inputs are not
 * part of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "worker/digest.h"

enum { INPUT, SMALL, LARGE, SCRATCH };

#define LARGE_BYTES (((size_t)3 << 20) + 5)

static struct clopt_error error;
static char first[CLOPT_HASH_SIZE];

static void fail(const char *what)
{
    fprintf(stderr, "device_digest: %s: %s\n", what, error.message);
    exit(1);
}

static void ask(struct clopt_buffers *buffers, unsigned id, const char *name,
                enum clopt_buffer_use use, size_t bytes, const void *contents)
{
    buffers->items[id] = (struct clopt_device_buffer){
        .name = name, .use = use, .bytes = bytes, .contents = contents};
}

static void write_bytes(struct clopt_buffers *buffers, unsigned id, size_t offset,
                        const void *bytes, size_t count)
{
    if (clEnqueueWriteBuffer(buffers->context->queue, buffers->items[id].data, CL_TRUE, offset,
                             count, bytes, 0, NULL, NULL) != CL_SUCCESS)
        fail("clEnqueueWriteBuffer");
}

/* Whether the digest is the first one while bytes are others; puts them back. */
static bool is_same_with(struct clopt_buffers *buffers, unsigned id, size_t offset,
                         const unsigned char *contents, const void *bytes, size_t count)
{
    char digest[CLOPT_HASH_SIZE];
    write_bytes(buffers, id, offset, bytes, count);
    if (clopt_buffers_digest(buffers, digest, &error))
        fail("digest");
    write_bytes(buffers, id, offset, contents + offset, count);
    return strcmp(digest, first) == 0;
}

static void expect_other(struct clopt_buffers *buffers, unsigned id, const unsigned char *contents,
                         size_t offset)
{
    unsigned char other = contents[offset] ^ 0x10;
    if (is_same_with(buffers, id, offset, contents, &other, 1))
        fail(buffers->items[id].name);
}

static void try_buffers(struct clopt_buffers *buffers, const unsigned char *contents)
{
    unsigned char swapped[32];
    char digest[CLOPT_HASH_SIZE];
    if (clopt_buffers_digest(buffers, first, &error) || clopt_buffers_poison(buffers, &error) ||
        clopt_buffers_digest(buffers, digest, &error))
        fail("digest");
    if (strcmp(digest, first) != 0)
        fail("the same contents have two digests");
    for (size_t i = 0; i < 7; i++)
        expect_other(buffers, SMALL, contents, i);
    for (size_t i = 0; i < LARGE_BYTES; i += LARGE_BYTES / 37)
        expect_other(buffers, LARGE, contents, i);
    for (size_t i = LARGE_BYTES - 6; i < LARGE_BYTES; i++)
        expect_other(buffers, LARGE, contents, i);
    memcpy(swapped, contents + 16, 16);
    memcpy(swapped + 16, contents, 16);
    if (is_same_with(buffers, LARGE, 0, contents, swapped, 32))
        fail("exchanged vectors are not seen");
    memset(swapped, 0, sizeof swapped);
    if (!is_same_with(buffers, SCRATCH, 0, contents, swapped, 32) ||
        !is_same_with(buffers, INPUT, 0, contents, swapped, 32))
        fail("what is no result is part of the digest");
}

int main(void)
{
    struct clopt_device_info *devices = NULL;
    size_t count = 0;
    unsigned char *contents = malloc(LARGE_BYTES);
    if (getenv("CLOPT_NO_DEVICE_TESTS") || !contents ||
        clopt_device_list(NULL, &devices, NULL, &count, &error) || count == 0)
        return 77;
    for (size_t i = 0; i < LARGE_BYTES; i++)
        contents[i] = (unsigned char)(i * i >> 7);
    for (size_t i = 0; i < count; i++) {
        struct clopt_context context = {0};
        struct clopt_buffers buffers = {.context = &context};
        size_t ordinal = 0; /* among those of its platform */
        for (size_t k = 0; k < i; k++)
            ordinal += strcmp(devices[k].platform, devices[i].platform) == 0;
        if (clopt_context_open(&context, &devices[i], ordinal, &error))
            fail(devices[i].platform);
        ask(&buffers, INPUT, "input", CLOPT_INPUT, 32, contents);
        ask(&buffers, SMALL, "small", CLOPT_IN_OUT, 7, contents);
        ask(&buffers, LARGE, "large", CLOPT_IN_OUT, LARGE_BYTES, contents);
        ask(&buffers, SCRATCH, "scratch", CLOPT_SCRATCH, 32, NULL);
        if (clopt_buffers_create(&buffers, &error))
            fail("buffers");
        try_buffers(&buffers, contents);
        clopt_buffers_fini(&buffers);
        clopt_context_close(&context);
    }
    free(devices);
    free(contents);
    return 0;
}
