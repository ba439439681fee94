/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows guidelines: sentences that a person can teach, a table, a chart, and rows for programs. */
#include "analyses/guidelines/guidelines.h"

#include <math.h>

#define LEAST_KERNELS 2  /* for a sentence, and in the chart */
#define ROW_HEIGHT    36 /* pixels of a key in the chart */
#define AROUND        90

/* ---- words ---- */

static bool is_class(const struct clopt_guideline *guideline)
{
    return guideline->device == SIZE_MAX;
}

static bool is_same_group(const struct clopt_guideline *a, const struct clopt_guideline *b)
{
    return a->class == b->class && a->device == b->device && a->objective == b->objective;
}

static const char *label_of(const struct clopt_guidelines *guidelines,
                            const struct clopt_guideline *guideline)
{
    return is_class(guideline) ? clopt_device_class_names[guideline->class]
                               : guidelines->devices[guideline->device].label;
}

/* Appends the names of the devices of a class. */
static void append_devices(const struct clopt_guidelines *guidelines, size_t class,
                           struct clopt_text *text)
{
    size_t count = 0;
    for (size_t i = 0; i < guidelines->device_count; i++)
        if (guidelines->devices[i].group == class)
            clopt_text_printf(text, "%s%s", count++ ? ", " : "", guidelines->devices[i].label);
}

/* Says how much: "1.8 [1.4, 2.3]", or, of few kernels, "1.4 to 2.3". */
static void append_gain(struct clopt_text *text, const struct clopt_interval *gain)
{
    if (gain->attained || gain->samples < 2)
        clopt_text_append(text, clopt_number_text(gain->median, 3).text);
    if (gain->attained) {
        clopt_text_append_char(text, ' ');
        clopt_verdict_append_interval(text, gain);
    } else if (gain->samples > 1)
        clopt_text_printf(text, "%s to %s", clopt_number_text(gain->low, 3).text,
                          clopt_number_text(gain->high, 3).text);
}

/* Says where it pays by a rule: "where loops are more than 2". */
static void append_rule(struct clopt_text *text, const struct clopt_guideline_rule *rule)
{
    const struct clopt_guideline_feature *feature = &clopt_guideline_features[rule->feature];
    double number = feature->kind == CLOPT_GUIDELINE_LOGARITHM
                        ? exp2(rule->threshold) - feature->plus
                        : rule->threshold;
    bool share = feature->kind == CLOPT_GUIDELINE_SHARE;
    clopt_text_printf(text, "where %s %s ", feature->words, rule->above ? "more than" : "at most");
    if (feature->kind == CLOPT_GUIDELINE_COUNT)
        clopt_text_printf(text, "%.0f", floor(number));
    else
        clopt_text_append(text, clopt_number_text(share ? 100 * number : number, 3).text);
    clopt_text_printf(text, "%s%s", share ? "% of all" : "", feature->unit);
}

static void say_paying(struct clopt_text *text, const struct clopt_guidelines *guidelines,
                       const struct clopt_guideline *guideline)
{
    const struct clopt_guideline_key *key = &guidelines->keys[guideline->key];
    clopt_text_printf(text, CLOPT_STRONG "%s" CLOPT_WEAK " pays on %zu of %zu kernels, ",
                      key->label, guideline->pays, guideline->tried);
    append_gain(text, &guideline->paying);
    clopt_text_printf(text, " times %s", clopt_objective_words(guideline->objective)->as_good);
    if (guideline->value && guideline->value_count > 1 &&
        guideline->value_count * 2 >= guideline->value_total)
        clopt_text_printf(text, ", most often with %s=%s (%zu of %zu)", key->parameter,
                          guideline->value, guideline->value_count, guideline->value_total);
    if (guideline->rule.holds) {
        clopt_text_append(text, "; it does ");
        append_rule(text, &guideline->rule);
        clopt_text_printf(text, ", which foretells %zu of %zu kernels left out (%.0f%% without)",
                          guideline->rule.hits, guideline->rule.count, 100 * guideline->rule.base);
    }
    clopt_text_append_char(text, '.');
}

/* Says what of a group of guidelines pays, an item each, and names what does not. */
static void say_group(const struct clopt_guidelines *guidelines, size_t first, size_t end)
{
    struct clopt_text text = {0}, none = {0};
    const struct clopt_guideline *group = &guidelines->items[first];
    if (is_class(group))
        append_devices(guidelines, group->class, &text);
    clopt_document_heading(guidelines->document, CLOPT_HEADING_SECTION, "On %s%s%s%s%s",
                           label_of(guidelines, group), text.length ? " (" : "",
                           clopt_text_string(&text), text.length ? ")" : "",
                           group->objective == CLOPT_OBJECTIVE_TIME ? "" : ", by energy");
    clopt_text_clear(&text);
    for (size_t i = first; i < end; i++) {
        const struct clopt_guideline *guideline = &guidelines->items[i];
        if (guideline->tried < LEAST_KERNELS)
            continue;
        if (guideline->pays) {
            say_paying(&text, guidelines, guideline);
            clopt_document_say(guidelines->document, CLOPT_SENTENCE_ITEM, &text);
        } else
            clopt_text_printf(&none, "%s%s (%zu kernels)", none.length ? ", " : "",
                              guidelines->keys[guideline->key].label, guideline->tried);
    }
    if (none.length)
        clopt_document_printf(guidelines->document, CLOPT_SENTENCE_ITEM, "No sure gain: %s.",
                              clopt_text_string(&none));
    clopt_text_fini(&none);
}

/* ---- the table ---- */

static void put_gain(struct clopt_grid *grid, const struct clopt_interval *gain)
{
    CLOPT_OWNED(clopt_text) text = {0};
    if (gain->attained) {
        clopt_grid_put_interval(grid, gain, 3, 1);
    } else {
        append_gain(&text, gain);
        clopt_grid_put(grid, "%s", clopt_text_string(&text))->number =
            gain->samples == 1 ? gain->median : NAN;
    }
}

static void put_rule(struct clopt_grid *grid, const struct clopt_guideline *guideline)
{
    CLOPT_OWNED(clopt_text) text = {0};
    const struct clopt_guideline_rule *rule = &guideline->rule;
    if (!guideline->found) {
        clopt_grid_skip(grid, 2);
        return;
    }
    clopt_grid_put(grid, "%zu of %zu, base %.0f%%", rule->hits, rule->count, 100 * rule->base);
    if (guideline->rule.holds)
        append_rule(&text, rule);
    clopt_grid_put(grid, "%s", guideline->rule.holds ? clopt_text_string(&text) : "");
}

/* Adds the table of a group. */
static void tabulate(const struct clopt_guidelines *guidelines, size_t first, size_t end)
{
    struct clopt_grid grid = {0};
    clopt_grid_set_heading(&grid, "Gains on all kernels, geometric means [95%% interval]");
    clopt_grid_add_columns(&grid, "*Optimization, #Pays on, #Kernels, =Gain on all, ?Foretold, "
                                  "?Where it pays");
    for (size_t i = first; i < end; i++) {
        const struct clopt_guideline *guideline = &guidelines->items[i];
        clopt_grid_add_row(&grid, "%s", guidelines->keys[guideline->key].label);
        clopt_grid_printf(&grid, (double)guideline->pays, "%zu", guideline->pays);
        clopt_grid_printf(&grid, (double)guideline->tried, "%zu", guideline->tried);
        put_gain(&grid, &guideline->all);
        put_rule(&grid, guideline);
    }
    clopt_document_table(guidelines->document, &grid);
}

/* ---- the chart ---- */

static bool is_drawn(const struct clopt_guideline *guideline)
{
    return is_class(guideline) && guideline->tried >= LEAST_KERNELS &&
           guideline->objective == CLOPT_OBJECTIVE_TIME;
}

/* Where the keys and classes are drawn. */
struct places {
    size_t *keys; /* from the top: 1 .. count; 0: not at all */
    size_t count;
    bool used[CLOPT_DEVICE_CLASSES];
    size_t classes;
    double low, high; /* of all intervals */
};

static void find_places(const struct clopt_guidelines *guidelines, struct places *places)
{
    for (size_t i = 0; i < guidelines->count; i++) {
        const struct clopt_guideline *item = &guidelines->items[i];
        if (!is_drawn(item))
            continue;
        places->classes += !places->used[item->class];
        places->used[item->class] = true;
        places->low = fmin(places->low, item->all.low);
        places->high = fmax(places->high, item->all.high);
        if (!places->keys[item->key])
            places->keys[item->key] = ++places->count;
    }
}

/* Adds the bars of a class, which is the one of this number, or their intervals. */
static void add_bars(const struct clopt_guidelines *guidelines, struct clopt_chart *chart,
                     const struct places *places, size_t class, size_t number)
{
    static const enum clopt_series_kind kinds[] = {CLOPT_SERIES_BOXES, CLOPT_SERIES_INTERVALS};
    double height = 0.8 / (double)places->classes;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bool boxes = kinds[k] == CLOPT_SERIES_BOXES;
        clopt_chart_series(chart, kinds[k], boxes ? clopt_chart_color(number) : CLOPT_CHART_INK,
                           boxes ? clopt_device_class_names[class] : NULL);
        for (size_t i = 0; i < guidelines->count; i++) {
            const struct clopt_guideline *item = &guidelines->items[i];
            double top =
                (double)(places->count - places->keys[item->key]) + 0.4 - (double)number * height;
            if (item->class == class && is_drawn(item))
                clopt_chart_point(
                    chart, (struct clopt_point){
                               item->all.median, top - height / 2, boxes ? 1 : item->all.low,
                               boxes ? item->all.median : item->all.high, top - height, top});
        }
    }
}

/* Draws what each key gives on all kernels, a bar a class. */
static void draw(const struct clopt_guidelines *guidelines)
{
    struct clopt_chart chart;
    struct places places = {
        .keys = clopt_calloc(guidelines->key_count + 1, sizeof(size_t)), .low = 1, .high = 1};
    size_t number = 0, longest = 0;
    find_places(guidelines, &places);
    clopt_chart_begin(&chart, (double)places.count * ROW_HEIGHT + AROUND, "guidelines", NULL);
    clopt_chart_title(&chart, "Speed-up with each optimization, geometric mean of all kernels");
    for (size_t i = 0; i < guidelines->key_count; i++)
        if (places.keys[i]) {
            size_t length = strlen(guidelines->keys[i].label);
            longest = length > longest ? length : longest;
            clopt_chart_tic(&chart, CLOPT_Y, (double)(places.count - places.keys[i]), "%s",
                            guidelines->keys[i].label);
        }
    chart.margin = longest;
    clopt_chart_axis(&chart, CLOPT_Y, -0.6, (double)places.count - 0.4, NULL);
    clopt_chart_axis(&chart, CLOPT_LOG_X, places.low / 1.1, places.high * 1.1, NULL);
    clopt_chart_number(&chart, CLOPT_LOG_X, places.low / 1.1, places.high * 1.1);
    for (size_t class = 0; class < CLOPT_DEVICE_CLASSES; class ++)
        if (places.used[class])
            add_bars(guidelines, &chart, &places, class, number++);
    clopt_document_chart(guidelines->document, &chart);
    free(places.keys);
}

/* ---- for programs ---- */

static void add_rows(const struct clopt_guidelines *guidelines)
{
    struct clopt_document *document = guidelines->document;
    clopt_document_rows(document, "guidelines",
                        "class device objective optimization parameter kernels pays gain gain_low "
                        "gain_high all all_low all_high value value_count left_out foretold base "
                        "probability holds feature threshold above where");
    for (size_t i = 0; i < guidelines->count; i++) {
        const struct clopt_guideline *item = &guidelines->items[i];
        const struct clopt_guideline_key *key = &guidelines->keys[item->key];
        clopt_document_row(document, "sssssiiddddddsi", clopt_device_class_names[item->class],
                           is_class(item) ? NULL : guidelines->devices[item->device].label,
                           clopt_objective_words(item->objective)->name, key->optimization,
                           key->parameter, (int64_t)item->tried, (int64_t)item->pays,
                           item->paying.median, item->paying.low, item->paying.high,
                           item->all.median, item->all.low, item->all.high, item->value,
                           (int64_t)item->value_count);
        CLOPT_OWNED(clopt_text) where = {0};
        if (item->found) {
            append_rule(&where, &item->rule);
            clopt_document_values(
                document, "iiddbsdbs", (int64_t)item->rule.count, (int64_t)item->rule.hits,
                item->rule.base, item->rule.probability, item->rule.holds,
                clopt_guideline_features[item->rule.feature].name, item->rule.threshold,
                item->rule.above, clopt_text_string(&where));
        } else
            clopt_document_values(document, "---------");
    }
}

static void add_gain_rows(const struct clopt_guidelines *guidelines)
{
    struct clopt_document *document = guidelines->document;
    clopt_document_rows(document, "gains",
                        "store kernel problem device objective optimization parameter value "
                        "variant over gain gain_low gain_high pays");
    for (size_t i = 0; i < guidelines->gain_count; i++) {
        const struct clopt_guideline_gain *gain = &guidelines->gains[i];
        const struct clopt_guideline_key *key = &guidelines->keys[gain->key];
        clopt_document_row(document, "ssssssssssdddb", gain->store,
                           guidelines->kernels[gain->kernel].label, gain->problem->label,
                           guidelines->devices[gain->device].label,
                           clopt_objective_words(gain->objective)->name, key->optimization,
                           key->parameter, gain->value, gain->row->name, gain->over->name,
                           gain->gain.median, gain->gain.low, gain->gain.high, gain->pays);
    }
}

/* Says what the numbers are, and how far rules can be trusted. */
static void say_method(const struct clopt_guidelines *guidelines, size_t held)
{
    clopt_document_heading(guidelines->document, CLOPT_HEADING_SECTION, "How it is counted");
    clopt_document_printf(
        guidelines->document, CLOPT_SENTENCE_PLAIN,
        "A gain is that of the best variant with a parameter over the best one without it that "
        "sets nothing else, such as the initial code. It pays on a kernel if the gain is sure with "
        "half or more of its sizes and devices, and a gain in their mean. Kernels where noise "
        "leaves it open do not count.");
    if (guidelines->asked)
        clopt_document_printf(
            guidelines->document, CLOPT_SENTENCE_PLAIN,
            "Where something pays was asked of the kernels' profiles in %zu cases, those with "
            "enough kernels; %zu of the rules foretell kernels that were left out more often than "
            "their larger class alone does, by binomial and permutation tests. Of the rules that "
            "are shown, at most one in twenty is expected to be chance.",
            guidelines->asked, held);
    else
        clopt_document_printf(guidelines->document, CLOPT_SENTENCE_PLAIN,
                              "No rule says on which kernels: the stores have too few kernels with "
                              "profiles, or these agree.");
}

void clopt_guidelines_show(struct clopt_guidelines *guidelines)
{
    struct clopt_document *document = guidelines->document;
    size_t held = 0;
    clopt_document_heading(document, CLOPT_HEADING_TITLE, "What pays on which kind of device");
    if (document->for_programs) {
        add_rows(guidelines);
        add_gain_rows(guidelines);
    }
    for (size_t i = 0, end; i < guidelines->count; i = end) {
        for (end = i; end < guidelines->count &&
                      is_same_group(&guidelines->items[i], &guidelines->items[end]);
             end++)
            held += guidelines->items[end].rule.holds;
        say_group(guidelines, i, end);
        tabulate(guidelines, i, end);
    }
    draw(guidelines);
    say_method(guidelines, held);
}
