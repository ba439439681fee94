/* SPDX-License-Identifier: BSD-3-Clause */
/* What expressions are to each other, what they cost, and what may go wrong in them. */
#include "flatten.h"

#include <stdio.h>
#include <string.h>

#define ACCESS_COST   4
#define DIVISION_COST 4
#define CALL_COST     10

/* ---- costs and risks ---- */

static bool is_cheap(const char *name)
{
    static const char names[] =
        " abs add_sat all any bitselect clamp clz fabs fma fmax fmin get_global_id get_group_id"
        " get_local_id get_local_size get_global_size get_num_groups isequal isgreater isless isnan"
        " mad mad24 max min mul24 popcount rotate select sign step sub_sat ";
    char word[64];
    snprintf(word, sizeof word, " %s ", name);
    return strstr(names, word) || strncmp(name, "convert_", 8) == 0 ||
           strncmp(name, "native_", 7) == 0;
}

static unsigned own_operations(const struct clopt_node *node)
{
    switch (node->kind) {
    case CLOPT_NODE_CALL:
        return node->callee || is_cheap(node->name) ? 1 : CALL_COST;
    case CLOPT_NODE_BINARY:
        return clopt_node_is_operator(node, "/") || clopt_node_is_operator(node, "%")
                   ? DIVISION_COST
                   : 1;
    case CLOPT_NODE_ASSIGN:
        if (clopt_node_is_operator(node, "="))
            return 0;
        return clopt_node_is_operator(node, "/=") || clopt_node_is_operator(node, "%=")
                   ? DIVISION_COST
                   : 1;
    case CLOPT_NODE_SUBSCRIPT:
        if (node->is_array)
            return 0;
        return node->space == CLOPT_SPACE_PRIVATE ? 1 : ACCESS_COST;
    case CLOPT_NODE_UNARY:
        if (clopt_node_is_operator(node, "*"))
            return node->space == CLOPT_SPACE_PRIVATE ? 1 : ACCESS_COST;
        return !clopt_node_is_operator(node, "&");
    case CLOPT_NODE_POSTFIX:
    case CLOPT_NODE_CONDITIONAL:
    case CLOPT_NODE_CAST:
    case CLOPT_NODE_IF:
        return 1;
    default:
        return 0;
    }
}

unsigned operations(const struct clopt_node *node, unsigned most)
{
    if (node->kind == CLOPT_NODE_SIZEOF || node->known)
        return 0;
    unsigned sum = own_operations(node);
    if (node->kind == CLOPT_NODE_CALL && node->callee && sum <= most)
        sum += operations(node->callee->body, most - sum);
    for (size_t i = 0; i < node->child_count && sum <= most; i++)
        sum += operations(node->children[i], most - sum);
    return sum;
}

/* ---- types ---- */

static bool is_qualifier(const char *word, size_t length)
{
    static const char *const words[] = {"const",      "__private", "__local",   "__global",
                                        "__constant", "restrict",  "__restrict"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return true;
    return false;
}

/* Puts the words between two places but qualifiers. */
static bool put_words(const char *from, const char *end, char *type, size_t size)
{
    size_t used = 0;
    *type = '\0';
    while (from < end && used < size) {
        size_t length = strcspn(from, " ");
        if (length > (size_t)(end - from))
            length = (size_t)(end - from);
        if (length && !is_qualifier(from, length))
            used += (size_t)snprintf(type + used, size - used, "%s%.*s", used ? " " : "",
                                     (int)length, from);
        from += length + 1;
    }
    return used && used < size;
}

/* Whether a type of one level has a name that may be in front of a variable's. */
static bool is_named(const char *type)
{
    return !strpbrk(type, "*[](") && !strstr(type, "volatile") && !strstr(type, "anonymous") &&
           !strstr(type, "unnamed");
}

bool place_type(const struct clopt_variable *variable, size_t subscripts, char *type, size_t size)
{
    const char *text = variable->type;
    const char *star = strrchr(text, '*');
    const char *bracket = strchr(text, '[');
    if (strchr(text, '(') || (bracket && star))
        return false;
    if (star && !subscripts) {
        size_t length = (size_t)(star - text) + 1;
        if (length >= size)
            return false;
        memcpy(type, text, length);
        type[length] = '\0';
        return true;
    }
    size_t levels = star != NULL;
    for (const char *at = bracket; at; at = strchr(at + 1, '['))
        levels++;
    if (levels != subscripts)
        return false;
    const char *end = bracket ? bracket : star ? star : text + strlen(text);
    return put_words(text, end, type, size) && is_named(type);
}
