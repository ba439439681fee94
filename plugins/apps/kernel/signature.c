/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares the arguments that a study gives with those that its kernels take. */
#include "signature.h"

#include "text/token.h"

/* ---- the source ---- */

/* Writes -D NAME=VALUE for the initial value of a parameter: the first one of its list, unless the
 * study says otherwise. */
static void define_parameter(const struct clopt_section *section, struct clopt_text *options)
{
    const struct clopt_setting *initial = kernel_setting(section, "initial");
    const struct clopt_setting *values = kernel_setting(section, "values");
    const char *text = initial ? initial->value : values ? values->value : "0";
    const char *bare = text + (*text == '"');
    if (*bare == '-' && bare[1] >= 'a' && bare[1] <= 'z')
        return; /* an option of the compiler */
    text += strncmp(text, "pow2 ", 5) == 0 ? 5 : 0;
    size_t length = strcspn(text, ", \t");
    const char *range = strstr(text, "..");
    if (range && (size_t)(range - text) < length)
        length = (size_t)(range - text);
    clopt_text_printf(options, " -D %s=%.*s", kernel_parameter_section(section), (int)length, text);
}

/* Writes the build options of the initial code, for the caller to free. */
static char *make_options(const struct clopt_description *description, const struct clopt_app *app)
{
    struct clopt_text options = {0};
    clopt_text_append(&options, app->options ? app->options : "");
    for (size_t i = 1; i < description->count; i++)
        if (kernel_parameter_section(&description->sections[i]))
            define_parameter(&description->sections[i], &options);
    return clopt_text_take(&options);
}

/* ---- types ---- */

void kernel_parameter_type_name(const struct clopt_variable *variable, char *name, size_t size)
{
    static const char *const dropped[] = {
        "const",   "volatile",  "restrict", "__restrict",  "__global",     "__constant",
        "__local", "__private", "struct",   "__read_only", "__write_only", "__read_write"};
    bool points = variable->is_pointer;
    enum clopt_scalar scalar = points ? variable->pointee_scalar : variable->scalar;
    unsigned width = points ? variable->pointee_width : variable->width;
    name[0] = '\0';
    if (scalar != CLOPT_SCALAR_NONE)
        clopt_scalar_print(scalar, width, name, size);
    if (*name)
        return;
    for (const char *at = variable->type; *at;) {
        size_t length = strcspn(at, " *");
        bool drop = length == 0;
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
            drop |= strlen(dropped[i]) == length && strncmp(at, dropped[i], length) == 0;
        if (!drop)
            snprintf(name, size, "%.*s", (int)length, at);
        at += length + strspn(at + length, " *");
    }
}

/* Writes a parameter's type without the __private that clang adds. */
static void print_type(const char *spelled, char *text, size_t size)
{
    static const char added[] = "__private";
    const char *at = strstr(spelled, added);
    const char *after = at ? at + strlen(added) : "";
    size_t before = at ? (size_t)(at - spelled) : strlen(spelled);
    before -= before && !*after && spelled[before - 1] == ' ';
    snprintf(text, size, "%.*s%s", (int)before, spelled, after + (*after == ' '));
}

/* Whether numbers of one type can be taken for those of the other: signs do not matter, and neither
 * do vectors, unless the value itself is handed over. */
static bool fits(const struct kernel_argument *argument, const struct kernel_type *taken)
{
    const struct kernel_type *given = &argument->type;
    if (given->kind == KERNEL_STRUCT)
        return true;
    if (argument->kind == KERNEL_SCALAR && given->width != taken->width)
        return false;
    return given->scalar_bytes == taken->scalar_bytes &&
           (given->kind == KERNEL_REAL) == (taken->kind == KERNEL_REAL);
}

/* Says what kind of argument a parameter is, where that is not what the study gives. */
static const char *find_mismatch(const struct kernel_argument *argument,
                                 const struct clopt_variable *parameter)
{
    bool is_image = strstr(parameter->type, "image") != NULL;
    bool is_sampler = strstr(parameter->type, "sampler") != NULL;
    if (is_image != argument->is_image && !parameter->is_pointer)
        return is_image ? "an image" : "not an image";
    if (is_sampler != (argument->kind == KERNEL_SAMPLER))
        return is_sampler ? "a sampler" : "not a sampler";
    if (is_image || is_sampler)
        return NULL;
    bool local = parameter->is_pointer && parameter->pointee == CLOPT_SPACE_LOCAL;
    if (argument->kind == KERNEL_SCALAR)
        return parameter->is_pointer ? "a pointer, not a value" : NULL;
    if (!parameter->is_pointer)
        return "not a pointer";
    if (argument->kind == KERNEL_NULL)
        return local ? "a pointer to local memory, which cannot be null" : NULL;
    if (argument->is_image)
        return "not an image";
    if (argument->kind == KERNEL_LOCAL)
        return local ? NULL : "not a pointer to local memory";
    return local ? "a pointer to local memory, not to a buffer" : NULL;
}

/* ---- checking ---- */

static void check_argument(const struct kernel_step *step, size_t index,
                           const struct clopt_variable *parameter, struct clopt_error *error)
{
    const struct kernel_step_argument *given = &step->arguments[index];
    const struct kernel_argument *argument = given->shared ? given->shared : &given->own;
    const struct kernel_position *position = &argument->position;
    const char *mismatch = find_mismatch(argument, parameter);
    struct kernel_type taken;
    char name[64], type[128], which[160];
    print_type(parameter->type, type, sizeof type);
    snprintf(which, sizeof which, "argument %zu of %.64s, %.64s,", index + 1, step->kernel_name,
             parameter->name);
    if (step->has_names && strcmp(argument->name, parameter->name) != 0)
        kernel_fail(position, error,
                    "argument %zu of %s is called %s; [arguments] has the kernel's names, in its "
                    "order",
                    index + 1, step->kernel_name, parameter->name);
    if (mismatch)
        kernel_fail(position, error, "%s is %s: %s", which, mismatch, type);
    if (mismatch || argument->kind == KERNEL_NULL)
        return;
    size_t bytes = kernel_type_bytes(&argument->type);
    kernel_parameter_type_name(parameter, name, sizeof name);
    bool known = kernel_type_named(name, &taken);
    if (!known && argument->type.kind == KERNEL_STRUCT && parameter->pointee_bytes &&
        parameter->pointee_bytes != bytes)
        kernel_fail(position, error, "%s is %s, of %zu bytes each, not %zu", which, type,
                    parameter->pointee_bytes, bytes);
    if (!known || fits(argument, &taken))
        return;
    kernel_type_name(&argument->type, name);
    kernel_fail(position, error, "%s is %s, not %s", which, type, name);
}

static void check_step(const struct kernel_step *step, const struct clopt_function *function,
                       struct clopt_error *error)
{
    if (step->argument_count != function->parameter_count)
        kernel_fail(&step->position, error, "%s takes %zu arguments, the study gives it %zu",
                    step->kernel_name, function->parameter_count, step->argument_count);
    for (size_t i = 0; i < step->argument_count && !error->status; i++)
        check_argument(step, i, function->parameters[i], error);
}

/* Whether a text has a word, in a part that a device may have and this reading has not. */
static bool has_word(const char *text, const char *word)
{
    for (const char *at = text;;) {
        struct clopt_token token = clopt_token_next(&at);
        if (token.kind == CLOPT_TOKEN_END || clopt_token_is(&token, word))
            return token.kind != CLOPT_TOKEN_END;
    }
}

/* Reads the kernel of a step from a file with so many options, and checks its arguments. */
static void check_kernel(const struct kernel_step *step, const char *const file[3],
                         struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) source = NULL;
    struct clopt_error reason = {0};
    kernel_fail(&step->position, error, "%s, kernel %s", file[0], step->kernel_name);
    error->status = CLOPT_OK; /* said where the parser is lost over it */
    enum clopt_status status =
        clopt_source_create(file[0], file[1], NULL, file[2], step->kernel_name, &source, &reason);
    if (status == CLOPT_INVALID &&
        (strstr(reason.message, "not a kernel") ||
         (strstr(reason.message, "in this file") && !has_word(file[1], step->kernel_name))))
        kernel_fail(&step->position, error, "%s has no kernel %s", file[0], step->kernel_name);
    if (status == CLOPT_OK)
        check_step(step, source->kernel, error);
}

/* Checks steps against the source of an app. */
static void check_source(const struct clopt_description *description, const struct clopt_app *app,
                         const struct kernel_step *steps, size_t count, struct clopt_error *error)
{
    if (!app->source_is_path || !count)
        return;
    struct clopt_error ignored = {0};
    CLOPT_FREED char *text = NULL;
    CLOPT_FREED char *options = make_options(description, app);
    if (clopt_text_read(app->source, &text, &ignored))
        return;
    const char *const file[] = {app->source, text, options};
    for (size_t i = 0; i < count && !error->status; i++)
        check_kernel(&steps[i], file, error);
}

enum clopt_status kernel_signature_check(const struct clopt_description *description,
                                         const struct clopt_app *app, struct clopt_error *error)
{
    const struct kernel_definition *definition = app->defined->definition;
    const struct kernel_reference *reference = &definition->reference;
    error->status = CLOPT_OK;
    check_source(description, app, definition->steps, definition->step_count, error);
    check_source(description, &reference->app, &reference->step, reference->has_step, error);
    for (size_t i = 0; i < definition->variant_count; i++)
        check_source(description, &definition->variants[i].program, &definition->variants[i].step,
                     definition->variants[i].has_step, error);
    return error->status;
}
