/* SPDX-License-Identifier: BSD-3-Clause */
/* The layer between an application and OpenCL's drivers: what its parts share.
 *
 * The loader calls clInitLayer() (layer.c) once. The layer replaces the calls that make objects
 * (objects.c, memory.c, queue.c, program.c), set arguments (kernel.c) and launch kernels
 * (launch.c). Each hands the call on as it is, takes note, and returns what came back. The lock is
 * never held while a driver is called: it may call back, or wait for another thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl_layer.h>

#include <clopt/error.h>

#include "commands/capture/record.h"

/* The calls of the loader, or of the next layer. */
extern const cl_icd_dispatch *clopt_next;

void clopt_layer_lock(void);
void clopt_layer_unlock(void);

/* ---- objects, by their handles (objects.c) ---- */

enum clopt_handle_kind {
    CLOPT_QUEUE,
    CLOPT_MEMORY,
    CLOPT_SHARED, /* shared virtual memory: the pointer is its handle */
    CLOPT_SAMPLER,
    CLOPT_PROGRAM,
    CLOPT_KERNEL,
    CLOPT_HANDLES
};

/* The beginning of all that is known of an object of the application, which the functions below
 * take and return as a whole. */
struct clopt_object {
    void *handle;
    struct clopt_object *next;
    unsigned held;       /* by the application: 0 takes it out of the table */
    unsigned references; /* by the table, and by other objects here */
    void (*fini)(struct clopt_object *object);
};

/* Return what is known of an object, with the lock held; NULL: nothing. */
void *clopt_object_find(enum clopt_handle_kind kind, const void *handle);

/* Returns that whose handle is the last one up to a pointer, with the lock held; NULL: none is. */
void *clopt_object_find_range(enum clopt_handle_kind kind, const void *at);

/* Takes in an object that the application has made; `known` may be NULL, where memory ran out: then
 * nothing is known of it. */
void clopt_object_add(enum clopt_handle_kind kind, void *handle, void *known);

/* Takes an object out that is about to go, if it is there. */
void clopt_object_remove(enum clopt_handle_kind kind, const void *handle);

/* Gives up a reference, with the lock held. */
void clopt_object_drop(void *known);

/* Lists the objects of a kind that are there, at most so many, and keeps each by `retain`. */
size_t clopt_object_retain_all(enum clopt_handle_kind kind, void **handles, size_t most,
                               cl_int (*retain)(void *handle));

/* Leaves an object of the layer's own to be released later, with the lock held; it may be NULL. */
void clopt_handle_leave(enum clopt_handle_kind kind, void *handle);

/* Releases what was left so, one by one without the lock. */
void clopt_handles_release(void);

/* Replace calls of the loader by the layer's. */
void clopt_objects_install(cl_icd_dispatch *dispatch);
void clopt_memory_install(cl_icd_dispatch *dispatch);
void clopt_queues_install(cl_icd_dispatch *dispatch);
void clopt_programs_install(cl_icd_dispatch *dispatch);
void clopt_kernels_install(cl_icd_dispatch *dispatch);
void clopt_launches_install(cl_icd_dispatch *dispatch);
void clopt_layouts_install(cl_icd_dispatch *dispatch);

enum clopt_memory_kind { CLOPT_BUFFER, CLOPT_SUB_BUFFER, CLOPT_IMAGE, CLOPT_PIPE, CLOPT_SVM };

struct clopt_memory {
    struct clopt_object object;
    enum clopt_memory_kind kind;
    size_t bytes;
    void *parent;   /* of a sub-buffer, and of shared memory from a pointer on; else its own */
    size_t begin;   /* in the parent */
    char type[24];  /* of an image: its channels as studies have them; "": they cannot */
    size_t size[3]; /* of an image, in pixels; 0 after its last dimension */

    /* Of a buffer, to which winners may give another layout (layout.c): */
    const char *barred; /* why they never may; NULL: they may */
    unsigned mapped;
    uint64_t version; /* another one with each write */
    uint64_t writer;  /* the number of the queue that writes it; 0: none has so far */
    unsigned reads;   /* launches since the last write that such a winner could have taken */
    unsigned awaited; /* so many are, before it gets one; 0: not known yet */
    struct clopt_permuted *permuted; /* what it is in another layout; NULL: there is no such copy */
};

/* A sampler, as studies have it; "": they cannot. */
struct clopt_sampler_object {
    struct clopt_object object;
    char text[64];
};

struct clopt_command_queue {
    struct clopt_object object;
    uint64_t number; /* from 1: no other queue has it */
    bool profiles;   /* since the layer wanted it to: the application does not know */
    bool timed;
    char platform[128], device[128];
    char family[320];                /* of the device (library/family.h), where there are winners */
    cl_queue_properties *properties; /* those of the application, up to a 0; NULL: none */
    size_t property_count;           /* with the 0 */
    struct clopt_record_line *line;  /* once it was asked for in this process; may be NULL */
    unsigned line_generation;
};

struct clopt_winner; /* export/winner.h */

/* A winner that takes the place of a kernel, built in a context. */
struct clopt_built {
    struct clopt_built *next;
    const struct clopt_winner *winner;
    cl_program program; /* NULL: it could not be built */
    bool loaded;        /* it was kept by an earlier process */
};

struct clopt_program {
    struct clopt_object object;
    enum clopt_program_kind kind;
    char *source;           /* NULL: there is none */
    char *built_by;         /* options of the source from which its binary was; NULL: no such */
    char content[65];       /* a hash of what it is made from */
    char family[65];        /* the same, but for numbers in it */
    unsigned builds;        /* that changed it; these are of the last one: */
    char *options;          /* NULL: not known */
    char *compiled;         /* what was compiled, not linked yet: the source with its headers, */
    char *compiled_options; /* and by which options */
    char hash[65];          /* of content and options */
    char source_hash[65];   /* of the source and what it includes; "": not known */
    struct clopt_built *built;
    bool is_text;              /* made by clCreateProgramWithSource() */
    struct clopt_proxy *proxy; /* what kernels are of instead (proxy.c); NULL: nothing */
};

/* Returns the proxy of a program of the application, or the program itself. */
cl_program clopt_proxy_find(cl_program handle);

/* Makes no proxies from now on: functions of extensions may take programs. */
void clopt_proxies_bar(void);

/* Says why the source of a program, which may be NULL, is not known; NULL: it is. */
const char *clopt_program_obstacle(const struct clopt_program *program);

#define CLOPT_INLINE_BYTES 16

struct clopt_argument {
    bool set;
    bool is_svm;
    bool is_null;
    size_t bytes;
    unsigned char small[CLOPT_INLINE_BYTES];
    unsigned char *large; /* instead, where there are more */
};

struct clopt_kernel_object {
    struct clopt_object object;
    struct clopt_program *program; /* NULL: not known */
    unsigned build;                /* of the program, from which it is */
    bool of_proxy;                 /* of the proxy of that */
    char name[255];
    struct clopt_argument *arguments;
    size_t argument_count;
    bool uses_svm; /* besides its arguments */
    struct clopt_record_row
        *row; /* of its last launch, if that was on this queue in this process: */
    uint64_t row_queue;
    unsigned row_generation;

    /* What takes its place, once it has been looked for, for launches on the device of a row: */
    const struct clopt_record_row *winner_row;
    bool winner_never; /* whatever the sizes; else of this global size: */
    size_t winner_global[3];
    struct clopt_winner *winner; /* NULL: nothing */
    struct clopt_winner *plain;  /* while that one's layouts are not made; NULL: nothing */
    const char *access;      /* what is known of its arguments (library/winner.h); NULL: nothing */
    bool access_known;       /* it was asked for */
    cl_kernel winner_kernel; /* of the winner of the last launch; NULL: not made yet */
    const struct clopt_winner *winner_built;
    cl_mem winner_zeroed; /* the buffer that it takes; NULL: none, or not made yet */
    uint64_t zeroed_bytes;
    uint64_t zeroed_queue; /* whose launches have it, one after the other */
};

/* Whether it is known how the program of a kernel was built, with the lock held. */
bool clopt_kernel_is_known(const struct clopt_kernel_object *kernel);

/* What is known of an argument at a launch. */
struct clopt_argument_copy {
    struct clopt_argument value; /* `large` is a copy */
    bool has_data;               /* a buffer, or an image that studies can have */
    bool is_sampler;
    struct clopt_memory memory; /* handle NULL: no memory object */
    char sampler[64];
    bool changed; /* by the launch */
};

/* Reads bytes of a buffer or whole rows of an image, and waits for that (transfer.c). */
struct clopt_reading {
    cl_command_queue queue;
    const struct clopt_memory *memory;
    size_t at, bytes; /* all rows, or some of one plane */
    void *data;
    cl_uint wait_count;
    const cl_event *wait_for;
};
cl_int clopt_memory_read(const struct clopt_reading *reading);

/* Has a queue copy all of `from` to memory of the layer's own, for the caller to release: what the
 * memory is part of, or a copy of that. NULL: it cannot. */
struct clopt_copying {
    cl_context context;
    cl_command_queue queue;
    const struct clopt_memory *memory;
};
void *clopt_memory_copy(const struct clopt_copying *copying, void *from);

/* The bytes of a row of an image. */
size_t clopt_row_bytes(const struct clopt_memory *image);

/* Copies what is known of the arguments, with the lock held; false: memory has run out. */
bool clopt_arguments_copy(const struct clopt_kernel_object *kernel,
                          struct clopt_argument_copy **copies, size_t *count);
void clopt_arguments_free(struct clopt_argument_copy *copies, size_t count);

/* What the application asks for when it launches a kernel. */
struct clopt_launch {
    bool is_task; /* by clEnqueueTask() */
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint dimensions;
    const size_t *offset, *global, *local;
    cl_uint wait_count;
    const cl_event *wait_for;
    cl_event *event;
};

/* Return the memory, or the sampler, that an argument is, with the lock held; NULL, or no handle:
 * it is something else. */
struct clopt_memory clopt_argument_memory(const struct clopt_argument *argument);

/* Counts the bytes of the buffers that a kernel gets, each once, with the lock held. */
uint64_t clopt_buffer_bytes(const struct clopt_kernel_object *kernel);
struct clopt_sampler_object *clopt_argument_sampler(const struct clopt_argument *argument);

/* ---- the record (record.c) ---- */

/* Maps the record that the environment names, or makes one of this process alone where the
 * environment names winners. False: there is none. */
bool clopt_record_open(void);

/* Returns the row of a kernel on the device of a queue, with the lock held; NULL: all are taken. */
struct clopt_record_row *clopt_record_find_row(struct clopt_kernel_object *kernel,
                                               const struct clopt_command_queue *queue);

/* Returns the line of a queue in the timeline, with the lock held; NULL: all are taken. */
struct clopt_record_line *clopt_record_find_line(struct clopt_command_queue *queue);

/* Takes the next line, for a queue, or for the process itself (NULL), with the lock held. */
struct clopt_record_line *clopt_record_claim_line(const struct clopt_command_queue *queue);

/* Counts a launch that is not treated as was wanted, and says why; takes the lock. */
void clopt_record_omit(struct clopt_record_omission *omission, const char *format, ...)
    CLOPT_PRINTF(2, 3);

/* The record; NULL: there is none. */
struct clopt_record *clopt_record_get(void);

/* Forgets the rows of this process, which is a child that has begun as a copy of it. */
void clopt_record_forget(void);

/* ---- what the process does (activity.c) ---- */

/* Notes that a thread enters a call, or leaves it; returns when, 0 where nothing is timed. */
uint64_t clopt_activity_note(enum clopt_activity activity, bool enters);

/* Notes that so much of a call, from its begin on, was spent waiting for what came before. */
void clopt_activity_waited(enum clopt_activity activity, uint64_t begin_ns, uint64_t ns);

/* Returns the time by the clock of activities. */
uint64_t clopt_activity_now(void);

/* Begins, in a child process once more. */
void clopt_activities_begin(void);

/* Replaces the calls that open, and that nothing else here is interested in. */
void clopt_activities_install(cl_icd_dispatch *dispatch);

/* ---- times of commands (times.c) ---- */

/* Records how long a command takes, once its event tells. */
void clopt_time_command(cl_event event, const struct clopt_timing *timing);

/* Forgets the commands of the process that this one is a copy of, with the lock held. */
void clopt_times_forget(void);

/* Replaces the calls that wait, copy or map. */
void clopt_times_install(cl_icd_dispatch *dispatch);

/* ---- captured launches (capture.c) ---- */

struct clopt_capture;

/* Captures what a launch gets, where that is wanted and possible; NULL: it is not. */
struct clopt_capture *clopt_capture_begin(const struct clopt_launch *launch,
                                          struct clopt_record_row *row);

/* Captures what it leaves, once it has ended; `event` is the launch's, NULL: it has failed. */
void clopt_capture_end(struct clopt_capture *capture, cl_event event);

/* Whether to wait for a launch comes to an end: no user event is still to be set. */
bool clopt_capture_may_wait(void);

/* Counts a launch that is about to begin: no other one may between the two above. */
void clopt_capture_count_launch(void);

/* Replaces the calls that make and set user events. */
void clopt_captures_install(cl_icd_dispatch *dispatch);

/* Lets all queues of the application begin what they have been given. */
void clopt_queues_flush(void);

/* ---- winners in the place of kernels (apply.c) ---- */

/* Reads the winners that the record names; where that fails, says so and goes on without. */
void clopt_winners_read(void);

/* Launches the winner of a kernel in its place, where there is one and it fits; false: the kernel
 * is to be launched. `event` gets the launch's, unless it is NULL; `by_winner` says whether that is
 * of the winner. */
bool clopt_layer_replace(const struct clopt_launch *launch, struct clopt_record_row *row,
                         cl_event *event, cl_int *result, bool *by_winner);

/* Whether it is known that a kernel only reads the buffer that an argument is, with the lock held.
 */
bool clopt_kernel_reads(struct clopt_kernel_object *kernel, size_t argument);

/* Returns the number of a queue whose commands run one after the other; 0: they need not. */
uint64_t clopt_queue_in_order(cl_command_queue queue);

/* ---- buffers in other layouts (layout.c) ---- */

/* Has writes noted from now on: there is a winner that has another layout. */
void clopt_layouts_want(void);

/* Note what writes a buffer, which may be NULL, before the call and after it: another thread may
 * launch in between. */
void clopt_written_note(cl_mem memory, cl_command_queue queue);
void clopt_launch_note(const struct clopt_launch *launch);

/* Notes that a buffer was mapped, or unmapped: the host may write it in between. */
void clopt_mapped_note(cl_mem memory, cl_command_queue queue, bool maps);

/* Say that what writes a buffer need not be seen, and why, or what writes any. */
void clopt_memory_bar(const void *handle, const char *reason);
void clopt_layouts_blind(void);

/* Counts the memory that all buffers take; gives a copy up; with the lock held. */
void clopt_memory_count(size_t bytes, bool made);
void clopt_permuted_drop(struct clopt_permuted *permuted);

/* ---- other loaders (record.c) ---- */

/* Whether the process has loaded loaders that do not have the layer. */
bool clopt_loaders_are_others(void);

/* Counts a loader that has the layer. */
void clopt_loaders_count(void);

/* Records which loaders the process has loaded, where some of them have not. */
void clopt_loaders_look(void);
