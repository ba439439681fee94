/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random kernels of loops. Each work-item has 256 words of `out` for itself, and all indices
 * stay within 240 words, whatever the counters are; arithmetic is unsigned. Counters begin below 0,
 * or reach the ends of their types. */
#include "random_loops.h"

#include <stdbool.h>
#include <string.h>

#include <clopt/random.h>

#include "text/text.h"

struct maker {
    struct clopt_random random;
    struct clopt_text text;
    const char *type;   /* of the numbers in it that are no integers */
    unsigned depth;     /* loops around: their counters are i, j */
    unsigned locals;    /* x0, x1, ... that the body has declared so far */
    unsigned arrays[2]; /* that this kernel uses most */
};

static unsigned below(struct maker *maker, unsigned bound)
{
    return (unsigned)clopt_random_below(&maker->random, bound);
}

static void put(struct maker *maker, const char *text)
{
    clopt_text_append(&maker->text, text);
}

static const char *pick(struct maker *maker, const char *const *words, unsigned count)
{
    return words[below(maker, count)];
}

/* A number from 0 to 239, for counters from -1 to 8. */
static void put_index(struct maker *maker)
{
    static const char *const single[] = {"i",     "i",     "i",     "i",
                                         "2 * i", "8 - i", "i * m", "i + g % 3"};
    static const char *const twice[] = {"i * 8 + j",  "i * 10 + j", "j * 8 + i", "i * m + j",
                                        "i - j + 8",  "i + j",      "j",         "j * 2",
                                        "j * 16 + i", "i * 16 + j", "j",         "i"};
    if (maker->depth == 0)
        clopt_text_printf(&maker->text, "%u", below(maker, 200));
    else
        clopt_text_printf(&maker->text, "%s + %u",
                          maker->depth == 1 ? pick(maker, single, 8) : pick(maker, twice, 12),
                          below(maker, 4) ? 20 + below(maker, 5) : 20 + below(maker, 60));
}

static void element(struct maker *maker)
{
    static const char *const arrays[] = {"a[", "a[", "c[", "p[", "q[", "t[l]["};
    put(maker, arrays[below(maker, 8) ? maker->arrays[below(maker, 2)] : below(maker, 6)]);
    put_index(maker);
    put(maker, "]");
}

static void expression(struct maker *maker, unsigned depth)
{
    static const char *const operators[] = {" + ", " - ", " * ", " ^ ", " & ", " | "};
    unsigned kind = below(maker, depth ? 9 : 5);
    if (kind == 0) {
        clopt_text_printf(&maker->text, "%uu", below(maker, 20));
    } else if (kind == 1) {
        static const char *const counters[] = {"(uint)i", "(uint)-i", "(uint)(3-i)", "(uint)j"};
        put(maker, maker->depth ? pick(maker, counters, maker->depth == 1 ? 3 : 4) : "g");
    } else if (kind == 2 && maker->locals) {
        clopt_text_printf(&maker->text, "x%u", below(maker, maker->locals));
    } else if (kind == 3) {
        put(maker, "(uint)b[");
        put_index(maker);
        put(maker, "]");
    } else if (kind <= 5) {
        put(maker, "(uint)");
        element(maker);
    } else if (kind == 6) {
        put(maker, "(");
        expression(maker, depth - 1);
        put(maker, " % 3u ? ");
        expression(maker, 0);
        put(maker, " : ");
        expression(maker, 0);
        put(maker, ")");
    } else {
        put(maker, "(");
        expression(maker, depth - 1);
        put(maker, pick(maker, operators, 6));
        expression(maker, depth - 1);
        put(maker, ")");
    }
}

static void store(struct maker *maker)
{
    static const char *const operators[] = {" = ", " = ", " += ", " ^= "};
    /* One that the innermost loop does not move. */
    bool still = maker->depth > 0 && below(maker, 3) == 0;
    maker->depth -= still;
    element(maker);
    maker->depth += still;
    put(maker, pick(maker, operators, 4));
    expression(maker, 2);
    put(maker, ";\n");
}

static void accumulate(struct maker *maker)
{
    static const char *const operators[] = {" += ", " -= ", " ^= ", " *= ", " |= ", " = "};
    unsigned number = below(maker, 4);
    clopt_text_printf(&maker->text, "s%u", number);
    if (below(maker, 5) == 0)
        clopt_text_printf(&maker->text, " = %s(s%u, ", below(maker, 2) ? "min" : "max", number);
    else
        put(maker, operators[below(maker, 6) ? number : 4 + below(maker, 2)]);
    bool call = maker->text.data[maker->text.length - 2] == ',';
    expression(maker, 2);
    put(maker, call ? ");\n" : ";\n");
}

static void add_floats(struct maker *maker)
{
    static const char *const operators[] = {" + ", " - ", " * "};
    put(maker, "f[l][");
    put_index(maker);
    put(maker, "] = (f[l][");
    put_index(maker);
    clopt_text_printf(&maker->text, "]%s(%s)(", operators[below(maker, 3)], maker->type);
    expression(maker, 1);
    put(maker, " & 255u)) * 0.37f;\n");
}

static void statement(struct maker *maker)
{
    switch (below(maker, 8)) {
    case 0:
    case 1:
        accumulate(maker);
        break;
    case 2:
        put(maker, "if ((");
        expression(maker, 1);
        put(maker, ") % 3u == 1u) {\n");
        store(maker);
        if (below(maker, 2))
            accumulate(maker);
        put(maker, below(maker, 3) ? "}\n" : "} else {\ny += 3u;\n}\n");
        break;
    case 3:
        put(maker, "y = ");
        expression(maker, 1);
        put(maker, ";\na[y % 7u] = y;\n");
        break;
    case 4:
        add_floats(maker);
        break;
    default:
        store(maker);
        break;
    }
}

static void body(struct maker *maker)
{
    unsigned saved = maker->locals;
    for (unsigned i = below(maker, 3); i; i--) {
        clopt_text_printf(&maker->text, "uint x%u = ", maker->locals);
        expression(maker, 1);
        put(maker, ";\n");
        maker->locals++;
    }
    for (unsigned i = 1 + below(maker, 3); i; i--)
        statement(maker);
    maker->locals = saved;
}

/* A loop whose counter is at the end of its type, from which the one that indices have is made; of
 * the last ones no iteration is executed. */
static void head_at_end(struct maker *maker, const char *name)
{
    static const char *const heads[] = {
        "for (int e%s = 2147483647 - m; e%s < 2147483647; e%s++) {\nint %s = e%s - 2147483639;\n",
        "for (uint e%s = 4294967295u - m; e%s < 4294967295u; e%s++) {\n"
        "int %s = e%s - 4294967287u;\n",
        "for (int e%s = -2147483647; e%s < m - 2147483647; e%s++) {\n"
        "int %s = e%s + 2147483647;\n",
        "for (int e%s = 2147483647; e%s > 2147483647 - m; e%s--) {\n"
        "int %s = 2147483647 - e%s;\n",
        "for (int e%s = 0; e%s < -m * 268435455; e%s++) {\nint %s = e%s;\n",
        "for (uint e%s = m; e%s < m - 5u; e%s++) {\nint %s = e%s;\n"};
    const char *form = heads[below(maker, 6)];
    for (const char *at; (at = strstr(form, "%s")); form = at + 2)
        clopt_text_printf(&maker->text, "%.*s%s", (int)(at - form), form, name);
    put(maker, form);
}

/* A loop that counts by what is not known, or has more in its head than one counter and its bound.
 */
static void head_as_written(struct maker *maker, const char *name, const char *type,
                            const char *bound)
{
    static const char *const heads[] = {
        "for (@# = in[3] & 1; # < !; # += w) {\n",
        "for (@# = l & 1; # <= ! - 1; # += get_num_groups(0) / 2) {\n",
        "for (int # = !; # > 0; # -= w) {\n",
        "for (@# = 1; # < 7 && # + m < 14 && w; #++) {\n",
        "for (@# = 0; m && # < !; # += w + 1) {\n",
        "for (@# = !; # > 0; # >>= 1) {\n",
        "for (@# = 1; # < !; # *= 2) {\n",
        "for (int # = 0, d# = 3; # < !; #++, d# -= w) {\ny ^= (uint)d#;\n"};
    for (const char *at = heads[below(maker, 8)]; *at; at++) {
        const char *put_in = *at == '@' ? type : *at == '#' ? name : *at == '!' ? bound : NULL;
        if (put_in)
            put(maker, put_in);
        else
            clopt_text_printf(&maker->text, "%c", *at);
    }
}

static void head(struct maker *maker, const char *name)
{
    static const char *const bounds[] = {"8", "m", "7", "(in[3] & 7)"};
    static const char *const steps[] = {"%s++", "++%s", "%s += 2", "%s++"};
    bool declared = below(maker, 4) != 0;
    const char *type = declared ? below(maker, 3) ? "int " : "uint " : "";
    if (below(maker, 8) == 0) {
        head_at_end(maker, name);
    } else if (below(maker, 4) == 0) {
        head_as_written(maker, name, type, pick(maker, bounds, 4));
    } else if (type[0] != 'u' && below(maker, 5) == 0) {
        clopt_text_printf(&maker->text,
                          below(maker, 2) ? "for (%s%s = -1; %s < %s; %s++) {\n"
                                          : "for (%s%s = -1; %s <= %s - 6; %s++) {\n",
                          type, name, name, pick(maker, bounds, 4), name);
    } else if (below(maker, 6) == 0 && type[0] != 'u') {
        clopt_text_printf(&maker->text, "for (%s%s = %s; %s >= 1; %s--) {\n", type, name,
                          pick(maker, bounds, 4), name, name);
    } else {
        clopt_text_printf(&maker->text, "for (%s%s = %u; %s < %s; ", type, name, below(maker, 3),
                          name, pick(maker, bounds, 4));
        clopt_text_printf(&maker->text, steps[below(maker, 4)], name);
        put(maker, ") {\n");
    }
}

static void nest(struct maker *maker)
{
    bool perfect = below(maker, 2);
    head(maker, "i");
    maker->depth = 1;
    if (below(maker, 2)) {
        if (!perfect)
            body(maker);
        head(maker, "j");
        maker->depth = 2;
        body(maker);
        put(maker, "}\n");
        maker->depth = 1;
        if (!perfect)
            statement(maker);
    } else {
        body(maker);
    }
    put(maker, "}\n");
    maker->depth = 0;
}

static char *make_loops(uint64_t number, const char *type, const char *extension, const char *bits)
{
    struct maker maker = {.random = clopt_random_seed(11, number), .type = type};
    maker.arrays[0] = below(&maker, 6);
    maker.arrays[1] = below(&maker, 6);
    put(&maker, "// local 16 global 64\n#pragma OPENCL FP_CONTRACT OFF\n");
    put(&maker, extension);
    clopt_text_printf(&maker.text,
                      "kernel void k(global const int *%sin, global int *out, int n)\n",
                      below(&maker, 3) ? "restrict " : "");
    clopt_text_printf(&maker.text, "{\nlocal uint t[16][240];\nlocal %s f[16][240];\n", type);
    put(&maker, "int l = get_local_id(0), m = n / 2048, w = 1 + (in[7] & 1), i, j;\n"
                "uint g = get_global_id(0), y = 5, s0 = 1, s1 = 2, s2 = 3, s3 = 4;\n"
                "uint p[240], q[240];\n"
                "global int *a = out + g * 256;\nglobal int *c = a + 3;\n"
                "global const int *b = in + g;\n"
                "for (int k = 0; k < 240; k++) {\na[k] = k;\np[k] = k * 3;\nq[k] = k ^ 5;\n"
                "t[l][k] = k + 7;\nf[l][k] = k * 0.5f;\n}\n");
    for (unsigned i = 1 + below(&maker, 3); i; i--)
        nest(&maker);
    put(&maker, "for (int k = 0; k < 240; k++) {\na[k] += p[k] * 3 + q[k] * 5 + t[l][k] * 7 + ");
    put(&maker, bits);
    put(&maker, ";\n}\n"
                "a[240] = s0;\na[241] = s1;\na[242] = s2;\na[243] = s3;\na[244] = y;\n"
                "for (int k = 245; k < 256; k++)\na[k] = 0;\n}\n");
    return clopt_text_take(&maker.text);
}

char *random_loops(uint64_t number)
{
    return make_loops(number, "float", "", "as_int(f[l][k])");
}

char *random_half_loops(uint64_t number)
{
    return make_loops(number, "half", "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n",
                      "(isfinite(f[l][k]) ? as_short(f[l][k]) : 1)");
}
