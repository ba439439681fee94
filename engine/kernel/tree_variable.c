/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds variables to a tree, with what their types say. */
#include "kernel/tree_builder.h"

enum clopt_space clopt_tree_type_space(const struct clopt_tree_builder *builder, CXType type)
{
    char spelling[512];
    clopt_parse_string(builder->parse, builder->parse->clang.getTypeSpelling(type), spelling,
                       sizeof spelling);
    const char *star = strrchr(spelling, '*');
    const char *outer = star ? star + 1 : spelling; /* the outermost address space */
    if (strstr(outer, "__local"))
        return CLOPT_SPACE_LOCAL;
    if (strstr(outer, "__global"))
        return CLOPT_SPACE_GLOBAL;
    if (strstr(outer, "__constant"))
        return CLOPT_SPACE_CONSTANT;
    return strstr(outer, "__generic") ? CLOPT_SPACE_GENERIC : CLOPT_SPACE_PRIVATE;
}

bool clopt_tree_is_array(CXType type)
{
    return type.kind == CXType_ConstantArray || type.kind == CXType_IncompleteArray ||
           type.kind == CXType_VariableArray || type.kind == CXType_DependentSizedArray;
}

enum clopt_scalar clopt_tree_scalar(const struct clopt_tree_builder *builder, CXType type,
                                    unsigned *width)
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
        {CXType_ULong, CLOPT_SCALAR_ULONG},   {CXType_Half, CLOPT_SCALAR_HALF},
        {CXType_Float, CLOPT_SCALAR_FLOAT},   {CXType_Double, CLOPT_SCALAR_DOUBLE},
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

/* What a type takes in memory; 0 where that is not known. */
static size_t type_bytes(const struct clopt_clang *clang, CXType type)
{
    long long bytes = clang->Type_getSizeOf(type);
    return bytes > 0 ? (size_t)bytes : 0;
}

/* The types of a structure's members, as a list. */
struct members {
    const struct clopt_tree_builder *builder;
    char text[512];
    bool known; /* all are numbers, vectors, arrays or structures of them */
};

static enum CXVisitorResult note_member(CXCursor cursor, CXClientData data)
{
    struct members *members = data;
    const struct clopt_clang *clang = &members->builder->parse->clang;
    CXType type = clang->getCanonicalType(clang->getCursorType(cursor));
    size_t length = strlen(members->text);
    char count[32] = "", name[16];
    unsigned width;
    if (type.kind == CXType_Record) {
        clang->Type_visitFields(type, note_member, data);
        return members->known ? CXVisit_Continue : CXVisit_Break;
    }
    if (type.kind == CXType_ConstantArray) {
        snprintf(count, sizeof count, "[%lld]", clang->getNumElements(type));
        type = clang->getCanonicalType(clang->getArrayElementType(type));
    }
    enum clopt_scalar scalar = clopt_tree_scalar(members->builder, type, &width);
    members->known &= clopt_scalar_is_number(scalar);
    clopt_scalar_print(scalar, width, name, sizeof name);
    size_t room = sizeof members->text - length;
    members->known &= (size_t)snprintf(members->text + length, room, "%s%s%s", length ? ", " : "",
                                       name, count) < room;
    return members->known ? CXVisit_Continue : CXVisit_Break;
}

/* Lists the members of a structure; NULL where some type cannot be named. */
static const char *list_members(const struct clopt_tree_builder *builder, CXType type)
{
    struct members members = {builder, "", true};
    if (type.kind != CXType_Record)
        return NULL;
    builder->parse->clang.Type_visitFields(type, note_member, &members);
    return members.known ? clopt_tree_copy(builder, members.text, strlen(members.text)) : NULL;
}

/* The members of a structure, one after the other. */
struct fields {
    const struct clopt_tree_builder *builder;
    struct clopt_member *items; /* NULL: they are counted */
    size_t count;
    size_t end; /* of those so far, in bytes */
    bool known;
};

static enum CXVisitorResult note_field(CXCursor cursor, CXClientData data)
{
    struct fields *fields = data;
    const struct clopt_tree_builder *builder = fields->builder;
    const struct clopt_clang *clang = &builder->parse->clang;
    CXType type = clang->getCanonicalType(clang->getCursorType(cursor));
    long long bits = clang->Cursor_getOffsetOfField(cursor), elements = 0;
    size_t bytes = type_bytes(clang, type);
    struct clopt_member field = {.offset = (size_t)bits / 8};
    if (type.kind == CXType_ConstantArray) {
        elements = clang->getNumElements(type);
        type = clang->getCanonicalType(clang->getArrayElementType(type));
    }
    field.scalar = clopt_tree_scalar(builder, type, &field.width);
    field.count = (size_t)elements;
    fields->known &= clopt_scalar_is_number(field.scalar) && bits >= 0 && bits % 8 == 0 &&
                     field.offset >= fields->end && bytes && (!elements || field.width == 1) &&
                     !clang->isVolatileQualifiedType(type);
    fields->end = field.offset + bytes;
    if (fields->items && fields->known) {
        field.name = clopt_tree_string(builder, clang->getCursorSpelling(cursor));
        fields->items[fields->count] = field;
    }
    fields->count++;
    return fields->known ? CXVisit_Continue : CXVisit_Break;
}

static void list_fields(const struct clopt_tree_builder *builder, CXType type,
                        struct clopt_variable *variable)
{
    struct fields counted = {.builder = builder, .known = true};
    if (type.kind != CXType_Record)
        return;
    builder->parse->clang.Type_visitFields(type, note_field, &counted);
    struct fields fields = {.builder = builder, .known = counted.known};
    fields.items = clopt_source_table(builder->source, counted.count, sizeof *fields.items);
    if (fields.known && counted.count) {
        builder->parse->clang.Type_visitFields(type, note_field, &fields);
        variable->fields = fields.items;
        variable->field_count = fields.count;
    }
}

static void describe_type(const struct clopt_tree_builder *builder, CXType type,
                          struct clopt_variable *variable)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    variable->bytes = type_bytes(clang, type);
    variable->is_volatile = clang->isVolatileQualifiedType(type);
    type = clang->getCanonicalType(type);
    variable->space = clopt_tree_type_space(builder, type); /* elements do not say it */
    while (clopt_tree_is_array(type)) {
        variable->is_array = true;
        type = clang->getCanonicalType(clang->getArrayElementType(type));
    }
    variable->is_volatile |= clang->isVolatileQualifiedType(type) != 0;
    variable->is_record = type.kind == CXType_Record;
    variable->scalar = clopt_tree_scalar(builder, type, &variable->width);
    if (!variable->is_array)
        variable->bits =
            clopt_scalar_integer(variable->scalar, variable->width, &variable->is_signed);
    variable->members = list_members(builder, type);
    if (!variable->is_array)
        list_fields(builder, type, variable);
    if (type.kind != CXType_Pointer)
        return;
    CXType pointee = clang->getCanonicalType(clang->getPointeeType(type));
    variable->is_pointer = true;
    variable->pointee = clopt_tree_type_space(builder, pointee);
    variable->pointee_scalar = clopt_tree_scalar(builder, pointee, &variable->pointee_width);
    variable->pointee_bytes = type_bytes(clang, pointee);
    variable->members = list_members(builder, pointee);
    list_fields(builder, pointee, variable);
    variable->points_to_const = clang->isConstQualifiedType(pointee);
}

/* Makes "float *" of a parameter's "float[2]", and "float (*)[3]" of "float[2][3]", which it may be
 * already. */
static void spell_pointer(char *type, size_t size)
{
    char rest[256];
    char *open = strchr(type, '[');
    char *close = open ? strchr(open, ']') : NULL;
    if (!close || strchr(type, '('))
        return;
    snprintf(rest, sizeof rest, "%s", close + 1);
    snprintf(open, size - (size_t)(open - type), *rest ? " (*)%s" : " *%s", rest);
}

struct clopt_variable *clopt_tree_add_variable(struct clopt_tree_builder *builder, CXCursor cursor)
{
    const struct clopt_clang *clang = &builder->parse->clang;
    struct clopt_source *source = builder->source;
    struct clopt_variable *variable =
        clopt_source_add(source, &source->variables, &source->variable_count, sizeof *variable);
    char type[512];
    CXType kind = clang->getCanonicalType(clang->getCursorType(cursor));
    if (kind.kind == CXType_LValueReference || kind.kind == CXType_RValueReference) {
        clopt_tree_refuse(builder, cursor, "reference of C++, which clopt does not follow");
        return NULL;
    }
    clopt_parse_string(builder->parse, clang->getTypeSpelling(clang->getCursorType(cursor)), type,
                       sizeof type);
    if (cursor.kind == CXCursor_ParmDecl)
        spell_pointer(type, sizeof type);
    variable->name = clopt_tree_string(builder, clang->getCursorSpelling(cursor));
    variable->type = clopt_tree_copy(builder, type, strlen(type));
    variable->function = builder->function;
    variable->index = source->variable_count - 1;
    describe_type(builder, clang->getCursorType(cursor), variable);
    variable->begin = clopt_parse_offset(builder->parse, cursor);
    builder->declared[variable->begin] = variable;
    return variable;
}
