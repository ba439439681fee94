/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random kernels whose variables are computed from each other. */
#include "random_chains.h"

#include <string.h>

#include <clopt/random.h>

#include "text/text.h"

#define NAMES   7  /* a0, a1, ... */
#define VISIBLE 64 /* declarations at once */

enum type { TYPE_UINT, TYPE_USHORT, TYPE_ULONG, TYPE_VECTOR, TYPE_POINTER, TYPE_CONSTANT, TYPES };

struct declaration {
    unsigned name;
    enum type type;
    unsigned block;
    bool changes;
};

struct chains {
    struct clopt_random random;
    struct clopt_text text;
    struct declaration visible[VISIBLE];
    unsigned count;
    unsigned block;
    unsigned counters;
    unsigned budget;
};

static unsigned below(struct chains *chains, unsigned bound)
{
    return (unsigned)clopt_random_below(&chains->random, bound);
}

static void put(struct chains *chains, const char *text)
{
    clopt_text_append(&chains->text, text);
}

static const struct declaration *find(const struct chains *chains, unsigned name)
{
    for (unsigned i = chains->count; i-- > 0;)
        if (chains->visible[i].name == name)
            return &chains->visible[i];
    return NULL;
}

/* ---- expressions ---- */

/* A name as an unsigned number; `hidden` is being declared. */
static void put_name(struct chains *chains, unsigned hidden)
{
    static const char *const forms[TYPES] = {"a%u",   "(uint)a%u",    "(uint)a%u",
                                             "a%u.y", "(uint)a%u[l]", "(uint)a%u"};
    unsigned name = below(chains, NAMES);
    const struct declaration *found = name == hidden ? NULL : find(chains, name);
    if (found)
        clopt_text_printf(&chains->text, forms[found->type], name);
    else
        put(chains, below(chains, 2) ? "l" : "g");
}

static void expression(struct chains *chains, unsigned depth, unsigned hidden)
{
    static const char *const operators[] = {" + ", " ^ ", " * ", " - "};
    unsigned kind = below(chains, depth ? 9 : 6);
    if (kind < 4) {
        put_name(chains, hidden);
    } else if (kind == 4) {
        clopt_text_printf(&chains->text, "(%uu + n)", below(chains, 9));
    } else if (kind == 5) {
        put(chains, below(chains, 2) ? "(uint)in[g]" : "(uint)in[l + 3u]");
    } else if (kind == 6) {
        put(chains, "f(");
        expression(chains, depth - 1, hidden);
        put(chains, ")");
    } else {
        put(chains, "(");
        expression(chains, depth - 1, hidden);
        put(chains, operators[below(chains, 4)]);
        expression(chains, depth - 1, hidden);
        put(chains, ")");
    }
}

/* ---- statements ---- */

static void statement(struct chains *chains);

static void declare(struct chains *chains)
{
    static const char *const before[] = {"uint a%u = ", "ushort a%u = (ushort)",
                                         "ulong a%u = ", "uint2 a%u = (uint2)(n, ",
                                         "global const int *a%u = in + (15u & "};
    static const char *const after[] = {";\n", ";\n", ";\n", ");\n", ");\n"};
    unsigned name = below(chains, NAMES);
    const struct declaration *found = find(chains, name);
    enum type type = below(chains, 2) ? TYPE_UINT : (enum type)below(chains, TYPE_CONSTANT);
    if ((found && found->block == chains->block) || chains->count == VISIBLE)
        return;
    bool constant = type != TYPE_POINTER && below(chains, 3) == 0;
    put(chains, constant ? "const " : "");
    clopt_text_printf(&chains->text, before[type], name);
    expression(chains, 2, name);
    put(chains, after[type]);
    chains->visible[chains->count++] = (struct declaration){
        name, type, chains->block, !constant && type <= TYPE_ULONG && below(chains, 3) == 0};
}

static void change(struct chains *chains)
{
    unsigned name = below(chains, NAMES);
    const struct declaration *found = find(chains, name);
    if (found && found->changes)
        clopt_text_printf(&chains->text, "a%u += ", name);
    else
        put(chains, "x ^= ");
    expression(chains, 2, NAMES);
    put(chains, ";\n");
}

static void exchange(struct chains *chains)
{
    bool called = below(chains, 3) == 0;
    put(chains, called ? "share(t, l, " : "t[l] = ");
    expression(chains, 2, NAMES);
    put(chains, called ? ");\n" : ";\nbarrier(CLK_LOCAL_MEM_FENCE);\n");
    clopt_text_printf(
        &chains->text,
        "x += t[(l + %uu) & 15u];\nbarrier(CLK_LOCAL_MEM_FENCE);\nx ^= ", below(chains, 16));
    put_name(chains, NAMES);
    put(chains, ";\n");
}

/* Statements in braces, all of which all work-items come to, or none. */
static void block(struct chains *chains)
{
    unsigned count = chains->count, outer = chains->block;
    chains->block = chains->budget + 1; /* which goes down */
    put(chains, "{\n");
    for (unsigned i = 2 + below(chains, 4); i; i--)
        statement(chains);
    put(chains, "}\n");
    chains->count = count;
    chains->block = outer;
}

static void statement(struct chains *chains)
{
    if (!chains->budget)
        return;
    chains->budget--;
    unsigned kind = below(chains, 12);
    if (kind < 5) {
        declare(chains);
    } else if (kind < 7) {
        change(chains);
    } else if (kind < 10) {
        exchange(chains);
    } else if (kind == 10) {
        clopt_text_printf(&chains->text, "for (uint c%u = 0; c%u < %uu; c%u++)\n", chains->counters,
                          chains->counters, 1 + below(chains, 3), chains->counters);
        chains->counters++;
        block(chains);
    } else {
        put(chains, below(chains, 2) ? "if (n & 1u)\n" : "");
        block(chains);
    }
}

/* ---- kernels ---- */

char *random_chains(uint64_t number)
{
    struct chains chains = {.random = clopt_random_seed(23, number), .budget = 30};
    put(&chains, "// local 16 global 64\nconstant uint a0 = 100u;\nconstant uint a1 = 11u;\n"
                 "enum { a2 = 3 };\n"
                 "uint f(uint x) { uint a3 = x * 3u; return a3 + a0; }\n"
                 "void share(local uint *t, uint l, uint a4)\n"
                 "{ uint x = a4 + a1; t[l] = x ^ (uint)a2; barrier(CLK_LOCAL_MEM_FENCE); }\n");
    for (unsigned i = 0; i < 3; i++)
        chains.visible[chains.count++] = (struct declaration){.name = i, .type = TYPE_CONSTANT};
    put(&chains, number % 3 ? "" : "__attribute__((reqd_work_group_size(16, 1, 1)))\n");
    put(&chains,
        "kernel void k(global const int *in, global int *out, int m)\n{\n"
        "local uint t[16];\nuint l = get_local_id(0), g = get_global_id(0), n = m;\nuint x = g;\n");
    chains.block = 1000;
    exchange(&chains);
    while (chains.budget)
        statement(&chains);
    exchange(&chains);
    put(&chains, "out[g] = (int)x;\n}\n");
    return clopt_text_take(&chains.text);
}
