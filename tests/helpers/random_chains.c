/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random kernels whose variables are computed from each other. */
#include "random_chains.h"

#include <string.h>

#include <clopt/random.h>

#include "text/text.h"

#define NAMES   7  /* a0, a1, ... */
#define VISIBLE 64 /* declarations at once */

enum type {
    TYPE_UINT,
    TYPE_USHORT,
    TYPE_ULONG,
    TYPE_VECTOR,
    TYPE_POINTER,
    TYPE_CONSTANT,
    TYPE_MOVED, /* a pointer that is moved by bytes */
    TYPE_FLOAT, /* a whole number */
    TYPES
};

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
    unsigned version;  /* of the language, in hundreds; 0: the options do not say */
    unsigned dialects; /* in 16 statements, of those that random_chains() does not make */
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
    static const char *const forms[TYPES] = {"a%u",          "(uint)a%u",    "(uint)a%u",
                                             "a%u.y",        "(uint)a%u[l]", "(uint)a%u",
                                             "(uint)a%u[l]", "(uint)a%u"};
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
    static const char *const before[] = {"uint a%u = ",
                                         "ushort a%u = (ushort)",
                                         "ulong a%u = ",
                                         "uint2 a%u = (uint2)(n, ",
                                         "global const int *a%u = in + (15u & ",
                                         NULL,
                                         "global const int *a%u = (global const int *)((global "
                                         "const char *)in + 4u * (15u & ",
                                         "float a%u = (float)(1023u & "};
    static const char *const after[] = {";\n", ";\n", ";\n", ");\n", ");\n", NULL, "));\n", ");\n"};
    unsigned name = below(chains, NAMES);
    const struct declaration *found = find(chains, name);
    enum type type = below(chains, 2) ? TYPE_UINT : (enum type)below(chains, TYPE_CONSTANT);
    if ((found && found->block == chains->block) || chains->count == VISIBLE)
        return;
    if (chains->dialects && below(chains, 4) == 0)
        type = below(chains, 2) ? TYPE_MOVED : TYPE_FLOAT;
    bool constant = type != TYPE_POINTER && type != TYPE_MOVED && below(chains, 3) == 0;
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
    const char *barrier =
        chains->version >= 200 && below(chains, 2) ? "work_group_barrier" : "barrier";
    if (called)
        put(chains, ");\n");
    else
        clopt_text_printf(&chains->text, ";\n%s(CLK_LOCAL_MEM_FENCE);\n", barrier);
    clopt_text_printf(&chains->text, "x += t[(l + %uu) & 15u];\n%s(CLK_LOCAL_MEM_FENCE);\nx ^= ",
                      below(chains, 16), barrier);
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

/* Work-items exchange values of half precision. */
static void exchange_halves(struct chains *chains)
{
    put(chains, "vstore_half((float)(1023u & ");
    expression(chains, 1, NAMES);
    clopt_text_printf(&chains->text,
                      "), l, (local half *)h);\nbarrier(CLK_LOCAL_MEM_FENCE);\n"
                      "x += (uint)vload_half((l + %uu) & 15u, (local const half *)h);\n"
                      "barrier(CLK_LOCAL_MEM_FENCE);\n",
                      below(chains, 16));
}

/* Preprocessor lines around statements, or around a macro that has no text. */
static void group(struct chains *chains)
{
    static const char *const conditions[] = {"#ifdef CLOPT_TEST", "#if CLOPT_TEST > 3",
                                             "#ifndef ABSENT",
                                             "#if defined(EMPTY) && !defined(cl_absent_extension)"};
    clopt_text_printf(&chains->text, "%s\n", conditions[below(chains, 4)]);
    switch (below(chains, 4)) {
    case 0:
        put(chains, "EMPTY\n");
        break;
    case 1:
        put(chains, "NOTHING(x)\n#else\nEMPTY\n");
        break;
    case 2:
        put(chains, "EMPTY\n#else\n");
        change(chains);
        break;
    default:
        change(chains);
        put(chains, "#elif 1\nNOTHING(a, b) EMPTY\n");
        break;
    }
    put(chains, "#endif\n");
}

/* What the next language version or another layout of memory brings. */
static void dialect(struct chains *chains)
{
    unsigned kind = below(chains, 5);
    bool halves = chains->version < 200; /* PoCL 3.1 and Oclgrind lack them later */
    if (kind < 2)
        group(chains);
    else if (kind == 2 && halves)
        exchange_halves(chains);
    else if (kind == 3 && halves)
        clopt_text_printf(
            &chains->text,
            "x ^= (uint)(vload_half(l + %uu, (global const half *)in) * 16777216.0f);\n",
            below(chains, 64));
    else
        clopt_text_printf(&chains->text,
                          "x += (uint)*(global const int *)((global const uchar *)in + (l + %uu) * "
                          "sizeof(int));\n",
                          below(chains, 64));
}

static void statement(struct chains *chains)
{
    if (!chains->budget)
        return;
    chains->budget--;
    if (chains->dialects && below(chains, 16) < chains->dialects) {
        dialect(chains);
        return;
    }
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

static void put_head(struct chains *chains, uint64_t number)
{
    put(chains, "// local 16 global 64\n");
    if (chains->version)
        clopt_text_printf(&chains->text, "// options -cl-std=CL%u.%u\n", chains->version / 100,
                          chains->version / 10 % 10);
    put(chains, chains->dialects ? "#define EMPTY\n#define NOTHING(...)\n" : "");
    put(chains, "constant uint a0 = 100u;\nconstant uint a1 = 11u;\n"
                "enum { a2 = 3 };\n"
                "uint f(uint x) { uint a3 = x * 3u; return a3 + a0; }\n"
                "void share(local uint *t, uint l, uint a4)\n"
                "{ uint x = a4 + a1; t[l] = x ^ (uint)a2; barrier(CLK_LOCAL_MEM_FENCE); }\n");
    put(chains, number % 3 ? "" : "__attribute__((reqd_work_group_size(16, 1, 1)))\n");
    put(chains,
        "kernel void k(global const int *in, global int *out, int m)\n{\n"
        "local uint t[16];\nuint l = get_local_id(0), g = get_global_id(0), n = m;\nuint x = g;\n");
}

/* Buffers that begin some bytes further on, as a host says that has put several into one. */
static void move_buffers(struct chains *chains)
{
    if (chains->version < 200)
        put(chains, "local ushort h[16];\n");
    if (below(chains, 2))
        put(chains, "in = (global const int *)((global const char *)in + m / 1024 * 4);\n");
    if (below(chains, 3) == 0)
        put(chains, "out = (global int *)((global char *)out + (m / 4096) * sizeof(int));\n");
}

static char *make_chains(struct chains *chains, uint64_t number)
{
    put_head(chains, number);
    for (unsigned i = 0; i < 3; i++)
        chains->visible[chains->count++] = (struct declaration){.name = i, .type = TYPE_CONSTANT};
    if (chains->dialects)
        move_buffers(chains);
    chains->block = 1000;
    exchange(chains);
    while (chains->budget)
        statement(chains);
    exchange(chains);
    if (chains->dialects && chains->version < 200)
        exchange_halves(chains); /* PoCL 6.0 aborts at an array that nothing uses */
    put(chains, "out[g] = (int)x;\n}\n");
    return clopt_text_take(&chains->text);
}

char *random_chains(uint64_t number)
{
    struct chains chains = {.random = clopt_random_seed(23, number), .budget = 30};
    return make_chains(&chains, number);
}

static char *make_dialect(uint64_t number, unsigned version)
{
    struct chains chains = {
        .random = clopt_random_seed(31, number), .budget = 30, .version = version, .dialects = 3};
    return make_chains(&chains, number);
}

char *random_dialects(uint64_t number)
{
    return make_dialect(number, number % 2 ? 0 : 120);
}

char *random_versions(uint64_t number)
{
    return make_dialect(number, number % 2 ? 200 : 300);
}
