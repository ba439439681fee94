/* SPDX-License-Identifier: BSD-3-Clause */
/* The record of this process, in the file that it shares with the other ones of the application. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* MAP_ANONYMOUS, secure_getenv(), dl_iterate_phdr() */
#endif
#include "layer/layer.h"

#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct clopt_record *record;
static struct clopt_record_row *own[CLOPT_RECORD_ROWS]; /* of this process */
static size_t own_count;
static unsigned generation = 1; /* of copies of this process */

/* Whether the environment asks for binaries of the application's programs to be kept. */
static bool keeps_binaries(void)
{
    const char *asked = secure_getenv(CLOPT_KEEP_VARIABLE);
    return asked && *asked && strcmp(asked, "0") != 0;
}

/* Makes the record of a process for which no clopt waits: only its first rows are ever in memory.
 */
static bool make_own(void)
{
    const char *winners = secure_getenv(CLOPT_WISDOM_VARIABLE);
    winners = winners ? winners : "";
    void *mapped = *winners || keeps_binaries() ? mmap(NULL, sizeof *record, PROT_READ | PROT_WRITE,
                                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                                                : MAP_FAILED;
    if (mapped == MAP_FAILED)
        return false;
    record = mapped;
    record->untimed = 1;
    record->keeps = keeps_binaries();
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
    if (keeps_binaries())
        record->keeps = 1;
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

struct clopt_record_line *clopt_record_claim_line(const struct clopt_command_queue *queue)
{
    uint32_t index = record->untimed ? CLOPT_RECORD_LINES : record->line_count++;
    if (index >= CLOPT_RECORD_LINES)
        return NULL;
    struct clopt_record_line *line = &record->lines[index];
    line->process = getpid();
    line->origin_ns = record->began_ns;
    line->queue = queue ? queue->number : 0;
    snprintf(line->platform, sizeof line->platform, "%s", queue ? queue->platform : "");
    snprintf(line->device, sizeof line->device, "%s", queue ? queue->device : "");
    line->ready = 1;
    return line;
}

struct clopt_record_line *clopt_record_find_line(struct clopt_command_queue *queue)
{
    if (queue->line_generation != generation)
        queue->line = clopt_record_claim_line(queue);
    queue->line_generation = generation;
    return queue->line;
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

/* ---- other loaders ---- */

static unsigned with_layer; /* loaders that have asked for it */

void clopt_loaders_count(void)
{
    with_layer++;
}

void clopt_loaders_look(void)
{
    if (record && !record->untimed) /* else no report reads it */
        clopt_record_add_loaders(clopt_record_get(), with_layer);
}

static int note_count(struct dl_phdr_info *object, size_t size, void *count)
{
    (void)size;
    *(unsigned long long *)count = object->dlpi_adds;
    return 1;
}

bool clopt_loaders_are_others(void)
{
    static _Atomic unsigned long long looked;
    unsigned long long loaded = 0;
    dl_iterate_phdr(note_count, &loaded);
    if (loaded != looked)
        clopt_record_add_loaders(record, with_layer);
    looked = loaded;
    return record->loaders;
}

/* What was loaded later counts, too, unless the process ends by a signal or by _exit(). */
__attribute__((destructor)) static void look_at_the_end(void)
{
    clopt_loaders_look();
}
