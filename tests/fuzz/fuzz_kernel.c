/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that no description of a kernel makes the app `kernel` misbehave, whether it is read, its
 * launches are counted or its buffers filled: a libFuzzer harness, which `tests/fuzz/run kernel`
 * builds and starts. Input: sections [NAME] with lines KEY=VALUE; the first one is [app]. */
#include "definition.h"

#include <stdlib.h>
#include <string.h>

#include "number/values.h"
#include "plan.h"

#define MOST_SECTIONS 12
#define MOST_SETTINGS 200
#define MOST_ELEMENTS 10000
#define MOST_LAUNCHES 2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
    struct clopt_section sections[MOST_SECTIONS];
    size_t section_count;
    struct clopt_setting settings[MOST_SETTINGS];
    size_t setting_count;
};

/* Takes one line, as the reader of studies would hand it on. */
static void take_line(struct text *text, char *line)
{
    char *equals = strchr(line, '=');
    char *end = *line == '[' ? strchr(line, ']') : NULL;
    if (end && text->section_count < MOST_SECTIONS) {
        *end = '\0';
        text->sections[text->section_count++] =
            (struct clopt_section){.name = line + 1,
                                   .title = line + 1,
                                   .origin = "fuzz.ini:1",
                                   .settings = &text->settings[text->setting_count]};
    } else if (equals && equals > line && text->section_count &&
               text->setting_count < MOST_SETTINGS) {
        *equals = '\0';
        text->settings[text->setting_count++] =
            (struct clopt_setting){line, equals + 1, "fuzz.ini:2"};
        text->sections[text->section_count - 1].count++;
    }
}

static void count_launch(void *user, struct kernel_scope *scope, const struct kernel_step *step)
{
    size_t *launches = user;
    if (++*launches > MOST_LAUNCHES)
        clopt_fail(scope->error, CLOPT_FAILED, "enough");
    else
        kernel_step_ndrange(step, scope);
}

/* Fills the buffers that are small enough. */
static void fill(const struct kernel_definition *definition, const struct clopt_problem *problem)
{
    for (size_t i = 0; i < definition->argument_count; i++) {
        const struct kernel_argument *argument = &definition->arguments[i];
        struct clopt_error error;
        struct kernel_scope scope = kernel_scope_begin(&definition->names, problem, &error);
        bool filled = argument->kind == KERNEL_BUFFER && argument->content.filling != KERNEL_FILE &&
                      argument->content.filling != KERNEL_NOTHING;
        size_t bytes = filled ? kernel_argument_bytes(argument, &scope) : 0;
        size_t count = filled ? kernel_evaluate_product(&scope, &argument->values) : 0;
        struct kernel_elements elements = {&argument->type, count, count > 3 ? count / 3 : 1, NULL};
        if (!filled || error.status || bytes > MOST_ELEMENTS)
            continue;
        elements.data = calloc(bytes, 1);
        if (elements.data)
            kernel_content_fill(&argument->content, argument->name, elements, &scope);
        free(elements.data);
    }
}

static void use(const struct clopt_app *app)
{
    struct clopt_error error;
    struct clopt_values *inputs = clopt_values_create(app->inputs);
    const struct kernel_definition *definition = app->defined->definition;
    struct clopt_problem problem = {.app = "kernel", .inputs = inputs, .seed = 1};
    size_t launches = 0;
    if (!inputs)
        return;
    for (size_t i = 0; i < definition->names.size_count; i++)
        clopt_values_set(inputs, &app->inputs[i], "12", &error);
    struct kernel_scope scope = kernel_scope_begin(&definition->names, &problem, &error);
    kernel_walk(definition, &scope, count_launch, &launches);
    fill(definition, &problem);
    clopt_values_destroy(inputs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct text text;
    char *copy = strndup((const char *)data, size);
    struct clopt_app app = {0};
    struct clopt_error error = {0};
    text.section_count = text.setting_count = 0;
    for (char *line = copy; line;) {
        char *end = strchr(line, '\n');
        if (end)
            *end = '\0';
        take_line(&text, line);
        line = end ? end + 1 : NULL;
    }
    struct clopt_description description = {"fuzz.ini", text.sections, text.section_count};
    if (text.section_count && kernel_define(&description, &app, &error) == CLOPT_OK) {
        use(&app);
        kernel_undefine(&app);
    }
    free(copy);
    return 0;
}
