/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the texts of results fit for a terminal. */
#include <stdlib.h>
#include <string.h>

#include "results/results.h"
#include "text/text.h"

/* Replaces a text, which may be NULL; false when memory runs out. */
static bool clean(char **text)
{
    struct clopt_text printable = {0};
    if (!*text)
        return true;
    clopt_text_append_printable(&printable, *text);
    char *taken = clopt_text_take(&printable);
    if (!taken)
        return false;
    free(*text);
    *text = taken;
    return true;
}

/* The same, with its first line alone: others are not printed. */
static bool clean_line(char **text)
{
    if (*text)
        (*text)[strcspn(*text, "\n")] = '\0';
    return clean(text);
}

static bool clean_row(struct clopt_results_row *row, size_t device_count)
{
    bool good = clean(&row->name);
    for (size_t d = 0; d < device_count; d++) {
        struct clopt_store_trial *trial = &row->cells[d].trial;
        good = good && clean_line(&trial->reason) && clean(&trial->stage) &&
               clean_line(&trial->verify_text);
    }
    for (size_t i = 0; i < row->published_count; i++)
        good = good && clean(&row->published[i].figure) && clean(&row->published[i].outcome);
    return good;
}

enum clopt_status clopt_results_make_printable(struct clopt_results *results,
                                               struct clopt_error *error)
{
    bool good = clean(&results->title) && clean(&results->version);
    for (size_t i = 0; i < results->device_count; i++) {
        struct clopt_results_device *device = &results->devices[i];
        good = good && clean(&device->label) && clean(&device->platform) && clean(&device->name) &&
               clean(&device->driver_version);
    }
    for (size_t i = 0; i < results->published_count; i++)
        good = good && clean(&results->published[i].label) && clean(&results->published[i].source);
    for (size_t i = 0; i < results->problem_count; i++) {
        const struct clopt_results_table *rivals = &results->problems[i].rivals;
        good = good && clean(&results->problems[i].app) && clean(&results->problems[i].label);
        for (size_t d = 0; d < results->device_count; d++)
            good = good && clean(&results->problems[i].noise[d].named.ending);
        for (size_t r = 0; r < rivals->row_count; r++)
            good = good && clean_row(&rivals->rows[r], results->device_count);
    }
    for (size_t t = 0; t < results->table_count; t++) {
        struct clopt_results_table *table = &results->tables[t];
        good = good && clean(&table->kernel);
        for (size_t d = 0; d < results->device_count; d++)
            good = good && clean(&table->noise[d].named.ending);
        for (size_t i = 0; i < table->row_count; i++)
            good = good && clean_row(&table->rows[i], results->device_count);
    }
    for (size_t i = 0; i < results->stage_count; i++)
        good = good && clean(&results->stages[i].name);
    return good ? CLOPT_OK : clopt_fail_memory(error);
}
