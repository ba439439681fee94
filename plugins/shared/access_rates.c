/* SPDX-License-Identifier: BSD-3-Clause */
/* Names of patterns in which devices access global memory, and rates of them as JSON. */
#include "shared/access_rates.h"

#include <math.h>
#include <string.h>

#include "text/json.h"

static const struct {
    const char *name;
    const char *words;
    unsigned points;
} kinds[CLOPT_ACCESS_KINDS] = {
    {"single", "one element each, side by side", 5},
    {"row", "all along the same row", 5},
    {"column", "each down a column, columns side by side", 5},
    {"block", "a block of 5 x 5 each, side by side", 5},
    {"neighbours", "the four around an element each, side by side", 5},
    {"apart", "each along a row of its own", 5},
    {"strided", "one element each, at a distance", CLOPT_ACCESS_POINTS},
    {"scattered", "one element each, anywhere", 1},
    {"row_within", "all along the same row, by vectors of it", 5},
    {"column_within", "each down a column, by vectors of it", 5},
};

bool clopt_access_is_within(enum clopt_access_kind kind)
{
    return kind == CLOPT_ACCESS_APART || kind == CLOPT_ACCESS_ROW_WITHIN ||
           kind == CLOPT_ACCESS_COLUMN_WITHIN;
}

unsigned clopt_access_points(enum clopt_access_kind kind)
{
    return kinds[kind].points;
}

const char *clopt_access_kind_name(enum clopt_access_kind kind)
{
    return kinds[kind].name;
}

const char *clopt_access_kind_words(enum clopt_access_kind kind)
{
    return kinds[kind].words;
}

enum clopt_access_kind clopt_access_kind_find(const char *name)
{
    enum clopt_access_kind kind = 0;
    while (kind < CLOPT_ACCESS_KINDS && strcmp(kinds[kind].name, name) != 0)
        kind++;
    return kind;
}

bool clopt_access_any(const struct clopt_access_rates *rates)
{
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++)
        for (unsigned p = 0; p < CLOPT_ACCESS_POINTS; p++)
            if (!isnan(rates->gbytes_per_s[kind][p]))
                return true;
    return false;
}

json_t *clopt_access_to_json(const struct clopt_access_rates *rates)
{
    json_t *object = json_object();
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++) {
        json_t *list = json_array();
        for (unsigned p = 0; p < kinds[kind].points; p++)
            json_array_append_new(list, clopt_json_real(rates->gbytes_per_s[kind][p]));
        json_object_set_new(object, kinds[kind].name, list);
    }
    return object;
}

struct clopt_access_rates clopt_access_from_json(const json_t *json)
{
    struct clopt_access_rates rates;
    for (enum clopt_access_kind kind = 0; kind < CLOPT_ACCESS_KINDS; kind++)
        for (unsigned p = 0; p < CLOPT_ACCESS_POINTS; p++) {
            const json_t *value = p < kinds[kind].points
                                      ? json_array_get(json_object_get(json, kinds[kind].name), p)
                                      : NULL;
            double number = json_number_value(value);
            rates.gbytes_per_s[kind][p] = number > 0 ? number : NAN;
        }
    return rates;
}
