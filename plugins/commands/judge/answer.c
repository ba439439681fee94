/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what has become of each candidate. */
#include "commands/judge/judge.h"

#include <math.h>

/* What is known of a candidate by all rounds; what nothing speaks against holds. */
struct answer {
    bool builds;
    bool launches;
    bool right;
    size_t rounds;  /* that say something, */
    size_t checked; /* of which kernels checked what they access */
    bool faster;
    double of_limit;
    const struct judge_round *round; /* of the first failure */
    const struct judge_cell *cell;
    bool is_narrow; /* it cannot be launched at sizes at which the initial code can */
};

/* Whether a candidate cannot be launched in a round, by its own NDRange or in the form that checks
 * accesses, as the initial code can: that says nothing of what it computes. */
static bool is_left_out(const struct judge_round *round, const struct judge_cell *cell)
{
    return !round->measures && cell->outcome == CLOPT_OUTCOME_INFEASIBLE;
}

static void take_cell(struct answer *answer, const struct judge_round *round,
                      const struct judge_cell *cell)
{
    if (cell->outcome == CLOPT_OUTCOME_OK && round->measures) {
        answer->faster &= cell->verdict == CLOPT_VERDICT_FASTER;
        answer->of_limit = fmax(answer->of_limit, cell->of_limit);
    }
    answer->is_narrow |= is_left_out(round, cell);
    if (cell->outcome == CLOPT_OUTCOME_OK || is_left_out(round, cell))
        return;
    answer->faster &= !round->measures;
    answer->builds &= cell->outcome != CLOPT_OUTCOME_BUILD_FAILED;
    answer->right &= cell->outcome != CLOPT_OUTCOME_WRONG_RESULT;
    answer->launches &= cell->outcome == CLOPT_OUTCOME_WRONG_RESULT;
    bool worse = cell->outcome == CLOPT_OUTCOME_WRONG_RESULT &&
                 (!answer->cell || answer->cell->outcome != CLOPT_OUTCOME_WRONG_RESULT);
    if (!answer->cell || worse) {
        answer->round = round;
        answer->cell = cell;
    }
}

static struct answer find_answer(const struct judge *judge, size_t number)
{
    struct answer answer = {
        .builds = true, .launches = true, .right = true, .faster = true, .of_limit = NAN};
    for (size_t r = 0; r < judge->round_count; r++) {
        const struct judge_round *round = &judge->rounds[r];
        size_t count = 0; /* of what says something */
        for (size_t c = 0; c < round->cell_counts[number]; c++) {
            take_cell(&answer, round, &round->cells[number][c]);
            count += !is_left_out(round, &round->cells[number][c]);
        }
        answer.rounds += count > 0;
        answer.checked += count > 0 && round->checks;
        answer.faster &= !round->measures || count > 0;
    }
    answer.launches &= answer.builds && !judge->candidates[number].refused && answer.rounds > 0;
    return answer;
}

static int find_code(const struct judge *judge, size_t number, const struct answer *answer)
{
    return !answer->right                                           ? CLOPT_EXIT_VERIFICATION
           : judge->candidates[number].refused || !answer->launches ? CLOPT_EXIT_FAILURE
           : answer->faster                                         ? CLOPT_EXIT_DONE
                                                                    : JUDGE_EXIT_NOT_FASTER;
}

/* Appends how fast it is at each size. */
static void append_speed(struct clopt_text *text, const struct judge_round *round, size_t number)
{
    for (size_t c = 0; c < round->cell_counts[number]; c++) {
        const struct judge_cell *cell = &round->cells[number][c];
        clopt_text_printf(text, "; %s %s ", cell->sized ? "with" : "on", cell->where);
        if (cell->outcome == CLOPT_OUTCOME_OK)
            clopt_verdict_append(text, &cell->speedup, cell->noise, 0,
                                 clopt_objective_words(CLOPT_OBJECTIVE_TIME));
        else
            clopt_text_append(text, clopt_outcome_name(cell->outcome));
    }
}

/* Says what a candidate cannot be tried with, where the initial code can. */
static void say_left_out(const struct judge *judge, size_t number, struct clopt_document *document)
{
    for (size_t r = 0; r < judge->round_count; r++) {
        const struct judge_round *round = &judge->rounds[r];
        for (size_t c = 0; c < round->cell_counts[number]; c++)
            if (is_left_out(round, &round->cells[number][c]))
                clopt_document_printf(document, CLOPT_SENTENCE_DETAIL,
                                      "Not tried, though the initial code runs there: %s: %s",
                                      round->what, round->cells[number][c].reason);
    }
}

/* The one line of a candidate. */
static void say(const struct judge *judge, size_t number, const struct answer *answer,
                struct clopt_document *document)
{
    const struct judge_candidate *candidate = &judge->candidates[number];
    static const char *const words[] = {
        [CLOPT_EXIT_DONE] = "right, and faster",
        [CLOPT_EXIT_FAILURE] = "not judged: it cannot be run",
        [CLOPT_EXIT_VERIFICATION] = "wrong",
        [JUDGE_EXIT_NOT_FASTER] = "right, but not surely faster",
    };
    struct clopt_text text = {0};
    clopt_text_printf(&text, CLOPT_STRONG "%s" CLOPT_WEAK ": %s", candidate->name,
                      words[find_code(judge, number, answer)]);
    if (candidate->refused)
        clopt_text_printf(&text, ": %s", candidate->refused);
    else if (answer->cell)
        clopt_text_printf(&text, ": %s, %s: %s: %s", answer->round->what, answer->cell->where,
                          clopt_outcome_name(answer->cell->outcome),
                          answer->cell->reason ? answer->cell->reason : "no reason is known");
    else
        append_speed(&text, &judge->rounds[0], number);
    clopt_document_say(document, CLOPT_SENTENCE_ANSWER, &text);
    for (size_t c = 0;
         judge->round_count && !answer->cell && c < judge->rounds[0].cell_counts[number]; c++)
        if (judge->rounds[0].cells[number][c].reason)
            clopt_document_printf(document, CLOPT_SENTENCE_DETAIL, "%s %s: %s",
                                  judge->rounds[0].cells[number][c].sized ? "With" : "On",
                                  judge->rounds[0].cells[number][c].where,
                                  judge->rounds[0].cells[number][c].reason);
    if (!isnan(answer->of_limit))
        clopt_document_printf(document, CLOPT_SENTENCE_DETAIL,
                              "%.0f%% of what the device can do at most", 100 * answer->of_limit);
    if (!candidate->refused)
        clopt_document_printf(document, CLOPT_SENTENCE_DETAIL,
                              "Tried with %zu %s of sizes, seeds and contents, of which %zu with "
                              "kernels that check their accesses",
                              answer->rounds, answer->rounds == 1 ? "set" : "sets",
                              answer->checked);
    say_left_out(judge, number, document);
}

/* What programs read of a candidate. */
static void add_row(const struct judge *judge, size_t number, const struct answer *answer,
                    json_t *list)
{
    const struct judge_candidate *candidate = &judge->candidates[number];
    const struct judge_round *measured = judge->rounds; /* the first; none: all are refused */
    json_t *times = json_array();
    for (size_t c = 0; measured && c < measured->cell_counts[number]; c++) {
        const struct judge_cell *cell = &measured->cells[number][c];
        json_array_append_new(
            times, clopt_json_object(
                       "with:s outcome:s error:s speedup:o low:o high:o verdict:s of_limit:o",
                       cell->where, clopt_outcome_name(cell->outcome), cell->reason,
                       clopt_json_real(cell->speedup.median), clopt_json_real(cell->speedup.low),
                       clopt_json_real(cell->speedup.high), clopt_verdict_names[cell->verdict],
                       clopt_json_real(cell->of_limit)));
    }
    json_array_append_new(
        list,
        clopt_json_object("name:s code:i builds:b launches:b right:b faster:b narrow:b rounds:i "
                          "checked:i failed:s reason:s times:o",
                          candidate->name, (json_int_t)find_code(judge, number, answer),
                          answer->builds, answer->launches, answer->right, answer->faster,
                          answer->is_narrow, (json_int_t)answer->rounds,
                          (json_int_t)answer->checked, answer->round ? answer->round->what : NULL,
                          candidate->refused ? candidate->refused
                          : answer->cell     ? answer->cell->reason
                                             : NULL,
                          times));
}

/* Says what was not tried, of rounds that follow each other and have one reason; returns the last
 * one. */
static size_t say_skipped(const struct judge *judge, size_t first, struct clopt_document *document)
{
    const char *reason = judge->rounds[first].skipped;
    size_t last = first;
    CLOPT_OWNED(clopt_text) names = {0};
    clopt_text_append(&names, judge->rounds[first].what);
    while (last + 1 < judge->round_count && judge->rounds[last + 1].skipped &&
           strcmp(judge->rounds[last + 1].skipped, reason) == 0)
        clopt_text_printf(&names, "; %s", judge->rounds[++last].what);
    clopt_document_printf(document, CLOPT_SENTENCE_PLAIN, "Not tried: %s: %s",
                          clopt_text_string(&names), reason);
    return last;
}

int judge_answer(const struct judge *judge, struct clopt_document *document)
{
    static const int weights[] = {[CLOPT_EXIT_DONE] = 0,
                                  [JUDGE_EXIT_NOT_FASTER] = 1,
                                  [CLOPT_EXIT_FAILURE] = 2,
                                  [CLOPT_EXIT_VERIFICATION] = 3};
    int code = CLOPT_EXIT_DONE;
    json_t *list = json_array();
    for (size_t i = 0; i < judge->candidate_count; i++) {
        struct answer answer = find_answer(judge, i);
        int own = find_code(judge, i, &answer);
        say(judge, i, &answer, document);
        add_row(judge, i, &answer, list);
        code = weights[own] > weights[code] ? own : code;
    }
    if (judge->round_count && judge->rounds[0].clock)
        clopt_document_printf(document, CLOPT_SENTENCE_PLAIN, "The clock: %s",
                              judge->rounds[0].clock);
    for (size_t r = 0; r < judge->round_count; r++)
        if (judge->rounds[r].skipped)
            r = say_skipped(judge, r, document);
    clopt_document_data(document, "candidates", list);
    return code;
}
