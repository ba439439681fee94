/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in notes and comments what must be known of results that are shown. */
#include "report/view.h"

#include "number/number.h"
#include "text/text.h"

/* Writes what there is to say of a result that is not shown, or nothing. */
static void describe_failure(const struct clopt_result *result, char *text, size_t size)
{
    const struct clopt_store_trial *trial = &result->trial;
    const char *reason = trial->reason;
    *text = '\0';
    if (result->outcome == CLOPT_OUTCOME_PENDING || result->outcome == CLOPT_OUTCOME_OK)
        return;
    if (!reason && result->outcome == CLOPT_OUTCOME_WRONG_RESULT)
        reason = trial->verify_text;
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
        clopt_notes_add(notes, note, cell);
    return clopt_result_missing(result);
}

void clopt_mark_time(struct clopt_notes *notes, struct clopt_cell *cell,
                     const struct clopt_result *result, enum clopt_scope scope)
{
    bool attained = result->times[scope].interval.attained;
    bool abandoned = clopt_result_is_abandoned(result, scope);
    if (abandoned && !attained)
        clopt_notes_add(notes, CLOPT_NOTE_ABANDONED, cell);
    else if (abandoned)
        clopt_notes_add(notes, "abandoned: clearly slower than the best", cell);
    else if (result->outcome == CLOPT_OUTCOME_PENDING)
        clopt_notes_add(notes, "not sampled to the end", cell);
    if (!attained && !abandoned)
        clopt_notes_add(notes, "too few samples or processes for 95%: the interval is their range",
                        cell);
}

void clopt_mark_ratio(struct clopt_notes *notes, struct clopt_cell *cell,
                      const struct clopt_result *result, const struct clopt_interval *ratio,
                      const char *other)
{
    if (result->borrowed || ratio->attained)
        return;
    CLOPT_OWNED(clopt_text) note = {0};
    if (ratio->processes == 0)
        clopt_text_printf(&note,
                          "measured in other processes than %s: the ratio of the medians, and of "
                          "the ends of their intervals",
                          other);
    else
        clopt_text_append(&note, "from one process only: what others would give is not known");
    clopt_notes_add(notes, clopt_text_string(&note), cell);
}

void clopt_mark_alias(struct clopt_grid *grid, struct clopt_notes *notes, struct clopt_cell *cell,
                      const struct clopt_result *result)
{
    const struct clopt_results_row *same = clopt_result_same_code(result);
    const char *other = same ? same->name : "";
    if (!same)
        return;
    char remark[CLOPT_LONGEST_ALIAS + 3];
    if (strlen(other) <= CLOPT_LONGEST_ALIAS) {
        snprintf(remark, sizeof remark, "= %s", other);
        clopt_grid_remark(grid, cell, remark);
        return;
    }
    CLOPT_OWNED(clopt_text) note = {0};
    clopt_text_printf(&note, "the same code as %s", other);
    clopt_notes_add(notes, clopt_text_string(&note), cell);
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
    clopt_grid_remark(grid, cell, clopt_text_string(&verdict));
    grid->failed |= verdict.failed;
    return cell;
}
