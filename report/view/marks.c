/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in notes and comments what must be known of results that are shown. */
#include "view/view.h"

const char *clopt_result_reason(const struct clopt_result *result)
{
    const struct clopt_store_trial *trial = &result->trial;
    return trial->reason                                   ? trial->reason
           : result->outcome == CLOPT_OUTCOME_WRONG_RESULT ? trial->verdict.text
                                                           : NULL;
}

/* Writes what there is to say of a result that is not shown, or nothing. */
static void describe_failure(const struct clopt_result *result, char *text, size_t size)
{
    const struct clopt_store_trial *trial = &result->trial;
    const char *reason = clopt_result_reason(result);
    *text = '\0';
    if (result->outcome == CLOPT_OUTCOME_PENDING || result->outcome == CLOPT_OUTCOME_OK)
        return;
    if (!reason && !trial->stage)
        return;
    bool says_where = trial->stage && result->outcome >= CLOPT_OUTCOME_CRASHED &&
                      !(reason && strstr(reason, "stage "));
    snprintf(text, size, "%s%s%s%s%s", clopt_outcome_name(result->outcome),
             says_where ? " in stage " : "", says_where ? trial->stage : "", reason ? ": " : "",
             reason ? reason : "");
    text[strcspn(text, "\n")] = '\0'; /* a compiler has more to say: clopt keeps it in the store */
}

const char *clopt_mark_missing(struct clopt_notes *notes, struct clopt_cell *cell,
                               const struct clopt_result *result)
{
    char note[1024];
    describe_failure(result, note, sizeof note);
    if (*note)
        clopt_notes_add(notes, cell, "%s", note);
    if (result->trial.least_ns > 0)
        clopt_notes_add(notes, cell, CLOPT_NOTE_GIVEN_UP);
    return clopt_result_missing(result);
}

void clopt_mark_time(struct clopt_notes *notes, struct clopt_cell *cell,
                     const struct clopt_result *result, enum clopt_scope scope)
{
    bool attained = result->times[scope].interval.attained;
    bool abandoned = clopt_result_is_abandoned(result, scope);
    if (abandoned && !attained)
        clopt_notes_add(notes, cell, CLOPT_NOTE_ABANDONED);
    else if (abandoned)
        clopt_notes_add(notes, cell, "abandoned: clearly slower than the best");
    else if (result->outcome == CLOPT_OUTCOME_PENDING)
        clopt_notes_add(notes, cell, "not sampled to the end");
    if (!attained && !abandoned)
        clopt_notes_add(notes, cell,
                        "too few samples or processes for 95%%: the interval is their range");
}

void clopt_mark_ratio(struct clopt_notes *notes, struct clopt_cell *cell,
                      const struct clopt_result *result, const struct clopt_interval *ratio,
                      const char *other)
{
    if (result->borrowed || ratio->attained)
        return;
    if (ratio->processes == 0)
        clopt_notes_add(notes, cell,
                        "measured in other processes than %s: the ratio of the medians, and of "
                        "the ends of their intervals",
                        other);
    else
        clopt_notes_add(notes, cell, "from one process only: what others would give is not known");
}

void clopt_mark_alias(struct clopt_notes *notes, struct clopt_cell *cell,
                      const struct clopt_result *result)
{
    const struct clopt_results_row *same = clopt_result_same_code(result);
    if (same && strlen(same->name) <= CLOPT_LONGEST_ALIAS)
        clopt_cell_remark(cell, "= %s", same->name);
    else if (same)
        clopt_notes_add(notes, cell, "the same code as %s", same->name);
}

struct clopt_cell *clopt_grid_put_speedup(struct clopt_grid *grid,
                                          const struct clopt_result_time *time, bool borrowed)
{
    CLOPT_OWNED(clopt_text) verdict = {0};
    struct clopt_cell *cell = clopt_grid_put_number(grid, time->speedup.median, 3);
    clopt_cell_set_number(cell, &time->speedup, 1);
    cell->equal = !time->different;
    if (!borrowed)
        clopt_verdict_append_short(&verdict, &time->speedup, time->noise);
    clopt_cell_remark(cell, "%s", clopt_text_string(&verdict));
    return cell;
}
