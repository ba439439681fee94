/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what has become of each candidate. */
#include "commands/judge/judge.h"

#include <math.h>

#include "view/view.h"

/* What is known of a candidate by all rounds; what nothing speaks against holds. */
struct answer {
    bool builds, launches, right, faster;
    size_t rounds;  /* that say something, */
    size_t checked; /* of which kernels checked what they access */
    double of_limit;
    const struct judge_cell *failure; /* the first one; a wrong result before all others */
    bool is_narrow; /* it cannot be launched at sizes at which the initial code can */
};

static enum clopt_outcome outcome_of(const struct judge_cell *cell)
{
    return cell->result->present ? cell->result->outcome : CLOPT_OUTCOME_PENDING;
}

/* Says why a result is not right, or how right it is; NULL: nothing is known. */
static const char *reason_of(const struct judge_cell *cell)
{
    const char *reason = cell->result->trial.reason, *verdict = cell->result->trial.verdict.text;
    return reason && *reason ? reason : verdict && *verdict ? verdict : NULL;
}

/* Says which problem it is, on which device: "n=64 on cpu"; "on cpu" without sizes. */
static char *name_place(const struct judge_cell *cell)
{
    const struct clopt_results *results = cell->results;
    const char *problem = results->problems[cell->result->row->table->problem].label;
    return clopt_text_format("%s%son %s", problem, *problem ? " " : "",
                             results->devices[cell->result->device].label);
}

static bool is_timed(const struct judge *judge, const struct judge_cell *cell)
{
    return cell->round == judge->rounds;
}

static double share_of_limit(const struct judge_cell *cell)
{
    struct clopt_rates rates = clopt_results_rates(cell->results, cell->result);
    return fmax(rates.operations_of_peak, rates.bytes_of_peak);
}

static void take_cell(struct answer *answer, bool timed, const struct judge_cell *cell)
{
    enum clopt_outcome outcome = outcome_of(cell);
    bool wrong = outcome == CLOPT_OUTCOME_WRONG_RESULT;
    if (outcome == CLOPT_OUTCOME_OK && timed) {
        answer->faster &= cell->result->times[CLOPT_SCOPE_KERNEL].verdict == CLOPT_VERDICT_FASTER;
        answer->of_limit = fmax(answer->of_limit, share_of_limit(cell));
    }
    answer->is_narrow |= judge_is_left_out(cell);
    if (outcome == CLOPT_OUTCOME_OK || judge_is_left_out(cell))
        return;
    answer->faster &= !timed;
    answer->builds &= outcome != CLOPT_OUTCOME_BUILD_FAILED;
    answer->right &= !wrong;
    answer->launches &= wrong;
    if (!answer->failure || (wrong && outcome_of(answer->failure) != outcome))
        answer->failure = cell;
}

static struct answer find_answer(const struct judge *judge, const struct judge_candidate *candidate)
{
    struct answer answer = {
        .builds = true, .launches = true, .right = true, .faster = true, .of_limit = NAN};
    const struct judge_round *last = NULL; /* that says something */
    bool timed = false;
    for (size_t c = 0; c < candidate->cell_count; c++) {
        const struct judge_cell *cell = &candidate->cells[c];
        take_cell(&answer, is_timed(judge, cell), cell);
        if (judge_is_left_out(cell) || cell->round == last)
            continue;
        last = cell->round;
        timed |= is_timed(judge, cell);
        answer.rounds++;
        answer.checked += last->run == JUDGE_CHECKED || last->run == JUDGE_SIZED;
    }
    answer.faster &= timed;
    answer.launches &= answer.builds && !candidate->refused && answer.rounds > 0;
    return answer;
}

static int find_code(const struct judge_candidate *candidate, const struct answer *answer)
{
    return !answer->right                            ? CLOPT_EXIT_VERIFICATION
           : candidate->refused || !answer->launches ? CLOPT_EXIT_FAILURE
           : answer->faster                          ? CLOPT_EXIT_DONE
                                                     : JUDGE_EXIT_NOT_FASTER;
}

/* Appends what is known of a candidate in one line: why it fails, or how fast it is at each size.
 */
static void append_line(const struct judge *judge, const struct judge_candidate *candidate,
                        const struct judge_cell *failure, struct clopt_text *line)
{
    for (size_t c = 0; !failure && c < candidate->cell_count; c++) {
        const struct judge_cell *cell = &candidate->cells[c];
        const struct clopt_result_time *time = &cell->result->times[CLOPT_SCOPE_KERNEL];
        CLOPT_FREED char *place = name_place(cell);
        if (!is_timed(judge, cell))
            continue;
        clopt_text_printf(line, "; %s ", place);
        clopt_verdict_append(line, &time->speedup, time->noise, 0,
                             clopt_objective_words(CLOPT_OBJECTIVE_TIME));
    }
    if (candidate->refused) {
        clopt_text_printf(line, ": %s", candidate->refused);
    } else if (failure) {
        CLOPT_FREED char *place = name_place(failure);
        clopt_text_printf(line, ": %s, %s: %s: %s", failure->round->what, place,
                          clopt_outcome_name(outcome_of(failure)),
                          reason_of(failure) ? reason_of(failure) : "no reason is known");
    }
}

/* Says how right it is, and what it cannot be tried with, where the initial code can. */
static void say_cells(const struct judge *judge, const struct judge_candidate *candidate,
                      const struct answer *answer, struct clopt_document *document)
{
    for (size_t c = 0; c < candidate->cell_count; c++) {
        const struct judge_cell *cell = &candidate->cells[c];
        const char *reason = reason_of(cell);
        CLOPT_FREED char *place = name_place(cell);
        if (is_timed(judge, cell) && !answer->failure && reason)
            clopt_document_printf(document, CLOPT_SENTENCE_DETAIL, "%s: %s", place, reason);
        if (judge_is_left_out(cell))
            clopt_document_printf(document, CLOPT_SENTENCE_DETAIL,
                                  "Not tried, though the initial code runs there: %s: %s",
                                  cell->round->what, reason);
    }
}

static void say(const struct judge *judge, const struct judge_candidate *candidate,
                const struct answer *answer, struct clopt_document *document)
{
    static const char *const words[] = {
        [CLOPT_EXIT_DONE] = "right, and faster",
        [CLOPT_EXIT_FAILURE] = "not judged: it cannot be run",
        [CLOPT_EXIT_VERIFICATION] = "wrong",
        [JUDGE_EXIT_NOT_FASTER] = "right, but not surely faster",
    };
    struct clopt_text line = {0};
    clopt_text_printf(&line, CLOPT_STRONG "%s" CLOPT_WEAK ": %s", candidate->name,
                      words[find_code(candidate, answer)]);
    append_line(judge, candidate, answer->failure, &line);
    clopt_document_say(document, CLOPT_SENTENCE_ANSWER, &line);
    if (!isnan(answer->of_limit))
        clopt_document_printf(document, CLOPT_SENTENCE_DETAIL,
                              "%.0f%% of what the device can do at most", 100 * answer->of_limit);
    if (!candidate->refused)
        clopt_document_printf(document, CLOPT_SENTENCE_DETAIL,
                              "Tried with %zu %s of sizes, seeds and contents, of which %zu with "
                              "kernels that check their accesses",
                              answer->rounds, answer->rounds == 1 ? "set" : "sets",
                              answer->checked);
    say_cells(judge, candidate, answer, document);
}

/* Makes what programs read of a candidate. */
static json_t *make_row(const struct judge *judge, const struct judge_candidate *candidate,
                        const struct answer *answer)
{
    const struct judge_cell *failure = answer->failure;
    json_t *times = json_array();
    for (size_t c = 0; c < candidate->cell_count; c++) {
        const struct judge_cell *cell = &candidate->cells[c];
        const struct clopt_result_time *time = &cell->result->times[CLOPT_SCOPE_KERNEL];
        CLOPT_FREED char *place = name_place(cell);
        if (is_timed(judge, cell))
            json_array_append_new(
                times, clopt_json_object(
                           "with:s outcome:s error:s speedup:d low:d high:d verdict:s of_limit:d",
                           place, clopt_outcome_name(outcome_of(cell)), reason_of(cell),
                           time->speedup.median, time->speedup.low, time->speedup.high,
                           clopt_verdict_names[time->verdict], share_of_limit(cell)));
    }
    return clopt_json_object(
        "name:s code:i builds:b launches:b right:b faster:b narrow:b rounds:i checked:i failed:s "
        "reason:s times:o",
        candidate->name, (int64_t)find_code(candidate, answer), answer->builds, answer->launches,
        answer->right, answer->faster, answer->is_narrow, (int64_t)answer->rounds,
        (int64_t)answer->checked, failure ? failure->round->what : NULL,
        candidate->refused ? candidate->refused
        : failure          ? reason_of(failure)
                           : NULL,
        times);
}

/* Says of which devices the host's clock was used. */
static void say_clocks(const struct clopt_results *results, struct clopt_document *document)
{
    for (size_t d = 0; d < results->device_count; d++) {
        const struct clopt_clock clock = clopt_results_clock(&results->devices[d]);
        CLOPT_OWNED(clopt_text) text = {0};
        clopt_clock_say(&text, &clock);
        if (clock.source == CLOPT_CLOCK_HOST)
            clopt_document_printf(document, CLOPT_SENTENCE_PLAIN, "The clock: %s's is %s",
                                  results->devices[d].label, clopt_text_string(&text));
    }
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
        const struct judge_candidate *candidate = &judge->candidates[i];
        struct answer answer = find_answer(judge, candidate);
        int own = find_code(candidate, &answer);
        say(judge, candidate, &answer, document);
        json_array_append_new(list, make_row(judge, candidate, &answer));
        code = weights[own] > weights[code] ? own : code;
    }
    if (judge->result_count)
        say_clocks(judge->results[0], document);
    for (size_t r = 0; r < judge->round_count; r++)
        if (judge->rounds[r].skipped)
            clopt_document_printf(document, CLOPT_SENTENCE_PLAIN, "Not tried: %s: %s",
                                  judge->rounds[r].what, judge->rounds[r].skipped);
    clopt_document_data(document, "candidates", list);
    return code;
}
