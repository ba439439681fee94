/* SPDX-License-Identifier: BSD-3-Clause */
/* Families of devices. */
#include "library/family.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Architectures of GPUs by their names, the first that matches. */
static const struct {
    const char *name, *architecture;
} table[] = {
    {"NVIDIA *B[123]00*", "Blackwell"},
    {"NVIDIA GH200*", "Hopper"},
    {"NVIDIA H[128]00*", "Hopper"},
    {"NVIDIA A[18]00[ -]*", "Ampere GA100"},
    {"NVIDIA A30*", "Ampere GA100"},
    {"NVIDIA A[124]0*", "Ampere GA10x"},
    {"NVIDIA * RTX 30*", "Ampere GA10x"},
    {"NVIDIA L[4S]*", "Ada"},
    {"NVIDIA * RTX 40*", "Ada"},
    {"NVIDIA * RTX 50*", "Blackwell GB20x"},
    {"* RTX 20*", "Turing"},
    {"* GTX 16*", "Turing"},
    {"*T4", "Turing"},
    {"*V100*", "Volta"},
    {"*P100*", "Pascal GP100"},
    {"* GTX 10*", "Pascal"},
    {"gfx90[0-9a]*", "gfx90"},
    {"gfx94*", "gfx94"},
    {"gfx101*", "gfx101"},
    {"gfx103*", "gfx103"},
    {"gfx11*", "gfx11"},
    {"gfx12*", "gfx12"},
    {"*Adreno*6[0-9][0-9]*", "Adreno 6xx"},
    {"*Adreno*7[0-9][0-9]*", "Adreno 7xx"},
    {"Mali-G[5-7][0-9]*", "Mali Bifrost or Valhall"},
    {"*Arc*A[357][0-9]*", "Alchemist"},
    {"*Arc*B[57][0-9]*", "Battlemage"},
};

static const char *find_architecture(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (fnmatch(table[i].name, name, 0) == 0)
            return table[i].architecture;
    return NULL;
}

void clopt_family_name(const struct clopt_family_traits *traits, char family[CLOPT_FAMILY_SIZE])
{
    const char *architecture =
        strcmp(traits->type, "cpu") == 0 ? "" : find_architecture(traits->name);
    *family = '\0';
    if (architecture && *traits->type && *traits->vendor)
        snprintf(family, CLOPT_FAMILY_SIZE, "%" PRIu64 " %" PRIu64 " %s %s %s",
                 traits->compute_units, traits->local_bytes, traits->type, traits->vendor,
                 architecture);
}

/* Takes a family apart; returns what siblings have in common, NULL: it is none. */
static const char *split(const char *family, double numbers[2])
{
    int used = 0;
    return family && sscanf(family, "%lf %lf %n", &numbers[0], &numbers[1], &used) == 2 &&
                   family[used]
               ? family + used
               : NULL;
}

double clopt_family_distance(const char *family, const char *other)
{
    double a[2], b[2], far = 0;
    const char *common = split(family, a), *others = split(other, b);
    if (!common || !others || strcmp(common, others) != 0)
        return INFINITY;
    for (unsigned i = 0; i < 2; i++)
        far += a[i] > 0 && b[i] > 0 ? fabs(log(a[i] / b[i])) : 0;
    return far;
}
