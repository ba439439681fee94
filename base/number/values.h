/* SPDX-License-Identifier: BSD-3-Clause */
/* Values of a table of parameters, and the lists and ranges in which people write them. */
#pragma once

#include <jansson.h>

#include <clopt/value.h>

struct clopt_values {
    size_t count;
    bool owns_names;            /* the names are the values' own, and not the table's */
    struct clopt_value items[]; /* in the order of the parameter table */
};

/* Makes values for a table of parameters (NULL: an empty one), all at their initial value. The
 * table must outlive them. */
struct clopt_values *clopt_values_create(const struct clopt_parameter *parameters);

/* The same, with copies of the names: the table may go. */
struct clopt_values *clopt_values_create_apart(const struct clopt_parameter *parameters);
struct clopt_values *clopt_values_copy(const struct clopt_values *values);
void clopt_values_destroy(struct clopt_values *values);
CLOPT_HOLDER(clopt_values, clopt_values_destroy);
bool clopt_values_equal(const struct clopt_values *a, const struct clopt_values *b);

/* Sets one value from text, which must be a single legal value of `parameter`. CLOPT_INVALID says
 * what is legal: `block_size = 7: not one of pow2 2..64`. */
enum clopt_status clopt_values_set(struct clopt_values *values,
                                   const struct clopt_parameter *parameter, const char *text,
                                   struct clopt_error *error);

/* Reads one value, which must be legal: "7: not one of pow2 2..64". The caller frees its text; it
 * has none after an error. */
enum clopt_status clopt_parameter_read(const struct clopt_parameter *parameter, const char *text,
                                       struct clopt_value *value, struct clopt_error *error);

/* Returns which values are legal, as a study would write them; NULL: all of the type. */
const char *clopt_parameter_legal(const struct clopt_parameter *parameter);

/* Refuses a value that means nothing beside the others (struct clopt_parameter: with, without):
 * CLOPT_INVALID, `stride = 2 means nothing with granularity = 1`. */
enum clopt_status clopt_values_check_meaning(const struct clopt_parameter *parameters,
                                             const struct clopt_values *values,
                                             struct clopt_error *error);

/* Takes a value away. */
void clopt_value_unset(struct clopt_value *value);

/* Finds a parameter by name; NULL if there is none. */
const struct clopt_parameter *clopt_parameter_find(const struct clopt_parameter *parameters,
                                                   const char *name);

/* Fails with "OWNER has no parameter NAME", and with the one that may be meant. */
enum clopt_status clopt_parameter_unknown(const struct clopt_parameter *parameters,
                                          const char *owner, const char *name,
                                          struct clopt_error *error);

/* Entries of a table of parameters, at most. */
#define CLOPT_LONGEST_TABLE 64

/* The bit of a table's parameter number `index`. */
#define CLOPT_PARAMETER_BIT(index) (UINT64_C(1) << (index))

/* Collects the bits of the parameters that `names` (separated by blanks; NULL: none) names. Returns
 * false where one of them does not exist. */
bool clopt_parameters_named(const struct clopt_parameter *parameters, const char *names,
                            uint64_t *bits);

/* Turns values into a JSON object of texts (unset ones left out), and back. A new reference. */
json_t *clopt_values_to_json(const struct clopt_values *values);
enum clopt_status clopt_values_from_json(const struct clopt_parameter *parameters,
                                         const json_t *json, struct clopt_values **values,
                                         struct clopt_error *error);

/* ---- lists: "2, 4, 8", "1..5", "1..9 step 2", "pow2 2..32", and mixtures of them ---- */

struct clopt_list {
    char **items; /* canonical texts, in the order written, without duplicates */
    size_t count;
};

/* Parses a list of values of one type. Items of CLOPT_TEXT, CLOPT_FILE and
 * CLOPT_BOOLEAN may be put in double quotes. At most `most` items (a range that is larger is an
 * error). */
enum clopt_status clopt_list_parse(const char *text, enum clopt_type type, size_t most,
                                   struct clopt_list *list, struct clopt_error *error);
void clopt_list_add(struct clopt_list *list, const char *text); /* a copy */
void clopt_list_fini(struct clopt_list *list);

/* Returns what a type is called: "integer". */
const char *clopt_type_text(enum clopt_type type);

/* Returns the unit of a canonical text, such as s. */
const char *clopt_type_unit(enum clopt_type type);

static inline bool clopt_type_is_number(enum clopt_type type)
{
    return type <= CLOPT_REAL || type >= CLOPT_TIME;
}

/* Parses one value into canonical form. The caller frees its text; it has none after an error. */
enum clopt_status clopt_value_parse(const char *text, enum clopt_type type,
                                    struct clopt_value *value, struct clopt_error *error);
static inline void clopt_value_fini(struct clopt_value *value)
{
    free(value->text);
}

/* Tells whether a parsed value is in a list of legal values ("1..", "pow2 2..32", "yes, no"). */
enum clopt_status clopt_value_check_legal(const struct clopt_value *value, const char *legal,
                                          struct clopt_error *error);
