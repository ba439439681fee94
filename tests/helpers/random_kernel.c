/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random kernels. */
#include "random_kernel.h"

#include <string.h>

#include "random_statement.h"

#define LOCAL_ARRAY "local uint t[16];\n"

/* ---- returns in front of barriers ---- */

/* A condition that all work-items of a group agree on, whether an analysis sees it or not. */
static void agreed(struct maker *maker)
{
    unsigned group = below(maker, 4);
    switch (below(maker, 7)) {
    case 0:
        clopt_text_printf(&maker->text, "get_group_id(0) == %uu", group);
        break;
    case 1:
        clopt_text_printf(&maker->text, "g >= %uu", 16 * (1 + group));
        break;
    case 2:
        clopt_text_printf(&maker->text, "g / 16u == %uu || u == %uu", group, below(maker, 40));
        break;
    case 3:
        clopt_text_printf(&maker->text, "%uu + l > g", 16 * group);
        break;
    case 4:
        clopt_text_printf(&maker->text, "in[u & 1023u] %% 5 == %u", below(maker, 5));
        break;
    case 5:
        clopt_text_printf(&maker->text, "l >= 16u + (g & 3u) || n == %uu", below(maker, 9));
        break;
    default:
        put(maker, "(");
        uniform(maker);
        clopt_text_printf(&maker->text, ") %% %uu == 2u", 3 + below(maker, 5));
        break;
    }
}

/* A condition that differs between the work-items of a group. */
static void disagreed(struct maker *maker)
{
    switch (below(maker, 5)) {
    case 0:
        guard(maker);
        break;
    case 1:
        put(maker, "(");
        expression(maker, 2);
        clopt_text_printf(&maker->text, ") %% %uu == 2u", 5 + below(maker, 6));
        break;
    case 2:
        clopt_text_printf(&maker->text, "(x%u += 3u) %% 7u == 2u", below(maker, VARIABLES));
        break;
    case 3:
        guard(maker);
        put(maker, below(maker, 2) ? " && " : " || ");
        clopt_text_printf(&maker->text, "in[g] %% 7 == %u", below(maker, 7));
        break;
    default:
        agreed(maker);
        break;
    }
}

static void leave(struct maker *maker)
{
    put(maker, "if (");
    (maker->returns == RANDOM_RETURNS_OF_ITEMS ? disagreed : agreed)(maker);
    switch (below(maker, 8)) {
    case 0:
        put(maker, ") {\nreturn;\n}\n");
        break;
    case 1:
        put(maker, ") {\nout[g] = (int)(x0 + x1);\nreturn;\n}\n");
        break;
    default:
        put(maker, ")\nreturn;\n");
        break;
    }
}

/* Statements that all work-items come to which are left, by one of several ways. */
static void choice(struct maker *maker)
{
    bool diverges = below(maker, 3) == 0;
    put(maker, "switch ((");
    if (diverges)
        expression(maker, 1);
    else
        uniform(maker);
    put(maker, ") % 4u) {\ncase 0u:\n");
    maker->depth++;
    maker->divergent += diverges;
    statement(maker);
    put(maker, below(maker, 2) ? "break;\ncase 2u:\n" : "case 2u:\n");
    statement(maker);
    put(maker, below(maker, 2) ? "break;\ndefault:\n" : "default:\n");
    statement(maker);
    maker->divergent -= diverges;
    maker->depth--;
    put(maker, "}\n");
}

/* What declares a variable that all of the rest may read. */
static void declaration(struct maker *maker)
{
    static const char *const before[] = {"uint y%u = ", "const uint y%u = ", "uint4 d%u = (uint4)(",
                                         "uint d%u[3] = {", "struct pair d%u = make("};
    static const char *const after[] = {";\n", ";\n", ");\n", "};\n", ");\n"};
    static const char *const parts[] = {"", "", ".y", "[1]", ".b"};
    unsigned kind = below(maker, 5);
    clopt_text_printf(&maker->text, before[kind], maker->values);
    for (unsigned i = kind < 2 ? 1 : kind < 4 ? kind == 2 ? 4 : 3 : 2; i; i--) {
        expression(maker, 2);
        put(maker, i > 1 ? ", " : "");
    }
    put(maker, after[kind]);
    if (kind > 1)
        clopt_text_printf(&maker->text, "uint y%u = d%u%s;\n", maker->values, maker->values,
                          parts[kind]);
    maker->values++;
}

/* A statement between returns, or one of them. */
static void part(struct maker *maker)
{
    switch (below(maker, 8)) {
    case 0:
        choice(maker);
        break;
    case 1:
        declaration(maker);
        break;
    case 2:
        put(maker, below(maker, 2) ? "u += " : "u ^= ");
        uniform(maker);
        put(maker, ";\n");
        break;
    case 3:
        exchange(maker);
        break;
    case 4:
        clopt_text_printf(&maker->text, "x%u += 5u, barrier(CLK_LOCAL_MEM_FENCE), t[l] ^= x%u;\n",
                          below(maker, VARIABLES), below(maker, VARIABLES));
        break;
    default:
        statement(maker);
        break;
    }
}

/* The body of a kernel from which some return between its barriers. */
static void put_returning(struct maker *maker)
{
    put(maker, "uint u = n & 7u;\nt[l] = g;\n");
    for (unsigned i = 1 + below(maker, 3); i; i--) {
        for (unsigned j = below(maker, 4); j; j--)
            part(maker);
        leave(maker);
        if (below(maker, 3) == 0) {
            put(maker, "barrier(CLK_LOCAL_MEM_FENCE);\nx1 ^= t[u & 15u];\n");
            clopt_text_printf(&maker->text, "if (t[%uu] %% 5u == 1u)\nreturn;\n", below(maker, 16));
        }
    }
    for (unsigned j = 1 + below(maker, 3); j; j--)
        part(maker);
    exchange(maker);
}

static void put_late_return(struct maker *maker)
{
    put(maker, "if (");
    if (below(maker, 3))
        guard(maker);
    else
        put(maker, "g % 5u == 1u");
    put(maker, below(maker, 2) ? ")\nreturn;\n" : ") {\nout[g] = (int)(x0 + x1);\nreturn;\n}\n");
    maker->divergent = 1;
    for (unsigned i = 3; i; i--)
        statement(maker);
}

char *random_returning_kernel(uint64_t number, enum random_returns returns)
{
    struct maker maker = {.random = clopt_random_seed(7, number), .budget = 24, .returns = returns};
    put(&maker, "// local 16 global 64\n");
    if (returns)
        put(&maker, "struct pair { uint a, b; };\n"
                    "struct pair make(uint a, uint b) { struct pair p = {b, a}; return p; }\n");
    put(&maker, "uint f0(uint a, uint b) { return a * 3u + b; }\n"
                "uint f1(uint a, uint b) { return a ^ (uint)get_local_id(0) ^ f0(b, a); }\n"
                "uint f2(uint a, uint b) { uint s = b; for (uint i = 0; i < (a & 3u); i++) s += i;"
                " return s; }\n"
                "void set(uint *a, uint b) { if (b & 1u) *a = b; else *a += 2u; }\n"
                "kernel void k(global const int *in, global int *out, int m)\n{\n" LOCAL_ARRAY
                "uint l = get_local_id(0), g = get_global_id(0), n = m;\n"
                "uint p[8];\nuint4 v = (uint4)(1, 2, 3, n), w = v;\n");
    for (unsigned i = 0; i < VARIABLES; i++)
        clopt_text_printf(&maker.text, "uint x%u = %s;\n", i,
                          (const char *const[]){"1", "n", "7", "g", "l", "2"}[i]);
    clopt_text_printf(&maker.text, "uint *q = &x%u;\n", below(&maker, VARIABLES));
    put(&maker, "for (uint i = 0; i < 8; i++) {\np[i] = i;\nout[1024u + g * 8u + i] = 0;\n}\n");
    bool late = below(&maker, 4) == 0;
    if (returns)
        put_returning(&maker);
    for (unsigned i = returns ? 0 : 4 + below(&maker, 5); i; i--)
        statement(&maker);
    if (late)
        put_late_return(&maker);
    put(&maker, "out[g] = (int)(x0 ^ x1 * 3u ^ x2 * 5u ^ x3 * 7u ^ x4 * 11u ^ x5 * 13u);\n"
                "out[64u + g] = (int)(v.x ^ v.y ^ v.z ^ v.w ^ w.x ^ w.y ^ w.z ^ w.w);\n"
                "for (uint i = 0; i < 8; i++)\nout[128u + g * 8u + i] = (int)p[i];\n}\n");
    char *text = clopt_text_take(&maker.text);
    if (text && !strstr(text, "t[l]")) { /* PoCL 6.0 aborts at an array that nothing uses */
        char *array = strstr(text, LOCAL_ARRAY);
        memmove(array, array + strlen(LOCAL_ARRAY), strlen(array + strlen(LOCAL_ARRAY)) + 1);
    }
    return text;
}

char *random_kernel(uint64_t number)
{
    return random_returning_kernel(number, RANDOM_RETURNS_LATE);
}
