/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbered notes below tables. */
#include "view/footnotes.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static size_t hash(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037); /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    return (size_t)hash;
}

/* Finds the slot of a text: its own, or the free one where it belongs. */
static size_t *find_slot(const struct clopt_footnotes *notes, const char *text)
{
    size_t i = hash(text) & (notes->slot_count - 1);
    while (notes->slots[i] && strcmp(notes->texts[notes->slots[i] - 1], text) != 0)
        i = (i + 1) & (notes->slot_count - 1);
    return &notes->slots[i];
}

/* Makes room for one more note; at most half of the slots are taken. */
static bool grow(struct clopt_footnotes *notes)
{
    if (2 * (notes->count + 1) <= notes->slot_count)
        return true;
    size_t slot_count = notes->slot_count ? 2 * notes->slot_count : 16;
    char **texts = realloc(notes->texts, slot_count / 2 * sizeof *texts);
    if (texts)
        notes->texts = texts;
    size_t *slots = texts ? calloc(slot_count, sizeof *slots) : NULL;
    if (!slots)
        return false;
    free(notes->slots);
    notes->slots = slots;
    notes->slot_count = slot_count;
    for (size_t i = 0; i < notes->count; i++)
        *find_slot(notes, notes->texts[i]) = i + 1;
    return true;
}

/* Returns the number of a note, from 1; 0 when memory runs out. */
static size_t number_of(struct clopt_footnotes *notes, const char *text)
{
    if (!grow(notes))
        return 0;
    size_t *slot = find_slot(notes, text);
    if (*slot)
        return *slot;
    notes->texts[notes->count] = strdup(text);
    if (!notes->texts[notes->count])
        return 0;
    return *slot = ++notes->count;
}

void clopt_footnotes_add(struct clopt_footnotes *notes, const char *note, char *marks, size_t size)
{
    size_t length = strlen(marks);
    size_t number = number_of(notes, note);
    notes->failed |= number == 0;
    if (number)
        snprintf(marks + length, size - length, "[%zu]", number);
}

void clopt_footnotes_fini(struct clopt_footnotes *notes)
{
    for (size_t i = 0; i < notes->count; i++)
        free(notes->texts[i]);
    free(notes->texts);
    free(notes->slots);
    *notes = (struct clopt_footnotes){0};
}

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

const char *clopt_footnotes_mark_missing(struct clopt_footnotes *notes,
                                         const struct clopt_result *result, char *marks,
                                         size_t size)
{
    char note[1024];
    describe_failure(result, note, sizeof note);
    if (*note)
        clopt_footnotes_add(notes, note, marks, size);
    return clopt_result_missing(result);
}

void clopt_footnotes_mark_time(struct clopt_footnotes *notes, const struct clopt_result *result,
                               enum clopt_scope scope, char *marks, size_t size)
{
    bool attained = result->times[scope].interval.attained;
    if (result->trial.abandoned && !attained)
        clopt_footnotes_add(notes, CLOPT_NOTE_ABANDONED, marks, size);
    else if (result->trial.abandoned)
        clopt_footnotes_add(notes, "abandoned: clearly slower than the best", marks, size);
    else if (result->outcome == CLOPT_OUTCOME_PENDING)
        clopt_footnotes_add(notes, "not sampled to the end", marks, size);
    if (!attained && !result->trial.abandoned)
        clopt_footnotes_add(notes,
                            "too few samples or processes for 95%: the interval is their range",
                            marks, size);
}

void clopt_footnotes_mark_ratio(struct clopt_footnotes *notes, const struct clopt_result *result,
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
    else if (result->trial.abandoned)
        clopt_text_append(&note, CLOPT_NOTE_ABANDONED);
    else
        clopt_text_append(&note, "from one process only: what others would give is not known");
    clopt_footnotes_add(notes, clopt_text_string(&note), marks, size);
    clopt_text_fini(&note);
}
