/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses which buffers a kernel reads and writes, and how far they reach. */
#include "index.h"

#define MOST_ALIASES 8 /* pointers to pointers, functions within functions */

/* One access to the memory of a parameter. */
struct access {
    struct kernel_guess *guess;
    unsigned parameter;
    struct kernel_bound distance; /* of what the index counts from */
};

static int find_variable(const struct kernel_guess *guess, const struct clopt_variable *variable)
{
    for (size_t i = 0; variable && i < guess->kernel->parameter_count; i++)
        if (guess->kernel->parameters[i] == variable && variable->is_pointer)
            return (int)i;
    return -1;
}

static int find_parameter(const struct kernel_guess *guess, const struct clopt_node *node)
{
    node = kernel_plain(node);
    return node && node->kind == CLOPT_NODE_VARIABLE ? find_variable(guess, node->variable) : -1;
}

/* Whether a condition holds for every work-item that has something to do. */
static bool is_guard(const struct kernel_guess *guess, const struct clopt_node *condition,
                     bool inverse)
{
    condition = kernel_plain(condition);
    if (!condition || condition->kind != CLOPT_NODE_BINARY)
        return false;
    const char *op = condition->op;
    if (strcmp(op, inverse ? "||" : "&&") == 0)
        return is_guard(guess, condition->children[0], inverse) &&
               is_guard(guess, condition->children[1], inverse);
    bool mirrored = kernel_identity_of(condition->children[0]) < 0;
    int dimension = kernel_identity_of(condition->children[mirrored]);
    const char *wanted = inverse ? mirrored ? "<=" : ">=" : mirrored ? ">" : "<";
    if (dimension < 0 || strcmp(op, wanted) != 0)
        return false;
    return kernel_bound_equal(kernel_upper(guess, condition->children[!mirrored]),
                              guess->global[dimension]);
}

/* Whether some work-items may never come to a node. */
static bool is_conditional(const struct kernel_guess *guess, const struct clopt_node *node)
{
    for (const struct clopt_node *at = node; at->parent; at = at->parent) {
        const struct clopt_node *parent = at->parent;
        bool chosen = (parent->kind == CLOPT_NODE_IF && at != parent->condition) ||
                      (parent->kind == CLOPT_NODE_CONDITIONAL && at != parent->children[0]) ||
                      parent->kind == CLOPT_NODE_SWITCH || parent->kind == CLOPT_NODE_WHILE;
        if (chosen && (parent->kind != CLOPT_NODE_IF || at == parent->otherwise ||
                       !is_guard(guess, parent->condition, false)))
            return true;
    }
    return false;
}

/* Which elements of one buffer choose those of another. */
static void note_chooser(struct kernel_guess *guess, const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_SUBSCRIPT)
        return;
    int chooser = find_parameter(guess, node->children[0]);
    if (chooser < 0 || (unsigned)chooser == guess->indexed)
        return;
    guess->parameters[chooser].indexes = guess->indexed + 1;
    guess->parameters[chooser].beside = guess->beside;
}

static bool is_address(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_UNARY && strcmp(node->op, "&") == 0;
}

/* Takes in how the value of a position is used, by what is around it; tells whether that writes.
 */
static bool note_use(struct kernel_parameter_guess *parameter, const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    bool whole = true;
    while (parent && (parent->kind == CLOPT_NODE_PAREN || parent->kind == CLOPT_NODE_MEMBER ||
                      parent->kind == CLOPT_NODE_SWIZZLE)) {
        whole = whole && parent->kind == CLOPT_NODE_PAREN;
        node = parent;
        parent = parent->parent;
    }
    if (parent && is_address(parent))
        return false; /* what gets the address decides what is done there */
    bool assigned = parent && parent->kind == CLOPT_NODE_ASSIGN && parent->children[0] == node;
    bool changed = parent && clopt_node_is_step(parent);
    parameter->written |= assigned || changed;
    parameter->read |= !assigned || !whole || strcmp(parent->op, "=") != 0;
    return assigned || changed;
}

/* How many elements there are up to an index, `width` at a time. */
static struct kernel_bound reach_of(const struct access *access, const struct clopt_node *index,
                                    unsigned width)
{
    struct kernel_bound last = kernel_bound_add(
        index ? kernel_upper(access->guess, index) : kernel_bound_constant(0), access->distance, 1);
    return kernel_bound_multiply(kernel_bound_plus(last, 1), kernel_bound_constant(width));
}

/* Takes in that the elements up to `index` of a buffer are touched, `width` at a time. */
static void note_reach(const struct access *access, const struct clopt_node *index, unsigned width)
{
    struct kernel_guess *guess = access->guess;
    struct kernel_parameter_guess *parameter = &guess->parameters[access->parameter];
    guess->in_local = guess->kernel->parameters[access->parameter]->pointee == CLOPT_SPACE_LOCAL;
    struct kernel_bound reach = reach_of(access, index, width);
    guess->memory_is_zero = true;
    guess->beside = reach_of(access, index, width);
    guess->indexed = access->parameter;
    guess->memory_is_zero = false;
    guess->in_local = false;
    if (index)
        kernel_walk_origins(guess, index, note_chooser);
    if (!reach.known)
        parameter->unclear = true;
    else if (!parameter->length.known || kernel_bound_covers(reach, parameter->length))
        parameter->length = reach;
    else if (!kernel_bound_covers(parameter->length, reach))
        parameter->unclear = true;
}

/* vload4(i, p) and vstore4(v, i, p); false for any other call. */
static bool note_vector_access(struct kernel_guess *guess, const struct clopt_node *call)
{
    bool store = strncmp(call->name, "vstore", 6) == 0;
    if ((!store && strncmp(call->name, "vload", 5) != 0) || call->child_count != 2u + store)
        return false;
    unsigned width = (unsigned)strtoul(call->name + (store ? 6 : 5), NULL, 10);
    int number = find_parameter(guess, call->children[call->child_count - 1]);
    if (number < 0)
        return false;
    struct access access = {guess, (unsigned)number, kernel_bound_constant(0)};
    note_reach(&access, call->children[call->child_count - 2], width ? width : 1);
    struct kernel_parameter_guess *parameter = &guess->parameters[number];
    parameter->read |= !store;
    parameter->written |= store;
    parameter->partly |= store && is_conditional(guess, call);
    return true;
}

/* Splits a pointer into what it points into and how far; true where there is something to add. */
static bool split_pointer(const struct clopt_node **base, const struct clopt_node **offset)
{
    const struct clopt_node *node = kernel_plain(*base);
    if (is_address(node))
        node = kernel_plain(node->children[0]); /* &p[i] */
    bool split = node->kind == CLOPT_NODE_SUBSCRIPT || kernel_is_binary(node, "+");
    bool back = kernel_is_binary(node, "-");
    *base = kernel_plain(split || back ? node->children[0] : node); /* p - 1 reaches less far */
    *offset = split ? node->children[1] : NULL;
    return split;
}

/* Follows a pointer to the variable that it comes from, a parameter for one; adds up the
 * offsets from it. NULL where that is not known. */
static const struct clopt_variable *follow_pointer(const struct kernel_guess *guess,
                                                   const struct clopt_node *base,
                                                   struct kernel_bound *distance)
{
    *distance = kernel_bound_constant(0);
    for (int depth = 0; depth < MOST_ALIASES; depth++) {
        const struct clopt_node *offset = NULL;
        if (split_pointer(&base, &offset))
            *distance = kernel_bound_add(*distance, kernel_upper(guess, offset), 1);
        if (base->kind != CLOPT_NODE_VARIABLE)
            return NULL;
        const struct clopt_variable *variable = base->variable;
        base = variable->value;
        bool moves = base && base->parent->kind == CLOPT_NODE_ASSIGN && base->parent->op[0] != '=';
        if (variable->writes > 1) /* it moves on */
            distance->known = false;
        if (moves && base->parent->op[0] == '+')
            *distance = kernel_bound_add(*distance, kernel_upper(guess, base), 1);
        if (!base || moves)
            return variable;
    }
    return NULL;
}

static bool is_dereference(const struct clopt_node *node)
{
    return clopt_node_is_lvalue(node, NULL) ||
           (node->kind == CLOPT_NODE_MEMBER && strcmp(node->op, "->") == 0);
}

static bool points_to(const struct kernel_guess *guess, const struct clopt_node *pointer,
                      const struct clopt_variable *variable)
{
    struct kernel_bound distance;
    return follow_pointer(guess, pointer, &distance) == variable;
}

/* Takes in what is done with memory that is handed to a function as argument `index`. */
static void note_argument(const struct kernel_guess *guess, const struct clopt_node *call,
                          size_t index, int depth, struct kernel_parameter_guess *use)
{
    const struct clopt_function *callee = call->callee;
    if (!callee || index >= callee->parameter_count || depth > MOST_ALIASES) {
        use->read = true;
        use->written |= strncmp(call->name ? call->name : "", "vload", 5) != 0;
        return;
    }
    const struct clopt_variable *parameter = callee->parameters[index];
    for (const struct clopt_node *at = callee->body; at; at = clopt_node_next(at, callee->body)) {
        if (is_dereference(at) && points_to(guess, at->children[0], parameter))
            note_use(use, at);
        for (size_t i = 0; at->kind == CLOPT_NODE_CALL && i < at->child_count; i++)
            if (kernel_plain(at->children[i])->is_pointer &&
                points_to(guess, at->children[i], parameter))
                note_argument(guess, at, i, depth + 1, use);
    }
}

/* A buffer that is handed to a function. */
static void note_call(struct kernel_guess *guess, const struct clopt_node *call)
{
    if (!call->name || note_vector_access(guess, call))
        return;
    for (size_t i = 0; i < call->child_count; i++) {
        struct kernel_bound distance;
        if (!kernel_plain(call->children[i])->is_pointer)
            continue;
        int number = find_variable(guess, follow_pointer(guess, call->children[i], &distance));
        if (number < 0)
            continue;
        struct kernel_parameter_guess *parameter = &guess->parameters[number];
        struct kernel_parameter_guess use = {0};
        note_argument(guess, call, i, 0, &use);
        /* OpenCL's own functions touch one element where they get its address. */
        bool element = !call->callee && is_address(kernel_plain(call->children[i]));
        parameter->unclear |= !element;
        parameter->partly |= !element || is_conditional(guess, call);
        parameter->read |= use.read;
        parameter->written |= use.written && !guess->kernel->parameters[number]->points_to_const;
    }
}

static void note_buffer(struct kernel_guess *guess, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_CALL)
        note_call(guess, node);
    if (!is_dereference(node))
        return;
    bool subscript = node->kind == CLOPT_NODE_SUBSCRIPT;
    struct kernel_bound distance;
    int number = find_variable(guess, follow_pointer(guess, node->children[0], &distance));
    if (number < 0)
        return;
    struct access access = {guess, (unsigned)number, distance};
    note_reach(&access, subscript ? node->children[1] : NULL, 1);
    if (note_use(&guess->parameters[number], node))
        guess->parameters[number].partly |= is_conditional(guess, node);
}

/* A work-item that leaves early, other than for having nothing to do, may leave positions
 * unwritten.
 */
static void note_return(struct kernel_guess *guess, const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_RETURN)
        return;
    const struct clopt_node *at = node->parent;
    while (at && at->kind == CLOPT_NODE_COMPOUND)
        at = at->parent;
    if (!at || (at->kind == CLOPT_NODE_IF && is_guard(guess, at->condition, true)))
        return;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        guess->parameters[i].partly = true;
}

void kernel_guess_buffers(struct kernel_guess *guess)
{
    kernel_walk_nodes(guess, guess->kernel->body, note_buffer);
    kernel_walk_nodes(guess, guess->kernel->body, note_return);
}
