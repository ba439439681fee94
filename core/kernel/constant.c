/* SPDX-License-Identifier: BSD-3-Clause */
/* Integer constants. */
#include "kernel/constant.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Every integer type of 32 bits or more, signed or not, holds these. */
#define SMALLEST 0
#define LARGEST  INT32_MAX

static void set(struct clopt_node *node, int64_t value)
{
    node->known = value >= SMALLEST && value <= LARGEST;
    node->value = node->known ? value : 0;
}

static void fold_literal(const char *text, struct clopt_node *node)
{
    const char *at = text + node->begin;
    if (*at < '0' || *at > '9')
        return;
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(at, &end, 0);
    while (*end && strchr("uUlL", *end))
        end++;
    if (errno == 0 && end == text + node->end && value <= LARGEST)
        set(node, (int64_t)value);
}

static void fold_binary(struct clopt_node *node)
{
    int64_t a = node->children[0]->value;
    int64_t b = node->children[1]->value;
    const char *o = node->op;
    if (strcmp(o, "+") == 0)
        set(node, a + b);
    else if (strcmp(o, "-") == 0)
        set(node, a - b);
    else if (strcmp(o, "*") == 0)
        set(node, a * b);
    else if (strcmp(o, "/") == 0 && b != 0)
        set(node, a / b);
    else if (strcmp(o, "%") == 0 && b != 0)
        set(node, a % b);
    else if (strcmp(o, "<<") == 0 && b < 31)
        set(node, a << b);
    else if (strcmp(o, ">>") == 0 && b < 31)
        set(node, a >> b);
    else if (strcmp(o, "&") == 0)
        set(node, a & b);
    else if (strcmp(o, "|") == 0)
        set(node, a | b);
    else if (strcmp(o, "^") == 0)
        set(node, a ^ b);
}

void clopt_constant_fold(const char *text, struct clopt_node *node)
{
    if (node->width != 1 || node->is_pointer || node->is_array)
        return;
    if (node->kind == CLOPT_NODE_LITERAL)
        fold_literal(text, node);
    else if (node->kind == CLOPT_NODE_PAREN && node->children[0]->known)
        set(node, node->children[0]->value);
    else if (node->kind == CLOPT_NODE_BINARY && node->children[0]->known &&
             node->children[1]->known)
        fold_binary(node);
}
