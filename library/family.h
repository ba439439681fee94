/* SPDX-License-Identifier: BSD-3-Clause */
/* Families of devices, whose winners are worth a try on each of them. */
#pragma once

#include <stdint.h>

#include <clopt/wisdom.h>

/* What decides a family: texts as OpenCL has them, and "cpu" or "gpu". */
struct clopt_family_traits {
    const char *type, *vendor, *name;
    uint64_t compute_units, local_bytes; /* 0: not known */
};

/* Names the family of a device as files of winners do: compute units, bytes of local memory, and
 * what siblings have in common: the type, the vendor, and of GPUs the architecture, by a table of
 * regular names. "": the table has none, and there are no siblings. */
void clopt_family_name(const struct clopt_family_traits *traits, char family[CLOPT_FAMILY_SIZE]);

/* Tells how far two devices of a family are from each other, by compute units and local memory;
 * infinity: they are of different families, or of none. */
double clopt_family_distance(const char *family, const char *other);
