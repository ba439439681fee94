/* SPDX-License-Identifier: BSD-3-Clause */
/* [variant NAME]: programs that were written by hand in place of the app's. */
#include "definition.h"

#include "text/token.h"

const struct kernel_step *kernel_step_of(const struct kernel_definition *definition,
                                         const struct clopt_problem *problem, size_t index)
{
    const char *name = definition->variant_count && problem->parameters
                           ? clopt_values_text(problem->parameters, CLOPT_ALTERNATIVE)
                           : NULL;
    for (size_t i = 0; name && i < definition->variant_count; i++)
        if (definition->variants[i].has_step && strcmp(definition->alternatives[i].name, name) == 0)
            return &definition->variants[i].step;
    return &definition->steps[index];
}

/* Writes the name of the variant's kernel for that of the app's, and the other way round, in all of
 * a program: so the one is called as the other, and both may be there. */
static char *adapt(const struct clopt_alternative *alternative, char *text)
{
    const struct kernel_variant *variant = (const struct kernel_variant *)alternative->program;
    struct clopt_text made = {0};
    struct clopt_token token;
    const char *at = text;
    if (!variant->has_step || strcmp(variant->replaced, variant->step.kernel_name) == 0)
        return text;
    do {
        token = clopt_token_next(&at);
        bool is_own = clopt_token_is(&token, variant->step.kernel_name);
        bool is_other = clopt_token_is(&token, variant->replaced);
        clopt_text_append_bytes(&made, token.space, token.space_length);
        if (is_own || is_other)
            clopt_text_append(&made, is_own ? variant->replaced : variant->step.kernel_name);
        else
            clopt_text_append_bytes(&made, token.text, token.length);
    } while (token.kind != CLOPT_TOKEN_END);
    free(text);
    return clopt_text_take(&made);
}

/* ---- reading ---- */

/* Returns the name of a variant that a section describes; NULL: it is another section. */
static const char *name_of(const struct clopt_section *section)
{
    static const char word[] = CLOPT_ALTERNATIVE;
    size_t length = strlen(word);
    if (strncmp(section->name, word, length) != 0 || (section->name[length] & ~' '))
        return NULL;
    return section->name + length + (section->name[length] == ' ');
}

static void check_name(struct kernel_reader *reader, const struct kernel_position *position,
                       const char *name)
{
    const struct kernel_definition *definition = reader->definition;
    if (!clopt_is_identifier(name))
        kernel_fail(position, reader->error,
                    "a variant has a name: [variant NAME], letters, digits and _");
    if (strcmp(name, CLOPT_ALTERNATIVE_INITIAL) == 0)
        kernel_fail(position, reader->error,
                    "this is the name of [app kernel] itself; choose another one");
    for (size_t i = 0; i < definition->variant_count; i++)
        if (strcmp(definition->alternatives[i].name, name) == 0)
            kernel_fail(position, reader->error, "this name is taken");
    if (definition->variant_count == KERNEL_MOST_VARIANTS)
        kernel_fail(position, reader->error, "more than %d variants", KERNEL_MOST_VARIANTS);
}

/* Reads what it launches, where that is not the app's pipeline of steps. */
static void read_launch(struct kernel_reader *reader, const struct clopt_section *section,
                        struct kernel_variant *variant)
{
    const struct kernel_definition *definition = reader->definition;
    if (kernel_has_steps(reader->description)) {
        kernel_step_check_keys(section, KERNEL_VARIANT_OF_STEPS, reader->error);
        return;
    }
    kernel_step_check_keys(section, KERNEL_VARIANT, reader->error);
    kernel_step_read(reader, section, KERNEL_VARIANT, &variant->step);
    variant->has_step = true;
    variant->step.kernel = definition->steps[0].kernel;
    variant->replaced = definition->steps[0].kernel_name;
    variant->kernels[0] =
        (struct clopt_kernel){variant->step.kernel_name, (unsigned)variant->step.global.count,
                              variant->step.any_local_size, variant->step.whole_groups};
}

static void read_variant(struct kernel_reader *reader, const struct clopt_section *section,
                         const char *name, const struct clopt_app *app)
{
    struct kernel_definition *definition = reader->definition;
    struct kernel_position position = kernel_position_of(section, NULL);
    check_name(reader, &position, name);
    if (reader->error->status)
        return;
    struct kernel_variant *variant = &definition->variants[definition->variant_count];
    definition->alternatives[definition->variant_count++] =
        (struct clopt_alternative){name, &variant->program, adapt};
    variant->program = *app;
    variant->program.defined = NULL;
    variant->program.kernels = variant->kernels;
    memcpy(variant->kernels, definition->tables.kernels, sizeof variant->kernels);
    if (kernel_setting(section, "source"))
        kernel_reader_source(reader, section, &variant->program);
    if (kernel_setting(section, "options"))
        kernel_reader_options(reader, section, &variant->program);
    read_launch(reader, section, variant);
}

void kernel_variants_read(struct kernel_reader *reader, const struct clopt_app *app)
{
    const struct clopt_description *description = reader->description;
    struct kernel_definition *definition = reader->definition;
    definition->variants = clopt_calloc(KERNEL_MOST_VARIANTS, sizeof *definition->variants);
    for (size_t i = 1; i < description->count; i++) {
        const struct clopt_section *section = &description->sections[i];
        const char *parameter = kernel_parameter_section(section), *name = name_of(section);
        if (name && !reader->error->status)
            read_variant(reader, section, name, app);
        struct kernel_position position = kernel_position_of(section, NULL);
        if (parameter && strcmp(parameter, CLOPT_ALTERNATIVE) == 0 && definition->variant_count)
            kernel_fail(&position, reader->error,
                        "the sections [variant NAME] make this parameter; choose another name");
    }
    if (definition->variant_count)
        definition->defined.alternatives = definition->alternatives;
}
