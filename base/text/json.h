/* SPDX-License-Identifier: BSD-3-Clause */
/* What everything that writes JSON needs. */
#pragma once

#include <jansson.h>

#include <clopt/error.h>

/* Makes a number, or null where it is none or infinite. */
json_t *clopt_json_real(double value);

/* Makes a text, or null where it is NULL. JSON is UTF-8: in a text that is not, what is no
 * character becomes U+FFFD. */
json_t *clopt_json_text(const char *text);

/* Make an array of values, a letter each, and an object of them with their names before: "n:i
 * of:s". s is a text, as above, d a double, as above, i an int64_t, b a truth, o a value that is
 * given up, - a null and no argument. In an object, a capital letter leaves out what is null. NULL:
 * such a value is NULL. */
json_t *clopt_json_varray(const char *types, va_list arguments);
json_t *clopt_json_object(const char *names, ...);

/* Returns a text of an object; "": it has none of that name. */
const char *clopt_json_string(const json_t *object, const char *name);

/* Appends an item, which may be NULL where it could not be made, and takes it over. When that
 * fails, the array is given up, too, and is NULL from then on. */
void clopt_json_append(json_t **array, json_t *item);

/* Prints a value, which may be NULL where it could not be made, and a line end; gives it up.
 * `what` it is comes into the message of an error: "the report". */
enum clopt_status clopt_json_print(json_t *json, FILE *stream, const char *what,
                                   struct clopt_error *error);
