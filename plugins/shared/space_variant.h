/* SPDX-License-Identifier: BSD-3-Clause */
/* Variants of clopt's own recorded spaces, which `clopt report --space` prints. */
#pragma once

#include <jansson.h>

#include <clopt/error.h>

struct clopt_space_variant {
    json_t *steps;  /* texts: "geometry(granularity=2)", and of a macro "BLOCK=16"; none: the
                       initial code */
    double time_ms; /* NaN: it failed */
    double cost_s;
    size_t profile; /* SIZE_MAX: it has none */
};

/* Whether a document has the array that recorded spaces have. */
bool clopt_space_is(const json_t *document);

/* Refuses a document that is none of this version. */
enum clopt_status clopt_space_check(const json_t *document, struct clopt_error *error);

/* Reads variant number `index`, from 0; the caller ends it in any case. */
enum clopt_status clopt_space_variant_read(const json_t *document, size_t index,
                                           struct clopt_space_variant *variant,
                                           struct clopt_error *error);
void clopt_space_variant_fini(struct clopt_space_variant *variant);
