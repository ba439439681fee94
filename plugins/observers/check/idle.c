/* SPDX-License-Identifier: BSD-3-Clause */
/* Says what of a kernel that checks itself has done nothing. */
#include "observers/check/idle.h"

/* Adds a sentence: where, if that is a line of one kernel, and what. */
static void add(json_t *idle, const char *kind, const char *kernel, unsigned line,
                const struct clopt_text *what)
{
    CLOPT_OWNED(clopt_text) message = {0};
    clopt_text_printf(&message, "%s%s", kernel, *kernel ? ": " : "");
    if (line)
        clopt_text_printf(&message, "line %u: ", line);
    clopt_text_append(&message, clopt_text_string(what));
    json_array_append_new(idle,
                          json_pack("{s:s,s:s,s:i,s:s}", "kind", kind, "kernel", kernel, "line",
                                    (int)line, "message", clopt_text_string(&message)));
}

void clopt_launched_add(struct clopt_launched *launched, const struct clopt_ndrange *range)
{
    uint64_t items = 1;
    for (unsigned d = 0; d < 3; d++) {
        uint64_t global = d < range->dimensions ? range->global[d] : 1;
        uint64_t local = d < range->dimensions && range->local[d] ? range->local[d] : 1;
        items *= global;
        if (global > launched->global[d])
            launched->global[d] = global;
        if (local > launched->local[d])
            launched->local[d] = local;
    }
    launched->items += items;
}

/* Returns the dimension in which whole work-groups at the end are idle, which no rounding up does;
 * 3: there is none. */
static unsigned idle_dimension(const struct clopt_launched *launched, const uint32_t *end)
{
    unsigned d = 0;
    while (d < 3 && end[d] + launched->local[d] > launched->global[d])
        d++;
    return d;
}

static void add_items(json_t *idle, const char *kernel, const uint32_t *counts,
                      const struct clopt_launched *launched)
{
    const uint64_t idlers = launched->items - counts[0];
    unsigned d = idle_dimension(launched, counts + 1);
    CLOPT_OWNED(clopt_text) text = {0};
    if (idlers * 2 <= launched->items || (d == 3 && counts[0] > 1))
        return;
    clopt_text_printf(&text,
                      "%" PRIu64 " of %" PRIu64 " work-items do nothing: they access no memory",
                      idlers, launched->items);
    if (counts[0] && d < 3)
        clopt_text_printf(&text, " (all from %" PRIu32 " on, of %" PRIu64 " in dimension %u)",
                          counts[1 + d], launched->global[d], d);
    add(idle, "idle-work-items", kernel, 0, &text);
}

/* Loops inside of one that is never entered go without saying. */
static void add_loops(json_t *idle, const struct clopt_check_program *program, const char *kernel,
                      const uint32_t *log)
{
    size_t begin = 0, end = 0;
    for (size_t s = 0; s < program->site_count; s++) {
        const struct clopt_check_site *site = &program->sites[s];
        const uint32_t *words = log + CLOPT_FINDING_WORDS * CLOPT_FAULTS * s;
        bool inside = site->begin >= begin && site->end <= end;
        if (!site->loop || words[CLOPT_WORD_ENTERED] || inside)
            continue;
        CLOPT_OWNED(clopt_text) text = {0};
        begin = site->begin;
        end = site->end;
        clopt_text_printf(&text, "the loop is never entered: %s", site->expression);
        add(idle, "idle-loop", kernel, site->line, &text);
    }
}

void clopt_idle_add(json_t *idle, const struct clopt_check_program *program, const char *kernel,
                    const uint32_t *log, const uint32_t *counts,
                    const struct clopt_launched *launched)
{
    if (!program->hides && !program->skipped)
        add_items(idle, kernel, counts, launched);
    add_loops(idle, program, kernel, log);
}

void clopt_idle_add_result(json_t *idle, const char *kernel, const char *name)
{
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_text_printf(&text, "no work-item writes %s", name);
    add(idle, "idle-result", kernel, 0, &text);
}
