/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses which buffers a kernel reads and writes, and how far they reach. */
#include "guess.h"

#include <clopt/loop.h>

#define MOST_ALIASES 8 /* pointers that come from pointers */

static int find_variable(const struct kernel_guess *guess, const struct clopt_variable *variable)
{
    for (size_t i = 0; variable && i < guess->kernel->parameter_count; i++)
        if (guess->kernel->parameters[i] == variable && variable->is_pointer)
            return (int)i;
    return -1;
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
    int chooser = find_variable(guess, kernel_plain(node->children[0])->variable);
    bool is_size = kernel_size_parameter(guess, node->parent) >= 0; /* of a structure */
    if (chooser < 0 || (unsigned)chooser == guess->indexed || is_size)
        return;
    if (!guess->parameters[guess->indexed].chooser) /* the nearest comes first */
        guess->parameters[guess->indexed].chooser = (unsigned)chooser + 1;
    else if (guess->parameters[guess->indexed].chooser != (unsigned)chooser + 1 &&
             guess->parameters[chooser].indexes)
        return; /* it chooses what chooses this */
    guess->parameters[chooser].indexes = guess->indexed + 1;
    guess->parameters[chooser].beside = guess->beside;
    guess->parameters[chooser].stride = guess->stride;
}

static bool is_address(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_UNARY && strcmp(node->op, "&") == 0;
}

/* How many bytes the elements of a variable have that points to them. */
static int64_t variable_bytes(const struct clopt_variable *variable)
{
    size_t bytes = variable->is_pointer ? variable->pointee_bytes
                   : variable->is_array ? clopt_scalar_bytes(variable->scalar, variable->width)
                                        : 0;
    return bytes ? (int64_t)bytes : 1; /* of void, or of what is not known */
}

/* How many bytes an offset that is added to a pointer stands for: bytes themselves, where the
 * pointer was cast to one. */
static int64_t unit_bytes(const struct kernel_guess *guess, const struct clopt_node *pointer)
{
    const struct clopt_node *bare = clopt_node_bare(pointer);
    const struct clopt_node *plain = kernel_plain(pointer);
    if (bare->kind == CLOPT_NODE_CAST) {
        char type[64];
        snprintf(type, sizeof type, "%.*s", (int)(bare->children[0]->begin - bare->begin),
                 guess->source->text + bare->begin);
        if (strstr(type, "char") || strstr(type, "void"))
            return 1;
    }
    while (plain->child_count && plain->kind != CLOPT_NODE_VARIABLE)
        plain = kernel_plain(plain->children[0]);
    return plain->variable ? variable_bytes(plain->variable) : 1;
}

/* Splits a pointer into what it points into and how far; true where there is something to add. */
static bool split_pointer(const struct clopt_node **base, const struct clopt_node **offset,
                          const struct clopt_node **moved)
{
    const struct clopt_node *node = kernel_plain(*base);
    if (is_address(node))
        node = kernel_plain(node->children[0]); /* &p[i] */
    bool split = node->kind == CLOPT_NODE_SUBSCRIPT || kernel_is_binary(node, "+");
    bool back = kernel_is_binary(node, "-");
    *base = kernel_plain(split || back ? node->children[0] : node); /* p - 1 reaches less far */
    *offset = split ? node->children[1] : NULL;
    *moved = split ? node->children[0] : NULL;
    return split;
}

/* Whether a pointer is moved by what it is set to, which is computed from it. */
static bool moves_itself(const struct clopt_variable *pointer)
{
    return pointer->value && (clopt_node_uses(pointer->value, pointer) & CLOPT_READ);
}

/* What is added to a pointer. */
struct path {
    const struct clopt_node *offsets[MOST_ALIASES + 1];
    size_t count;
    struct kernel_bound distance; /* all of them, in bytes, at most */
};

static void add_offset(const struct kernel_guess *guess, const struct clopt_node **base,
                       struct path *path)
{
    const struct clopt_node *offset, *moved;
    if (!split_pointer(base, &offset, &moved))
        return;
    path->offsets[path->count++] = offset;
    path->distance =
        kernel_bound_add(path->distance, kernel_upper(guess, offset), unit_bytes(guess, moved));
}

/* Follows a pointer to the variable that it comes from, a parameter for one; adds up the
 * offsets from it, in bytes. NULL where that is not known. */
static const struct clopt_variable *follow_pointer(const struct kernel_guess *guess,
                                                   const struct clopt_node *base, struct path *path)
{
    struct kernel_bound *distance = &path->distance;
    path->count = 0;
    *distance = kernel_bound_constant(0);
    for (int depth = 0; depth < MOST_ALIASES; depth++) {
        add_offset(guess, &base, path);
        if (base->kind != CLOPT_NODE_VARIABLE)
            return NULL;
        const struct clopt_variable *variable = base->variable;
        base = variable->value;
        bool moves = base && base->parent->kind == CLOPT_NODE_ASSIGN && base->parent->op[0] != '=';
        if (variable->writes > 1) /* it moves on */
            distance->known = false;
        if (moves && base->parent->op[0] == '+')
            *distance =
                kernel_bound_add(*distance, kernel_upper(guess, base), variable_bytes(variable));
        if (moves_itself(variable) && !moves)
            add_offset(guess, &base, path);
        if (!base || moves || moves_itself(variable))
            return variable;
    }
    return NULL;
}

/* Where an access is: `width` elements from an index on, counted from what a pointer leads to. */
struct location {
    const struct clopt_node *pointer;
    const struct clopt_node *index; /* NULL: 0 */
    unsigned width;
    int64_t bytes; /* of an element; 0: those of the parameter's */
    bool is_sure;  /* it accesses nothing else there */
};

static struct location location_of(const struct clopt_node *node)
{
    bool subscript = node->kind == CLOPT_NODE_SUBSCRIPT;
    int64_t bytes = node->scalar ? (int64_t)clopt_scalar_bytes(node->scalar, node->width) : 0;
    return (struct location){node->children[0], subscript ? node->children[1] : NULL, 1, bytes,
                             true};
}

/* Finds the location that is handed to a function: vload4(i, p) and vstore4(v, i, p), or others of
 * OpenCL's own, which touch one element where they get its address. */
static struct location given_location(const struct clopt_node *argument)
{
    const struct clopt_node *call = argument->parent, *plain = kernel_plain(argument);
    bool is_vector = !call->callee && (strncmp(call->name, "vload", 5) == 0 ||
                                       strncmp(call->name, "vstore", 6) == 0);
    bool is_atomic = !call->callee && strncmp(call->name, "atom", 4) == 0;
    struct location location = {argument, NULL, 1, 0,
                                is_vector || is_atomic || (!call->callee && is_address(plain))};
    if (is_vector && call->child_count >= 2) {
        unsigned long width = strtoul(call->name + strcspn(call->name, "0123456789"), NULL, 10);
        location.index = call->children[call->child_count - 2];
        location.width = width ? (unsigned)width : 1;
    } else if (is_address(plain) && plain->children[0]->kind == CLOPT_NODE_SUBSCRIPT) {
        bool is_sure = location.is_sure;
        location = location_of(plain->children[0]);
        location.is_sure = is_sure;
    }
    return location;
}

/* How many elements of a parameter there are up to a location, where memory holds a number. */
static struct kernel_bound reach_of(struct kernel_guess *guess, unsigned number,
                                    const struct location *location, const int64_t *memory)
{
    struct path path;
    guess->memory = memory;
    follow_pointer(guess, location->pointer, &path);
    int64_t own = variable_bytes(guess->kernel->parameters[number]);
    int64_t bytes = location->width * (location->bytes ? location->bytes : own);
    struct kernel_bound last =
        location->index ? kernel_upper(guess, location->index) : kernel_bound_constant(0);
    last = kernel_bound_multiply(kernel_bound_plus(last, 1), kernel_bound_constant(bytes));
    guess->memory = NULL;
    return kernel_bound_divide_up(kernel_bound_add(last, path.distance, 1), own);
}

/* Takes in that the elements of a parameter up to a location are touched. */
static void note_reach(struct kernel_guess *guess, unsigned number, const struct location *location,
                       const struct path *path)
{
    static const int64_t zero = 0, one = 1;
    struct kernel_parameter_guess *parameter = &guess->parameters[number];
    guess->in_local = guess->kernel->parameters[number]->pointee == CLOPT_SPACE_LOCAL;
    struct kernel_bound reach = reach_of(guess, number, location, NULL);
    guess->beside = reach_of(guess, number, location, &zero);
    guess->stride = kernel_bound_add(reach_of(guess, number, location, &one), guess->beside, -1);
    guess->indexed = number;
    guess->in_local = false;
    if (location->index)
        kernel_walk_origins(guess, location->index, note_chooser);
    for (size_t i = 0; i < path->count; i++)
        kernel_walk_origins(guess, path->offsets[i], note_chooser);
    if (reach.known && (!parameter->length.known || kernel_bound_covers(reach, parameter->length)))
        parameter->length = reach;
    else if (!reach.known || !kernel_bound_covers(parameter->length, reach))
        parameter->unclear = true;
}

/* Whether a member or component of an element is accessed alone. */
static bool is_part(const struct clopt_node *node)
{
    const struct clopt_node *at = node->parent;
    while (at->kind == CLOPT_NODE_PAREN)
        at = at->parent;
    return at->kind == CLOPT_NODE_SWIZZLE ||
           (at->kind == CLOPT_NODE_MEMBER && clopt_node_whole(at) == node);
}

/* Finds out what a function that could not be inlined does with memory that it gets. */
static void look_into(const struct clopt_node *argument, struct clopt_access *access)
{
    const struct clopt_function *callee = argument->parent->callee;
    size_t number = clopt_node_position(argument);
    CLOPT_OWNED(clopt_accesses) inside = {0};
    if (!callee || number >= callee->parameter_count)
        return;
    access->reads = access->writes = false;
    clopt_accesses_add(&inside, callee->body);
    for (size_t i = 0; i < inside.count; i++) {
        const struct clopt_access *item = &inside.items[i];
        if (item->root && item->root != callee->parameters[number])
            continue;
        access->reads |= item->reads || is_part(item->node);
        access->writes |= item->writes;
    }
}

static void note_access(struct kernel_guess *guess, struct clopt_access access)
{
    const struct clopt_node *node = access.node;
    bool given = node->parent->kind == CLOPT_NODE_CALL && clopt_node_is_address(node);
    struct path path;
    if (!given && !(clopt_node_is_memory(node, NULL) && node->child_count))
        return; /* a variable, or an image */
    struct location location = given ? given_location(node) : location_of(node);
    int number = find_variable(guess, follow_pointer(guess, location.pointer, &path));
    if (number < 0 && access.root) {
        number = find_variable(guess, access.root);
        path.distance.known = false;
    }
    if (number < 0)
        return;
    if (given)
        look_into(node, &access);
    struct kernel_parameter_guess *parameter = &guess->parameters[number];
    bool stores = given && strncmp(node->parent->name, "vstore", 6) == 0;
    bool writes = access.writes && !guess->kernel->parameters[number]->points_to_const;
    if (location.is_sure || location.index)
        note_reach(guess, (unsigned)number, &location, &path);
    if (location.bytes > 1 && !parameter->as)
        parameter->as = node;
    bool counts = given && (strncmp(node->parent->name, "atomic_inc", 10) == 0 ||
                            strncmp(node->parent->name, "atomic_add", 10) == 0 ||
                            strncmp(node->parent->name, "atomic_fetch_add", 16) == 0 ||
                            strncmp(node->parent->name, "atom_inc", 8) == 0 ||
                            strncmp(node->parent->name, "atom_add", 8) == 0);
    parameter->counts |= counts;
    parameter->is_plain |= !counts;
    parameter->unclear |= !location.is_sure;
    parameter->partly |= writes && (!location.is_sure || is_conditional(guess, node));
    parameter->read |= (access.reads && !stores) || (writes && is_part(node));
    parameter->written |= writes;
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
    CLOPT_OWNED(clopt_accesses) accesses = {0};
    clopt_accesses_add(&accesses, guess->kernel->body);
    for (size_t i = 0; i < accesses.count; i++)
        note_access(guess, accesses.items[i]);
    kernel_walk_nodes(guess, guess->kernel->body, note_return);
}
