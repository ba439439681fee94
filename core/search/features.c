/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes what trees ask about a point. */
#include "search/features.h"

#include <math.h>

#include <clopt/memory.h>

#define MOST_MULTIPLIED 8 /* parameters; more would have too many products */

/* A parameter, or two of them, and what is made of their values. */
struct clopt_point_source {
    size_t first;
    size_t second; /* of a product; else `first` */
    bool alignment;
};

static void add(struct clopt_point_features *features, const struct clopt_domain *domain,
                struct clopt_point_source source)
{
    bool categories = !domain->values && domain->count <= CLOPT_MOST_CATEGORIES;
    features->items[features->count] = (struct clopt_feature){
        .name = domain->name, .category_count = categories ? domain->count : 0};
    features->sources[features->count++] = source;
}

/* Whether more can be made of a parameter than a choice of two. */
static bool is_number(const struct clopt_domain *domain)
{
    return domain->values && domain->count > 2;
}

void clopt_point_features_init(struct clopt_point_features *features,
                               const struct clopt_search_space *space)
{
    size_t numbers = 0, most = space->count * (space->count + 2) + 1;
    *features = (struct clopt_point_features){
        .items = clopt_calloc(most, sizeof *features->items),
        .sources = clopt_calloc(most, sizeof *features->sources),
    };
    for (size_t i = 0; i < space->count; i++)
        numbers += is_number(&space->domains[i]);
    for (size_t i = 0; i < space->count; i++) {
        const struct clopt_domain *domain = &space->domains[i];
        if (domain->count < 2)
            continue;
        add(features, domain, (struct clopt_point_source){i, i, false});
        if (!is_number(domain))
            continue;
        add(features, domain, (struct clopt_point_source){i, i, true});
        for (size_t j = i + 1; j < space->count && numbers <= MOST_MULTIPLIED; j++)
            if (is_number(&space->domains[j]))
                add(features, domain, (struct clopt_point_source){i, j, false});
    }
}

void clopt_point_features_fini(struct clopt_point_features *features)
{
    free(features->items);
    free(features->sources);
    *features = (struct clopt_point_features){0};
}

static double value_of(const struct clopt_domain *domain, size_t value)
{
    return domain->values ? domain->values[value].real : (double)value;
}

/* Returns the largest power of two that divides a number: a huge one for 0, and 0 for what is not
 * whole. */
static double align(double value)
{
    int exponent = 0;
    if (value == 0)
        return 0x1p53;
    if (value != floor(value) || fabs(value) > 0x1p53)
        return 0;
    double rest = fabs(value);
    for (; fmod(rest, 2) == 0; exponent++)
        rest /= 2;
    return ldexp(1, exponent);
}

void clopt_point_features_fill(const struct clopt_point_features *features,
                               const struct clopt_search_space *space, const size_t *point,
                               double *values)
{
    for (size_t i = 0; i < features->count; i++) {
        const struct clopt_point_source *source = &features->sources[i];
        values[i] = value_of(&space->domains[source->first], point[source->first]);
        if (source->second != source->first)
            values[i] *= value_of(&space->domains[source->second], point[source->second]);
        if (source->alignment)
            values[i] = align(values[i]);
    }
}
