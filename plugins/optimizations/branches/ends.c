/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that end where a work-item's identity says, as in for (j = 0; j <= i; j++), are split where
 * the group's first work-item ends: up to there all do the same, and can share what they read. The
 * rest each does as before (index set splitting), so that nothing is read or added otherwise. So
 * are loops that begin with if (j > i) break; or continue;, after which they do nothing more. */
#include <clopt/loop.h>

#include "branches.h"

struct end {
    const struct clopt_node *loop;
    struct clopt_trip trip;
    const struct clopt_node *identity; /* in the bound, or it itself, */
    int64_t more;                      /* to which that adds this, */
    const struct clopt_node *limit;    /* where it is at most this, or NULL */
    const struct clopt_node *leave;    /* the branch that ends the loop, or NULL, */
    int64_t passed;                    /* where it and this are at most the bound */
    unsigned dimension;
};

static bool is_int(const struct clopt_node *node)
{
    return node->bits == 32 && node->is_signed;
}

/* Finds the identity in min(i, n - 1), as guards of stores leave it. */
static void read_limit(struct end *end)
{
    const struct clopt_node *node = clopt_node_bare(end->identity), *value;
    while ((value = node_value(node)))
        node = clopt_node_bare(value);
    if (node->kind != CLOPT_NODE_CALL || node->callee || strcmp(node->name, "min") != 0 ||
        !is_int(node) || !node_is_fixed(node->children[1]) || !is_int(node->children[1]))
        return;
    end->identity = node->children[0];
    end->limit = node->children[1];
}

/* Reads a bound that is an identity, or one and a number. */
static bool read_bound(struct end *end, const struct clopt_node *bound)
{
    bound = clopt_node_bare(bound);
    bool plus = clopt_node_is_operator(bound, "+"), minus = clopt_node_is_operator(bound, "-");
    end->identity = bound;
    end->limit = NULL;
    end->more = 0;
    if ((plus || minus) && bound->child_count == 2 && bound->children[1]->known) {
        end->more = (plus ? 1 : -1) * bound->children[1]->value;
        end->identity = bound->children[0];
    }
    read_limit(end);
    end->dimension = clopt_node_identity(end->identity, 32);
    return end->dimension < 3 && is_int(bound) && llabs(end->more) < INT16_MAX;
}

/* Reads the branch that a loop begins with where it leaves it, or all that is left of it, once its
 * counter has passed an identity. */
static bool read_leave(struct end *end)
{
    const struct clopt_node *body = end->loop->body, *jump;
    const struct clopt_node *leave =
        body->kind == CLOPT_NODE_COMPOUND && body->child_count > 1 ? body->children[0] : body;
    if (leave->kind != CLOPT_NODE_IF || leave->otherwise || leave == body || end->trip.inclusive ||
        !is_int(end->trip.bound) || !node_is_fixed(end->trip.bound))
        return false;
    jump = leave->body;
    if (jump->kind == CLOPT_NODE_COMPOUND && jump->child_count == 1)
        jump = jump->children[0];
    const struct clopt_node *condition = clopt_node_bare(leave->condition);
    bool greater =
        clopt_node_is_operator(condition, ">") || clopt_node_is_operator(condition, ">=");
    bool less = clopt_node_is_operator(condition, "<") || clopt_node_is_operator(condition, "<=");
    if ((jump->kind != CLOPT_NODE_BREAK && jump->kind != CLOPT_NODE_CONTINUE) ||
        condition->kind != CLOPT_NODE_BINARY || (!greater && !less) ||
        clopt_node_bare(condition->children[less])->variable != end->trip.counter ||
        !read_bound(end, condition->children[greater]))
        return false;
    end->passed = end->more;
    end->more = 0;
    end->leave = leave;
    return true;
}

static bool ends_it(const struct clopt_node *node, const void *loop)
{
    return node->kind == CLOPT_NODE_BREAK && clopt_node_target(node) == loop;
}

/* Whether a loop is left by a break, but for the branch that it begins with. */
static bool is_left(const struct end *end)
{
    const struct clopt_node *body = end->loop->body;
    if (!end->leave)
        return clopt_node_search(body, ends_it, end->loop);
    for (size_t i = 1; i < body->child_count; i++)
        if (clopt_node_search(body->children[i], ends_it, end->loop))
            return true;
    return false;
}

static bool find_end(const struct clopt_node *loop, struct end *end)
{
    const unsigned forbidden = CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO;
    *end = (struct end){.loop = loop};
    return loop->kind == CLOPT_NODE_FOR && clopt_trip_find(loop, NULL, &end->trip) &&
           end->trip.declared && end->trip.first && loop->init->child_count == 1 &&
           end->trip.step == 1 && !end->trip.unequal && end->trip.counter->bits == 32 &&
           end->trip.counter->is_signed && is_int(end->trip.first) &&
           !(clopt_node_effects(loop) & forbidden) &&
           (read_leave(end) || read_bound(end, end->trip.bound)) && !is_left(end);
}

/* Lets a clone of the loop end where the group's first work-item is, or would be at its end. */
static struct clopt_node *form_condition(void *user, const struct clopt_node *node)
{
    struct clopt_node **forms = user;
    return node == forms[0] ? forms[1] : NULL;
}

/* Puts the loop that all do alike in front of the rest. */
static void split(struct clopt_source *source, const struct end *end)
{
    struct clopt_node *loop = (struct clopt_node *)end->loop;
    struct clopt_node *value = (struct clopt_node *)end->trip.first;
    struct clopt_variable *first = clopt_variable_make(source, "const int", "", "first_item");
    struct clopt_node *begin = clopt_build(source, loop, "$v + $l", first, end->more);
    struct clopt_node *forms[] = {
        loop->condition,
        clopt_build(source, loop, "$v < $v + $l", end->trip.counter, first, end->more)};
    const struct clopt_cloning whole = {.source = source},
                               plain = {.source = source, .plain = true},
                               common = {source, forms, form_condition, NULL, true};
    struct clopt_node *item =
        clopt_build(source, loop, "(int)(get_group_id($u) * get_local_size($u))", end->dimension,
                    end->dimension);
    if (end->limit)
        item =
            clopt_build(source, loop, "$s($n, $n)", "min", item, clopt_clone(&plain, end->limit));
    if (end->leave)
        item = clopt_build(source, loop, "$s($n + $l, $n)", "min", item, end->passed,
                           clopt_clone(&plain, end->trip.bound));
    struct clopt_node *declared = clopt_build(source, loop, "$V = $n;", first, item);
    struct clopt_node *alike = clopt_clone(&common, loop);
    if (end->leave)
        clopt_remove(source, alike->body->children[0]);
    bool later =
        !end->limit && !end->leave && end->trip.first_known && end->trip.first_value <= end->more;
    clopt_replace(
        source, value,
        later ? begin
              : clopt_build(source, loop, "$s($n, $n)", "max", clopt_clone(&whole, value), begin));
    clopt_replace_by(source, loop, "{ $n $n $n }", declared, alike, clopt_clone(&whole, loop));
}

static size_t split_all(struct clopt_source *source, struct clopt_node *node)
{
    struct end end;
    if (find_end(node, &end)) {
        split(source, &end);
        return 1;
    }
    size_t count = 0;
    for (size_t i = 0; i < node->child_count; i++)
        if (!clopt_node_is_expression(node->children[i]))
            count += split_all(source, node->children[i]);
    return count;
}

enum clopt_status ends_edit(void *user, struct clopt_source *source, struct clopt_error *error)
{
    (void)user;
    return split_all(source, source->kernel->body)
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INFEASIBLE, "%s: no loop ends at an identity",
                            source->kernel->name);
}
