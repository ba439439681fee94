/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes the statements of random kernels. Arithmetic is unsigned, indices are masked, and every
 * loop has a counter that nothing else writes, so that what comes out is defined. */
#include "random_statement.h"

static void leaf(struct maker *maker)
{
    if (maker->values && below(maker, 4) == 0) {
        clopt_text_printf(&maker->text, "y%u", below(maker, maker->values));
        return;
    }
    static const char *const leaves[] = {"l",   "g",   "(uint)get_group_id(0)",   "n",
                                         "v.x", "v.w", "(uint)get_local_size(0)", "w.y"};
    switch (below(maker, 6)) {
    case 0:
        clopt_text_printf(&maker->text, "%uu", below(maker, 20));
        break;
    case 1:
        put(maker, leaves[below(maker, sizeof leaves / sizeof *leaves)]);
        break;
    case 2:
        if (maker->loops) {
            clopt_text_printf(&maker->text, "c%u", maker->counters - 1 - below(maker, 1));
            break;
        }
        /* fall through */
    default:
        clopt_text_printf(&maker->text, "x%u", below(maker, VARIABLES));
        break;
    }
}

static void binary(struct maker *maker, unsigned depth)
{
    static const char *const operators[] = {" + ", " - ", " * ", " ^ ", " & ", " | "};
    put(maker, "(");
    expression(maker, depth - 1);
    put(maker, operators[below(maker, 6)]);
    expression(maker, depth - 1);
    put(maker, ")");
}

void expression(struct maker *maker, unsigned depth)
{
    if (!depth)
        return leaf(maker);
    switch (below(maker, 9)) {
    case 0:
    case 1:
    case 2:
        binary(maker, depth);
        break;
    case 3:
        put(maker, "in[");
        expression(maker, depth - 1);
        put(maker, " & 1023u]");
        break;
    case 4:
        put(maker, "p[");
        expression(maker, depth - 1);
        put(maker, " & 7u]");
        break;
    case 5:
        clopt_text_printf(&maker->text, "f%u(", below(maker, 3));
        expression(maker, depth - 1);
        put(maker, ", ");
        leaf(maker);
        put(maker, ")");
        break;
    case 6:
        put(maker, "(");
        expression(maker, depth - 1);
        put(maker, " % 3u ? ");
        leaf(maker);
        put(maker, " : ");
        leaf(maker);
        put(maker, ")");
        break;
    default:
        leaf(maker);
        break;
    }
}

/* A value that all work-items of a group agree on. */
void uniform(struct maker *maker)
{
    static const char *const leaves[] = {"(uint)get_group_id(0)",   "n", "3u", "5u",
                                         "(uint)get_num_groups(0)", "u"};
    put(maker, leaves[below(maker, maker->returns ? 6 : 5)]);
    if (below(maker, 2))
        clopt_text_printf(&maker->text, " + %uu", below(maker, 9));
}

static void assignment(struct maker *maker);

static void block(struct maker *maker)
{
    put(maker, "{\n");
    maker->depth++;
    for (unsigned i = 1 + below(maker, 3); i; i--)
        statement(maker);
    maker->depth--;
    put(maker, "}\n");
}

/* A condition on the identity, by which neighbours mostly take the same way. */
void guard(struct maker *maker)
{
    static const char *const identities[] = {"l", "g", "(int)get_local_id(0)", "get_global_id(0)"};
    static const char *const comparisons[] = {" < ", " >= ", " <= ", " > "};
    const char *identity = identities[below(maker, 4)];
    const char *comparison = comparisons[below(maker, 4)];
    unsigned bound = below(maker, 2) ? 4 * below(maker, 5) : below(maker, 40);
    if (below(maker, 4))
        clopt_text_printf(&maker->text, "%s%s%u", identity, comparison, bound);
    else
        clopt_text_printf(&maker->text, "%u + (n & 7u)%s%s", bound, comparison, identity);
}

static void guarded(struct maker *maker)
{
    put(maker, below(maker, 5) ? "if (" : "if (!(");
    bool negated = maker->text.data[maker->text.length - 2] == '!';
    guard(maker);
    if (below(maker, 3) == 0) {
        put(maker, below(maker, 2) ? " && " : " || ");
        guard(maker);
    }
    put(maker, negated ? "))\n" : ")\n");
    maker->divergent++;
    block(maker);
    if (below(maker, 2)) {
        put(maker, "else\n");
        block(maker);
    }
    maker->divergent--;
}

static void branch(struct maker *maker)
{
    bool diverges = below(maker, 3) != 0;
    if (diverges && below(maker, 2)) {
        guarded(maker);
        return;
    }
    put(maker, "if ((");
    if (diverges)
        expression(maker, 1);
    else
        uniform(maker);
    clopt_text_printf(&maker->text, ") %% %uu < 2u)\n", 3 + below(maker, 3));
    maker->divergent += diverges;
    block(maker);
    if (below(maker, 2)) {
        put(maker, "else\n");
        block(maker);
    }
    maker->divergent -= diverges;
}

static void jump(struct maker *maker)
{
    put(maker, "if ((");
    expression(maker, 1);
    put(maker, ") % 7u == 3u)\n");
    put(maker, maker->loops && below(maker, 3) ? "break;\n" : "x0++;\n");
}

/* All work-items of a group leave the loop, or none. */
static void jump_together(struct maker *maker)
{
    clopt_text_printf(&maker->text, "if ((c%u ^ u) %% 3u == 2u)\n%s;\n", maker->counters - 1,
                      below(maker, 2) ? "break" : "continue");
    assignment(maker);
}

static void loop(struct maker *maker)
{
    static const char *const steps[] = {"c%u++", "++c%u", "c%u += 1", "c%u += 2"};
    bool diverges = below(maker, 3) == 0;
    unsigned counter = maker->counters++;
    unsigned kind = below(maker, 4);
    bool known = below(maker, 2);
    unsigned turns = 1 + below(maker, 7);
    clopt_text_printf(&maker->text,
                      kind == 3 ? "{ uint c%u = 0;\nwhile (c%u < " : "for (uint c%u = 0; c%u < ",
                      counter, counter);
    if (known && !diverges) {
        clopt_text_printf(&maker->text, "%uu", turns);
    } else {
        put(maker, "((");
        if (diverges)
            expression(maker, 1);
        else
            uniform(maker);
        clopt_text_printf(&maker->text, ") & %uu)", turns);
    }
    if (kind == 3) {
        clopt_text_printf(&maker->text, ") {\nc%u++;\n", counter);
    } else {
        put(maker, "; ");
        clopt_text_printf(&maker->text, steps[below(maker, 4)], counter);
        put(maker, ") {\n");
    }
    /* A divergent break makes the loop differ, so no barrier may stand in it. */
    bool jumps = below(maker, 4) == 0;
    unsigned saved = maker->counters;
    maker->loops++;
    maker->divergent += diverges || jumps;
    block(maker);
    if (jumps)
        jump(maker);
    else if (maker->returns && !diverges && below(maker, 4) == 0)
        jump_together(maker);
    maker->divergent -= diverges || jumps;
    maker->loops--;
    (void)saved;
    put(maker, kind == 3 ? "}\n}\n" : "}\n");
    maker->counters = counter;
}

void exchange(struct maker *maker)
{
    put(maker, "barrier(CLK_LOCAL_MEM_FENCE);\nt[l] = ");
    expression(maker, 2);
    clopt_text_printf(&maker->text,
                      ";\nbarrier(CLK_LOCAL_MEM_FENCE);\nx%u += t[(l + %uu) & 15u];\n",
                      below(maker, VARIABLES), below(maker, 16));
}

static void assignment(struct maker *maker)
{
    static const char *const operators[] = {" = ", " += ", " ^= ", " -= "};
    static const char *const places[] = {"v.x", "v.yz.x", "w.s1", "v.w"};
    switch (below(maker, 7)) {
    case 0:
        put(maker, "p[");
        expression(maker, 1);
        put(maker, " & 7u]");
        break;
    case 1:
        put(maker, places[below(maker, 4)]);
        break;
    case 2:
        put(maker, "*q");
        break;
    default:
        clopt_text_printf(&maker->text, "x%u", below(maker, VARIABLES));
        break;
    }
    put(maker, operators[below(maker, 4)]);
    expression(maker, 2);
    put(maker, ";\n");
}

static void other(struct maker *maker)
{
    switch (below(maker, 5)) {
    case 0:
        clopt_text_printf(&maker->text, "set(&x%u, ", below(maker, VARIABLES));
        expression(maker, 1);
        put(maker, ");\n");
        break;
    case 1:
        put(maker, "out[1024u + g * 8u + (");
        expression(maker, 1);
        put(maker, " & 7u)] += (int)");
        expression(maker, 1);
        put(maker, ";\n");
        break;
    case 2:
        put(maker, "w += v * (uint4)(");
        leaf(maker);
        put(maker, ");\n");
        break;
    case 3:
        clopt_text_printf(&maker->text, "x%u++, x%u -= 3u;\n", below(maker, VARIABLES),
                          below(maker, VARIABLES));
        break;
    default:
        /* The new variable is in scope in its own initial value already. */
        put(maker, "{ uint fresh = ");
        expression(maker, 0);
        clopt_text_printf(&maker->text, "; uint x%u = fresh;\n", below(maker, VARIABLES));
        assignment(maker);
        put(maker, "}\n");
        break;
    }
}

void statement(struct maker *maker)
{
    if (!maker->budget)
        return assignment(maker);
    maker->budget--;
    unsigned kind = below(maker, 12);
    if (kind < 2 && maker->depth < 4)
        branch(maker);
    else if (kind < 4 && maker->depth < 3)
        loop(maker);
    else if (kind == 4 && !maker->divergent)
        exchange(maker);
    else if (kind < 7)
        other(maker);
    else
        assignment(maker);
}
