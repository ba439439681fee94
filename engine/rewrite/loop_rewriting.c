/* SPDX-License-Identifier: BSD-3-Clause */
/* What all changes of loops have in common: a kernel is parsed, its loops are chosen, and each is
 * edited; conditions under which one has several more iterations. */
#include <clopt/loop.h>

#define MOST_LOOPS  1000000
#define MOST_FACTOR 1024

/* Reads "3", "3*4" or "3*full" at *at and what separates it from the next one. */
static bool read_number(const char **at, unsigned long *number, int *factor)
{
    char *end = NULL;
    if (**at < '1' || **at > '9')
        return false;
    *number = strtoul(*at, &end, 10);
    if (strncmp(end, "*full", 5) == 0) {
        *factor = 0;
        end += 5;
    } else if (*end == '*' && end[1] >= '1' && end[1] <= '9') {
        unsigned long own = strtoul(end + 1, &end, 10);
        *factor = own > MOST_FACTOR ? MOST_FACTOR + 1 : (int)own;
    }
    *at = *end == '+' ? end + 1 : end;
    return *number <= MOST_LOOPS && *factor <= MOST_FACTOR && (*end == '+' || *end == '\0');
}

/* Whether loops are chosen by their numbers: then all of them are meant, else those that fit. */
static bool are_numbered(const char *loops)
{
    return *loops >= '1' && *loops <= '9';
}

enum clopt_status clopt_loops_check(const char *loops, struct clopt_error *error)
{
    if (strcmp(loops, "innermost") == 0 || strcmp(loops, "outer") == 0 ||
        strcmp(loops, "nests") == 0 || strcmp(loops, "all") == 0)
        return CLOPT_OK;
    unsigned long number = 0;
    int factor = 0;
    for (const char *at = loops; at == loops || *at;)
        if (!read_number(&at, &number, &factor))
            return clopt_fail(
                error, CLOPT_INVALID,
                "loops = %s: not innermost, outer, nests, all, or numbers such as 1+3*4", loops);
    return CLOPT_OK;
}

struct choice {
    struct clopt_rewriting *rewriting;
    unsigned factor;
    unsigned long count; /* of loops */
};

/* The factor of a loop by its number, -1 where it is not in the list. */
static int numbered_factor(const struct choice *choice, unsigned long wanted)
{
    for (const char *at = choice->rewriting->loops; *at;) {
        unsigned long number = 0;
        int factor = (int)choice->factor;
        if (!read_number(&at, &number, &factor))
            return -1;
        if (number == wanted)
            return factor;
    }
    return -1;
}

static bool is_other_loop(const struct clopt_node *node, const void *loop)
{
    return node != loop && clopt_node_repeats(node);
}

static void choose(struct choice *choice, struct clopt_node *node, bool inside)
{
    struct clopt_rewriting *rewriting = choice->rewriting;
    bool loop = clopt_node_repeats(node);
    if (loop) {
        const char *loops = rewriting->loops;
        int *factor = &rewriting->factors[node->index];
        bool nest = clopt_node_search(node, is_other_loop, node);
        bool named = strcmp(loops, "all") == 0 || (strcmp(loops, "innermost") == 0 && !nest) ||
                     (strcmp(loops, "outer") == 0 && !inside) ||
                     (strcmp(loops, "nests") == 0 && !inside && nest);
        choice->count++;
        *factor = named ? (int)choice->factor : numbered_factor(choice, choice->count);
        if (*factor >= 0)
            clopt_nodes_add(rewriting->source, &rewriting->chosen, node);
    }
    for (size_t i = 0; i < node->child_count; i++)
        choose(choice, node->children[i], inside || loop);
}

static unsigned long count_numbers(const char *loops)
{
    unsigned long count = are_numbered(loops);
    for (; count && (loops = strchr(loops, '+')); loops++)
        count++;
    return count;
}

/* Gives the chosen loops `factor` or their own one (0: full), and all other nodes -1.
 * CLOPT_INFEASIBLE where the kernel has no such loop. */
static enum clopt_status choose_loops(struct clopt_rewriting *rewriting, unsigned factor)
{
    const struct clopt_function *kernel = rewriting->source->kernel;
    struct choice choice = {.rewriting = rewriting, .factor = factor};
    for (size_t i = 0; i < rewriting->source->node_count; i++)
        rewriting->factors[i] = -1;
    choose(&choice, kernel->body, false);
    if (!choice.count)
        return clopt_fail(rewriting->error, CLOPT_INFEASIBLE, "%s has no loop", kernel->name);
    if (rewriting->chosen.count < count_numbers(rewriting->loops))
        return clopt_fail(rewriting->error, CLOPT_INFEASIBLE, "loops = %s: %s has %lu loop%s",
                          rewriting->loops, kernel->name, choice.count,
                          choice.count == 1 ? "" : "s");
    return CLOPT_OK;
}

/* ---- while loops that count ---- */

/* Whether a statement moves what a condition compares. */
static bool moves_counter(const struct clopt_node *statement, const struct clopt_node *condition)
{
    const struct clopt_node *counter = clopt_node_written(statement);
    bool known = clopt_node_is_step(statement) || (counter && statement->children[1]->known);
    return counter && counter->kind == CLOPT_NODE_VARIABLE && counter->variable->bits &&
           !clopt_node_is_operator(statement, "=") && (known || *condition->op != '!') &&
           (clopt_node_uses(condition, counter->variable) & CLOPT_READ);
}

/* What a statement sets a variable to, where it does nothing else to it. */
static const struct clopt_node *value_of(const struct clopt_node *statement,
                                         const struct clopt_variable *variable)
{
    const struct clopt_node *value = NULL;
    if (clopt_node_is_operator(statement, "=") && statement->kind == CLOPT_NODE_ASSIGN)
        return statement->children[0]->variable == variable ? statement->children[1] : NULL;
    for (size_t i = 0; statement->kind == CLOPT_NODE_DECLARE && i < statement->child_count; i++) {
        const struct clopt_node *declarator = statement->children[i];
        if (declarator->variable == variable)
            value = declarator->condition;
        else if (clopt_node_uses(declarator, variable) & CLOPT_WRITE)
            return NULL;
    }
    return value;
}

/* Returns an assignment of what a counter holds where a loop begins: a number, or what the
 * statement in front of it has set it to; NULL: not known. */
static struct clopt_node *form_first(struct clopt_source *source, const struct clopt_node *loop,
                                     const struct clopt_variable *counter)
{
    const struct clopt_cloning plain = {.source = source, .plain = true};
    const struct clopt_node *block = loop->parent;
    struct clopt_node *before = NULL;
    size_t at = 0, count;
    if (block->kind != CLOPT_NODE_COMPOUND || counter->space != CLOPT_SPACE_PRIVATE ||
        counter->is_volatile || (counter->uses & CLOPT_ADDRESS) ||
        (clopt_node_effects(source->kernel->body) & CLOPT_EFFECT_GOTO))
        return NULL;
    while (block->children[at] != loop)
        at++;
    for (count = at; at > 0; at--) {
        before = block->children[at - 1];
        if (before->kind != CLOPT_NODE_DECLARE && !clopt_node_is_expression(before))
            return NULL;
        if (clopt_node_uses(before, counter) & CLOPT_WRITE)
            break;
    }
    const struct clopt_node *value = at ? value_of(before, counter) : NULL;
    bool sets = at == count && value && before->kind == CLOPT_NODE_ASSIGN;
    bool alone = sets || (at == count && value && before->child_count == 1);
    if (!value || clopt_node_uses(value, counter) || clopt_node_effects(value) ||
        (!value->known && !alone))
        return NULL;
    if (sets)
        clopt_remove(source, before);
    return clopt_build(source, loop, "$v = $n", counter, clopt_clone(&plain, value));
}

/* Makes while (i < n) { ...; i++; } a for loop. What is inside goes first. */
static void form_counted(struct clopt_source *source, struct clopt_node *node)
{
    for (size_t i = node->child_count; i > 0; i--) /* a statement before one may go */
        form_counted(source, node->children[i - 1]);
    const struct clopt_node *body = node->body;
    if (node->kind != CLOPT_NODE_WHILE || body->kind != CLOPT_NODE_COMPOUND ||
        body->child_count < 2 || clopt_loop_find_jump(node, CLOPT_NODE_CONTINUE))
        return;
    struct clopt_node *last = body->children[body->child_count - 1];
    if (!moves_counter(last, node->condition))
        return;
    struct clopt_node *first = form_first(source, node, last->children[0]->variable);
    last = clopt_remove(source, last);
    clopt_replace(
        source, node,
        clopt_build(source, node, "for ($n; $n; $n) $n", first, node->condition, last, node->body));
}

/* ---- editing them ---- */

enum clopt_status clopt_rewriting_init(struct clopt_rewriting *rewriting,
                                       const struct clopt_transform *transform, const char *loops,
                                       unsigned factor, struct clopt_error *error)
{
    *rewriting = (struct clopt_rewriting){.loops = loops, .error = error};
    rewriting->status =
        clopt_transform_parse_inlined(transform, CLOPT_INLINE_LOOPS, &rewriting->source, error);
    if (!rewriting->status) {
        form_counted(rewriting->source, rewriting->source->kernel->body);
        rewriting->status = clopt_source_reread(transform, &rewriting->source, error);
    }
    if (rewriting->status)
        return rewriting->status;
    rewriting->factors = clopt_source_table(rewriting->source, rewriting->source->node_count,
                                            sizeof *rewriting->factors);
    return rewriting->status = choose_loops(rewriting, factor);
}

bool clopt_rewriting_decide(struct clopt_rewriting *rewriting, enum clopt_status status,
                            const struct clopt_error *error)
{
    if (!status) {
        rewriting->changed++;
        return true;
    }
    if (status == CLOPT_INFEASIBLE && !are_numbered(rewriting->loops)) {
        if (!rewriting->first.status)
            rewriting->first = *error;
    } else if (!rewriting->status) {
        rewriting->status = status;
        *rewriting->error = *error;
    }
    return false;
}

enum clopt_status clopt_rewriting_finish(struct clopt_rewriting *rewriting,
                                         struct clopt_transform *transform)
{
    if (!rewriting->status && !rewriting->changed && rewriting->first.status) {
        rewriting->status = rewriting->first.status;
        *rewriting->error = rewriting->first;
    }
    if (!rewriting->status)
        rewriting->status =
            clopt_transform_set_tree(transform, rewriting->source, rewriting->error);
    clopt_source_destroy(rewriting->source);
    return rewriting->status;
}

enum clopt_status clopt_loops_rewrite(struct clopt_transform *transform, const char *loops,
                                      unsigned factor, clopt_loop_change change, void *user,
                                      struct clopt_error *error)
{
    struct clopt_rewriting rewriting;
    clopt_rewriting_init(&rewriting, transform, loops, factor, error);
    for (size_t i = 0; !rewriting.status && i < rewriting.chosen.count; i++) {
        struct clopt_node *loop = rewriting.chosen.items[i];
        struct clopt_error reason = {0};
        if (rewriting.factors[loop->index] >= 0)
            clopt_rewriting_decide(&rewriting, change(user, &rewriting, loop, &reason), &reason);
    }
    return clopt_rewriting_finish(&rewriting, transform);
}

/* ---- several iterations at once ---- */

/* Whether the counter meets multiples of so many iterations only, from 0 up to its bound, so that
 * what is above the last of them below the bound can be cut off the bound. */
static bool counts_multiples(const struct clopt_trip *trip, unsigned iterations)
{
    return trip->step == 1 && !trip->inclusive && trip->first_known && trip->first_value == 0 &&
           trip->counter->is_signed == trip->bound->is_signed &&
           (iterations & (iterations - 1)) == 0;
}

/* A bound that does not change is what compilers make the best of. Else what is subtracted must not
 * overflow: a counter that starts at 0 and is below its bound is fine, others are taken as
 * unsigned. */
struct clopt_node *clopt_trip_condition(const struct clopt_cloning *cloning,
                                        const struct clopt_node *loop,
                                        const struct clopt_trip *trip, unsigned iterations)
{
    struct clopt_source *source = cloning->source;
    int64_t whole = trip->count_known ? trip->count - trip->count % iterations : 0;
    if (trip->count_known)
        return clopt_build(source, loop, "$v $s $l", trip->counter, trip->step < 0 ? ">" : "<",
                           trip->first_value + whole * trip->step);
    struct clopt_node *bound = clopt_clone(cloning, trip->bound);
    int64_t least = (int64_t)(iterations - 1) * (trip->step < 0 ? -trip->step : trip->step);
    const char *than = trip->inclusive ? ">=" : ">";
    bool wide = trip->counter->bits != trip->bound->bits && !trip->bound->known;
    const char *type = wide || trip->counter->bits == 64 ? "ulong" : "uint";
    if (counts_multiples(trip, iterations))
        return clopt_build(source, loop, "$v < ($n & ~$u)", trip->counter, bound, iterations - 1);
    if (trip->step > 0 && trip->counter->is_signed && trip->bound->is_signed && !wide &&
        trip->first_known && trip->first_value == 0)
        return clopt_build(source, loop, "$n - $v $s $l", bound, trip->counter, than, least);
    bool up = trip->step > 0;
    struct clopt_node *condition = clopt_clone(cloning, loop->condition);
    struct clopt_node *counter = clopt_build(source, loop, "$v", trip->counter);
    return clopt_build(source, loop, "$n && ($t)$n - ($t)$n $s $l", condition, type,
                       up ? bound : counter, type, up ? counter : bound, than, least);
}
