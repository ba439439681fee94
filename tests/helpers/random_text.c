/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random texts by the rules of a grammar. */
#include "random_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <clopt/random.h>

#include "text/text.h"

#define DEPTH  7   /* of rules in each other, from which on the first way of each is taken */
#define BUDGET 220 /* of rules in all, likewise */
#define REGION 256 /* words */

struct maker {
    struct clopt_random random;
    struct clopt_text text;
    const char *grammar;
    unsigned regions;
    unsigned rules; /* replaced so far */
    bool lacks;
};

struct part {
    const char *text;
    size_t length;
};

static unsigned below(struct maker *maker, unsigned bound)
{
    return (unsigned)clopt_random_below(&maker->random, bound);
}

/* Finds the next way to write a rule, and how often it is taken: 0 where there is none. */
static unsigned find_way(const char **from, struct part rule, struct part *way)
{
    const char *at = *from;
    while ((at = strstr(at, "\n== "))) {
        at += 4;
        const char *line = strchr(at, '\n');
        if (!line)
            return 0;
        const char *next = strstr(line, "\n== ");
        if (strncmp(at, rule.text, rule.length) != 0 || !strchr(" \n", at[rule.length]))
            continue;
        const char *end = next ? next : line + strlen(line);
        *from = end;
        while (end > line + 1 && end[-1] == '\n')
            end--;
        *way = (struct part){line + 1, (size_t)(end - line - 1)};
        unsigned weight = (unsigned)strtoul(at + rule.length, NULL, 10);
        return line == at + rule.length ? 1 : weight;
    }
    return 0;
}

static void expand(struct maker *maker, struct part part, unsigned depth);

static void expand_rule(struct maker *maker, struct part rule, unsigned depth)
{
    struct part way, chosen = {0};
    const char *from = maker->grammar;
    bool first = depth > DEPTH || maker->rules > BUDGET;
    unsigned total = 0, weight;
    maker->rules++;
    while ((weight = find_way(&from, rule, &way)) && !(first && chosen.text)) {
        total += weight;
        if (below(maker, total) < weight)
            chosen = way;
    }
    maker->lacks |= !chosen.text;
    if (chosen.text)
        expand(maker, chosen, depth + 1);
}

/* Expands one of the texts that @ separates. */
static void expand_choice(struct maker *maker, struct part choice, unsigned depth)
{
    unsigned count = 1;
    for (size_t i = 0; i < choice.length; i++)
        count += choice.text[i] == '@';
    const char *end = choice.text + choice.length, *at = choice.text, *stop;
    for (unsigned left = below(maker, count);; left--, at = stop + 1) {
        stop = memchr(at, '@', (size_t)(end - at));
        if (!left)
            break;
    }
    expand(maker, (struct part){at, (size_t)((stop ? stop : end) - at)}, depth);
}

static void expand(struct maker *maker, struct part part, unsigned depth)
{
    const char *end = part.text + part.length;
    for (const char *at = part.text; at < end && !maker->lacks;) {
        const char *close = *at == '`' ? memchr(at + 1, '`', (size_t)(end - at - 1)) : NULL;
        size_t length = *at == '$' ? clopt_word_length(at + 1) : 0;
        if (close) {
            expand_choice(maker, (struct part){at + 1, (size_t)(close - at - 1)}, depth);
            at = close + 1;
        } else if (length == 1 && at[1] == 'R') {
            clopt_text_printf(&maker->text, "%u", REGION * ++maker->regions);
            at += 2;
        } else if (length) {
            expand_rule(maker, (struct part){at + 1, length}, depth);
            at += 1 + length;
        } else {
            clopt_text_printf(&maker->text, "%c", *at++);
        }
    }
}

char *random_text(const char *grammar, const char *rule, uint64_t number)
{
    struct maker maker = {.random = clopt_random_seed(37, number), .grammar = grammar};
    expand_rule(&maker, (struct part){rule, strlen(rule)}, 0);
    clopt_text_append(&maker.text, "\n");
    char *text = clopt_text_take(&maker.text);
    if (!maker.lacks)
        return text;
    free(text);
    return NULL;
}
