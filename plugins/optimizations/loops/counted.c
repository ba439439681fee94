/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops as people write them become loops that count by 1 from 0, which all steps know.
 *
 *     for (int i = get_local_id(0), j = a; i < n && all; i += w, j += b)
 *
 * becomes
 *
 *     const int first = get_local_id(0);
 *     const int count = all && first < n ? (n - first - 1) / w + 1 : 0;
 *     for (int k = 0; k < count; k++) {
 *         int i = first + k * w;
 *         int j = a + k * b;
 *
 * A counter may also be halved down to 0, or doubled from 1 on. A step of 0 or less would never
 * come to the bound, but for what wraps around: of unsigned counters, steps have no sign. */
#include "counted.h"

enum { MOST_MOVED = 4, MOST_PARTS = 4 };

/* A variable that the head of a loop moves. */
struct moved {
    const struct clopt_variable *variable;
    const struct clopt_node *first; /* what the head sets it to; NULL: it goes on */
    bool declared;                  /* in the head */
    const struct clopt_node *step;  /* the part of the head that moves it */
    struct clopt_node *begin;       /* what it has in the first iteration */
    struct clopt_variable *inner;   /* what takes its place in the body */
};

/* A comparison of the counter: with `bound`, or what is left of it without `less`. */
struct limit {
    const struct clopt_node *bound;
    const struct clopt_node *less; /* NULL: nothing */
    bool inclusive;
};

enum progress { PROGRESS_UP, PROGRESS_DOWN, PROGRESS_HALVES, PROGRESS_DOUBLES };

struct head {
    struct clopt_source *source;
    struct clopt_node *loop;
    struct moved moved[MOST_MOVED]; /* the counter comes first */
    unsigned moved_count;
    struct limit limits[MOST_PARTS];
    unsigned limit_count;
    const struct clopt_node *tests[MOST_PARTS]; /* that do not change in the loop */
    unsigned test_count;
    enum progress progress;
    struct clopt_node *stride;
};

/* ---- reading a head ---- */

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

static struct moved *moved_of(struct head *head, const struct clopt_variable *variable)
{
    for (unsigned i = 0; i < head->moved_count; i++)
        if (head->moved[i].variable == variable)
            return &head->moved[i];
    return NULL;
}

static bool set_first(struct head *head, const struct clopt_variable *variable,
                      const struct clopt_node *value, bool declared)
{
    struct moved *moved = moved_of(head, variable);
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

static bool is_number(const struct clopt_node *node, int64_t number)
{
    return node->known && node->value == number;
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

/* Whether a variable that the head moves is read after the loop. */
static bool is_left(const struct head *head, const struct moved *moved)
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

/* Reads the head of a loop; false where it is counted already, or cannot be. */
static bool read_head(struct head *head)
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
        if ((i && !sums) || (is_left(head, moved) && (leaves || !sums)))
            return false;
    }
    return true;
}

/* ---- what is built ---- */

/* Declares a variable that holds a value from before the loop on, and returns its use. */
static struct clopt_node *hold(struct head *head, struct clopt_variable *held,
                               const struct clopt_node *value)
{
    clopt_insert_before(head->source, head->loop,
                        clopt_build(head->source, head->loop, "$V = $n;", held, value));
    return clopt_build(head->source, head->loop, "$v", held);
}

/* The same for one that has the type of the counter, unless the value is a number, or a variable of
 * that type that never changes. */
static struct clopt_node *hold_number(struct head *head, const char *name,
                                      const struct clopt_node *value)
{
    const struct clopt_variable *counter = head->moved->variable;
    bool alike = value->bits == counter->bits && value->is_signed == counter->is_signed;
    char type[32];
    if (value->known || (value->kind == CLOPT_NODE_VARIABLE && !value->variable->changed && alike &&
                         value->variable->space == CLOPT_SPACE_PRIVATE))
        return (struct clopt_node *)value;
    snprintf(type, sizeof type, "const %s", clopt_scalar_name(counter->scalar));
    return hold(head, clopt_variable_make(head->source, type, "", "%s", name), value);
}

/* Holds what variables have in the first iteration. */
static void hold_firsts(struct head *head)
{
    struct clopt_source *source = head->source;
    for (unsigned i = 0; i < head->moved_count; i++) {
        struct moved *moved = &head->moved[i];
        bool same = moved->variable->bits == head->moved->variable->bits &&
                    moved->variable->is_signed == head->moved->variable->is_signed;
        const struct clopt_node *value = moved->first;
        if (!value)
            value = clopt_build(source, head->loop, "$v", moved->variable);
        moved->begin = same ? hold_number(head, "first", value)
                            : hold(head, clopt_variable_copy(source, moved->variable, 1), value);
        moved->inner = clopt_variable_like(source, moved->variable, NULL, "");
    }
}

/* Returns by how much an iteration moves a variable, without its sign. */
static struct clopt_node *stride_of(struct head *head, const struct moved *moved)
{
    const struct clopt_node *step = moved->step;
    if (step->kind != CLOPT_NODE_ASSIGN)
        return clopt_build(head->source, step, "$d", 1);
    return moved == head->moved ? hold_number(head, "stride", step->children[1])
                                : clopt_build(head->source, step, "$n", step->children[1]);
}

/* Returns the bound of a limit. */
static struct clopt_node *build_bound(struct head *head, const struct limit *limit)
{
    const struct clopt_node *bound = limit->bound;
    return hold_number(
        head, "end",
        limit->less ? clopt_build(head->source, head->loop, "sub_sat($n, $n)", bound, limit->less)
                    : bound);
}

/* Returns how many iterations it takes to get to a bound, once the first is on its way. */
static struct clopt_node *build_distance(struct head *head, struct clopt_node *bound,
                                         bool inclusive)
{
    struct clopt_source *source = head->source;
    const struct clopt_node *loop = head->loop;
    struct clopt_node *first = head->moved->begin;
    bool up = head->progress == PROGRESS_UP;
    struct clopt_node *from = up ? first : bound, *to = up ? bound : first;
    struct clopt_node *way =
        is_number(from, 0) ? to : clopt_build(source, loop, "$n - $n", to, from);
    if (is_number(head->stride, 1))
        return clopt_build(source, loop, "$n + $d", way, inclusive);
    return clopt_build(source, loop, "($n - $d) / $n + 1", way, !inclusive, head->stride);
}

/* Whether the distance to a bound that was passed already is more than 0. */
static bool must_hold(const struct head *head)
{
    bool must = !is_number(head->stride, 1) ||
                (!head->moved->variable->is_signed && !is_number(head->moved->begin, 0));
    for (unsigned i = 0; i < head->moved_count; i++)
        must |= is_left(head, &head->moved[i]);
    return must;
}

static struct clopt_node *join(struct head *head, struct clopt_node *all, struct clopt_node *more)
{
    return all ? clopt_build(head->source, head->loop, "$n && $n", all, more) : more;
}

/* Returns how many iterations a counter has that is added to. */
static struct clopt_node *count_sums(struct head *head)
{
    struct clopt_source *source = head->source;
    const struct clopt_node *loop = head->loop;
    struct clopt_node *holds = NULL, *count = NULL, *first = head->moved->begin;
    const char *than = head->progress == PROGRESS_UP ? "<" : ">";
    for (unsigned i = 0; i < head->test_count; i++)
        holds = join(head, holds, clopt_build(source, loop, "$n", head->tests[i]));
    for (unsigned i = 0; i < head->limit_count; i++) {
        const struct limit *limit = &head->limits[i];
        struct clopt_node *bound = build_bound(head, limit);
        struct clopt_node *way = build_distance(head, bound, limit->inclusive);
        if (must_hold(head))
            holds = join(head, holds,
                         clopt_build(source, loop, "$n $s$s $n", first, than,
                                     limit->inclusive ? "=" : "", bound));
        count = count ? clopt_build(source, loop, "min($n, $n)", count, way) : way;
    }
    return holds ? clopt_build(source, loop, "$n ? $n : 0", holds, count) : count;
}

/* Returns how many iterations a counter has that is halved or doubled. */
static struct clopt_node *count_shifts(struct head *head)
{
    struct clopt_source *source = head->source;
    const struct clopt_node *loop = head->loop;
    bool halves = head->progress == PROGRESS_HALVES;
    int bits = (int)head->moved->variable->bits;
    int less = !halves && !head->limits->inclusive;
    struct clopt_node *end = halves ? head->moved->begin : build_bound(head, head->limits);
    struct clopt_node *holds = NULL;
    for (unsigned i = 0; i < head->test_count; i++)
        holds = join(head, holds, clopt_build(source, loop, "$n", head->tests[i]));
    holds = join(head, holds, clopt_build(source, loop, "$n > $d", end, less));
    return clopt_build(source, loop, "$n ? $d - clz($n - $d) : 0", holds, bits, end, less);
}

/* Returns what a moved variable has after `count` iterations. */
static struct clopt_node *build_value(struct head *head, const struct moved *moved,
                                      const struct clopt_variable *count)
{
    struct clopt_source *source = head->source;
    const struct clopt_node *loop = head->loop;
    const struct clopt_variable *variable = moved->variable;
    bool counter = moved == head->moved;
    if (counter && head->progress == PROGRESS_HALVES)
        return clopt_build(source, loop, "$n >> $v", moved->begin, count);
    if (counter && head->progress == PROGRESS_DOUBLES)
        return clopt_build(source, loop, "($t)$n << $v", clopt_scalar_name(variable->scalar),
                           moved->begin, count);
    struct clopt_node *stride = counter ? head->stride : stride_of(head, moved);
    const char *sign = strchr(moved->step->op, '-') ? "-" : "+";
    if (counter || (variable->bits == count->bits && variable->is_signed == count->is_signed))
        return clopt_build(source, loop, "$n $s $v * $n", moved->begin, sign, count, stride);
    return clopt_build(source, loop, "$n $s ($t)$v * $n", moved->begin, sign,
                       variable->bits == 32 ? "int" : "long", count, stride);
}

static struct clopt_variable *inner_of(void *user, const struct clopt_variable *variable)
{
    const struct moved *moved = moved_of(user, variable);
    return moved ? moved->inner : NULL;
}

/* Sets what is read after the loop to what it had there. */
static void set_left(struct head *head, const struct clopt_variable *count)
{
    for (unsigned i = head->moved_count; i > 0; i--)
        if (is_left(head, &head->moved[i - 1]))
            clopt_insert_after(head->source, head->loop,
                               clopt_build(head->source, head->loop, "$v = $n;",
                                           head->moved[i - 1].variable,
                                           build_value(head, &head->moved[i - 1], count)));
}

/* Replaces the loop by one that counts from 0, in which what its head moved is computed. */
static void build(struct head *head)
{
    struct clopt_source *source = head->source;
    struct clopt_node *loop = head->loop;
    const struct clopt_cloning cloning = {.source = source, .user = head, .variable = inner_of};
    const char *type = clopt_scalar_name(head->moved->variable->scalar);
    struct clopt_nodes body = {0};
    hold_firsts(head);
    head->stride = stride_of(head, head->moved);
    bool sums = head->progress == PROGRESS_UP || head->progress == PROGRESS_DOWN;
    bool same = head->progress == PROGRESS_UP && is_number(head->moved->begin, 0) &&
                is_number(head->stride, 1); /* as it was */
    struct clopt_node *trips = sums ? count_sums(head) : count_shifts(head);
    struct clopt_variable *k =
        same ? head->moved->inner : clopt_variable_make(source, type, "", "k");
    char fixed[32];
    snprintf(fixed, sizeof fixed, "const %s", type);
    struct clopt_variable *count = clopt_variable_make(source, fixed, "", "count");
    clopt_insert_before(source, loop, clopt_build(source, loop, "$V = $n;", count, trips));
    for (unsigned i = same; i < head->moved_count; i++)
        if (clopt_node_uses(loop->body, head->moved[i].variable))
            clopt_nodes_put(source, &body, loop, "$V = $n;", head->moved[i].inner,
                            build_value(head, &head->moved[i], k));
    set_left(head, count);
    clopt_nodes_add_body(&cloning, &body, loop->body);
    clopt_replace_by(source, loop, "for ($V = 0; $v < $v; $v++) { $N }", k, k, count, k, &body);
}

/* Edits the first chosen loop that can be counted; false where there is none. */
static bool edit(struct clopt_rewriting *rewriting)
{
    for (size_t i = 0; i < rewriting->chosen.count; i++) {
        struct head head = {.source = rewriting->source, .loop = rewriting->chosen.items[i]};
        if (rewriting->factors[head.loop->index] > 0 && read_head(&head)) {
            build(&head);
            return true;
        }
    }
    return false;
}

enum clopt_status counted_apply(struct clopt_transform *transform, const char *loops,
                                struct clopt_error *error)
{
    struct clopt_error reason = {0};
    for (bool more = true; more;) {
        struct clopt_rewriting rewriting;
        more = !clopt_rewriting_init(&rewriting, transform, loops, 1, &reason) && edit(&rewriting);
        if (more)
            CLOPT_TRY(clopt_transform_set_tree(transform, rewriting.source, error));
        clopt_source_destroy(rewriting.source);
    }
    return CLOPT_OK;
}
