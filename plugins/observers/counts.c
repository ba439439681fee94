/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads what Oclgrind counts of the kernels that it runs. */
#include "observers/counts.h"

#include <ctype.h>

#include <clopt/memory.h>

#define TITLE        "Instructions executed for kernel '"
#define MOST_DIGITS  20 /* of a 64-bit number */
#define MOST_KERNELS 1000

/* The accesses of an address space, after the first of its four. */
enum { LOADS, LOAD_BYTES, STORES, STORE_BYTES };

const char *clopt_count_name(enum clopt_count count)
{
    static const char *const names[] = {"instructions",
                                        "float_operations",
                                        "integer_operations",
                                        "math_calls",
                                        "branches",
                                        "barriers",
                                        "atomics",
                                        "global_loads",
                                        "global_load_bytes",
                                        "global_stores",
                                        "global_store_bytes",
                                        "local_loads",
                                        "local_load_bytes",
                                        "local_stores",
                                        "local_store_bytes",
                                        "constant_loads",
                                        "constant_load_bytes",
                                        "constant_stores",
                                        "constant_store_bytes",
                                        "private_loads",
                                        "private_load_bytes",
                                        "private_stores",
                                        "private_store_bytes"};
    return names[count];
}

/* ---- lines ---- */

/* Reads a number that may have separators between its digits, which depend on the locale; -1: it is
 * none. Moves *at after it. */
static double read_number(const char **at)
{
    char digits[MOST_DIGITS + 1];
    size_t count = 0;
    const char *c = *at;
    for (; isdigit((unsigned char)*c) || (count && (*c == ',' || *c == '.' || *c == '\'')); c++) {
        if (!isdigit((unsigned char)*c))
            continue;
        if (count == MOST_DIGITS)
            return -1;
        digits[count++] = *c;
    }
    digits[count] = '\0';
    *at = c;
    return count ? strtod(digits, NULL) : -1;
}

static void add_access(struct clopt_counts *counts, enum clopt_count space, bool store,
                       double times, double bytes)
{
    counts->values[space + (store ? STORES : LOADS)] += times;
    counts->values[space + (store ? STORE_BYTES : LOAD_BYTES)] += bytes;
}

/* Finds an address space by its name, "global". */
static bool find_space(const char *name, enum clopt_count *space)
{
    for (enum clopt_count i = CLOPT_COUNT_GLOBAL; i < CLOPT_COUNTS; i += 4) {
        size_t length = strcspn(clopt_count_name(i), "_");
        if (strncmp(name, clopt_count_name(i), length) == 0 && name[length] == ' ') {
            *space = i;
            return true;
        }
    }
    return false;
}

/* Takes "load global (256 bytes)"; false: it is no access. */
static bool take_access(struct clopt_counts *counts, const char *what, double times)
{
    enum clopt_count space;
    bool store = strncmp(what, "store ", 6) == 0;
    if (!store && strncmp(what, "load ", 5) != 0)
        return false;
    what += store ? 6 : 5;
    const char *paren = strchr(what, '(');
    if (!find_space(what, &space) || !paren)
        return false;
    paren++;
    double bytes = read_number(&paren);
    if (bytes < 0 || strncmp(paren, " bytes)", 7) != 0)
        return false;
    add_access(counts, space, store, times, bytes);
    return true;
}

/* Takes vload4 and the like: `mangled` are the types of its arguments, which end with the pointer.
 */
static void take_vector_access(struct clopt_counts *counts, const char *name, const char *mangled,
                               double times)
{
    static const char sizes[] = "c1h1s2t2i4j4f4l8m8d8";
    bool store = strncmp(name, "vstore", 6) == 0;
    const char *digits = name + (store ? 6 : 5);
    const char *pointer = strrchr(mangled, 'P');
    const char *in = pointer ? strstr(pointer, "AS") : NULL;
    size_t length = strcspn(mangled, "()");
    const char *size = length ? strchr(sizes, mangled[length - 1]) : NULL;
    enum clopt_count space = !in            ? CLOPT_COUNT_PRIVATE
                             : in[2] == '1' ? CLOPT_COUNT_GLOBAL
                             : in[2] == '2' ? CLOPT_COUNT_CONSTANT
                                            : CLOPT_COUNT_LOCAL;
    double width = read_number(&digits);
    if (size && width > 0)
        add_access(counts, space, store, times, times * width * (size[1] - '0'));
}

/* Takes "_Z8atomic_addPU3AS1Vii()" or "llvm.fmuladd.f32()". */
static void take_call(struct clopt_counts *counts, const char *function, double times)
{
    static const char *const idle[] = {"get_",     "mem_fence", "read_mem_fence", "write_mem_fence",
                                       "convert_", "as_",       "printf"};
    if (strncmp(function, "llvm.", 5) == 0) {
        if (strncmp(function + 5, "fmuladd.", 8) == 0 || strncmp(function + 5, "fma.", 4) == 0)
            counts->values[CLOPT_COUNT_FLOAT] += 2 * times;
        return;
    }
    if (strncmp(function, "_Z", 2) != 0)
        return; /* a function of the kernel's own: what it executes is counted by itself */
    char *end;
    unsigned long length = strtoul(function + 2, &end, 10);
    if (length == 0 || length > strlen(end))
        return;
    if (strstr(end, "barrier") && strstr(end, "barrier") < end + length)
        counts->values[CLOPT_COUNT_BARRIERS] += times;
    else if (strncmp(end, "atom", 4) == 0)
        counts->values[CLOPT_COUNT_ATOMICS] += times;
    else if (strncmp(end, "vload", 5) == 0 || strncmp(end, "vstore", 6) == 0)
        take_vector_access(counts, end, end + length, times);
    else {
        for (size_t i = 0; i < sizeof idle / sizeof *idle; i++)
            if (strncmp(end, idle[i], strlen(idle[i])) == 0)
                return;
        bool fused = (length == 3 && strncmp(end, "fma", 3) == 0) ||
                     (length == 3 && strncmp(end, "mad", 3) == 0);
        counts->values[fused ? CLOPT_COUNT_FLOAT : CLOPT_COUNT_MATH] += fused ? 2 * times : times;
    }
}

/* Whether the word at `what` is one of those in `words`, which blanks separate and surround. */
static bool is_word(const char *what, size_t length, const char *words)
{
    for (const char *at = words; (at = strstr(at, " ")); at++)
        if (strncmp(at + 1, what, length) == 0 && at[1 + length] == ' ')
            return true;
    return false;
}

/* Takes one line of a kernel: "   64 - load global (256 bytes)"; false: it is none. */
static bool take_line(struct clopt_counts *counts, const char *line)
{
    line += strspn(line, " ");
    double times = read_number(&line);
    if (times < 0 || strncmp(line, " - ", 3) != 0 || !line[3])
        return false;
    const char *what = line + 3;
    size_t length = strcspn(what, " ");
    counts->values[CLOPT_COUNT_INSTRUCTIONS] += times;
    if (is_word(what, length, " load store "))
        return take_access(counts, what, times);
    if (is_word(what, length, " call "))
        take_call(counts, what + 5, times);
    else if (is_word(what, length, " fadd fsub fmul fdiv frem fneg "))
        counts->values[CLOPT_COUNT_FLOAT] += times;
    else if (is_word(what, length, " add sub mul udiv sdiv urem srem shl lshr ashr and or xor "))
        counts->values[CLOPT_COUNT_INTEGER] += times;
    else if (is_word(what, length, " br switch "))
        counts->values[CLOPT_COUNT_BRANCHES] += times;
    else if (is_word(what, length, " atomicrmw cmpxchg "))
        counts->values[CLOPT_COUNT_ATOMICS] += times;
    return true;
}

/* ---- kernels ---- */

/* Finds the counts of the kernel that a title names, or adds them; NULL: it names none. */
static struct clopt_counts *find_kernel(const char *line, struct clopt_counts **counts,
                                        size_t *count)
{
    const char *name = line + strlen(TITLE);
    const char *end = strchr(name, '\'');
    size_t length = end ? (size_t)(end - name) : 0;
    if (!length || length >= CLOPT_COUNTED_NAME || strcmp(end, "':") != 0)
        return NULL;
    for (size_t i = 0; i < *count; i++)
        if (strncmp((*counts)[i].kernel, name, length) == 0 && !(*counts)[i].kernel[length])
            return &(*counts)[i];
    if (*count == MOST_KERNELS)
        return NULL;
    struct clopt_counts *more = clopt_array_add(counts, count, sizeof *more);
    memcpy(more->kernel, name, length);
    return more;
}

/* Reads the lines that follow a title, to the empty one that ends them. */
static enum clopt_status read_kernel(struct clopt_counts *counts, char **rest,
                                     struct clopt_error *error)
{
    char *line;
    while ((line = strsep(rest, "\n")) && *rest) {
        if (!*line)
            return CLOPT_OK;
        if (!take_line(counts, line))
            return clopt_fail(error, CLOPT_FAILED,
                              "Oclgrind's counts of %s: \"%.60s\" is not a count", counts->kernel,
                              line);
    }
    return clopt_fail(error, CLOPT_FAILED, "Oclgrind's counts of %s are cut off", counts->kernel);
}

enum clopt_status clopt_counts_read(const char *text, struct clopt_counts **counts, size_t *count,
                                    struct clopt_error *error)
{
    CLOPT_FREED char *copy = clopt_strdup(text);
    char *rest = copy, *line;
    *counts = NULL;
    *count = 0;
    while ((line = strsep(&rest, "\n"))) {
        if (strncmp(line, TITLE, strlen(TITLE)) != 0)
            continue;
        struct clopt_counts *kernel = find_kernel(line, counts, count);
        CLOPT_TRY(kernel ? read_kernel(kernel, &rest, error)
                         : clopt_fail(error, CLOPT_FAILED,
                                      "Oclgrind's counts: \"%.60s\" names no kernel", line));
    }
    return CLOPT_OK;
}
