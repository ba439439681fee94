/* SPDX-License-Identifier: BSD-3-Clause */
/* Times that others have published, which reports print beside those that are measured. */
#ifndef CLOPT_STUDY_PUBLISHED_H
#define CLOPT_STUDY_PUBLISHED_H

#include <stddef.h>

#include <clopt/error.h>

/* One row of a table of published times. */
struct clopt_published {
    size_t line; /* of the file */
    char *figure;
    char *app;
    char *kernel;
    char *problem; /* the inputs that tell it: "size=4096", "rows=4096 columns=4096" */
    char *variant; /* as clopt_trial_name() writes it */
    char *device;
    double time_s; /* NaN: none */
    char *outcome; /* "ok", or why there is no time */
};

struct clopt_published_list {
    char *source; /* what reports call it: "thesis" */
    struct clopt_published *items;
    size_t count;
};

/* Reads a CSV file (RFC 4180) whose first line names the columns: figure, app, kernel, problem,
 * variant, device, time_s and outcome, in any order, and others that do not count. Rows without a
 * variant are left out, and so are those of figures that are not among `figures`, unless `count` is
 * 0. CLOPT_INVALID: "FILE:LINE: ...". */
enum clopt_status clopt_published_read(const char *path, char *const *figures, size_t count,
                                       struct clopt_published_list *list,
                                       struct clopt_error *error);
void clopt_published_fini(struct clopt_published_list *list);

#endif
