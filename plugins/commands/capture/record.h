/* SPDX-License-Identifier: BSD-3-Clause */
/* What the layer writes while an application runs, and clopt reads when it has ended: a file that
 * all processes of the application map. It is as large as it will ever be before they start, so
 * that a full disk harms none of them, and what a process has recorded stays when it crashes. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The path of the file. Without it the layer hands out the calls of the loader as they are. */
#define CLOPT_RECORD_VARIABLE "CLOPT_LAYER_RECORD"

/* The path of a file of winners: with it and without a record the layer launches these, times
 * nothing and reports nothing. */
#define CLOPT_WISDOM_VARIABLE "CLOPT_WISDOM"

/* Not empty and not 0: binaries of the application's own programs are kept, and loaded by later
 * processes instead of builds. It counts without a record, too. */
#define CLOPT_KEEP_VARIABLE "CLOPT_KEEP_BINARIES"

#define CLOPT_RECORD_MAGIC "clopt layer 1"
#define CLOPT_RECORD_ROWS  1024
#define CLOPT_RECORD_TIMES 480
#define CLOPT_RECORD_SIZES 16
#define CLOPT_RECORD_LINES 64
#define CLOPT_RECORD_PARTS 512

/* How a program came into being. */
enum clopt_program_kind {
    CLOPT_PROGRAM_SOURCE,
    CLOPT_PROGRAM_BINARY,
    CLOPT_PROGRAM_IL,
    CLOPT_PROGRAM_BUILT_IN,
    CLOPT_PROGRAM_LINKED,
    CLOPT_PROGRAM_UNKNOWN, /* by a call that the layer does not know */
};

/* How many launches there were, and what became of the timed ones. */
struct clopt_record_launches {
    uint64_t count;
    uint64_t timed; /* the others have not ended, or their queue cannot tell times */
    uint64_t total_ns;
    uint64_t buffer_bytes; /* of the buffers that the timed launches were given */
};

/* Launches of the same sizes, whose buffers take as many bytes; a local size of 0 was left to the
 * driver. */
struct clopt_record_sizes {
    uint32_t dimensions;
    uint64_t global[3], local[3];
    uint64_t buffer_bytes;
    uint64_t count;
    uint64_t timed, total_ns;
};

/* Launches that were not treated as was wanted, and why the last one was not. */
struct clopt_record_omission {
    uint64_t count;
    char reason[200];
};

/* A kernel of a program on a device, in one process, which alone writes the row. */
struct clopt_record_row {
    _Atomic uint32_t ready; /* the texts below are whole */
    uint32_t program_kind;
    int64_t process;
    char program[65]; /* a hash of source and build options */
    char family[65];  /* of the source, but for its numbers */
    char kernel[255];
    char platform[128], device[128];

    struct clopt_record_launches launches;
    uint32_t sizes_differ; /* global or local ones */
    uint32_t size_count;
    struct clopt_record_sizes sizes[CLOPT_RECORD_SIZES]; /* the first; later ones are not there */
    uint64_t times_ns[CLOPT_RECORD_TIMES]; /* of timed launches: all, or as many at random: */
    uint64_t chance;                       /* by numbers that follow this one; 0: the first */

    uint64_t captured;                     /* launches, whole, in the folder */
    struct clopt_record_omission left_out; /* were wanted, and could not be captured */
    struct {
        char variant[200]; /* its name */
        char sibling[128]; /* the device that it was measured on, if another one */
        double gain; /* how many times as fast as the kernel a sibling's is here; 0: not known */
        uint64_t replaced;                 /* launches of it in the place of the kernel */
        uint64_t checked;                  /* launches of both, with the same results */
        uint32_t loaded;                   /* its program was kept by an earlier process */
        uint64_t timed, total_ns;          /* of the launches of the winner */
        char missing[200];                 /* why there is none */
        struct clopt_record_omission kept; /* are of the kernel nevertheless */
    } winner;
};

/* What a process does. Where several threads are in calls, the first of these that one is in
 * counts, so that each moment has one name; its own code alone is what all of them are outside. */
enum clopt_activity {
    CLOPT_OPENS, /* contexts */
    CLOPT_BUILDS,
    CLOPT_COPIES,
    CLOPT_MAPS,
    CLOPT_LAUNCHES,
    CLOPT_WAITS,
    CLOPT_OUTSIDE, /* of these calls */
    CLOPT_ACTIVITIES
};

/* What a process does over the run, or what a device does for one of its queues: a row of the
 * timeline, which that process alone writes. All rows have the same origin, and parts of their own
 * length, twice as long whenever the run outgrows them: so a long run needs no more room. */
struct clopt_record_line {
    _Atomic uint32_t ready;
    int64_t process;
    uint64_t queue; /* its number in the process; 0: the process itself */
    char platform[128], device[128];
    uint64_t origin_ns;                /* by CLOCK_MONOTONIC */
    uint64_t part_ns;                  /* each; 0: nothing has been added yet */
    int64_t least_offset, most_offset; /* of that clock to the device's; both 0: not known */
    uint64_t ns[CLOPT_RECORD_PARTS][CLOPT_ACTIVITIES]; /* a queue's kernels are CLOPT_LAUNCHES */
};

struct clopt_record {
    char magic[16];
    uint32_t bytes; /* of the whole */
    _Atomic uint32_t processes;
    _Atomic uint32_t loaders; /* most that a process has loaded beyond those that have the layer */
    char loader_paths[512];   /* of that process */
    _Atomic uint64_t activity_ns[CLOPT_ACTIVITIES], activity_calls[CLOPT_ACTIVITIES];
    uint64_t began_ns;           /* the run, by CLOCK_MONOTONIC */
    _Atomic uint32_t row_count;  /* asked for: at most CLOPT_RECORD_ROWS are there */
    _Atomic uint32_t line_count; /* the same of lines */

    /* What clopt wants of launches; nothing where `folder` is empty. For launch I of process P the
     * layer leaves in it P-I.launch (layer/capture.c says what that holds), for each buffer
     * P-I-ARGUMENT.before and, unless that is the same, .after, and PROGRAM.cl. */
    uint32_t launches; /* of each kernel and each size */
    uint64_t limit_bytes;
    _Atomic uint64_t used_bytes;
    char kernel[255]; /* the only one that is wanted; "": all */
    char folder[1024];

    /* The winners that take the place of kernels (export/winner.h); "": there are none. */
    char winners[1024];
    uint32_t untimed; /* queues stay as the application makes them */
    uint32_t checks;  /* so many launches of each kernel run both, and are compared */
    uint32_t keeps;   /* binaries of the application's own programs; of these: */
    _Atomic uint32_t loaded_programs, built_programs; /* but for those that are compiled apart */

    struct clopt_record_line lines[CLOPT_RECORD_LINES];
    struct clopt_record_row rows[CLOPT_RECORD_ROWS];
};

/* A launch whose time is added to the record, or another command. */
struct clopt_timing {
    struct clopt_record_row *row;     /* NULL: it is no launch */
    struct clopt_record_sizes *sizes; /* of the row; NULL: it has no room for them */
    uint64_t buffer_bytes;
    bool by_winner;
    enum clopt_activity activity;
    struct clopt_record_line *line;   /* of its queue; NULL: there is no room for it */
    uint64_t entered_ns, returned_ns; /* the call that has enqueued it, by CLOCK_MONOTONIC */
};

/* Adds a launch of so many dimensions to a row; returns where launches of its sizes are counted,
 * NULL: there is no room for more sizes. */
struct clopt_record_sizes *clopt_record_add_launch(struct clopt_record_row *row,
                                                   const struct clopt_record_sizes *sizes);

/* Adds what a launch took to its row. */
void clopt_record_add_time(const struct clopt_timing *timing, uint64_t time_ns);

/* Records the OpenCL loaders of this process, where more are there than those that have the layer.
 */
void clopt_record_add_loaders(struct clopt_record *record, unsigned with_layer);

/* Adds to a line that something was done from a time to another. */
void clopt_line_add(struct clopt_record_line *line, enum clopt_activity activity, uint64_t from_ns,
                    uint64_t to_ns);

/* Makes it something else that was done then, as far as it was; returns how long that is. */
uint64_t clopt_line_change(struct clopt_record_line *line, enum clopt_activity activity,
                           enum clopt_activity into, uint64_t from_ns, uint64_t to_ns);

/* Adds a command to the line of its queue, by the clock of its device: when it was queued, began
 * and ended. That clock is compared with the other one by when it was enqueued; it was known to
 * have ended at `known_ns`. */
struct clopt_device_times {
    uint64_t queued, start, end;
};
void clopt_line_add_command(const struct clopt_timing *timing,
                            const struct clopt_device_times *times, uint64_t known_ns);
