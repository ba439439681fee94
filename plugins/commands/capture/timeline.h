/* SPDX-License-Identifier: BSD-3-Clause */
/* What an application and its devices did when, of all of its processes and queues. */
#pragma once

#include "commands/capture/application.h"
#include "document/document.h"

/* Nanoseconds in each part of the run. */
struct clopt_queue_timeline_row {
    const struct clopt_record_line *line;
    double ns[CLOPT_RECORD_PARTS][CLOPT_ACTIVITIES];
};

/* All rows have the same parts; processes come before their queues. */
struct clopt_queue_timeline {
    struct clopt_queue_timeline_row *rows;
    size_t count;
    size_t parts; /* up to the end of the run */
    double part_ns, run_ns;

    /* How long no command ran on any device, by what the processes did meanwhile; the last one is
     * what comes before OpenCL and after. Where commands of several queues share a part, they count
     * as if they ran one after another: so this is the least. */
    double idle_ns[CLOPT_ACTIVITIES + 1];
    double busy_ns[CLOPT_ACTIVITIES]; /* of all queues; kernels are CLOPT_LAUNCHES */
};

void clopt_queue_timeline_init(struct clopt_queue_timeline *timeline,
                               const struct clopt_application *application);
void clopt_queue_timeline_fini(struct clopt_queue_timeline *timeline);

/* Add the rows: for people as a table and a chart, and for programs. */
void clopt_queue_timeline_show(const struct clopt_queue_timeline *timeline,
                               struct clopt_document *document);
void clopt_queue_timeline_data(const struct clopt_queue_timeline *timeline,
                               struct clopt_document *document);

/* The name of what a process does, or, of a queue, its device. */
const char *clopt_activity_name(size_t activity, bool on_device);
