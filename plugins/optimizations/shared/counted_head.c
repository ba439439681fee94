/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads the heads of loops. */
#include "counted_head.h"

/* Whether a value may be computed where it was not asked for. */
static bool is_pure(const struct clopt_node *node)
{
    return !clopt_node_effects(node) && !clopt_node_find_trap(node);
}

static bool is_plain(const struct clopt_node *node)
{
    return !(clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_MEMORY_READ);
}

/* Whether nothing but a loop's head changes a variable while the loop runs. */
static bool is_of_head(const struct clopt_node *loop, const struct clopt_variable *variable)
{
    bool number = variable->bits >= 32 || variable->is_pointer;
    return number && !variable->is_array && !variable->is_volatile && variable->function &&
           variable->space == CLOPT_SPACE_PRIVATE && !(variable->uses & CLOPT_ADDRESS) &&
           !(clopt_node_uses(loop->body, variable) & CLOPT_WRITE) &&
           !(loop->condition && clopt_node_uses(loop->condition, variable) & CLOPT_WRITE);
}

/* Reads the parts of a step that commas join. */
static bool read_steps(struct head *head, const struct clopt_node *node)
{
    node = clopt_node_bare(node);
    if (node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, ","))
        return read_steps(head, node->children[0]) && read_steps(head, node->children[1]);
    const struct clopt_node *lvalue = clopt_node_written(node);
    if (!lvalue || lvalue->kind != CLOPT_NODE_VARIABLE || head->moved_count == MOST_MOVED ||
        !is_of_head(head->loop, lvalue->variable) ||
        (node->kind == CLOPT_NODE_ASSIGN &&
         (!node->children[1]->bits || !is_pure(node->children[1]) ||
          !clopt_loop_is_invariant(head->loop, node->children[1]))))
        return false;
    head->moved[head->moved_count++] = (struct moved){.variable = lvalue->variable, .step = node};
    return true;
}

struct moved *head_moved(struct head *head, const struct clopt_variable *variable)
{
    for (unsigned i = 0; i < head->moved_count; i++)
        if (head->moved[i].variable == variable)
            return &head->moved[i];
    return NULL;
}

static bool set_first(struct head *head, const struct clopt_variable *variable,
                      const struct clopt_node *value, bool declared)
{
    struct moved *moved = head_moved(head, variable);
    if (!moved || moved->first || !value || !is_plain(value))
        return false;
    for (unsigned i = 0; i < head->moved_count; i++)
        if (clopt_node_uses(value, head->moved[i].variable))
            return false;
    moved->first = value;
    moved->declared = declared;
    return true;
}

/* Reads what a head sets variables to. */
static bool read_firsts(struct head *head, const struct clopt_node *node)
{
    bool fits = true;
    if (!node)
        return true;
    for (size_t i = 0; node->kind == CLOPT_NODE_DECLARE && i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        fits = fits && set_first(head, declarator->variable, declarator->condition, true);
    }
    if (node->kind == CLOPT_NODE_DECLARE)
        return fits;
    if (node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, ","))
        return read_firsts(head, node->children[0]) && read_firsts(head, node->children[1]);
    return node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=") &&
           node->children[0]->kind == CLOPT_NODE_VARIABLE &&
           set_first(head, node->children[0]->variable, node->children[1], false);
}

/* Finds how the counter moves. */
static bool read_progress(struct head *head)
{
    static const struct {
        const char *op;
        enum progress progress;
        int64_t by; /* 0: by anything */
    } ways[] = {{"++", PROGRESS_UP, 0},       {"+=", PROGRESS_UP, 0},
                {"--", PROGRESS_DOWN, 0},     {"-=", PROGRESS_DOWN, 0},
                {">>=", PROGRESS_HALVES, 1},  {"/=", PROGRESS_HALVES, 2},
                {"<<=", PROGRESS_DOUBLES, 1}, {"*=", PROGRESS_DOUBLES, 2}};
    const struct clopt_node *step = head->moved->step;
    const struct clopt_node *by = step->kind == CLOPT_NODE_ASSIGN ? step->children[1] : NULL;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (clopt_node_is_operator(step, ways[i].op) &&
            (!ways[i].by || (by->known && by->value == ways[i].by))) {
            head->progress = ways[i].progress;
            return true;
        }
    return false;
}

/* Whether one side of a comparison is the counter, or a sum with something that does not change. */
static bool read_side(const struct head *head, const struct clopt_node *node, struct limit *limit)
{
    const struct clopt_variable *counter = head->moved->variable;
    node = clopt_node_bare(node);
    if (clopt_node_names(node, counter))
        return true;
    if (node->kind != CLOPT_NODE_BINARY || !clopt_node_is_operator(node, "+"))
        return false;
    for (int side = 0; side < 2; side++) {
        const struct clopt_node *other = node->children[1 - side];
        limit->less = other;
        if (clopt_node_names(clopt_node_bare(node->children[side]), counter) &&
            other->bits == counter->bits && other->is_signed == counter->is_signed)
            return clopt_loop_is_invariant(head->loop, other) && is_plain(other);
    }
    return false;
}

/* Whether a value of the head is an identity or a number, and so 0 or more. */
static bool is_natural(const struct clopt_node *node)
{
    static const char *const identities[] = {"get_global_id", "get_local_id", "get_group_id"};
    node = clopt_node_bare(node);
    for (size_t i = 0; i < sizeof identities / sizeof *identities; i++)
        if (clopt_node_dimension(node, identities[i]) < 3)
            return true;
    return (node->known && node->value >= 0) || clopt_node_identity(node, 32) < 3;
}

/* Reads what the counter is compared with. */
static bool read_limit(const struct head *head, const struct clopt_node *node, struct limit *limit)
{
    const struct clopt_variable *counter = head->moved->variable;
    const struct clopt_node *first = head->moved->first;
    *limit = (struct limit){.less = NULL};
    if (!clopt_node_compares(node) || !strchr("<>", *node->op))
        return false;
    bool left = read_side(head, node->children[0], limit);
    if (!left)
        *limit = (struct limit){.less = NULL};
    if (!left && !read_side(head, node->children[1], limit))
        return false;
    const struct clopt_node *bound = clopt_node_bare(node->children[left]);
    bool grows = head->progress == PROGRESS_UP || head->progress == PROGRESS_DOUBLES;
    bool alike = bound->is_signed == counter->is_signed || !counter->is_signed || bound->known;
    limit->bound = bound;
    limit->inclusive = node->op[1] == '=';
    return ((*node->op == '<') == left) == grows && bound->bits >= 32 && is_plain(bound) &&
           (alike || (first && is_natural(first))) && clopt_loop_is_invariant(head->loop, bound) &&
           (!limit->less ||
            (grows && bound->bits == counter->bits && bound->is_signed == counter->is_signed &&
             (counter->is_signed || (first && is_number(first, 0)))));
}

/* Reads one of the conditions that && joins. */
static bool read_condition(void *user, const struct clopt_node *node, bool holds)
{
    struct head *head = user;
    bool asked = !head->limit_count && !head->test_count; /* in any case */
    if (!holds || head->limit_count == MOST_PARTS || head->test_count == MOST_PARTS ||
        !(asked ? is_plain(node) : is_pure(node)))
        return false;
    if (read_limit(head, node, &head->limits[head->limit_count])) {
        head->limit_count++;
        return true;
    }
    if (head->progress == PROGRESS_HALVES && !head->moved->variable->is_signed &&
        (clopt_node_names(node, head->moved->variable) ||
         (clopt_node_is_operator(node, "!=") && is_number(node->children[1], 0) &&
          clopt_node_names(node->children[0], head->moved->variable))))
        return true;
    head->tests[head->test_count++] = node;
    return clopt_loop_is_invariant(head->loop, node);
}

/* Whether how often the loop runs can be told by its counter. */
static bool is_countable(const struct head *head)
{
    const struct clopt_variable *counter = head->moved->variable;
    const struct clopt_node *step = head->moved->step, *first = head->moved->first;
    const struct clopt_node *by = step->kind == CLOPT_NODE_ASSIGN ? step->children[1] : NULL;
    const struct clopt_node *bound = head->limits->bound;
    switch (head->progress) {
    case PROGRESS_UP:
    case PROGRESS_DOWN:
        return head->limit_count &&
               (counter->is_signed ||
                (head->progress == PROGRESS_UP && (!by || !by->is_signed || by->known))) &&
               (!by || !by->known || by->value > 0);
    case PROGRESS_HALVES:
        return head->limit_count == 0 ||
               (head->limit_count == 1 && bound->known && bound->value == head->limits->inclusive);
    default:
        return head->limit_count == 1 && first && is_number(first, 1) && !head->limits->less;
    }
}

bool head_leaves(const struct head *head, const struct moved *moved)
{
    return !moved->declared && !clopt_loop_ends_variable(head->loop, moved->variable);
}

/* Whether declarations can be put before a loop. */
static bool has_room(const struct clopt_node *loop)
{
    const struct clopt_node *parent = loop->parent;
    if (parent->kind == CLOPT_NODE_ATTRIBUTED)
        parent = parent->parent;
    return parent->kind == CLOPT_NODE_COMPOUND || parent->kind == CLOPT_NODE_IF ||
           clopt_node_is_loop(parent);
}

bool head_read(struct head *head)
{
    const struct clopt_node *loop = head->loop;
    struct clopt_iterations *iterations = clopt_source_table(head->source, 1, sizeof *iterations);
    struct clopt_trip trip;
    if (loop->kind != CLOPT_NODE_FOR || !loop->step || !loop->condition || !has_room(loop) ||
        clopt_trip_find(loop, NULL, &trip) || clopt_iterations_find(loop, NULL, iterations) ||
        clopt_node_find_effect(loop, CLOPT_EFFECT_GOTO) || !read_steps(head, loop->step))
        return false;
    for (unsigned i = 1; i < head->moved_count; i++)
        if (!clopt_node_uses(loop->condition, head->moved->variable)) {
            const struct moved first = head->moved[0];
            head->moved[0] = head->moved[i];
            head->moved[i] = first;
        }
    if (!head->moved->variable->bits || !read_firsts(head, loop->init) || !read_progress(head) ||
        !clopt_condition_parts(loop->condition, true, read_condition, head) || !is_countable(head))
        return false;
    bool leaves = clopt_loop_find_jump(loop, CLOPT_NODE_BREAK);
    for (unsigned i = 0; i < head->moved_count; i++) {
        const struct moved *moved = &head->moved[i];
        bool sums = moved->step->kind != CLOPT_NODE_ASSIGN ||
                    clopt_node_is_operator(moved->step, "+=") ||
                    clopt_node_is_operator(moved->step, "-=");
        if ((i && !sums) || (head_leaves(head, moved) && (leaves || !sums)))
            return false;
    }
    return true;
}
