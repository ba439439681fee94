/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves, on every device found, that the digest of what a run has computed is the same for the
 * same contents and another one for others, wherever a byte differs and whatever is exchanged, in
 * buffers that are summed up on the host and on the device; that scratch and inputs are not part of
 * it; and that an input, or a guard, to which something was written is told, and the input
 * restored, whether its pages are protected, its digest is known, or neither. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/listing.h"
#include "worker/buffers.h"
#include "worker/pages.h"

enum { INPUT, SMALL, LARGE, SCRATCH, LARGE_INPUT };

/* How it is known that inputs are as they were. */
enum mode { IN_PLACE, DIGESTS, NO_DIGESTS };

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
    if (clopt_buffers_digest(buffers, digest))
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

static void write_wrong(struct clopt_buffers *buffers, unsigned id, size_t offset)
{
    static const char wrong[17] = "something else..";
    if (clEnqueueWriteBuffer(buffers->context->queue, buffers->items[id].whole, CL_TRUE, offset, 16,
                             wrong, 0, NULL, NULL) != CL_SUCCESS ||
        clFinish(buffers->context->queue) != CL_SUCCESS) /* some have small writes still to do */
        fail("clEnqueueWriteBuffer");
}

/* Whatever a faulty variant has written into an input or its guards is told, and gone at the next
 * run. */
static void expect_repair(struct clopt_buffers *buffers, const unsigned char *contents, unsigned id,
                          size_t offset)
{
    static unsigned char found[LARGE_BYTES];
    const struct clopt_device_buffer *input = &buffers->items[id];
    size_t guard = clopt_buffers_guard_bytes(buffers);
    const char *told = offset < guard                   ? "wrote before buffer large input"
                       : offset >= guard + input->bytes ? "wrote after buffer large input"
                       : id == INPUT                    ? "wrote to input input"
                                                        : "wrote to input large input";
    write_wrong(buffers, id, offset);
    if (clopt_buffers_check(buffers, true) != CLOPT_WRONG_RESULT ||
        strcmp(error.message, told) != 0 || buffers->damaged != (strstr(told, "to input") == NULL))
        fail(told);
    write_wrong(buffers, id, offset);
    if (clopt_buffers_poison(buffers) || clopt_buffers_check(buffers, true) ||
        clEnqueueReadBuffer(buffers->context->queue, input->data, CL_TRUE, 0, input->bytes, found,
                            0, NULL, NULL) != CL_SUCCESS ||
        memcmp(found, contents, input->bytes) != 0)
        fail("an input is not restored");
    buffers->damaged = false;
}

static void try_buffers(struct clopt_buffers *buffers, enum mode mode,
                        const unsigned char *contents)
{
    unsigned char swapped[32];
    char digest[CLOPT_HASH_SIZE];
    if (clopt_buffers_digest(buffers, first) || clopt_buffers_poison(buffers) ||
        clopt_buffers_digest(buffers, digest))
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
    bool is_protected = buffers->items[LARGE_INPUT].is_protected;
#ifdef __SANITIZE_ADDRESS__ /* the handler of faults is the sanitizer's: worker/pages.c */
    bool can_protect = false;
#else
    bool can_protect = true;
#endif
    if (mode == IN_PLACE && is_protected != can_protect &&
        strstr(buffers->context->info.platform, "Portable"))
        fail(can_protect ? "inputs are not protected" : "inputs are protected");
    if (mode == DIGESTS && (is_protected || !buffers->items[LARGE_INPUT].digest[0]))
        fail("the digest of a large input is not known");
    size_t guard = clopt_buffers_guard_bytes(buffers);
    size_t offsets[] = {0, guard, guard + LARGE_BYTES / 2, guard + LARGE_BYTES - 16,
                        2 * guard + (LARGE_BYTES + 15) / 16 * 16 - 16};
    for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++)
        expect_repair(buffers, contents, LARGE_INPUT, offsets[i]);
    expect_repair(buffers, contents, INPUT, guard + 16);
}

/* Tries the buffers of a device. */
static void try_device(const struct clopt_device_info *device, size_t ordinal, enum mode mode,
                       const unsigned char *contents)
{
    struct clopt_context context = {0};
    struct clopt_buffers wanted = {.context = NULL}, *buffers;
    if (clopt_context_open(&context, device, ordinal, &error))
        fail(device->platform);
    if (mode != IN_PLACE)
        context.in_place = CLOPT_NOT_IN_PLACE;
    ask(&wanted, INPUT, "input", CLOPT_INPUT, 32, contents);
    ask(&wanted, SMALL, "small", CLOPT_IN_OUT, 7, contents);
    ask(&wanted, LARGE, "large", CLOPT_IN_OUT, LARGE_BYTES, contents);
    ask(&wanted, SCRATCH, "scratch", CLOPT_SCRATCH, 32, NULL);
    ask(&wanted, LARGE_INPUT, "large input", CLOPT_INPUT, LARGE_BYTES, contents);
    context.builds = mode == NO_DIGESTS ? NULL : strdup("/dev/null/builds"); /* nothing is kept */
    if (clopt_buffers_create(&context, &wanted, &buffers, &error))
        fail("buffers");
    try_buffers(buffers, mode, contents);
    clopt_buffers_destroy(buffers);
    clopt_context_close(&context);
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
        size_t ordinal = 0; /* among those of its platform */
        for (size_t k = 0; k < i; k++)
            ordinal += strcmp(devices[k].platform, devices[i].platform) == 0;
        for (enum mode mode = IN_PLACE; mode <= NO_DIGESTS; mode++)
            try_device(&devices[i], ordinal, mode, contents);
    }
    free(devices);
    free(contents);
    return 0;
}
