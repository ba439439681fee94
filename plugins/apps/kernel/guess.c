/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses from a kernel's source what its arguments are for. */
#include "guess.h"

#include <clopt/clopt.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "index.h"

#define MOST_ALIASES 8 /* pointers behind pointers */

/* ---- what is known of variables ---- */

static void note_access(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                        unsigned access)
{
    struct kernel_guess *guess = user;
    struct kernel_flow *flow = &guess->flows[variable->index];
    if (!(access & (CLOPT_WRITE | CLOPT_ADDRESS)))
        return;
    const struct clopt_node *parent = node->parent;
    flow->writes++;
    if (node->kind == CLOPT_NODE_DECLARATOR)
        flow->value = node->condition;
    else if (parent && parent->kind == CLOPT_NODE_ASSIGN && parent->children[0] == node &&
             strcmp(parent->operator, "=") == 0)
        flow->value = parent->children[1];
}

/* A for loop whose step changes a variable, and whose condition compares it. */
static void note_loop(struct kernel_guess *guess, const struct clopt_node *loop)
{
    const struct clopt_node *step = kernel_plain(loop->step);
    guess->has_loops = true;
    if (loop->kind != CLOPT_NODE_FOR || !step || !step->child_count)
        return;
    const struct clopt_node *counter = kernel_plain(step->children[0]);
    if (counter->kind == CLOPT_NODE_VARIABLE)
        guess->flows[counter->variable->index].loop = loop;
}

static void note_node(void *user, const struct clopt_node *node)
{
    static const char *const of_groups[] = {"get_local_id", "get_group_id", "get_local_size",
                                            "get_num_groups", "get_global_size"};
    static const char *const queries[] = {"get_global_id",  "get_global_size", "get_local_id",
                                          "get_local_size", "get_group_id",    "get_num_groups"};
    struct kernel_guess *guess = user;
    unsigned dimension;
    if (clopt_node_is_loop(node))
        note_loop(guess, node);
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++)
        if (kernel_is_query(node, queries[i], &dimension) && dimension >= guess->dimensions)
            guess->dimensions = dimension + 1;
    for (size_t i = 0; i < sizeof of_groups / sizeof *of_groups; i++)
        guess->uses_groups |= kernel_is_query(node, of_groups[i], &dimension);
    if (node->kind == CLOPT_NODE_CALL && clopt_call_is_collective(node))
        guess->uses_groups = true;
}

/* ---- the NDRange ---- */

/* The local size is what the source itself multiplies a group's identity by. */
static void note_local_size(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    unsigned dimension;
    if (node->kind != CLOPT_NODE_BINARY || strcmp(node->operator, "*") != 0)
        return;
    for (int side = 0; side < 2; side++) {
        const struct clopt_node *other = kernel_plain(node->children[!side]);
        if (kernel_is_query(kernel_plain(node->children[side]), "get_group_id", &dimension) &&
            other->known && other->value > 0 && !guess->local[dimension])
            guess->local[dimension] = (uint64_t)other->value;
    }
}

/* Reads the sizes behind reqd_work_group_size in front of the kernel's body. */
static void read_required_size(struct kernel_guess *guess)
{
    const char *text = clopt_source_text(guess->source);
    const char *at = strstr(text + guess->kernel->begin, "reqd_work_group_size");
    if (!at || at > text + guess->kernel->body->begin)
        return;
    at += strcspn(at, "(");
    for (unsigned d = 0; d < 3 && (*at == '(' || *at == ','); d++) {
        char *end;
        unsigned long long size = strtoull(at + 1, &end, 0);
        at = end + strspn(end, " \t\n");
        guess->local[d] = size ? size : 1;
    }
}

/* Raises the global size of a dimension to a bound that the kernel compares its index with. */
static void guard(struct kernel_guess *guess, int dimension, const struct clopt_node *limit,
                  bool inclusive)
{
    struct kernel_bound bound = kernel_upper(guess, limit);
    struct kernel_bound one = kernel_bound_constant(1);
    if (inclusive)
        bound = kernel_bound_add(bound, &one, 1);
    for (size_t i = 0; i < bound.count; i++)
        if (bound.terms[i].sizes[0] == KERNEL_NO_SIZE && bound.terms[i].factor < 0)
            bound = kernel_bound_add(bound, &one, -bound.terms[i].factor); /* n - 1: a border */
    if (!bound.known || (bound.count == 1 && bound.terms[0].sizes[0] == KERNEL_NO_SIZE))
        return; /* a number says little */
    struct kernel_bound *global = &guess->global[dimension];
    if (!global->known || kernel_bound_covers(&bound, global))
        *global = bound;
    guess->guarded[dimension] = true;
}

static void note_guard(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    if (node->kind != CLOPT_NODE_BINARY || !strchr("<>", node->operator[0]) ||
        (node->operator[1] && node->operator[1] != '='))
        return;
    for (int side = 0; side < 2; side++) {
        int dimension = kernel_identity_of(guess, node->children[side]);
        if (dimension < 0)
            continue;
        bool below = (node->operator[0] == '<') == (side == 0);
        bool inclusive = below == (node->operator[1] == '=');
        guard(guess, dimension, node->children[!side], inclusive);
    }
}

/* y * width: a row is as long as dimension 0. */
static void note_stride(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    if (node->kind != CLOPT_NODE_BINARY || strcmp(node->operator, "*") != 0)
        return;
    for (int side = 0; side < 2; side++) {
        int parameter = kernel_size_parameter(guess, node->children[!side]);
        if (kernel_identity_of(guess, node->children[side]) > 0 && parameter >= 0 &&
            !guess->global[0].known)
            guess->global[0] = kernel_bound_size((unsigned)parameter);
    }
}

/* Whether a parameter is the global size of some dimension already. */
static bool is_taken(const struct kernel_guess *guess, unsigned parameter)
{
    struct kernel_bound size = kernel_bound_size(parameter);
    for (unsigned d = 0; d < 3; d++)
        if (guess->global[d].known && kernel_bound_equal(&guess->global[d], &size))
            return true;
    return false;
}

/* Takes the next integer that looks like a size, or else makes the dimension a size of its own. */
static struct kernel_bound invent_size(const struct kernel_guess *guess, unsigned dimension)
{
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const struct kernel_parameter_guess *parameter = &guess->parameters[i];
        if (parameter->is_size && !parameter->is_small && !is_taken(guess, (unsigned)i))
            return kernel_bound_size((unsigned)i);
    }
    return kernel_bound_size(KERNEL_GLOBAL_SIZE + dimension);
}

/* ---- sizes ---- */

static bool sounds_small(const char *name)
{
    static const char *const words[] = {"radius", "filter", "mask", "window", "iter", "step",
                                        "taps",   "order",  "bins", "degree", "depth"};
    char lower[64];
    size_t length = 0;
    for (; name[length] && length + 1 < sizeof lower; length++)
        lower[length] = (char)tolower((unsigned char)name[length]);
    lower[length] = '\0';
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(lower, words[i]))
            return true;
    return false;
}

/* What is compared with, multiplies or limits something is a size. */
static void note_size(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
    bool limits = node->kind == CLOPT_NODE_CALL && node->name &&
                  (strcmp(node->name, "min") == 0 || strcmp(node->name, "clamp") == 0);
    bool counts = node->kind == CLOPT_NODE_BINARY && strchr("<>*/%", node->operator[0]);
    for (size_t side = 0; (limits || counts) && side < node->child_count; side++) {
        int parameter = kernel_size_parameter(guess, node->children[side]);
        if (parameter >= 0)
            guess->parameters[parameter].is_size = true;
    }
}

/* ---- buffers ---- */

/* One access to memory behind a parameter. */
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
    const char *operator= condition->operator;
    if (strcmp(operator, inverse ? "||" : "&&") == 0)
        return is_guard(guess, condition->children[0], inverse) &&
               is_guard(guess, condition->children[1], inverse);
    bool mirrored = kernel_identity_of(guess, condition->children[0]) < 0;
    int dimension = kernel_identity_of(guess, condition->children[mirrored]);
    const char *wanted = inverse ? mirrored ? "<=" : ">=" : mirrored ? ">" : "<";
    if (dimension < 0 || strcmp(operator, wanted) != 0)
        return false;
    struct kernel_bound limit = kernel_upper(guess, condition->children[!mirrored]);
    return limit.known && kernel_bound_equal(&limit, &guess->global[dimension]);
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
static void note_chooser(void *user, const struct clopt_node *node)
{
    struct access *access = user;
    if (node->kind != CLOPT_NODE_SUBSCRIPT)
        return;
    int chooser = find_parameter(access->guess, node->children[0]);
    if (chooser >= 0 && (unsigned)chooser != access->parameter)
        access->guess->parameters[chooser].indexes = access->parameter + 1;
}

static bool is_address(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_UNARY && strcmp(node->operator, "&") == 0;
}

/* Takes in how the value of a place is used, by what stands around it; tells whether that writes.
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
        return false; /* what is done there, whoever gets the address does */
    bool assigned = parent && parent->kind == CLOPT_NODE_ASSIGN && parent->children[0] == node;
    bool changed =
        parent && (parent->kind == CLOPT_NODE_POSTFIX ||
                   (parent->kind == CLOPT_NODE_UNARY &&
                    (strcmp(parent->operator, "++") == 0 || strcmp(parent->operator, "--") == 0)));
    parameter->written |= assigned || changed;
    parameter->read |= !assigned || !whole || strcmp(parent->operator, "=") != 0;
    return assigned || changed;
}

/* Takes in that the elements up to `index` of a buffer are touched, `width` at a time. */
static void note_reach(struct access *access, const struct clopt_node *index, unsigned width)
{
    struct kernel_guess *guess = access->guess;
    struct kernel_parameter_guess *parameter = &guess->parameters[access->parameter];
    struct kernel_bound one = kernel_bound_constant(1), times = kernel_bound_constant(width);
    struct kernel_bound reach = index ? kernel_upper(guess, index) : kernel_bound_constant(0);
    reach = kernel_bound_add(reach, &access->distance, 1);
    reach = kernel_bound_add(reach, &one, 1);
    reach = kernel_bound_multiply(&reach, &times);
    if (index)
        kernel_walk_origins(guess, index, note_chooser, access);
    if (!reach.known)
        parameter->unclear = true;
    else if (!parameter->length.known || kernel_bound_covers(&reach, &parameter->length))
        parameter->length = reach;
    else if (!kernel_bound_covers(&parameter->length, &reach))
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
    bool split = node->kind == CLOPT_NODE_SUBSCRIPT ||
                 (node->kind == CLOPT_NODE_BINARY && strcmp(node->operator, "+") == 0);
    bool back = node->kind == CLOPT_NODE_BINARY && strcmp(node->operator, "-") == 0;
    *base = kernel_plain(split || back ? node->children[0] : node); /* p - 1 reaches less far */
    *offset = split ? node->children[1] : NULL;
    return split;
}

/* Follows a pointer to the variable that it comes from, a parameter for one; adds up how far
 * behind. NULL where that is not known. */
static const struct clopt_variable *follow_pointer(const struct kernel_guess *guess,
                                                   const struct clopt_node *base,
                                                   struct kernel_bound *distance)
{
    *distance = kernel_bound_constant(0);
    for (int depth = 0; depth < MOST_ALIASES; depth++) {
        const struct clopt_node *offset = NULL;
        if (split_pointer(&base, &offset)) {
            struct kernel_bound more = kernel_upper(guess, offset);
            *distance = kernel_bound_add(*distance, &more, 1);
        }
        if (base->kind != CLOPT_NODE_VARIABLE)
            return NULL;
        const struct kernel_flow *flow = &guess->flows[base->variable->index];
        if (!flow->value)
            return base->variable;
        if (flow->writes > 1) /* it moves on */
            distance->known = false;
        base = flow->value;
    }
    return NULL;
}

static bool is_dereference(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_SUBSCRIPT ||
           (node->kind == CLOPT_NODE_UNARY && strcmp(node->operator, "*") == 0) ||
           (node->kind == CLOPT_NODE_MEMBER && strcmp(node->operator, "->") == 0);
}

/* What a function does with the memory behind one of its parameters. */
struct passing {
    const struct kernel_guess *guess;
    const struct clopt_variable *variable;
    struct kernel_parameter_guess use;
    int depth;
};

static void note_passing(void *user, const struct clopt_node *node);

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
    struct passing passing = {guess, callee->parameters[index], {0}, depth};
    kernel_walk_nodes(callee->body, note_passing, &passing);
    use->read |= passing.use.read;
    use->written |= passing.use.written;
}

static void note_passing(void *user, const struct clopt_node *node)
{
    struct passing *passing = user;
    struct kernel_bound distance;
    if (is_dereference(node) &&
        follow_pointer(passing->guess, node->children[0], &distance) == passing->variable)
        note_use(&passing->use, node);
    for (size_t i = 0; node->kind == CLOPT_NODE_CALL && i < node->child_count; i++)
        if (kernel_plain(node->children[i])->is_pointer &&
            follow_pointer(passing->guess, node->children[i], &distance) == passing->variable)
            note_argument(passing->guess, node, i, passing->depth + 1, &passing->use);
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

static void note_buffer(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
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

/* A work-item that leaves early, other than for having nothing to do, may leave places unwritten.
 */
static void note_return(void *user, const struct clopt_node *node)
{
    struct kernel_guess *guess = user;
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

/* ---- the whole ---- */

static void walk_all(struct kernel_guess *guess, kernel_visit visit)
{
    for (size_t i = 0; i < clopt_source_function_count(guess->source); i++)
        kernel_walk_nodes(clopt_source_function(guess->source, i)->body, visit, guess);
}

static void find_ndrange(struct kernel_guess *guess)
{
    const struct clopt_node *body = guess->kernel->body;
    read_required_size(guess);
    walk_all(guess, note_local_size);
    kernel_walk_nodes(body, note_guard, guess);
    kernel_walk_nodes(body, note_stride, guess);
    if (!guess->dimensions)
        guess->dimensions = 1;
    for (unsigned d = 0; d < guess->dimensions; d++)
        if (!guess->global[d].known)
            guess->global[d] = invent_size(guess, d);
    for (unsigned d = guess->dimensions; d < 3; d++)
        guess->global[d] = kernel_bound_constant(1);
}

/* Takes in which integers a bound grows with. */
static void note_lengths(struct kernel_guess *guess, const struct kernel_bound *bound)
{
    for (size_t i = 0; i < bound->count && bound->known; i++)
        for (size_t k = 0; k < KERNEL_MOST_FACTORS; k++)
            if (bound->terms[i].sizes[k] < KERNEL_MOST_GUESSES) {
                struct kernel_parameter_guess *size = &guess->parameters[bound->terms[i].sizes[k]];
                size->is_length = size->is_size = true;
            }
}

/* A kernel has some result: where none was seen to be written, all that it may write are. */
static void provide_results(struct kernel_guess *guess)
{
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        if (guess->parameters[i].written)
            return;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        const struct clopt_variable *variable = guess->kernel->parameters[i];
        if (variable->is_pointer && variable->pointee == CLOPT_SPACE_GLOBAL &&
            !variable->points_to_const)
            guess->parameters[i].read = guess->parameters[i].written =
                guess->parameters[i].unclear = true;
    }
}

static void find_lengths(struct kernel_guess *guess)
{
    for (unsigned d = 0; d < guess->dimensions; d++)
        note_lengths(guess, &guess->global[d]);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        note_lengths(guess, &guess->parameters[i].length);
}

enum clopt_status kernel_guess_init(struct kernel_guess *guess, const struct clopt_source *source,
                                    struct clopt_error *error)
{
    *guess = (struct kernel_guess){.source = source, .kernel = clopt_source_kernel(source)};
    size_t count = guess->kernel->parameter_count;
    if (count > KERNEL_MOST_GUESSES)
        return clopt_fail(error, CLOPT_INVALID, "kernel %s: more than %d parameters",
                          guess->kernel->name, KERNEL_MOST_GUESSES);
    guess->flows = calloc(clopt_source_variable_count(source) + 1, sizeof *guess->flows);
    if (!guess->flows)
        return clopt_fail(error, CLOPT_FAILED, "out of memory");
    for (size_t i = 0; i < clopt_source_function_count(source); i++)
        clopt_node_accesses(clopt_source_function(source, i)->body, note_access, guess);
    walk_all(guess, note_node);
    kernel_walk_nodes(guess->kernel->body, note_size, guess);
    for (size_t i = 0; i < count; i++)
        guess->parameters[i].is_small = sounds_small(guess->kernel->parameters[i]->name);
    find_ndrange(guess);
    kernel_walk_nodes(guess->kernel->body, note_buffer, guess);
    kernel_walk_nodes(guess->kernel->body, note_return, guess);
    provide_results(guess);
    find_lengths(guess);
    return CLOPT_OK;
}

void kernel_guess_fini(struct kernel_guess *guess)
{
    free(guess->flows);
    guess->flows = NULL;
}
