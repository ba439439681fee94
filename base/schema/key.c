/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads values by the rows of the schema. */
#include "schema/key.h"

#include "text/text.h"

const struct clopt_key *clopt_key_find(const struct clopt_key *keys, const char *name)
{
    for (; keys && (keys->is.name || keys->letter); keys++)
        if (keys->is.name && strcmp(keys->is.name, name) == 0)
            return keys;
    return NULL;
}

/* Returns which of a list of words, of which it is one, a text is. */
static int find_word(const char *text, const char *words)
{
    CLOPT_OWNED(clopt_list) list = {0};
    int number = 0;
    clopt_list_parse(words, CLOPT_TEXT, CLOPT_MOST_VALUES, &list, NULL);
    while (strcmp(list.items[number], text) != 0)
        number++;
    return number;
}

/* Puts a value where it is kept. */
static void keep(const struct clopt_key *key, struct clopt_value *value, void *at)
{
    if (key->kept == CLOPT_KEPT_EACH) {
        clopt_list_add(at, value->text);
    } else if (key->kept == CLOPT_KEPT_SECONDS) {
        *(int64_t *)at = (int64_t)value->real;
    } else if (key->kept == CLOPT_KEPT_WORD) {
        *(int *)at = find_word(value->text, key->is.legal);
    } else if (value->type == CLOPT_INTEGER) {
        *(int64_t *)at = value->integer;
    } else if (value->type == CLOPT_BOOLEAN) {
        *(bool *)at = value->integer;
    } else if (clopt_type_is_number(value->type)) {
        *(double *)at = value->real;
    } else {
        *(char **)at = value->text;
        value->text = NULL;
    }
}

/* Reads one value; where it is a time of SECONDS, that may be without its unit. */
static enum clopt_status read_value(const struct clopt_key *key, const char *text,
                                    struct clopt_value *value, struct clopt_error *error)
{
    struct clopt_parameter is = key->is;
    bool bare = key->kept == CLOPT_KEPT_SECONDS && *text && !text[strspn(text, "0123456789")];
    CLOPT_FREED char *whole = clopt_text_format("%s%s", text, bare ? "s" : "");
    if (key->kept == CLOPT_KEPT_NAME || key->kept == CLOPT_KEPT_OWN)
        is.legal = NULL;
    return clopt_parameter_read(&is, whole, value, error);
}

enum clopt_status clopt_key_read(const struct clopt_key *key, const char *text, void *into,
                                 struct clopt_error *error)
{
    CLOPT_OWNED(clopt_value) value = {.type = key->is.type};
    void *at = (char *)into + key->at;
    const char *zero = key->kept == CLOPT_KEPT_ALL    ? "all"
                       : key->kept == CLOPT_KEPT_NONE ? "none"
                                                      : NULL;
    bool is_zero = zero && strcmp(text, zero) == 0;
    if (key->kept == CLOPT_KEPT_LIST)
        return clopt_list_parse(text, key->is.type, CLOPT_MOST_VALUES, at, error);
    if (!is_zero && read_value(key, text, &value, error))
        return zero && error ? clopt_fail(error, CLOPT_INVALID, "%s; or %s", error->message, zero)
                             : CLOPT_INVALID;
    if (key->kept == CLOPT_KEPT_TEXT)
        *(const char **)at = text;
    else if (key->kept > CLOPT_KEPT_INCLUDE)
        keep(key, &value, at);
    return CLOPT_OK;
}
