/* SPDX-License-Identifier: BSD-3-Clause */
/* Replaces pointers that are derived from one parameter or array by offsets into it: of
 * `T *q = p + e; q++; q[i]` is made `long q = e; q++; p[q + i]`, so that all that asks for accesses
 * finds parameters, arrays and their subscripts. */

#include "kernel/tree.h"
#include "rewrite/inline.h"
#include "text/token.h"

/* What a pointer variable points into. */
struct pointer {
    struct clopt_variable *root;   /* the parameter or array; NULL: not known yet */
    bool stays;                    /* a pointer: it is no offset into one array */
    bool same;                     /* it is the root itself, whose name takes its place */
    const struct clopt_node *move; /* the one statement that moves a parameter, or NULL */
    struct clopt_variable *offset; /* that takes its place */
};

struct pointers {
    struct clopt_source *source;
    struct clopt_cloning cloning;
    struct pointer *items; /* by variable */
    bool open;             /* what was asked for depends on what is not known yet */
    bool changed;
};

/* ---- which pointers ---- */

static bool is_arrow(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_MEMBER && clopt_node_is_operator(node, "->");
}

/* Of p + i, i + p and p[i]: whether the first is p. */
static size_t address_number(const struct clopt_node *node)
{
    return !clopt_node_is_address(node->children[0]);
}

/* Whether two types lead to elements of one type, by their words: "float *" and "const float[8]".
 */
static bool leads_alike(const char *a, const char *b)
{
    for (;;) {
        static const char *const words[] = {"const", "restrict", "__restrict", "__private"};
        struct clopt_token tokens[2] = {{.kind = CLOPT_TOKEN_NAME}, {.kind = CLOPT_TOKEN_NAME}};
        const char **const texts[] = {&a, &b};
        for (size_t t = 0; t < 2; t++) {
            bool skipped = true;
            while (skipped) {
                tokens[t] = clopt_token_next(texts[t]);
                skipped = false;
                for (size_t w = 0; w < sizeof words / sizeof *words; w++)
                    skipped |= clopt_token_is(&tokens[t], words[w]);
            }
        }
        bool ends = tokens[0].kind == CLOPT_TOKEN_END ||
                    (clopt_token_is(&tokens[0], "*") && !strpbrk(a, "*[(")) ||
                    clopt_token_is(&tokens[0], "[");
        bool other = tokens[1].kind == CLOPT_TOKEN_END ||
                     (clopt_token_is(&tokens[1], "*") && !strpbrk(b, "*[(")) ||
                     (clopt_token_is(&tokens[1], "[") && !strchr(b, '['));
        if (ends || other)
            return ends && other;
        if (tokens[0].length != tokens[1].length ||
            strncmp(tokens[0].text, tokens[1].text, tokens[0].length) != 0)
            return false;
    }
}

/* Whether a variable is a pointer that may become an offset. */
static bool can_be_offset(const struct clopt_variable *variable)
{
    return variable->is_pointer && !variable->is_array && variable->function &&
           variable->space == CLOPT_SPACE_PRIVATE &&
           !clopt_space_may_be_private(variable->pointee) && !variable->is_volatile &&
           !(variable->uses & CLOPT_ADDRESS) &&
           (variable->declarator || (variable->is_parameter && variable->changed));
}

/* Whether a variable is what offsets begin at. */
static bool is_root(const struct clopt_variable *variable)
{
    return variable->is_array ||
           (variable->is_parameter && variable->is_pointer && !variable->changed &&
            !clopt_space_may_be_private(variable->pointee));
}

/* Whether a root has its name wherever a pointer has. */
static bool is_visible(const struct clopt_source *source, const struct clopt_variable *root,
                       const struct clopt_variable *pointer)
{
    for (size_t i = 0; i < source->variable_count; i++) {
        const struct clopt_variable *other = source->variables[i];
        if (other != root && other->function == pointer->function &&
            strcmp(other->name, root->name) == 0)
            return false;
    }
    return !root->declarator || !root->function ||
           clopt_node_contains(root->declarator->parent->parent, pointer->declarator);
}

static bool is_offset(const struct pointers *pointers, const struct clopt_variable *variable)
{
    const struct pointer *item = &pointers->items[variable->index];
    return item->root && !item->stays;
}

/* The root that an expression points into; NULL: none, or, with `open`, none that is known yet. */
static struct clopt_variable *root_of(struct pointers *pointers, const struct clopt_node *node)
{
    const struct clopt_node *first = node->child_count ? node->children[0] : NULL;
    struct pointer *item = node->variable ? &pointers->items[node->variable->index] : NULL;
    bool step = clopt_node_is_step(node);
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        if (is_root(node->variable))
            return node->variable;
        pointers->open |= can_be_offset(node->variable) && !item->root && !item->stays;
        return item->stays ? NULL : item->root;
    case CLOPT_NODE_PAREN:
        return root_of(pointers, first);
    case CLOPT_NODE_POSTFIX:
    case CLOPT_NODE_ASSIGN:
        return node->is_pointer && clopt_node_bare(first)->kind == CLOPT_NODE_VARIABLE
                   ? root_of(pointers, first)
                   : NULL;
    case CLOPT_NODE_UNARY:
        if (step)
            return root_of(pointers, first);
        first = clopt_node_is_operator(node, "&") ? clopt_node_bare(first) : node;
        if (first == node || !clopt_node_is_lvalue(first, NULL) || first->is_array)
            return NULL;
        return root_of(pointers, first->kind == CLOPT_NODE_SUBSCRIPT
                                     ? first->children[address_number(first)]
                                     : first->children[0]);
    case CLOPT_NODE_BINARY:
        return node->is_pointer && strchr("+-", *node->op)
                   ? root_of(pointers, node->children[address_number(node)])
                   : NULL;
    case CLOPT_NODE_CONDITIONAL: {
        struct clopt_variable *left = root_of(pointers, node->children[1]);
        bool open = pointers->open;
        struct clopt_variable *right = root_of(pointers, node->children[2]);
        if (left && right)
            return left == right ? left : NULL;
        pointers->open &= (open || left) && (left || right || open);
        return NULL;
    }
    default:
        return NULL;
    }
}

/* Notes what a pointer gets; returns whether that is news. */
static bool meet(struct pointers *pointers, struct clopt_variable *variable,
                 const struct clopt_node *value)
{
    struct pointer *item = &pointers->items[variable->index];
    if (!can_be_offset(variable) || item->stays)
        return false;
    pointers->open = false;
    struct clopt_variable *root = value ? root_of(pointers, value) : NULL;
    if ((!root && value && pointers->open) || (root && root == item->root))
        return false;
    item->stays = !root || item->root || !leads_alike(variable->type, root->type) ||
                  !is_visible(pointers->source, root, variable);
    item->root = root;
    return true;
}

static bool find_writes(struct pointers *pointers, const struct clopt_node *node, bool stays)
{
    const struct clopt_node *lvalue = clopt_node_written(node);
    bool news = false;
    stays |= node->kind == CLOPT_NODE_SIZEOF || /* prints as it is */
             (is_arrow(node) && !*node->name);  /* of a structure that has no name */
    if (node->kind == CLOPT_NODE_DECLARATOR && node->variable->is_pointer) {
        bool alone = node->parent->child_count == 1 || clopt_node_is_statement(node->parent);
        if (node->condition || !alone)
            news = meet(pointers, node->variable, alone ? node->condition : NULL);
    } else if (lvalue && lvalue->kind == CLOPT_NODE_VARIABLE && lvalue->is_pointer) {
        if (clopt_node_is_operator(node, "="))
            news = meet(pointers, lvalue->variable, node->children[1]);
    } else if (stays && node->kind == CLOPT_NODE_VARIABLE) {
        news = meet(pointers, node->variable, NULL);
    }
    for (size_t i = 0; i < node->child_count; i++)
        news |= find_writes(pointers, node->children[i], stays);
    return news;
}

/* Whether the value of an expression is the first element of a root. */
static bool is_begin(const struct pointers *pointers, const struct clopt_node *node)
{
    node = clopt_node_bare(node);
    return node->kind == CLOPT_NODE_VARIABLE &&
           (is_root(node->variable) || pointers->items[node->variable->index].same);
}

/* Finds the one statement of a function's outermost block that moves a parameter. */
static const struct clopt_node *find_move(const struct clopt_variable *parameter)
{
    const struct clopt_node *body = parameter->function->body;
    const struct clopt_node *found = NULL;
    for (size_t i = 0; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        const struct clopt_node *lvalue = clopt_node_written(node);
        if (node->kind == CLOPT_NODE_ASSIGN && lvalue->kind == CLOPT_NODE_VARIABLE &&
            lvalue->variable == parameter)
            found = node;
    }
    return parameter->writes == 1 && !(parameter->function->effects & CLOPT_EFFECT_GOTO) ? found
                                                                                         : NULL;
}

/* Finds all pointers that become offsets, and makes the offsets. */
static void find_pointers(struct pointers *pointers)
{
    struct clopt_source *source = pointers->source;
    size_t count = source->variable_count;
    for (size_t i = 0; i < count; i++)
        if (source->variables[i]->is_parameter && can_be_offset(source->variables[i]))
            pointers->items[i].root = source->variables[i];
    for (bool news = true; news;) {
        news = false;
        for (size_t i = 0; i < source->function_count; i++)
            news |= find_writes(pointers, source->functions[i]->body, false);
    }
    for (size_t i = 0; i < count; i++) {
        struct clopt_variable *variable = source->variables[i];
        struct pointer *item = &pointers->items[i];
        if (!is_offset(pointers, variable))
            continue;
        const char *type = variable->changed ? "long" : "const long";
        item->move = variable->is_parameter ? find_move(variable) : NULL;
        item->same = !variable->is_parameter && !variable->changed &&
                     variable->declarator->condition &&
                     clopt_node_is_statement(variable->declarator->parent) &&
                     is_begin(pointers, variable->declarator->condition);
        item->offset = variable->is_parameter
                           ? clopt_variable_make(source, item->move ? "const long" : type, "",
                                                 "%s_offset", variable->name)
                           : clopt_variable_like(source, variable, type, "");
    }
}

/* ---- offsets ---- */

static struct clopt_node *write_offset(struct pointers *pointers, const struct clopt_node *node);

/* Returns an integer as one of 64 bits. */
static struct clopt_node *widen(struct pointers *pointers, struct clopt_node *value)
{
    return value->bits == 64 ? value : clopt_build(pointers->source, value, "(long)$n", value);
}

/* Adds to an offset, which is NULL for 0, or subtracts, without what 32 bits do not hold. */
static struct clopt_node *add(struct pointers *pointers, struct clopt_node *offset, const char *op,
                              struct clopt_node *more)
{
    if (!offset)
        return *op == '+' ? more
                          : clopt_build(pointers->source, more, "-$n", widen(pointers, more));
    if (more->known && !more->value)
        return offset;
    return clopt_build(pointers->source, more, "$n $s $n",
                       more->bits == 64 ? offset : widen(pointers, offset), op, more);
}

/* Returns how many elements after its root an expression points; NULL: none. */
static struct clopt_node *offset_of(struct pointers *pointers, const struct clopt_node *node)
{
    struct clopt_source *source = pointers->source;
    const struct clopt_node *first = node->child_count ? node->children[0] : NULL;
    if (clopt_node_written(node))
        return write_offset(pointers, node);
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE: {
        const struct pointer *item = &pointers->items[node->variable->index];
        bool begin =
            is_begin(pointers, node) || (item->move && node->index < clopt_node_end(item->move));
        return begin ? NULL : clopt_build(source, node, "$v", item->offset);
    }
    case CLOPT_NODE_UNARY: {
        const struct clopt_node *element = clopt_node_bare(first);
        if (element->kind != CLOPT_NODE_SUBSCRIPT)
            return offset_of(pointers, element->children[0]);
        node = element;
        break;
    }
    case CLOPT_NODE_CONDITIONAL: {
        struct clopt_node *sides[2];
        for (size_t i = 0; i < 2; i++) {
            sides[i] = offset_of(pointers, node->children[i + 1]);
            sides[i] = sides[i] ? widen(pointers, sides[i]) : clopt_build(source, node, "0");
        }
        return clopt_build(source, node, "$n ? $n : $n", clopt_clone(&pointers->cloning, first),
                           sides[0], sides[1]);
    }
    case CLOPT_NODE_BINARY:
        break;
    default:
        return offset_of(pointers, first);
    }
    size_t base = address_number(node);
    return add(pointers, offset_of(pointers, node->children[base]),
               node->kind == CLOPT_NODE_BINARY ? node->op : "+",
               clopt_clone(&pointers->cloning, node->children[!base]));
}

/* The same, with 0 for none. */
static struct clopt_node *full_offset(struct pointers *pointers, const struct clopt_node *node)
{
    struct clopt_node *offset = offset_of(pointers, node);
    return offset ? offset : clopt_build(pointers->source, node, "0");
}

/* Returns an assignment to an offset, ++ or --. */
static struct clopt_node *write_offset(struct pointers *pointers, const struct clopt_node *node)
{
    struct clopt_source *source = pointers->source;
    const struct pointer *item = &pointers->items[clopt_node_written(node)->variable->index];
    bool assigns = clopt_node_is_operator(node, "=");
    if (node->kind == CLOPT_NODE_POSTFIX)
        return clopt_build(source, node, "$v$s", item->offset, node->op);
    if (node->kind == CLOPT_NODE_UNARY)
        return clopt_build(source, node, "$s$v", node->op, item->offset);
    const struct clopt_node *value = node->children[1];
    struct clopt_node *offset =
        assigns ? full_offset(pointers, value) : clopt_clone(&pointers->cloning, value);
    if (item->move == node && *node->op == '-')
        offset = add(pointers, NULL, "-", offset);
    return item->move == node
               ? clopt_build(source, node, "$V = $n;", item->offset, offset)
               : clopt_build(source, node, "$v $s $n", item->offset, node->op, offset);
}

/* ---- what becomes of nodes ---- */

static bool names_offset(const struct clopt_node *node, const void *user)
{
    return node->kind == CLOPT_NODE_VARIABLE && is_offset(user, node->variable);
}

/* Whether nothing has the value of an expression. */
static bool is_unused(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    for (; parent->kind == CLOPT_NODE_PAREN || clopt_node_is_operator(parent, ",");
         node = parent, parent = node->parent)
        if (parent->kind != CLOPT_NODE_PAREN && parent->children[0] == node)
            return true;
    return clopt_node_is_statement(node) || parent->init == node || parent->step == node;
}

/* Declares offsets in place of pointers. */
static struct clopt_node *declare(struct pointers *pointers, const struct clopt_node *node)
{
    struct clopt_source *source = pointers->source;
    struct clopt_nodes list = {0};
    bool any = false;
    for (size_t i = 0; i < node->child_count; i++)
        any |= is_offset(pointers, node->children[i]->variable);
    for (size_t i = 0; any && i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        const struct clopt_node *value = declarator->condition;
        const struct pointer *item = &pointers->items[declarator->variable->index];
        if (!is_offset(pointers, declarator->variable))
            clopt_nodes_put(source, &list, declarator, "$V = $n;", declarator->variable,
                            value ? clopt_clone(&pointers->cloning, value) : NULL);
        else if (!item->same)
            clopt_nodes_put(source, &list, declarator, "$V = $n;", item->offset,
                            value ? full_offset(pointers, value) : NULL);
    }
    if (!any)
        return NULL;
    return list.count == 1 ? list.items[0] : clopt_build(source, node, "$N", &list);
}

/* Returns the access a[i], *p or p->m as one to the root; NULL: it stays. */
static struct clopt_node *access(struct pointers *pointers, const struct clopt_node *node)
{
    struct clopt_source *source = pointers->source;
    bool subscript = node->kind == CLOPT_NODE_SUBSCRIPT;
    const struct clopt_node *base = node->children[subscript ? address_number(node) : 0];
    struct clopt_variable *root = root_of(pointers, base);
    if (!root || (subscript && clopt_node_names(base, root) && is_root(root)))
        return NULL;
    struct clopt_node *index = offset_of(pointers, base);
    if (subscript)
        index = add(pointers, index, "+",
                    clopt_clone(&pointers->cloning, node->children[!address_number(node)]));
    if (!index)
        index = clopt_build(source, node, "0");
    struct clopt_node *element = clopt_build(source, node, "$v[$n]", root, index);
    if (subscript)
        element->name = node->name;
    if (node->kind != CLOPT_NODE_MEMBER)
        return element;
    return clopt_build(source, node, "$n.$s", element, node->name);
}

static struct clopt_node *form(struct pointers *pointers, const struct clopt_node *node)
{
    struct clopt_source *source = pointers->source;
    const struct clopt_node *lvalue = clopt_node_written(node);
    if (node->kind == CLOPT_NODE_DECLARE)
        return declare(pointers, node);
    if (is_arrow(node) || (clopt_node_is_lvalue(node, NULL) && !node->is_array))
        return access(pointers, node);
    if (!clopt_node_is_expression(node) || node->kind == CLOPT_NODE_SIZEOF ||
        !clopt_node_search(node, names_offset, pointers))
        return NULL;
    if (lvalue && lvalue->kind == CLOPT_NODE_VARIABLE && is_offset(pointers, lvalue->variable) &&
        is_unused(node))
        return write_offset(pointers, node);
    if (node->kind == CLOPT_NODE_BINARY && !node->is_pointer &&
        clopt_node_is_address(node->children[0]) && clopt_node_is_address(node->children[1])) {
        struct clopt_variable *root = root_of(pointers, node->children[0]);
        return root && root == root_of(pointers, node->children[1])
                   ? clopt_build(source, node, "$n $s $n",
                                 widen(pointers, full_offset(pointers, node->children[0])),
                                 node->op,
                                 widen(pointers, full_offset(pointers, node->children[1])))
                   : NULL;
    }
    struct clopt_variable *root = node->is_pointer ? root_of(pointers, node) : NULL;
    struct clopt_node *offset = root ? offset_of(pointers, node) : NULL;
    if (!root)
        return NULL;
    return offset ? clopt_build(source, node, "$v + $n", root, offset)
                  : clopt_build(source, node, "$v", root);
}

static struct clopt_node *change(void *user, const struct clopt_node *node)
{
    struct pointers *pointers = user;
    struct clopt_node *made = form(pointers, node);
    pointers->changed |= made != NULL;
    return made;
}

bool clopt_pointers_replace(struct clopt_source *source)
{
    struct pointers pointers = {.source = source};
    pointers.items = clopt_source_table(source, source->variable_count, sizeof *pointers.items);
    find_pointers(&pointers);
    pointers.cloning = (struct clopt_cloning){.source = source, .user = &pointers, .node = change};
    for (size_t i = 0; i < source->function_count; i++) {
        struct clopt_node *body = source->functions[i]->body;
        struct clopt_node *formed = clopt_clone(&pointers.cloning, body);
        for (size_t v = 0; v < source->variable_count; v++) {
            const struct pointer *item = &pointers.items[v];
            if (is_offset(&pointers, source->variables[v]) && source->variables[v]->is_parameter &&
                source->variables[v]->function == source->functions[i] && !item->move)
                clopt_prepend(source, formed, clopt_build(source, body, "$V = 0;", item->offset));
        }
        if (pointers.changed)
            clopt_replace(source, body, formed);
    }
    return pointers.changed;
}
