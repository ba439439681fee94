/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops that ask once whether they come near a border: conditions that compare an index with a
 * bound hold for all iterations where they hold for those at either end, and min, max and clamp
 * return the index there, as does % of a sum, so that a loop without them is there for work-items
 * inside, and the loop as it was for the others. A kernel without such loops has two versions of
 * what follows the first such limit. */
#include "borders.h"

/* ---- conditions ---- */

bool border_stays(const struct borders *borders, const struct clopt_node *node)
{
    return borders->columns && clopt_node_diverges(borders->columns, node);
}

bool border_read_margin(struct borders *borders, const struct clopt_node *node, bool holds,
                        struct clopt_affine *margin)
{
    struct clopt_affine less;
    if (node->kind != CLOPT_NODE_BINARY || !strchr("<>", *node->op) || node->op[1] == *node->op)
        return false;
    const struct clopt_node *a = node->children[0], *b = node->children[1];
    if (!a->is_signed || !b->is_signed || a->bits < 32 || b->bits < 32)
        return false;
    bool swaps = (*node->op == '>') == holds;
    bool strict = (node->op[1] != '=') == holds;
    const struct clopt_affine one = clopt_affine_constant(1);
    return border_read(borders, swaps ? a : b, margin) &&
           border_read(borders, swaps ? b : a, &less) && clopt_affine_add(margin, &less, -1) &&
           (!strict || clopt_affine_add(margin, &one, -1));
}

void border_add_guard(struct borders *borders, struct clopt_node *guard)
{
    borders->parts++;
    for (size_t i = 0; i < borders->guards.count; i++)
        if (clopt_nodes_equal(borders->guards.items[i], guard))
            return;
    clopt_nodes_add(borders->source, &borders->guards, guard);
}

/* Decides one part of a condition for work-items inside. */
static bool decide_part(void *user, const struct clopt_node *node, bool holds)
{
    struct borders *borders = user;
    struct clopt_affine margin;
    int64_t least;
    if (border_stays(borders, node) || !border_read_margin(borders, node, holds, &margin) ||
        !border_find_ends(borders, &margin))
        return true;
    borders->decided[node->index] = holds ? 1 : 2;
    if (clopt_affine_is_constant(&margin, &least)) {
        borders->parts++;
        borders->never |= least < 0;
        return true;
    }
    border_add_guard(borders, clopt_build(borders->source, node, holds ? "$n" : "!$n",
                                          clopt_clone(&borders->ends, node)));
    return true;
}

/* Whether a part of a condition depends on a counter, so that it can be decided. */
static bool is_counted(void *user, const struct clopt_node *node, bool holds)
{
    struct borders *borders = user;
    struct clopt_affine margin;
    borders->counted = false;
    return border_stays(borders, node) ||
           !(border_read_margin(borders, node, holds, &margin) && borders->counted &&
             border_find_ends(borders, &margin)); /* false: it was found */
}

/* The condition of an if or of ?:, of which one side can take the place; NULL: there is none. A
 * number is none: what it is inside says nothing of whether it is 0. */
static const struct clopt_node *condition_of(const struct clopt_node *node)
{
    bool chooses = node->kind == CLOPT_NODE_IF ||
                   (node->kind == CLOPT_NODE_CONDITIONAL && conditional_has_one_type(node));
    return chooses && !border_is_limit(node->children[0], NULL) ? node->children[0] : NULL;
}

/* What is between a value and a bound: 0 or more where min, max or clamp returns the value. */
struct limit {
    const struct clopt_node *lesser;
    const struct clopt_node *greater;
};

/* Returns the guard that a limit holds in all iterations; NULL: it always does, where `holds`
 * becomes true, or that cannot be asked. */
static struct clopt_node *form_limit(struct borders *borders, const struct limit *limit,
                                     bool *holds)
{
    struct clopt_affine margin, less;
    int64_t least;
    *holds = false;
    if (!border_read(borders, limit->greater, &margin) ||
        !border_read(borders, limit->lesser, &less) || !clopt_affine_add(&margin, &less, -1) ||
        !border_find_ends(borders, &margin))
        return NULL;
    if (clopt_affine_is_constant(&margin, &least)) {
        *holds = least >= 0;
        return NULL;
    }
    struct clopt_node *lesser = clopt_clone(&borders->ends, limit->lesser);
    struct clopt_node *greater = clopt_clone(&borders->ends, limit->greater);
    return border_is_outer(borders, limit->lesser)
               ? clopt_build(borders->source, limit->lesser, "$n >= $n", greater, lesser)
               : clopt_build(borders->source, limit->lesser, "$n <= $n", lesser, greater);
}

/* Decides that a call of min, max or clamp returns one of its arguments inside, if a counter is in
 * it, and the others are the same for all work-items; false: it does not. */
static bool decide_argument(struct borders *borders, const struct clopt_node *node, unsigned number)
{
    struct clopt_node *const *arguments = node->children;
    const struct clopt_node *value = arguments[number];
    bool clamps = node->child_count == 3, least = clopt_node_calls(node, "min");
    const struct clopt_node *other = arguments[clamps ? 1 : 1 - number];
    const struct limit limits[] = {{least ? value : other, least ? other : value},
                                   {value, arguments[node->child_count - 1]}};
    struct clopt_node *guards[2] = {NULL};
    struct clopt_affine form;
    borders->counted = false;
    if (!border_read(borders, value, &form) || !borders->counted)
        return false;
    for (size_t i = 0; i < node->child_count; i++)
        if (i != number && clopt_node_diverges(borders->divergence, arguments[i]))
            return false;
    for (int i = 0; i <= clamps; i++) {
        bool holds;
        guards[i] = form_limit(borders, &limits[i], &holds);
        if (!guards[i] && !holds)
            return false;
    }
    borders->decided[node->index] = (unsigned char)(number + 1);
    borders->parts++;
    for (int i = 0; i <= clamps; i++)
        if (guards[i])
            border_add_guard(borders, guards[i]);
    return true;
}

/* Reads by how much what is left of a division is 0 or more, and less than the size, if it is the
 * dividend, or the dividend without the size. */
static bool read_wrap(struct borders *borders, const struct clopt_node *node, bool below,
                      struct clopt_affine margins[2])
{
    const struct clopt_affine one = clopt_affine_constant(1);
    struct clopt_affine size;
    borders->counted = false;
    if (!border_read(borders, node->children[0], &margins[0]) || !borders->counted ||
        !border_read(borders, node->children[1], &size) ||
        (below && !clopt_affine_add(&margins[0], &size, -1)))
        return false;
    margins[1] = size;
    return clopt_affine_add(&margins[1], &margins[0], -1) &&
           clopt_affine_add(&margins[1], &one, -1);
}

/* Decides that what is left of a division by a size, which is the same for all work-items, is the
 * dividend inside, or, as of (x + n - 1) % n, the dividend without the size, if a counter is in it.
 */
static void decide_wrap(struct borders *borders, const struct clopt_node *node)
{
    const struct clopt_node *value = node->children[0], *size = node->children[1];
    struct clopt_source *source = borders->source;
    struct clopt_affine margins[2];
    struct clopt_node *guards[2] = {NULL};
    bool below = border_form_below(&borders->ends, value, size);
    if (!value->is_signed || !size->is_signed || value->bits < 32 || size->bits < 32 ||
        !border_is_outer(borders, size) || clopt_node_diverges(borders->divergence, size) ||
        !read_wrap(borders, node, below, margins))
        return;
    for (int i = 0; i < 2; i++) {
        int64_t least = -1;
        if (!border_find_ends(borders, &margins[i]) ||
            (clopt_affine_is_constant(&margins[i], &least) && least < 0))
            return;
        struct clopt_node *end = below ? border_form_below(&borders->ends, value, size)
                                       : clopt_clone(&borders->ends, clopt_node_bare(value));
        if (least < 0)
            guards[i] =
                i ? clopt_build(source, node, "$n < $n", end, clopt_clone(&borders->ends, size))
                  : clopt_build(source, node, "$n >= 0", end);
    }
    borders->decided[node->index] = below ? 2 : 1;
    borders->parts++;
    for (int i = 0; i < 2; i++)
        if (guards[i])
            border_add_guard(borders, guards[i]);
}

static void decide_limits(struct borders *borders, const struct clopt_node *node)
{
    bool clamps = clopt_node_calls(node, "clamp");
    if (!border_is_limit(node, NULL) || node->width != 1 || border_stays(borders, node))
        return;
    if (node->kind != CLOPT_NODE_CALL) {
        decide_wrap(borders, node);
        return;
    }
    for (size_t i = 0; i < node->child_count; i++)
        if (!node->children[i]->is_signed || node->children[i]->bits < 32)
            return;
    if (!decide_argument(borders, node, 0) && !clamps)
        decide_argument(borders, node, 1);
}

/* Whether a condition says that an iteration is outside: it is left then, or computes nothing from
 * its counter, or more than otherwise. */
static bool is_outside(const struct borders *borders, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_IF)
        return !node->otherwise && clopt_node_leaves(node->body);
    const struct clopt_node *yes = node->children[1], *no = node->children[2];
    while (border_value(borders, no))
        no = border_value(borders, no);
    return !border_is_outer(borders, no) &&
           (border_is_outer(borders, yes) || clopt_node_count(yes) > clopt_node_count(no));
}

/* Decides what an iteration computes first, then what compares it. */
static void decide(struct borders *borders, const struct clopt_node *node)
{
    const struct clopt_node *condition = condition_of(node);
    for (size_t i = 0; i < node->child_count; i++)
        decide(borders, node->children[i]);
    decide_limits(borders, node);
    bool outside = condition && is_outside(borders, node);
    for (int holds = !outside, i = 0; condition && i < 2; holds = !holds, i++)
        if (!clopt_condition_parts(condition, holds, is_counted, borders)) {
            clopt_condition_parts(condition, holds, decide_part, borders);
            borders->decided[condition->index] = holds ? 1 : 2;
            break;
        }
}

/* Returns what is left of a condition inside; NULL: it is decided. */
static struct clopt_node *form_rest(struct borders *borders, const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_PAREN)
        return form_rest(borders, node->children[0]);
    if (clopt_node_is_operator(node, "!")) {
        struct clopt_node *rest = form_rest(borders, node->children[0]);
        return rest ? clopt_build(borders->source, node, "!$n", rest) : NULL;
    }
    if (clopt_node_is_logical(node)) {
        struct clopt_node *left = form_rest(borders, node->children[0]);
        struct clopt_node *right = form_rest(borders, node->children[1]);
        return left && right ? clopt_build(borders->source, node, "$n $s $n", left, node->op, right)
               : left        ? left
                             : right;
    }
    return border_is_decided(borders, node) ? NULL : clopt_clone(&borders->cloning, node);
}

/* Returns an if or ?: as it is inside. */
static struct clopt_node *form_inside(struct borders *borders, const struct clopt_node *node)
{
    struct clopt_source *source = borders->source;
    const struct clopt_cloning *cloning = &borders->cloning;
    const struct clopt_node *condition = node->children[0];
    bool holds = borders->decided[condition->index] == 1;
    const struct clopt_node *side = node->kind == CLOPT_NODE_IF
                                        ? (holds ? node->body : node->otherwise)
                                        : node->children[holds ? 1 : 2];
    struct clopt_node *rest = form_rest(borders, condition);
    if (!rest)
        return branch_form_side(cloning, node, side);
    if (node->kind == CLOPT_NODE_CONDITIONAL)
        return clopt_build(source, node, "$n ? $n : $n", rest,
                           clopt_clone(cloning, node->children[1]),
                           clopt_clone(cloning, node->children[2]));
    struct clopt_node *body = clopt_clone(cloning, node->body);
    return node->otherwise ? clopt_build(source, node, "if ($n) $n else $n", rest, body,
                                         clopt_clone(cloning, node->otherwise))
                           : clopt_build(source, node, "if ($n) $n", rest, body);
}

/* ---- the kernel ---- */

/* Returns a loop near a border as it was, but that it is not to be unrolled, by us or by compilers:
 * few work-items execute it, and it would be as long as the loop inside. */
static struct clopt_node *form_near(void *user, const struct clopt_node *node)
{
    struct borders *borders = user;
    const struct clopt_cloning near = {borders->source, borders, form_near, NULL, true};
    const struct clopt_node *loop = node->kind == CLOPT_NODE_ATTRIBUTED ? node->body : node;
    if (!clopt_node_is_loop(loop) || loop == borders->near)
        return NULL;
    borders->near = loop;
    struct clopt_node *marked = clopt_build(borders->source, node, "#pragma nounroll\n;");
    clopt_replace(borders->source, marked->body, clopt_clone(&near, loop));
    return marked;
}

bool border_changes(const struct clopt_node *statement, const struct clopt_variable *variable)
{
    return variable->space == CLOPT_SPACE_PRIVATE && !clopt_node_declares(statement, variable) &&
           (clopt_node_uses(statement, variable) & CLOPT_WRITE);
}

/* Decides what a nest asks; false: nothing. */
static bool decide_nest(struct borders *borders, const struct clopt_node *nest)
{
    borders->counter_count = borders->symbol_count = 0;
    borders->guards.count = borders->parts = 0;
    borders->never = borders->clamping = false;
    memset(borders->decided, 0, borders->node_count * sizeof *borders->decided);
    if (clopt_node_effects(nest) & (CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO))
        return false;
    border_add_counters(borders, nest);
    decide(borders, nest);
    return borders->parts && !borders->never;
}

/* Returns all guards as one. */
static struct clopt_node *join_guards(const struct borders *borders, const struct clopt_node *at)
{
    struct clopt_node *guard = borders->guards.items[0];
    for (size_t i = 1; i < borders->guards.count; i++)
        guard = clopt_build(borders->source, at, "$n && $n", guard, borders->guards.items[i]);
    return guard;
}

/* Returns what takes the place of a nest whose rows are inside, where columns can be clamped, and
 * else `near`: near a border of columns, work-items do as those next to them. */
static struct clopt_node *form_columns(struct borders *borders, const struct clopt_node *nest,
                                       struct clopt_node *near)
{
    const struct clopt_divergence *columns = borders->columns;
    struct clopt_node *inside = NULL;
    borders->clamping = border_clamp(borders);
    if (!borders->clamping)
        return NULL;
    struct clopt_node *clamped = clopt_clone(&borders->cloning, nest);
    struct clopt_node *guard = join_guards(borders, nest);
    struct clopt_node *made =
        clopt_build(borders->source, nest, "if ($n) { $n } else { $n }", guard, clamped, near);
    borders->columns = NULL;
    if (decide_nest(borders, nest) && borders->guards.count) {
        inside = clopt_clone(&borders->cloning, nest);
        inside->plain = true;
        made = clopt_build(borders->source, nest, "if ($n) { $n } else { $n }",
                           join_guards(borders, nest), inside, made);
    }
    borders->columns = columns;
    return made;
}

/* Returns a nest in two versions, or NULL. Where columns stay, work-items next to each other take
 * the same one, and what is near may be unrolled. */
static struct clopt_node *form_nest(struct borders *borders, const struct clopt_node *nest)
{
    const struct clopt_cloning whole = {.source = borders->source, .plain = true};
    borders->nest = nest;
    struct clopt_node *inside =
        decide_nest(borders, nest) ? clopt_clone(&borders->cloning, nest) : NULL;
    struct clopt_node *guard = inside && borders->guards.count ? join_guards(borders, nest) : NULL;
    struct clopt_node *columns =
        guard && borders->columns ? form_columns(borders, nest, form_near(borders, nest)) : NULL;
    borders->nest = NULL;
    borders->changed += inside != NULL;
    if (columns || !guard)
        return columns ? columns : inside;
    inside->plain = true; /* what is before the nest is before both versions */
    return clopt_build(borders->source, nest, "if ($n) { $n } else { $n }", guard, inside,
                       borders->columns ? clopt_clone(&whole, nest) : form_near(borders, nest));
}

/* Returns the new form of a node of the original; NULL: as it is. */
static struct clopt_node *form(void *user, const struct clopt_node *node)
{
    struct borders *borders = user;
    const struct clopt_node *condition = condition_of(node);
    if (borders->nest && border_is_limit(node, NULL) && borders->decided[node->index])
        return border_form_value(borders, &borders->cloning, node);
    if (borders->nest && borders->clamping && clopt_node_is_loop(node))
        return border_form_clamped(borders, node);
    if (borders->nest)
        return condition && borders->decided[condition->index] ? form_inside(borders, node) : NULL;
    bool marked =
        node->kind == CLOPT_NODE_ATTRIBUTED && node->body && clopt_node_is_loop(node->body);
    return marked || clopt_node_is_loop(node) ? form_nest(borders, node) : NULL;
}

static struct clopt_variable *variable_of(void *user, const struct clopt_variable *variable)
{
    const struct borders *borders = user;
    return borders->copies ? borders->copies[variable->index] : NULL;
}

static void decide_all_limits(struct borders *borders, const struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++)
        decide_all_limits(borders, node->children[i]);
    decide_limits(borders, node);
}

/* Gives a kernel two versions of its statements from the first one on that limits an index. */
static void edit_rest(struct borders *borders)
{
    struct clopt_source *source = borders->source;
    struct clopt_node *body = source->kernel->body;
    const struct clopt_cloning whole = {.source = source, .plain = true};
    struct clopt_nodes inside = {0}, near = {0};
    size_t first = 0, count = body->child_count;
    while (first < count && !clopt_node_search(body->children[first], border_is_limit, NULL))
        first++;
    if (first == count || clopt_node_effects(body) & (CLOPT_EFFECT_COLLECTIVE | CLOPT_EFFECT_GOTO))
        return;
    borders->nest = body;
    borders->rest = body->children[first]->index;
    borders->counter_count = borders->symbol_count = 0;
    borders->guards.count = borders->parts = 0;
    for (size_t i = first; i < count; i++) {
        if (clopt_node_declares_local(body->children[i]))
            return;
        decide_all_limits(borders, body->children[i]);
    }
    if (!borders->guards.count)
        return;
    struct clopt_node *guard = borders->guards.items[0];
    for (size_t i = 1; i < borders->guards.count; i++)
        guard = clopt_build(source, body, "$n && $n", guard, borders->guards.items[i]);
    for (size_t i = first; i < count; i++) {
        clopt_nodes_add(source, &inside, clopt_clone(&borders->cloning, body->children[i]));
        clopt_nodes_add(source, &near, clopt_clone(&whole, body->children[i]));
    }
    for (size_t i = count - 1; i > first; i--)
        clopt_remove(source, body->children[i]);
    clopt_replace_by(source, body->children[first], "if ($n) { $N } else { $N }", guard, &inside,
                     &near);
    borders->changed++;
}

enum clopt_status borders_edit(void *rows, struct clopt_source *source, struct clopt_error *error)
{
    const struct clopt_identity column = {.local_id = true, .group_id = true, .inside = true};
    struct clopt_node *body = source->kernel->body;
    struct borders borders = {.source = source, .node_count = source->node_count};
    borders.cloning = (struct clopt_cloning){
        .source = source, .user = &borders, .node = form, .variable = variable_of};
    borders.ends = (struct clopt_cloning){
        .source = source, .user = &borders, .node = border_form_end, .plain = true};
    borders.divergence = clopt_divergence_create(
        source, (struct clopt_identity){
                    .dimension = CLOPT_ANY_DIMENSION, .local_id = true, .group_id = true});
    if (*(const bool *)rows)
        borders.columns = clopt_divergence_create(source, column);
    borders.decided = clopt_source_table(source, source->node_count, sizeof *borders.decided);
    struct clopt_node *changed = clopt_clone(&borders.cloning, body);
    if (borders.changed)
        clopt_replace(source, body, changed);
    else
        edit_rest(&borders);
    return borders.changed
               ? CLOPT_OK
               : clopt_source_refuse(source, body, error,
                                     "borders: no loop of %s compares what it counts with a bound, "
                                     "as in if (x + i >= 0 && x + i < n), and nothing limits an "
                                     "index, as in clamp(x + i, 0, n - 1)",
                                     source->kernel->name);
}
