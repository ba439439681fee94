/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds arrays in local memory, and buffers, whose rows of lanes begin at multiples of a vector's
 * size.
 *
 * What divides integers is found by running over all assignments until nothing changes: a variable
 * holds multiples of what divides everything that is ever assigned to it. Arithmetic of integers
 * that wraps around keeps divisors that are powers of two. For rows of buffers, parameters of the
 * kernel are multiples, too, as few as do: each launch is checked for it. */
#include "code.h"

static unsigned least(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

/* The largest power of two, `most` at most, that divides a number. */
static unsigned divisor(int64_t number, unsigned most)
{
    unsigned found = 1;
    while (found < most && number % (2 * found) == 0)
        found *= 2;
    return found;
}

static unsigned multiple_of(const struct alignment *alignment, const struct clopt_node *node);

/* The same of what is not a sum, a difference or a product. */
static unsigned part_multiple(const struct alignment *alignment, const struct clopt_node *node)
{
    unsigned a, b;
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return alignment->multiples[node->variable->index];
    case CLOPT_NODE_PAREN:
    case CLOPT_NODE_CAST:
        return multiple_of(alignment, node->children[0]);
    case CLOPT_NODE_CALL:
        return !alignment->plan->iterations &&
                       (plan_is_identity(node) || clopt_node_dimension(node, "get_local_size") == 0)
                   ? alignment->width
                   : 1;
    case CLOPT_NODE_UNARY:
        return clopt_node_is_operator(node, "+") ? multiple_of(alignment, node->children[0]) : 1;
    case CLOPT_NODE_BINARY:
        if (!strchr("&|^", *node->op) || node->op[1])
            return 1;
        a = multiple_of(alignment, node->children[0]);
        b = multiple_of(alignment, node->children[1]);
        return (a > b) == (*node->op == '&') ? a : b;
    default:
        return 1;
    }
}

struct reading {
    const struct alignment *alignment;
    unsigned count; /* of symbols: parts that are equal are told apart, too */
};

static bool read_part(void *user, const struct clopt_node *node, struct clopt_affine *form)
{
    struct reading *reading = user;
    *form = clopt_affine_symbol(++reading->count);
    form->terms[0].factor = part_multiple(reading->alignment, node);
    return true;
}

/* The power of two that divides an integer in lane 0. */
static unsigned multiple_of(const struct alignment *alignment, const struct clopt_node *node)
{
    struct reading reading = {.alignment = alignment};
    const struct clopt_affine_reader reader = {.read = read_part, .user = &reading};
    struct clopt_affine form;
    unsigned multiple = alignment->width;
    if (!node->bits || node->scalar == CLOPT_SCALAR_BOOL ||
        !clopt_affine_evaluate(&reader, node, &form))
        return 1;
    for (unsigned i = 0; i < form.count; i++)
        multiple = least(multiple, divisor(form.terms[i].factor, multiple));
    return multiple;
}

/* What a declarator, an assignment, ++ or -- adds to a variable, or makes of it. A loop whose
 * iterations are lanes goes on by so many. */
static unsigned written(const struct alignment *alignment, const struct clopt_node *node)
{
    const struct iteration_facts *iterations = alignment->plan->iterations;
    if (iterations && node == clopt_node_bare(iterations->loop->step))
        return alignment->width;
    if (node->kind == CLOPT_NODE_DECLARATOR)
        return multiple_of(alignment, node->condition);
    bool moves = node->kind == CLOPT_NODE_ASSIGN &&
                 (clopt_node_is_operator(node, "=") || clopt_node_is_operator(node, "+=") ||
                  clopt_node_is_operator(node, "-="));
    return moves ? multiple_of(alignment, node->children[1]) : 1;
}

/* Takes note of a value that a variable gets. */
static bool meet(void *user, const struct clopt_node *node, const struct clopt_variable *variable)
{
    struct alignment *alignment = user;
    unsigned char *held = &alignment->multiples[variable->index];
    unsigned multiple = written(alignment, node);
    if (multiple >= *held)
        return false;
    *held = (unsigned char)multiple;
    return true;
}

/* Whether a variable gets all values from assignments to it. */
static bool is_followed(const struct clopt_variable *variable)
{
    return variable->declarator && variable->space == CLOPT_SPACE_PRIVATE && !variable->is_array &&
           !variable->is_volatile && variable->bits && !(variable->uses & CLOPT_ADDRESS);
}

static void find_multiples(struct alignment *alignment)
{
    const struct clopt_source *source = alignment->plan->source;
    for (size_t i = 0; i < source->variable_count; i++)
        alignment->multiples[i] = alignment->assumed[i] || is_followed(source->variables[i])
                                      ? (unsigned char)alignment->width
                                      : 1;
    while (plan_visit_writes(source->kernel->body, meet, alignment))
        continue;
}

/* Whether the row is that of a buffer which the kernel gets, at a multiple. */
static bool is_of_buffer(const struct alignment *alignment, const struct clopt_access *access,
                         unsigned element_width)
{
    const struct clopt_variable *buffer = access->base;
    return alignment->most && buffer->is_parameter && buffer->is_pointer && !buffer->changed &&
           buffer->function == alignment->plan->source->kernel &&
           buffer->pointee_width == element_width &&
           (buffer->pointee == CLOPT_SPACE_GLOBAL || buffer->pointee == CLOPT_SPACE_CONSTANT) &&
           access->index_count == 1 &&
           multiple_of(alignment, access->indices[0]) >= alignment->width;
}

bool alignment_holds(const struct alignment *alignment, const struct clopt_node *row)
{
    const struct clopt_access access = clopt_access_of(row);
    const struct clopt_variable *array = access.base;
    if (alignment->width <= 1 || !array)
        return false;
    if (!array->is_array || !array->declarator || array->space != CLOPT_SPACE_LOCAL ||
        array->function != alignment->plan->source->kernel)
        return is_of_buffer(alignment, &access, row->width);
    unsigned elements = 1; /* a power of two that divides what one step of a subscript skips */
    for (size_t i = access.index_count; i-- > 0;) {
        unsigned multiple = multiple_of(alignment, access.indices[i]);
        if (multiple * elements < alignment->width)
            return false;
        size_t extent = clopt_variable_extent(array, i);
        if (extent == 0)
            return false;
        elements = least(elements * divisor((int64_t)extent, alignment->width), alignment->width);
    }
    return true;
}

struct clopt_variable *alignment_declare(struct clopt_source *source,
                                         const struct clopt_variable *array, unsigned width)
{
    char attribute[64];
    snprintf(attribute, sizeof attribute, " __attribute__((aligned(%u)))",
             clopt_scalar_bits(array->scalar) / 8 * width);
    return clopt_variable_like(source, array, NULL, attribute);
}

/* ---- the whole ---- */

/* Whether lanes may have a vector for a node as one of their elements: where short vectors are
 * stored, several are one. */
static bool is_element(const struct alignment *alignment, const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_SUBSCRIPT && !node->is_array &&
           node->scalar != CLOPT_SCALAR_NONE &&
           (node->width == 1 || (alignment_is_wide_store(alignment, node->parent) &&
                                 node == node->parent->children[0]));
}

bool alignment_is_wide_store(const struct alignment *alignment, const struct clopt_node *node)
{
    const struct clopt_node *lvalue = node->kind == CLOPT_NODE_ASSIGN ? node->children[0] : NULL;
    return lvalue && clopt_node_is_operator(node, "=") && lvalue->kind == CLOPT_NODE_SUBSCRIPT &&
           lvalue->width > 1 && lvalue->width != 3 && lvalue->scalar != CLOPT_SCALAR_NONE &&
           lvalue->width * alignment->width <= CODE_MOST_LANES && !lvalue->is_volatile &&
           lvalue->space == CLOPT_SPACE_GLOBAL && clopt_access_of(lvalue).base &&
           clopt_access_of(lvalue).base->is_parameter &&
           node->children[1]->scalar == lvalue->scalar && node->children[1]->width == lvalue->width;
}

/* Counts the rows of buffers that are aligned, and marks the arrays whose rows are. Iterations of a
 * loop count those of arrays, too: it may read nothing else. */
static size_t find_rows(struct alignment *alignment, const struct clopt_node *node)
{
    int64_t stride;
    size_t count = 0;
    if (is_element(alignment, node) && plan_address_stride(alignment->plan, node, &stride) &&
        stride >= 1 && stride <= (alignment->most ? alignment->most : 1) &&
        alignment_holds(alignment, node)) {
        const struct clopt_variable *base = clopt_access_of(node).base;
        alignment->arrays[base->index] = base->is_array;
        count += !base->is_array || alignment->plan->iterations;
    }
    for (size_t i = 0; i < node->child_count; i++)
        count += find_rows(alignment, node->children[i]);
    return count;
}

static size_t count_rows(struct alignment *alignment)
{
    const struct clopt_source *source = alignment->plan->source;
    memset(alignment->arrays, 0, source->variable_count * sizeof *alignment->arrays);
    find_multiples(alignment);
    return find_rows(alignment, alignment->plan->scope);
}

/* Finds the parameters that have to be multiples so that rows of buffers are aligned: all of them,
 * without those that make no difference. */
static size_t assume(struct alignment *alignment)
{
    const struct clopt_function *kernel = alignment->plan->source->kernel;
    for (size_t i = 0; i < kernel->parameter_count; i++)
        alignment->assumed[kernel->parameters[i]->index] =
            kernel->parameters[i]->bits && !kernel->parameters[i]->changed;
    size_t count = count_rows(alignment);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        bool *assumed = &alignment->assumed[kernel->parameters[i]->index];
        *assumed = false;
        *assumed = count_rows(alignment) < count;
    }
    return count;
}

enum clopt_status alignment_init(struct alignment *alignment, const struct plan *plan,
                                 unsigned width, int64_t most, struct clopt_error *error)
{
    const struct clopt_source *source = plan->source;
    size_t count = source->variable_count;
    /* A vector of 3 takes the place of 4. */
    *alignment =
        (struct alignment){.plan = plan, .width = width % 2 == 0 ? width : 1, .most = most};
    alignment->multiples = clopt_source_table(source, count, sizeof *alignment->multiples);
    alignment->arrays = clopt_source_table(source, count, sizeof *alignment->arrays);
    alignment->assumed = clopt_source_table(source, count, sizeof *alignment->assumed);
    if (most && !assume(alignment))
        return clopt_source_refuse(source, source->kernel->body, error,
                                   "aligned: no %u neighbouring elements of a buffer%s, of which "
                                   "the first one has a multiple of %u as its number, become a "
                                   "vector",
                                   width, plan->iterations ? " or an array in local memory" : "",
                                   width);
    count_rows(alignment);
    return CLOPT_OK;
}

enum clopt_status alignment_require(const struct alignment *alignment,
                                    struct clopt_ndrange_change *change, struct clopt_error *error)
{
    const struct clopt_function *kernel = alignment->plan->source->kernel;
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        unsigned known = 0;
        while (known < change->multiple_count && change->multiples[known].argument != i)
            known++;
        if (!alignment->assumed[kernel->parameters[i]->index] || known < change->multiple_count)
            continue;
        if (known == CLOPT_MOST_MULTIPLES)
            return clopt_fail(error, CLOPT_INFEASIBLE,
                              "aligned: more than %d arguments would have to be multiples of %u",
                              CLOPT_MOST_MULTIPLES, alignment->width);
        change->multiples[change->multiple_count++] =
            (struct clopt_argument_multiple){.argument = (unsigned)i, .multiple = alignment->width};
    }
    return CLOPT_OK;
}
