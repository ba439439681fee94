/* SPDX-License-Identifier: BSD-3-Clause */
/* The tree of a program: what its variables, nodes and functions are.
 *
 * A source is the normalised text of a program (macros and includes gone, comments and layout kept)
 * with a tree of statements and typed expressions over it. Nodes point into the text, so that what
 * an optimization does not change comes out as it was written. All of it belongs to the source and
 * is read-only. */
#pragma once

#include <clopt/scalar.h>

enum clopt_space {
    CLOPT_SPACE_PRIVATE,
    CLOPT_SPACE_LOCAL,
    CLOPT_SPACE_GLOBAL,
    CLOPT_SPACE_CONSTANT,
    CLOPT_SPACE_GENERIC, /* any but constant memory: of pointers since OpenCL C 2.0 */
};

/* Whether memory of an address space may be a work-item's own. */
static inline bool clopt_space_may_be_private(enum clopt_space space)
{
    return space == CLOPT_SPACE_PRIVATE || space == CLOPT_SPACE_GENERIC;
}

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

/* A member of a structure: a number, a vector, or an array of numbers. */
struct clopt_member {
    const char *name;
    size_t offset; /* in bytes */
    enum clopt_scalar scalar;
    unsigned width;
    size_t count; /* elements of an array; 0: it is none */
};

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
    unsigned writes;          /* places where it is written, or where its address is taken */
    const struct clopt_node *value; /* what its declarator or the first assignment to it, which may
                                       be += too, puts there; NULL: there is none */
    size_t index;                   /* variables of a source are numbered */
    size_t begin;                   /* where its name is declared */
    const char *before; /* how it is declared, before its name and after it; NULL: as its */
    const char *after;  /* declarator says */

    /* Of what a pointer points to: as scalar, width and bytes. */
    enum clopt_scalar pointee_scalar;
    unsigned pointee_width;
    size_t pointee_bytes;
    const struct clopt_member *fields; /* where it, or that, is a structure of such members alone,
                                          else NULL */
    size_t field_count;

    /* The one in whose place it is declared, under its name; NULL: it has its own. */
    const struct clopt_variable *original;
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
    size_t number; /* among its parent's children, unless others were put in front of it since */
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

    /* Of what names something in memory. */
    size_t bytes;         /* what it takes in memory; 0: not known */
    size_t align_bytes;   /* where its type may begin; 0: not known */
    size_t length;        /* of an array: its elements; 0: not known */
    size_t element_bytes; /* of a pointer or an array: what an element takes; 0: not known */

    /* How it is printed (clopt/rewrite.h edits nodes): as its text with what its children have
     * become, or, if it is made, by its kind. */
    bool made;
    bool bare;        /* a compound statement that is a sequence: no braces where it is in a list */
    bool moved;       /* it came to its place by an edit */
    bool on_own_line; /* where it was put among the statements of a list */
    bool plain;       /* comments in front of it are not printed */
    size_t trivia_begin; /* the text between what is before it and itself, which its place has; */
    size_t trivia_end;   /* SIZE_MAX, both: none, it is in a macro */
    size_t text_begin;   /* its own text, up to stop: of a declarator, without the specifiers */
    size_t tail_begin;   /* what follows its last child */
    size_t child_capacity;
    enum clopt_space pointee; /* of a pointer, where it was read */
};

struct clopt_function {
    const char *name;
    const char *type; /* of its result, as clang spells it */
    bool is_kernel;
    size_t begin; /* from its first specifier to its last brace */
    size_t end;
    size_t name_begin;
    size_t parameters_end; /* the parenthesis that closes its parameters */
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
    size_t prototype_end; /* closes the parameters of a kernel's declaration before it; 0: none */
    struct clopt_function **functions; /* all of the tree: the kernel, then what it reaches */
    size_t function_count;
    struct clopt_variable **variables; /* by their index */
    size_t variable_count;
    size_t node_count;
    struct clopt_source_inner *inner; /* the library's own */
};
