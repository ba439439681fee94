/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the expressions of a tree. */
#include "kernel/tree_builder.h"

#include <errno.h>

#include "text/token.h"

/* ---- constants ---- */

/* Every integer type of 32 bits or more, signed or not, holds these. */
#define SMALLEST 0
#define LARGEST  INT32_MAX

static void set_value(struct clopt_node *node, int64_t value)
{
    node->known = value >= SMALLEST && value <= LARGEST;
    node->value = node->known ? value : 0;
}

static void fold_literal(const char *text, struct clopt_node *node)
{
    const char *at = text + node->begin;
    if (*at < '0' || *at > '9')
        return;
    char *end = NULL;
    errno = 0;
    unsigned long long value = strtoull(at, &end, 0);
    while (*end && strchr("uUlL", *end))
        end++;
    if (errno == 0 && end == text + node->end && value <= LARGEST)
        set_value(node, (int64_t)value);
}

bool clopt_constant_operate(const char *op, int64_t a, int64_t b, int64_t *value)
{
    bool natural = a >= 0 && b >= 0;
    bool shifts = natural && b < 31;
    if (strcmp(op, "+") == 0)
        *value = a + b;
    else if (strcmp(op, "-") == 0)
        *value = a - b;
    else if (strcmp(op, "*") == 0)
        *value = a * b;
    else if (strcmp(op, "/") == 0 && natural && b)
        *value = a / b;
    else if (strcmp(op, "%") == 0 && natural && b)
        *value = a % b;
    else if (strcmp(op, "<<") == 0 && shifts)
        *value = a << b;
    else if (strcmp(op, ">>") == 0 && shifts)
        *value = a >> b;
    else if (strcmp(op, "&") == 0 && natural)
        *value = a & b;
    else if (strcmp(op, "|") == 0 && natural)
        *value = a | b;
    else if (strcmp(op, "^") == 0 && natural)
        *value = a ^ b;
    else
        return false;
    return true;
}

/* Finds the value of a node whose children are done. */
static void fold(const char *text, struct clopt_node *node)
{
    int64_t value;
    if (node->width != 1 || node->is_pointer || node->is_array)
        return;
    if (node->kind == CLOPT_NODE_LITERAL)
        fold_literal(text, node);
    else if (node->kind == CLOPT_NODE_PAREN && node->children[0]->known)
        set_value(node, node->children[0]->value);
    else if (node->kind == CLOPT_NODE_BINARY && node->children[0]->known &&
             node->children[1]->known &&
             clopt_constant_operate(node->op, node->children[0]->value, node->children[1]->value,
                                    &value))
        set_value(node, value);
}

/* ---- operators and types ---- */

/* Reads the operator that starts at or after an offset. */
static void read_operator(const struct clopt_tree_builder *builder, struct clopt_node *node,
                          size_t offset)
{
    const char *at = clopt_token_skip_space(builder->source->text + offset);
    const char *from = at;
    struct clopt_token token = clopt_token_next(&at);
    if (*from && strchr("+-*/%&|^<>=!~?:,.", *from) && token.length < sizeof node->op)
        memcpy(node->op, from, token.length);
}

/* Says how large something in memory is. */
static void describe_size(const struct clopt_clang *clang, CXType type, struct clopt_node *node)
{
    long long bytes = clang->Type_getSizeOf(type), align = clang->Type_getAlignOf(type);
    long long length = type.kind == CXType_ConstantArray ? clang->getNumElements(type) : 0;
    node->bytes = bytes > 0 ? (size_t)bytes : 0;
    node->align_bytes = align > 0 ? (size_t)align : 0;
    node->length = length > 0 ? (size_t)length : 0;
    if (type.kind == CXType_Pointer || clopt_tree_is_array(type))
        bytes =
            clang->Type_getSizeOf(type.kind == CXType_Pointer ? clang->getPointeeType(type)
                                                              : clang->getArrayElementType(type));
    node->element_bytes = bytes > 0 ? (size_t)bytes : 0;
}

void clopt_tree_describe_value(const struct clopt_tree_builder *builder, CXCursor cursor,
                               struct clopt_node *node)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    CXType type = clang->getCanonicalType(clang->getCursorType(cursor));
    node->is_array = clopt_tree_is_array(type);
    node->is_pointer = type.kind == CXType_Pointer;
    if (node->is_pointer)
        node->pointee =
            clopt_tree_type_space(builder, clang->getCanonicalType(clang->getPointeeType(type)));
    node->is_record = type.kind == CXType_Record;
    node->is_volatile = clang->isVolatileQualifiedType(type);
    node->scalar = clopt_tree_scalar(builder, type, &node->width);
    node->bits = clopt_scalar_integer(node->scalar, node->width, &node->is_signed);
    bool reaches = node->kind == CLOPT_NODE_SUBSCRIPT || node->kind == CLOPT_NODE_UNARY ||
                   node->kind == CLOPT_NODE_MEMBER;
    if (reaches || node->is_pointer || node->is_array || node->kind == CLOPT_NODE_VARIABLE ||
        node->kind == CLOPT_NODE_CALL)
        describe_size(clang, type, node);
    if (reaches) {
        while (clopt_tree_is_array(type))
            type = clang->getCanonicalType(clang->getArrayElementType(type));
        node->space = clopt_tree_type_space(builder, type);
    }
}

struct clopt_node *clopt_tree_build_reference(struct clopt_tree_builder *builder, CXCursor cursor)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    struct clopt_node *node = clopt_tree_make_node(builder, cursor, CLOPT_NODE_LITERAL);
    if (!node)
        return NULL;
    CXCursor referenced = clang->getCursorReferenced(cursor);
    CXFile file = NULL;
    unsigned offset = 0;
    clang->getFileLocation(clang->getCursorLocation(referenced), &file, NULL, NULL, &offset);
    if (referenced.kind == CXCursor_VarDecl || referenced.kind == CXCursor_ParmDecl) {
        node->kind = CLOPT_NODE_VARIABLE;
        if (file == builder->parse->file)
            node->variable = builder->declared[offset];
        if (!node->variable)
            return clopt_tree_refuse(builder, cursor, "variable that is declared elsewhere");
    }
    clopt_tree_describe_value(builder, cursor, node);
    node->name =
        clopt_tree_copy(builder, builder->source->text + node->begin, node->end - node->begin);
    return node;
}

/* ---- other expressions ---- */

/* clang forgets the last parenthesis of (float4)(x). */
static void close_cast(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    const char *text = builder->source->text;
    int open = 0;
    for (size_t i = node->begin; i < node->children[0]->begin; i++)
        open += (text[i] == '(') - (text[i] == ')');
    for (; open > 0; open--) {
        const char *at = clopt_token_skip_space(text + node->end);
        if (*at != ')')
            return;
        node->end = node->stop = (size_t)(at - text) + 1;
    }
}

/* Spells the type of ({ ... }) as one that a variable can be declared with; false for others. */
static bool spell_type(const struct clopt_tree_builder *builder, CXType type, char *text,
                       size_t size)
{
    clopt_parse_string(builder->parse, builder->parse->clang.getTypeSpelling(type), text, size);
    if (strncmp(text, "const ", 6) == 0 && !strchr(text, '*'))
        memmove(text, text + 6, strlen(text + 6) + 1);
    return type.kind != CXType_Void && !strpbrk(text, "([") && !strstr(text, "unnamed");
}

/* Names the type of ({ ... }). */
static void name_type(const struct clopt_tree_builder *builder, CXCursor cursor,
                      struct clopt_node *node)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    CXType type = clang->getCursorType(cursor);
    char text[256];
    if (spell_type(builder, type, text, sizeof text) ||
        spell_type(builder, clang->getCanonicalType(type), text, sizeof text))
        node->name = clopt_tree_copy(builder, text, strlen(text));
}

/* Whether a cast makes a number of a pointer to private memory, which then cannot be followed. */
static bool hides_pointer(const struct clopt_node *cast)
{
    const struct clopt_node *operand = cast->children[0];
    if (cast->is_pointer || (!operand->is_pointer && !operand->is_array))
        return false;
    for (const struct clopt_node *node = operand; node; node = clopt_node_next(node, operand)) {
        unsigned access = clopt_node_use(node, operand);
        const struct clopt_variable *variable = node->variable;
        if ((access & CLOPT_ADDRESS) || (access && variable->is_pointer && !variable->is_array &&
                                         clopt_space_may_be_private(variable->pointee)))
            return true;
    }
    return false;
}

/* Builds what is in parentheses. Those of a macro, clang places where the macro is used: without
 * arguments it is a constant, such as INT_MIN or INFINITY, with them it is as_type. */
static bool build_operands(struct clopt_tree_builder *builder, CXCursor cursor,
                           struct clopt_node *node)
{
    const char *text = builder->source->text;
    const char *at = text + node->begin;
    size_t limit = builder->limit;
    bool macro = node->kind == CLOPT_NODE_PAREN && clopt_token_next(&at).kind == CLOPT_TOKEN_NAME;
    if (macro && *clopt_token_skip_space(at) != '(') {
        node->kind = CLOPT_NODE_LITERAL;
        return true;
    }
    const char *close = macro ? clopt_token_close(at) : NULL;
    if (close) {
        builder->limit = (size_t)(close - text);
        node->end = node->stop = builder->limit + 1;
    }
    bool built = clopt_tree_build_children(builder, cursor, node);
    builder->limit = limit;
    return built;
}

/* Names an expression that is more than its children by its text in front of them. */
static void name_text(const struct clopt_tree_builder *builder, struct clopt_node *node)
{
    bool type = (node->kind == CLOPT_NODE_CAST && !node->bits) || node->kind == CLOPT_NODE_VECTOR ||
                node->kind == CLOPT_NODE_AS_TYPE;
    bool whole = node->kind == CLOPT_NODE_LITERAL || node->kind == CLOPT_NODE_SIZEOF;
    size_t end = type && node->child_count ? node->children[0]->begin : node->end;
    if (type || whole)
        node->name =
            clopt_tree_copy(builder, builder->source->text + node->begin, end - node->begin);
}

struct clopt_node *clopt_tree_build_expression(struct clopt_tree_builder *builder, CXCursor cursor,
                                               enum clopt_node_kind kind)
{
    struct clopt_node *node = clopt_tree_make_node(builder, cursor, kind);
    if (!node || !build_operands(builder, cursor, node))
        return NULL;
    kind = node->kind;
    struct clopt_node *first = clopt_tree_child(node, 0);
    if (kind == CLOPT_NODE_BINARY || kind == CLOPT_NODE_ASSIGN) {
        if (node->child_count != 2)
            return clopt_tree_refuse(builder, cursor, "expression that clopt cannot read");
        read_operator(builder, node, first->end);
        if (!*node->op)
            return clopt_tree_refuse(builder, cursor, "operator that comes from a macro");
        if (strcmp(node->op, "=") == 0)
            node->kind = CLOPT_NODE_ASSIGN;
    } else if (kind == CLOPT_NODE_UNARY && first) {
        bool prefix = first->begin > node->begin;
        read_operator(builder, node, prefix ? node->begin : first->end);
        if (!prefix)
            node->kind = CLOPT_NODE_POSTFIX;
    } else if (kind == CLOPT_NODE_MEMBER && first) {
        read_operator(builder, node, first->end);
        node->name = clopt_tree_string(builder, builder->parse->clang.getCursorSpelling(cursor));
    }
    bool needs_child = kind != CLOPT_NODE_LITERAL && kind != CLOPT_NODE_LIST &&
                       kind != CLOPT_NODE_SIZEOF && kind != CLOPT_NODE_VECTOR;
    if (needs_child && !first)
        return clopt_tree_refuse(builder, cursor, "expression that clopt cannot read");
    if (kind == CLOPT_NODE_CAST)
        close_cast(builder, node);
    clopt_tree_describe_value(builder, cursor, node);
    if (kind == CLOPT_NODE_STATEMENTS)
        name_type(builder, cursor, node);
    name_text(builder, node);
    if (kind == CLOPT_NODE_CAST && hides_pointer(node))
        return clopt_tree_refuse(builder, cursor,
                                 "pointer to private memory that becomes a number");
    fold(builder->source->text, node);
    return node;
}

/* Whether what is at an offset says which part of a list a value is for: .x = or [2] =. */
static bool is_designator(const char *text, size_t offset)
{
    const char *at = text + offset;
    return clopt_token_next(&at).kind == CLOPT_TOKEN_OTHER &&
           (text[offset] == '.' || text[offset] == '[');
}

struct clopt_node *clopt_tree_build_unexposed(struct clopt_tree_builder *builder, CXCursor cursor)
{
    struct clopt_node *node = clopt_tree_make_node(builder, cursor, CLOPT_NODE_SWIZZLE);
    if (!node || !clopt_tree_build_children(builder, cursor, node))
        return NULL;
    struct clopt_node *inner = clopt_tree_child(node, 0);
    const char *text = builder->source->text;
    if (inner && is_designator(text, node->begin)) {
        inner = node->children[node->child_count - 1];
        inner->parent = NULL;
        return inner;
    }
    if (node->child_count != 1)
        return clopt_tree_refuse(builder, cursor, "expression that clopt does not know");
    if (inner->begin == node->begin && inner->end == node->end) {
        /* as_type is a macro, whose parenthesis clang places where the macro is. */
        if (inner->kind == CLOPT_NODE_PAREN && text[inner->begin] != '(') {
            inner->kind = CLOPT_NODE_AS_TYPE;
            clopt_tree_describe_value(builder, cursor, inner);
            name_text(builder, inner);
        }
        inner->parent = NULL;
        return inner;
    }
    bool as_type = strncmp(text + node->begin, "as_", 3) == 0 ||
                   strncmp(text + node->begin, "__builtin_astype", 16) == 0;
    if (inner->begin == node->begin && *clopt_token_skip_space(text + inner->end) == '.') {
        const char *at = clopt_token_skip_space(text + inner->end) + 1;
        at = clopt_token_skip_space(at);
        node->name = clopt_tree_copy(builder, at, (size_t)(text + node->end - at));
    } else if (as_type && inner->begin > node->begin) {
        node->kind = CLOPT_NODE_AS_TYPE;
    } else {
        return clopt_tree_refuse(builder, cursor, "expression that clopt does not know");
    }
    clopt_tree_describe_value(builder, cursor, node);
    name_text(builder, node);
    if (node->kind == CLOPT_NODE_SWIZZLE) {
        node->space = inner->space;
        node->is_volatile |= inner->is_volatile;
    }
    return node;
}
