/* SPDX-License-Identifier: BSD-3-Clause */
/* What an app plugin offers to clopt, and what clopt offers to it.
 *
 * An app owns one application: its kernels, inputs, launch sequence, reference result and check.
 * It is written for the initial code alone and knows nothing of optimizations. clopt calls it like
 * this, in a worker process, always from one thread:
 *
 *     setup            once per problem (one set of input values): make or read the inputs; not
 *                      where variants are only built
 *       prepare        once per variant: ask for the buffers
 *         launch       many times: the application's launch sequence; clopt restores the contents
 *                      of the buffers in between
 *         check        after the first launch: is the result right? Not where outputs hold the same
 *                      as in an earlier process, where it was
 *         write        only for `clopt run -o`: store the result in a file
 *     teardown         once
 *
 * Every operation returns CLOPT_OK or the status of a filled error. */
#pragma once

#include <clopt/device.h>
#include <clopt/file.h>
#include <clopt/ndrange.h>
#include <clopt/plugin.h>
#include <clopt/value.h>

/* One kernel of an app, by the name of its __kernel function. Tables end with a NULL name. */
struct clopt_kernel {
    const char *name;
    unsigned dimensions;
    /* The kernel tolerates any local size and a global size rounded up to a multiple of it. */
    bool any_local_size;
    /* It tolerates those alone that divide the global size, which is never rounded up. */
    bool whole_groups;
};

/* A place where the app itself offers an alternative, such as a block size or a padded layout:
 * tied to a parameter of an optimization that is marked as a knob. The value reaches the kernels
 * as -D macro=value and the app through problem->knobs. Tables end with a NULL parameter. */
struct clopt_knob {
    const char *optimization;
    const char *parameter; /* also the knob's name in problem->knobs */
    const char *macro;
    const char *legal;   /* legal values (integers), written as in a study */
    const char *initial; /* the initial code's value */
    const char *kernels; /* the kernels that it changes, separated by spaces; NULL: all of them */
    const char *help;
};

/* One problem: what `setup` and `describe` are asked about. */
struct clopt_problem {
    const char *app;                   /* the plugin's name */
    const char *app_hash;              /* changes whenever the plugin does */
    const struct clopt_values *inputs; /* values of the app's inputs */
    const struct clopt_values *knobs;  /* values of the app's knobs; NULL in `setup` */
    uint64_t seed;                     /* all pseudo-random inputs follow from it */
    /* Values of the macros that the study tunes, [parameter NAME]; the kernels get them by -D. NULL
     * in `setup`, and where there are none. */
    const struct clopt_values *parameters;
    const void *definition; /* what the app's `define` made; NULL for other apps */
    /* In launch, check and learn: the program may compute less precisely than OpenCL asks for, by
     * native_ or half_ functions in its source as written, or options such as
     * -cl-fast-relaxed-math. */
    bool is_approximate;
    uint64_t memory_bytes; /* that the process may take: [limits] memory; 0: not known */
};

/* What kind of numbers a kernel computes with, for the most part. */
enum clopt_arithmetic {
    CLOPT_ARITHMETIC_SINGLE,  /* floating point of 32 bits */
    CLOPT_ARITHMETIC_DOUBLE,  /* and of 64 */
    CLOPT_ARITHMETIC_INTEGER, /* integers, bits, characters */
    CLOPT_ARITHMETIC_COUNT    /* how many there are; also: none of them */
};

/* What is known of one kernel's part in one run of the app. */
struct clopt_kernel_work {
    struct clopt_ndrange ndrange;     /* initial code, largest launch; global 0: not known yet */
    enum clopt_arithmetic arithmetic; /* what kind its operations are of */
    double operations; /* arithmetic operations of all launches of a run; 0: unknown */
    double bytes;      /* bytes of global memory that must move in a run; 0: unknown */
    struct clopt_known_argument arguments[CLOPT_MOST_KNOWN]; /* by their number */
};

struct clopt_session; /* one variant on one device: its buffers, kernels and launches */

/* ---- apps that a study describes ---- */

/* One line `key = value` of a study, and where it is: "study.ini:12". */
struct clopt_setting {
    const char *key;
    const char *value;
    const char *origin;
};

/* One section, by its name without the app's name or label: "app", "size", "step 1". */
struct clopt_section {
    const char *name;
    const char *title; /* its name as the study has it, for messages: "app kernel" */
    const char *origin;
    const struct clopt_setting *settings;
    size_t count;
};

/* All that a study says of an app. [app NAME] comes first, as "app"; the others follow in the
 * study's order, and among them all [parameter NAME], which several apps may share. It stays valid
 * until `undefine`. */
struct clopt_description {
    const char *study; /* the study's path: files are meant relative to its folder */
    const struct clopt_section *sections;
    size_t count;
};

/* Small runs of a drafted kernel, with other sizes each. */
#define CLOPT_DRAFT_RUNS 2

/* What such runs have shown: the kernel accesses an argument after its end. */
struct clopt_overrun {
    char kernel[64];
    char argument[64];
    uint64_t bytes[CLOPT_DRAFT_RUNS]; /* that it must have in each; 0: not known */
};

/* One kernel of a source file, to be described in a new study. */
struct clopt_draft {
    const char *path;                    /* of the file, as the study is to name it */
    const char *options;                 /* build options; "": none */
    const char *folders;                 /* for included files, a list; "": none */
    const char *label;                   /* to tell apps of the study apart; NULL: there is one */
    const struct clopt_outline *outline; /* of the file; the study has its macros, which are
                                            integers, as parameters */
    const struct clopt_source *source;   /* parsed, of this kernel */
    unsigned run; /* the sizes are to be those of this small run, from 1, and all different */
    const struct clopt_overrun *overruns; /* that such runs have shown, of any kernel */
    size_t overrun_count;
    const unsigned *halvings; /* of the sizes of each small run, which took too long; NULL: none */
};

struct clopt_app;

/* How an app gets its tables where they follow from the study. */
struct clopt_define {
    /* The sections that describe the app beside [app NAME], by the first word of their names;
     * NULL at the end, and what `clopt plugins` says of them. For the app kernel, labelled
     * LABEL, these are [size LABEL], [step LABEL 1] and so on. "variant NAME" says that a name
     * follows instead of the label. */
    const struct clopt_section_help {
        const char *name;
        const char *help;
    } * sections;

    /* The section whose keys are inputs, each with a list of values. */
    const char *inputs_section;

    /* Fills the tables of `app`, a copy of the plugin's own struct: source, options, kernels,
     * inputs, knobs, results, and `defined`. Called wherever the study is read and in every worker,
     * without a device. CLOPT_INVALID quotes the origin of what is wrong. */
    enum clopt_status (*define)(const struct clopt_description *description, struct clopt_app *app,
                                struct clopt_error *error);

    /* Looks closer at what was defined, where that takes time: called once, where the study is
     * read, in a process of its own, under the study's [limits]. Where that is lost, what was put
     * into `error` last is said, also with CLOPT_OK. NULL: nothing to look at. */
    enum clopt_status (*check)(const struct clopt_description *description,
                               const struct clopt_app *app, struct clopt_error *error);

    /* Frees what `define` made. */
    void (*undefine)(struct clopt_app *app);

    /* Writes the sections that describe a kernel of a user's own, with what is guessed marked as
     * such, for `clopt init`; NULL: the app cannot. */
    enum clopt_status (*draft)(const struct clopt_draft *draft, FILE *study,
                               struct clopt_error *error);
};

/* How a result compares with what it must be. */
struct clopt_verdict {
    bool right;
    double error;   /* the largest error seen, in the unit that `text` names; NaN never is right */
    double bound;   /* the largest error that is right */
    char text[512]; /* what was compared, and where it differs: "relative residual of L*U - A" */
};

struct clopt_app {
    const char *dwarf;                  /* the class of the Berkeley list: "dense linear algebra" */
    const char *source;                 /* the file below kerneldir that holds all kernels */
    const char *options;                /* build options that every variant needs, or NULL */
    const struct clopt_kernel *kernels; /* at least one */
    /* What a user may set; NULL: nothing. Of an app that `define` makes, before: the keys of
     * [app NAME] itself, which `clopt plugins` and completion show. */
    const struct clopt_parameter *inputs;
    const struct clopt_knob *knobs; /* NULL: none */
    /* What `write` can write: name and help say so. NULL: nothing. `clopt run -o` writes the first
     * one into a file; of an app that a study describes all, into a folder, by their names. */
    const struct clopt_parameter *results;

    /* Says what a kernel does for a problem, from its values alone: called without a device, often,
     * and with `state` NULL before setup. Reports CLOPT_INVALID for values that cannot go together.
     */
    enum clopt_status (*describe)(const struct clopt_problem *problem, const void *state,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error);

    /* Makes or reads the inputs in host memory. The state is the plugin's own until teardown, which
     * follows a setup that fails, too, where that has set `*state`. */
    enum clopt_status (*setup)(const struct clopt_problem *problem, void **state,
                               struct clopt_error *error);

    /* Asks for the buffers of a variant with clopt_buffer(). */
    enum clopt_status (*prepare)(void *state, const struct clopt_problem *problem,
                                 struct clopt_session *session);

    /* Runs the application once on the device, by clopt_launch() and its relatives. */
    enum clopt_status (*launch)(void *state, const struct clopt_problem *problem,
                                struct clopt_session *session);

    /* Says whether what the last launch left in the buffers is right, by what is in those of
     * CLOPT_OUTPUT and CLOPT_IN_OUT. */
    enum clopt_status (*check)(void *state, const struct clopt_problem *problem,
                               struct clopt_session *session, struct clopt_verdict *verdict);

    /* Prints what the last launch computed as lines `name: value`, for `clopt run`; NULL if there
     * is nothing that fits in a line. */
    enum clopt_status (*summarize)(void *state, const struct clopt_problem *problem,
                                   struct clopt_session *session, FILE *stream);

    /* Writes result number `result` of the last launch to a stream, whose errors are looked for
     * after it; NULL if the app has none worth a file. */
    enum clopt_status (*write)(void *state, const struct clopt_problem *problem,
                               struct clopt_session *session, unsigned result, FILE *stream);

    /* Frees the state; NULL if free() does. */
    void (*teardown)(void *state);

    /* How the study describes the app; NULL: it does not. Then source and kernels are there from
     * the beginning; else `define` makes them. */
    const struct clopt_define *define;
    bool source_is_path;                 /* `source` is a path, not a file below kerneldir */
    const struct clopt_defined *defined; /* what `define` made beside the tables */
};

/* A program that was written by hand in place of the app's: the study's parameter CLOPT_ALTERNATIVE
 * has its name as a value, and problem->parameters tells which one is meant. */
struct clopt_alternative {
    const char *name;
    const struct clopt_app *program; /* its source, options and kernels, as many as the app's */

    /* Takes the text of its source and returns it, or another one made by malloc(): there its
     * kernels have the names of the app's. */
    char *(*adapt)(const struct clopt_alternative *alternative, char *text);
};

#define CLOPT_ALTERNATIVE         "variant"
#define CLOPT_ALTERNATIVE_INITIAL "initial" /* the value of the app itself */

/* What follows from a study beside an app's tables. */
struct clopt_defined {
    const void *definition; /* every call gets it as problem->definition */

    /* Commands that the study names and that setup or check run, as people can read them, ended by
     * NULL; NULL: none. `clopt reproduce` asks before it runs them. */
    const char *const *programs;

    /* Notes what the last launch left in the buffers, as what is right from then on. For an app
     * that cannot compute its reference on the host: before the first check of a problem clopt runs
     * `reference` twice, `learn` follows the first run, and `check` must find the second one right.
     * Of an initial code that takes a good part of a search's time, that is the one that is timed.
     * What buffers of CLOPT_OUTPUT and CLOPT_IN_OUT hold then is cached: in later processes `learn`
     * finds that in them without a run. NULL: the app knows by itself. */
    enum clopt_status (*learn)(void *state, const struct clopt_problem *problem,
                               struct clopt_session *session);

    /* The program that `learn` learns from; its source, options, kernels and launch count. NULL:
     * the app itself, which is its initial code. */
    const struct clopt_app *reference;

    /* They end with a NULL name; NULL: there are none. */
    const struct clopt_alternative *alternatives;
};

/* ---- what prepare may call ---- */

/* What outputs are filled with before a check, 32 bits at a time: as float and double a NaN. */
#define CLOPT_POISON 0xFFC5A5C5u

enum clopt_buffer_use {
    CLOPT_INPUT,   /* never written to: a variant that does so is wrong */
    CLOPT_OUTPUT,  /* written before it is read: clopt fills it with poison before each check */
    CLOPT_IN_OUT,  /* starts from its contents: clopt restores them before each run */
    CLOPT_SCRATCH, /* as CLOPT_OUTPUT, but of no interest afterwards */
    CLOPT_FILLED,  /* as CLOPT_IN_OUT: starts from copies of the one byte at `contents` */
    CLOPT_CACHED,  /* as CLOPT_INPUT: the contents lie in data of clopt_cached(), and the host's
                      memory is given back as soon as they are on the device */
};

/* Asks for buffer number `id` (0 .. 31, the plugin's own enumeration) of `bytes` bytes. It is
 * created once `prepare` has returned; variants that ask for the same buffers share them.
 * `contents` (of the same size; may be NULL for CLOPT_OUTPUT and CLOPT_SCRATCH, where it is not
 * read) must stay valid and unchanged until teardown. clopt guards the ends of the buffer. */
CLOPT_API enum clopt_status clopt_buffer(struct clopt_session *session, unsigned id,
                                         const char *name, enum clopt_buffer_use use, size_t bytes,
                                         const void *contents);

/* What a channel of an image holds; SNORM and UNORM are read as numbers from -1 or 0 to 1. */
enum clopt_channel {
    CLOPT_SNORM_INT8,
    CLOPT_SNORM_INT16,
    CLOPT_UNORM_INT8,
    CLOPT_UNORM_INT16,
    CLOPT_SIGNED_INT8,
    CLOPT_SIGNED_INT16,
    CLOPT_SIGNED_INT32,
    CLOPT_UNSIGNED_INT8,
    CLOPT_UNSIGNED_INT16,
    CLOPT_UNSIGNED_INT32,
    CLOPT_HALF_FLOAT,
    CLOPT_FLOAT,
};

struct clopt_image_format {
    enum clopt_channel channel;
    unsigned channels;   /* 1 (R), 2 (RG) or 4 (RGBA) */
    unsigned dimensions; /* 1, 2 or 3 */
    size_t size[3];      /* width, height, depth; 1 where there is no such dimension */
};

/* Creates an image, under a number of the same enumeration. `contents` are its pixels row by row,
 * without gaps, as for clopt_buffer(). An image cannot be guarded, and is read and written as a
 * whole by clopt_read() and clopt_write(). CLOPT_INFEASIBLE: the device has no such images. */
CLOPT_API enum clopt_status clopt_image(struct clopt_session *session, unsigned id,
                                        const char *name, enum clopt_buffer_use use,
                                        const struct clopt_image_format *format,
                                        const void *contents);

/* ---- what launch may call ---- */

enum clopt_filter { CLOPT_NEAREST, CLOPT_LINEAR };
enum clopt_addressing {
    CLOPT_ADDRESS_NONE,
    CLOPT_ADDRESS_CLAMP_TO_EDGE,
    CLOPT_ADDRESS_CLAMP,
    CLOPT_ADDRESS_REPEAT,
    CLOPT_ADDRESS_MIRRORED_REPEAT,
};

struct clopt_sampler {
    enum clopt_filter filter;
    enum clopt_addressing addressing;
    bool normalized; /* coordinates are from 0 to 1 */
};

enum clopt_argument_kind {
    CLOPT_ARGUMENT_VALUE,
    CLOPT_ARGUMENT_BUFFER, /* or an image */
    CLOPT_ARGUMENT_LOCAL,
    CLOPT_ARGUMENT_SAMPLER, /* the value is a struct clopt_sampler */
};

/* One kernel argument; use the macros below. */
struct clopt_argument {
    enum clopt_argument_kind kind;
    size_t bytes;      /* of the value or the local memory */
    const void *value; /* read during the call */
    unsigned buffer;
};

#define CLOPT_VALUE(lvalue)                                                                        \
    {                                                                                              \
        CLOPT_ARGUMENT_VALUE, sizeof(lvalue), &(lvalue), 0                                         \
    }
#define CLOPT_BUFFER(id)                                                                           \
    {                                                                                              \
        CLOPT_ARGUMENT_BUFFER, 0, NULL, (id)                                                       \
    }
#define CLOPT_LOCAL(bytes)                                                                         \
    {                                                                                              \
        CLOPT_ARGUMENT_LOCAL, (bytes), NULL, 0                                                     \
    }

#define CLOPT_SAMPLER(lvalue)                                                                      \
    {                                                                                              \
        CLOPT_ARGUMENT_SAMPLER, sizeof(lvalue), &(lvalue), 0                                       \
    }

/* Launches a kernel over an NDRange given in terms of the initial code; clopt maps it to the
 * variant's. `kernel` is the index in the app's table. Launches run in order. */
CLOPT_API enum clopt_status clopt_launch_arguments(struct clopt_session *session, unsigned kernel,
                                                   struct clopt_ndrange ndrange,
                                                   const struct clopt_argument *arguments,
                                                   size_t count);

/* clopt_launch(session, KERNEL, CLOPT_RANGE1(n, 64), CLOPT_BUFFER(A), CLOPT_VALUE(n)) */
#define clopt_launch(session, kernel, ndrange, ...)                                                \
    clopt_launch_arguments(                                                                        \
        (session), (kernel), (ndrange), (const struct clopt_argument[]){__VA_ARGS__},              \
        sizeof((const struct clopt_argument[]){__VA_ARGS__}) / sizeof(struct clopt_argument))

/* Copy between a buffer and host memory; return when the copy is done. */
CLOPT_API enum clopt_status clopt_read(struct clopt_session *session, unsigned buffer,
                                       size_t offset_bytes, size_t bytes, void *destination);
CLOPT_API enum clopt_status clopt_write(struct clopt_session *session, unsigned buffer,
                                        size_t offset_bytes, size_t bytes, const void *source);

/* Rows of a buffer in host memory, a few MiB of them at a time. */
struct clopt_rows {
    struct clopt_session *session;
    unsigned buffer;
    size_t row_bytes;
    size_t count; /* of all rows */
    size_t most;  /* that are there at a time */
    size_t from;  /* the first one that is there */
    size_t read;  /* that are there */
    unsigned char *data;
    enum clopt_status status; /* of all calls so far */
};

/* Begins to read the first `count` rows (one at least) of a buffer, forwards or backwards:
 *
 *     struct clopt_rows rows = clopt_rows_begin(session, MATRIX, bytes_of_a_row, count);
 *     for (size_t i = 0; i < count && (row = clopt_rows_find(&rows, i)); i++)
 *         ...
 *     return clopt_rows_end(&rows);
 *
 * With `i += rows.read` each iteration gets a whole band, for several threads to share. */
CLOPT_API struct clopt_rows clopt_rows_begin(struct clopt_session *session, unsigned buffer,
                                             size_t row_bytes, size_t count);

/* Returns a row, valid until the next call; NULL where something went wrong. */
CLOPT_API const void *clopt_rows_find(struct clopt_rows *rows, size_t row);

/* Ends it, and says whether all went well. */
CLOPT_API enum clopt_status clopt_rows_end(struct clopt_rows *rows);

/* Returns where a session's errors go, for a plugin that has one of its own to report. */
CLOPT_API struct clopt_error *clopt_session_error(struct clopt_session *session);

/* ---- what check may call ---- */

enum clopt_element { CLOPT_UINT8, CLOPT_INT32, CLOPT_UINT32, CLOPT_FLOAT32, CLOPT_FLOAT64 };

/* Compares the first `count` elements of a buffer with `expected`, and fills `verdict`: integers
 * must be equal; a float is right if |actual - expected| <= absolute + relative * |expected|, and
 * NaN never is. */
CLOPT_API enum clopt_status clopt_compare(struct clopt_session *session, unsigned buffer,
                                          enum clopt_element element, const void *expected,
                                          size_t count, double absolute, double relative,
                                          struct clopt_verdict *verdict);

/* ---- what setup may call ---- */

/* Fills a block of memory; reports to `error`. */
typedef enum clopt_status (*clopt_fill)(void *user, void *data, size_t bytes,
                                        struct clopt_error *error);

/* Returns `bytes` bytes that depend on nothing but the problem (its inputs and seed) and `what`,
 * made by `fill` the first time and read from clopt's disk cache afterwards, by every worker.
 * Read-only for the plugin; release it with clopt_cached_release() at teardown. Meant for inputs
 * and references that take long to compute. CLOPT_FILE inputs take part by which file they are and
 * by when it changed; one that changes while `fill` runs is CLOPT_FAILED. */
CLOPT_API enum clopt_status clopt_cached(const struct clopt_problem *problem, const char *what,
                                         size_t bytes, clopt_fill fill, void *user,
                                         const void **data, struct clopt_error *error);

/* As clopt_cached(), for data whose size comes out when they are made, such as what a file holds.
 * `write` is called once more where the disk cache has no room. */
CLOPT_API enum clopt_status clopt_cached_stream(const struct clopt_problem *problem,
                                                const char *what, clopt_writer write, void *user,
                                                const void **data, size_t *bytes,
                                                struct clopt_error *error);
CLOPT_API void clopt_cached_release(const void *data, size_t bytes);

/* Says whether so much more memory is within the process's limit, and free: to be asked before
 * large inputs are made, as clopt_cached() does. CLOPT_OUT_OF_RESOURCES. */
CLOPT_API enum clopt_status clopt_check_memory(const struct clopt_problem *problem, size_t bytes,
                                               struct clopt_error *error);
