/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in notes and comments what must be known of results that are shown. */
#include "report/view.h"

#include <stdio.h>
#include <string.h>

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

const char *clopt_mark_missing(struct clopt_notes *notes, const struct clopt_result *result,
                               char *marks, size_t size)
{
    char note[1024];
    describe_failure(result, note, sizeof note);
    if (*note)
        clopt_notes_add(notes, note, marks, size);
    return clopt_result_missing(result);
}

void clopt_mark_time(struct clopt_notes *notes, const struct clopt_result *result,
                     enum clopt_scope scope, char *marks, size_t size)
{
    bool attained = result->times[scope].interval.attained;
    bool abandoned = clopt_result_is_abandoned(result, scope);
    if (abandoned && !attained)
        clopt_notes_add(notes, CLOPT_NOTE_ABANDONED, marks, size);
    else if (abandoned)
        clopt_notes_add(notes, "abandoned: clearly slower than the best", marks, size);
    else if (result->outcome == CLOPT_OUTCOME_PENDING)
        clopt_notes_add(notes, "not sampled to the end", marks, size);
    if (!attained && !abandoned)
        clopt_notes_add(notes, "too few samples or processes for 95%: the interval is their range",
                        marks, size);
}

void clopt_mark_ratio(struct clopt_notes *notes, const struct clopt_result *result,
                      const struct clopt_interval *ratio, const char *other, char *marks,
                      size_t size)
{
    if (result->borrowed || ratio->attained)
        return;
    struct clopt_text note = {0};
    if (ratio->processes == 0)
        clopt_text_printf(&note,
                          "measured in other processes than %s: the ratio of the medians, and of "
                          "the ends of their intervals",
                          other);
    else
        clopt_text_append(&note, "from one process only: what others would give is not known");
    clopt_notes_add(notes, clopt_text_string(&note), marks, size);
    clopt_text_fini(&note);
}

void clopt_mark_alias(struct clopt_cell *cell, const struct clopt_view_row *row,
                      const struct clopt_result *result, struct clopt_notes *notes, char *comment,
                      size_t comment_size)
{
    if (result->alias == CLOPT_NO_ROW)
        return;
    const char *other = row->table->rows[result->alias].name;
    size_t length = strlen(comment);
    if (strlen(other) <= CLOPT_LONGEST_ALIAS) {
        snprintf(comment + length, comment_size - length, "%s= %s", length ? " " : "", other);
        return;
    }
    struct clopt_text note = {0};
    clopt_text_printf(&note, "the same code as %s", other);
    clopt_notes_add(notes, clopt_text_string(&note), cell->marks, sizeof cell->marks);
    clopt_text_fini(&note);
}

int clopt_speedup_print(char *text, size_t size, double speedup)
{
    int decimals = clopt_number_decimals(speedup, 3);
    snprintf(text, size, "%.*f", decimals, speedup);
    return decimals;
}
