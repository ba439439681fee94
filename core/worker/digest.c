/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells whether a run left the same in its buffers as another one, be it of another process. */
#include "worker/buffers.h"

#include "opencl/runner.h"

#define WORK_ITEMS 8192
#define SUMS_BYTES (WORK_ITEMS * sizeof(cl_ulong2))

/* Below this size reading back costs less than building a kernel. */
#define SMALL_BYTES ((size_t)1 << 20)

/* Each step can be undone, so that any change within a word changes a work-item's sum; other
 * changes do so but for one in 2^64. */
static const char source[] =
    "__kernel void digest(__global const ulong2 *data, ulong from, ulong count, ulong each,\n"
    "                     ulong start, ulong step, __global ulong2 *sums)\n"
    "{\n"
    "    ulong2 sum = (ulong2)(1, 2);\n"
    "    ulong i = get_global_id(0) * start;\n"
    "    for (ulong k = 0; k < each && i < count; k++, i += step) {\n"
    "        sum = (sum ^ data[from + i]) * 0x9E3779B97F4A7C15UL;\n"
    "        sum ^= sum >> 32;\n"
    "    }\n"
    "    sums[get_global_id(0)] = sum;\n"
    "}\n";

/* Adds what the device finds in so many vectors of a buffer and its guards. Of a CPU each work-item
 * gets a piece, of others they share every line of memory. */
static enum clopt_status add_on_device(const struct clopt_buffers *buffers,
                                       const struct clopt_device_buffer *buffer, size_t from,
                                       size_t count, struct clopt_sha256 *hash)
{
    struct clopt_context *context = buffers->context;
    bool is_cpu = clopt_device_is_cpu(&context->info);
    cl_ulong each = (count + WORK_ITEMS - 1) / WORK_ITEMS;
    cl_ulong numbers[] = {from, count, each, is_cpu ? each : 1, is_cpu ? 1 : WORK_ITEMS};
    struct clopt_runner runner = {
        .context = context, .program = context->digest_program, .error = buffers->error};
    struct clopt_own_launch launch = {.name = "digest", .global = WORK_ITEMS};
    clopt_runner_build(&runner, "digest", source, "");
    context->digest_program = runner.program;
    clopt_runner_prepare(&runner, &launch);
    cl_mem found = clopt_runner_create_buffer(&runner, SUMS_BYTES, NULL);
    clopt_runner_set(&runner, &launch, 0, sizeof buffer->whole, &buffer->whole);
    for (cl_uint i = 0; i < sizeof numbers / sizeof *numbers; i++)
        clopt_runner_set(&runner, &launch, i + 1, sizeof numbers[i], &numbers[i]);
    clopt_runner_set(&runner, &launch, 6, sizeof found, &found);
    clopt_runner_run(&runner, &launch);
    CLOPT_FREED void *sums = clopt_runner_read(&runner, found, SUMS_BYTES);
    if (!runner.status)
        clopt_sha256_add(hash, sums, SUMS_BYTES);
    clopt_runner_release(found);
    clopt_runner_release_launch(&launch);
    return runner.status ? clopt_fail_within(buffers->error, "buffer %s", buffer->name) : CLOPT_OK;
}

/* Reads a buffer or an image back, and adds its bytes. */
static enum clopt_status add_on_host(const struct clopt_buffers *buffers,
                                     const struct clopt_device_buffer *buffer,
                                     struct clopt_sha256 *hash)
{
    CLOPT_FREED void *data = malloc(buffer->bytes);
    CLOPT_NEED(data, buffers->error);
    CLOPT_TRY(clopt_buffer_read(buffers, buffer, 0, buffer->bytes, data));
    clopt_sha256_add(hash, data, buffer->bytes);
    return CLOPT_OK;
}

bool clopt_buffer_is_large(const struct clopt_buffers *buffers,
                           const struct clopt_device_buffer *buffer)
{
    return !buffer->is_image && buffer->bytes >= SMALL_BYTES &&
           clopt_buffers_guard_bytes(buffers) > 0;
}

enum clopt_status clopt_buffer_digest(const struct clopt_buffers *buffers,
                                      const struct clopt_device_buffer *buffer,
                                      char digest[CLOPT_HASH_SIZE])
{
    struct clopt_sha256 hash;
    size_t count = (buffer->bytes + 15) / 16 + 2 * clopt_buffers_guard_bytes(buffers) / 16;
    clopt_sha256_init(&hash);
    enum clopt_status status = clopt_buffer_is_large(buffers, buffer)
                                   ? add_on_device(buffers, buffer, 0, count, &hash)
                                   : add_on_host(buffers, buffer, &hash);
    clopt_sha256_end(&hash, digest);
    return status;
}

enum clopt_status clopt_buffers_digest(const struct clopt_buffers *buffers,
                                       char digest[CLOPT_HASH_SIZE])
{
    enum clopt_status status = CLOPT_OK;
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    for (unsigned id = 0; id < CLOPT_MAX_BUFFERS && !status; id++) {
        const struct clopt_device_buffer *buffer = &buffers->items[id];
        if (!clopt_buffer_is_computed(buffer))
            continue;
        uint64_t head[] = {id, buffer->bytes};
        clopt_sha256_add(&hash, head, sizeof head);
        /* What lies between the end of the data and a whole vector is the guard's. */
        status = clopt_buffer_is_large(buffers, buffer)
                     ? add_on_device(buffers, buffer, clopt_buffers_guard_bytes(buffers) / 16,
                                     (buffer->bytes + 15) / 16, &hash)
                     : add_on_host(buffers, buffer, &hash);
    }
    clopt_sha256_end(&hash, digest);
    return status;
}
