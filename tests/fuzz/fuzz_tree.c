/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that no program that compiles makes the rewriter misbehave, and that what it makes of one
 * compiles again: a libFuzzer harness, which `tests/fuzz/run tree` builds and starts. Each byte of
 * the input decides what comes next: first three optimizations, then the statements of a kernel. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <clopt/source.h>

#include "plugins/optimizations/branches/branches.h"
#include "plugins/optimizations/geometry/coarsen.h"
#include "plugins/optimizations/loops/loops.h"
#include "plugins/optimizations/vector/vector.h"
#include "trial/transform.h"
#include "text/text.h"

#define STEPS        3
#define MOST_DEPTH   5
#define MOST_CLAUSES 60

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct program {
    struct clopt_text text;
    const uint8_t *at;
    const uint8_t *end;
    unsigned depth;
    unsigned clauses; /* statements so far */
    unsigned names;
    unsigned loops;    /* that are open */
    unsigned switches; /* open in the innermost loop */
    bool jumps;        /* there is a goto */
};

static unsigned next(struct program *program, unsigned bound)
{
    return program->at < program->end ? *program->at++ % bound : 0;
}

static void put(struct program *program, const char *text)
{
    clopt_text_append(&program->text, text);
}

/* ---- expressions ---- */

static void put_expression(struct program *program, unsigned depth)
{
    static const char *const leaves[] = {"x", "y", "z", "n", "3", "l", "g", "p[x & 7]", "v.y"};
    static const char *const ids[] = {"get_global_id(0)",  "get_local_id(0)",    "get_group_id(0)",
                                      "get_local_size(0)", "get_global_size(1)", "get_local_id(1)"};
    static const char *const operators[] = {" + ",  " - ",  " * ",  " & ", " < ",
                                            " == ", " && ", " || ", " / ", " << "};
    unsigned kind = depth ? next(program, 12) : 0;
    const char *open[] = {"",           "(",         "in[(", "t[(", "h(&z, ", "(int)(",
                          "min((int)(", "(z += 1, ", "-(",   "((",  "abs(",   "(v + (int4)(int)("};
    const char *close[] = {"",      ")", ") & 255]", ") & 15]", ")", ")",
                           "), y)", ")", ")",        ")",       ")", ")).x"};
    if (kind == 0) {
        unsigned leaf = next(program, 15);
        put(program, leaf < 9 ? leaves[leaf] : ids[leaf - 9]);
        return;
    }
    put(program, open[kind]);
    put_expression(program, depth - 1);
    if (kind == 1) {
        put(program, operators[next(program, 10)]);
        put_expression(program, depth - 1);
    } else if (kind == 9) {
        put(program, ") ? ");
        put_expression(program, depth - 1);
        put(program, " : y");
    }
    put(program, close[kind]);
}

static void put_assignment(struct program *program)
{
    static const char *const places[] = {
        "x", "y", "z", "p[z & 7]", "t[l & 15]", "out[g]", "v.y", "out[x & 255]", "*q", "out[l]"};
    static const char *const operators[] = {" = ", " += ", " -= ", " ^= ", " = ", " = "};
    put(program, places[next(program, 10)]);
    put(program, operators[next(program, 6)]);
    put_expression(program, 3);
}

/* ---- statements ---- */

static void put_block(struct program *program);

static void put_loop(struct program *program)
{
    static const char *const steps[] = {"++", "--", " += 2", "++"};
    unsigned kind = next(program, 6);
    unsigned name = program->names++;
    unsigned switches = program->switches;
    program->loops++;
    program->switches = 0;
    if (kind == 0) {
        put(program, "while (");
        put_expression(program, 2);
        put(program, ") ");
        put_block(program);
    } else if (kind == 1) {
        put(program, "do ");
        put_block(program);
        put(program, " while (");
        put_expression(program, 2);
        put(program, ");\n");
    } else {
        clopt_text_printf(&program->text, "for (int c%u = %u; c%u %s ", name, next(program, 9),
                          name, next(program, 5) ? "<" : ">=");
        put(program, next(program, 2) ? "n" : "8");
        clopt_text_printf(&program->text, "; c%u%s) {\nx += c%u;\n", name, steps[next(program, 4)],
                          name);
        put_block(program);
        put(program, "}\n");
    }
    program->switches = switches;
    program->loops--;
}

static void put_if(struct program *program)
{
    put(program, "if (");
    put_expression(program, 2);
    put(program, ") ");
    put_block(program);
    if (!next(program, 2))
        return;
    put(program, " else ");
    put_block(program);
}

static void put_switch(struct program *program)
{
    program->switches++;
    put(program, "switch (");
    put_expression(program, 2);
    put(program, ") {\ncase 1:\n");
    put_block(program);
    put(program, next(program, 2) ? "break;\ndefault:\n" : "case 2:\n");
    put_block(program);
    put(program, "}\n");
    program->switches--;
}

static void put_statement(struct program *program)
{
    static const char *const plain[] = {"barrier(CLK_LOCAL_MEM_FENCE);\n",
                                        "return;\n",
                                        "g2(out, l);\n",
                                        ";\n",
                                        "q = &x;\n",
                                        "w(t, l);\n",
                                        "atomic_add(&out[1], x);\n",
                                        "goto end;\n",
                                        "v = vload4(0, &in[4]);\n",
                                        "/* said */ x++; // so\n",
                                        "#pragma unroll 2\nfor (int i = 0; i < 4; i++) z += i;\n"};
    unsigned kind = next(program, 16);
    if (program->depth >= MOST_DEPTH || ++program->clauses > MOST_CLAUSES)
        kind = 5;
    if (kind < 5) {
        put_assignment(program);
        put(program, ";\n");
    } else if (kind == 5) {
        const char *text = plain[next(program, 11)];
        program->jumps |= text[0] == 'g' && text[1] == 'o';
        put(program, text);
    } else if (kind < 9) {
        put_loop(program);
    } else if (kind < 12) {
        put_if(program);
    } else if (kind == 12) {
        put_switch(program);
    } else if (kind == 13) {
        clopt_text_printf(&program->text, "int d%u = ", program->names);
        put_expression(program, 3);
        clopt_text_printf(&program->text, ", e%u = d%u;\nx ^= e%u;\n", program->names,
                          program->names, program->names);
        program->names++;
    } else if (kind == 14 && (program->loops || program->switches)) {
        put(program, "break;\n");
    } else if (program->loops) {
        put(program, "continue;\n");
    } else {
        put_block(program);
    }
}

static void put_block(struct program *program)
{
    unsigned count = next(program, 4);
    program->depth++;
    put(program, "{\n");
    for (unsigned i = 0; i <= count; i++)
        put_statement(program);
    put(program, "}\n");
    program->depth--;
}

static void put_program(struct program *program)
{
    put(program, "int h(int *m, int x) { *m += x; return x + 1; }\n"
                 "void w(local int *t, int i) { barrier(CLK_LOCAL_MEM_FENCE); t[i] = i; }\n"
                 "void g2(global int *o, int i) { if (i > 3) return; o[get_global_id(0)] = i; }\n"
                 "kernel void k(global int *out, global const int *in, int n)\n{\n"
                 "local int t[16];\nint x = 1, y = n, z = 2, *q = &y, p[8];\nint4 v = n;\n"
                 "int l = get_local_id(0), g = get_global_id(0);\n");
    while (program->at < program->end && program->clauses < MOST_CLAUSES)
        put_statement(program);
    put(program, "out[g] = x + y + z + t[0] + p[0] + v.x;\n");
    put(program, program->jumps ? "end:;\n}\n" : "}\n");
}

/* ---- steps ---- */

static enum clopt_status apply(struct clopt_transform *transform, unsigned step,
                               struct clopt_error *error)
{
    static const char *const loops[] = {"all", "innermost", "outer", "1"};
    unsigned size = 2u << (step / 16 % 2);
    const char *which = loops[step / 32 % 4];
    unsigned factor = step & 128 ? 0 : size + (step & 16) / 16;
    struct within_request iterations = {size, which, step & 64};
    struct clopt_merge merge = {size, step / 64 % 2, step & 128 ? 2 : 1, false};
    switch (step % 14) {
    case 0:
    case 1:
        return coarsen_apply(transform, &merge, error);
    case 2:
    case 3:
        merge.groups = true;
        return coarsen_apply(transform, &merge, error);
    case 4:
    case 5:
        return unroll_apply(transform, which, factor, error);
    case 6:
        return pragma_apply(transform, which, factor, error);
    case 7:
        return step & 16 ? interchange_apply(transform, which, 1, error)
                         : tile_apply(transform, which, 4, error);
    case 8:
        return fission_apply(transform, which, 1, error);
    case 9:
        return clopt_transform_edit(transform, CLOPT_INLINE_BRANCHES,
                                    step & 16 ? hoist_edit : flatten_edit,
                                    &(unsigned){step & 16 ? 4 : 1000}, error);
    case 10:
        return within_apply(transform, &iterations, error);
    case 11:
        return step & 16 ? restrict_apply(transform, which, 1, error)
                         : registers_apply(transform, which, 1, error);
    default:
        return across_apply(transform, &(struct across_request){.width = size, .share = step & 128},
                            error);
    }
}

/* Fails loudly where what was made does not compile. */
static void check(const struct clopt_transform *transform)
{
    struct clopt_source *source = NULL;
    struct clopt_error error = {0};
    if (clopt_source_create("made.cl", transform->source, NULL, transform->options, "k", &source,
                            &error) == CLOPT_INVALID) {
        fprintf(stderr, "%s\n%s", error.message, transform->source);
        abort();
    }
    clopt_source_destroy(source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct program program = {.at = data + STEPS, .end = data + size};
    struct clopt_error error = {0};
    struct clopt_transform transform = {0};
    if (size <= STEPS)
        return 0;
    put_program(&program);
    clopt_transform_init(&transform, "k", "fuzz.cl", clopt_text_string(&program.text), "", NULL);
    for (unsigned i = 0; i < STEPS; i++)
        if (!apply(&transform, data[i], &error))
            check(&transform);
    clopt_transform_fini(&transform);
    clopt_text_fini(&program.text);
    return 0;
}
