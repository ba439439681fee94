/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which variants have no time, and why: a line for each outcome. */
#include "report/overview.h"
#include "report/view.h"

#define LINE 76 /* characters, for a screen */

/* The results of one outcome. */
struct kind {
    size_t count;
    const char *variant; /* the first one */
    const char *kernel;
    const char *reason; /* NULL: none is known */
};

static void count_table(const struct clopt_results *results,
                        const struct clopt_results_table *table, struct kind *kinds, size_t *shown)
{
    for (size_t i = 0; i < table->row_count; i++)
        for (size_t d = 0; d < results->device_count; d++) {
            const struct clopt_result *result = &table->rows[i].cells[d];
            const char *reason = result->trial.reason;
            if (!result->present)
                continue;
            if (result->ranked) {
                ++*shown;
                continue;
            }
            struct kind *kind = &kinds[result->outcome];
            if (!reason && result->outcome == CLOPT_OUTCOME_WRONG_RESULT)
                reason = result->trial.verify_text;
            if (!kind->count++)
                *kind = (struct kind){1, table->rows[i].name, table->kernel, reason};
        }
}

/* Says it of an outcome: in full, and cut to a line for a screen. */
static void say_kind(const struct kind *kind, const char *name, struct clopt_document *document)
{
    struct clopt_text text = {0}, line = {0};
    enum clopt_extent extent = document->extent;
    clopt_text_printf(&text, "%zu %s: %s%s%s%s", kind->count, name,
                      kind->count > 1 ? "such as " : "", kind->variant, *kind->kernel ? " of " : "",
                      kind->kernel);
    if (kind->reason)
        clopt_text_printf(&text, ": %.*s", (int)strcspn(kind->reason, "\n"), kind->reason);
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

static const char *name_of(int outcome)
{
    return outcome == CLOPT_OUTCOME_PENDING ? "not measured yet"
           : outcome == CLOPT_OUTCOME_OK    ? "not verified"
                                            : clopt_outcome_name((enum clopt_outcome)outcome);
}

void clopt_refused_say(const struct clopt_results *results, struct clopt_document *document)
{
    struct kind kinds[CLOPT_OUTCOME_DEVICE_LOST + 1] = {{0}};
    size_t shown = 0, others = 0;
    for (size_t t = 0; t < results->table_count; t++)
        if (!clopt_table_is_combined(&results->tables[t]))
            count_table(results, &results->tables[t], kinds, &shown);
    for (size_t p = 0; p < results->problem_count; p++)
        count_table(results, &results->problems[p].rivals, kinds, &shown);
    for (int outcome = 0; outcome <= CLOPT_OUTCOME_DEVICE_LOST; outcome++)
        others += kinds[outcome].count;
    if (!others)
        return;
    document->extent = CLOPT_REMARK;
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "What could not be measured");
    document->extent = CLOPT_NOT_TERSE;
    clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                          "%zu of %zu results have a time. The others:", shown, shown + others);
    document->extent = CLOPT_REMARK;
    for (int outcome = 0; outcome <= CLOPT_OUTCOME_DEVICE_LOST; outcome++)
        if (kinds[outcome].count)
            say_kind(&kinds[outcome], name_of(outcome), document);
}
