/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds subscripts: walks through a kernel once, in the order of execution, and keeps for each
 * variable what it holds as a form. Loops are walked once: what each turn adds to a variable
 * becomes a multiple of the number of turns. */
#include "source/subscript.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "source/effect.h"

#define DEEPEST_CALL 16

/* What a variable or expression holds. */
struct value {
    struct clopt_form form;             /* of a pointer: how many elements behind `array` */
    const struct clopt_variable *array; /* NULL: no pointer, or one to who knows what */
};

struct walker {
    const struct clopt_source *source;
    struct clopt_subscripts *found;
    struct value *values; /* one a variable */
    size_t value_count;
    unsigned loops; /* around where the walk is */
    unsigned loop_count;
    unsigned depth; /* of calls */
    bool silent;    /* records no accesses */
    bool failed;    /* memory ran out */
};

static struct value evaluate(struct walker *walker, const struct clopt_node *node);
static void walk(struct walker *walker, const struct clopt_node *node);

/* ---- symbols ---- */

static unsigned find_symbol(struct walker *walker, enum clopt_symbol_kind kind, unsigned number,
                            const void *key, const char *name, unsigned depends)
{
    struct clopt_subscripts *found = walker->found;
    for (size_t i = 0; i < found->symbol_count; i++) {
        struct clopt_symbol *symbol = &found->symbols[i];
        if (symbol->kind == kind && symbol->number == number && symbol->key == key) {
            symbol->depends |= depends;
            return (unsigned)i + 1;
        }
    }
    struct clopt_symbol *symbols =
        found->symbol_count < UINT16_MAX - 1
            ? realloc(found->symbols, (found->symbol_count + 1) * sizeof *symbols)
            : NULL;
    if (!symbols) {
        walker->failed = true;
        return 0;
    }
    found->symbols = symbols;
    symbols[found->symbol_count] = (struct clopt_symbol){kind, number, depends, key, name};
    return (unsigned)++found->symbol_count;
}

static struct value of_symbol(unsigned symbol)
{
    return (struct value){.form = clopt_form_symbol(symbol)};
}

/* A value of which only is known what it may depend on. */
static struct value computed(struct walker *walker, const void *key, unsigned number,
                             unsigned depends)
{
    return of_symbol(find_symbol(walker, depends ? CLOPT_SYMBOL_COMPUTED : CLOPT_SYMBOL_UNIFORM,
                                 number, key, NULL, depends));
}

unsigned clopt_form_depends(const struct clopt_subscripts *subscripts,
                            const struct clopt_form *form)
{
    unsigned depends = 0;
    for (unsigned i = 0; i < form->count; i++)
        for (unsigned k = 0; k < CLOPT_TERM_SYMBOLS && form->terms[i].symbols[k]; k++)
            depends |= subscripts->symbols[form->terms[i].symbols[k] - 1].depends;
    return depends;
}

static unsigned depends_of(const struct walker *walker, const struct value *value)
{
    return clopt_form_depends(walker->found, &value->form);
}

/* ---- accesses ---- */

static void record(struct walker *walker, const struct clopt_node *node, const struct value *place,
                   unsigned access, unsigned width)
{
    struct clopt_subscripts *found = walker->found;
    if (walker->silent || walker->failed)
        return;
    struct clopt_subscript *accesses =
        realloc(found->accesses, (found->access_count + 1) * sizeof *accesses);
    if (!accesses) {
        walker->failed = true;
        return;
    }
    found->accesses = accesses;
    accesses[found->access_count++] =
        (struct clopt_subscript){node, place->array, access, width, walker->loops, place->form};
}

static bool is_device_memory(const struct clopt_node *node)
{
    return node->space == CLOPT_SPACE_GLOBAL || node->space == CLOPT_SPACE_CONSTANT;
}

static struct value add_values(struct walker *walker, const struct clopt_node *node, struct value a,
                               const struct value *b, int64_t factor)
{
    unsigned depends = depends_of(walker, &a) | depends_of(walker, b);
    if (!clopt_form_add(&a.form, &b->form, factor))
        a.form = computed(walker, node, 0, depends).form;
    if (!a.array)
        a.array = b->array;
    return a;
}

/* Where a subscript, *, ->, or what is a part of one of them, leads to; nothing is accessed yet. */
static struct value locate(struct walker *walker, const struct clopt_node *node)
{
    struct value place = evaluate(walker, node->children[0]);
    if (node->kind == CLOPT_NODE_SUBSCRIPT) {
        struct value index = evaluate(walker, node->children[1]);
        if (!node->is_array && !node->children[0]->is_array)
            return add_values(walker, node, place, &index, 1);
        unsigned depends = depends_of(walker, &place) | depends_of(walker, &index);
        place.form = computed(walker, node, 0, depends).form;
    }
    return place;
}

/* Reads or writes what a place holds; returns what is read. */
static struct value touch(struct walker *walker, const struct clopt_node *node, unsigned access)
{
    struct value place = locate(walker, node);
    if (node->is_array)
        return place; /* its elements are touched further up */
    if (is_device_memory(node) && (place.array || node->space == CLOPT_SPACE_GLOBAL))
        record(walker, node, &place, access, 1);
    unsigned depends = depends_of(walker, &place);
    if (!is_device_memory(node))
        depends |= CLOPT_DEPENDS_ITEMS | walker->loops;
    return computed(walker, node, 0, depends);
}

/* ---- expressions ---- */

static void set_variable(struct walker *walker, const struct clopt_variable *variable,
                         const struct value *value)
{
    walker->values[variable->index] = *value;
}

static const struct clopt_node *bare(const struct clopt_node *node)
{
    while (node->kind == CLOPT_NODE_PAREN)
        node = node->children[0];
    return node;
}

/* Gives an expression a value: a variable, or memory. */
static void assign(struct walker *walker, const struct clopt_node *node, const struct value *value,
                   unsigned access)
{
    node = bare(node);
    if (node->kind == CLOPT_NODE_VARIABLE) {
        set_variable(walker, node->variable, value);
        return;
    }
    if (node->kind == CLOPT_NODE_SUBSCRIPT || node->kind == CLOPT_NODE_UNARY ||
        (node->kind == CLOPT_NODE_MEMBER && strcmp(node->operator, "->") == 0)) {
        touch(walker, node, access);
        return;
    }
    /* A part of a vector or a record. */
    struct value part = computed(walker, node, 0, depends_of(walker, value));
    if (node->child_count)
        assign(walker, node->children[0], &part, access);
}

static struct value evaluate_binary(struct walker *walker, const struct clopt_node *node)
{
    struct value a = evaluate(walker, node->children[0]);
    struct value b = evaluate(walker, node->children[1]);
    const char *operator= node->operator;
    unsigned depends = depends_of(walker, &a) | depends_of(walker, &b);
    int64_t shift;
    if (strcmp(operator, ",") == 0)
        return b;
    if (strcmp(operator, "+") == 0)
        return add_values(walker, node, a, &b, 1);
    if (strcmp(operator, "-") == 0 && !b.array)
        return add_values(walker, node, a, &b, -1);
    if (strcmp(operator, "*") == 0 && clopt_form_multiply(&a.form, &b.form))
        return a;
    if (strcmp(operator, "<<") == 0 && clopt_form_is_constant(&b.form, &shift) && shift >= 0 &&
        shift < 32) {
        struct clopt_form factor = clopt_form_constant(INT64_C(1) << shift);
        if (clopt_form_multiply(&a.form, &factor))
            return a;
    }
    return computed(walker, node, 0, depends);
}

static struct value evaluate_assign(struct walker *walker, const struct clopt_node *node)
{
    struct value value = evaluate(walker, node->children[1]);
    if (strcmp(node->operator, "=") == 0) {
        assign(walker, node->children[0], &value, CLOPT_WRITE);
        return value;
    }
    const struct clopt_node *place = bare(node->children[0]);
    if (place->kind != CLOPT_NODE_VARIABLE) {
        assign(walker, place, &value, CLOPT_READ | CLOPT_WRITE);
        return computed(walker, node, 0, depends_of(walker, &value) | walker->loops);
    }
    struct value old = walker->values[place->variable->index];
    unsigned depends = depends_of(walker, &old) | depends_of(walker, &value);
    if (strcmp(node->operator, "+=") == 0)
        value = add_values(walker, node, old, &value, 1);
    else if (strcmp(node->operator, "-=") == 0)
        value = add_values(walker, node, old, &value, -1);
    else if (strcmp(node->operator, "*=") == 0 && clopt_form_multiply(&old.form, &value.form))
        value = old;
    else
        value = computed(walker, node, 0, depends);
    set_variable(walker, place->variable, &value);
    return value;
}

/* Reads ++ and --. */
static struct value evaluate_step(struct walker *walker, const struct clopt_node *node)
{
    const struct clopt_node *place = bare(node->children[0]);
    struct value one = {.form = clopt_form_constant(1)};
    if (place->kind != CLOPT_NODE_VARIABLE) {
        assign(walker, place, &one, CLOPT_READ | CLOPT_WRITE);
        return computed(walker, node, 0, CLOPT_DEPENDS_ITEMS | walker->loops);
    }
    struct value old = walker->values[place->variable->index];
    struct value next =
        add_values(walker, node, old, &one, strcmp(node->operator, "++") == 0 ? 1 : -1);
    set_variable(walker, place->variable, &next);
    return node->kind == CLOPT_NODE_POSTFIX ? old : next;
}

static struct value evaluate_unary(struct walker *walker, const struct clopt_node *node)
{
    const struct clopt_node *operand = bare(node->children[0]);
    if (strcmp(node->operator, "++") == 0 || strcmp(node->operator, "--") == 0)
        return evaluate_step(walker, node);
    if (strcmp(node->operator, "*") == 0)
        return touch(walker, node, CLOPT_READ);
    if (strcmp(node->operator, "&") == 0 && operand->kind == CLOPT_NODE_SUBSCRIPT)
        return locate(walker, operand);
    struct value value = evaluate(walker, operand);
    struct clopt_form minus = clopt_form_constant(-1);
    if (strcmp(node->operator, "+") == 0)
        return value;
    if (strcmp(node->operator, "-") == 0 && clopt_form_multiply(&value.form, &minus))
        return value;
    return computed(walker, node, 0, depends_of(walker, &value));
}

/* ---- calls ---- */

/* Reads the functions of a work-item's place. get_global_id() is get_local_id() and a number of the
 * work-group. */
static bool evaluate_place(struct walker *walker, const struct clopt_node *call,
                           struct value *value)
{
    static const char *const of_group[] = {"get_group_id",    "get_num_groups",    "get_local_size",
                                           "get_global_size", "get_global_offset", "get_work_dim"};
    static const char group_start[] = "group's start";
    bool item = strcmp(call->name, "get_local_id") == 0;
    bool global = strcmp(call->name, "get_global_id") == 0;
    const char *group = global ? group_start : NULL;
    for (size_t i = 0; i < sizeof of_group / sizeof of_group[0]; i++)
        if (strcmp(call->name, of_group[i]) == 0)
            group = of_group[i];
    if (!item && !group)
        return false;
    const struct clopt_node *argument = call->child_count ? call->children[0] : NULL;
    unsigned dimension = argument ? (unsigned)argument->value : 0;
    if (argument && (!argument->known || dimension > 2)) {
        *value = computed(walker, call, 0, item || global ? CLOPT_DEPENDS_ITEMS : 0);
        return true;
    }
    struct value own = of_symbol(find_symbol(walker, CLOPT_SYMBOL_ITEM, dimension, NULL, NULL,
                                             CLOPT_DEPENDS_ITEM(dimension)));
    struct value start = own;
    if (group)
        start = of_symbol(find_symbol(walker, CLOPT_SYMBOL_UNIFORM, dimension, group, NULL, 0));
    *value = global ? add_values(walker, call, own, &start, 1) : start;
    return true;
}

/* A bound changes what happens at the edges only: min(x, bound) is taken for x. */
static struct value evaluate_bound(struct walker *walker, const struct clopt_node *call,
                                   const struct value *arguments, unsigned depends)
{
    const struct value *differing = NULL;
    unsigned count = 0;
    for (size_t i = 0; i < call->child_count && i < 3; i++)
        if (depends_of(walker, &arguments[i])) {
            differing = &arguments[i];
            count++;
        }
    return count == 1 ? *differing : computed(walker, call, 0, depends);
}

/* Reads vload4(offset, pointer) and vstore4(data, offset, pointer). */
static bool evaluate_vector(struct walker *walker, const struct clopt_node *call,
                            const struct value *arguments)
{
    bool load = clopt_name_starts(call->name, "vload");
    bool store = clopt_name_starts(call->name, "vstore");
    unsigned width = (unsigned)strtoul(call->name + strcspn(call->name, "0123456789"), NULL, 10);
    size_t first = store;
    if ((!load && !store) || call->child_count < first + 2 || !width)
        return false;
    struct value offset = arguments[first];
    struct value place = arguments[first + 1];
    const struct clopt_node *pointer = call->children[first + 1];
    if (!place.array)
        return true;
    struct clopt_form factor = clopt_form_constant(width);
    unsigned depends = depends_of(walker, &offset) | depends_of(walker, &place);
    if (!clopt_form_multiply(&offset.form, &factor))
        offset.form = computed(walker, pointer, 1, depends).form;
    place = add_values(walker, call, place, &offset, 1);
    record(walker, call, &place, load ? CLOPT_READ : CLOPT_WRITE, width);
    return true;
}

/* Walks through a function of the user's with the values of its arguments. */
static void enter_function(struct walker *walker, const struct clopt_node *call,
                           const struct value *arguments)
{
    const struct clopt_function *callee = call->callee;
    if (walker->depth == DEEPEST_CALL)
        return;
    for (size_t i = 0; i < callee->parameter_count && i < call->child_count; i++)
        set_variable(walker, callee->parameters[i], &arguments[i]);
    walker->depth++;
    walk(walker, callee->body);
    walker->depth--;
}

/* Functions of OpenCL that are given a pointer to global memory. */
static void touch_arguments(struct walker *walker, const struct clopt_node *call,
                            struct value *arguments)
{
    bool atomic = clopt_name_starts(call->name, "atom");
    for (size_t i = 0; i < call->child_count; i++) {
        if (!arguments[i].array || clopt_name_starts(call->name, "prefetch"))
            continue;
        if (!atomic) /* how much of it is touched is not known */
            arguments[i].form =
                computed(walker, call, (unsigned)i + 1, CLOPT_DEPENDS_ITEMS | walker->loops).form;
        record(walker, call, &arguments[i], CLOPT_READ | CLOPT_WRITE, 1);
    }
}

static struct value evaluate_call(struct walker *walker, const struct clopt_node *call)
{
    struct value value;
    if (evaluate_place(walker, call, &value))
        return value;
    struct value *arguments = calloc(call->child_count + 3, sizeof *arguments);
    unsigned depends = 0;
    if (!arguments) {
        walker->failed = true;
        return (struct value){.array = NULL};
    }
    for (size_t i = 0; i < call->child_count; i++) {
        arguments[i] = evaluate(walker, call->children[i]);
        depends |= depends_of(walker, &arguments[i]);
    }
    value = computed(walker, call, 0, depends);
    if (call->callee)
        enter_function(walker, call, arguments);
    else if (strcmp(call->name, "min") == 0 || strcmp(call->name, "max") == 0 ||
             strcmp(call->name, "clamp") == 0)
        value = evaluate_bound(walker, call, arguments, depends);
    else if (clopt_name_starts(call->name, "convert_") && call->child_count == 1)
        value = arguments[0];
    else if ((strcmp(call->name, "mul24") == 0 || strcmp(call->name, "mad24") == 0) &&
             clopt_form_multiply(&arguments[0].form, &arguments[1].form))
        value = add_values(walker, call, arguments[0], &arguments[2], 1);
    else if (!evaluate_vector(walker, call, arguments))
        touch_arguments(walker, call, arguments);
    free(arguments);
    return value;
}

/* ---- all expressions ---- */

static struct value evaluate_parts(struct walker *walker, const struct clopt_node *node)
{
    unsigned depends = 0;
    for (size_t i = 0; i < node->child_count; i++) {
        struct value part = evaluate(walker, node->children[i]);
        depends |= depends_of(walker, &part);
    }
    return computed(walker, node, 0, depends);
}

static struct value evaluate_choice(struct walker *walker, const struct clopt_node *node)
{
    struct value condition = evaluate(walker, node->children[0]);
    struct value yes = evaluate(walker, node->children[1]);
    struct value no = evaluate(walker, node->children[2]);
    if (yes.array == no.array && clopt_form_equals(&yes.form, &no.form))
        return yes;
    struct value value = computed(walker, node, 0,
                                  depends_of(walker, &condition) | depends_of(walker, &yes) |
                                      depends_of(walker, &no));
    value.array = yes.array == no.array ? yes.array : NULL;
    return value;
}

static struct value evaluate_cast(struct walker *walker, const struct clopt_node *node)
{
    struct value value = evaluate(walker, node->children[0]);
    if (!value.array && node->bits)
        return value;
    value.form = computed(walker, node, 0, depends_of(walker, &value)).form;
    return value;
}

static struct value evaluate(struct walker *walker, const struct clopt_node *node)
{
    if (node->known)
        return (struct value){.form = clopt_form_constant(node->value)};
    switch (node->kind) {
    case CLOPT_NODE_VARIABLE:
        return walker->values[node->variable->index];
    case CLOPT_NODE_PAREN:
        return evaluate(walker, node->children[0]);
    case CLOPT_NODE_CAST:
        return evaluate_cast(walker, node);
    case CLOPT_NODE_CALL:
        return evaluate_call(walker, node);
    case CLOPT_NODE_SUBSCRIPT:
        return touch(walker, node, CLOPT_READ);
    case CLOPT_NODE_MEMBER:
        if (strcmp(node->operator, "->") == 0)
            return touch(walker, node, CLOPT_READ);
        return evaluate_parts(walker, node);
    case CLOPT_NODE_UNARY:
        return evaluate_unary(walker, node);
    case CLOPT_NODE_POSTFIX:
        return evaluate_step(walker, node);
    case CLOPT_NODE_BINARY:
        return evaluate_binary(walker, node);
    case CLOPT_NODE_ASSIGN:
        return evaluate_assign(walker, node);
    case CLOPT_NODE_CONDITIONAL:
        return evaluate_choice(walker, node);
    case CLOPT_NODE_SIZEOF:
        return computed(walker, node, 0, 0);
    default:
        return evaluate_parts(walker, node);
    }
}

/* ---- loops ---- */

/* What a loop does to the variables. */
struct loop {
    struct walker *walker;
    const struct clopt_node *node;
    struct clopt_form *steps; /* one a variable: what each turn adds */
    bool *written;
    bool *irregular;   /* written otherwise */
    unsigned *depends; /* what those may depend on at the beginning of a turn */
    unsigned number;
    unsigned bit; /* CLOPT_DEPENDS_LOOP(number); 0: there is none left */
};

/* Whether a statement or expression of a loop is met exactly once a turn. */
static bool is_met_each_turn(const struct clopt_node *loop, const struct clopt_node *node)
{
    const struct clopt_node *below = node;
    for (node = node->parent; node && node != loop; node = node->parent) {
        if (node->kind != CLOPT_NODE_COMPOUND && node->kind != CLOPT_NODE_PAREN &&
            !(node->kind == CLOPT_NODE_BINARY && strcmp(node->operator, ",") == 0))
            return false;
        below = node;
    }
    return node && (below == loop->body || below == loop->step);
}

static void note_written(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                         unsigned access)
{
    struct loop *loop = user;
    (void)node;
    if (access & (CLOPT_WRITE | CLOPT_ADDRESS))
        loop->written[variable->index] = true;
}

static void note_variable(void *user, const struct clopt_node *node,
                          struct clopt_variable *variable, unsigned access)
{
    bool *found = ((void **)user)[0];
    const struct loop *loop = ((void **)user)[1];
    (void)node;
    (void)access;
    *found |= loop->written[variable->index];
}

/* Whether an expression is the same in all turns of a loop. */
static bool is_invariant(const struct loop *loop, const struct clopt_node *node)
{
    bool found = false;
    void *both[] = {&found, (void *)loop};
    clopt_node_accesses(node, note_variable, both);
    return !found &&
           !(clopt_node_effects(node) & (CLOPT_EFFECT_MEMORY_READ | CLOPT_EFFECT_ORDERED));
}

/* Adds up what each turn adds to a variable. */
static void note_step(void *user, const struct clopt_node *node, struct clopt_variable *variable,
                      unsigned access)
{
    struct loop *loop = user;
    if (!(access & (CLOPT_WRITE | CLOPT_ADDRESS)))
        return;
    const struct clopt_node *update = node->parent;
    struct clopt_form step = clopt_form_constant(1);
    int64_t factor = 1;
    bool regular = update && !(access & CLOPT_ADDRESS) && node->kind == CLOPT_NODE_VARIABLE &&
                   is_met_each_turn(loop->node, update);
    if (regular && update->kind == CLOPT_NODE_ASSIGN) {
        factor = *update->operator== '-' ? -1 : 1;
        regular = update->children[0] == node && strcspn(update->operator, "+-") == 0 &&
                  is_invariant(loop, update->children[1]);
        if (regular)
            step = evaluate(loop->walker, update->children[1]).form;
    } else if (regular) {
        regular = update->kind == CLOPT_NODE_POSTFIX || update->kind == CLOPT_NODE_UNARY;
        factor = *update->operator== '-' ? -1 : 1;
    }
    if (!regular || !clopt_form_add(&loop->steps[variable->index], &step, factor))
        loop->irregular[variable->index] = true;
}

static void for_each_part(const struct clopt_node *node, clopt_access_visit visit, void *user)
{
    const struct clopt_node *parts[] = {node->condition, node->body, node->step};
    for (size_t i = 0; i < 3; i++)
        if (parts[i])
            clopt_node_accesses(parts[i], visit, user);
}

/* Gives each variable that the loop writes what it holds at the beginning of a turn. */
static void begin_turn(struct loop *loop)
{
    struct walker *walker = loop->walker;
    struct clopt_form turns = clopt_form_constant(0);
    if (loop->bit)
        turns = clopt_form_symbol(
            find_symbol(walker, CLOPT_SYMBOL_LOOP, loop->number, loop->node, NULL, loop->bit));
    for (size_t i = 0; i < walker->value_count; i++) {
        struct value *value = &walker->values[i];
        struct clopt_form added = loop->steps[i];
        if (!loop->written[i])
            continue;
        loop->irregular[i] |= !loop->bit || !clopt_form_multiply(&added, &turns) ||
                              !clopt_form_add(&value->form, &added, 1);
        loop->depends[i] |= depends_of(walker, value);
        if (!loop->irregular[i])
            continue;
        loop->depends[i] |= loop->bit;
        value->form = computed(walker, loop->node, (unsigned)i + 1, loop->depends[i]).form;
    }
}

/* Walks through one turn; returns what may decide whether there is another one. */
static unsigned walk_turn(struct walker *walker, const struct clopt_node *node)
{
    struct value condition = {.array = NULL};
    if (node->condition && node->kind != CLOPT_NODE_DO)
        condition = evaluate(walker, node->condition);
    walk(walker, node->body);
    if (node->step)
        evaluate(walker, node->step);
    if (node->condition && node->kind == CLOPT_NODE_DO)
        condition = evaluate(walker, node->condition);
    return depends_of(walker, &condition);
}

/* Finds out what a turn hands on to the next one: what may be left in a variable at the end of one
 * may be in it at the beginning. Three turns are enough to pass through three variables; more of
 * them in a row are taken to depend on everything. */
static void find_depends(struct loop *loop, const struct value *before)
{
    struct walker *walker = loop->walker;
    unsigned loops_inside = walker->loop_count;
    bool changed = true;
    for (unsigned turn = 0; changed && !walker->failed; turn++) {
        changed = false;
        memcpy(walker->values, before, walker->value_count * sizeof *before);
        begin_turn(loop);
        walker->loop_count = loops_inside;
        walk_turn(walker, loop->node);
        for (size_t i = 0; i < walker->value_count; i++) {
            unsigned depends = depends_of(walker, &walker->values[i]);
            if (!loop->irregular[i] || !(depends & ~loop->depends[i]))
                continue;
            changed = true;
            loop->depends[i] |=
                turn < 3 ? depends : CLOPT_DEPENDS_ITEMS | walker->loops | loop->bit;
        }
    }
    memcpy(walker->values, before, walker->value_count * sizeof *before);
    walker->loop_count = loops_inside;
}

static bool holds_break(const struct clopt_node *node)
{
    if (node->kind == CLOPT_NODE_BREAK || node->kind == CLOPT_NODE_RETURN)
        return true;
    for (size_t i = 0; i < node->child_count; i++)
        if (holds_break(node->children[i]))
            return true;
    return false;
}

/* Forgets what the loop has left in the variables, but for what it may depend on. */
static void end_loop(struct loop *loop, unsigned turns)
{
    struct walker *walker = loop->walker;
    if (holds_break(loop->node->body))
        turns |= CLOPT_DEPENDS_ITEMS;
    for (size_t i = 0; i < walker->value_count; i++) {
        struct value *value = &walker->values[i];
        unsigned depends = depends_of(walker, value) | loop->depends[i] | turns;
        if (loop->written[i])
            value->form = computed(walker, loop->node, (unsigned)(walker->value_count + i) + 1,
                                   depends & ~loop->bit)
                              .form;
    }
}

/* Walks through a loop whose variables before it are `before`. */
static void walk_turns(struct loop *loop, const struct value *before)
{
    struct walker *walker = loop->walker;
    bool silent = walker->silent;
    walker->silent = true;
    for_each_part(loop->node, note_written, loop);
    for_each_part(loop->node, note_step, loop);
    loop->number = walker->loop_count++;
    loop->bit = loop->number < CLOPT_MOST_LOOPS ? CLOPT_DEPENDS_LOOP(loop->number) : 0;
    walker->loops |= loop->bit;
    find_depends(loop, before);
    walker->silent = silent;
    begin_turn(loop);
    unsigned turns = walk_turn(walker, loop->node);
    walker->loops &= ~loop->bit;
    end_loop(loop, turns);
}

static void walk_loop(struct walker *walker, const struct clopt_node *node)
{
    size_t count = walker->value_count;
    struct loop loop = {.walker = walker,
                        .node = node,
                        .steps = calloc(count + 1, sizeof *loop.steps),
                        .written = calloc(count + 1, sizeof *loop.written),
                        .irregular = calloc(count + 1, sizeof *loop.irregular),
                        .depends = calloc(count + 1, sizeof *loop.depends)};
    struct value *before = calloc(count + 1, sizeof *before);
    if (node->init)
        walk(walker, node->init);
    if (loop.steps && loop.written && loop.irregular && loop.depends && before) {
        memcpy(before, walker->values, count * sizeof *before);
        walk_turns(&loop, before);
    } else {
        walker->failed = true;
    }
    free(loop.steps);
    free(loop.written);
    free(loop.irregular);
    free(loop.depends);
    free(before);
}

/* ---- statements ---- */

static bool leaves(const struct clopt_node *node)
{
    if (node && node->kind == CLOPT_NODE_COMPOUND)
        return node->child_count && leaves(node->children[node->child_count - 1]);
    return node && (node->kind == CLOPT_NODE_RETURN || node->kind == CLOPT_NODE_BREAK ||
                    node->kind == CLOPT_NODE_CONTINUE);
}

/* Joins what two branches have left, in walker->values and `other`. */
static void join(struct walker *walker, const struct clopt_node *node, const struct value *other,
                 unsigned depends)
{
    for (size_t i = 0; i < walker->value_count; i++) {
        struct value *value = &walker->values[i];
        if (value->array == other[i].array && clopt_form_equals(&value->form, &other[i].form))
            continue;
        const struct clopt_variable *array = value->array == other[i].array ? value->array : NULL;
        *value = computed(walker, node, (unsigned)i + 1,
                          depends | depends_of(walker, value) | depends_of(walker, &other[i]));
        value->array = array;
    }
}

static void walk_if(struct walker *walker, const struct clopt_node *node)
{
    struct value condition = evaluate(walker, node->condition);
    size_t bytes = (walker->value_count + 1) * sizeof *walker->values;
    struct value *before = malloc(bytes);
    struct value *after = malloc(bytes);
    if (before && after) {
        memcpy(before, walker->values, bytes);
        walk(walker, node->body);
        memcpy(after, walker->values, bytes);
        memcpy(walker->values, before, bytes);
        if (node->otherwise)
            walk(walker, node->otherwise);
        if (leaves(node->otherwise))
            memcpy(walker->values, after, bytes);
        else if (!leaves(node->body))
            join(walker, node, after, depends_of(walker, &condition));
    } else {
        walker->failed = true;
    }
    free(before);
    free(after);
}

static void walk_declarator(struct walker *walker, const struct clopt_node *node)
{
    struct value value = {.array = NULL};
    if (node->condition)
        value = evaluate(walker, node->condition);
    else
        value = computed(walker, node, 0, CLOPT_DEPENDS_ITEMS | walker->loops);
    set_variable(walker, node->variable, &value);
}

/* In a switch, any case may have come before. */
static void walk_switch(struct walker *walker, const struct clopt_node *node)
{
    struct value condition = evaluate(walker, node->condition);
    size_t bytes = (walker->value_count + 1) * sizeof *walker->values;
    struct value *before = malloc(bytes);
    if (!before) {
        walker->failed = true;
        return;
    }
    memcpy(before, walker->values, bytes);
    walk(walker, node->body);
    join(walker, node, before, depends_of(walker, &condition));
    free(before);
}

static void walk(struct walker *walker, const struct clopt_node *node)
{
    if (walker->failed)
        return;
    if (clopt_node_is_loop(node)) {
        walk_loop(walker, node);
        return;
    }
    if (clopt_node_is_expression(node)) {
        evaluate(walker, node);
        return;
    }
    switch (node->kind) {
    case CLOPT_NODE_DECLARATOR:
        walk_declarator(walker, node);
        break;
    case CLOPT_NODE_IF:
        walk_if(walker, node);
        break;
    case CLOPT_NODE_SWITCH:
        walk_switch(walker, node);
        break;
    default:
        for (size_t i = 0; i < node->child_count; i++)
            walk(walker, node->children[i]);
        break;
    }
}

/* ---- the whole ---- */

/* What variables hold before the kernel begins: parameters are the same for all. */
static void set_parameters(struct walker *walker)
{
    const struct clopt_function *kernel = clopt_source_kernel(walker->source);
    for (size_t i = 0; i < walker->value_count; i++) {
        const struct clopt_variable *variable = clopt_source_variable(walker->source, i);
        bool parameter = variable->is_parameter && variable->function == kernel;
        if (parameter && variable->is_pointer)
            walker->values[i].array = variable;
        else
            walker->values[i] = of_symbol(
                find_symbol(walker, parameter ? CLOPT_SYMBOL_UNIFORM : CLOPT_SYMBOL_COMPUTED, 0,
                            variable, variable->name, parameter ? 0 : CLOPT_DEPENDS_ITEMS));
    }
}

enum clopt_status clopt_subscripts_find(const struct clopt_source *source,
                                        struct clopt_subscripts *subscripts,
                                        struct clopt_error *error)
{
    *subscripts = (struct clopt_subscripts){0};
    struct walker walker = {
        .source = source, .found = subscripts, .value_count = clopt_source_variable_count(source)};
    enum clopt_status status = CLOPT_OK;
    walker.values = calloc(walker.value_count + 1, sizeof *walker.values);
    if (!walker.values)
        status = clopt_fail_memory(error);
    if (status == CLOPT_OK) {
        set_parameters(&walker);
        walk(&walker, clopt_source_kernel(source)->body);
        status = walker.failed ? clopt_fail_memory(error) : CLOPT_OK;
    }
    free(walker.values);
    if (status)
        clopt_subscripts_fini(subscripts);
    return status;
}

void clopt_subscripts_fini(struct clopt_subscripts *subscripts)
{
    free(subscripts->symbols);
    free(subscripts->accesses);
    *subscripts = (struct clopt_subscripts){0};
}
