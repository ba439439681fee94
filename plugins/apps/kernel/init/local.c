/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds out what arrays in local memory say of local sizes. */
#include "guess.h"

#define MOST_GROUP 1024 /* work-items that any device takes */

/* A local identity that several numbers make up: (l2 * b + l1) * a + l0. */
struct digits {
    unsigned dimensions[3]; /* the lowest first */
    uint64_t bases[3];      /* that the digit above is multiplied with; not of the highest */
    unsigned count;
};

static unsigned local_of(const struct clopt_node *node)
{
    node = kernel_resolve(node);
    return node ? clopt_node_dimension(node, "get_local_id") : 3;
}

/* Finds x and a in x * a, where a is a number. */
static const struct clopt_node *split_product(const struct clopt_node *node, uint64_t *base)
{
    node = kernel_resolve(node);
    for (int side = 0; side < 2 && node && kernel_is_binary(node, "*"); side++) {
        const struct clopt_node *factor = kernel_resolve(node->children[side]);
        if (factor->known && factor->value > 0) {
            *base = (uint64_t)factor->value;
            return node->children[!side];
        }
    }
    return NULL;
}

/* Reads digits; false where an expression is anything else. */
static bool read_digits(const struct clopt_node *node, struct digits *digits)
{
    if (digits->count == 3)
        return false;
    node = kernel_resolve(node);
    unsigned *lowest = &digits->dimensions[digits->count];
    *lowest = local_of(node);
    if (*lowest < 3) {
        digits->count++;
        return true;
    }
    for (int side = 0; side < 2 && node && kernel_is_binary(node, "+"); side++) {
        const struct clopt_node *rest =
            split_product(node->children[!side], &digits->bases[digits->count]);
        *lowest = local_of(node->children[side]);
        if (!rest || *lowest == 3)
            continue;
        digits->count++;
        return read_digits(rest, digits);
    }
    return false;
}

/* Reads the extents of an array from its type, such as float[16][17]. */
static unsigned read_extents(const char *type, uint64_t extents[3])
{
    unsigned count = 0;
    for (const char *at = strchr(type, '['); at && count < 3; at = strchr(at + 1, '['))
        extents[count++] = strtoull(at + 1, NULL, 10);
    return count;
}

/* The highest digit has what is left of the array, and the others no more than there is. */
static void take_digits(struct kernel_guess *guess, const struct digits *digits, uint64_t room)
{
    for (unsigned i = 0; i < digits->count; i++) {
        uint64_t *local = &guess->local[digits->dimensions[i]];
        uint64_t base = i + 1 < digits->count ? digits->bases[i] : room;
        base = base < room ? base : room;
        if (!*local && (digits->count > 1 || base <= MOST_GROUP))
            *local = base ? base : 1;
        room /= base ? base : 1;
    }
}

/* What a subscript of an array in local memory says: t[id] has as many elements as a work-group has
 * work-items; of rows, each dimension has room for so many. */
static void note_subscript(struct kernel_guess *guess, const struct clopt_node *node)
{
    uint64_t extents[3];
    struct digits digits = {.count = 0};
    unsigned level = 0;
    const struct clopt_node *array = node;
    for (; array->kind == CLOPT_NODE_SUBSCRIPT; array = kernel_plain(array->children[0]))
        level++;
    const struct clopt_variable *variable =
        array->kind == CLOPT_NODE_VARIABLE ? array->variable : NULL;
    if (!level || !variable || !variable->is_array || variable->space != CLOPT_SPACE_LOCAL)
        return;
    unsigned count = read_extents(variable->type, extents);
    unsigned d = level <= count ? local_of(node->children[1]) : 3;
    if (count == 1 && level == 1 && read_digits(node->children[1], &digits))
        take_digits(guess, &digits, extents[0]);
    else if (d < 3 && extents[level - 1] &&
             (!guess->most_local[d] || guess->most_local[d] > extents[level - 1]))
        guess->most_local[d] = extents[level - 1];
}

void kernel_guess_local(struct kernel_guess *guess)
{
    kernel_walk_all(guess, note_subscript);
}
