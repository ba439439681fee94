/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the tree of a kernel from libclang's cursors. */
#include "source/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "source/constant.h"
#include "source/effect.h"
#include "source/token.h"

struct definition {
    const char *name;
    CXCursor cursor;
    struct clopt_function *function; /* once something reaches it */
};

/* File-scope and local variables by where their name stands. */
struct slot {
    size_t offset;
    struct clopt_variable *variable;
};

struct builder {
    struct clopt_source *source;
    const struct clopt_parse *parse;
    struct definition *definitions;
    size_t definition_count;
    struct slot *slots;
    size_t slot_capacity;
    size_t slot_count;
    struct clopt_node **stack; /* children of the nodes under construction */
    size_t stack_count;
    size_t stack_capacity;
    size_t variable_capacity;
    size_t function_capacity;
    struct clopt_function *function; /* whose tree is built */
    unsigned depth;
    struct clopt_error *error;
    enum clopt_status status;
};

static bool build(struct builder *builder, CXCursor cursor);

/* ---- growing things ---- */

static bool out_of_memory(struct builder *builder)
{
    builder->status = clopt_fail_memory(builder->error);
    return false;
}

static bool grow(struct builder *builder, void *array, size_t count, size_t *capacity)
{
    if (count < *capacity)
        return true;
    size_t more = *capacity ? *capacity * 2 : 64;
    void **grown = realloc(*(void **)array, more * sizeof *grown);
    if (!grown)
        return out_of_memory(builder);
    *(void **)array = grown;
    *capacity = more;
    return true;
}

static void *get(struct builder *builder, size_t bytes)
{
    void *memory = clopt_arena_get(&builder->source->arena, bytes);
    if (!memory)
        out_of_memory(builder);
    return memory;
}

static bool refuse(struct builder *builder, CXCursor cursor, const char *what)
{
    struct clopt_node place = {0};
    unsigned begin = 0;
    unsigned end = 0;
    clopt_parse_extent(builder->parse, cursor, &begin, &end);
    place.begin = begin;
    builder->status = clopt_source_refuse(builder->source, &place, builder->error, "%s", what);
    return false;
}

/* ---- variables ---- */

static struct slot *slot_of(struct builder *builder, size_t offset)
{
    size_t at = offset * 2654435761u % builder->slot_capacity;
    while (builder->slots[at].variable && builder->slots[at].offset != offset)
        at = (at + 1) % builder->slot_capacity;
    return &builder->slots[at];
}

static bool add_slot(struct builder *builder, size_t offset, struct clopt_variable *variable)
{
    if (builder->slot_count * 2 >= builder->slot_capacity) {
        struct builder more = *builder;
        more.slot_capacity = builder->slot_capacity ? builder->slot_capacity * 2 : 256;
        more.slots = calloc(more.slot_capacity, sizeof *more.slots);
        if (!more.slots)
            return out_of_memory(builder);
        for (size_t i = 0; i < builder->slot_capacity; i++)
            if (builder->slots[i].variable)
                *slot_of(&more, builder->slots[i].offset) = builder->slots[i];
        free(builder->slots);
        builder->slots = more.slots;
        builder->slot_capacity = more.slot_capacity;
    }
    builder->slot_count++;
    *slot_of(builder, offset) = (struct slot){offset, variable};
    return true;
}

/* Reads the address space that stands outermost in a type's spelling. */
static enum clopt_space space_of(const char *type)
{
    const char *star = strrchr(type, '*');
    const char *outer = star ? star + 1 : type;
    if (strstr(outer, "__local"))
        return CLOPT_SPACE_LOCAL;
    if (strstr(outer, "__global"))
        return CLOPT_SPACE_GLOBAL;
    if (strstr(outer, "__constant"))
        return CLOPT_SPACE_CONSTANT;
    return strstr(outer, "__generic") ? CLOPT_SPACE_GENERIC : CLOPT_SPACE_PRIVATE;
}

static enum clopt_space type_space(const struct builder *builder, CXType type)
{
    char spelling[512];
    clopt_parse_string(builder->parse, builder->parse->clang.getTypeSpelling(type), spelling,
                       sizeof spelling);
    return space_of(spelling);
}

static bool is_array_kind(CXType type)
{
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
           type.kind == CXType_VariableArray || type.kind == CXType_DependentSizedArray;
}

/* The width of a scalar integer, 0 for other types. */
static unsigned integer_bits(CXType type, bool *is_signed)
{
    *is_signed = type.kind == CXType_SChar || type.kind == CXType_Char_S ||
                 type.kind == CXType_Short || type.kind == CXType_Int || type.kind == CXType_Long;
    switch (type.kind) {
    case CXType_SChar:
    case CXType_Char_S:
    case CXType_UChar:
    case CXType_Char_U:
        return 8;
    case CXType_Short:
    case CXType_UShort:
        return 16;
    case CXType_Int:
    case CXType_UInt:
        return 32;
    case CXType_Long:
    case CXType_ULong:
        return 64;
    default:
        return 0;
    }
}

static enum clopt_scalar scalar_of(const struct builder *builder, CXType type, unsigned *width)
{
    static const struct {
        enum CXTypeKind kind;
        enum clopt_scalar scalar;
    } scalars[] = {
        {CXType_Bool, CLOPT_SCALAR_BOOL},     {CXType_Char_S, CLOPT_SCALAR_CHAR},
        {CXType_SChar, CLOPT_SCALAR_CHAR},    {CXType_Char_U, CLOPT_SCALAR_UCHAR},
        {CXType_UChar, CLOPT_SCALAR_UCHAR},   {CXType_Short, CLOPT_SCALAR_SHORT},
        {CXType_UShort, CLOPT_SCALAR_USHORT}, {CXType_Int, CLOPT_SCALAR_INT},
        {CXType_UInt, CLOPT_SCALAR_UINT},     {CXType_Long, CLOPT_SCALAR_LONG},
        {CXType_ULong, CLOPT_SCALAR_ULONG},   {CXType_Float, CLOPT_SCALAR_FLOAT},
        {CXType_Double, CLOPT_SCALAR_DOUBLE},
    };
    const struct clopt_clang *clang = &builder->parse->clang;
    *width = 1;
    if (type.kind == CXType_ExtVector || type.kind == CXType_Vector) {
        *width = (unsigned)clang->getNumElements(type);
        type = clang->getCanonicalType(clang->getElementType(type));
    }
    for (size_t i = 0; i < sizeof scalars / sizeof *scalars; i++)
        if (scalars[i].kind == type.kind)
            return scalars[i].scalar;
    return CLOPT_SCALAR_NONE;
}

static void describe_type(const struct builder *builder, CXType type,
                          struct clopt_variable *variable)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    long long bytes = clang->Type_getSizeOf(type);
    variable->bytes = bytes > 0 ? (size_t)bytes : 0;
    variable->is_volatile = clang->isVolatileQualifiedType(type);
    type = clang->getCanonicalType(type);
    variable->space = type_space(builder, type); /* elements do not say it */
    while (is_array_kind(type)) {
        variable->is_array = true;
        type = clang->getCanonicalType(clang->getArrayElementType(type));
    }
    variable->is_volatile |= clang->isVolatileQualifiedType(type) != 0;
    variable->is_record = type.kind == CXType_Record;
    variable->scalar = scalar_of(builder, type, &variable->width);
    if (!variable->is_array)
        variable->bits = integer_bits(type, &variable->is_signed);
    if (type.kind != CXType_Pointer)
        return;
    CXType pointee = clang->getCanonicalType(clang->getPointeeType(type));
    variable->is_pointer = true;
    variable->pointee = type_space(builder, pointee);
    variable->points_to_const = clang->isConstQualifiedType(pointee);
}

static struct clopt_variable *add_variable(struct builder *builder, CXCursor cursor)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    struct clopt_source *source = builder->source;
    struct clopt_variable *variable = get(builder, sizeof *variable);
    if (!variable ||
        !grow(builder, &source->variables, source->variable_count, &builder->variable_capacity))
        return NULL;
    char name[512];
    char type[512];
    clopt_parse_string(builder->parse, clang->getCursorSpelling(cursor), name, sizeof name);
    clopt_parse_string(builder->parse, clang->getTypeSpelling(clang->getCursorType(cursor)), type,
                       sizeof type);
    variable->name = clopt_arena_copy(&source->arena, name, strlen(name));
    variable->type = clopt_arena_copy(&source->arena, type, strlen(type));
    variable->function = builder->function;
    variable->index = source->variable_count;
    describe_type(builder, clang->getCursorType(cursor), variable);
    source->variables[source->variable_count++] = variable;
    unsigned offset = 0;
    clang->getFileLocation(clang->getCursorLocation(cursor), NULL, NULL, NULL, &offset);
    if (!variable->name || !variable->type) {
        out_of_memory(builder);
        return NULL;
    }
    if (variable->is_pointer && variable->pointee == CLOPT_SPACE_GENERIC) {
        refuse(builder, cursor, "pointer to any address space");
        return NULL;
    }
    return add_slot(builder, offset, variable) ? variable : NULL;
}

/* ---- functions ---- */

static struct definition *find_definition(const struct builder *builder, const char *name)
{
    for (size_t i = 0; i < builder->definition_count; i++)
        if (strcmp(builder->definitions[i].name, name) == 0)
            return &builder->definitions[i];
    return NULL;
}

/* Makes the function of a definition, to be built in its turn. */
static struct clopt_function *reach(struct builder *builder, struct definition *definition)
{
    struct clopt_source *source = builder->source;
    if (definition->function)
        return definition->function;
    struct clopt_function *function = get(builder, sizeof *function);
    if (!function ||
        !grow(builder, &source->functions, source->function_count, &builder->function_capacity))
        return NULL;
    function->name = definition->name;
    function->index = source->function_count;
    source->functions[source->function_count++] = function;
    definition->function = function;
    return function;
}

static bool add_callee(struct builder *builder, struct clopt_function *callee)
{
    struct clopt_function *caller = builder->function;
    for (size_t i = 0; i < caller->callee_count; i++)
        if (caller->callees[i] == callee)
            return true;
    /* Powers of two are where the array is full. */
    size_t count = caller->callee_count;
    if ((count & (count - 1)) == 0) {
        struct clopt_function **more = get(builder, (count ? count * 2 : 1) * sizeof *more);
        if (!more)
            return false;
        if (count)
            memcpy(more, caller->callees, count * sizeof *more);
        caller->callees = more;
    }
    caller->callees[caller->callee_count++] = callee;
    return true;
}

/* ---- nodes ---- */

static const char *text_of(const struct builder *builder)
{
    return builder->source->normal.text;
}

static bool push(struct builder *builder, struct clopt_node *node)
{
    if (!grow(builder, &builder->stack, builder->stack_count, &builder->stack_capacity))
        return false;
    builder->stack[builder->stack_count++] = node;
    return true;
}

static enum CXChildVisitResult visit_child(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    return build(data, cursor) ? CXChildVisit_Continue : CXChildVisit_Break;
}

static struct clopt_node *make_node(struct builder *builder, CXCursor cursor,
                                    enum clopt_node_kind kind)
{
    unsigned begin = 0;
    unsigned end = 0;
    if (!clopt_parse_extent(builder->parse, cursor, &begin, &end)) {
        refuse(builder, cursor, "text that clang places outside the file");
        return NULL;
    }
    struct clopt_node *node = get(builder, sizeof *node);
    if (!node)
        return NULL;
    *node = (struct clopt_node){.kind = kind, .begin = begin, .end = end, .stop = end};
    node->index = builder->source->node_count++;
    node->width = 1;
    return node;
}

static int by_begin(const void *a, const void *b)
{
    const struct clopt_node *const *x = a;
    const struct clopt_node *const *y = b;
    return (*x)->begin < (*y)->begin ? -1 : (*x)->begin > (*y)->begin;
}

/* Builds the children of a cursor, in the order of the text. */
static bool build_children(struct builder *builder, CXCursor cursor, struct clopt_node *node)
{
    size_t first = builder->stack_count;
    if (++builder->depth > CLOPT_MOST_DEPTH)
        return refuse(builder, cursor, "nested too deeply");
    builder->parse->clang.visitChildren(cursor, visit_child, builder);
    builder->depth--;
    if (builder->status)
        return false;
    node->child_count = builder->stack_count - first;
    builder->stack_count = first;
    if (!node->child_count)
        return true;
    node->children = get(builder, node->child_count * sizeof *node->children);
    if (!node->children)
        return false;
    memcpy(node->children, builder->stack + first, node->child_count * sizeof *node->children);
    qsort(node->children, node->child_count, sizeof *node->children, by_begin);
    for (size_t i = 0; i < node->child_count; i++) {
        node->children[i]->parent = node;
        if (node->end < node->children[i]->end)
            node->end = node->stop = node->children[i]->end; /* see close_cast() */
    }
    return true;
}

static struct clopt_node *child(const struct clopt_node *node, size_t index)
{
    return index < node->child_count ? node->children[index] : NULL;
}

static bool copy_name(struct builder *builder, struct clopt_node *node, size_t begin, size_t end)
{
    node->name = clopt_arena_copy(&builder->source->arena, text_of(builder) + begin, end - begin);
    return node->name ? true : out_of_memory(builder);
}

/* Where a statement ends that has no other statement at its end: behind its semicolon. */
static void find_stop(const struct builder *builder, struct clopt_node *node)
{
    const char *text = text_of(builder);
    if (node->end > node->begin && text[node->end - 1] == ';') {
        node->stop = node->end;
        return;
    }
    const char *at = clopt_token_skip_space(text + node->end);
    node->stop = *at == ';' ? (size_t)(at - text) + 1 : node->end;
}

/* ---- statements ---- */

/* Finds the semicolons and the closing parenthesis of a for statement's head. */
static bool for_head(const struct builder *builder, const struct clopt_node *node, size_t semi[2],
                     size_t *close)
{
    const char *text = text_of(builder);
    const char *at = text + node->begin;
    unsigned depth = 0;
    size_t found = 0;
    while (at < text + node->end) {
        struct clopt_token token = clopt_token_next(&at);
        if (clopt_token_is(&token, "(") || clopt_token_is(&token, "{") ||
            clopt_token_is(&token, "["))
            depth++;
        else if (clopt_token_is(&token, ")") && depth == 1) {
            *close = (size_t)(token.text - text);
            return found == 2;
        } else if (clopt_token_is(&token, ")") || clopt_token_is(&token, "}") ||
                   clopt_token_is(&token, "]"))
            depth--;
        else if (clopt_token_is(&token, ";") && depth == 1 && found < 2)
            semi[found++] = (size_t)(token.text - text);
        else if (token.kind == CLOPT_TOKEN_END)
            return false;
    }
    return false;
}

static bool arrange_for(struct builder *builder, CXCursor cursor, struct clopt_node *node)
{
    size_t semi[2] = {0};
    size_t close = 0;
    if (!for_head(builder, node, semi, &close))
        return refuse(builder, cursor, "for statement that clopt cannot read");
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *part = node->children[i];
        if (part->begin > close)
            node->body = part;
        else if (part->begin > semi[1])
            node->step = part;
        else if (part->begin > semi[0])
            node->condition = part;
        else
            node->init = part;
    }
    return node->body ? true : refuse(builder, cursor, "for statement that clopt cannot read");
}

/* Names the parts of a statement. */
static bool arrange_statement(struct builder *builder, CXCursor cursor, struct clopt_node *node)
{
    struct clopt_node *first = child(node, 0);
    struct clopt_node *second = child(node, 1);
    switch (node->kind) {
    case CLOPT_NODE_IF:
        node->otherwise = child(node, 2);
        /* fall through */
    case CLOPT_NODE_WHILE:
    case CLOPT_NODE_SWITCH:
    case CLOPT_NODE_CASE:
        node->condition = first;
        node->body = second;
        if (node->kind == CLOPT_NODE_CASE && node->child_count > 2)
            return refuse(builder, cursor, "case with a range");
        break;
    case CLOPT_NODE_DO:
        node->body = first;
        node->condition = second;
        break;
    case CLOPT_NODE_FOR:
        return arrange_for(builder, cursor, node);
    case CLOPT_NODE_RETURN:
        node->condition = first;
        return true;
    case CLOPT_NODE_DEFAULT:
    case CLOPT_NODE_LABEL:
    case CLOPT_NODE_ATTRIBUTED:
        node->body = first;
        break;
    default:
        return true;
    }
    return node->body ? true : refuse(builder, cursor, "statement that clopt cannot read");
}

/* Statements that end with another statement stop where that one does. */
static void arrange_stop(const struct builder *builder, struct clopt_node *node)
{
    const struct clopt_node *last = node->otherwise ? node->otherwise : node->body;
    if (node->kind == CLOPT_NODE_COMPOUND || node->kind == CLOPT_NODE_DECLARATOR)
        return;
    if (node->kind == CLOPT_NODE_DO || !last)
        find_stop(builder, node);
    else
        node->stop = last->stop;
}

/* Expressions that stand as statements end behind a semicolon. */
static void stop_parts(const struct builder *builder, struct clopt_node *node)
{
    for (size_t i = 0; i < node->child_count; i++) {
        struct clopt_node *part = node->children[i];
        bool stands =
            node->kind == CLOPT_NODE_COMPOUND || part == node->body || part == node->otherwise;
        if (stands && clopt_node_is_expression(part))
            find_stop(builder, part);
    }
}

static bool build_statement(struct builder *builder, CXCursor cursor, enum clopt_node_kind kind)
{
    struct clopt_node *node = make_node(builder, cursor, kind);
    if (!node || !build_children(builder, cursor, node) ||
        !arrange_statement(builder, cursor, node))
        return false;
    stop_parts(builder, node);
    arrange_stop(builder, node);
    return push(builder, node);
}

static bool build_declarator(struct builder *builder, CXCursor cursor)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    struct clopt_node *node = make_node(builder, cursor, CLOPT_NODE_DECLARATOR);
    if (!node)
        return false;
    node->variable = add_variable(builder, cursor);
    if (!node->variable || !build_children(builder, cursor, node))
        return false;
    node->variable->declarator = node;
    unsigned name = 0;
    clang->getFileLocation(clang->getCursorLocation(cursor), NULL, NULL, NULL, &name);
    node->name_begin = name;
    /* The initial value is the child behind the =; others are sizes of arrays. */
    const char *text = text_of(builder);
    unsigned depth = 0;
    for (const char *at = text + name; at < text + node->end;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END)
            break;
        depth += clopt_token_is(&token, "[") || clopt_token_is(&token, "(");
        depth -= clopt_token_is(&token, "]") || (clopt_token_is(&token, ")") && depth);
        if (depth == 0 && clopt_token_is(&token, "=")) {
            for (size_t i = 0; i < node->child_count; i++)
                if (node->children[i]->begin >= (size_t)(at - text))
                    node->condition = node->children[i];
            break;
        }
    }
    return push(builder, node);
}

/* ---- expressions ---- */

static bool is_operator_char(char c)
{
    return c && strchr("+-*/%&|^<>=!~?:,.", c);
}

/* Reads the operator that starts at or behind an offset. */
static void read_operator(const struct builder *builder, struct clopt_node *node, size_t offset)
{
    const char *at = clopt_token_skip_space(text_of(builder) + offset);
    const char *from = at;
    struct clopt_token token = clopt_token_next(&at);
    if (is_operator_char(*from) && token.length < sizeof node->operator)
        memcpy(node->operator, from, token.length);
}

static void describe_value(const struct builder *builder, CXCursor cursor, struct clopt_node *node)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    CXType type = clang->getCanonicalType(clang->getCursorType(cursor));
    node->is_array = is_array_kind(type);
    node->is_pointer = type.kind == CXType_Pointer;
    node->is_record = type.kind == CXType_Record;
    node->bits = integer_bits(type, &node->is_signed);
    node->is_volatile = clang->isVolatileQualifiedType(type);
    node->scalar = scalar_of(builder, type, &node->width);
    if (node->kind == CLOPT_NODE_SUBSCRIPT || node->kind == CLOPT_NODE_UNARY ||
        node->kind == CLOPT_NODE_MEMBER) {
        while (is_array_kind(type))
            type = clang->getCanonicalType(clang->getArrayElementType(type));
        node->space = type_space(builder, type);
    }
}

/* What a name refers to: a variable, a function that is called, or an enumeration constant. */
static bool build_reference(struct builder *builder, CXCursor cursor)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    struct clopt_node *node = make_node(builder, cursor, CLOPT_NODE_LITERAL);
    if (!node)
        return false;
    CXCursor referenced = clang->getCursorReferenced(cursor);
    CXFile file = NULL;
    unsigned offset = 0;
    clang->getFileLocation(clang->getCursorLocation(referenced), &file, NULL, NULL, &offset);
    if (referenced.kind == CXCursor_VarDecl || referenced.kind == CXCursor_ParmDecl) {
        if (file != builder->parse->file || !builder->slot_capacity)
            return refuse(builder, cursor, "variable that is declared elsewhere");
        node->variable = slot_of(builder, offset)->variable;
        if (!node->variable)
            return refuse(builder, cursor, "variable that is declared elsewhere");
        node->kind = CLOPT_NODE_VARIABLE;
    }
    describe_value(builder, cursor, node);
    return copy_name(builder, node, node->begin, node->end) && push(builder, node);
}

static bool build_call(struct builder *builder, CXCursor cursor)
{
    struct clopt_node *node = make_node(builder, cursor, CLOPT_NODE_CALL);
    if (!node || !build_children(builder, cursor, node))
        return false;
    char name[256];
    clopt_parse_string(builder->parse, builder->parse->clang.getCursorSpelling(cursor), name,
                       sizeof name);
    struct clopt_node *callee = child(node, 0);
    if (!callee || callee->kind != CLOPT_NODE_LITERAL || !*name)
        return refuse(builder, cursor, "call that clopt cannot read");
    node->name = clopt_arena_copy(&builder->source->arena, name, strlen(name));
    node->name_begin = callee->begin;
    node->children++;
    node->child_count--;
    if (!node->name)
        return out_of_memory(builder);
    struct definition *definition = find_definition(builder, name);
    if (definition) {
        node->callee = reach(builder, definition);
        if (!node->callee || !add_callee(builder, node->callee))
            return false;
    }
    describe_value(builder, cursor, node);
    return push(builder, node);
}

/* clang forgets the last parenthesis of (float4)(x). */
static void close_cast(const struct builder *builder, struct clopt_node *node)
{
    const char *text = text_of(builder);
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

static void note_address(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                         unsigned access)
{
    (void)node;
    bool *found = user;
    *found |= (access & CLOPT_ADDRESS) || (variable->is_pointer && !variable->is_array &&
                                           variable->pointee == CLOPT_SPACE_PRIVATE);
}

/* Whether a cast makes a number of a pointer to private memory, which then cannot be followed. */
static bool hides_pointer(const struct clopt_node *cast)
{
    bool found = false;
    const struct clopt_node *operand = cast->children[0];
    if (!cast->is_pointer && (operand->is_pointer || operand->is_array))
        clopt_node_accesses(operand, note_address, &found);
    return found;
}

static bool build_expression(struct builder *builder, CXCursor cursor, enum clopt_node_kind kind)
{
    struct clopt_node *node = make_node(builder, cursor, kind);
    if (!node || !build_children(builder, cursor, node))
        return false;
    struct clopt_node *first = child(node, 0);
    if (kind == CLOPT_NODE_BINARY || kind == CLOPT_NODE_ASSIGN) {
        if (node->child_count != 2)
            return refuse(builder, cursor, "expression that clopt cannot read");
        read_operator(builder, node, first->end);
        if (!*node->operator)
            return refuse(builder, cursor, "operator that comes from a macro");
        if (strcmp(node->operator, "=") == 0)
            node->kind = CLOPT_NODE_ASSIGN;
    } else if (kind == CLOPT_NODE_UNARY && first) {
        bool prefix = first->begin > node->begin;
        read_operator(builder, node, prefix ? node->begin : first->end);
        if (!prefix)
            node->kind = CLOPT_NODE_POSTFIX;
    } else if (kind == CLOPT_NODE_MEMBER && first) {
        read_operator(builder, node, first->end);
    }
    bool needs_child = kind != CLOPT_NODE_LITERAL && kind != CLOPT_NODE_LIST &&
                       kind != CLOPT_NODE_SIZEOF && kind != CLOPT_NODE_VECTOR;
    if (needs_child && !first)
        return refuse(builder, cursor, "expression that clopt cannot read");
    if (kind == CLOPT_NODE_CAST)
        close_cast(builder, node);
    describe_value(builder, cursor, node);
    if (kind == CLOPT_NODE_CAST && hides_pointer(node))
        return refuse(builder, cursor, "pointer to private memory that becomes a number");
    clopt_constant_fold(builder->source->normal.text, node);
    return push(builder, node);
}

/* What libclang does not name: an implicit conversion, a swizzle, or as_type. */
static bool build_unexposed(struct builder *builder, CXCursor cursor)
{
    struct clopt_node *node = make_node(builder, cursor, CLOPT_NODE_SWIZZLE);
    if (!node || !build_children(builder, cursor, node))
        return false;
    struct clopt_node *inner = child(node, 0);
    const char *text = text_of(builder);
    if (node->child_count != 1)
        return refuse(builder, cursor, "expression that clopt does not know");
    if (inner->begin == node->begin && inner->end == node->end) {
        /* as_type is a macro, whose parenthesis clang places where the macro is. */
        if (inner->kind == CLOPT_NODE_PAREN && text[inner->begin] != '(') {
            inner->kind = CLOPT_NODE_AS_TYPE;
            describe_value(builder, cursor, inner);
        }
        inner->parent = NULL;
        return push(builder, inner);
    }
    bool as_type = strncmp(text + node->begin, "as_", 3) == 0 ||
                   strncmp(text + node->begin, "__builtin_astype", 16) == 0;
    if (inner->begin == node->begin && *clopt_token_skip_space(text + inner->end) == '.') {
        const char *at = clopt_token_skip_space(text + inner->end) + 1;
        at = clopt_token_skip_space(at);
        if (!copy_name(builder, node, (size_t)(at - text), node->end))
            return false;
    } else if (as_type && inner->begin > node->begin) {
        node->kind = CLOPT_NODE_AS_TYPE;
    } else {
        return refuse(builder, cursor, "expression that clopt does not know");
    }
    describe_value(builder, cursor, node);
    if (node->kind == CLOPT_NODE_SWIZZLE) {
        node->space = inner->space;
        node->is_volatile |= inner->is_volatile;
    }
    return push(builder, node);
}

/* ---- cursors ---- */

static const struct {
    enum CXCursorKind cursor;
    enum clopt_node_kind node;
} statements[] = {
    {CXCursor_CompoundStmt, CLOPT_NODE_COMPOUND},
    {CXCursor_DeclStmt, CLOPT_NODE_DECLARE},
    {CXCursor_IfStmt, CLOPT_NODE_IF},
    {CXCursor_ForStmt, CLOPT_NODE_FOR},
    {CXCursor_WhileStmt, CLOPT_NODE_WHILE},
    {CXCursor_DoStmt, CLOPT_NODE_DO},
    {CXCursor_SwitchStmt, CLOPT_NODE_SWITCH},
    {CXCursor_CaseStmt, CLOPT_NODE_CASE},
    {CXCursor_DefaultStmt, CLOPT_NODE_DEFAULT},
    {CXCursor_BreakStmt, CLOPT_NODE_BREAK},
    {CXCursor_ContinueStmt, CLOPT_NODE_CONTINUE},
    {CXCursor_ReturnStmt, CLOPT_NODE_RETURN},
    {CXCursor_GotoStmt, CLOPT_NODE_GOTO},
    {CXCursor_LabelStmt, CLOPT_NODE_LABEL},
    {CXCursor_NullStmt, CLOPT_NODE_EMPTY},
    {CXCursor_UnexposedStmt, CLOPT_NODE_ATTRIBUTED},
};

static const struct {
    enum CXCursorKind cursor;
    enum clopt_node_kind node;
} expressions[] = {
    {CXCursor_IntegerLiteral, CLOPT_NODE_LITERAL},
    {CXCursor_FloatingLiteral, CLOPT_NODE_LITERAL},
    {CXCursor_CharacterLiteral, CLOPT_NODE_LITERAL},
    {CXCursor_StringLiteral, CLOPT_NODE_LITERAL},
    {CXCursor_CXXBoolLiteralExpr, CLOPT_NODE_LITERAL},
    {CXCursor_ArraySubscriptExpr, CLOPT_NODE_SUBSCRIPT},
    {CXCursor_MemberRefExpr, CLOPT_NODE_MEMBER},
    {CXCursor_UnaryOperator, CLOPT_NODE_UNARY},
    {CXCursor_BinaryOperator, CLOPT_NODE_BINARY},
    {CXCursor_CompoundAssignOperator, CLOPT_NODE_ASSIGN},
    {CXCursor_ConditionalOperator, CLOPT_NODE_CONDITIONAL},
    {CXCursor_CStyleCastExpr, CLOPT_NODE_CAST},
    {CXCursor_ParenExpr, CLOPT_NODE_PAREN},
    {CXCursor_CompoundLiteralExpr, CLOPT_NODE_VECTOR},
    {CXCursor_InitListExpr, CLOPT_NODE_LIST},
    {CXCursor_UnaryExpr, CLOPT_NODE_SIZEOF},
};

static bool is_silent(enum CXCursorKind kind)
{
    return kind == CXCursor_TypeRef || kind == CXCursor_LabelRef || kind == CXCursor_MemberRef ||
           (kind >= CXCursor_FirstAttr && kind <= CXCursor_LastAttr);
}

static bool build(struct builder *builder, CXCursor cursor)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (statements[i].cursor == cursor.kind)
            return build_statement(builder, cursor, statements[i].node);
    for (size_t i = 0; i < sizeof expressions / sizeof *expressions; i++)
        if (expressions[i].cursor == cursor.kind)
            return build_expression(builder, cursor, expressions[i].node);
    switch (cursor.kind) {
    case CXCursor_VarDecl:
        return build_declarator(builder, cursor);
    case CXCursor_DeclRefExpr:
        return build_reference(builder, cursor);
    case CXCursor_CallExpr:
        return build_call(builder, cursor);
    case CXCursor_UnexposedExpr:
        return build_unexposed(builder, cursor);
    case CXCursor_StmtExpr:
        return refuse(builder, cursor, "statement inside an expression");
    case CXCursor_StructDecl:
    case CXCursor_UnionDecl:
    case CXCursor_EnumDecl:
    case CXCursor_TypedefDecl:
        return refuse(builder, cursor, "type that is declared inside a function");
    default:
        return is_silent(cursor.kind)
                   ? true
                   : refuse(builder, cursor, "construct that clopt does not know");
    }
}

/* ---- functions and files ---- */

static enum CXChildVisitResult visit_function(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct builder *builder = data;
    struct clopt_function *function = builder->function;
    (void)parent;
    if (cursor.kind == CXCursor_ParmDecl) {
        struct clopt_variable *parameter = add_variable(builder, cursor);
        if (!parameter)
            return CXChildVisit_Break;
        parameter->is_parameter = true;
        /* The parameters of a function are neighbours among all variables. */
        function->parameter_count++;
    } else if (cursor.kind == CXCursor_CompoundStmt) {
        if (!build(builder, cursor))
            return CXChildVisit_Break;
        function->body = builder->stack[--builder->stack_count];
    }
    return CXChildVisit_Continue;
}

static bool is_kernel(const struct builder *builder, const struct clopt_function *function)
{
    const char *text = text_of(builder);
    for (const char *at = text + function->begin; at < text + function->body->begin;) {
        struct clopt_token token = clopt_token_next(&at);
        if (clopt_token_is(&token, "__kernel") || clopt_token_is(&token, "kernel"))
            return true;
    }
    return false;
}

static bool build_function(struct builder *builder, struct clopt_function *function)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    struct definition *definition = find_definition(builder, function->name);
    unsigned begin = 0;
    unsigned end = 0;
    unsigned name = 0;
    builder->function = function;
    if (!clopt_parse_extent(builder->parse, definition->cursor, &begin, &end))
        return refuse(builder, definition->cursor, "function that clang places outside the file");
    function->begin = begin;
    function->end = end;
    clang->getFileLocation(clang->getCursorLocation(definition->cursor), NULL, NULL, NULL, &name);
    function->name_begin = name;
    size_t first = builder->source->variable_count;
    clang->visitChildren(definition->cursor, visit_function, builder);
    if (builder->status)
        return false;
    if (!function->body)
        return refuse(builder, definition->cursor, "function that clopt cannot read");
    function->parameters =
        get(builder, (function->parameter_count + 1) * sizeof *function->parameters);
    if (!function->parameters)
        return false;
    for (size_t i = 0; i < function->parameter_count; i++)
        function->parameters[i] = builder->source->variables[first + i];
    function->is_kernel = is_kernel(builder, function);
    return true;
}

struct body_search {
    bool found;
};

static enum CXChildVisitResult find_body(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    struct body_search *search = data;
    search->found |= cursor.kind == CXCursor_CompoundStmt;
    return CXChildVisit_Continue;
}

static enum CXChildVisitResult visit_top(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct builder *builder = data;
    const struct clopt_clang *clang = &builder->parse->clang;
    (void)parent;
    unsigned begin = 0;
    unsigned end = 0;
    if (!clopt_parse_extent(builder->parse, cursor, &begin, &end))
        return CXChildVisit_Continue;
    if (cursor.kind == CXCursor_VarDecl)
        return add_variable(builder, cursor) ? CXChildVisit_Continue : CXChildVisit_Break;
    struct body_search search = {false};
    if (cursor.kind == CXCursor_FunctionDecl)
        clang->visitChildren(cursor, find_body, &search);
    if (!search.found)
        return CXChildVisit_Continue;
    size_t count = builder->definition_count;
    if ((count & (count - 1)) == 0) {
        struct definition *more =
            realloc(builder->definitions, (count ? count * 2 : 1) * sizeof *more);
        if (!more) {
            out_of_memory(builder);
            return CXChildVisit_Break;
        }
        builder->definitions = more;
    }
    char name[512];
    clopt_parse_string(builder->parse, clang->getCursorSpelling(cursor), name, sizeof name);
    const char *kept = clopt_arena_copy(&builder->source->arena, name, strlen(name));
    if (!kept) {
        out_of_memory(builder);
        return CXChildVisit_Break;
    }
    builder->definitions[builder->definition_count++] = (struct definition){kept, cursor, NULL};
    return CXChildVisit_Continue;
}

enum clopt_status clopt_tree_build(struct clopt_source *source, const struct clopt_parse *parse,
                                   const char *kernel, struct clopt_error *error)
{
    struct builder builder = {.source = source, .parse = parse, .error = error};
    parse->clang.visitChildren(parse->clang.getTranslationUnitCursor(parse->unit), visit_top,
                               &builder);
    if (!builder.status) {
        struct definition *definition = find_definition(&builder, kernel);
        if (!definition)
            builder.status = clopt_fail(
                error, CLOPT_INVALID, "%s: no kernel %s in this file",
                source->normal.lines.count ? source->normal.lines.places[0].file : "source",
                kernel);
        else
            reach(&builder, definition);
    }
    for (size_t i = 0; !builder.status && i < source->function_count; i++)
        build_function(&builder, source->functions[i]);
    if (!builder.status && !source->functions[0]->is_kernel)
        builder.status = clopt_fail(error, CLOPT_INVALID, "%s: not a kernel", kernel);
    if (!builder.status)
        clopt_effects_find(source);
    free(builder.definitions);
    free(builder.slots);
    free(builder.stack);
    return builder.status;
}
