/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch that is captured, and the files that it leaves. */
#pragma once

#include "layer/layer.h"

/* How often a kernel was captured with the same sizes. */
struct clopt_capture_sizes {
    const struct clopt_record_row *row;
    uint64_t hash;
    unsigned count, idle; /* launches that change something, and nothing */
    uint64_t idle_bytes;  /* that the latter took */
};

struct clopt_capture {
    const struct clopt_launch *launch;
    struct clopt_record_row *row;
    unsigned number;               /* of the launch in this process */
    struct clopt_program *program; /* kept */
    struct clopt_argument_copy *arguments;
    size_t count;
    uint64_t reserved; /* bytes of the limit */
    uint64_t buffer_bytes;
    uint64_t launches; /* that had begun, when this one was looked at */
    struct clopt_capture_sizes *seen;
    char *chunk, *other_chunk;
};

/* Opens, or removes, a file of a launch, whose name ends so. */
int clopt_capture_open(const struct clopt_capture *capture, const char *ending, bool writes);
void clopt_capture_remove(const struct clopt_capture *capture, const char *ending);

/* Writes all, without the signal of a file that is too large for its process: the application knows
 * nothing of the file. Returns 0, or why not. */
int clopt_capture_write(int file, const char *data, size_t bytes);

/* Writes the text of a launch, and its source unless that is there. */
bool clopt_capture_describe(const struct clopt_capture *capture);
