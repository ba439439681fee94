/* SPDX-License-Identifier: BSD-3-Clause */
/* Guesses from a kernel's source what its arguments are for. */
#include "guess.h"

#include <ctype.h>

/* ---- what is asked for ---- */

/* Returns the buffer of which a node, or what it stands for, is an element; -1: none. */
static int element_of(const struct kernel_guess *guess, const struct clopt_node *node)
{
    node = kernel_resolve(node);
    const struct clopt_node *array =
        node && node->kind == CLOPT_NODE_SUBSCRIPT ? kernel_plain(node->children[0]) : NULL;
    for (size_t i = 0; array && i < guess->kernel->parameter_count; i++)
        if (guess->kernel->parameters[i] == array->variable)
            return (int)i;
    return -1;
}

/* for (i = p[row]; i < p[row + 1]; ...): offsets. */
static void note_offsets(struct kernel_guess *guess, const struct clopt_node *condition)
{
    const struct clopt_node *counter = kernel_plain(condition->children[0]);
    const struct clopt_node *first = counter->variable ? counter->variable->value : NULL;
    int last = element_of(guess, condition->children[1]);
    for (const struct clopt_node *at = first; last >= 0 && at; at = clopt_node_next(at, first))
        if (element_of(guess, at) == last)
            guess->parameters[last].is_offsets = true;
}

/* Notes what loops count up to, and that they end by sizes. */
static void note_loop(struct kernel_guess *guess, const struct clopt_node *loop)
{
    const struct clopt_node *condition = kernel_plain(loop->condition);
    for (const struct clopt_node *at = condition; at; at = clopt_node_next(at, condition)) {
        int parameter = kernel_size_parameter(guess, at);
        if (parameter >= 0 && at->parent->kind == CLOPT_NODE_BINARY)
            guess->parameters[parameter].is_size = true;
    }
    if (condition && kernel_is_binary(condition, "<"))
        note_offsets(guess, condition);
    if (!kernel_counts(loop) || !condition || !kernel_is_binary(condition, "<"))
        return;
    int limit = kernel_size_parameter(guess, condition->children[1]);
    if (limit >= 0)
        guess->parameters[limit].limits_loop = true;
}

bool kernel_is_written_image(const struct clopt_variable *parameter)
{
    return strstr(parameter->type, "image") &&
           (strstr(parameter->type, "write_only") || strstr(parameter->type, "read_write"));
}

/* Notes by which function an image is read or written: OpenCL defines no other one for its
 * channels.
 */
static void note_image(struct kernel_guess *guess, const struct clopt_node *node)
{
    static const char *const channels[][2] = {
        {"ui", "uint4"}, {"i", "int4"}, {"f", "float4"}, {"h", "half4"}};
    const char *name = node->kind == CLOPT_NODE_CALL && node->name ? node->name : "";
    const char *kind = strncmp(name, "read_image", 10) == 0    ? name + 10
                       : strncmp(name, "write_image", 11) == 0 ? name + 11
                                                               : "";
    const struct clopt_node *image = *kind ? kernel_plain(node->children[0]) : NULL;
    for (size_t i = 0; image && i < guess->kernel->parameter_count; i++)
        for (size_t c = 0; c < sizeof channels / sizeof *channels; c++)
            if (image->variable == guess->kernel->parameters[i] &&
                strcmp(kind, channels[c][0]) == 0)
                guess->parameters[i].channels = channels[c][1];
}

/* Notes an integer of a structure that nothing changes. */
static void note_member(struct kernel_guess *guess, const struct clopt_node *node)
{
    const struct clopt_variable *variable =
        node->kind == CLOPT_NODE_MEMBER ? kernel_structure(node) : NULL;
    if (!variable || !variable->is_parameter || kernel_size_parameter(guess, node) >= 0 ||
        (variable->is_pointer
             ? variable->pointee != CLOPT_SPACE_CONSTANT && !variable->points_to_const
             : variable->changed))
        return;
    for (size_t i = 0; i < variable->field_count && guess->count < KERNEL_MOST_GUESSES; i++) {
        const struct clopt_member *field = &variable->fields[i];
        if (strcmp(field->name, node->name) == 0 && !field->count && field->width == 1 &&
            clopt_scalar_is_integer(field->scalar))
            guess->fields[guess->count++] = (struct kernel_field){variable, field};
    }
}

/* i & (n - 1): n is a power of two, such as those that lists of small values begin with. */
static void note_mask(struct kernel_guess *guess, const struct clopt_node *node)
{
    for (int side = 0; side < 2 && kernel_is_binary(node, "&"); side++) {
        const struct clopt_node *mask = kernel_plain(node->children[side]);
        int parameter = kernel_is_binary(mask, "-") && kernel_plain(mask->children[1])->known
                            ? kernel_size_parameter(guess, mask->children[0])
                            : -1;
        if (parameter >= 0)
            guess->parameters[parameter].role = KERNEL_SMALL;
    }
}

static void note_node(struct kernel_guess *guess, const struct clopt_node *node)
{
    static const struct {
        const char *name;
        unsigned bit;
        bool of_groups;
    } queries[] = {
        {"get_global_id", KERNEL_GLOBAL_ID, false}, {"get_global_size", KERNEL_GLOBAL_ID, true},
        {"get_local_id", KERNEL_LOCAL_ID, true},    {"get_local_size", KERNEL_LOCAL_ID, true},
        {"get_group_id", KERNEL_GROUP_ID, true},    {"get_num_groups", KERNEL_GROUP_ID, true},
    };
    if (clopt_node_is_loop(node))
        note_loop(guess, node);
    note_image(guess, node);
    note_mask(guess, node);
    note_member(guess, node);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        guess->parameters[i].is_used |=
            node->kind == CLOPT_NODE_VARIABLE && node->variable == guess->kernel->parameters[i];
    for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
        unsigned dimension = clopt_node_dimension(node, queries[i].name);
        if (dimension == 3)
            continue;
        guess->queries[dimension] |= queries[i].bit;
        guess->uses_groups |= queries[i].of_groups;
        if (dimension >= guess->dimensions)
            guess->dimensions = dimension + 1;
    }
    if (clopt_node_find_effect(node, CLOPT_EFFECT_COLLECTIVE) == node)
        guess->uses_groups = true;
}

/* ---- sizes, by their use and by their names ---- */

/* Whether a name has one of some words in it, or is one of them. */
static bool sounds_like(const char *name, const char *const *words, bool whole)
{
    char lower[64];
    size_t length = 0;
    for (; name[length] && length + 1 < sizeof lower; length++)
        lower[length] = (char)tolower((unsigned char)name[length]);
    lower[length] = '\0';
    for (; *words; words++)
        if (whole ? strcmp(lower, *words) == 0 : strstr(lower, *words) != NULL)
            return true;
    return false;
}

static enum kernel_role role_of(const char *name, bool limits_loop)
{
    static const char *const small[] = {"radius", "filter", "mask",  "window", "iter",  "step",
                                        "taps",   "order",  "bins",  "degree", "depth", "align",
                                        "factor", "padd",   "dilat", NULL};
    static const char *const block[] = {"block", "tile", NULL};
    static const char *const many[] = {"num", "count", "blocks", "tiles", "per", NULL};
    static const char *const offset[] = {"offset", "start", "begin", "base", NULL};
    static const char *const short_offset[] = {"off", "ofs", NULL};
    static const char *const short_small[] = {"rad", "r", "pad", "scale", "ksize", NULL};
    static const char *const filters[] = {"filters", NULL};
    static const char *const index[] = {"i",   "j",   "k",     "t",     "it",   "id",    "row",
                                        "col", "idx", "index", "pivot", "pass", "stage", NULL};
    if (sounds_like(name, block, false) && !sounds_like(name, many, false))
        return KERNEL_BLOCK;
    if (sounds_like(name, index, true) && !limits_loop)
        return KERNEL_INDEX;
    return sounds_like(name, offset, false) || sounds_like(name, short_offset, true) ? KERNEL_OFFSET
           : sounds_like(name, filters, false)                                       ? KERNEL_ANY
           : sounds_like(name, small, false) || sounds_like(name, short_small, true) ? KERNEL_SMALL
                                                                                     : KERNEL_ANY;
}

/* Returns n of n - 1, which is a size as n is. */
static const struct clopt_node *without_border(const struct clopt_node *node)
{
    node = kernel_plain(node);
    bool sum = node->kind == CLOPT_NODE_BINARY && strchr("+-", node->op[0]);
    return sum && kernel_plain(node->children[1])->known ? kernel_plain(node->children[0]) : node;
}

/* What is compared with, multiplies or limits something is a size. */
static void note_size(struct kernel_guess *guess, const struct clopt_node *node)
{
    bool limits = node->kind == CLOPT_NODE_CALL && node->name &&
                  (strcmp(node->name, "min") == 0 || strcmp(node->name, "clamp") == 0);
    bool counts = node->kind == CLOPT_NODE_BINARY && strchr("<>*/%", node->op[0]) &&
                  node->op[1] != node->op[0] && node->width <= 1; /* pixels are compared, too */
    for (size_t side = 0; (limits || counts) && side < node->child_count; side++) {
        int parameter = kernel_size_parameter(guess, without_border(node->children[side]));
        if (parameter >= 0)
            guess->parameters[parameter].is_size = true;
    }
}

/* What a pointer is moved by that is cast to one to bytes is 0, or a multiple of what its elements
 * take. */
static void note_bytes(struct kernel_guess *guess, const struct clopt_node *node)
{
    for (size_t side = 0; side < 2 && kernel_is_binary(node, "+"); side++) {
        const struct clopt_node *address = clopt_node_bare(node->children[side]);
        int parameter = kernel_size_parameter(guess, node->children[1 - side]);
        if (parameter < 0 || address->kind != CLOPT_NODE_CAST || !address->is_pointer ||
            !strstr(address->name, "char"))
            continue;
        guess->parameters[parameter].is_bytes = true;
        guess->parameters[parameter].role = KERNEL_OFFSET;
    }
}

/* Whether a name is a word, a tensor's number and a dimension's, as ggml has them: ne01. */
static bool read_tensor_name(const char *name, const char *word, char *tensor, unsigned *dimension)
{
    size_t length = strlen(name), begin = strlen(word);
    if (strncmp(name, word, begin) != 0 || length < begin + 1 || length > begin + 2 ||
        strspn(name + begin, "0123456789") != length - begin)
        return false;
    *tensor = length == begin + 2 ? name[begin] : ' ';
    *dimension = (unsigned)(name[length - 1] - '0');
    return true;
}

#define ELEMENT_BYTES 4 /* of a tensor */

struct kernel_bound kernel_stride(const struct kernel_guess *guess, size_t parameter)
{
    char tensor, other;
    unsigned dimension, inner;
    struct kernel_bound stride = kernel_bound_constant(ELEMENT_BYTES);
    const struct clopt_function *kernel = guess->kernel;
    bool own = false; /* otherwise the first tensor's have to do */
    if (parameter >= kernel->parameter_count ||
        !read_tensor_name(kernel->parameters[parameter]->name, "nb", &tensor, &dimension))
        return (struct kernel_bound){.known = false};
    for (unsigned i = 0; i < kernel->parameter_count; i++)
        own |=
            read_tensor_name(kernel->parameters[i]->name, "ne", &other, &inner) && other == tensor;
    for (unsigned i = 0; i < kernel->parameter_count; i++)
        if (read_tensor_name(kernel->parameters[i]->name, "ne", &other, &inner) &&
            other == (own ? tensor : '0') && inner < dimension)
            stride = kernel_bound_multiply(stride, kernel_bound_size(KERNEL_PARAMETER + i));
    return stride;
}

/* What integers are, by their names, where their use does not say it. */
static void find_roles(struct kernel_guess *guess)
{
    for (size_t i = 0; i < guess->count; i++) {
        struct kernel_parameter_guess *parameter = &guess->parameters[i];
        const char *name = i < guess->kernel->parameter_count ? guess->kernel->parameters[i]->name
                                                              : guess->fields[i].member->name;
        struct kernel_bound stride = kernel_stride(guess, i);
        if (stride.known)
            *parameter = (struct kernel_parameter_guess){.role = KERNEL_STRIDE};
        else if (!parameter->role)
            parameter->role = role_of(name, parameter->limits_loop);
        for (unsigned k = 0; k < guess->count && stride.known; k++)
            guess->parameters[k].is_size |= kernel_bound_has(&stride, KERNEL_PARAMETER + k);
    }
}

/* ---- the whole ---- */

/* Takes in which integers a bound grows with. */
static void note_lengths(struct kernel_guess *guess, const struct kernel_bound *bound)
{
    for (unsigned i = 0; i < guess->count; i++)
        if (kernel_bound_has(bound, KERNEL_PARAMETER + i))
            guess->parameters[i].is_length = guess->parameters[i].is_size = true;
}

/* A kernel has some result: where none was seen to be written, all that it may write are. */
static void provide_results(struct kernel_guess *guess)
{
    bool any = false;
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        any |= guess->parameters[i].written &&
               guess->kernel->parameters[i]->pointee != CLOPT_SPACE_LOCAL;
    for (size_t i = 0; i < guess->kernel->parameter_count && !any; i++) {
        const struct clopt_variable *variable = guess->kernel->parameters[i];
        if (variable->is_pointer && variable->pointee == CLOPT_SPACE_GLOBAL &&
            !variable->points_to_const)
            guess->parameters[i].read = guess->parameters[i].written =
                guess->parameters[i].unclear = true;
    }
}

struct kernel_bound kernel_guess_items(const struct kernel_guess *guess)
{
    struct kernel_bound items = kernel_bound_constant(1);
    for (unsigned d = 0; d < guess->dimensions; d++)
        items = kernel_bound_multiply(items, guess->global[d]);
    return items;
}

bool kernel_guess_rows(const struct kernel_parameter_guess *chooser)
{
    int64_t number;
    return chooser->stride.known &&
           !(kernel_bound_is_number(&chooser->stride, &number) && number <= 1);
}

bool kernel_guess_scatters(const struct kernel_guess *guess,
                           const struct kernel_parameter_guess *chooser)
{
    const struct kernel_parameter_guess *chosen = &guess->parameters[chooser->indexes - 1];
    bool global = guess->kernel->parameters[chooser->indexes - 1]->pointee == CLOPT_SPACE_GLOBAL;
    return kernel_guess_rows(chooser) && chosen->written && !chosen->counts && global &&
           chooser->length.known;
}

/* What chooses elements of a buffer may choose as many as there are work-items, where nothing else
 * says how long that is. */
static void provide_choices(struct kernel_guess *guess)
{
    for (size_t i = 0; i < guess->kernel->parameter_count; i++) {
        struct kernel_bound items = kernel_guess_items(guess);
        const struct kernel_parameter_guess *chooser = &guess->parameters[i];
        if (!chooser->indexes || !chooser->beside.known)
            continue;
        struct kernel_parameter_guess *chosen = &guess->parameters[chooser->indexes - 1];
        if (chooser->is_offsets)
            items = kernel_bound_multiply(items, kernel_bound_constant(KERNEL_ROW_ELEMENTS));
        else if (kernel_guess_scatters(guess, chooser))
            items = kernel_bound_multiply(chooser->stride, chooser->length);
        else if (kernel_guess_rows(chooser))
            items = kernel_bound_multiply(chooser->stride, kernel_bound_constant(KERNEL_ROWS));
        if (!chosen->length.known || !kernel_bound_covers(chosen->length, chooser->beside))
            chosen->length = kernel_bound_plus(kernel_bound_add(chooser->beside, items, 1), -1);
    }
}

static void find_lengths(struct kernel_guess *guess)
{
    provide_choices(guess);
    for (unsigned d = 0; d < guess->dimensions; d++)
        note_lengths(guess, &guess->global[d]);
    for (size_t i = 0; i < guess->kernel->parameter_count; i++)
        note_lengths(guess, &guess->parameters[i].length);
}

enum clopt_status kernel_guess_init(struct kernel_guess *guess, const struct clopt_source *source,
                                    const struct clopt_outline *outline, struct clopt_error *error)
{
    *guess = (struct kernel_guess){.source = source, .kernel = source->kernel};
    size_t count = guess->kernel->parameter_count;
    if (count > KERNEL_MOST_GUESSES)
        return clopt_fail(error, CLOPT_INVALID, "kernel %s: more than %d parameters",
                          guess->kernel->name, KERNEL_MOST_GUESSES);
    guess->count = count;
    kernel_walk_all(guess, note_node);
    kernel_walk_nodes(guess, guess->kernel->body, note_size);
    find_roles(guess);
    kernel_walk_nodes(guess, guess->kernel->body, note_bytes);
    kernel_guess_ndrange(guess, outline);
    kernel_guess_buffers(guess);
    provide_results(guess);
    find_lengths(guess);
    return CLOPT_OK;
}
