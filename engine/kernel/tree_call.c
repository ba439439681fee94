/* SPDX-License-Identifier: BSD-3-Clause */
/* Builds the nodes of calls, whose arguments libclang does not always put where they are. */
#include "kernel/tree_builder.h"

#include "text/token.h"

/* Finds the variable that a value initializes: the last one that is named before it. */
static struct clopt_variable *find_initialized(const struct clopt_tree_builder *builder,
                                               const struct clopt_node *value)
{
    size_t at = value->begin;
    while (at && !builder->declared[at])
        at--;
    struct clopt_variable *found = builder->declared[at];
    return found && strstr(found->type, "sampler_t") ? found : NULL;
}

static bool is_covered(const struct clopt_node *call, size_t offset)
{
    for (size_t i = 0; i < call->child_count; i++)
        if (offset >= call->children[i]->begin && offset < call->children[i]->end)
            return true;
    return false;
}

/* Makes a strayed value the name of its variable, at the first place in the call that names it and
 * belongs to no other argument. */
static bool bring_back(const struct clopt_tree_builder *builder, const struct clopt_node *call,
                       struct clopt_node *value)
{
    struct clopt_variable *variable = find_initialized(builder, value);
    const char *text = builder->source->text;
    const char *at = text + call->begin;
    while (variable && at < text + call->end) {
        struct clopt_token token = clopt_token_next(&at);
        size_t begin = (size_t)(token.text - text);
        if (!clopt_token_is(&token, variable->name) || is_covered(call, begin))
            continue;
        *value = (struct clopt_node){.kind = CLOPT_NODE_VARIABLE,
                                     .begin = begin,
                                     .end = begin + token.length,
                                     .stop = begin + token.length,
                                     .index = value->index,
                                     .variable = variable,
                                     .name = variable->name,
                                     .width = 1};
        return true;
    }
    return false;
}

/* Puts constant samplers back where they are named: for `read_imagef(image, sampler, at)`, clang
 * has the value that initializes the sampler, at the place of its declaration. False where one is
 * not found. */
static bool position_samplers(const struct clopt_tree_builder *builder, struct clopt_node *call)
{
    for (size_t i = 0; i < call->child_count; i++) {
        struct clopt_node *argument = call->children[i];
        if (argument->begin >= call->begin && argument->begin < call->end)
            continue;
        if (!bring_back(builder, call, argument))
            return false;
        argument->parent = call;
    }
    clopt_tree_sort_children(call);
    return true;
}

#define CPP_CALL "call of a function of C++ that clopt does not follow"

/* Whether a function was made of a template. */
static bool is_instance(const struct clopt_clang *clang, CXCursor function)
{
    return clang->getSpecializedCursorTemplate(function).kind == CXCursor_FunctionTemplate;
}

/* Whether a function of C++ is more than a value made of its arguments, as far as is seen. */
struct effects {
    const struct clopt_clang *clang;
    bool has;
};

static enum CXChildVisitResult find_effect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    struct effects *effects = data;
    const struct clopt_clang *clang = effects->clang;
    CXType type = clang->getCanonicalType(clang->getCursorType(cursor));
    CXCursor meant = clang->getCursorReferenced(cursor);
    (void)parent;
    switch (cursor.kind) {
    case CXCursor_DeclRefExpr:
        effects->has |= meant.kind != CXCursor_ParmDecl && meant.kind != CXCursor_VarDecl;
        break;
    case CXCursor_ParmDecl:
    case CXCursor_VarDecl:
    case CXCursor_UnexposedExpr:
    case CXCursor_ParenExpr:
    case CXCursor_BinaryOperator:
    case CXCursor_UnaryOperator:
    case CXCursor_ConditionalOperator:
    case CXCursor_CStyleCastExpr:
    case CXCursor_IntegerLiteral:
    case CXCursor_FloatingLiteral:
    case CXCursor_CompoundStmt:
    case CXCursor_DeclStmt:
    case CXCursor_IfStmt:
    case CXCursor_ReturnStmt:
    case CXCursor_TypeRef:
        break;
    default:
        effects->has = true;
    }
    effects->has |= type.kind == CXType_Pointer || type.kind == CXType_LValueReference ||
                    type.kind == CXType_RValueReference || clopt_tree_is_array(type);
    return effects->has ? CXChildVisit_Break : CXChildVisit_Recurse;
}

/* Whether a call is of a function whose body clopt does not follow: a member, or a template that
 * does more than compute. */
static bool is_beyond(const struct clopt_tree_builder *builder, CXCursor called)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    struct effects effects = {clang, called.kind == CXCursor_CXXMethod ||
                                         called.kind == CXCursor_Constructor ||
                                         called.kind == CXCursor_ConversionFunction};
    if (is_instance(clang, called))
        clang->visitChildren(called, find_effect, &effects);
    return effects.has;
}

/* Makes vload_half(i, p) the element p[i], which is all that it reads; it is printed as a call. */
static void make_element(struct clopt_node *call)
{
    struct clopt_node *index = call->children[0];
    call->kind = CLOPT_NODE_SUBSCRIPT;
    call->children[0] = call->children[1];
    call->children[1] = index;
    call->space = call->children[0]->pointee;
    call->bytes = call->align_bytes = 2;
    call->made = true;
}

struct clopt_node *clopt_tree_build_call(struct clopt_tree_builder *builder, CXCursor cursor)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    CXCursor called = clang->getCursorReferenced(cursor);
    if (is_beyond(builder, called))
        return clopt_tree_refuse(
            builder, cursor, "call of a member or a template of C++ that clopt does not follow");
    struct clopt_node *node = clopt_tree_make_node(builder, cursor, CLOPT_NODE_CALL);
    if (!node || !clopt_tree_build_children(builder, cursor, node))
        return NULL;
    node->name = clopt_tree_string(builder, builder->parse->clang.getCursorSpelling(cursor));
    if (clopt_tree_is_conversion(node->name, strlen(node->name))) {
        node->name_begin = node->begin;
        clopt_tree_describe_value(builder, cursor, node);
        return node;
    }
    bool placed = position_samplers(builder, node);
    struct clopt_node *callee = clopt_tree_child(node, 0);
    if (!placed || !callee || callee->kind != CLOPT_NODE_LITERAL || !*node->name)
        return clopt_tree_refuse(builder, cursor, "call that clopt cannot read");
    node->name_begin = callee->begin;
    node->children++;
    node->child_count--;
    node->child_capacity--;
    struct clopt_tree_definition *definition =
        clopt_tree_find_definition(builder, node->name, called);
    unsigned begin, end;
    if (!definition && clopt_parse_extent(builder->parse, called, &begin, &end) &&
        clang->isCursorDefinition(called) && !is_instance(clang, called))
        return clopt_tree_refuse(builder, cursor, CPP_CALL);
    if (definition)
        node->callee = clopt_tree_reach(builder, definition);
    clopt_tree_describe_value(builder, cursor, node);
    if (!definition && strcmp(node->name, "vload_half") == 0 &&
        clopt_node_is_address(node->children[1]))
        make_element(node);
    return node;
}
