/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in notes and comments what must be known of results that are shown. */
#include "view/view.h"

/* Returns why a result has no time, as its trial says it; NULL: it does not. */
static const char *reason_of(const struct clopt_result *result)
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
    const char *reason = reason_of(result);
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

/* ---- says which variants have no time, and why: a line for each outcome ---- */

#define LINE 76 /* characters, for a screen */

#define KINDS (2 * (CLOPT_OUTCOME_DEVICE_LOST + 1))

/* The results of one outcome; those that were not verified apart from those without a time. */
struct kind {
    size_t count;
    const struct clopt_result *first;
};

static int kind_of(const struct clopt_result *result)
{
    return 2 * (int)result->outcome +
           (result->outcome == CLOPT_OUTCOME_OK && !result->trial.verdict.right);
}

static void count_table(const struct clopt_results *results,
                        const struct clopt_results_table *table, struct kind *kinds, size_t *shown)
{
    for (size_t i = 0; i < table->row_count; i++)
        for (size_t d = 0; d < results->device_count; d++) {
            const struct clopt_result *result = &table->rows[i].cells[d];
            struct kind *kind = &kinds[kind_of(result)];
            *shown += result->present && result->ranked;
            if (result->present && !result->ranked && !kind->count++)
                kind->first = result;
        }
}

/* Says it of an outcome: in full, and cut to a line for a screen. */
static void say_kind(const struct kind *kind, struct clopt_document *document)
{
    struct clopt_text text = {0}, line = {0};
    const struct clopt_results_row *row = kind->first->row;
    const char *reason = reason_of(kind->first);
    enum clopt_extent extent = document->extent;
    clopt_text_printf(&text, "%zu %s: %s%s%s%s", kind->count, clopt_result_missing(kind->first),
                      kind->count > 1 ? "such as " : "", row->name,
                      *row->table->kernel ? " of " : "", row->table->kernel);
    if (reason)
        clopt_text_printf(&text, ": %.*s", (int)strcspn(reason, "\n"), reason);
    size_t length = text.length > LINE ? LINE - 3 : text.length;
    while (length && length < text.length && (text.data[length] & 0xc0) == 0x80)
        length--; /* not within a character */
    clopt_text_append_bytes(&line, clopt_text_string(&text), length);
    clopt_text_append(&line, length < text.length ? "..." : "");
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    document->extent = CLOPT_BRIEF_ONLY;
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &line);
    document->extent = extent;
}

/* Counts them in a line, for an answer. */
static void count_kinds(const struct kind *kinds, size_t shown, size_t others,
                        struct clopt_document *document)
{
    struct clopt_text text = {0};
    const char *separator = ": ";
    clopt_text_printf(&text, "%zu of %zu results %s no time", others, shown + others,
                      others == 1 ? "has" : "have");
    for (int kind = 0; kind < KINDS; kind++) {
        if (!kinds[kind].count)
            continue;
        clopt_text_printf(&text, "%s%zu %s", separator, kinds[kind].count,
                          clopt_result_missing(kinds[kind].first));
        separator = ", ";
    }
    clopt_text_append(&text, ".");
    document->extent = CLOPT_ANSWER_ONLY;
    clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &text);
}

void clopt_refused_say(const struct clopt_results *results, struct clopt_document *document)
{
    struct kind kinds[KINDS] = {{0}};
    size_t shown = 0, others = 0;
    for (size_t t = 0; t < results->table_count; t++)
        if (!clopt_table_is_combined(&results->tables[t]))
            count_table(results, &results->tables[t], kinds, &shown);
    for (size_t p = 0; p < results->problem_count; p++)
        count_table(results, &results->problems[p].rivals, kinds, &shown);
    for (int kind = 0; kind < KINDS; kind++)
        others += kinds[kind].count;
    if (!others)
        return;
    document->extent = CLOPT_REMARK;
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "What could not be measured");
    count_kinds(kinds, shown, others, document);
    document->extent = CLOPT_NOT_TERSE | CLOPT_NOT_ANSWER;
    clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                          "%zu of %zu results %s a time. The others:", shown, shown + others,
                          shown == 1 ? "has" : "have");
    document->extent = CLOPT_REMARK;
    for (int kind = 0; kind < KINDS; kind++)
        if (kinds[kind].count)
            say_kind(&kinds[kind], document);
}
