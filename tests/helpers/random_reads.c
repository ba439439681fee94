/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes random kernels of reads. An index grows from 0 with the work-item, from the beginning of
 * `in` or from its end; what lies before it is read under conditions alone. Half of the kernels
 * read through a pointer that is derived from `in`. Arithmetic is unsigned. */
#include "random_reads.h"

#include <stdbool.h>

#include <clopt/random.h>

#include "text/text.h"

#define BACK 4 /* elements before the first index that conditions let a few work-items read */

struct maker {
    struct clopt_random random;
    struct clopt_text text;
    unsigned loops;               /* around: their counters are i, j */
    unsigned statements;          /* so far, for the names of tables' counters */
    bool row;                     /* work-items with neighbouring x read neighbours */
    bool plain;                   /* nothing but global identities, and mostly sums */
    struct clopt_random pointers; /* of their own: kernels are what they were without pointers */
    unsigned pointer;             /* through which of `derived` elements are read; 0: none */
};

/* Pointers into `in`: how they are made, what they are called, and how many elements after the
 * first one they are. */
static const struct {
    const char *made;
    const char *name;
    const char *offset;
} derived[] = {
    {"", "in", "0"},
    {"global const int *q = in + x;\n", "q", "x"},
    {"global const int *q = in;\nq += 3 * y + 1;\n", "q", "(3 * y + 1)"},
    {"global const int *row = &in[width], *const q = row - (uint)x;\n", "q", "(width - x)"},
    {"in += (uchar)(x + 5);\n", "in", "(x + 5)"},
    {"global const int *q = y & 1 ? in + 2 : in + y;\n", "q", "(y & 1 ? 2 : y)"},
    {"global const int *q = in;\nfor (int p = 0; p < 4; p++)\nq++;\n", "q", "4"},
    {"in += x;\nglobal const int *q = in++;\n", "in", "(x + 1)"},
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

/* What is added to an identity: from 0 to 7. */
static void offset(struct maker *maker)
{
    static const char *const single[] = {"i", "2 * i", "2 - i", "i + 1"};
    static const char *const twice[] = {"i", "j", "i + j", "2 - j", "2 * j"};
    if (!maker->loops || below(maker, 3) == 0)
        clopt_text_printf(&maker->text, "%u", below(maker, 4));
    else
        put(maker, maker->loops == 1 ? pick(maker, single, 4) : pick(maker, twice, 5));
}

/* One dimension of an index, spelled in one of the ways that there are. */
static void identity(struct maker *maker, bool second)
{
    static const char *const firsts[] = {"x", "x", "(int)get_global_id(0)",
                                         "((int)get_group_id(0) * 8 + lx)"};
    static const char *const seconds[] = {"y", "y", "(int)get_global_id(1)",
                                          "(int)(get_group_id(1) * 4 + get_local_id(1))"};
    put(maker, second ? pick(maker, seconds, maker->plain ? 3 : 4)
                      : pick(maker, firsts, maker->plain ? 3 : 4));
}

/* An index from 0 to 16383 - BACK, without what is added in front. */
static void append_index(struct maker *maker)
{
    static const char *const widths[] = {"40", "width", "64", "width"};
    put(maker, "(");
    identity(maker, maker->row);
    put(maker, " + ");
    offset(maker);
    clopt_text_printf(&maker->text, ") * %s + ", pick(maker, widths, 4));
    identity(maker, !maker->row);
    put(maker, " + ");
    offset(maker);
}

/* Names the element at an index, which is put in front of the one that ends it. */
static void begin_element(struct maker *maker)
{
    clopt_text_printf(&maker->text, "(uint)%s[", derived[maker->pointer].name);
}

static void end_element(struct maker *maker)
{
    clopt_text_printf(&maker->text, maker->pointer ? " - %s]" : "]",
                      derived[maker->pointer].offset);
}

/* Reads `before` elements (an expression) further towards the end at which the index begins. */
static void read(struct maker *maker, const char *before)
{
    if (below(maker, 2)) {
        begin_element(maker);
        clopt_text_printf(&maker->text, "n - 1 + %s - (", before);
        append_index(maker);
        put(maker, ")");
    } else {
        begin_element(maker);
        append_index(maker);
        clopt_text_printf(&maker->text, " - %s", before);
    }
    end_element(maker);
}

/* A read that would be outside of the buffer for those that do not make it. */
static void guarded_read(struct maker *maker)
{
    unsigned back = 1 + below(maker, BACK), kind = below(maker, 6);
    char number[16];
    snprintf(number, sizeof number, "%u", back);
    if (kind == 0) {
        clopt_text_printf(&maker->text, "if (x >= %u)\ns += ", back);
        read(maker, number);
    } else if (kind == 1) {
        clopt_text_printf(&maker->text, "s ^= x < %u || y < %u ? 3u : ", back, back);
        read(maker, number);
    } else if (kind == 2) {
        clopt_text_printf(&maker->text, "s += x >= %u && y >= %u && ", back, back);
        read(maker, number);
        put(maker, " % 3u == 1u");
    } else if (kind == 3) {
        clopt_text_printf(&maker->text,
                          "for (int b = 0; b < %u; b++) {\nif (b > x || b > y)\n%s;\ns = s * 3u + ",
                          back + 1, below(maker, 2) ? "break" : "continue");
        read(maker, "b");
        put(maker, ";\n}\n");
        return;
    } else if (kind == 4) {
        clopt_text_printf(&maker->text,
                          "for (int b = 0; b <= min(min(x, y), %u); b++)\ns = s * 5u + ", back);
        read(maker, "b");
    } else {
        clopt_text_printf(
            &maker->text,
            "switch (min(x, y) / %u) {\ncase 0:\ns += 7u;\nbreak;\ndefault:\ns += ", back);
        read(maker, number);
        put(maker, ";\n}\n");
        return;
    }
    put(maker, ";\n");
}

static void plain_read(struct maker *maker)
{
    static const char *const operators[] = {" += ", " ^= ", " = s * 3u + "};
    clopt_text_printf(&maker->text, "s%s",
                      pick(maker, operators, maker->plain && below(maker, 8) ? 1 : 3));
    read(maker, "0");
    for (unsigned i = below(maker, 3); i; i--) {
        put(maker, below(maker, 2) ? " * " : " + ");
        read(maker, "0");
    }
    put(maker, ";\n");
}

/* Tiles of two matrices, by a loop that is split already or not. */
static void product(struct maker *maker)
{
    unsigned tile = 4u << below(maker, 2);
    if (below(maker, 2))
        clopt_text_printf(&maker->text,
                          "for (int a = 0; a < 32; a += %u)\nfor (int b = a; b < a + %u; b++)\n",
                          tile, tile);
    else
        clopt_text_printf(&maker->text, "for (int b = 0; b < %s; b++)\n",
                          below(maker, 2) ? "32" : "2 * m");
    put(maker, "s += ");
    begin_element(maker);
    put(maker, "y * width + b");
    end_element(maker);
    put(maker, " * ");
    begin_element(maker);
    put(maker, "n - 1 - (b * 32 + x)");
    end_element(maker);
    put(maker, ";\n");
}

static void statement(struct maker *maker);

static void loop(struct maker *maker)
{
    static const char *const bounds[] = {"3", "3", "m / 6", "2"};
    const char *name = maker->loops ? "j" : "i";
    clopt_text_printf(&maker->text, "for (int %s = 0; %s < %s; %s++) {\n", name, name,
                      pick(maker, bounds, 4), name);
    maker->loops++;
    for (unsigned i = 1 + below(maker, 2); i; i--)
        statement(maker);
    maker->loops--;
    put(maker, "}\n");
}

/* Reads by a pointer that is stepped. */
static void walk(struct maker *maker)
{
    unsigned step = 1 + (unsigned)clopt_random_below(&maker->pointers, 3);
    clopt_text_printf(
        &maker->text,
        "for (global const int *w = %s; w < %s + 9; w += %u)\ns = s * 3u + (uint)*w;\n",
        derived[maker->pointer].name, derived[maker->pointer].name, step);
}

static void statement(struct maker *maker)
{
    unsigned kind = below(maker, 10);
    if (kind < 3 && maker->loops < 2)
        loop(maker);
    else if (kind == 3 && !maker->loops)
        product(maker);
    else if (kind == 4)
        guarded_read(maker);
    else if (kind == 5)
        put(maker, "out[512 + y * 32 + x] += (int)s;\n");
    else
        plain_read(maker);
}

static void leave(struct maker *maker)
{
    static const char *const conditions[] = {"x >= 29", "x >= 3 * m", "x > 27 || y >= m", "y >= 13",
                                             "m == 7"};
    clopt_text_printf(&maker->text, "if (%s)\nreturn;\n", pick(maker, conditions, 5));
}

/* Work-items past an end skip what follows. Returns what ends that. */
static const char *guard(struct maker *maker)
{
    static const char *const conditions[] = {
        "if (x < 29) {\n", "if (x < 3 * m && m > y) {\n", "if (27 >= x)\nif (!(y >= m)) {\n",
        "if (y <= 12) {\nint last = 3 * m;\nif (x < last) {\n"};
    unsigned kind = below(maker, 4);
    put(maker, conditions[kind]);
    return kind == 3 ? "}\n}\n" : "}\n";
}

char *random_reads(uint64_t number)
{
    struct maker maker = {.random = clopt_random_seed(13, number)};
    maker.row = below(&maker, 4) != 0;
    maker.plain = below(&maker, 3) == 0;
    bool promised = below(&maker, 3) != 0, guarded = below(&maker, 4) == 0;
    const char *close = "";
    maker.pointers = clopt_random_seed(29, number);
    if (clopt_random_below(&maker.pointers, 2))
        maker.pointer =
            (unsigned)clopt_random_below(&maker.pointers, sizeof derived / sizeof *derived);
    clopt_text_printf(&maker.text,
                      "// local 8x4 global 32x16\n"
                      "kernel void k(global const int *%sin, global int *%sout, int n)\n{\n",
                      promised ? "restrict " : "", promised ? "restrict " : "");
    put(&maker, "int x = get_global_id(0), y = get_global_id(1);\n");
    if (!maker.plain)
        put(&maker, "int lx = get_local_id(0);\n");
    put(&maker, "int m = n / 2048, width = 4 * m + 8;\nuint s = 1;\n");
    put(&maker, derived[maker.pointer].made);
    if (clopt_random_below(&maker.pointers, 4) == 0)
        walk(&maker);
    if (below(&maker, 3) == 0)
        leave(&maker);
    if (guarded)
        close = guard(&maker);
    for (unsigned i = 1 + below(&maker, 4); i; i--)
        statement(&maker);
    if (below(&maker, 6) == 0) {
        put(&maker, "out[y * 32 + x] = (int)s;\n");
        leave(&maker);
        statement(&maker);
    }
    put(&maker, "out[y * 32 + x] = (int)s;\n");
    put(&maker, close);
    put(&maker, "}\n");
    return clopt_text_take(&maker.text);
}
