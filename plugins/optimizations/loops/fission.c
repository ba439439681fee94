/* SPDX-License-Identifier: BSD-3-Clause */
/* Fission: a loop is split into several, each with a part of its statements.
 *
 * A cut between two statements is legal if nothing after it accesses, in one iteration, what
 * something before it accesses in a later one (Kennedy, Allen: Optimizing Compilers for Modern
 * Architectures, 2001, 2.4), and if no private variable is written on one side and used on the
 * other. What a declaration computes from values that are invariant is computed again where it is
 * needed. */
#include "../shared/counted.h"
#include "loops.h"

#define MOST_STATEMENTS 256 /* of a loop; they are compared in pairs */

struct statement {
    struct clopt_node *node;
    struct clopt_node *comment; /* in its line */
    struct clopt_accesses accesses;
    bool again;    /* a declaration that may be computed again */
    bool needed;   /* by the part that is built */
    bool placed;   /* in a part */
    bool tied;     /* no cut before it */
    unsigned part; /* the loop that it goes to */
};

struct fission {
    struct clopt_source *source;
    struct clopt_node *loop; /* that is looked at */
    struct clopt_trip trip;
    struct statement *statements; /* of its body */
    size_t count;
    unsigned parts;
};

/* ---- private variables ---- */

static bool is_written(unsigned access)
{
    return (access & (CLOPT_WRITE | CLOPT_ADDRESS)) != 0;
}

static const struct statement *declaration_of(const struct fission *fission,
                                              const struct clopt_variable *variable)
{
    for (size_t i = 0; i < fission->count; i++)
        if (clopt_node_declares(fission->statements[i].node, variable))
            return &fission->statements[i];
    return NULL;
}

/* A variable that a declaration makes and another statement uses. */
static const struct clopt_variable *declared_for(const struct clopt_node *declaration,
                                                 const struct clopt_node *other)
{
    if (declaration->kind != CLOPT_NODE_DECLARE)
        return NULL;
    for (size_t i = 0; i < declaration->child_count; i++)
        if (clopt_node_uses(other, declaration->children[i]->variable))
            return declaration->children[i]->variable;
    return NULL;
}

/* A variable that ties two statements together; NULL: none does. */
static const struct clopt_variable *find_tie(const struct fission *fission,
                                             const struct clopt_node *first,
                                             const struct clopt_node *other)
{
    for (const struct clopt_node *node = first; node; node = clopt_node_next(node, first)) {
        const struct clopt_variable *variable = node->variable;
        unsigned access = clopt_node_use(node, first);
        if (!access || variable == fission->trip.counter || variable->is_array ||
            variable->space != CLOPT_SPACE_PRIVATE)
            continue;
        const struct statement *declaration = declaration_of(fission, variable);
        unsigned used = clopt_node_uses(other, variable);
        if (used && (is_written(access) || is_written(used)) &&
            !(declaration && declaration->again))
            return variable;
    }
    return declared_for(first, other);
}

/* ---- memory ---- */

/* Two accesses that may be to the same target, `b` at least `least` iterations after `a`. */
static const struct clopt_access *find_conflict(const struct fission *fission,
                                                const struct clopt_accesses *a,
                                                const struct clopt_accesses *b, int64_t least)
{
    struct clopt_nest nest = {1, {fission->loop, NULL}, {&fission->trip, NULL}};
    struct clopt_distance distance = {least, CLOPT_MANY_ITERATIONS};
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            if (clopt_accesses_depend(&nest, &a->items[i], &b->items[j], &distance))
                return &a->items[i];
    return NULL;
}

/* ---- what may be computed again ---- */

/* Whether a declaration reads a variable that changes in the loop. */
static bool reads_changing(const struct fission *fission, const struct clopt_node *node)
{
    for (size_t i = 0; i < fission->source->variable_count; i++) {
        const struct clopt_variable *variable = fission->source->variables[i];
        const struct statement *declaration = declaration_of(fission, variable);
        if (variable != fission->trip.counter && !clopt_node_declares(node, variable) &&
            !(declaration && declaration->again) && clopt_node_uses(node, variable) &&
            is_written(clopt_node_uses(fission->loop->body, variable)))
            return true;
    }
    return false;
}

/* Whether every variable that is declared has an initial value that does not change. */
static bool declares_constants(const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_DECLARE)
        return false;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        if (!declarator->condition || declarator->variable->is_array ||
            declarator->variable->changed ||
            (clopt_node_effects(declarator->condition) & CLOPT_EFFECT_PRIVATE_WRITE))
            return false;
    }
    return true;
}

static bool may_repeat(const struct fission *fission, const struct statement *statement)
{
    if (!declares_constants(statement->node) || reads_changing(fission, statement->node))
        return false;
    for (size_t i = 0; i < fission->count; i++)
        if (find_conflict(fission, &statement->accesses, &fission->statements[i].accesses,
                          -CLOPT_MANY_ITERATIONS))
            return false;
    return true;
}

/* ---- cuts ---- */

static enum clopt_status refuse_tie(const struct fission *fission, size_t first, size_t second,
                                    const char *name, struct clopt_error *error)
{
    const struct clopt_source *source = fission->source;
    return clopt_source_refuse(source, fission->statements[first].node, error,
                               "%s ties this statement to line %u, so the loop cannot be split",
                               name, clopt_source_line(source, fission->statements[second].node));
}

/* Refuses to have a cut between two statements; CLOPT_OK where it may be. */
static enum clopt_status check_pair(const struct fission *fission, size_t first, size_t second,
                                    struct clopt_error *error)
{
    const struct statement *a = &fission->statements[first];
    const struct statement *b = &fission->statements[second];
    if (a->again || b->again)
        return CLOPT_OK;
    const struct clopt_variable *tie = find_tie(fission, a->node, b->node);
    if (tie)
        return refuse_tie(fission, first, second, tie->name, error);
    const struct clopt_access *access = find_conflict(fission, &b->accesses, &a->accesses, 1);
    if (!access)
        return CLOPT_OK;
    return refuse_tie(fission, first, second, access->root ? access->root->name : "memory", error);
}

/* Whether all cuts between two statements are known to be illegal. */
static bool is_tied(const struct fission *fission, size_t first, size_t second)
{
    for (size_t i = first + 1; i <= second; i++)
        if (!fission->statements[i].tied)
            return false;
    return true;
}

/* Finds where no cut may be; the error is the first reason. */
static enum clopt_status find_ties(struct fission *fission, struct clopt_error *error)
{
    enum clopt_status tied = CLOPT_OK;
    for (size_t i = 0; i < fission->count; i++)
        for (size_t j = i + 1; j < fission->count; j++) {
            struct clopt_error reason = {0};
            if (is_tied(fission, i, j) || !check_pair(fission, i, j, &reason))
                continue;
            for (size_t k = i + 1; k <= j; k++)
                fission->statements[k].tied = true;
            if (!tied)
                *error = reason;
            tied = CLOPT_INFEASIBLE;
        }
    return tied;
}

/* Gives each statement its part; refuses where there is one part alone. */
static enum clopt_status find_parts(struct fission *fission, struct clopt_error *error)
{
    struct statement *statements = fission->statements;
    enum clopt_status tied = find_ties(fission, error);
    bool any = false;
    fission->parts = 0;
    for (size_t i = 0; i < fission->count; i++) {
        if (statements[i].again)
            continue;
        bool cut = any && !statements[i].tied;
        fission->parts += cut;
        statements[i].part = fission->parts;
        any = true;
    }
    if (fission->parts++)
        return CLOPT_OK;
    return tied ? tied
                : clopt_source_refuse(fission->source, fission->loop, error,
                                      "the loop has a single statement, so it cannot be split");
}

/* ---- one loop ---- */

static enum clopt_status read_statements(struct fission *fission, struct clopt_error *error)
{
    const struct clopt_node *body = fission->loop->body;
    fission->statements =
        clopt_source_table(fission->source, body->child_count, sizeof *fission->statements);
    fission->count = body->child_count;
    if (fission->count > MOST_STATEMENTS)
        return clopt_source_refuse(fission->source, fission->loop, error,
                                   "the loop has more than 256 statements, too many to split it");
    for (size_t i = 0; i < fission->count; i++) {
        fission->statements[i].node = body->children[i];
        clopt_accesses_add(&fission->statements[i].accesses, body->children[i]);
    }
    for (size_t i = 0; i < fission->count; i++)
        fission->statements[i].again = may_repeat(fission, &fission->statements[i]);
    return CLOPT_OK;
}

/* Finds out how a loop is to be split; the caller forgets what was read. */
static enum clopt_status plan(struct fission *fission, struct clopt_error *error)
{
    const struct clopt_source *source = fission->source;
    const struct clopt_node *loop = fission->loop;
    CLOPT_TRY(clopt_loop_check_order(source, loop, true, "split", &fission->trip, error));
    if (loop->body->kind != CLOPT_NODE_COMPOUND)
        CLOPT_TRY(clopt_source_refuse(source, loop, error,
                                      "the loop has a single statement, so it cannot be split"));
    if (!clopt_loop_is_invariant(loop, fission->trip.first))
        CLOPT_TRY(clopt_source_refuse(source, fission->trip.first, error,
                                      "the loop changes its counter's initial value, so it cannot "
                                      "be split"));
    CLOPT_TRY(read_statements(fission, error));
    return find_parts(fission, error);
}

/* ---- edits ---- */

/* Marks the declarations that a part computes again. */
static void mark_needed(struct fission *fission, unsigned part)
{
    for (size_t i = fission->count; i-- > 0;) {
        struct statement *statement = &fission->statements[i];
        statement->needed = !statement->again && statement->part == part;
        for (size_t j = i + 1; statement->again && j < fission->count; j++)
            statement->needed |= fission->statements[j].needed &&
                                 declared_for(statement->node, fission->statements[j].node);
    }
}

/* Returns what is in the line of the brace or a statement, before the statement of a number: a
 * comment. After the last statement: comments, up to the last brace. */
static struct clopt_node *build_comment(const struct fission *fission, size_t number)
{
    const struct clopt_node *body = fission->loop->body;
    const struct clopt_node *next = number < fission->count ? body->children[number] : NULL;
    const char *text = fission->source->text;
    size_t begin = next ? next->trivia_begin : body->tail_begin;
    size_t end = next ? next->trivia_end : body->end - 1;
    const char *line = begin < end ? memchr(text + begin, '\n', end - begin) : NULL;
    struct clopt_node *comment = clopt_build(fission->source, fission->loop, ";");
    comment->name = "";
    begin += begin < end && text[begin] == '{';
    comment->trivia_begin = begin;
    comment->trivia_end = !next ? end : line ? (size_t)(line - text) : begin;
    return comment;
}

/* Takes the statements out of the loop; returns the comment in the line of its brace. */
static struct clopt_node *take_statements(struct fission *fission)
{
    struct clopt_node *first = build_comment(fission, 0);
    for (size_t i = 0; i < fission->count; i++)
        fission->statements[i].comment = build_comment(fission, i + 1);
    for (size_t i = 0; i < fission->count; i++)
        clopt_remove(fission->source, fission->statements[i].node);
    return first;
}

/* Adds the statements of a part. */
static void add_part(struct fission *fission, unsigned part, struct clopt_nodes *list)
{
    struct clopt_source *source = fission->source;
    const struct clopt_cloning again = {.source = source, .plain = true};
    mark_needed(fission, part);
    for (size_t i = 0; i < fission->count; i++) {
        struct statement *statement = &fission->statements[i];
        if (!statement->needed)
            continue;
        clopt_nodes_add(source, list,
                        statement->placed ? clopt_clone(&again, statement->node) : statement->node);
        if (!statement->placed)
            clopt_nodes_add(source, list, statement->comment);
        statement->placed = true;
    }
}

/* Replaces a loop, with its pragma, by one a part. */
static void split(struct fission *fission)
{
    struct clopt_source *source = fission->source;
    struct clopt_node *loop = fission->loop;
    struct clopt_node *target = loop->parent->kind == CLOPT_NODE_ATTRIBUTED ? loop->parent : loop;
    struct clopt_nodes loops = {0};
    struct clopt_node *comment = take_statements(fission);
    for (unsigned part = 0; part < fission->parts; part++) {
        struct clopt_nodes body = {0};
        if (!part)
            clopt_nodes_add(source, &body, comment);
        add_part(fission, part, &body);
        const struct clopt_cloning cloning = {.source = source, .plain = part > 0};
        struct clopt_node *copy = clopt_clone(&cloning, target);
        clopt_replace_by(source, target == loop ? copy->body : copy->body->body, "{ $N }", &body);
        clopt_nodes_add(source, &loops, copy);
    }
    clopt_replace(source, target, clopt_build(source, loop, "$N", &loops));
}

static enum clopt_status change(void *user, struct clopt_rewriting *rewriting,
                                struct clopt_node *loop, struct clopt_error *error)
{
    struct fission fission = {.source = rewriting->source, .loop = loop};
    enum clopt_status status = plan(&fission, error);
    (void)user;
    if (!status)
        split(&fission);
    for (size_t i = 0; i < fission.count; i++)
        clopt_accesses_fini(&fission.statements[i].accesses);
    return status;
}

enum clopt_status fission_apply(struct clopt_transform *transform, const char *loops,
                                unsigned factor, struct clopt_error *error)
{
    CLOPT_TRY(counted_apply(transform, loops, error));
    return clopt_loops_rewrite(transform, loops, factor, change, NULL, error);
}
