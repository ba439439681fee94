/* SPDX-License-Identifier: BSD-3-Clause */
/* Returns that only some of the merged work-items take. */
#include "leave.h"

#include <string.h>

#include "fuse.h"
#include "statement.h"

/* Puts the statements of the kernel's body from number `first` on for one replica: `if (c) return;`
 * guards what follows, other returns leave by a label. */
static void emit_rest(struct replication *replication, const struct clopt_node *body, size_t first)
{
    unsigned open = 0;
    for (size_t i = first; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (i > first)
            replication_copy(replication, body->children[i - 1]->stop, node->begin);
        if (clopt_node_is_early_return(node)) {
            replication_put(replication, "if (!(");
            replication_print(replication, node->condition);
            replication_put(replication, ")) {");
            open++;
        } else {
            replication_print(replication, node);
        }
    }
    replication_put(replication, "\n");
    for (; open; open--)
        replication_put(replication, "}\n");
}

/* Where the blanks end that start at an offset. */
static size_t skip_blanks(const struct replication *replication, size_t at)
{
    const char *text = clopt_source_text(replication->source);
    return at + strspn(text + at, " \t\r\n");
}

/* Puts what follows a return that not all take for one replica after the other. */
static void emit_apart(struct replication *replication, const struct clopt_node *body, size_t first)
{
    replication->region_begin = body->children[first]->begin;
    replication->region_end = body->stop;
    for (unsigned r = 0; r < replication->request.factor; r++) {
        const char *label = clopt_source_fresh(replication->source, "done", r);
        replication->exhausted |= !label;
        replication->replica = r;
        replication->leave = label;
        replication->left = false;
        replication_put(replication, r ? "\n" : "");
        statement_put_guard(replication, r);
        replication_put(replication, "{\n");
        emit_rest(replication, body, first);
        if (replication->left)
            clopt_output_printf(replication->output, "%s:;\n", label);
        replication_put(replication, "}");
    }
    replication->replica = 0;
    replication->leave = NULL;
    replication->region_begin = replication->region_end = 0;
}

/* Puts a return that not all take and what follows it, where they need not meet again: all
 * together where nobody returns. */
static void emit_guarded(struct replication *replication, const struct clopt_node *body,
                         size_t first)
{
    const struct clopt_node *node = body->children[first];
    struct fusion fusion;
    if (replication->active || !clopt_node_is_early_return(node) ||
        !fuse_may_stay(replication, node)) {
        emit_apart(replication, body, first);
        return;
    }
    replication_put(replication, "if (");
    fuse_put_none(replication, node->condition);
    replication_put(replication, ") {\n");
    if (fuse_enter(replication, node, body->stop, &fusion)) {
        leave_emit_body(replication, body, first + 1, skip_blanks(replication, node->stop));
        fuse_leave(replication, &fusion);
    }
    replication_put(replication, "\n} else {\n");
    emit_apart(replication, body, first);
    replication_put(replication, "\n}");
}

/* Puts that a replica stays only where a condition fails. */
static void put_staying(struct replication *replication, const struct clopt_node *condition,
                        unsigned replica)
{
    bool first = !replication->flags[replica];
    if (first)
        replication->flags[replica] = clopt_source_fresh(replication->source, "active", replica);
    const char *flag = replication->flags[replica];
    replication->exhausted |= !flag;
    replication->replica = replica;
    clopt_output_printf(replication->output, first ? "int %s = !(" : "%s = %s && !(", flag, flag);
    replication_print(replication, condition);
    replication_put(replication, ");\n");
    replication->replica = 0;
}

/* Puts `if (c) return;` for work-items that meet again behind it: who returns is remembered, and
 * the merged work-item stays as long as one of them does. */
static void emit_leaving(struct replication *replication, const struct clopt_node *node)
{
    unsigned factor = replication->request.factor;
    /* The first of merged groups is there in any case; that others are is asked first. */
    unsigned begin = replication->request.groups && !replication->active;
    replication->active = replication->flags;
    for (unsigned r = begin; r < factor; r++)
        put_staying(replication, node->condition, r);
    if (begin)
        return;
    replication_put(replication, "if (!(");
    for (unsigned r = 0; r < factor; r++)
        clopt_output_printf(replication->output, "%s%s", r ? " || " : "", replication->active[r]);
    replication_put(replication, "))\nreturn;");
}

/* Whether only some work-items return from a statement of the body. */
static bool is_left(const struct replication *replication, const struct clopt_node *node)
{
    return clopt_node_is_region(replication->divergence, node) && clopt_node_holds_return(node);
}

static const struct clopt_node *find_meeting(const struct clopt_node *body, size_t first)
{
    const struct clopt_node *call = NULL;
    for (size_t i = first; i < body->child_count && !call; i++)
        call = clopt_node_find_collective(body->children[i]);
    return call;
}

enum clopt_status leave_check(const struct replication *replication, const struct clopt_node *body,
                              struct clopt_error *error)
{
    for (size_t i = 0; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (!is_left(replication, node) || clopt_node_is_early_return(node))
            continue;
        const struct clopt_node *call = find_meeting(body, i + 1);
        if (call)
            return clopt_source_refuse(replication->source, call, error,
                                       "%s behind a return that diverges, in line %u", call->name,
                                       clopt_source_line(replication->source, node));
    }
    return CLOPT_OK;
}

/* Puts what stands between two statements. What groups_prepare put in stands in one line. */
static void put_gap(struct replication *replication, size_t begin, size_t end)
{
    const char *text = clopt_source_text(replication->source);
    if (replication->request.groups && !memchr(text + begin, '\n', end - begin))
        replication_put(replication, "\n");
    replication_copy(replication, begin, end);
}

void leave_emit_body(struct replication *replication, const struct clopt_node *body, size_t first,
                     size_t at)
{
    for (size_t i = first; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        put_gap(replication, at, node->begin);
        at = node->stop;
        size_t versioned = fuse_active(replication, body, i);
        if (versioned) {
            i += versioned - 1;
            at = body->children[i]->stop;
        } else if (!is_left(replication, node)) {
            statement_emit(replication, node);
        } else if (find_meeting(body, i + 1)) {
            emit_leaving(replication, node);
        } else {
            emit_guarded(replication, body, i);
            replication_put(replication, "\n");
            return;
        }
    }
    size_t end = body->end - 1;
    const char *text = clopt_source_text(replication->source);
    while (replication->fused && end > at && strchr(" \t\r\n", text[end - 1]))
        end--;
    replication_copy(replication, at, end);
}
