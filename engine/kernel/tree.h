/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions that read, edit and print trees have in common. */
#pragma once

#include <clopt/rewrite.h>
#include <clopt/source.h>

#include "frontend/names.h"
#include "frontend/normalise.h"
#include "frontend/parse.h"
#include "frontend/reference.h"
#include "text/arena.h"

#define CLOPT_MOST_DEPTH 1000 /* of a tree; deeper ones are refused */

struct clopt_text;   /* text/text.h */
struct clopt_output; /* kernel/output.h */

/* A source's own, which plugins do not see. */
struct clopt_source_inner {
    struct clopt_normal normal;
    size_t *line_begins; /* offsets in the normalised text */
    size_t last_line;    /* the number of the last of them */
    struct clopt_arena arena;
    struct clopt_names names;
    struct clopt_references references; /* of the normalised text */
    size_t expanded_bytes; /* of the text as it was first read, beyond those that were given */
    size_t made_variable_count;
    const char *wrong;             /* pattern of a plugin that cannot be built; NULL: none */
    struct clopt_text_edit *edits; /* of heads of functions */
};

/* A part of the text that is printed as something else. */
struct clopt_text_edit {
    struct clopt_text_edit *next;
    size_t begin;
    size_t end;
    const char *text;
    const struct clopt_variable *named; /* whose name follows the text, or NULL */
    struct clopt_references references; /* of the text */
};

/* Makes a node without a position on the line of `at`. */
struct clopt_node *clopt_node_new(struct clopt_source *source, enum clopt_node_kind kind,
                                  const struct clopt_node *at);

/* Makes a node the last child of another one. */
void clopt_node_append(struct clopt_source *source, struct clopt_node *parent,
                       struct clopt_node *child);

/* Makes a node a child by an edit, and returns it; it is cloned if it has a place already. */
struct clopt_node *clopt_node_adopt(struct clopt_source *source, struct clopt_node *parent,
                                    struct clopt_node *child);

/* Returns a clone, or what it is equal to where an edit made numbers of its operands. */
struct clopt_node *clopt_node_fold(struct clopt_source *source, struct clopt_node *node);

/* Makes a function or variable of `size` zeros, the last one of those that an array of the source
 * points to. */
void *clopt_source_add(struct clopt_source *source, void *items, size_t *count, size_t size);

/* Makes a copy of a function for helpers that must differ: its body is cloned, its name is new. It
 * is printed after the original. */
struct clopt_function *clopt_function_copy(const struct clopt_cloning *cloning,
                                           const struct clopt_function *function);

/* Divides the size in a dimension that an attribute of the kernel names (reqd_work_group_size,
 * work_group_size_hint). CLOPT_INFEASIBLE where it is not a multiple of `multiple`, or no number; a
 * hint is left alone then.
 */
enum clopt_status clopt_kernel_divide_size(struct clopt_source *source, unsigned dimension,
                                           size_t multiple, size_t divisor,
                                           struct clopt_error *error);

/* Returns how tightly an expression binds: 1, a comma, to 16, what needs no parentheses anywhere.
 */
unsigned clopt_node_level(const struct clopt_node *node);

/* Whether a child must be in parentheses where it is now. */
bool clopt_node_needs_parentheses(const struct clopt_node *node, const struct clopt_node *child);

/* Returns a name that is nowhere in the text and was not returned before: `name`, or name_2 or
 * name_3 where that is taken. It belongs to the source. */
const char *clopt_source_free_name(struct clopt_source *source, const char *name);

/* The same for base_number. */
const char *clopt_source_unique_name(struct clopt_source *source, const char *base,
                                     unsigned number);

/* Takes a text into the source, and ends it. */
const char *clopt_source_take_text(struct clopt_source *source, struct clopt_text *text);

/* Replaces a part of the text by another one, and returns the edit. */
struct clopt_text_edit *clopt_source_add_edit(struct clopt_source *source, size_t begin, size_t end,
                                              const char *format, ...) CLOPT_PRINTF(4, 5);

/* The variable whose name another one has that is declared in its place. */
static inline const struct clopt_variable *clopt_variable_original(
    const struct clopt_variable *variable)
{
    return variable->original ? variable->original : variable;
}

/* Renames variables where edits would give names another meaning: where a declaration hides what is
 * meant, or is the second one of its name in a block. */
void clopt_source_settle_names(struct clopt_source *source);

/* Finds how a variable is declared, before its name and after it. */
void clopt_variable_find_declaration(struct clopt_source *source, struct clopt_variable *variable);

/* Reads a type's name, such as "const float4": what its elements are, and how many. */
enum clopt_scalar clopt_scalar_parse(const char *type, unsigned *width, unsigned *bits,
                                     bool *is_signed);

/* The bits of a scalar integer; 0 of another type. */
unsigned clopt_scalar_integer(enum clopt_scalar scalar, unsigned width, bool *is_signed);

/* How an argument of a call binds at least. */
#define CLOPT_LEVEL_ARGUMENT 2

/* Prints a statement. */
void clopt_node_write(const struct clopt_source *source, struct clopt_output *output,
                      const struct clopt_node *statement);

/* Prints the whole program as edits left it. */
void clopt_source_write(const struct clopt_source *source, struct clopt_output *output);

/* The same, where it could be edited, and with names that mean what they meant. CLOPT_FAILED: a
 * pattern was wrong. */
enum clopt_status clopt_source_print(struct clopt_source *source, struct clopt_output *output,
                                     struct clopt_error *error);

/* Tells where the text at an offset comes from. */
struct clopt_position clopt_source_position(const struct clopt_source *source, size_t offset);

/* Edits statement expressions and do { ... } while (0) out of the tree. `again`: there were some of
 * the former, so that the program is to be printed and read again. CLOPT_INFEASIBLE where the
 * statements of one have to stay where they are. */
enum clopt_status clopt_source_simplify(struct clopt_source *source, bool *again,
                                        struct clopt_error *error);

/* Whether an edit was made. */
bool clopt_source_is_edited(const struct clopt_source *source);

/* Declares pointers to any address space as ones to that which they point to, by edits, where there
 * is one; true where the program is to be printed and read again. */
bool clopt_source_place_pointers(struct clopt_source *source);

/* Prints a program that was edited and reads it again; *source is NULL where that fails. */
enum clopt_status clopt_source_renew(const char *file, const char *options, const char *kernel,
                                     struct clopt_source **source, struct clopt_error *error);

/* Whether a function whose definition begins there is a kernel. */
bool clopt_kernel_begins(const char *at);

/* Builds the trees of a kernel and of what it reaches from a parsed, normalised text. */
enum clopt_status clopt_tree_build(struct clopt_source *source, const struct clopt_parse *parse,
                                   const char *kernel, struct clopt_error *error);

/* Computes what an operator makes of two integers of 32 bits. False where the result depends on
 * their types, or is not known. */
bool clopt_constant_operate(const char *op, int64_t a, int64_t b, int64_t *value);
