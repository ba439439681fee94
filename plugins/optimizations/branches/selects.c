/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints branches as selects. */
#include "selects.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "expression.h"

/* A condition that holds where a side is meant. */
struct guard {
    const struct guard *outer;
    const char *name;
    bool negative;
};

static void put(struct selects *selects, const char *text)
{
    clopt_output_put(selects->output, text);
}

static void begin_line(struct selects *selects)
{
    if (selects->begun)
        put(selects, "\n");
    selects->begun = true;
}

static void print(struct selects *selects, const struct clopt_node *node)
{
    clopt_print(&selects->printer, selects->output, node);
}

/* Prints an operand of ?: or an initial value. */
static void print_operand(struct selects *selects, const struct clopt_printer *printer,
                          const struct clopt_node *node)
{
    bool loose = (node->kind == CLOPT_NODE_BINARY && clopt_node_is_operator(node, ",")) ||
                 node->kind == CLOPT_NODE_ASSIGN;
    put(selects, loose ? "(" : "");
    clopt_print(printer, selects->output, node);
    put(selects, loose ? ")" : "");
}

static const char *name_of(const struct selects *selects, const struct clopt_variable *variable)
{
    const char *name = selects->names[variable->index];
    return name ? name : variable->name;
}

static const char *fresh(struct selects *selects, const char *base, unsigned number)
{
    const char *name = clopt_source_fresh(selects->source, base, number);
    selects->failed |= !name;
    return name ? name : base;
}

/* Copies of variables of one name are numbered together. */
static const char *fresh_copy(struct selects *selects, const struct clopt_variable *variable)
{
    size_t first = 0;
    while (strcmp(clopt_source_variable(selects->source, first)->name, variable->name) != 0)
        first++;
    return fresh(selects, variable->name, ++selects->counts[first]);
}

static void put_type(struct selects *selects, const struct clopt_variable *variable,
                     size_t subscripts)
{
    char type[128];
    selects->failed |= !place_type(variable, subscripts, type, sizeof type);
    put(selects, type);
    put(selects, type[strlen(type) - 1] == '*' ? "" : " ");
}

/* Puts a condition that holds where the text is wanted, and tells whether it was negated to be
 * short. */
static bool put_guard(struct selects *selects, bool may_negate)
{
    const struct guard *guard = selects->guard;
    if (may_negate && !guard->outer && guard->negative) {
        put(selects, guard->name);
        return true;
    }
    for (; guard; guard = guard->outer)
        clopt_output_printf(selects->output, "%s%s%s", guard->negative ? "!" : "", guard->name,
                            guard->outer ? " && " : "");
    return false;
}

/* ---- memory ---- */

static bool is_in_range(const struct clopt_variable *array, size_t dimension,
                        const struct clopt_node *subscript)
{
    return subscript->known && subscript->value >= 0 &&
           (uint64_t)subscript->value < clopt_variable_extent(array, dimension);
}

/* Puts a subscript where the side is taken, and one that is safe where it is not; `safe` NULL: 0.
 */
static void put_subscript(struct selects *selects, const struct clopt_node *subscript,
                          const struct clopt_node *safe)
{
    const struct clopt_printer plain = {.source = selects->source};
    bool negated = put_guard(selects, true);
    put(selects, " ? ");
    for (unsigned i = 0; i < 2; i++) {
        if (!i == !negated)
            print_operand(selects, &selects->printer, subscript);
        else if (safe)
            print_operand(selects, &plain, safe);
        else
            put(selects, "0");
        put(selects, i ? "" : " : ");
    }
}

static bool put_read(struct selects *selects, const struct clopt_node *node)
{
    const struct check check = {
        .source = selects->source, .kernel = selects->kernel, .exposed = selects->exposed};
    struct read_place place = check_place(&check, selects->branch, node);
    struct read read = read_find(&place, node);
    if (read.kind == READ_AS_IT_IS || read.kind == READ_UNSAFE)
        return false;
    struct elements elements = elements_of(node);
    struct elements like = {0};
    if (read.kind == READ_LIKE)
        like = elements_of(read.like);
    put(selects, name_of(selects, elements.base));
    for (size_t i = 0; i < elements.count; i++) {
        const struct clopt_node *subscript = elements.subscripts[i];
        bool safe = read.kind == READ_LIKE
                        ? is_same_expression(selects->source, subscript, like.subscripts[i])
                        : is_in_range(elements.base, i, subscript);
        put(selects, "[");
        if (safe)
            print(selects, subscript);
        else
            put_subscript(selects, subscript, like.subscripts[i]);
        put(selects, "]");
    }
    return true;
}

/* An element of an array in private memory gets what it has where the side is not taken. */
static void put_element(struct selects *selects, const struct clopt_node *node,
                        const struct clopt_node *place)
{
    struct elements elements = elements_of(place);
    const char *subscripts[MOST_SUBSCRIPTS] = {NULL};
    for (size_t i = 0; i < elements.count; i++) {
        if (is_in_range(elements.base, i, elements.subscripts[i]))
            continue;
        subscripts[i] = fresh(selects, "at", ++selects->places);
        begin_line(selects);
        clopt_output_printf(selects->output, "int %s = ", subscripts[i]);
        put_subscript(selects, elements.subscripts[i], NULL);
        put(selects, ";");
    }
    struct clopt_output *whole = clopt_output_create();
    selects->failed |= !whole;
    if (!whole)
        return;
    clopt_output_put(whole, name_of(selects, elements.base));
    for (size_t i = 0; i < elements.count; i++)
        if (subscripts[i])
            clopt_output_printf(whole, "[%s]", subscripts[i]);
        else
            clopt_output_printf(whole, "[%" PRId64 "]", elements.subscripts[i]->value);
    const char *text = clopt_output_text(whole);
    const char *copy = fresh_copy(selects, elements.base);
    bool plain = node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=") &&
                 place == written_place(node);
    begin_line(selects);
    put_type(selects, elements.base, elements.count);
    clopt_output_printf(selects->output, "%s = ", copy);
    if (plain) {
        print_operand(selects, &selects->printer, node->children[1]);
        put(selects, ";");
    } else {
        clopt_output_printf(selects->output, "%s;", text ? text : "");
        begin_line(selects);
        selects->element = place;
        selects->element_name = copy;
        print(selects, node);
        selects->element = NULL;
    }
    begin_line(selects);
    clopt_output_printf(selects->output, "%s = ", text ? text : "");
    bool negated = put_guard(selects, true);
    clopt_output_printf(selects->output, " ? %s : %s;", negated ? text : copy,
                        negated ? copy : text);
    selects->failed |= !text;
    clopt_output_destroy(whole);
}

/* ---- stores that both sides do ---- */

static const struct clopt_variable *place_variable(const struct clopt_node *place, size_t *count)
{
    struct elements elements = elements_of(place);
    *count = elements.count;
    return place->kind == CLOPT_NODE_VARIABLE ? place->variable : elements.base;
}

static bool put_stored(struct selects *selects, const struct clopt_node *node)
{
    const struct clopt_printer plain = {.source = selects->source};
    for (unsigned side = 0; side < 2; side++)
        for (size_t i = 0; i < selects->stores.count; i++) {
            if (selects->stores.sides[side][i] != node)
                continue;
            size_t count = 0;
            const struct clopt_variable *variable = place_variable(written_place(node), &count);
            const char *copy = fresh_copy(selects, variable);
            selects->stored[side][i] = copy;
            put_type(selects, variable, count);
            clopt_output_printf(selects->output, "%s = ", copy);
            if (!clopt_node_is_operator(node, "=")) {
                clopt_print(&plain, selects->output, node->children[0]);
                put(selects, ";");
                begin_line(selects);
                clopt_output_printf(selects->output, "%s %s ", copy, node->operator);
            }
            print(selects, node->children[1]);
            put(selects, ";");
            return true;
        }
    return false;
}

static void put_stores(struct selects *selects, const char *taken)
{
    const struct clopt_printer plain = {.source = selects->source};
    for (size_t i = 0; i < selects->stores.count; i++) {
        begin_line(selects);
        clopt_print(&plain, selects->output, selects->stores.sides[0][i]->children[0]);
        clopt_output_printf(selects->output, " = %s ? %s : %s;", taken, selects->stored[0][i],
                            selects->stored[1][i]);
    }
}

/* ---- statements ---- */

static void put_statement(struct selects *selects, const struct clopt_node *node);

/* Puts the comments between two places of the text. */
static void put_comments(struct selects *selects, size_t from, size_t end)
{
    const char *text = clopt_source_text(selects->source);
    bool apart = false;
    for (; from < end && isspace((unsigned char)text[from]); from++)
        apart |= text[from] == '\n';
    while (end > from && isspace((unsigned char)text[end - 1]))
        end--;
    if (from == end)
        return;
    if (apart)
        begin_line(selects);
    else
        put(selects, selects->begun ? " " : "");
    selects->begun = true;
    clopt_output_copy(selects->output, selects->source, from, end);
}

/* Where the word `else` of a branch stands, or the branch ends. */
static size_t else_begin(const struct selects *selects, const struct clopt_node *branch)
{
    const char *text = clopt_source_text(selects->source);
    size_t end = branch->otherwise ? branch->otherwise->begin : branch->stop;
    const char *at = text + branch->body->stop;
    while (at < text + end && *at != 'e') {
        const char *close = at;
        if (strncmp(at, "/*", 2) == 0)
            close = strstr(at + 2, "*/") + 1;
        else if (*at == '/')
            close = strchr(at, '\n');
        at = close + 1;
    }
    return (size_t)(at - text);
}

static void put_block(struct selects *selects, const struct clopt_node *block)
{
    size_t at = block->begin + 1;
    for (size_t i = 0; i < block->child_count; i++) {
        put_comments(selects, at, block->children[i]->begin);
        put_statement(selects, block->children[i]);
        at = block->children[i]->stop;
    }
    put_comments(selects, at, block->end - 1);
}

static void put_declarators(struct selects *selects, const struct clopt_node *declaration)
{
    for (size_t i = 0; i < declaration->child_count; i++) {
        const struct clopt_node *declarator = declaration->children[i];
        selects->names[declarator->variable->index] = fresh_copy(selects, declarator->variable);
        begin_line(selects);
        clopt_print_declarator(&selects->printer, selects->output, declarator, true);
    }
}

static void put_branch(struct selects *selects, const struct clopt_node *branch);

static void put_expression(struct selects *selects, const struct clopt_node *node)
{
    const struct clopt_node *place = written_place(node);
    const struct clopt_node *whole = place ? written_whole(place) : NULL;
    if (whole && is_private_element(whole)) {
        put_element(selects, node, whole);
        return;
    }
    begin_line(selects);
    if (put_stored(selects, node))
        return;
    if (whole && whole->kind == CLOPT_NODE_VARIABLE &&
        selects->beginnings[whole->variable->index] == node) {
        put_type(selects, whole->variable, 0);
        clopt_output_printf(selects->output, "%s = ", name_of(selects, whole->variable));
        print(selects, node->children[1]);
        put(selects, ";");
        return;
    }
    print(selects, node);
}

static void put_statement(struct selects *selects, const struct clopt_node *node)
{
    switch (node->kind) {
    case CLOPT_NODE_EMPTY:
        break;
    case CLOPT_NODE_COMPOUND:
        put_block(selects, node);
        break;
    case CLOPT_NODE_DECLARE:
        put_declarators(selects, node);
        break;
    case CLOPT_NODE_IF:
        put_branch(selects, node);
        break;
    default:
        put_expression(selects, node);
        break;
    }
}

/* ---- sides ---- */

/* The variables of a side that get a copy, and what is called what. */
struct side {
    const struct clopt_node *body;
    struct selects *selects;
    const char **copies; /* by variable: NULL: it has none */
};

static void note_written(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                         unsigned access)
{
    struct side *side = user;
    bool inside = variable->declarator && clopt_node_contains(side->body, variable->declarator);
    (void)node;
    if ((access & CLOPT_WRITE) && !variable->is_array && !inside &&
        variable->space == CLOPT_SPACE_PRIVATE && !side->copies[variable->index] &&
        !(variable->is_pointer && variable->pointee == CLOPT_SPACE_PRIVATE))
        side->copies[variable->index] = fresh_copy(side->selects, variable);
}

/* Finds the first statement of a side that touches a variable. */
static const struct clopt_node *first_touch(const struct clopt_node *node,
                                            const struct clopt_variable *variable)
{
    if (node->kind != CLOPT_NODE_COMPOUND)
        return clopt_node_touches(node, variable) ? node : NULL;
    for (size_t i = 0; i < node->child_count; i++) {
        const struct clopt_node *found = first_touch(node->children[i], variable);
        if (found)
            return found;
    }
    return NULL;
}

/* The assignment with which a copy can begin: what the variable was does not matter to it. */
static const struct clopt_node *find_beginning(const struct clopt_node *body,
                                               const struct clopt_variable *variable)
{
    const struct clopt_node *node = first_touch(body, variable);
    bool begins = node && node->kind == CLOPT_NODE_ASSIGN && clopt_node_is_operator(node, "=") &&
                  written_place(node)->kind == CLOPT_NODE_VARIABLE &&
                  written_place(node)->variable == variable &&
                  !clopt_node_touches(node->children[1], variable);
    return begins ? node : NULL;
}

static void put_side(struct selects *selects, struct side *side, const char *taken, bool negative)
{
    const struct guard guard = {selects->guard, taken, negative};
    size_t count = clopt_source_variable_count(selects->source);
    const char **outer = calloc(count + 1, sizeof *outer);
    side->copies = calloc(count + 1, sizeof *side->copies);
    if (!outer || !side->copies) {
        selects->failed = true;
        free(outer);
        return;
    }
    clopt_node_accesses(side->body, note_written, side);
    memcpy(outer, selects->names, count * sizeof *outer);
    for (size_t i = 0; i < count; i++) {
        if (!side->copies[i])
            continue;
        const struct clopt_variable *variable = clopt_source_variable(selects->source, i);
        selects->beginnings[i] = find_beginning(side->body, variable);
        if (!selects->beginnings[i]) {
            begin_line(selects);
            put_type(selects, variable, 0);
            clopt_output_printf(selects->output, "%s = %s;", side->copies[i],
                                name_of(selects, variable));
        }
        selects->names[i] = side->copies[i];
    }
    selects->guard = &guard;
    put_statement(selects, side->body);
    selects->guard = guard.outer;
    memcpy(selects->names, outer, count * sizeof *outer);
    free(outer);
}

static void put_selects(struct selects *selects, const struct side *sides, const char *taken)
{
    size_t count = clopt_source_variable_count(selects->source);
    for (size_t i = 0; i < count; i++) {
        const char *copies[2];
        const char *name = name_of(selects, clopt_source_variable(selects->source, i));
        for (unsigned side = 0; side < 2; side++)
            copies[side] =
                sides[side].copies && sides[side].copies[i] ? sides[side].copies[i] : name;
        if (copies[0] == name && copies[1] == name)
            continue;
        begin_line(selects);
        clopt_output_printf(selects->output, "%s = %s ? %s : %s;", name, taken, copies[0],
                            copies[1]);
    }
}

static void put_branch(struct selects *selects, const struct clopt_node *branch)
{
    const char *taken = fresh(selects, "taken", ++selects->taken);
    struct side sides[2] = {{branch->body, selects, NULL}, {branch->otherwise, selects, NULL}};
    begin_line(selects);
    clopt_output_printf(selects->output, "bool %s = ", taken);
    print_operand(selects, &selects->printer, branch->condition);
    put(selects, ";");
    for (unsigned i = 0; i < 2 && sides[i].body; i++) {
        put_side(selects, &sides[i], taken, i);
        if (i == 0 && branch->otherwise)
            put_comments(selects, branch->body->stop, else_begin(selects, branch));
    }
    put_selects(selects, sides, taken);
    if (branch == selects->branch)
        put_stores(selects, taken);
    free(sides[0].copies);
    free(sides[1].copies);
}

static void put_outermost(struct selects *selects, const struct clopt_node *branch)
{
    bool braces = !branch->parent || branch->parent->kind != CLOPT_NODE_COMPOUND;
    put(selects, braces ? "{\n" : "");
    selects->begun = false;
    stores_find(selects->source, branch, &selects->stores);
    selects->branch = branch;
    put_branch(selects, branch);
    selects->branch = NULL;
    put(selects, braces ? "\n}" : "");
}

static bool replace(void *user, struct clopt_output *output, const struct clopt_node *node)
{
    struct selects *selects = user;
    if (!selects->branch) {
        if (!selects->flat[node->index])
            return false;
        put_outermost(selects, node);
        return true;
    }
    if (node == selects->element) {
        clopt_output_put(output, selects->element_name);
        return true;
    }
    /* Outside of the sides, in the condition, all is as it was. */
    return selects->guard && is_memory(node) && put_read(selects, node);
}

static const char *get_name(void *user, const struct clopt_variable *variable)
{
    const struct selects *selects = user;
    return selects->names[variable->index];
}

enum clopt_status selects_init(struct selects *selects, struct clopt_error *error)
{
    size_t count = clopt_source_variable_count(selects->source);
    selects->printer = (struct clopt_printer){
        .source = selects->source, .user = selects, .name = get_name, .replace = replace};
    selects->names = calloc(count + 1, sizeof *selects->names);
    selects->beginnings = calloc(count + 1, sizeof *selects->beginnings);
    selects->counts = calloc(count + 1, sizeof *selects->counts);
    if (selects->names && selects->beginnings && selects->counts)
        return CLOPT_OK;
    return clopt_fail(error, CLOPT_FAILED, "out of memory");
}

void selects_fini(struct selects *selects)
{
    free(selects->names);
    free(selects->beginnings);
    free(selects->counts);
}
