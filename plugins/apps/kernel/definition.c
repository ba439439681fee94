/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads all that a study says of a kernel. */
#include "definition.h"

#include <ctype.h>

/* ---- [size], [let], [arguments], [results] ---- */

static void read_names(struct kernel_reader *reader)
{
    struct kernel_names *names = &reader->definition->names;
    kernel_names_read(reader->description, names, reader->error);
    for (size_t i = 0; i < names->size_count; i++)
        *kernel_reader_next_input(reader) = (struct clopt_parameter){
            .name = names->sizes[i], .type = CLOPT_INTEGER, .help = "a size of the study"};
}

/* Checks the names in a content. */
static void check_content(struct kernel_reader *reader, const struct kernel_content *content)
{
    struct kernel_names *names = &reader->definition->names;
    kernel_expressions_check(&content->numbers, names, 0, reader->error);
    kernel_expressions_check(&content->diagonal, names, 0, reader->error);
    kernel_expressions_check(&content->count, names, 0, reader->error);
    for (size_t m = 0; m < content->member_count; m++)
        check_content(reader, &content->members[m]);
    if (content->next)
        check_content(reader, content->next);
}

/* Checks the names in an argument. A buffer is the same for all launches, and its content for all
 * variants. */
static void check_argument(struct kernel_reader *reader, struct kernel_argument *argument)
{
    unsigned allowed = argument->content.filling ? 0 : KERNEL_PARAMETERS;
    if (argument->kind != KERNEL_BUFFER)
        allowed |= KERNEL_I | KERNEL_J;
    kernel_expressions_check(&argument->values, &reader->definition->names, allowed, reader->error);
    check_content(reader, &argument->content);
    if (argument->content.diagonal.count && (argument->values.count != 2 || argument->is_image))
        kernel_fail(&argument->position, reader->error,
                    "only a matrix, with [ROWS, COLUMNS], has a diagonal");
    if (argument->content.filling == KERNEL_FILE && !reader->error->status)
        argument->content_input = kernel_reader_add_file(
            reader, &argument->position, argument->name, "content", argument->content.file);
}

static void read_argument(struct kernel_reader *reader, const struct kernel_position *position,
                          unsigned *buffers)
{
    struct kernel_definition *definition = reader->definition;
    if (definition->argument_count == KERNEL_MOST_ARGUMENTS)
        kernel_fail(position, reader->error, "more than %d arguments", KERNEL_MOST_ARGUMENTS);
    if (!clopt_is_identifier(position->key))
        kernel_fail(position, reader->error,
                    "not a name: letters, digits and _, not a digit first");
    if (reader->error->status)
        return;
    struct kernel_argument *argument = &definition->arguments[definition->argument_count++];
    kernel_argument_read(position, position->key, argument, reader->error);
    if (argument->kind == KERNEL_BUFFER)
        argument->number = (*buffers)++;
    if (*buffers > KERNEL_MOST_BUFFERS)
        kernel_fail(position, reader->error, "more than %d buffers", KERNEL_MOST_BUFFERS);
    check_argument(reader, argument);
}

static void read_arguments(struct kernel_reader *reader)
{
    const struct clopt_section *section = kernel_section(reader->description, "arguments");
    struct kernel_position whole = kernel_position_of(reader->app, NULL);
    unsigned buffers = 0;
    for (size_t i = 0; section && i < section->count; i++) {
        struct kernel_position position = kernel_position_of(section, &section->settings[i]);
        read_argument(reader, &position, &buffers);
    }
    if (buffers == 0)
        kernel_fail(&whole, reader->error, "[arguments] has no buffer: there would be no result");
}

struct kernel_argument *kernel_reader_argument(struct kernel_reader *reader, const char *name)
{
    struct kernel_definition *definition = reader->definition;
    for (size_t i = 0; i < definition->argument_count; i++)
        if (strcmp(definition->arguments[i].name, name) == 0)
            return &definition->arguments[i];
    return NULL;
}

static void read_result(struct kernel_reader *reader, const struct kernel_position *position)
{
    struct kernel_argument *argument = kernel_reader_argument(reader, position->key);
    if (!argument)
        kernel_fail(position, reader->error, "is not in [arguments]");
    else if (!kernel_argument_is_result(argument))
        kernel_fail(position, reader->error, "is neither output nor inout");
    if (reader->error->status)
        return;
    kernel_tolerance_read(position, &argument->type, &argument->tolerance, reader->error);
    if (argument->tolerance.file)
        argument->expected_input = kernel_reader_add_file(reader, position, argument->name,
                                                          "expected", argument->tolerance.file);
    if (argument->tolerance.program)
        kernel_reader_add_program(reader, position, argument->tolerance.program);
}

/* Reads how results are compared, and makes the table of what `clopt run -o` writes. */
static void read_results(struct kernel_reader *reader)
{
    const struct clopt_section *section = kernel_section(reader->description, "results");
    struct kernel_definition *definition = reader->definition;
    struct kernel_position whole = kernel_position_of(reader->app, NULL);
    struct clopt_parameter *results = definition->tables.results;
    bool compared = false;
    for (size_t i = 0; section && i < section->count; i++) {
        struct kernel_position position = kernel_position_of(section, &section->settings[i]);
        read_result(reader, &position);
    }
    for (size_t i = 0; i < definition->argument_count && !reader->error->status; i++) {
        const struct kernel_argument *argument = &definition->arguments[i];
        if (!kernel_argument_is_result(argument))
            continue;
        compared |= argument->tolerance.how != KERNEL_IGNORED;
        *results++ =
            (struct clopt_parameter){.name = kernel_reader_keep(reader, "%s.npy", argument->name),
                                     .type = CLOPT_FILE,
                                     .help = "a result of the study"};
    }
    if (!compared)
        kernel_fail(&whole, reader->error,
                    "no result is compared: no buffer is output or inout, or all are ignored");
}

/* ---- steps ---- */

/* Enters a step's kernel into the app's table, unless another step has done so: then they must
 * agree. */
static void enter_kernel(struct kernel_reader *reader, struct kernel_step *step)
{
    struct clopt_kernel *kernels = reader->definition->tables.kernels;
    unsigned k = 0;
    while (kernels[k].name && strcmp(kernels[k].name, step->kernel_name) != 0)
        k++;
    step->kernel = k;
    if (!kernels[k].name)
        kernels[k] = (struct clopt_kernel){step->kernel_name, (unsigned)step->global.count,
                                           step->any_local_size, step->whole_groups};
    kernels[k].any_local_size &= step->any_local_size;
    kernels[k].whole_groups |= step->whole_groups;
    if (kernels[k].dimensions != step->global.count)
        kernel_fail(&step->global.position, reader->error,
                    "another step launches %s with %u dimensions", step->kernel_name,
                    kernels[k].dimensions);
    for (const struct kernel_step *other = reader->definition->steps; other < step; other++)
        if (other->kernel == k && other->arithmetic != step->arithmetic)
            kernel_fail(&step->position, reader->error,
                        "another step launches %s with other arithmetic", step->kernel_name);
}

static void add_step(struct kernel_reader *reader, const struct clopt_section *section,
                     enum kernel_place place, uint64_t number)
{
    struct kernel_definition *definition = reader->definition;
    struct kernel_position position = kernel_position_of(section, NULL);
    if (definition->step_count == KERNEL_MOST_STEPS)
        kernel_fail(&position, reader->error, "more than %d steps", KERNEL_MOST_STEPS);
    if (reader->error->status)
        return;
    struct kernel_step *step = &definition->steps[definition->step_count++];
    kernel_step_read(reader, section, place, step);
    step->number = number;
}

/* Reads the number of a section [step N]. */
static uint64_t read_number(struct kernel_reader *reader, const struct clopt_section *section)
{
    struct kernel_position position = kernel_position_of(section, NULL);
    const char *text = strchr(section->name, ' ');
    char *end = NULL;
    text = text ? text + 1 : "";
    uint64_t number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || number == 0)
        kernel_fail(&position, reader->error, "steps have numbers: [step 1], [step 2] ...");
    for (size_t i = 0; i < reader->definition->step_count; i++)
        if (reader->definition->steps[i].number == number)
            kernel_fail(&position, reader->error, "this number is taken");
    return number;
}

static bool is_step(const struct clopt_section *section)
{
    return strncmp(section->name, "step", 4) == 0;
}

bool kernel_has_steps(const struct clopt_description *description)
{
    for (size_t i = 1; i < description->count; i++)
        if (is_step(&description->sections[i]))
            return true;
    return false;
}

static int compare_steps(const void *a, const void *b)
{
    const struct kernel_step *first = a;
    const struct kernel_step *second = b;
    return (first->number > second->number) - (first->number < second->number);
}

/* Finds the buffer that says whether there is another repetition. */
static void read_while(struct kernel_reader *reader)
{
    struct kernel_definition *definition = reader->definition;
    const struct clopt_setting *setting = kernel_setting(reader->app, "while");
    struct kernel_position position = kernel_position_of(reader->app, setting);
    if (!setting)
        return;
    const struct kernel_argument *found = kernel_reader_argument(reader, setting->value);
    if (!found || found->kind != KERNEL_BUFFER || found->is_image || found->use != CLOPT_IN_OUT ||
        found->type.width != 1 ||
        (found->type.kind != KERNEL_SIGNED && found->type.kind != KERNEL_UNSIGNED))
        kernel_fail(&position, reader->error,
                    "%s is not an inout buffer of integers, whose first one says whether to go on",
                    setting->value);
    if (!definition->repeat.count)
        kernel_fail(&position, reader->error, "repeat = EXPRESSION is missing: how often at most");
    definition->goes_on = found;
}

static void read_steps(struct kernel_reader *reader)
{
    const struct clopt_description *description = reader->description;
    struct kernel_definition *definition = reader->definition;
    kernel_step_read_key(reader, reader->app, "repeat", KERNEL_PARAMETERS, &definition->repeat);
    read_while(reader);
    for (size_t i = 1; i < description->count; i++) {
        const struct clopt_section *section = &description->sections[i];
        if (!is_step(section))
            continue;
        kernel_step_check_keys(section, KERNEL_STEP, reader->error);
        add_step(reader, section, KERNEL_STEP, read_number(reader, section));
    }
    if (kernel_has_steps(description))
        kernel_step_check_keys(reader->app, KERNEL_APP_OF_STEPS, reader->error);
    else
        add_step(reader, reader->app, KERNEL_APP, 1);
    qsort(definition->steps, definition->step_count, sizeof *definition->steps, compare_steps);
    for (size_t i = 0; i < definition->step_count && !reader->error->status; i++) {
        const struct kernel_step *step = &definition->steps[i];
        const struct kernel_expressions *work =
            step->operations.count ? &step->operations : &step->bytes;
        enter_kernel(reader, &definition->steps[i]);
        if (definition->goes_on && work->count)
            kernel_fail(&work->position, reader->error,
                        "while decides at run time how often this is done; leave this key out");
    }
}

/* ---- [app kernel], [reference] ---- */

static void read_app(struct kernel_reader *reader, struct clopt_app *app)
{
    const char *study = reader->description->study, *slash = strrchr(study, '/');
    kernel_step_check_keys(reader->app, KERNEL_APP, reader->error);
    reader->definition->folder =
        kernel_reader_keep(reader, "%.*s", slash ? (int)(slash - study) + 1 : 0, study);
    kernel_reader_source(reader, reader->app, app);
    kernel_reader_options(reader, reader->app, app);
}

static void read_reference(struct kernel_reader *reader, struct clopt_app *app)
{
    struct kernel_reference *reference = &reader->definition->reference;
    const struct clopt_section *section = kernel_section(reader->description, "reference");
    const struct clopt_setting *source = kernel_setting(section, "source");
    kernel_reference_read(reader, section, reference);
    if (reference->program)
        kernel_reader_add_program(reader, &reference->position, reference->program);
    if (reader->error->status || !reference->has_step)
        return;
    reference->app = *app;
    if (source)
        kernel_reader_source(reader, section, &reference->app);
    if (source && reference->app.source_is_path) {
        struct kernel_position position = kernel_position_of(section, source);
        kernel_reader_add_file(reader, &position, "reference", "source", position.value);
    }
    if (source || kernel_setting(section, "options"))
        kernel_reader_options(reader, section, &reference->app);
}

/* A size of the command line that nothing depends on is a typing error; a program may want it. */
static void check_sizes(const struct kernel_reader *reader)
{
    const struct kernel_names *names = &reader->definition->names;
    const struct clopt_section *section = kernel_section(reader->description, "size");
    for (size_t i = 0; i < names->size_count; i++) {
        const struct clopt_setting *setting = kernel_setting(section, names->sizes[i]);
        struct kernel_position position = kernel_position_of(section, setting);
        if (!names->used[i] && !reader->definition->tables.program_count &&
            strcmp(setting->origin, "command line") == 0)
            kernel_fail(&position, reader->error, "no expression of the study names this size");
    }
}

/* A section may come once; of [step N] and [variant NAME] only that tells them apart. */
static void check_sections(const struct clopt_description *description, struct clopt_error *error)
{
    for (size_t i = 0; i < description->count; i++) {
        const struct clopt_section *section = &description->sections[i];
        struct kernel_position position = kernel_position_of(section, NULL);
        bool named = is_step(section) || kernel_parameter_section(section) ||
                     strncmp(section->name, "variant ", 8) == 0;
        if (!named && strchr(section->name, ' '))
            kernel_fail(&position, error, "expected nothing after the section's name");
    }
}

enum clopt_status kernel_define(const struct clopt_description *description, struct clopt_app *app,
                                struct clopt_error *error)
{
    struct kernel_definition *definition = clopt_calloc(1, sizeof *definition);
    struct kernel_reader reader = {description, &description->sections[0], definition, error, 0};
    definition->defined = (struct clopt_defined){
        .definition = definition,
        .programs = definition->tables.programs,
    };
    error->status = CLOPT_OK;
    app->defined = &definition->defined;
    check_sections(description, error);
    read_app(&reader, app);
    read_names(&reader);
    read_arguments(&reader);
    read_results(&reader);
    read_steps(&reader);
    read_reference(&reader, app);
    kernel_variants_read(&reader, app);
    check_sizes(&reader);
    app->kernels = definition->tables.kernels;
    app->inputs = definition->tables.inputs;
    app->results = definition->tables.results;
    if (error->status)
        kernel_undefine(app);
    return error->status;
}

void kernel_undefine(struct clopt_app *app)
{
    struct kernel_definition *definition = (struct kernel_definition *)app->defined->definition;
    for (size_t i = 0; i < definition->step_count; i++)
        kernel_step_fini(&definition->steps[i]);
    for (size_t i = 0; i < definition->argument_count; i++)
        kernel_argument_fini(&definition->arguments[i]);
    for (size_t i = 0; i < definition->tables.text_count; i++)
        free(definition->tables.texts[i]);
    for (size_t i = 0; i < definition->variant_count; i++)
        kernel_step_fini(&definition->variants[i].step);
    free(definition->variants);
    kernel_step_fini(&definition->reference.step);
    kernel_names_fini(&definition->names);
    kernel_expressions_fini(&definition->repeat);
    free(definition);
    app->defined = NULL;
}
