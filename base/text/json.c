/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes and prints JSON. */
#include "text/json.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>

#include "text/text.h"

json_t *clopt_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

json_t *clopt_json_text(const char *text)
{
    json_t *json = text ? json_string(text) : json_null();
    if (json)
        return json;
    CLOPT_OWNED(clopt_text) clean = {0};
    clopt_text_append_printable_lines(&clean, text);
    return json_string(clopt_text_string(&clean));
}

static json_t *make_value(char type, va_list *arguments)
{
    switch (type) {
    case 's':
        return clopt_json_text(va_arg(*arguments, const char *));
    case 'd':
        return clopt_json_real(va_arg(*arguments, double));
    case 'i':
        return json_integer(va_arg(*arguments, int64_t));
    case 'b':
        return json_boolean(va_arg(*arguments, int));
    case 'o':
        return va_arg(*arguments, json_t *);
    default:
        return json_null();
    }
}

json_t *clopt_json_varray(const char *types, va_list arguments)
{
    json_t *array = json_array();
    va_list rest;
    va_copy(rest, arguments);
    for (; *types; types++)
        clopt_json_append(&array, make_value(*types, &rest));
    va_end(rest);
    return array;
}

json_t *clopt_json_object(const char *names, ...)
{
    json_t *object = json_object();
    bool good = true;
    va_list arguments;
    va_start(arguments, names);
    for (const char *colon; (colon = strchr(names, ':')); names = colon + 2 + (colon[2] == ' ')) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(colon - names), names);
        json_t *value = make_value((char)tolower((unsigned char)colon[1]), &arguments);
        if (isupper((unsigned char)colon[1]) && json_is_null(value))
            continue;
        good &= json_object_set_new(object, name, value) == 0;
    }
    va_end(arguments);
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

const char *clopt_json_string(const json_t *object, const char *name)
{
    const char *text = json_string_value(json_object_get(object, name));
    return text ? text : "";
}

void clopt_json_append(json_t **array, json_t *item)
{
    if (json_array_append_new(*array, item) == 0)
        return;
    json_decref(*array);
    *array = NULL;
}

enum clopt_status clopt_json_print(json_t *json, FILE *stream, const char *what,
                                   struct clopt_error *error)
{
    json_auto_t *printed = json; /* given back in any case */
    errno = 0;
    if (!printed)
        return clopt_fail(error, CLOPT_FAILED, "%s cannot be written: a text in it is not UTF-8",
                          what);
    if (json_dumpf(printed, stream, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) != 0 ||
        putc('\n', stream) == EOF)
        return clopt_fail(error, CLOPT_FAILED, "cannot write %s: %s", what, strerror(errno));
    return CLOPT_OK;
}
