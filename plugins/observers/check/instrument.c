/* SPDX-License-Identifier: BSD-3-Clause */
/* Rewrites a kernel so that it checks itself. */
#include "observers/check/instrument.h"

#include "kernel/output.h"
#include "kernel/tree.h"

/* check.cl as a string. */
static const char check_text[] =
#include "plugins/observers/check/check_text.h"
    ;

unsigned clopt_instrumenter_site(struct clopt_instrumenter *instrumenter,
                                 const struct clopt_node *node, unsigned how)
{
    struct clopt_check_program *program = instrumenter->program;
    const char *text = instrumenter->source->text;
    if (program->site_count >= CLOPT_MOST_SITES - 1)
        return CLOPT_MOST_SITES - 1;
    struct clopt_check_site *site =
        clopt_array_add(&program->sites, &program->site_count, sizeof *site);
    site->line = clopt_source_line(instrumenter->source, node);
    site->expression =
        clopt_strndup(text + node->begin, node->end > node->begin ? node->end - node->begin : 0);
    site->reads = how & CLOPT_ACCESS_READS;
    site->writes = how & CLOPT_ACCESS_WRITES;
    site->base = -1;
    return (unsigned)program->site_count - 1;
}

/* ---- statements ---- */

/* Makes statements that take note of the arrays and variables that a declaration brings. */
static void note_bases(struct clopt_instrumenter *instrumenter,
                       const struct clopt_node *declaration, struct clopt_nodes *list)
{
    struct clopt_source *source = instrumenter->source;
    for (size_t i = 0; i < declaration->child_count; i++) {
        const struct clopt_node *declarator = declaration->children[i];
        struct clopt_variable *variable = declarator->variable;
        int base = variable ? instrumenter->roots.base_of[variable->index] : -1;
        if (base < 0)
            continue;
        if (variable->space != CLOPT_SPACE_PRIVATE) {
            clopt_nodes_put(source, list, declaration, "CLOPT_BASE($v, $d)", variable, base);
            continue;
        }
        bool marked = variable->is_array && !declarator->condition && variable->bytes &&
                      !variable->is_record && !variable->is_pointer;
        if (!marked) {
            clopt_nodes_put(source, list, declaration, "CLOPT_PRIVATE_BASE($v, $d)", variable,
                            base);
            continue;
        }
        char dimension[32];
        snprintf(dimension, sizeof dimension, "[%zu]", variable->bytes);
        struct clopt_variable *marks =
            clopt_variable_make(source, "uchar", dimension, "clopt_marks");
        clopt_nodes_put(source, list, declaration, "$V;", marks);
        clopt_nodes_put(source, list, declaration, "CLOPT_MARKED_BASE($v, $d, $v)", variable, base,
                        marks);
    }
}

static struct clopt_node *instrument_declaration(struct clopt_instrumenter *instrumenter,
                                                 const struct clopt_node *node)
{
    struct clopt_source *source = instrumenter->source;
    struct clopt_nodes list = {0};
    if (node->kind != CLOPT_NODE_DECLARE || !clopt_node_is_statement(node))
        return NULL;
    clopt_nodes_add(source, &list, clopt_clone(&instrumenter->cloning, node));
    note_bases(instrumenter, node, &list);
    return clopt_build(source, node, "$N", &list);
}

/* Returns what takes the place of a node; NULL: it is cloned. */
static struct clopt_node *instrument(void *user, const struct clopt_node *node)
{
    struct clopt_instrumenter *instrumenter = user;
    if (node->index >= instrumenter->node_count)
        return NULL;
    struct clopt_node *body = clopt_instrument_body(instrumenter, node);
    if (body)
        return body;
    struct clopt_node *index = clopt_instrument_index(instrumenter, node);
    if (index || instrumenter->plain[node->index])
        return index;
    instrumenter->plain[node->index] = true; /* its clone below is plain */
    if (node->kind == CLOPT_NODE_SIZEOF)
        return clopt_clone(&(struct clopt_cloning){.source = instrumenter->source}, node);
    if (node->kind == CLOPT_NODE_UNARY && clopt_node_is_operator(node, "&")) {
        const struct clopt_node *lvalue = clopt_node_bare(node->children[0]);
        instrumenter->plain[lvalue->index] = true;
        return NULL;
    }
    struct clopt_node *by = clopt_node_is_expression(node)
                                ? clopt_instrument_choice(instrumenter, node)
                                : clopt_instrument_control(instrumenter, node);
    if (!by)
        by = instrument_declaration(instrumenter, node);
    if (!by)
        by = clopt_instrument_arithmetic(instrumenter, node);
    if (!by)
        by = clopt_instrument_call(instrumenter, node);
    return by ? by : clopt_instrument_access(instrumenter, node);
}

/* ---- functions ---- */

static void copy_helpers(struct clopt_instrumenter *instrumenter)
{
    struct clopt_source *source = instrumenter->source;
    struct clopt_variable *context =
        clopt_variable_make(source, "struct clopt_check *", "", "clopt_c");
    size_t count = source->function_count;
    for (size_t i = 0; i < count; i++)
        if (!source->functions[i]->is_kernel)
            instrumenter->copies[i] =
                clopt_source_unique_name(source, source->functions[i]->name, 2);
    for (size_t i = 0; i < count; i++) {
        if (!instrumenter->copies[i])
            continue;
        struct clopt_function *copy =
            clopt_function_copy(&instrumenter->cloning, source->functions[i]);
        copy->name = instrumenter->copies[i];
        clopt_function_add_parameter(source, copy, context);
    }
}

static bool calls(const struct clopt_node *node, const void *function)
{
    return node->callee == function;
}

/* Renames the kernel, unless another one calls it: compilers refuse the name of a built-in function
 * for one that calls functions of its own. */
static void rename_kernel(struct clopt_instrumenter *instrumenter)
{
    struct clopt_source *source = instrumenter->source;
    bool called = false;
    for (size_t i = 0; i < source->function_count; i++)
        called |= clopt_node_search(source->functions[i]->body, calls, source->kernel) != NULL;
    if (!called)
        source->kernel->name = clopt_source_unique_name(source, "clopt_checked", 2);
    instrumenter->program->kernel = clopt_strdup(source->kernel->name);
}

/* Gives the kernel its arguments, and what it begins with. */
static void edit_kernel(struct clopt_instrumenter *instrumenter)
{
    static const char *const added[CLOPT_CHECK_ADDED][2] = {
        {"__global uint *", "clopt_log"},
        {"__global uint *", "clopt_shadow"},
        {"__global uchar *", "clopt_written"},
        {"__global const ulong *", "clopt_table"}};
    struct clopt_source *source = instrumenter->source;
    struct clopt_function *kernel = source->kernel;
    struct clopt_node *body = kernel->body;
    for (size_t i = 0; i < body->child_count; i++)
        clopt_replace(source, body->children[i],
                      clopt_clone(&instrumenter->cloning, body->children[i]));
    for (size_t i = 0; i < CLOPT_CHECK_ADDED; i++)
        clopt_function_add_parameter(
            source, kernel, clopt_variable_make(source, added[i][0], "", "%s", added[i][1]));
    struct clopt_nodes begin = {0};
    clopt_nodes_put(source, &begin, body, "CLOPT_BEGIN()");
    const struct clopt_check_program *program = instrumenter->program;
    for (size_t b = 0; b < program->base_count; b++) {
        const struct clopt_variable *variable = program->bases[b].variable;
        if (variable->is_parameter)
            clopt_nodes_put(source, &begin, body, "CLOPT_POINTER_BASE($v, $d)", variable, (int)b);
        else if (!variable->function)
            clopt_nodes_put(source, &begin, body, "CLOPT_BASE($v, $d)", variable, (int)b);
    }
    clopt_prepend(source, body, clopt_build(source, body, "$N", &begin));
}

/* ---- the program ---- */

static char *put_together(const struct clopt_instrumenter *instrumenter, const char *text)
{
    const struct clopt_check_program *program = instrumenter->program;
    struct clopt_text whole = {0};
    unsigned log2 = 0;
    while (1u << log2 < program->granule)
        log2++;
    clopt_text_printf(&whole,
                      "#define CLOPT_BASES %zu\n#define CLOPT_MOST %zu\n#define CLOPT_LOG2 %u\n"
                      "#define CLOPT_ASKS %d\n#define CLOPT_MIXES %d\n",
                      program->base_count ? program->base_count : 1,
                      (program->most + 127) / 128 * 128, log2, instrumenter->asks, program->mixes);
    clopt_text_append(&whole, check_text);
    clopt_text_append(&whole, clopt_text_string(&instrumenter->stores));
    clopt_text_append(&whole, text);
    return clopt_text_take(&whole);
}

static bool is_hidden(const struct clopt_node *node, const void *user)
{
    (void)user;
    return node->kind == CLOPT_NODE_CALL &&
           (strstr(node->name, "_image") || strstr(node->name, "_pipe") ||
            strstr(node->name, "sub_group_block_"));
}

static void prepare(struct clopt_instrumenter *instrumenter)
{
    struct clopt_source *source = instrumenter->source;
    const struct clopt_identity identity = {
        .dimension = CLOPT_ANY_DIMENSION, .local_id = true, .inside = true};
    instrumenter->node_count = source->node_count;
    instrumenter->plain =
        clopt_source_table(source, source->node_count + 1, sizeof *instrumenter->plain);
    instrumenter->how =
        clopt_source_table(source, source->node_count + 1, sizeof *instrumenter->how);
    instrumenter->regions =
        clopt_source_table(source, source->node_count + 1, sizeof(struct clopt_region *));
    instrumenter->rows =
        clopt_source_table(source, source->node_count + 1, sizeof *instrumenter->rows);
    instrumenter->entered =
        clopt_source_table(source, source->node_count + 1, sizeof *instrumenter->entered);
    instrumenter->reached =
        clopt_source_table(source, source->function_count + 1, sizeof *instrumenter->reached);
    clopt_instrumenter_reach(instrumenter, source->kernel);
    instrumenter->program->hides = false;
    for (size_t i = 0; i < source->function_count; i++)
        instrumenter->program->hides |=
            clopt_node_search(source->functions[i]->body, is_hidden, NULL) != NULL;
    instrumenter->copies =
        clopt_source_table(source, source->function_count + 1, sizeof *instrumenter->copies);
    clopt_roots_find(&instrumenter->roots, source, instrumenter->program);
    instrumenter->divergence = clopt_divergence_create(source, identity);
}

static enum clopt_status make(struct clopt_instrumenter *instrumenter, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_output) output = {0};
    prepare(instrumenter);
    copy_helpers(instrumenter);
    edit_kernel(instrumenter);
    rename_kernel(instrumenter);
    CLOPT_TRY(clopt_source_print(instrumenter->source, &output, error));
    if (instrumenter->program->site_count >= CLOPT_MOST_SITES - 1)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "the kernel has more than %d expressions to check", CLOPT_MOST_SITES - 1);
    struct clopt_check_program *program = instrumenter->program;
    program->source = put_together(instrumenter, clopt_text_string(&output.text));
    return CLOPT_OK;
}

enum clopt_status clopt_check_make(struct clopt_source *source, struct clopt_check_program *program,
                                   struct clopt_error *error)
{
    *program = (struct clopt_check_program){
        .granule = program->granule, .most = 128, .mixes = program->mixes};
    struct clopt_instrumenter instrumenter = {.source = source, .program = program};
    instrumenter.cloning = (struct clopt_cloning){
        .source = source, .user = &instrumenter, .node = instrument, .plain = true};
    enum clopt_status status = make(&instrumenter, error);
    clopt_text_fini(&instrumenter.stores);
    for (size_t b = 0; b < program->base_count; b++)
        program->bases[b].variable = NULL; /* the source's */
    if (status)
        clopt_check_program_fini(program);
    return status;
}

void clopt_check_program_fini(struct clopt_check_program *program)
{
    for (size_t i = 0; i < program->site_count; i++)
        free(program->sites[i].expression);
    for (size_t b = 0; b < program->base_count; b++)
        free(program->bases[b].name);
    for (size_t r = 0; r < program->row_count; r++)
        free(program->rows[r].expression);
    free(program->rows);
    free(program->sites);
    free(program->source);
    free(program->kernel);
    *program = (struct clopt_check_program){0};
}
