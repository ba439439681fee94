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

#include "counted_head.h"

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
        must |= head_leaves(head, &head->moved[i]);
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
    const struct moved *moved = head_moved(user, variable);
    return moved ? moved->inner : NULL;
}

/* Sets what is read after the loop to what it had there. */
static void set_left(struct head *head, const struct clopt_variable *count)
{
    for (unsigned i = head->moved_count; i > 0; i--)
        if (head_leaves(head, &head->moved[i - 1]))
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
        if (rewriting->factors[head.loop->index] > 0 && head_read(&head)) {
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
