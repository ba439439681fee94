/* SPDX-License-Identifier: BSD-3-Clause */
/* Interchange: two loops, one right inside the other, change places.
 *
 * Legal if no turn must wait for one that would then come after it: for no pair of touches of the
 * same memory is the second one in a later turn of the outer and an earlier turn of the inner loop
 * (direction vector (<, >); Kennedy, Allen: Optimizing Compilers for Modern Architectures, 2001,
 * 5.2). What is accumulated in integers may be so in any order. */
#include "interchange.h"

#include <string.h>

#include "private.h"
#include <clopt/loop.h>

struct interchange {
    struct clopt_rewriting *rewriting;
    const struct clopt_node *outer;
    const struct clopt_node *inner;
    struct clopt_trip trips[2];
    bool lonely; /* the reason kept so far is a loop without another one */
};

static enum clopt_status refuse(const struct interchange *interchange,
                                const struct clopt_node *node, const char *reason,
                                struct clopt_error *error)
{
    return clopt_source_refuse(interchange->rewriting->source, node, error, "%s", reason);
}

/* ---- the nest ---- */

/* The loop that is all of a loop's body; NULL where there is more. */
static const struct clopt_node *only_loop(const struct clopt_node *loop)
{
    const struct clopt_node *body = loop->body;
    if (body->kind == CLOPT_NODE_COMPOUND)
        body = body->child_count == 1 ? body->children[0] : NULL;
    return body && clopt_node_is_loop(body) ? body : NULL;
}

static const struct clopt_node *loop_around(const struct clopt_node *loop)
{
    const struct clopt_node *around = loop->parent;
    while (around && !clopt_node_is_loop(around))
        around = around->parent;
    return around;
}

static bool holds_loop(const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++)
        if (clopt_node_repeats(node->children[i]) || holds_loop(node->children[i]))
            return true;
    return false;
}

/* Finds the two loops, the chosen one among them. */
static enum clopt_status find_nest(struct interchange *interchange, const struct clopt_node *chosen,
                                   struct clopt_error *error)
{
    interchange->outer = holds_loop(chosen) ? chosen : loop_around(chosen);
    if (!interchange->outer)
        return refuse(interchange, chosen, "no loop around this one to interchange it with", error);
    interchange->inner = only_loop(interchange->outer);
    if (!interchange->inner)
        return refuse(interchange, interchange->outer,
                      "the loop holds more than one loop alone, so they cannot be interchanged",
                      error);
    if (interchange->outer->parent->kind == CLOPT_NODE_ATTRIBUTED)
        return refuse(interchange, interchange->outer,
                      "the loop has a pragma or attribute, so it cannot be interchanged", error);
    return CLOPT_OK;
}

/* Finds a division that might be by 0 where it was not executed before. */
static bool divides(const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_BINARY && strchr("/%", node->operator[0]) &&
        !(node->children[1]->known && node->children[1]->value))
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (divides(node->children[i]))
            return true;
    return false;
}

/* The heads must mean the same in each other's place. */
static enum clopt_status check_heads(struct interchange *interchange, struct clopt_error *error)
{
    const struct clopt_trip *trips = interchange->trips;
    const struct clopt_node *outer = interchange->outer;
    if (!clopt_loop_keeps(outer, trips[1].first) || !clopt_loop_keeps(outer, trips[1].bound) ||
        !clopt_loop_keeps(outer, trips[0].first))
        return refuse(interchange, interchange->inner,
                      "where a loop starts or ends depends on the other one, so they cannot be "
                      "interchanged",
                      error);
    if (divides(trips[1].first) || divides(trips[1].bound))
        return refuse(interchange, interchange->inner,
                      "a division in the loop's head might come to be by 0", error);
    for (unsigned i = 0; i < 2; i++)
        if (!trips[i].declared && !clopt_loop_ends_variable(outer, trips[i].counter))
            return clopt_source_refuse(
                interchange->rewriting->source, outer, error,
                "%s is used behind the loops, so they cannot be interchanged",
                trips[i].counter->name);
    return CLOPT_OK;
}

/* ---- private variables ---- */

struct carrying {
    const struct interchange *interchange;
    enum clopt_status status;
    struct clopt_error *error;
};

static bool is_integer(const struct clopt_variable *variable)
{
    return variable->bits ||
           (!variable->is_record && !variable->is_pointer && !strstr(variable->type, "float") &&
            !strstr(variable->type, "double") && !strstr(variable->type, "half"));
}

static void check_variable(void *user, const struct clopt_node *node,
                           struct clopt_variable *variable, unsigned access)
{
    struct carrying *carrying = user;
    const struct interchange *interchange = carrying->interchange;
    const struct clopt_source *source = interchange->rewriting->source;
    const char *operator= NULL;
    bool counter =
        variable == interchange->trips[0].counter || variable == interchange->trips[1].counter;
    if (carrying->status || counter || !(access & (CLOPT_WRITE | CLOPT_ADDRESS)))
        return;
    enum clopt_carry carry = clopt_loop_carry(interchange->inner, variable, &operator);
    if (access & CLOPT_ADDRESS || carry == CLOPT_CARRY_VALUE)
        carrying->status = clopt_source_refuse(
            source, node, carrying->error,
            "%s goes from turn to turn, so the loops cannot be interchanged", variable->name);
    else if (carry == CLOPT_CARRY_RESULT && !is_integer(variable))
        carrying->status = clopt_source_refuse(
            source, node, carrying->error,
            "%s would be accumulated in another order, which changes floating-point results",
            variable->name);
}

/* ---- memory ---- */

static enum clopt_status check_spots(const struct interchange *interchange,
                                     const struct clopt_spots *spots, struct clopt_error *error)
{
    static const struct clopt_distance crossing[2] = {{1, CLOPT_MANY_TURNS},
                                                      {-CLOPT_MANY_TURNS, -1}};
    struct clopt_nest nest = {2,
                              {interchange->outer, interchange->inner},
                              {&interchange->trips[0], &interchange->trips[1]}};
    for (size_t i = 0; i < spots->count; i++)
        for (size_t j = 0; j < spots->count; j++) {
            const struct clopt_spot *a = &spots->items[i];
            const struct clopt_spot *b = &spots->items[j];
            if (private_is_inside(interchange->inner->body, a->root) ||
                !clopt_spots_meet(&nest, a, b, crossing))
                continue;
            const struct clopt_source *source = interchange->rewriting->source;
            return clopt_source_refuse(
                source, a->node, error,
                "%s may be touched again in line %u by a turn that would come first, so the loops "
                "cannot be interchanged",
                a->root ? a->root->name : "memory", clopt_source_line(source, b->node));
        }
    return CLOPT_OK;
}

static enum clopt_status check_order(struct interchange *interchange, struct clopt_error *error)
{
    struct carrying carrying = {interchange, CLOPT_OK, error};
    struct clopt_spots spots = {0};
    private_visit(interchange->inner->body, check_variable, &carrying);
    enum clopt_status status = carrying.status;
    if (!status)
        status = clopt_spots_add(&spots, interchange->inner->body, error);
    if (!status)
        status = check_spots(interchange, &spots, error);
    clopt_spots_fini(&spots);
    return status;
}

static enum clopt_status plan(struct interchange *interchange, const struct clopt_node *chosen,
                              struct clopt_error *error)
{
    const struct clopt_source *source = interchange->rewriting->source;
    enum clopt_status status = find_nest(interchange, chosen, error);
    const struct clopt_node *loops[2] = {interchange->outer, interchange->inner};
    for (unsigned i = 0; i < 2 && !status; i++) {
        bool counts = clopt_trip_find(loops[i], NULL, &interchange->trips[i]);
        status = clopt_loop_check_order(source, loops[i], &interchange->trips[i], counts,
                                        "interchanged", error);
    }
    if (!status)
        status = check_heads(interchange, error);
    return status ? status : check_order(interchange, error);
}

/* ---- printing ---- */

/* Puts a loop's head in front of another body. */
static void put_head(struct clopt_rewriting *rewriting, const struct clopt_node *loop,
                     const struct clopt_node *body)
{
    const char *text = clopt_source_text(rewriting->source);
    size_t end = loop->body->begin;
    while (strchr(" \t\r\n", text[end - 1]))
        end--;
    clopt_output_copy(rewriting->output, rewriting->source, loop->begin, end);
    clopt_output_put(rewriting->output, body->kind == CLOPT_NODE_COMPOUND ? " " : "\n");
}

static void put_swapped(struct interchange *interchange)
{
    struct clopt_rewriting *rewriting = interchange->rewriting;
    const struct clopt_node *outer = interchange->outer;
    const struct clopt_node *inner = interchange->inner;
    put_head(rewriting, inner, outer->body);
    clopt_output_copy(rewriting->output, rewriting->source, outer->body->begin, inner->begin);
    put_head(rewriting, outer, inner->body);
    clopt_print(&rewriting->printer, rewriting->output, inner->body);
    if (outer->body != inner)
        clopt_output_copy(rewriting->output, rewriting->source, inner->stop, outer->body->end);
}

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct interchange *interchange = user;
    struct clopt_rewriting *rewriting = interchange->rewriting;
    (void)output;
    if (rewriting->status)
        return true;
    if (!clopt_node_is_loop(node))
        return false;
    /* The choice of the inner loop is that of the nest. */
    const struct clopt_node *inner = only_loop(node);
    const struct clopt_node *chosen = node;
    if (rewriting->factors[node->index] < 0 && inner && !holds_loop(inner))
        chosen = inner;
    if (rewriting->factors[chosen->index] < 0)
        return false;
    rewriting->factors[chosen->index] = -1;
    struct clopt_error error = {0};
    enum clopt_status status = plan(interchange, chosen, &error);
    if (!status && interchange->outer != node)
        status = refuse(interchange, node, "the loop around this one has changed places already",
                        &error);
    /* Other reasons say more. */
    if (interchange->lonely && interchange->outer)
        rewriting->first = (struct clopt_error){0};
    interchange->lonely = !rewriting->first.status && !interchange->outer;
    if (!clopt_rewriting_decide(rewriting, status, &error))
        return rewriting->status != CLOPT_OK;
    rewriting->factors[interchange->inner->index] = -1;
    put_swapped(interchange);
    return true;
}

enum clopt_status interchange_apply(struct clopt_transform *transform, const char *loops,
                                    struct clopt_error *error)
{
    struct clopt_rewriting rewriting;
    struct interchange interchange = {.rewriting = &rewriting};
    enum clopt_status status = clopt_rewriting_init(&rewriting, transform, loops, 1, error);
    if (!status) {
        rewriting.printer.user = &interchange;
        rewriting.printer.replace = replace;
        status = clopt_rewriting_finish(&rewriting, transform);
    }
    clopt_rewriting_fini(&rewriting);
    return status;
}
