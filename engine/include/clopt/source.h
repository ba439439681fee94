/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads OpenCL C, and tells what it does: what optimizations rewrite with. */
#pragma once

#include <clopt/optimization.h>
#include <clopt/tree.h>

/* Where the lines of a rewritten text come from: which lines of the user's. */
struct clopt_lines;

/* Parses a program and builds the tree of one kernel and of all functions that it reaches.
 * CLOPT_INVALID quotes what clang finds wrong with a user's text, CLOPT_FAILED with a rewritten
 * one; CLOPT_INFEASIBLE names a construct that clopt does not know, with its line. `file` is for
 * messages and for #include. `lines`: NULL for a text that a user wrote; for a rewritten one, those
 * of its transform, so that lines are those of the user's file. */
CLOPT_API enum clopt_status clopt_source_create(const char *file, const char *text,
                                                const struct clopt_lines *lines,
                                                const char *options, const char *kernel,
                                                struct clopt_source **source,
                                                struct clopt_error *error);
CLOPT_API void clopt_source_destroy(struct clopt_source *source);
CLOPT_HOLDER(clopt_source, clopt_source_destroy);

/* Returns a table of `count` zeros of `size` bytes, such as one item a node or variable, which
 * belongs to the source. */
CLOPT_API void *clopt_source_table(const struct clopt_source *source, size_t count, size_t size);

/* Tells the line of a node in the user's own file. */
CLOPT_API unsigned clopt_source_line(const struct clopt_source *source,
                                     const struct clopt_node *node);

/* Fails with CLOPT_INFEASIBLE and "file:line: reason". */
CLOPT_API enum clopt_status clopt_source_refuse(const struct clopt_source *source,
                                                const struct clopt_node *node,
                                                struct clopt_error *error, const char *format, ...)
    CLOPT_PRINTF(4, 5);

/* Reads the local size that the kernel's reqd_work_group_size demands; false where it has none. */
CLOPT_API bool clopt_kernel_required_size(const struct clopt_source *source, size_t size[3]);

/* ---- what a file holds, before a kernel is chosen ---- */

/* A macro of a program that its user is to set. */
struct clopt_outline_macro {
    const char *name;
    const char *value; /* the program's own default, or what lets it be parsed */
    bool has_default;  /* #ifndef NAME, #define NAME VALUE */
    bool is_type;      /* its value is a type */
    bool sizes_groups; /* by its name, it is the local size of every dimension, or of one: */
    int dimension;     /* -1: of every one */
};

struct clopt_outline {
    const char **kernels; /* names, in the order of the file */
    size_t kernel_count;
    unsigned dimensions;                /* that the file's identities have, at most */
    struct clopt_outline_macro *macros; /* in the order in which they are met */
    size_t macro_count;
    const char *options;  /* those given, the standard, and -D for each macro without a default */
    const char *standard; /* "-cl-std=CL2.0", without which it cannot be read; NULL: none */
};

/* ---- what nodes are and do ---- */

static inline bool clopt_node_is_expression(const struct clopt_node *node)
{
    return node->kind >= CLOPT_NODE_LITERAL;
}

static inline bool clopt_node_is_loop(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_FOR || node->kind == CLOPT_NODE_WHILE ||
           node->kind == CLOPT_NODE_DO;
}

/* Whether a node is a loop that may have more than one iteration: none of macros'
 * do { } while (0). */
static inline bool clopt_node_repeats(const struct clopt_node *node)
{
    return clopt_node_is_loop(node) &&
           !(node->kind == CLOPT_NODE_DO && node->condition->known && node->condition->value == 0);
}

/* Whether a node has an operator, such as "+" or "*="; "++" is a prefix and a postfix. */
static inline bool clopt_node_is_operator(const struct clopt_node *node, const char *op)
{
    return strcmp(node->op, op) == 0;
}

/* Whether an element is what vload_half(i, p) reads, which is a float: it is printed so. */
static inline bool clopt_node_is_loaded(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_SUBSCRIPT && node->name;
}

/* What a variable always is; NULL: it is written elsewhere, too, or that is not known. */
static inline const struct clopt_node *clopt_variable_value(const struct clopt_variable *variable)
{
    const struct clopt_node *value = variable->writes == 1 ? variable->value : NULL;
    const struct clopt_node *parent = value ? value->parent : NULL; /* NULL: it was replaced */
    return parent && (parent->kind != CLOPT_NODE_ASSIGN || parent->op[0] == '=') ? value : NULL;
}

/* Whether a node is && or ||. */
static inline bool clopt_node_is_logical(const struct clopt_node *node)
{
    return clopt_node_is_operator(node, "&&") || clopt_node_is_operator(node, "||");
}

/* Whether a child of a node that is no loop is evaluated only where its condition says so. */
static inline bool clopt_node_chooses(const struct clopt_node *node, const struct clopt_node *child)
{
    switch (node->kind) {
    case CLOPT_NODE_IF:
    case CLOPT_NODE_SWITCH:
        return child != node->condition;
    case CLOPT_NODE_CONDITIONAL:
        return child != node->children[0];
    case CLOPT_NODE_BINARY:
        return child != node->children[0] && clopt_node_is_logical(node);
    default:
        return false;
    }
}

/* Whether a node compares two values. */
static inline bool clopt_node_compares(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_BINARY && strchr("<>=!", *node->op) &&
           !clopt_node_is_operator(node, "<<") && !clopt_node_is_operator(node, ">>");
}

/* Calls `part` for what is known where a condition holds, or where it does not: for all that && (or
 * ||) joins, whether each holds, but for ! and parentheses. Ends with false once a call does. */
typedef bool (*clopt_condition_part)(void *user, const struct clopt_node *node, bool holds);
CLOPT_API bool clopt_condition_parts(const struct clopt_node *condition, bool holds,
                                     clopt_condition_part part, void *user);

/* Whether a node is ++ or --. */
static inline bool clopt_node_is_step(const struct clopt_node *node)
{
    return (node->kind == CLOPT_NODE_UNARY || node->kind == CLOPT_NODE_POSTFIX) &&
           (clopt_node_is_operator(node, "++") || clopt_node_is_operator(node, "--"));
}

/* Returns the node that follows in the order of the text, of `top` and all that it holds; NULL
 * after the last one. */
CLOPT_API struct clopt_node *clopt_node_next(const struct clopt_node *node,
                                             const struct clopt_node *top);

/* Returns the first node that passes a test, of a node and all that it holds; NULL where none does.
 */
typedef bool (*clopt_node_test)(const struct clopt_node *node, const void *user);
CLOPT_API const struct clopt_node *clopt_node_search(const struct clopt_node *node,
                                                     clopt_node_test test, const void *user);

/* The same for the first node of a kind. */
static inline const struct clopt_node *clopt_node_find(const struct clopt_node *top,
                                                       enum clopt_node_kind kind)
{
    const struct clopt_node *node = top;
    while (node && node->kind != kind)
        node = clopt_node_next(node, top);
    return node;
}

/* Whether a node is a[i] or *p, wherever that is; a test for searches. */
static inline bool clopt_node_is_lvalue(const struct clopt_node *node, const void *user)
{
    (void)user;
    return node->kind == CLOPT_NODE_SUBSCRIPT ||
           (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "*"));
}

/* Whether a node reads or writes memory: a whole a[i][j], *p, p->m, or a variable that is shared by
 * a work-group; a test for searches. */
static inline bool clopt_node_is_memory(const struct clopt_node *node, const void *user)
{
    (void)user;
    bool arrow = node->kind == CLOPT_NODE_MEMBER && clopt_node_is_operator(node, "->");
    if (node->kind == CLOPT_NODE_VARIABLE)
        return node->variable->space != CLOPT_SPACE_PRIVATE && !node->variable->is_array;
    return (arrow || clopt_node_is_lvalue(node, NULL)) && !node->is_array;
}

/* Whether a node names a variable; a test for searches. */
static inline bool clopt_node_names(const struct clopt_node *node, const void *variable)
{
    return node->kind == CLOPT_NODE_VARIABLE && node->variable == variable;
}

/* Whether an expression leads to memory: a pointer, or an array. */
static inline bool clopt_node_is_address(const struct clopt_node *node)
{
    return node->is_pointer || node->is_array;
}

/* The number of nodes of a tree. */
static inline size_t clopt_node_count(const struct clopt_node *node)
{
    size_t count = 0;
    for (const struct clopt_node *at = node; at; at = clopt_node_next(at, node))
        count++;
    return count;
}

/* The node that parentheses are around; itself where there are none. */
static inline const struct clopt_node *clopt_node_bare(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_PAREN)
        node = node->children[0];
    return node;
}

/* What a member, a component or what is in parentheses is a part of. */
static inline const struct clopt_node *clopt_node_whole(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_SWIZZLE || node->kind == CLOPT_NODE_PAREN ||
           (node->kind == CLOPT_NODE_MEMBER && *node->op == '.'))
        node = node->children[0];
    return node;
}

/* The body of the function that a node is in. */
static inline const struct clopt_node *clopt_node_function(const struct clopt_node *node)
{
    while (node->parent)
        node = node->parent;
    return node;
}

/* Whether a node is a number, known or written as one: that. */
CLOPT_API bool clopt_node_number(const struct clopt_source *source, const struct clopt_node *node,
                                 double *number);

/* Which one of its parent's children a node is. */
static inline size_t clopt_node_position(const struct clopt_node *node)
{
    size_t number = node->number; /* where it was last */
    if (number >= node->parent->child_count || node->parent->children[number] != node)
        for (number = 0; node->parent->children[number] != node;)
            number++;
    return number;
}

/* Whether a node is a statement of a list, or what an if, a loop or the like holds. */
static inline bool clopt_node_is_statement(const struct clopt_node *node)
{
    const struct clopt_node *parent = node->parent;
    return parent && (parent->kind == CLOPT_NODE_COMPOUND || parent->body == node ||
                      parent->otherwise == node);
}

/* What an assignment, ++ or -- writes; NULL for other nodes. */
static inline const struct clopt_node *clopt_node_written(const struct clopt_node *node)
{
    bool writes = node->kind == CLOPT_NODE_ASSIGN || clopt_node_is_step(node);
    return writes ? clopt_node_bare(node->children[0]) : NULL;
}

/* Whether a statement declares local memory, which only the kernel's outermost block may do. */
static inline bool clopt_node_declares_local(const struct clopt_node *node)
{
    return node->kind == CLOPT_NODE_DECLARE && node->child_count &&
           node->children[0]->variable->space == CLOPT_SPACE_LOCAL;
}

/* Whether a node calls a function of a name. */
static inline bool clopt_node_calls(const struct clopt_node *node, const char *name)
{
    return node->kind == CLOPT_NODE_CALL && strcmp(node->name, name) == 0;
}

/* Whether a node is a barrier of a work-group. */
static inline bool clopt_node_is_barrier(const struct clopt_node *node)
{
    return clopt_node_calls(node, "barrier") || clopt_node_calls(node, "work_group_barrier");
}

/* The dimension in which a node calls a function such as get_global_id; 3: it does not, or in one
 * that is no constant. */
static inline unsigned clopt_node_dimension(const struct clopt_node *node, const char *name)
{
    const struct clopt_node *argument = node->child_count == 1 ? node->children[0] : NULL;
    bool known = clopt_node_calls(node, name) && argument && argument->known &&
                 argument->value >= 0 && argument->value < 3;
    return known ? (unsigned)argument->value : 3;
}

/* Whether a node asks for a number of work-items or groups, which is 1 or more. */
static inline bool clopt_node_asks_size(const struct clopt_node *node)
{
    return clopt_node_calls(node, "get_global_size") || clopt_node_calls(node, "get_local_size") ||
           clopt_node_calls(node, "get_num_groups");
}

/* The dimension in which an expression of so many bits at least is the global identity:
 * get_global_id(d), or get_group_id(d) * get_local_size(d) + get_local_id(d), as they are or by
 * names that do not change; 3: it is none. */
CLOPT_API unsigned clopt_node_identity(const struct clopt_node *node, unsigned bits);

/* The dimension of an expression get_global_id(d) - get_local_id(d), which is the same for a whole
 * work-group; 3: it is none. */
static inline unsigned clopt_node_group_begin(const struct clopt_node *node)
{
    if (node->kind != CLOPT_NODE_BINARY || !clopt_node_is_operator(node, "-"))
        return 3;
    unsigned dimension = clopt_node_dimension(clopt_node_bare(node->children[0]), "get_global_id");
    bool same =
        clopt_node_dimension(clopt_node_bare(node->children[1]), "get_local_id") == dimension;
    return same ? dimension : 3;
}

/* Whether a statement ends with a return, break or continue. */
static inline bool clopt_node_leaves(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_COMPOUND && node->child_count)
        node = node->children[node->child_count - 1];
    return node->kind == CLOPT_NODE_RETURN || node->kind == CLOPT_NODE_BREAK ||
           node->kind == CLOPT_NODE_CONTINUE;
}

/* Whether a statement is `if (...) return;` and no more. */
static inline bool clopt_node_is_early_return(const struct clopt_node *node)
{
    const struct clopt_node *body = node->body;
    if (node->kind != CLOPT_NODE_IF || node->otherwise)
        return false;
    if (body->kind == CLOPT_NODE_COMPOUND && body->child_count == 1)
        body = body->children[0];
    return body->kind == CLOPT_NODE_RETURN;
}

/* Whether `inner` is `outer` or is inside it. */
static inline bool clopt_node_contains(const struct clopt_node *outer,
                                       const struct clopt_node *inner)
{
    while (inner && inner != outer)
        inner = inner->parent;
    return inner;
}

/* Whether a node comes before another one, or holds it, in a source as it was read. */
static inline bool clopt_node_is_before(const struct clopt_node *a, const struct clopt_node *b)
{
    return a->index < b->index;
}

/* The number after those of all that a node holds. */
static inline size_t clopt_node_end(const struct clopt_node *node)
{
    while (node->child_count)
        node = node->children[node->child_count - 1];
    return node->index + 1;
}

/* Whether a variable, which may be NULL, is declared in a node. */
static inline bool clopt_node_declares(const struct clopt_node *node,
                                       const struct clopt_variable *variable)
{
    return variable && variable->declarator && clopt_node_contains(node, variable->declarator);
}

/* The loop or switch that a break, or the loop that a continue leaves; NULL where there is none. */
static inline struct clopt_node *clopt_node_target(const struct clopt_node *jump)
{
    struct clopt_node *node = jump->parent;
    while (node && !clopt_node_is_loop(node) &&
           !(jump->kind == CLOPT_NODE_BREAK && node->kind == CLOPT_NODE_SWITCH))
        node = node->parent;
    return node;
}

/* The number of elements of an array's dimension `dimension`, the outermost being 0; 0 where it is
 * not known, or there is no such dimension. */
CLOPT_API size_t clopt_variable_extent(const struct clopt_variable *array, size_t dimension);

/* How an expression uses a variable; bits. */
enum clopt_use {
    CLOPT_READ = 1,
    CLOPT_WRITE = 2,
    CLOPT_ADDRESS = 4, /* its address is taken, other than to access it right away */
};

/* Tells how a node that names a variable (node->variable) uses it in all that `top` holds: bits of
 * enum clopt_use, 0 for not at all, which is what other nodes do. Private memory that is accessed
 * through a pointer counts as a use of the pointer variable. */
CLOPT_API unsigned clopt_node_use(const struct clopt_node *node, const struct clopt_node *top);

/* Tells how a whole node uses one variable: bits of enum clopt_use, 0 for not at all. */
CLOPT_API unsigned clopt_node_uses(const struct clopt_node *node,
                                   const struct clopt_variable *variable);

/* Whether a statement assigns a variable a value, whatever it held before. */
static inline bool clopt_node_sets(const struct clopt_node *node,
                                   const struct clopt_variable *variable)
{
    const struct clopt_node *lvalue = clopt_node_written(node);
    return lvalue && clopt_node_is_operator(node, "=") && lvalue->kind == CLOPT_NODE_VARIABLE &&
           lvalue->variable == variable && !clopt_node_uses(node->children[1], variable);
}

/* Whether a statement may change what the variables of an expression hold. Arrays do not count:
 * they are the same array whatever is written to them. */
static inline bool clopt_node_is_changed(const struct clopt_node *node, const void *statement)
{
    return node->kind == CLOPT_NODE_VARIABLE && !node->variable->is_array &&
           (clopt_node_uses((const struct clopt_node *)statement, node->variable) &
            (CLOPT_WRITE | CLOPT_ADDRESS));
}
static inline bool clopt_node_changes(const struct clopt_node *statement,
                                      const struct clopt_node *expression)
{
    return clopt_node_search(expression, clopt_node_is_changed, statement);
}

/* Whether a node names a variable, other than an array, whose address is taken somewhere. */
static inline bool clopt_node_is_exposed(const struct clopt_node *node, const void *user)
{
    (void)user;
    return node->kind == CLOPT_NODE_VARIABLE && !node->variable->is_array &&
           (node->variable->uses & CLOPT_ADDRESS);
}

/* Whether two expressions have equal values, as far as one can tell from how they are written,
 * where their variables and the memory that they read hold the same. */
CLOPT_API bool clopt_nodes_equal(const struct clopt_node *a, const struct clopt_node *b);

/* What an expression or statement does besides computing; bits. */
enum clopt_effect {
    CLOPT_EFFECT_MEMORY_READ = 1, /* local, global or constant memory, or an image */
    CLOPT_EFFECT_MEMORY_WRITE = 2,
    /* Volatile access, atomics, printf, functions of sub-groups: how often counts. */
    CLOPT_EFFECT_ORDERED = 4,
    /* Work-items of a group wait for each other or work together, which all of them must do:
     * barrier, async_work_group_copy, wait_group_events. */
    CLOPT_EFFECT_COLLECTIVE = 8,
    CLOPT_EFFECT_PRIVATE_WRITE = 16,
    CLOPT_EFFECT_JUMP = 32, /* break, continue, return */
    CLOPT_EFFECT_GOTO = 64, /* and labels, and cases inside of another statement of their switch */
};
CLOPT_API unsigned clopt_node_effects(const struct clopt_node *node);

/* Returns the first node that has one of some effects by itself, or by the function that it calls;
 * NULL where none is. */
CLOPT_API const struct clopt_node *clopt_node_find_effect(const struct clopt_node *node,
                                                          unsigned effects);

/* Returns the first collective call of a list of statements from number `first` on, or NULL. */
static inline const struct clopt_node *clopt_node_find_collective(const struct clopt_node *list,
                                                                  size_t first)
{
    const struct clopt_node *call = NULL;
    for (size_t i = first; i < list->child_count && !call; i++)
        call = clopt_node_find_effect(list->children[i], CLOPT_EFFECT_COLLECTIVE);
    return call;
}

/* Returns the first division of integers below a node that may trap, because its divisor may be 0
 * or -1; NULL where none is. */
CLOPT_API const struct clopt_node *clopt_node_find_trap(const struct clopt_node *node);
