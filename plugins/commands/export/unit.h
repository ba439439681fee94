/* SPDX-License-Identifier: BSD-3-Clause */
/* One kernel that is exported: its variants, for which devices they are, and what was measured. */
#pragma once

#include <clopt/source.h>

#include "commands/export/export.h"
#include "commands/export/sizes.h"
#include "document/file_set.h"
#include "pool/query.h"
#include "trial/variant.h"
#include "view/view.h"

struct clopt_export_variant {
    const struct clopt_view *view;    /* of the problem that it was measured with */
    const struct clopt_view_row *row; /* of that */
    struct clopt_trial trial;
    struct clopt_variant made;
    struct clopt_ndrange ndrange; /* of the app's largest launch, before the variant changes it */
    char *file;                   /* the name of its source */
    char *text;                   /* that: as it was built, but without #include */
    char *options;                /* to build it with */
    bool local_known;
    size_t local_bytes; /* of local memory that it declares */
    json_t *trace;      /* of its app's run (observers/observers.h); NULL: not known */
    size_t run;         /* the number of the variant whose trace it shares, or its own */
};

/* What a variant changes of the launches of the kernel that is exported. */
static inline const struct clopt_ndrange_change *clopt_export_change(
    const struct clopt_export_variant *variant)
{
    return &variant->made.changes->change;
}

/* A range of sizes, and its winner on a device. */
struct clopt_export_range {
    struct clopt_size_range size;
    size_t device;
    struct clopt_export_variant *made;
    struct clopt_export_unit *from; /* the problem of that variant */
    size_t variant;                 /* its number among those that are exported */
};

struct clopt_export_unit {
    const struct clopt_export_request *request;
    const struct clopt_results *results;
    const struct clopt_view *view;
    struct clopt_query *query; /* NULL: no OpenCL here */
    const char *kernel;
    char *name;  /* of its files and of what they declare */
    char *macro; /* the same in capitals */
    unsigned dimensions;
    struct clopt_app_source source;        /* of the app */
    struct clopt_export_variant *variants; /* the initial code first */
    size_t count;
    struct clopt_export_variant **others; /* made to be compared with those of other sizes */
    size_t other_count;
    struct clopt_export_range *ranges; /* by device */
    size_t range_count;
    bool *sized;    /* of each device of the results: what wins is said by ranges */
    bool exported;  /* else it is there for its ranges alone */
    size_t *chosen; /* of each device of the results the variant; CLOPT_NO_ROW: none is exported */
    size_t preferred;              /* the variant for devices that are none of these */
    struct clopt_error no_host;    /* why there are no host programs; CLOPT_OK: there are */
    struct clopt_source **sources; /* of the initial code, by the kernels of the app: see below */
    struct clopt_file_set files;
};

/* ---- steps of an export, in their order ---- */

/* Chooses the variants. CLOPT_INVALID: there is nothing to be exported, and why. */
enum clopt_status clopt_export_choose(struct clopt_export_unit *unit, struct clopt_error *error);

/* Makes their sources again. CLOPT_FAILED: they are not those that were measured. */
enum clopt_status clopt_export_make(struct clopt_export_unit *unit, struct clopt_error *error);

/* Returns the variant of a row that has a time on a device, and makes it where it is none yet;
 * NULL: it cannot be made. */
struct clopt_export_variant *clopt_export_find(struct clopt_export_unit *unit,
                                               const struct clopt_view_row *row, size_t device);

/* Finds winners by size, where a kernel has several problems; then has a unit own those that its
 * ranges need. */
void clopt_export_find_ranges(struct clopt_export_unit *units, size_t count);
void clopt_export_take_ranges(struct clopt_export_unit *unit);

/* Finds a device of the results among those that are here; NULL: it is not. */
const struct clopt_device_info *clopt_export_find_device(const struct clopt_export_unit *unit,
                                                         size_t device);

/* Runs the app to see what it does. Where that fails, unit->no_host says why. */
enum clopt_status clopt_export_trace(struct clopt_export_unit *unit, struct clopt_error *error);

/* Add files: sources, a header, host programs with what they read. */
void clopt_export_add_sources(struct clopt_export_unit *unit);
void clopt_export_add_header(struct clopt_export_unit *unit);
enum clopt_status clopt_export_add_hosts(struct clopt_export_unit *unit, struct clopt_error *error);

/* Ranks the variants of a problem that are surely faster than the initial code on a device, the
 * fastest first, for the caller to free. */
struct clopt_export_ranked {
    const struct clopt_view_row *row;
    double speedup;
};
struct clopt_export_ranked *clopt_export_rank(const struct clopt_view *view, size_t device,
                                              size_t *count);

/* Finds variants of a problem that are slower than its winner on a device, but surely faster than
 * the initial code, each of which fits launches near the measured one that neither the winner nor
 * the ones before it fit, the fastest first; returns how many. */
#define CLOPT_MOST_SUBSTITUTES 3
size_t clopt_export_find_substitutes(struct clopt_export_unit *unit,
                                     const struct clopt_export_variant *winner, size_t device,
                                     const struct clopt_export_variant **found);

/* Appends the winners of its devices to what the request has for them. */
void clopt_export_add_winners(struct clopt_export_unit *unit);

/* Makes the JSON, to which the list of files is to be added. */
json_t *clopt_export_to_json(const struct clopt_export_unit *unit);

/* ---- what these share ---- */

/* Append the lines of a file of winners on how launches change; what ranges of sizes have as their
 * winners, a line each; and what is lost by one of these at sizes that were not measured. */
void clopt_export_append_change(struct clopt_text *text, const struct clopt_ndrange_change *change,
                                const struct clopt_ndrange *initial);
void clopt_export_say_ranges(struct clopt_text *text, const struct clopt_export_unit *unit);
void clopt_export_say_loss(struct clopt_text *text, const struct clopt_size_range *size);

/* Returns a parameter of a kernel of the initial code; NULL: not known. */
const struct clopt_variable *clopt_export_parameter(struct clopt_export_unit *unit,
                                                    const char *kernel, size_t index);

/* A template, and the texts that replace its @name@. */
struct clopt_export_mark {
    const char *name;
    const char *text;
};

/* Adds a file made of a template; its name is the kernel's with an ending. The marks end with a
 * NULL name; @kernel@ (the unit's name), @KERNEL@, @entry@ (the kernel)
 * and @version@ need none. */
void clopt_export_add_filled(struct clopt_export_unit *unit, const char *name, const char *ending,
                             const struct clopt_export_mark *marks);

/* Appends what is made of a template; adds what has to be added to the header and to the host
 * programs in C and in Python (NULL: not wanted) for variants that have buffers in another layout:
 * nothing, where none has. */
void clopt_export_fill(struct clopt_text *text, const struct clopt_export_unit *unit,
                       const char *name, const struct clopt_export_mark *marks);
void clopt_export_append_layouts(struct clopt_text *header, struct clopt_text *host,
                                 struct clopt_text *python, const struct clopt_export_unit *unit);

/* Returns the same as JSON, for the caller. */
json_t *clopt_export_layouts_to_json(const struct clopt_export_unit *unit,
                                     const struct clopt_export_variant *variant);

/* Whether a variant only reads the buffer that an argument is. */
bool clopt_export_reads(const struct clopt_export_unit *unit,
                        const struct clopt_export_variant *variant, size_t argument);

/* Appends a string literal of C. */
void clopt_export_append_string(struct clopt_text *text, const char *string);
