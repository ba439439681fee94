/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads all that a study says of a kernel. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* asprintf() */
#endif
#include "reader.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- [size], [let], [arguments], [results] ---- */

static enum clopt_status read_names(struct kernel_reader *reader)
{
    struct kernel_names *names = &reader->definition->names;
    enum clopt_status status = kernel_names_read(reader->description, names, reader->error);
    for (size_t i = 0; i < names->size_count && !status; i++)
        *kernel_reader_next_input(reader) = (struct clopt_parameter){
            .name = names->sizes[i], .type = CLOPT_INTEGER, .help = "a size of the study"};
    return status;
}

/* Checks the names in a content. */
static enum clopt_status check_content(const struct kernel_content *content,
                                       struct kernel_names *names, struct clopt_error *error)
{
    enum clopt_status status = kernel_expressions_check(&content->numbers, names, 0, error);
    if (!status)
        status = kernel_expressions_check(&content->diagonal, names, 0, error);
    if (!status)
        status = kernel_expressions_check(&content->count, names, 0, error);
    for (size_t m = 0; m < content->member_count && !status; m++)
        status = check_content(&content->members[m], names, error);
    return status || !content->next ? status : check_content(content->next, names, error);
}

/* Checks the names in an argument. A buffer is the same for all launches, and its content for all
 * variants. */
static enum clopt_status check_argument(struct kernel_reader *reader,
                                        const struct kernel_argument *argument)
{
    struct kernel_names *names = &reader->definition->names;
    unsigned allowed = argument->content.filling ? 0 : KERNEL_PARAMETERS;
    if (argument->kind != KERNEL_BUFFER)
        allowed |= KERNEL_I | KERNEL_J;
    enum clopt_status status =
        kernel_expressions_check(&argument->values, names, allowed, reader->error);
    if (!status)
        status = check_content(&argument->content, names, reader->error);
    if (!status && argument->content.diagonal.count &&
        (argument->values.count != 2 || argument->is_image))
        status = kernel_fail(&argument->place, reader->error,
                             "only a matrix, with [ROWS, COLUMNS], has a diagonal");
    if (!status && argument->content.filling == KERNEL_FILE)
        status = kernel_reader_add_file(reader, &argument->place, argument->name, "content",
                                        argument->content.file);
    return status;
}

static enum clopt_status read_argument(struct kernel_reader *reader,
                                       const struct clopt_section *section,
                                       const struct clopt_setting *setting, unsigned *buffers)
{
    struct kernel_definition *definition = reader->definition;
    struct kernel_place place = kernel_place_of(section, setting);
    if (definition->argument_count == KERNEL_MOST_ARGUMENTS)
        return kernel_fail(&place, reader->error, "more than %d arguments", KERNEL_MOST_ARGUMENTS);
    if (!kernel_is_identifier(setting->key))
        return kernel_fail(&place, reader->error,
                           "not a name: letters, digits and _, not a digit first");
    struct kernel_argument *argument = &definition->arguments[definition->argument_count];
    enum clopt_status status = kernel_argument_read(&place, setting->key, argument, reader->error);
    if (status)
        return status;
    definition->argument_count++;
    if (argument->kind == KERNEL_BUFFER)
        argument->number = (*buffers)++;
    if (*buffers > KERNEL_MOST_BUFFERS)
        return kernel_fail(&place, reader->error, "more than %d buffers", KERNEL_MOST_BUFFERS);
    return check_argument(reader, argument);
}

static enum clopt_status read_arguments(struct kernel_reader *reader)
{
    const struct clopt_section *section = kernel_section(reader->description, "arguments");
    struct kernel_place place = kernel_place_of(reader->app, NULL);
    enum clopt_status status = CLOPT_OK;
    unsigned buffers = 0;
    for (size_t i = 0; section && i < section->count && !status; i++)
        status = read_argument(reader, section, &section->settings[i], &buffers);
    if (!status && buffers == 0)
        status = kernel_fail(&place, reader->error,
                             "[arguments] has no buffer: there would be no result");
    return status;
}

static enum clopt_status read_result(struct kernel_reader *reader,
                                     const struct clopt_section *section,
                                     const struct clopt_setting *setting)
{
    struct kernel_definition *definition = reader->definition;
    struct kernel_place place = kernel_place_of(section, setting);
    size_t i = 0;
    while (i < definition->argument_count &&
           strcmp(definition->arguments[i].name, setting->key) != 0)
        i++;
    if (i == definition->argument_count)
        return kernel_fail(&place, reader->error, "is not in [arguments]");
    struct kernel_argument *argument = &definition->arguments[i];
    if (!kernel_argument_is_result(argument))
        return kernel_fail(&place, reader->error, "is neither output nor inout");
    enum clopt_status status =
        kernel_tolerance_read(&place, &argument->type, &argument->tolerance, reader->error);
    if (!status && argument->tolerance.file)
        status = kernel_reader_add_file(reader, &place, argument->name, "expected",
                                        argument->tolerance.file);
    if (!status && argument->tolerance.program)
        status = kernel_reader_add_program(reader, &place, argument->tolerance.program);
    return status;
}

/* Makes the table of what `clopt run -o` writes. */
static enum clopt_status list_results(struct kernel_reader *reader)
{
    struct kernel_definition *definition = reader->definition;
    struct kernel_place place = kernel_place_of(reader->app, NULL);
    size_t count = 0;
    bool compared = false;
    for (size_t i = 0; i < definition->argument_count; i++) {
        const struct kernel_argument *argument = &definition->arguments[i];
        if (!kernel_argument_is_result(argument))
            continue;
        compared |= argument->tolerance.how != KERNEL_IGNORED;
        char *text;
        const char *name =
            kernel_reader_keep(reader, asprintf(&text, "%s.npy", argument->name) < 0 ? NULL : text);
        if (!name)
            return clopt_fail_memory(reader->error);
        definition->tables.results[count++] = (struct clopt_parameter){
            .name = name, .type = CLOPT_FILE, .help = "a result of the study"};
    }
    return compared ? CLOPT_OK
                    : kernel_fail(&place, reader->error,
                                  "no result is compared: no buffer is output or inout, or all are "
                                  "ignored");
}

static enum clopt_status read_results(struct kernel_reader *reader)
{
    const struct clopt_section *section = kernel_section(reader->description, "results");
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; section && i < section->count && !status; i++)
        status = read_result(reader, section, &section->settings[i]);
    return status ? status : list_results(reader);
}

/* ---- steps ---- */

/* All launches of a kernel compute with the same kind of numbers. */
static enum clopt_status check_arithmetic(struct kernel_reader *reader,
                                          const struct kernel_step *step)
{
    const struct kernel_definition *definition = reader->definition;
    for (const struct kernel_step *other = definition->steps; other < step; other++)
        if (other->kernel == step->kernel && other->arithmetic != step->arithmetic)
            return kernel_fail(&step->place, reader->error,
                               "another step launches %s with other arithmetic", step->kernel_name);
    return CLOPT_OK;
}

/* Enters a step's kernel into the app's table, unless another step has done so. */
static enum clopt_status enter_kernel(struct kernel_reader *reader, struct kernel_step *step)
{
    struct clopt_kernel *kernels = reader->definition->tables.kernels;
    unsigned k = 0;
    while (kernels[k].name && strcmp(kernels[k].name, step->kernel_name) != 0)
        k++;
    step->kernel = k;
    if (!kernels[k].name) {
        kernels[k] = (struct clopt_kernel){step->kernel_name, (unsigned)step->global.count,
                                           step->any_local_size, step->whole_groups};
        return CLOPT_OK;
    }
    if (kernels[k].dimensions != step->global.count)
        return kernel_fail(&step->global.place, reader->error,
                           "another step launches %s with %u dimensions", step->kernel_name,
                           kernels[k].dimensions);
    kernels[k].any_local_size &= step->any_local_size;
    kernels[k].whole_groups |= step->whole_groups;
    return check_arithmetic(reader, step);
}

static enum clopt_status add_step(struct kernel_reader *reader, const struct clopt_section *section,
                                  bool whole, uint64_t number)
{
    struct kernel_definition *definition = reader->definition;
    if (definition->step_count == KERNEL_MOST_STEPS) {
        struct kernel_place place = kernel_place_of(section, NULL);
        return kernel_fail(&place, reader->error, "more than %d steps", KERNEL_MOST_STEPS);
    }
    struct kernel_step *step = &definition->steps[definition->step_count];
    enum clopt_status status =
        kernel_step_read(section, whole, &definition->names, definition->arguments,
                         definition->argument_count, step, reader->error);
    if (status)
        return status;
    definition->step_count++;
    step->number = number;
    return CLOPT_OK;
}

static const char *const launch_keys[] = {"kernel",     "global",         "local",
                                          "arithmetic", "operations",     "bytes",
                                          "when",       "any_local_size", NULL};

/* Reads the number of a section [step N]. */
static enum clopt_status read_number(struct kernel_reader *reader,
                                     const struct clopt_section *section, uint64_t *number)
{
    struct kernel_place place = kernel_place_of(section, NULL);
    const char *text = strchr(section->name, ' ');
    char *end = NULL;
    text = text ? text + 1 : "";
    *number = strtoull(text, &end, 10);
    if (!isdigit((unsigned char)*text) || *end || *number == 0)
        return kernel_fail(&place, reader->error, "steps have numbers: [step 1], [step 2] ...");
    for (size_t i = 0; i < reader->definition->step_count; i++)
        if (reader->definition->steps[i].number == *number)
            return kernel_fail(&place, reader->error, "this number is taken");
    return CLOPT_OK;
}

static enum clopt_status read_step(struct kernel_reader *reader,
                                   const struct clopt_section *section)
{
    static const char *const keys[] = {"kernel",     "global",         "local", "arithmetic",
                                       "operations", "bytes",          "when",  "arguments",
                                       "repeat",     "any_local_size", NULL};
    uint64_t number;
    enum clopt_status status = read_number(reader, section, &number);
    if (!status)
        status = kernel_check_keys(section, keys, reader->error);
    return status ? status : add_step(reader, section, false, number);
}

/* Where there are steps, [app kernel] describes none by itself. */
static enum clopt_status refuse_launch_keys(struct kernel_reader *reader)
{
    for (size_t i = 0; launch_keys[i]; i++) {
        const struct clopt_setting *setting = kernel_setting(reader->app, launch_keys[i]);
        struct kernel_place place = kernel_place_of(reader->app, setting);
        if (setting)
            return kernel_fail(&place, reader->error,
                               "there are steps: this belongs into [step N]");
    }
    return CLOPT_OK;
}

bool kernel_has_steps(const struct clopt_description *description)
{
    for (size_t i = 1; i < description->count; i++)
        if (strncmp(description->sections[i].name, "step", 4) == 0)
            return true;
    return false;
}

static int compare_steps(const void *a, const void *b)
{
    const struct kernel_step *first = a;
    const struct kernel_step *second = b;
    return (first->number > second->number) - (first->number < second->number);
}

static enum clopt_status read_repeat(struct kernel_reader *reader)
{
    const struct clopt_setting *setting = kernel_setting(reader->app, "repeat");
    struct kernel_expressions *repeat = &reader->definition->repeat;
    if (!setting)
        return CLOPT_OK;
    struct kernel_place place = kernel_place_of(reader->app, setting);
    enum clopt_status status =
        kernel_expressions_read(&place, setting->value, 1, 1, repeat, reader->error);
    return status ? status
                  : kernel_expressions_check(repeat, &reader->definition->names, KERNEL_PARAMETERS,
                                             reader->error);
}

/* Finds the buffer that says whether there is another repetition. */
static enum clopt_status read_while(struct kernel_reader *reader)
{
    struct kernel_definition *definition = reader->definition;
    const struct clopt_setting *setting = kernel_setting(reader->app, "while");
    if (!setting)
        return CLOPT_OK;
    struct kernel_place place = kernel_place_of(reader->app, setting);
    const struct kernel_argument *found = NULL;
    for (size_t i = 0; i < definition->argument_count; i++)
        if (strcmp(definition->arguments[i].name, setting->value) == 0)
            found = &definition->arguments[i];
    if (!found || found->kind != KERNEL_BUFFER || found->is_image || found->use != CLOPT_IN_OUT ||
        found->type.width != 1 ||
        (found->type.kind != KERNEL_SIGNED && found->type.kind != KERNEL_UNSIGNED))
        return kernel_fail(&place, reader->error,
                           "%s is no buffer that is inout and has integers, whose first one says "
                           "whether to go on",
                           setting->value);
    if (!definition->repeat.count)
        return kernel_fail(&place, reader->error,
                           "repeat = EXPRESSION is missing: how often at most");
    definition->goes_on = found;
    return CLOPT_OK;
}

/* How much work there is follows from how often it is done. */
static enum clopt_status refuse_work(struct kernel_reader *reader)
{
    const struct kernel_definition *definition = reader->definition;
    for (size_t i = 0; i < definition->step_count && definition->goes_on; i++) {
        const struct kernel_step *step = &definition->steps[i];
        const struct kernel_expressions *work =
            step->operations.count ? &step->operations : &step->bytes;
        if (work->count)
            return kernel_fail(&work->place, reader->error,
                               "there is while: how often this is done is known only then");
    }
    return CLOPT_OK;
}

static enum clopt_status read_steps(struct kernel_reader *reader)
{
    struct kernel_definition *definition = reader->definition;
    enum clopt_status status = read_repeat(reader);
    if (!status)
        status = read_while(reader);
    for (size_t i = 1; i < reader->description->count && !status; i++)
        if (strncmp(reader->description->sections[i].name, "step", 4) == 0)
            status = read_step(reader, &reader->description->sections[i]);
    if (status)
        return status;
    bool whole = !kernel_has_steps(reader->description);
    status = whole ? add_step(reader, reader->app, true, 1) : refuse_launch_keys(reader);
    qsort(definition->steps, definition->step_count, sizeof *definition->steps, compare_steps);
    for (size_t i = 0; i < definition->step_count && !status; i++)
        status = enter_kernel(reader, &definition->steps[i]);
    return status ? status : refuse_work(reader);
}

/* ---- [app kernel] ---- */

static enum clopt_status read_app(struct kernel_reader *reader, struct clopt_app *app)
{
    static const char *const keys[] = {"source", "options", "include",    "kernel",
                                       "global", "local",   "arithmetic", "operations",
                                       "bytes",  "when",    "repeat",     "any_local_size",
                                       "while",  "kernels", NULL};
    enum clopt_status status = kernel_check_keys(reader->app, keys, reader->error);
    if (!status)
        status = kernel_reader_folder(reader);
    if (!status)
        status = kernel_reader_source(reader, reader->app, app);
    return status ? status : kernel_reader_options(reader, reader->app, app);
}

/* ---- [reference] ---- */

static enum clopt_status read_reference(struct kernel_reader *reader, struct clopt_app *app)
{
    struct kernel_definition *definition = reader->definition;
    struct kernel_reference *reference = &definition->reference;
    const struct clopt_section *section = kernel_section(reader->description, "reference");
    enum clopt_status status =
        kernel_reference_read(section, reader->app, &definition->names, definition->arguments,
                              definition->argument_count, reference, reader->error);
    if (!status && reference->program)
        status = kernel_reader_add_program(reader, &reference->place, reference->program);
    if (status || !reference->has_step)
        return status;
    reference->app = *app;
    if (kernel_setting(section, "source")) {
        reference->app.source_is_path = false;
        status = kernel_reader_source(reader, section, &reference->app);
    }
    if (!status && reference->app.source_is_path && kernel_setting(section, "source")) {
        struct kernel_place place = kernel_place_of(section, kernel_setting(section, "source"));
        status = kernel_reader_add_file(reader, &place, "reference", "source", place.value);
    }
    if (!status && (kernel_setting(section, "source") || kernel_setting(section, "options")))
        status = kernel_reader_options(reader, section, &reference->app);
    return status;
}

/* A size of the command line that nothing depends on is a typing error; a program may want it. */
static enum clopt_status check_sizes(const struct kernel_reader *reader)
{
    const struct kernel_names *names = &reader->definition->names;
    const struct clopt_section *section = kernel_section(reader->description, "size");
    for (size_t i = 0; i < names->size_count; i++) {
        const struct clopt_setting *setting = kernel_setting(section, names->sizes[i]);
        struct kernel_place place = kernel_place_of(section, setting);
        if (!names->used[i] && !reader->definition->tables.program_count &&
            strcmp(setting->origin, "command line") == 0)
            return kernel_fail(&place, reader->error, "no expression of the study names this size");
    }
    return CLOPT_OK;
}

static enum clopt_status read_all(struct kernel_reader *reader, struct clopt_app *app)
{
    enum clopt_status status = read_app(reader, app);
    if (!status)
        status = read_names(reader);
    if (!status)
        status = read_arguments(reader);
    if (!status)
        status = read_results(reader);
    if (!status)
        status = read_steps(reader);
    if (!status)
        status = read_reference(reader, app);
    return status ? status : check_sizes(reader);
}

/* A section may come once; of [step N] only the number tells them apart. */
static enum clopt_status check_sections(const struct clopt_description *description,
                                        struct clopt_error *error)
{
    for (size_t i = 0; i < description->count; i++) {
        const struct clopt_section *section = &description->sections[i];
        struct kernel_place place = kernel_place_of(section, NULL);
        bool is_step = strncmp(section->name, "step", 4) == 0;
        bool is_parameter = strncmp(section->name, "parameter ", strlen("parameter ")) == 0;
        if (!is_step && !is_parameter && strchr(section->name, ' '))
            return kernel_fail(&place, error, "expected nothing after the section's name");
    }
    return CLOPT_OK;
}

enum clopt_status kernel_define(const struct clopt_description *description, struct clopt_app *app,
                                struct clopt_error *error)
{
    struct kernel_definition *definition = calloc(1, sizeof *definition);
    if (!definition)
        return clopt_fail_memory(error);
    struct kernel_reader reader = {description, &description->sections[0], definition, error, 0};
    definition->defined = (struct clopt_defined){
        .definition = definition,
        .programs = definition->tables.programs,
    };
    app->defined = &definition->defined;
    enum clopt_status status = check_sections(description, error);
    if (!status)
        status = read_all(&reader, app);
    app->kernels = definition->tables.kernels;
    app->inputs = definition->tables.inputs;
    app->results = definition->tables.results;
    if (status)
        kernel_undefine(app);
    return status;
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
    kernel_reference_fini(&definition->reference);
    kernel_names_fini(&definition->names);
    kernel_expressions_fini(&definition->repeat);
    free(definition->folder);
    free(definition);
    app->defined = NULL;
}

const char *kernel_file_input(const struct kernel_definition *definition,
                              const struct kernel_argument *argument, bool expected)
{
    const char *suffix = expected ? "expected" : "content";
    size_t length = strlen(argument->name);
    for (const struct clopt_parameter *input = definition->tables.inputs; input->name; input++)
        if (input->type == CLOPT_FILE && strncmp(input->name, argument->name, length) == 0 &&
            input->name[length] == ' ' && strcmp(input->name + length + 1, suffix) == 0)
            return input->name;
    return NULL;
}
