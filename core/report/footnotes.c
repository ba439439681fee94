/* SPDX-License-Identifier: BSD-3-Clause */
/* What a table says of a variant besides its time: why it has none, or how far to trust it. */
#include "report/footnotes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t clopt_footnotes_number(struct clopt_footnotes *notes, const char *text)
{
    for (size_t i = 0; i < notes->count; i++)
        if (strcmp(notes->texts[i], text) == 0)
            return i + 1;
    char **texts = realloc(notes->texts, (notes->count + 1) * sizeof *texts);
    if (!texts)
        return 0;
    notes->texts = texts;
    texts[notes->count] = strdup(text);
    return texts[notes->count] ? ++notes->count : 0;
}

void clopt_footnotes_print(const struct clopt_footnotes *notes, FILE *stream)
{
    for (size_t i = 0; i < notes->count; i++)
        fprintf(stream, "  [%zu] %s\n", i + 1, notes->texts[i]);
    if (notes->count)
        putc('\n', stream);
}

void clopt_footnotes_fini(struct clopt_footnotes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->texts[i]);
    free(notes->texts);
    *notes = (struct clopt_footnotes){0};
}

bool clopt_result_shown(const struct clopt_result *result, enum clopt_scope scope)
{
    return result->ranked && !isnan(result->times[scope].interval.median);
}

/* Why there is no time. */
static void describe_failure(const struct clopt_result *result, char *text, size_t size)
{
    const struct clopt_store_trial *trial = &result->trial;
    const char *reason = trial->reason;
    if (result->outcome == CLOPT_OUTCOME_PENDING) {
        snprintf(text, size, "not measured yet");
        return;
    }
    if (result->outcome == CLOPT_OUTCOME_OK) {
        snprintf(text, size,
                 trial->verified ? "no time of it was stored"
                                 : "its output was not verified: not ranked");
        return;
    }
    if (!reason && result->outcome == CLOPT_OUTCOME_WRONG_RESULT)
        reason = trial->verify_text;
    bool says_where = trial->stage && result->outcome >= CLOPT_OUTCOME_CRASHED;
    snprintf(text, size, "%s%s%s%s%s", clopt_outcome_name(result->outcome),
             says_where ? " in " : "", says_where ? trial->stage : "", reason ? ": " : "",
             reason ? reason : "");
    text[strcspn(text, "\n")] = '\0'; /* a compiler has more to say: clopt keeps it in the store */
}

static void add(struct clopt_footnotes *notes, const char *text, char *marks, size_t size)
{
    size_t length = strlen(marks);
    size_t number = clopt_footnotes_number(notes, text);
    if (number)
        snprintf(marks + length, size - length, "[%zu]", number);
}

void clopt_footnotes_mark(struct clopt_footnotes *notes, const struct clopt_result *result,
                          enum clopt_scope scope, char *marks, size_t size)
{
    char text[1024];
    *marks = '\0';
    if (!result->present)
        return;
    if (!clopt_result_shown(result, scope)) {
        describe_failure(result, text, sizeof text);
        add(notes, text, marks, size);
        return;
    }
    if (result->trial.abandoned)
        add(notes, "abandoned: clearly slower than the best, not sampled to the end", marks, size);
    else if (result->outcome == CLOPT_OUTCOME_PENDING)
        add(notes, "not sampled to the end", marks, size);
    if (!result->times[scope].interval.attained)
        add(notes, "too few samples or processes for 95%: the range of all samples", marks, size);
}
