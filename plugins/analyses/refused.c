/* SPDX-License-Identifier: BSD-3-Clause */
/* Says which variants have no time, and why: by outcome, and each reason once. */
#include "analyses/analyses.h"

#define LINE      76 /* characters, for a screen */
#define MOST_OPEN 5  /* reasons of an outcome that are not folded */

#define KINDS (2 * (CLOPT_OUTCOME_DEVICE_LOST + 1))

/* Results of the same reason, but for numbers in it. */
struct reason {
    char *words;
    size_t count;
    const struct clopt_result *first;
};

/* The results of one outcome; those that were not verified apart from those without a time. */
struct kind {
    size_t count;
    struct reason *reasons; /* the most frequent first, once all are counted */
    size_t reason_count;
};

static int kind_of(const struct clopt_result *result)
{
    return 2 * (int)result->outcome +
           (result->outcome == CLOPT_OUTCOME_OK && !result->trial.verdict.right);
}

static void count_result(struct kind *kind, const struct clopt_result *result)
{
    const char *reason = clopt_result_reason(result);
    char *words = clopt_note_kind(reason ? reason : "");
    size_t i = 0;
    kind->count++;
    while (i < kind->reason_count && strcmp(kind->reasons[i].words, words) != 0)
        i++;
    if (i < kind->reason_count)
        free(words);
    else
        *(struct reason *)clopt_array_add(&kind->reasons, &kind->reason_count,
                                          sizeof *kind->reasons) =
            (struct reason){.words = words, .first = result};
    kind->reasons[i].count++;
}

static void count_table(const struct clopt_results *results,
                        const struct clopt_results_table *table, struct kind *kinds, size_t *shown)
{
    for (size_t i = 0; i < table->row_count; i++)
        for (size_t d = 0; d < results->device_count; d++) {
            const struct clopt_result *result = &table->rows[i].cells[d];
            *shown += result->present && result->ranked;
            if (result->present && !result->ranked)
                count_result(&kinds[kind_of(result)], result);
        }
}

static int compare_reasons(const void *a, const void *b)
{
    const struct reason *x = a, *y = b;
    int order = (x->count < y->count) - (x->count > y->count);
    return order ? order : strcmp(x->words, y->words);
}

/* Appends how many results have an outcome, an example, and why it has that. */
static void append_reason(struct clopt_text *text, size_t count, const struct clopt_result *first)
{
    const struct clopt_results_row *row = first->row;
    const char *reason = clopt_result_reason(first);
    clopt_text_printf(text, "%zu %s: %s%s%s%s", count, clopt_result_missing(first),
                      count > 1 ? "such as " : "", row->name, *row->table->kernel ? " of " : "",
                      row->table->kernel);
    if (reason)
        clopt_text_printf(text, ": %.*s", (int)strcspn(reason, "\n"), reason);
}

/* Returns how many of the first bytes of a text are whole words, or whole parts of a variant's
 * name; a word that is longer than half of them is cut within. */
static size_t whole_words(const char *text, size_t length)
{
    size_t end = text[length] == ' ' ? length + 1 : length;
    while (end > length / 2 && !strchr(" +,", text[end - 1]))
        end--;
    while (end == length / 2 && length && ((unsigned char)text[length] & 0xc0) == 0x80)
        length--; /* not within a character */
    return end > length / 2 ? end : length;
}

/* Says it of an outcome in a line of a screen. */
static void say_line(const struct kind *kind, struct clopt_document *document)
{
    CLOPT_OWNED(clopt_text) text = {0};
    struct clopt_text line = {0};
    append_reason(&text, kind->count, kind->reasons->first);
    size_t length = text.length > LINE ? LINE - 3 : text.length;
    if (length < text.length)
        length = whole_words(text.data, length);
    clopt_text_append_bytes(&line, clopt_text_string(&text), length);
    clopt_text_append(&line, length < text.length ? "..." : "");
    document->extent = CLOPT_BRIEF_ONLY;
    clopt_document_say(document, CLOPT_SENTENCE_ITEM, &line);
}

/* Says it of an outcome: of each reason, of which those that few have are folded. */
static void say_kind(const struct kind *kind, struct clopt_document *document)
{
    say_line(kind, document);
    document->extent = CLOPT_REMARK;
    for (size_t i = 0; i < kind->reason_count; i++) {
        struct clopt_text text = {0};
        if (i == MOST_OPEN)
            clopt_document_fold(document, false, "%zu more reasons: %s", kind->reason_count - i,
                                clopt_result_missing(kind->reasons->first));
        append_reason(&text, kind->reasons[i].count, kind->reasons[i].first);
        clopt_document_say(document, CLOPT_SENTENCE_ITEM, &text);
    }
    if (kind->reason_count > MOST_OPEN)
        clopt_document_fold_end(document);
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
                          clopt_result_missing(kinds[kind].reasons->first));
        separator = ", ";
    }
    clopt_text_append(&text, ".");
    document->extent = CLOPT_ANSWER_ONLY;
    clopt_document_say(document, CLOPT_SENTENCE_DETAIL, &text);
}

static void say(const struct kind *kinds, size_t shown, size_t others,
                struct clopt_document *document)
{
    document->extent = CLOPT_REMARK;
    clopt_document_heading(document, CLOPT_HEADING_SECTION, "What could not be measured");
    count_kinds(kinds, shown, others, document);
    document->extent = CLOPT_NOT_TERSE | CLOPT_NOT_ANSWER;
    clopt_document_printf(document, CLOPT_SENTENCE_PLAIN,
                          "%zu of %zu results %s a time. The others:", shown, shown + others,
                          shown == 1 ? "has" : "have");
    for (int kind = 0; kind < KINDS; kind++)
        if (kinds[kind].count)
            say_kind(&kinds[kind], document);
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
    for (int kind = 0; kind < KINDS; kind++) {
        others += kinds[kind].count;
        if (kinds[kind].reason_count)
            qsort(kinds[kind].reasons, kinds[kind].reason_count, sizeof *kinds[kind].reasons,
                  compare_reasons);
    }
    if (others)
        say(kinds, shown, others, document);
    for (int kind = 0; kind < KINDS; kind++) {
        for (size_t i = 0; i < kinds[kind].reason_count; i++)
            free(kinds[kind].reasons[i].words);
        free(kinds[kind].reasons);
    }
}
