/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads OpenCL C, tells what it does, and prints it with changes: what optimizations rewrite with.
 *
 * A source is the normalised text of a program (macros and includes gone, comments and layout kept)
 * with a tree of statements and typed expressions over it. Nodes point into the text, so that what
 * an optimization does not change comes out as it was written. All of it belongs to the source and
 * is read-only. */
#ifndef CLOPT_SOURCE_H
#define CLOPT_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <clopt/error.h>
#include <clopt/optimization.h>

enum clopt_space {
    CLOPT_SPACE_PRIVATE,
    CLOPT_SPACE_LOCAL,
    CLOPT_SPACE_GLOBAL,
    CLOPT_SPACE_CONSTANT,
    CLOPT_SPACE_GENERIC,
};

enum clopt_node_kind {
    /* statements; an expression that is a statement has its own kind */
    CLOPT_NODE_COMPOUND, /* { ... } */
    CLOPT_NODE_DECLARE,  /* int a = 1, b; the children are declarators */
    CLOPT_NODE_IF,       /* condition, body, otherwise */
    CLOPT_NODE_FOR,      /* init, condition, step, body; all but the body may be NULL */
    CLOPT_NODE_WHILE,    /* condition, body */
    CLOPT_NODE_DO,       /* body, condition */
    CLOPT_NODE_SWITCH,   /* condition, body */
    CLOPT_NODE_CASE,     /* condition, body */
    CLOPT_NODE_DEFAULT,  /* body */
    CLOPT_NODE_BREAK,
    CLOPT_NODE_CONTINUE,
    CLOPT_NODE_RETURN, /* condition: the value, or NULL */
    CLOPT_NODE_GOTO,
    CLOPT_NODE_LABEL,      /* body */
    CLOPT_NODE_EMPTY,      /* ; */
    CLOPT_NODE_ATTRIBUTED, /* body, after a #pragma or an attribute */
    CLOPT_NODE_DECLARATOR, /* one variable; condition: its initial value, or NULL */

    /* expressions */
    CLOPT_NODE_LITERAL, /* and enumeration constants, and macros of OpenCL itself */
    CLOPT_NODE_VARIABLE,
    CLOPT_NODE_CALL,      /* name; the children are the arguments */
    CLOPT_NODE_SUBSCRIPT, /* two children */
    CLOPT_NODE_MEMBER,    /* operator "." or "->" */
    CLOPT_NODE_SWIZZLE,   /* .xyzw, .s3, .lo */
    CLOPT_NODE_UNARY,     /* operator; postfix ++ and -- are CLOPT_NODE_POSTFIX */
    CLOPT_NODE_POSTFIX,
    CLOPT_NODE_BINARY,      /* operator, "," among them */
    CLOPT_NODE_ASSIGN,      /* operator "=", "+=", ... */
    CLOPT_NODE_CONDITIONAL, /* ?: */
    CLOPT_NODE_CAST,        /* one child */
    CLOPT_NODE_PAREN,       /* one child */
    CLOPT_NODE_VECTOR,      /* (float4)(...): the children are the elements */
    CLOPT_NODE_LIST,        /* { ... } as an initial value */
    CLOPT_NODE_AS_TYPE,     /* as_float(...): one child */
    CLOPT_NODE_SIZEOF,      /* and vec_step: the children are not evaluated */
    CLOPT_NODE_STATEMENTS,  /* ({ ... }): one child; a source that was created has none */
};

/* Scalar types that OpenCL has vectors of, and bool. */
enum clopt_scalar {
    CLOPT_SCALAR_NONE,
    CLOPT_SCALAR_BOOL,
    CLOPT_SCALAR_CHAR,
    CLOPT_SCALAR_UCHAR,
    CLOPT_SCALAR_SHORT,
    CLOPT_SCALAR_USHORT,
    CLOPT_SCALAR_INT,
    CLOPT_SCALAR_UINT,
    CLOPT_SCALAR_LONG,
    CLOPT_SCALAR_ULONG,
    CLOPT_SCALAR_FLOAT,
    CLOPT_SCALAR_DOUBLE,
};

/* The name of a type. */
static inline const char *clopt_scalar_name(enum clopt_scalar scalar)
{
    static const char *const names[] = {"void", "bool", "char", "uchar", "short", "ushort",
                                        "int",  "uint", "long", "ulong", "float", "double"};
    return names[scalar];
}

static inline unsigned clopt_scalar_bits(enum clopt_scalar scalar)
{
    static const unsigned char bits[] = {0, 8, 8, 8, 16, 16, 32, 32, 64, 64, 32, 64};
    return bits[scalar];
}

static inline bool clopt_scalar_is_integer(enum clopt_scalar scalar)
{
    return scalar >= CLOPT_SCALAR_BOOL && scalar <= CLOPT_SCALAR_ULONG;
}

static inline bool clopt_scalar_is_real(enum clopt_scalar scalar)
{
    return scalar == CLOPT_SCALAR_FLOAT || scalar == CLOPT_SCALAR_DOUBLE;
}

static inline bool clopt_scalar_is_signed(enum clopt_scalar scalar)
{
    return scalar == CLOPT_SCALAR_CHAR || scalar == CLOPT_SCALAR_SHORT ||
           scalar == CLOPT_SCALAR_INT || scalar == CLOPT_SCALAR_LONG ||
           clopt_scalar_is_real(scalar);
}

/* A variable or parameter. */
struct clopt_variable {
    const char *name;
    const char *type;                /* as clang spells it */
    struct clopt_node *declarator;   /* NULL for parameters and file-scope variables */
    struct clopt_function *function; /* NULL for file-scope variables */
    enum clopt_space space;          /* where it lives */
    enum clopt_space pointee;        /* of a pointer */
    bool is_parameter;
    bool is_pointer;
    bool is_array;
    bool is_record;
    const char *members; /* of a structure, or of that which it points to: their types, such as */
                         /* "float4, int[2]"; NULL: not known */
    bool is_volatile;
    bool points_to_const;
    unsigned bits; /* of a scalar integer; 0: something else */
    bool is_signed;
    enum clopt_scalar scalar; /* its type, or that of its elements: of an array, of a vector */
    unsigned width;           /* vector elements; 1 for a scalar */
    size_t bytes;             /* what it takes in memory; 0: not known */
    unsigned uses;            /* how its whole function uses it: bits of enum clopt_use */
    bool changed;             /* by anything but its declarator, or its address is taken */
    bool reassigned;          /* by more than its declarator, += and ++; or its address is taken */
    size_t index;             /* variables of a source are numbered */
    size_t begin;             /* where its name is declared */
    const char *before;       /* how it is declared, before its name and after it; NULL: as its */
    const char *after;        /* declarator says */

    /* Of what a pointer points to: as scalar, width and bytes. */
    enum clopt_scalar pointee_scalar;
    unsigned pointee_width;
    size_t pointee_bytes;
};

struct clopt_node {
    enum clopt_node_kind kind;
    size_t begin; /* offsets in the text */
    size_t end;
    size_t stop;                  /* of a statement: after its semicolon */
    size_t index;                 /* nodes of a source are numbered, in the order of the text */
    struct clopt_node *parent;    /* NULL for the body of a function */
    struct clopt_node **children; /* in the order of the text */
    size_t child_count;
    struct clopt_node *init;
    struct clopt_node *condition;
    struct clopt_node *step;
    struct clopt_node *body;
    struct clopt_node *otherwise;
    struct clopt_variable *variable; /* of a declarator or a variable */
    struct clopt_function *callee;   /* the user's function that is called, or NULL */
    const char *name;                /* of what is called, a member, a label */
    size_t name_begin;               /* where a declarator's or callee's name is */
    char op[4];
    bool known; /* `value` is its value */
    int64_t value;
    enum clopt_space space; /* of what a subscript, member or * gives access to */
    bool is_volatile;
    bool is_array;
    bool is_pointer;
    bool is_record;
    unsigned width; /* vector elements; 1 for a scalar */
    unsigned bits;  /* of a scalar integer, before implicit conversions; 0: something else */
    bool is_signed;
    enum clopt_scalar scalar; /* its type, or that of a vector's elements */

    /* How it is printed (clopt/rewrite.h edits nodes): as its text with what its children have
     * become, or, if it is made, by its kind. */
    bool made;
    bool bare;        /* a compound statement that is a sequence: no braces where it is in a list */
    bool moved;       /* it came to its place by an edit */
    bool on_own_line; /* where it was put among the statements of a list */
    bool plain;       /* comments in front of it are not printed */
    size_t gap_begin; /* the text between what is before it and itself, which its place has; */
    size_t gap_end;   /* SIZE_MAX, both: none, it is in a macro */
    size_t text_begin; /* its own text, up to stop: of a declarator, without the specifiers */
    size_t tail_begin; /* what follows its last child */
    size_t child_capacity;
};

struct clopt_function {
    const char *name;
    const char *type; /* of its result, as clang spells it */
    bool is_kernel;
    size_t begin; /* from its first specifier to its last brace */
    size_t end;
    size_t name_begin;
    size_t parameters_end; /* the parenthesis that closes its parameters */
    size_t prototype_end;  /* the same of the kernel's declaration in front of it; 0: none */
    size_t body_begin;
    struct clopt_node *body;
    struct clopt_variable **parameters;
    size_t parameter_count;
    unsigned effects; /* enum clopt_effect, of its body */
    size_t index;

    /* What edits made of it (clopt/rewrite.h). */
    const struct clopt_function *original; /* of a copy */
    struct clopt_variable **added;         /* parameters */
    size_t added_count;
    bool edited;
};

/* A program. Plugins change none of it but by the functions of clopt/rewrite.h. */
struct clopt_source {
    const char *text;
    struct clopt_function *kernel;
    struct clopt_function **functions; /* all of the tree: the kernel, then what it reaches */
    size_t function_count;
    struct clopt_variable **variables; /* by their index */
    size_t variable_count;
    size_t node_count;
    struct clopt_source_inner *inner; /* the library's own */
};

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

/* Returns a table of `count` zeros of `size` bytes, such as one item a node or variable, which
 * belongs to the source; NULL when memory has run out. */
CLOPT_API void *clopt_source_table(const struct clopt_source *source, size_t count, size_t size);

/* Tells the line of a node in the user's own file. */
CLOPT_API unsigned clopt_source_line(const struct clopt_source *source,
                                     const struct clopt_node *node);

/* Fails with CLOPT_INFEASIBLE and "file:line: reason". */
CLOPT_API enum clopt_status clopt_source_refuse(const struct clopt_source *source,
                                                const struct clopt_node *node,
                                                struct clopt_error *error, const char *format, ...)
    CLOPT_PRINTF(4, 5);

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
    const char *options; /* those given, and -D for each macro without a default */
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

/* Whether a node is && or ||. */
static inline bool clopt_node_is_logical(const struct clopt_node *node)
{
    return clopt_node_is_operator(node, "&&") || clopt_node_is_operator(node, "||");
}

/* Whether a node is ++ or --. */
static inline bool clopt_node_is_step(const struct clopt_node *node)
{
    return (node->kind == CLOPT_NODE_UNARY || node->kind == CLOPT_NODE_POSTFIX) &&
           (clopt_node_is_operator(node, "++") || clopt_node_is_operator(node, "--"));
}

/* Returns the first node that passes a test, of a node and all that it holds; NULL where none does.
 */
typedef bool (*clopt_node_test)(const struct clopt_node *node, const void *user);
CLOPT_API const struct clopt_node *clopt_node_search(const struct clopt_node *node,
                                                     clopt_node_test test, const void *user);

/* The same for the first node of a kind. */
static inline bool clopt_node_has_kind(const struct clopt_node *node, const void *kind)
{
    return node->kind == *(const enum clopt_node_kind *)kind;
}
static inline const struct clopt_node *clopt_node_find(const struct clopt_node *node,
                                                       enum clopt_node_kind kind)
{
    return clopt_node_search(node, clopt_node_has_kind, &kind);
}

/* Whether a node is a[i] or *p, wherever that is; a test for searches. */
static inline bool clopt_node_is_place(const struct clopt_node *node, const void *user)
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
    return (arrow || clopt_node_is_place(node, NULL)) && !node->is_array;
}

/* The number of nodes of a tree. */
static inline size_t clopt_node_count(const struct clopt_node *node)
{
    size_t count = 1;
    for (size_t i = 0; i < node->child_count; i++)
        count += clopt_node_count(node->children[i]);
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

/* The number of a node among the children of its parent. */
static inline size_t clopt_node_number(const struct clopt_node *node)
{
    size_t number = 0;
    while (node->parent->children[number] != node)
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

/* The dimension in which a node calls a function such as get_global_id; 3: it does not, or in one
 * that is no constant. */
static inline unsigned clopt_node_dimension(const struct clopt_node *node, const char *name)
{
    const struct clopt_node *argument = node->child_count == 1 ? node->children[0] : NULL;
    bool known = clopt_node_calls(node, name) && argument && argument->known &&
                 argument->value >= 0 && argument->value < 3;
    return known ? (unsigned)argument->value : 3;
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

/* Calls `visit` for every use of a variable below a node. Private memory that is accessed through
 * a pointer counts as a use of the pointer variable. */
typedef void (*clopt_use_visit)(void *user, const struct clopt_node *node,
                                struct clopt_variable *variable, unsigned access);
CLOPT_API void clopt_node_visit_uses(const struct clopt_node *node, clopt_use_visit visit,
                                     void *user);

/* Tells how a whole node uses one variable: bits of enum clopt_use, 0 for not at all. */
CLOPT_API unsigned clopt_node_uses(const struct clopt_node *node,
                                   const struct clopt_variable *variable);

/* Whether a statement assigns a variable a value, whatever it held before. */
static inline bool clopt_node_sets(const struct clopt_node *node,
                                   const struct clopt_variable *variable)
{
    const struct clopt_node *place = clopt_node_written(node);
    return place && clopt_node_is_operator(node, "=") && place->kind == CLOPT_NODE_VARIABLE &&
           place->variable == variable && !clopt_node_uses(node->children[1], variable);
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
    CLOPT_EFFECT_ORDERED = 4, /* volatile access, atomics, printf: how often counts */
    /* Work-items of a group wait for each other or work together, which all of them must do:
     * barrier, async_work_group_copy, wait_group_events. */
    CLOPT_EFFECT_COLLECTIVE = 8,
    CLOPT_EFFECT_PRIVATE_WRITE = 16,
    CLOPT_EFFECT_JUMP = 32, /* break, continue, return */
    CLOPT_EFFECT_GOTO = 64, /* and labels */
};
CLOPT_API unsigned clopt_node_effects(const struct clopt_node *node);

/* Returns the first node that has one of some effects by itself, or by the function that it calls;
 * NULL where none is. */
CLOPT_API const struct clopt_node *clopt_node_find_effect(const struct clopt_node *node,
                                                          unsigned effects);

/* Returns the first division of integers below a node that may trap, because its divisor may be 0
 * or -1; NULL where none is. */
CLOPT_API const struct clopt_node *clopt_node_find_trap(const struct clopt_node *node);

#endif
