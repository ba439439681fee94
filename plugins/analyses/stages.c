/* SPDX-License-Identifier: BSD-3-Clause */
/* Says where the time of a run went. */
#include "analyses/analyses.h"

#include <math.h>

static void add_stage(struct clopt_grid *grid, const char *name, double seconds, double total)
{
    clopt_grid_add_row(grid, "%s", name);
    clopt_grid_printf(grid, seconds, "%.2f", seconds);
    clopt_grid_printf(grid, seconds / total, "%.1f%%", 100 * seconds / total);
}

/* Says the wall time, and what clopt itself took of it, where it is known. */
static void say_wall(struct clopt_document *document, const struct clopt_results *results)
{
    double wall = clopt_work_seconds(results, "wall");
    double waiting = clopt_work_seconds(results, "waiting");
    double supervisor = clopt_work_seconds(results, "supervisor");
    struct clopt_text text = {0};
    if (isnan(wall))
        return;
    clopt_text_printf(&text, "Wall time %.2f s", wall);
    if (!isnan(waiting))
        clopt_text_printf(&text, "; no worker had anything to do in %.2f s of it, %.1f%%", waiting,
                          100 * waiting / wall);
    clopt_document_say(document, CLOPT_SENTENCE_PLAIN, &text);
    if (!isnan(supervisor))
        clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                              "Processor time of clopt itself, without workers: %.2f s, %.1f%%",
                              supervisor, 100 * supervisor / wall);
}

void clopt_say_stages(struct clopt_document *document, const struct clopt_results *results)
{
    struct clopt_grid grid = {0};
    double total = 0; /* of all workers */
    for (size_t i = 0; i < results->work.stage_count; i++)
        total +=
            clopt_work_is_own(results->work.stages[i].name) ? 0 : results->work.stages[i].seconds;
    if (total <= 0) {
        if (results->work.stage_count)
            clopt_document_printf(
                document, CLOPT_SENTENCE_PLAIN,
                "This run measured nothing: all that it asks for was in the store already.");
        return;
    }
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "Where the time went");
    clopt_grid_add_columns(&grid, "*Stage, #Seconds, #Share");
    for (size_t i = 0; i < results->work.stage_count; i++)
        if (results->work.stages[i].seconds > 0 && !clopt_work_is_own(results->work.stages[i].name))
            add_stage(&grid, results->work.stages[i].name, results->work.stages[i].seconds, total);
    add_stage(&grid, "all workers", total, total);
    clopt_document_table(document, &grid);
    say_wall(document, results);
    clopt_timeline_draw(results, document);
}
