/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads numbers that compilers say of a kernel in their build log. */
#include "observers/build_log.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* How the part of a log that is about a kernel begins, with the kernel's name between the two, and
 * where it ends: NVIDIA's (-cl-nv-verbose), with the functions that the kernel calls, and without;
 * then Intel's. */
enum { ENTRY, PROPERTIES, VECTORIZED };

static const char *const parts[][3] = {
    {"Compiling entry function '", "'", "Compiling entry function '"},
    {"Function properties for ", "\n", "ptxas info"},
    {"Kernel \"", "\" was ", "\n"},
};

/* A number is in front of the words, or after the "(" in them. */
static const struct {
    const char *name;
    const char *unit;
    unsigned part;
    const char *words;
} facts[] = {
    {"registers", "", ENTRY, " registers"},
    {"shared_memory", "bytes", ENTRY, " bytes smem"},
    {"stack_frame", "bytes", PROPERTIES, " bytes stack frame"},
    {"spill_stores", "bytes", PROPERTIES, " bytes spill stores"},
    {"spill_loads", "bytes", PROPERTIES, " bytes spill loads"},
    {"vector_width", "", VECTORIZED, "successfully vectorized ("},
};

const char *clopt_build_log_fact(unsigned fact, const char **unit)
{
    if (fact >= sizeof facts / sizeof *facts)
        return NULL;
    *unit = facts[fact].unit;
    return facts[fact].name;
}

/* Finds the part of a log about a kernel; the longest name fits. */
static const char *find_part(const char *log, const char *kernel, unsigned part, const char **end)
{
    size_t length = strlen(kernel), before = strlen(parts[part][0]), after = strlen(parts[part][1]);
    while ((log = strstr(log, parts[part][0]))) {
        log += before;
        if (strncmp(log, kernel, length) != 0 || strncmp(log + length, parts[part][1], after) != 0)
            continue;
        log += length + after;
        *end = strstr(log, parts[part][2]);
        *end = *end ? *end : log + strlen(log);
        return log;
    }
    return NULL;
}

bool clopt_build_log_find(const char *log, const char *kernel, unsigned fact, double *value)
{
    const char *end;
    const char *begin = log ? find_part(log, kernel, facts[fact].part, &end) : NULL;
    const char *at = begin ? strstr(begin, facts[fact].words) : NULL;
    if (begin && facts[fact].part == VECTORIZED && strncmp(begin, "not vectorized", 14) == 0) {
        *value = 1;
        return true;
    }
    if (!at || at >= end)
        return false;
    if (facts[fact].words[strlen(facts[fact].words) - 1] == '(')
        at += strlen(facts[fact].words);
    else
        while (at > begin && isdigit((unsigned char)at[-1]))
            at--;
    if (!isdigit((unsigned char)*at))
        return false;
    *value = (double)strtoull(at, NULL, 10);
    return true;
}
