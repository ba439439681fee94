/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of launches that are captured. Each leaves a text, PROCESS-NUMBER.launch: lines of a word
 * and its value, argument by argument. It appears when all else is there. */
#include "layer/capture.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "text/text.h"

#define MOST_PATH 1200

/* ---- files ---- */

/* Makes the path of a file in the folder: NAME, or PROCESS-NUMBER ENDING. */
static void make_path(char path[MOST_PATH], const struct clopt_capture *capture, const char *ending)
{
    const char *folder = clopt_record_get()->folder;
    if (ending)
        snprintf(path, MOST_PATH, "%s/%d-%u%s", folder, (int)getpid(), capture->number, ending);
    else
        snprintf(path, MOST_PATH, "%s/%s.cl", folder, capture->row->program);
}

int clopt_capture_open(const struct clopt_capture *capture, const char *ending, bool writes)
{
    char path[MOST_PATH];
    make_path(path, capture, ending);
    return open(path, writes ? O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC : O_RDONLY | O_CLOEXEC, 0600);
}

void clopt_capture_remove(const struct clopt_capture *capture, const char *ending)
{
    char path[MOST_PATH];
    make_path(path, capture, ending);
    unlink(path);
}

int clopt_capture_write(int file, const char *data, size_t bytes)
{
    sigset_t large, before;
    int failure = 0;
    sigemptyset(&large);
    sigaddset(&large, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &large, &before);
    while (bytes && !failure) {
        ssize_t done = write(file, data, bytes);
        if (done > 0) {
            data += done;
            bytes -= (size_t)done;
        } else if (done == 0 || errno != EINTR) {
            failure = done == 0 ? ENOSPC : errno;
        }
    }
    if (failure == EFBIG && !sigismember(&before, SIGXFSZ))
        sigtimedwait(&large, NULL, &(struct timespec){0});
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failure;
}

/* ---- the text ---- */

static void append_argument(struct clopt_text *text, size_t index,
                            const struct clopt_argument_copy *argument)
{
    const struct clopt_argument *value = &argument->value;
    const unsigned char *bytes = value->large ? value->large : value->small;
    const struct clopt_memory *memory = &argument->memory;
    if (argument->has_data) {
        clopt_text_printf(text, "buffer %zu %zu %d %d %" PRIxPTR " %zu ", index, memory->bytes,
                          argument->changed, value->is_svm, (uintptr_t)memory->parent,
                          memory->begin);
        if (memory->type[0])
            clopt_text_printf(text, "%s[%zu", memory->type, memory->size[0]);
        for (unsigned d = 1; memory->type[0] && d < 3 && memory->size[d]; d++)
            clopt_text_printf(text, ", %zu", memory->size[d]);
        clopt_text_append(text, memory->type[0] ? "]\n" : "\n");
    } else if (argument->is_sampler) {
        clopt_text_printf(text, "sampler %zu %zu %s\n", index, value->bytes, argument->sampler);
    } else if (value->is_null) {
        clopt_text_printf(text, "null %zu %zu\n", index, value->bytes);
    } else if (value->set) {
        clopt_text_printf(text, "value %zu %zu ", index, value->bytes);
        for (size_t i = 0; i < value->bytes; i++)
            clopt_text_printf(text, "%02x", bytes[i]);
        clopt_text_append_char(text, '\n');
    }
}

static void append_sizes(struct clopt_text *text, const char *what, cl_uint dimensions,
                         const size_t *values)
{
    clopt_text_printf(text, "%s", what);
    for (cl_uint d = 0; d < dimensions; d++)
        clopt_text_printf(text, " %zu", values ? values[d] : 0);
    clopt_text_append_char(text, '\n');
}

static bool write_text(const struct clopt_capture *capture)
{
    const struct clopt_launch *launch = capture->launch;
    struct clopt_text text = {0};
    clopt_text_printf(
        &text, "kernel %s\nprogram %s\ndevice %s\norder %" PRIu64 "\nbytes %" PRIu64 "\noptions ",
        capture->row->kernel, capture->row->program, capture->row->device, capture->launches,
        capture->buffer_bytes);
    for (const char *at = capture->program->options; at && *at; at++)
        clopt_text_append_char(&text, *at == '\n' || *at == '\r' ? ' ' : *at);
    clopt_text_append_char(&text, '\n');
    append_sizes(&text, "global", launch->dimensions, launch->global);
    append_sizes(&text, "local", launch->dimensions, launch->local);
    for (size_t i = 0; i < capture->count; i++)
        append_argument(&text, i, &capture->arguments[i]);
    clopt_text_append(&text, "end\n");
    int file = clopt_capture_open(capture, ".launch", true);
    bool written = file >= 0 && clopt_capture_write(file, text.data, text.length) == 0;
    if (file >= 0)
        close(file);
    clopt_text_fini(&text);
    return written;
}

/* Writes the source, unless it is there. */
static bool write_source(const struct clopt_capture *capture)
{
    char path[MOST_PATH];
    const char *source = capture->program->source;
    make_path(path, capture, NULL);
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0)
        return errno == EEXIST;
    int failure = clopt_capture_write(file, source, strlen(source));
    close(file);
    if (failure)
        unlink(path);
    return !failure;
}

bool clopt_capture_describe(const struct clopt_capture *capture)
{
    bool whole = write_source(capture) && write_text(capture);
    if (!whole)
        clopt_capture_remove(capture, ".launch");
    return whole;
}
