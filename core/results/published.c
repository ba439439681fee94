/* SPDX-License-Identifier: BSD-3-Clause */
/* Puts published times beside the variants that they are of. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "results/results.h"
#include "text/array.h"
#include "text/text.h"

/* Whether a problem's inputs are those of a text such as "rows=4096 columns=4096". */
static bool is_problem(const struct clopt_results_problem *problem, const char *text)
{
    while (*text) {
        size_t length = strcspn(text, " ");
        size_t name = strcspn(text, "=");
        char key[64] = "";
        if (name >= length || name >= sizeof key)
            return false;
        memcpy(key, text, name);
        const char *value = json_string_value(json_object_get(problem->inputs, key));
        if (!value || strncmp(value, text + name + 1, length - name - 1) != 0 ||
            value[length - name - 1])
            return false;
        text += length + strspn(text + length, " ");
    }
    return true;
}

/* Finds or adds the device that a time is of; CLOPT_NO_ROW when memory runs out. */
static size_t provide_device(struct clopt_results *results, const char *source, const char *device)
{
    for (size_t i = 0; i < results->published_count; i++)
        if (strcmp(results->published[i].source, source) == 0 &&
            strcmp(results->published[i].device, device) == 0)
            return i;
    struct clopt_results_published *added =
        clopt_array_add(&results->published, &results->published_count, sizeof *added);
    if (!added)
        return CLOPT_NO_ROW;
    struct clopt_text label = {0};
    clopt_text_printf(&label, "%s: %s", source, device);
    *added =
        (struct clopt_results_published){strdup(source), strdup(device), clopt_text_take(&label)};
    return added->source && added->device && added->label ? results->published_count - 1
                                                          : CLOPT_NO_ROW;
}

/* Finds or adds what is published of a variant on a device. */
static struct clopt_published_time *provide_time(struct clopt_results_row *row, size_t device)
{
    if (device >= row->published_count) {
        struct clopt_published_time *times = realloc(row->published, (device + 1) * sizeof *times);
        if (!times)
            return NULL;
        memset(times + row->published_count, 0,
               (device + 1 - row->published_count) * sizeof *times);
        row->published = times;
        row->published_count = device + 1;
    }
    return &row->published[device];
}

static enum clopt_status add_time(struct clopt_results *results, struct clopt_results_row *row,
                                  const struct clopt_store_published *from,
                                  struct clopt_error *error)
{
    size_t device = provide_device(results, from->source, from->device);
    struct clopt_published_time *time = device == CLOPT_NO_ROW ? NULL : provide_time(row, device);
    if (!time)
        return clopt_fail_memory(error);
    if (time->figure)
        return CLOPT_OK; /* an earlier figure shows it, too */
    time->time_ns = from->time_s * 1e9;
    time->speedup = NAN;
    time->figure = strdup(from->figure);
    time->outcome = strdup(from->outcome);
    return time->figure && time->outcome ? CLOPT_OK : clopt_fail_memory(error);
}

static enum clopt_status take(void *user, const struct clopt_store_published *from,
                              struct clopt_error *error)
{
    struct clopt_results *results = user;
    for (size_t t = 0; t < results->table_count; t++) {
        struct clopt_results_table *table = &results->tables[t];
        const struct clopt_results_problem *problem = &results->problems[table->problem];
        if (strcmp(table->kernel, from->kernel) != 0 || strcmp(problem->app, from->app) != 0 ||
            !is_problem(problem, from->problem))
            continue;
        for (size_t i = 0; i < table->row_count; i++) {
            if (strcmp(table->rows[i].name, from->variant) != 0)
                continue;
            enum clopt_status status = add_time(results, &table->rows[i], from, error);
            if (status)
                return status;
        }
    }
    return CLOPT_OK;
}

/* Divides the time of the initial code by those of its variants, device by device. */
static void compare(struct clopt_results_table *table)
{
    if (table->initial == CLOPT_NO_ROW)
        return;
    const struct clopt_results_row *initial = &table->rows[table->initial];
    for (size_t i = 0; i < table->row_count; i++)
        for (size_t d = 0; d < table->rows[i].published_count && d < initial->published_count; d++)
            if (i != table->initial && table->rows[i].published[d].figure &&
                initial->published[d].figure)
                table->rows[i].published[d].speedup =
                    initial->published[d].time_ns / table->rows[i].published[d].time_ns;
}

enum clopt_status clopt_results_gather_published(struct clopt_results *results,
                                                 struct clopt_store *store,
                                                 struct clopt_error *error)
{
    enum clopt_status status = results->objective == CLOPT_OBJECTIVE_TIME
                                   ? clopt_store_read_published(store, take, results, error)
                                   : CLOPT_OK;
    for (size_t t = 0; t < results->table_count && !status; t++)
        compare(&results->tables[t]);
    return status;
}
