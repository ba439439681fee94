/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a kernel for merged work-items. */
#include "replicate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void emit(struct replication *replication, const struct clopt_node *node);

/* ---- names ---- */

static const char *name_of(void *user, const struct clopt_variable *variable)
{
    const struct replication *replication = user;
    if (!replication->replica)
        return NULL;
    if (variable->declarator && variable->declarator->begin >= replication->region_begin &&
        variable->declarator->begin < replication->region_end)
        return NULL;
    return replication->names[variable->index * replication->request.factor + replication->replica];
}

static bool choose_names(struct replication *replication)
{
    struct clopt_source *source = replication->source;
    unsigned factor = replication->request.factor;
    for (size_t i = 0; i < clopt_source_variable_count(source); i++) {
        const struct clopt_variable *variable = clopt_source_variable(source, i);
        if (!clopt_variable_diverges(replication->divergence, variable))
            continue;
        for (unsigned r = 1; r < factor; r++) {
            const char *name = clopt_source_fresh(source, variable->name, r);
            if (!name)
                return false;
            replication->names[i * factor + r] = name;
        }
    }
    return true;
}

/* ---- expressions ---- */

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct replication *replication = user;
    if (node->kind == CLOPT_NODE_RETURN && replication->leave) {
        clopt_output_printf(output, "goto %s;", replication->leave);
        replication->left = true;
        return true;
    }
    return clopt_merging_replace(replication->merging, &replication->printer, output, node,
                                 replication->replica);
}

static void put(struct replication *replication, const char *text)
{
    clopt_output_put(replication->output, text);
}

static void copy(struct replication *replication, size_t begin, size_t end)
{
    clopt_output_copy(replication->output, replication->source, begin, end);
}

static void print(struct replication *replication, const struct clopt_node *node)
{
    clopt_print(&replication->printer, replication->output, node);
}

static bool diverges(const struct replication *replication, const struct clopt_node *node)
{
    return clopt_node_diverges(replication->divergence, node);
}

static bool is_comma(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_BINARY && strcmp(node->operator, ",") == 0;
}

/* Puts an expression for each replica, or once if they all agree on it. The parts of a comma
 * expression, which come one after the other anyhow, are looked at one by one. */
static void put_replicas(struct replication *replication, const struct clopt_node *node,
                         const char *separator)
{
    if (is_comma(node)) {
        put_replicas(replication, node->children[0], separator);
        put(replication, separator);
        put_replicas(replication, node->children[1], separator);
        return;
    }
    unsigned count = diverges(replication, node) ? replication->request.factor : 1;
    if (count > 1 && replication->active &&
        (clopt_node_effects(node) & ~(unsigned)CLOPT_EFFECT_PRIVATE_WRITE))
        replication->unguarded = node;
    for (unsigned r = 0; r < count; r++) {
        put(replication, r ? separator : "");
        replication->replica = r;
        clopt_print(&replication->printer, replication->output, node);
    }
    replication->replica = 0;
}

/* ---- statements ---- */

static bool declares_divergent(const struct replication *replication,
                               const struct clopt_node *declare)
{
    for (size_t i = 0; i < declare->child_count; i++)
        if (clopt_variable_diverges(replication->divergence, declare->children[i]->variable))
            return true;
    return false;
}

/* Puts a declaration for the current replica. One that has left must not read memory, where it may
 * not have been allowed to. */
static void put_declarator(struct replication *replication, const struct clopt_node *declarator)
{
    const struct clopt_node *value = declarator->condition;
    bool split = replication->active && value && value->kind != CLOPT_NODE_LIST &&
                 !declarator->variable->is_array &&
                 (clopt_node_effects(value) & ~(unsigned)CLOPT_EFFECT_PRIVATE_WRITE);
    clopt_print_declarator(&replication->printer, replication->output, declarator, !split);
    if (!split)
        return;
    const char *name = name_of(replication, declarator->variable);
    clopt_output_printf(replication->output,
                        "\nif (%s)\n%s = ", replication->active[replication->replica],
                        name ? name : declarator->variable->name);
    print(replication, value);
    put(replication, ";");
}

static void emit_declare(struct replication *replication, const struct clopt_node *node)
{
    if (!declares_divergent(replication, node)) {
        print(replication, node);
        return;
    }
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *declarator = node->children[i];
        bool each = clopt_variable_diverges(replication->divergence, declarator->variable);
        for (unsigned r = 0; r < (each ? replication->request.factor : 1); r++) {
            put(replication, i || r ? "\n" : "");
            replication->replica = r;
            put_declarator(replication, declarator);
        }
        replication->replica = 0;
    }
}

/* Starts the statement of a replica that may have left. */
static void put_guard(struct replication *replication, unsigned replica)
{
    if (replication->active)
        clopt_output_printf(replication->output, "if (%s)\n", replication->active[replica]);
}

/* An expression statement; the parts of a comma become statements of their own. */
static void emit_expression(struct replication *replication, const struct clopt_node *node)
{
    bool whole = node->stop > node->end; /* prints with its semicolon */
    if (diverges(replication, node) && is_comma(node)) {
        emit_expression(replication, node->children[0]);
        put(replication, "\n");
        emit_expression(replication, node->children[1]);
        return;
    }
    unsigned count = diverges(replication, node) ? replication->request.factor : 1;
    for (unsigned r = 0; r < count; r++) {
        put(replication, r ? "\n" : "");
        if (count > 1)
            put_guard(replication, r);
        replication->replica = r;
        print(replication, node);
        put(replication, whole ? "" : ";");
    }
    replication->replica = 0;
}

/* Puts a statement for each replica, as a whole. */
static void emit_region(struct replication *replication, const struct clopt_node *node,
                        size_t prefix_begin)
{
    replication->region_begin = node->begin;
    replication->region_end = node->stop;
    for (unsigned r = 0; r < replication->request.factor; r++) {
        if (r) {
            put(replication, "\n");
            copy(replication, prefix_begin, node->begin);
        }
        replication->replica = r;
        if (replication->active)
            clopt_output_printf(replication->output, "if (%s) {\n", replication->active[r]);
        print(replication, node);
        put(replication, replication->active ? "\n}" : "");
    }
    replication->replica = 0;
    replication->region_begin = replication->region_end = 0;
}

static void emit_list(struct replication *replication, const struct clopt_node *node)
{
    size_t at = node->begin;
    for (size_t i = 0; i < node->child_count; i++) {
        copy(replication, at, node->children[i]->begin);
        emit(replication, node->children[i]);
        at = node->children[i]->stop;
    }
    copy(replication, at, node->stop);
}

static bool needs_braces(const struct replication *replication, const struct clopt_node *node)
{
    return node->kind != CLOPT_NODE_COMPOUND && node->kind != CLOPT_NODE_EMPTY &&
           diverges(replication, node);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Copies what stands between two parts of a statement, on the line of the braces around it. */
static void copy_joint(struct replication *replication, size_t begin, size_t end, bool behind,
                       bool before)
{
    const char *text = clopt_source_text(replication->source);
    while (behind && begin < end && is_blank(text[begin]))
        begin++;
    size_t last = end;
    while (before && last > begin && is_blank(text[last - 1]))
        last--;
    bool comment = false;
    for (size_t i = begin; i + 1 < last; i++)
        comment |= text[i] == '/' && text[i + 1] == '/';
    if (comment)
        last = end; /* it would swallow the brace */
    put(replication, behind ? " " : "");
    copy(replication, begin, last);
    put(replication, before && last > begin ? " " : "");
}

/* Puts what an if or a loop holds, in braces where it may become several statements. */
static void emit_held(struct replication *replication, const struct clopt_node *node)
{
    bool bare = needs_braces(replication, node);
    put(replication, bare ? "{\n" : "");
    emit(replication, node);
    put(replication, bare ? "\n}" : "");
}

/* Makes an arm end with a barrier. PoCL 3.1 miscompiles two arms of which one holds a barrier and a
 * branch on the work-item's identity, unless both end with a barrier. */
static void emit_arm(struct replication *replication, const struct clopt_node *node)
{
    put(replication, "{\n");
    emit(replication, node);
    put(replication, "\nbarrier(CLK_LOCAL_MEM_FENCE);\n}");
}

static bool holds_region(const struct replication *replication, const struct clopt_node *node)
{
    if (clopt_node_is_region(replication->divergence, node))
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (holds_region(replication, node->children[i]))
            return true;
    return false;
}

static void emit_if(struct replication *replication, const struct clopt_node *node)
{
    const struct clopt_node *otherwise = node->otherwise;
    bool arms = otherwise && clopt_node_find_collective(node) && holds_region(replication, node);
    bool chain = otherwise && !arms && otherwise->kind == CLOPT_NODE_IF &&
                 !clopt_node_is_region(replication->divergence, otherwise);
    bool braces = arms || needs_braces(replication, node->body);
    copy(replication, node->begin, node->condition->begin);
    print(replication, node->condition);
    copy_joint(replication, node->condition->end, node->body->begin, false, braces);
    if (arms)
        emit_arm(replication, node->body);
    else
        emit_held(replication, node->body);
    if (!otherwise)
        return;
    copy_joint(replication, node->body->stop, otherwise->begin, braces,
               arms || (!chain && needs_braces(replication, otherwise)));
    if (arms)
        emit_arm(replication, otherwise);
    else if (chain)
        emit(replication, otherwise);
    else
        emit_held(replication, otherwise);
}

static void emit_for(struct replication *replication, const struct clopt_node *node)
{
    const struct clopt_node *init = node->init;
    bool declares = init && init->kind == CLOPT_NODE_DECLARE;
    bool outside = declares && declares_divergent(replication, init);
    if (outside) {
        put(replication, "{\n");
        emit_declare(replication, init);
        put(replication, "\n");
    }
    put(replication, "for (");
    if (declares && !outside)
        print(replication, init);
    else if (init && !outside)
        put_replicas(replication, init, ", ");
    put(replication, declares && !outside ? "" : ";");
    if (node->condition) {
        put(replication, " ");
        print(replication, node->condition);
    }
    put(replication, ";");
    if (node->step) {
        put(replication, " ");
        put_replicas(replication, node->step, ", ");
    }
    put(replication, ") ");
    emit_held(replication, node->body);
    put(replication, outside ? "\n}" : "");
}

static void emit_loop(struct replication *replication, const struct clopt_node *node)
{
    const struct clopt_node *first = node->kind == CLOPT_NODE_DO ? node->body : node->condition;
    const struct clopt_node *second = node->kind == CLOPT_NODE_DO ? node->condition : node->body;
    copy(replication, node->begin, first->begin);
    if (first == node->body)
        emit_held(replication, first);
    else
        print(replication, first);
    bool behind = first == node->body && needs_braces(replication, first);
    bool before = second == node->body && needs_braces(replication, second);
    copy_joint(replication, first == node->body ? first->stop : first->end, second->begin, behind,
               before);
    if (second == node->body)
        emit_held(replication, second);
    else
        print(replication, second);
    if (second != node->body)
        copy(replication, second->end, node->stop);
}

static void emit(struct replication *replication, const struct clopt_node *node)
{
    if (clopt_node_is_region(replication->divergence, node)) {
        emit_region(replication, node, node->begin);
        return;
    }
    switch (node->kind) {
    case CLOPT_NODE_COMPOUND:
        emit_list(replication, node);
        break;
    case CLOPT_NODE_DECLARE:
        emit_declare(replication, node);
        break;
    case CLOPT_NODE_IF:
        emit_if(replication, node);
        break;
    case CLOPT_NODE_FOR:
        emit_for(replication, node);
        break;
    case CLOPT_NODE_WHILE:
    case CLOPT_NODE_DO:
        emit_loop(replication, node);
        break;
    case CLOPT_NODE_ATTRIBUTED:
        copy(replication, node->begin, node->body->begin);
        if (clopt_node_is_region(replication->divergence, node->body))
            emit_region(replication, node->body, node->begin);
        else
            emit(replication, node->body);
        break;
    default:
        if (clopt_node_is_expression(node))
            emit_expression(replication, node);
        else
            print(replication, node);
        break;
    }
}

/* ---- early returns ---- */

static bool is_bare_return(const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_COMPOUND && node->child_count == 1)
        node = node->children[0];
    return node->kind == CLOPT_NODE_RETURN;
}

static bool is_early_return(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_IF && !node->otherwise && is_bare_return(node->body);
}

static bool holds_return(const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_RETURN)
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (holds_return(node->children[i]))
            return true;
    return false;
}

/* Puts the statements of the kernel's body from number `first` on for one replica: `if (c) return;`
 * guards what follows, other returns leave by a label. */
static void emit_rest(struct replication *replication, const struct clopt_node *body, size_t first)
{
    unsigned open = 0;
    for (size_t i = first; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (i > first)
            copy(replication, body->children[i - 1]->stop, node->begin);
        if (is_early_return(node)) {
            put(replication, "if (!(");
            print(replication, node->condition);
            put(replication, ")) {");
            open++;
        } else {
            print(replication, node);
        }
    }
    put(replication, "\n");
    for (; open; open--)
        put(replication, "}\n");
}

static enum clopt_status emit_guarded(struct replication *replication,
                                      const struct clopt_node *body, size_t first,
                                      struct clopt_error *error)
{
    replication->region_begin = body->children[first]->begin;
    replication->region_end = body->stop;
    for (unsigned r = 0; r < replication->request.factor; r++) {
        const char *label = clopt_source_fresh(replication->source, "done", r);
        if (!label)
            return clopt_fail(error, CLOPT_FAILED, "out of memory");
        replication->replica = r;
        replication->leave = label;
        replication->left = false;
        put(replication, r ? "\n" : "");
        put_guard(replication, r);
        put(replication, "{\n");
        emit_rest(replication, body, first);
        if (replication->left)
            clopt_output_printf(replication->output, "%s:;\n", label);
        put(replication, "}");
    }
    put(replication, "\n}");
    replication->replica = 0;
    replication->leave = NULL;
    return CLOPT_OK;
}

/* Puts `if (c) return;` for work-items that meet again behind it: who returns is remembered, and
 * the merged work-item stays as long as one of them does. */
static bool emit_leaving(struct replication *replication, const struct clopt_node *node)
{
    unsigned factor = replication->request.factor;
    bool first = !replication->active;
    for (unsigned r = 0; first && r < factor; r++) {
        replication->flags[r] = clopt_source_fresh(replication->source, "active", r);
        if (!replication->flags[r])
            return false;
    }
    replication->active = replication->flags;
    for (unsigned r = 0; r < factor; r++) {
        const char *flag = replication->active[r];
        replication->replica = r;
        clopt_output_printf(replication->output, first ? "int %s = !(" : "%s = %s && !(", flag,
                            flag);
        print(replication, node->condition);
        put(replication, ");\n");
    }
    replication->replica = 0;
    put(replication, "if (!(");
    for (unsigned r = 0; r < factor; r++)
        clopt_output_printf(replication->output, "%s%s", r ? " || " : "", replication->active[r]);
    put(replication, "))\nreturn;");
    return true;
}

/* ---- the whole ---- */

/* A region is executed by one merged work-item after the other, so nothing in it may wait. */
static enum clopt_status check_waiting(const struct replication *replication,
                                       const struct clopt_node *node, struct clopt_error *error)
{
    const struct clopt_divergence *divergence = replication->divergence;
    if (clopt_node_is_region(divergence, node)) {
        const struct clopt_node *call = clopt_node_find_collective(node);
        if (call)
            return clopt_source_refuse(replication->source, call, error,
                                       "%s inside a divergent region", call->name);
        return CLOPT_OK;
    }
    if (clopt_call_is_collective(node) && clopt_node_diverges(divergence, node))
        return clopt_source_refuse(replication->source, node, error,
                                   "%s with arguments that diverge", node->name);
    for (size_t i = 0; i < node->child_count; i++) {
        enum clopt_status status = check_waiting(replication, node->children[i], error);
        if (status)
            return status;
    }
    return CLOPT_OK;
}

/* Whether only some work-items return from a statement of the body. */
static bool is_left(const struct replication *replication, const struct clopt_node *node)
{
    return clopt_node_is_region(replication->divergence, node) && holds_return(node);
}

static const struct clopt_node *find_meeting(const struct clopt_node *body, size_t first)
{
    const struct clopt_node *call = NULL;
    for (size_t i = first; i < body->child_count && !call; i++)
        call = clopt_node_find_collective(body->children[i]);
    return call;
}

/* Work-items may meet again only behind a plain `if (c) return;`. */
static enum clopt_status check_leaving(const struct replication *replication,
                                       const struct clopt_node *body, struct clopt_error *error)
{
    for (size_t i = 0; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        if (!is_left(replication, node) || is_early_return(node))
            continue;
        const struct clopt_node *call = find_meeting(body, i + 1);
        if (call)
            return clopt_source_refuse(replication->source, call, error,
                                       "%s behind a return that diverges, in line %u", call->name,
                                       clopt_source_line(replication->source, node));
    }
    return CLOPT_OK;
}

/* Puts copies of the parameters that come to differ. */
static void emit_parameters(struct replication *replication)
{
    const struct clopt_function *kernel = clopt_source_kernel(replication->source);
    for (size_t i = 0; i < kernel->parameter_count; i++) {
        const struct clopt_variable *parameter = kernel->parameters[i];
        if (!clopt_variable_diverges(replication->divergence, parameter))
            continue;
        for (unsigned r = 1; r < replication->request.factor; r++) {
            const char *name =
                replication->names[parameter->index * replication->request.factor + r];
            put(replication, "\n");
            for (const char *at = parameter->type; *at;) {
                size_t skip = strncmp(at, "restrict", 8) == 0    ? 8
                              : strncmp(at, "__private", 9) == 0 ? 9
                                                                 : 0;
                at += skip;
                if (!skip)
                    clopt_output_printf(replication->output, "%c", *at++);
            }
            clopt_output_printf(replication->output, " %s = %s;", name, parameter->name);
        }
    }
}

enum clopt_status replicate_kernel(struct replication *replication, struct clopt_error *error)
{
    const struct clopt_node *body = clopt_source_kernel(replication->source)->body;
    enum clopt_status status = check_leaving(replication, body, error);
    if (!status)
        status = check_waiting(replication, body, error);
    if (status)
        return status;
    const char *flags[COARSENING_MOST] = {NULL};
    replication->flags = flags;
    put(replication, "{");
    emit_parameters(replication);
    size_t at = body->begin + 1;
    for (size_t i = 0; i < body->child_count; i++) {
        const struct clopt_node *node = body->children[i];
        copy(replication, at, node->begin);
        at = node->stop;
        if (!is_left(replication, node))
            emit(replication, node);
        else if (!find_meeting(body, i + 1))
            return emit_guarded(replication, body, i, error);
        else if (!emit_leaving(replication, node))
            return clopt_fail(error, CLOPT_FAILED, "out of memory");
    }
    copy(replication, at, body->stop);
    if (replication->unguarded)
        return clopt_source_refuse(replication->source, replication->unguarded, error,
                                   "memory access in the head of a loop behind a return that "
                                   "diverges");
    return CLOPT_OK;
}

enum clopt_status replicate_init(struct replication *replication, struct clopt_error *error)
{
    struct clopt_source *source = replication->source;
    size_t variables = clopt_source_variable_count(source);
    replication->names =
        calloc(variables * replication->request.factor + 1, sizeof *replication->names);
    replication->printer = (struct clopt_printer){source, replication, name_of, replace};
    if (!replication->names || !choose_names(replication)) {
        replicate_fini(replication);
        return clopt_fail(error, CLOPT_FAILED, "out of memory");
    }
    return CLOPT_OK;
}

void replicate_fini(struct replication *replication)
{
    free(replication->names);
    replication->names = NULL;
}
