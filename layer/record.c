/* SPDX-License-Identifier: BSD-3-Clause */
/* The record of this process, in the file that it shares with the other ones of the application. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS, secure_getenv() */
#endif
#include "layer/layer.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct clopt_record *record;
static struct clopt_record_row *own[CLOPT_RECORD_ROWS]; /* of this process */
static size_t own_count;
static unsigned generation = 1;             /* of copies of this process */
static uint64_t chance = 88172645463325252; /* of xorshift64, which 0 would stop */

/* Makes the record of a process for which no clopt waits: only its first rows are ever in memory.
 */
static bool make_own(void)
{
    const char *winners = secure_getenv(CLOPT_WISDOM_VARIABLE);
    void *mapped = winners && *winners ? mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE,
                                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                       : MAP_FAILED;
    if (mapped == MAP_FAILED)
        return false;
    record = mapped;
    record->untimed = 1;
    if ((size_t)snprintf(record->winners, sizeof record->winners, "%s", winners) >=
        sizeof record->winners)
        fprintf(stderr, "clopt: " CLOPT_WISDOM_VARIABLE ": this path is too long\n");
    return true;
}

bool clopt_record_open(void)
{
    const char *path = secure_getenv(CLOPT_RECORD_VARIABLE);
    struct stat info;
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0)
        return make_own();
    void *mapped = fstat(file, &info) == 0 && info.st_size == (off_t)sizeof *record
                       ? mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                       : MAP_FAILED;
    close(file);
    if (mapped == MAP_FAILED)
        return false;
    record = mapped;
    if (memcmp(record->magic, CLOPT_RECORD_MAGIC, sizeof CLOPT_RECORD_MAGIC) != 0 ||
        record->bytes != sizeof *record) {
        munmap(mapped, sizeof *record);
        return false;
    }
    record->processes++;
    return true;
}

static struct clopt_record_row *claim_row(const struct clopt_kernel_object *kernel,
                                          const struct clopt_command_queue *queue)
{
    uint32_t index = record->row_count++;
    if (index >= CLOPT_RECORD_ROWS) {
        record->row_count = CLOPT_RECORD_ROWS + 1; /* more were wanted, however many */
        return NULL;
    }
    struct clopt_record_row *row = &record->rows[index];
    const struct clopt_program *program = kernel->program;
    row->process = getpid();
    row->program_kind = program ? program->kind : CLOPT_PROGRAM_UNKNOWN;
    snprintf(row->program, sizeof row->program, "%s", program ? program->hash : "");
    snprintf(row->family, sizeof row->family, "%s", program ? program->family : "");
    snprintf(row->kernel, sizeof row->kernel, "%s", kernel->name);
    snprintf(row->platform, sizeof row->platform, "%s", queue->platform);
    snprintf(row->device, sizeof row->device, "%s", queue->device);
    row->ready = 1;
    clopt_loaders_look();
    own[own_count++] = row;
    return row;
}

struct clopt_record_row *clopt_record_find_row(struct clopt_kernel_object *kernel,
                                               const struct clopt_command_queue *queue)
{
    const char *hash = kernel->program ? kernel->program->hash : "";
    if (kernel->row_queue == queue->number && kernel->row_generation == generation)
        return kernel->row;
    struct clopt_record_row *row = NULL;
    for (size_t i = 0; i < own_count && !row; i++)
        if (strcmp(own[i]->kernel, kernel->name) == 0 && strcmp(own[i]->program, hash) == 0 &&
            strcmp(own[i]->device, queue->device) == 0 &&
            strcmp(own[i]->platform, queue->platform) == 0)
            row = own[i];
    if (!row)
        row = claim_row(kernel, queue);
    kernel->row = row;
    kernel->row_queue = queue->number;
    kernel->row_generation = generation;
    return row;
}

static bool same_sizes(const struct clopt_record_sizes *a, const struct clopt_record_sizes *b)
{
    return a->dimensions == b->dimensions && memcmp(a->global, b->global, sizeof a->global) == 0 &&
           memcmp(a->local, b->local, sizeof a->local) == 0;
}

struct clopt_record_sizes *clopt_record_launch(struct clopt_record_row *row,
                                               const struct clopt_launch *launch,
                                               uint64_t buffer_bytes)
{
    struct clopt_record_sizes of = {.dimensions = launch->dimensions, .buffer_bytes = buffer_bytes};
    for (cl_uint d = 0; d < launch->dimensions && d < 3; d++) {
        of.global[d] = launch->global ? launch->global[d] : 0;
        of.local[d] = launch->local ? launch->local[d] : 0;
    }
    row->launches.count++;
    row->sizes_differ |= row->size_count && !same_sizes(&row->sizes[0], &of);
    uint32_t at = 0;
    while (at < row->size_count &&
           !(row->sizes[at].buffer_bytes == buffer_bytes && same_sizes(&row->sizes[at], &of)))
        at++;
    if (at == CLOPT_RECORD_SIZES)
        return NULL;
    if (at == row->size_count)
        row->sizes[row->size_count++] = of;
    row->sizes[at].count++;
    return &row->sizes[at];
}

void clopt_record_time(const struct clopt_timing *timing, uint64_t time_ns)
{
    struct clopt_record_row *row = timing->row;
    uint64_t at = row->launches.timed++;
    row->winner.timed += timing->by_winner;
    row->winner.total_ns += timing->by_winner ? time_ns : 0;
    row->launches.total_ns += time_ns;
    row->launches.buffer_bytes += timing->buffer_bytes;
    if (timing->sizes) {
        timing->sizes->timed++;
        timing->sizes->total_ns += time_ns;
    }
    if (at >= CLOPT_RECORD_TIMES) {
        chance ^= chance << 13;
        chance ^= chance >> 7;
        chance ^= chance << 17;
        at = chance % (at + 1); /* each launch is kept with the same probability */
    }
    if (at < CLOPT_RECORD_TIMES)
        row->times_ns[at] = time_ns;
}

void clopt_record_omit(struct clopt_record_omission *omission, const char *format, ...)
{
    va_list arguments;
    clopt_layer_lock();
    omission->count++;
    va_start(arguments, format);
    vsnprintf(omission->reason, sizeof omission->reason, format, arguments);
    va_end(arguments);
    clopt_layer_unlock();
}

struct clopt_record *clopt_record_get(void)
{
    return record;
}

void clopt_record_forget(void)
{
    own_count = 0;
    generation++;
}
