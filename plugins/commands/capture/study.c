/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes a study of launches that were captured. */
#include "commands/capture/study.h"
#include "commands/shared/compiler_options.h"

#include <ctype.h>

#include "commands/capture/argument.h"
#include "commands/draft/draft.h"
#include "file/file.h"
#include "file/folder.h"
#include "text/build_options.h"

#define LOCAL_ITEMS    64 /* of a work-group whose size the application left to the driver */
#define MOST_ARGUMENTS 64 /* that a study has */

/* An argument of the study, which several launches may have. */
struct studied {
    char name[160], base[128]; /* of the parameter, and with a number where that is taken */
    struct clopt_text definition;
    struct clopt_array_element element;
    const struct clopt_captured_argument *memory; /* as its first launch got it; NULL: a value */
    bool input, changed;
    bool is_rounded;    /* an image whose steps the device rounds to */
    char *first, *last; /* files: before the first launch, and after the last that changes it */
};

/* A study that is written. */
struct writing {
    const struct clopt_captured *const *launches;
    size_t count;
    const char *folder, *source;
    struct studied arguments[MOST_ARGUMENTS];
    size_t argument_count;
    struct clopt_text *steps; /* one a launch: its kernel, sizes and arguments */
    bool approximate;         /* the source has functions with an accuracy of their own */
};

/* ---- arguments ---- */

/* Finds the argument that is the same memory, or the same value by the same name. */
static struct studied *find_studied(struct writing *writing, const struct studied *like)
{
    for (size_t i = 0; i < writing->argument_count && writing->count > 1; i++) {
        struct studied *known = &writing->arguments[i];
        bool same = !known->memory && !like->memory && strcmp(known->base, like->base) == 0 &&
                    strcmp(known->definition.data, like->definition.data) == 0;
        if (same || (known->memory && like->memory &&
                     clopt_captured_same_memory(known->memory, like->memory)))
            return known;
    }
    return NULL;
}

/* Gives an argument a name of its own. */
static void name_studied(const struct writing *writing, struct studied *made)
{
    bool taken = true;
    for (unsigned number = 1; taken; number++) {
        snprintf(made->name, sizeof made->name, number > 1 ? "%s_%u" : "%s", made->base, number);
        taken = false;
        for (size_t i = 0; i < writing->argument_count; i++)
            taken |= strcmp(writing->arguments[i].name, made->name) == 0;
    }
}

static void fini_studied(struct studied *studied)
{
    clopt_text_fini(&studied->definition);
    free(studied->first);
    free(studied->last);
}

/* Makes an argument of a launch the study's, unless it is already; `at` is which. */
static enum clopt_status take_argument(struct writing *writing, const struct clopt_captured *launch,
                                       size_t index, const struct clopt_variable *parameter,
                                       const struct studied **at, struct clopt_error *error)
{
    const struct clopt_captured_argument *argument = &launch->arguments[index];
    struct studied made = {0}, *known;
    snprintf(made.base, sizeof made.base, "%s", parameter->name);
    if (clopt_argument_define(parameter, argument, &made.definition, &made.element, error)) {
        fini_studied(&made);
        return error->status;
    }
    made.memory = argument->kind == CLOPT_CAPTURED_BUFFER ? argument : NULL;
    made.input = argument->text
                     ? !strstr(parameter->type, "write")
                     : parameter->points_to_const || parameter->pointee == CLOPT_SPACE_CONSTANT;
    made.is_rounded = made.memory && argument->text && strstr(argument->text, "norm_");
    made.first = clopt_captured_file(launch, index, "before");
    known = find_studied(writing, &made);
    bool differs = known && strcmp(known->definition.data, made.definition.data) != 0;
    if (!known && writing->argument_count < MOST_ARGUMENTS) {
        name_studied(writing, &made);
        known = &writing->arguments[writing->argument_count++];
        *known = made;
    } else {
        fini_studied(&made);
    }
    if (!known || differs)
        return clopt_fail(error, CLOPT_INVALID,
                          known ? "argument %s is of another type for another kernel"
                                : "argument %s is one too many: a study has 64",
                          parameter->name);
    known->input &= made.input;
    *at = known;
    if (!made.memory || !argument->changed)
        return CLOPT_OK;
    known->changed = true;
    free(known->last);
    known->last = clopt_captured_file(launch, index, "after");
    return CLOPT_OK;
}

static const char *find_tolerance(const struct writing *writing,
                                  const struct clopt_array_element *element, bool changed,
                                  bool is_rounded)
{
    bool half = element->scalar == CLOPT_SCALAR_HALF;
    if (changed && is_rounded)
        return "absolute 1"; /* the device rounds to the nearest of its steps */
    if (!changed || !clopt_scalar_is_real(element->scalar))
        return "exact";
    if (half || writing->approximate)
        return "relative 1e-2";
    return element->scalar == CLOPT_SCALAR_DOUBLE ? "relative 1e-10" : "relative 1e-4";
}

/* Writes what the study says of an argument, and of its result, and its files. */
static enum clopt_status put_argument(const struct writing *writing, const struct studied *studied,
                                      struct clopt_text *arguments, struct clopt_text *results,
                                      struct clopt_error *error)
{
    const struct clopt_array_element *element = &studied->element;
    const char *folder = writing->folder, *name = studied->name;
    bool nan = false; /* in what is right */
    if (!studied->memory) {
        clopt_text_printf(arguments, "%s = %s\n", name, clopt_text_string(&studied->definition));
        return CLOPT_OK;
    }
    /* a vector of 3 has the room of 4 */
    const char *ending = element->width == 3 || studied->memory->text ? "bin" : "npy";
    size_t count = studied->memory->bytes / element->bytes;
    CLOPT_FREED char *before = clopt_text_format("%s/%s.%s", folder, name, ending);
    CLOPT_FREED char *after = clopt_text_format("%s/%s-after.%s", folder, name, ending);
    CLOPT_TRY(clopt_argument_copy(studied->first, before, element, count, &nan, error));
    if (writing->count == 1)
        remove(studied->first); /* no other study has it */
    if (studied->changed)
        CLOPT_TRY(clopt_argument_copy(studied->last, after, element, count, &nan, error));
    clopt_text_printf(arguments, "%s = %s %s file(%s.%s)\n", name,
                      studied->input ? "input" : "inout", studied->definition.data, name, ending);
    if (!studied->input && nan)
        clopt_text_printf(results, "%s = ignore ; it has NaN, which is never right\n", name);
    else if (!studied->input)
        clopt_text_printf(results, "%s = %s file(%s%s.%s)\n", name,
                          find_tolerance(writing, element, studied->changed, studied->is_rounded),
                          name, studied->changed ? "-after" : "", ending);
    return CLOPT_OK;
}

/* Writes all arguments and results; CLOPT_INVALID where no result could be compared. */
static enum clopt_status put_arguments(const struct writing *writing, struct clopt_text *sections,
                                       struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) results = {0};
    bool any = false, changed = false;
    clopt_text_append(sections, "\n[arguments]\n");
    for (size_t i = 0; i < writing->argument_count; i++) {
        const struct studied *studied = &writing->arguments[i];
        size_t before = results.length;
        CLOPT_TRY(put_argument(writing, studied, sections, &results, error));
        bool ignored = strstr(clopt_text_string(&results) + before, "= ignore") != NULL;
        any |= studied->changed && !studied->input && !ignored;
        changed |= studied->changed && ignored;
    }
    clopt_text_printf(sections, "\n[results]\n; What the application's own run left.\n%s",
                      clopt_text_string(&results));
    return any ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID,
                            changed ? "what it leaves has NaN, which no comparison takes"
                                    : "it changes no buffer that could be compared");
}

/* ---- sizes ---- */

/* Chooses a local size for a launch that the application gave none: a divisor of the global size.
 */
static size_t choose_local(size_t global)
{
    size_t local = global < LOCAL_ITEMS ? global : LOCAL_ITEMS;
    while (local > 1 && global % local)
        local--;
    return local;
}

/* Whether a kernel knows nothing of its work-group, as far as the words of its source say. */
static bool knows_no_group(const char *source)
{
    static const char *const words[] = {"get_local", "get_group",   "get_num_groups", "barrier",
                                        "local",     "work_group",  "sub_group",      "#include",
                                        "##",        "get_enqueued"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(source, words[i]))
            return false;
    return true;
}

static enum clopt_status put_sizes(const struct clopt_captured *launch, const char *source,
                                   struct clopt_text *step, struct clopt_error *error)
{
    bool given = launch->local[0] != 0;
    clopt_text_printf(step, "kernel = %s\nglobal = ", launch->kernel);
    for (unsigned d = 0; d < launch->dimensions; d++)
        clopt_text_printf(step, "%s%zu", d ? ", " : "", launch->global[d]);
    clopt_text_append(step, "\nlocal = ");
    for (unsigned d = 0; d < launch->dimensions; d++) {
        size_t local = given ? launch->local[d] : d ? 1 : choose_local(launch->global[d]);
        if (!local || launch->global[d] % local)
            return clopt_fail(error, CLOPT_INVALID,
                              "its global size is not a multiple of its local size");
        clopt_text_printf(step, "%s%zu", d ? ", " : "", local);
    }
    if (!given)
        clopt_text_append(step, " ; the application leaves it to the driver\n"
                                "any_local_size = dividing");
    else if (knows_no_group(source))
        clopt_text_append(step, "\nany_local_size = dividing ; no word of work-groups in it");
    clopt_text_append_char(step, '\n');
    return CLOPT_OK;
}

/* ---- steps ---- */

/* Takes in a launch: its sizes, and its arguments. */
static enum clopt_status take_launch(struct writing *writing, const struct clopt_captured *launch,
                                     const char *options, struct clopt_text *step,
                                     struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) source = NULL;
    const struct studied *argument = NULL;
    CLOPT_TRY(clopt_source_create("kernel.cl", writing->source, NULL, options, launch->kernel,
                                  &source, error));
    size_t count = source->kernel->parameter_count;
    CLOPT_TRY(put_sizes(launch, writing->source, step, error));
    if (launch->argument_count > count || count > CLOPT_MOST_CAPTURED_ARGUMENTS)
        return clopt_fail(error, CLOPT_INVALID, "its source has %zu arguments, the launch %zu",
                          count, launch->argument_count);
    for (size_t i = 0; i < count; i++) {
        CLOPT_TRY(
            take_argument(writing, launch, i, source->kernel->parameters[i], &argument, error));
        if (writing->count > 1)
            clopt_text_printf(step, "%s%s", i ? ", " : "arguments = ", argument->name);
    }
    if (writing->count > 1 && count)
        clopt_text_append_char(step, '\n');
    return CLOPT_OK;
}

/* A step, and how often it follows itself. */
struct run {
    const char *text;
    unsigned repeat;
};

/* How many of the runs there are before they begin anew; all, where they do not. */
static size_t find_period(const struct run *runs, size_t count)
{
    for (size_t period = 1; period < count; period++) {
        size_t same = count % period ? 0 : period;
        while (same && same < count && strcmp(runs[same].text, runs[same - period].text) == 0 &&
               runs[same].repeat == runs[same - period].repeat)
            same++;
        if (same == count)
            return period;
    }
    return count;
}

/* Writes the steps of several launches, those that repeat once; one launch is no step. */
static void put_steps(const struct writing *writing, struct clopt_text *sections)
{
    CLOPT_FREED struct run *runs = clopt_calloc(writing->count, sizeof *runs);
    size_t count = 0;
    for (size_t i = 0; i < writing->count; i++) {
        const char *text = clopt_text_string(&writing->steps[i]);
        if (!count || strcmp(runs[count - 1].text, text) != 0)
            runs[count++].text = text;
        runs[count - 1].repeat++;
    }
    size_t period = find_period(runs, count);
    if (writing->count == 1)
        clopt_text_append(sections, runs->text);
    else if (period < count)
        clopt_text_printf(sections, "repeat = %zu\n", count / period);
    for (size_t i = 0; i < period && writing->count > 1; i++) {
        clopt_text_printf(sections, "\n[step %zu]\n%s", i + 1, runs[i].text);
        if (runs[i].repeat > 1)
            clopt_text_printf(sections, "repeat = %u\n", runs[i].repeat);
    }
}

/* ---- the whole ---- */

static enum clopt_status split_options(const char *text, struct clopt_compiler_options *options,
                                       struct clopt_error *error)
{
    CLOPT_OWNED(clopt_build_options) words = {0};
    for (const char *at = text; *at; at++) {
        if (iscntrl((unsigned char)*at) && *at != '\t')
            return clopt_fail(error, CLOPT_INVALID,
                              "its build options hold a control character, \\x%02x", *at);
        if (*at == ';' && (at == text || !isgraph((unsigned char)at[-1]) || at[-1] == '"'))
            return clopt_fail(error, CLOPT_INVALID,
                              "a ; in its build options would begin a comment of the study: %s",
                              text);
    }
    clopt_build_options_split(text, &words);
    for (size_t i = 0; i < words.count; i++) {
        const char *word = words.words[i];
        CLOPT_FREED char *folder = strncmp(word, "-I", 2) == 0 ? realpath(word + 2, NULL) : NULL;
        if (folder && strpbrk(folder, " \t\"',"))
            return clopt_fail(error, CLOPT_INVALID,
                              "a study cannot include from a folder with blanks, commas or quotes "
                              "in its name: %s",
                              folder);
        clopt_compiler_options_add(options, word);
    }
    return CLOPT_OK;
}

/* Writes the sections that tell the app kernel of the launches. */
static enum clopt_status describe(struct writing *writing,
                                  const struct clopt_compiler_options *options,
                                  struct clopt_text *sections, struct clopt_error *error)
{
    clopt_text_append(sections, "\n[app kernel]\nsource = kernel.cl\n");
    if (options->options.length)
        clopt_text_printf(sections, "options = %s\n", options->options.data);
    if (options->folders.length)
        clopt_text_printf(sections, "include = %s\n", options->folders.data);
    for (size_t i = 0; i < writing->count; i++)
        CLOPT_TRY(take_launch(writing, writing->launches[i], clopt_text_string(&options->all),
                              &writing->steps[i], error));
    put_steps(writing, sections);
    return put_arguments(writing, sections, error);
}

/* Writes kernel.ini for a folder that has the rest. */
static enum clopt_status write_study(const struct writing *writing, const char *application,
                                     const struct clopt_compiler_options *options,
                                     const struct clopt_registry *registry, const char *sections,
                                     struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) study = {0}, origin = {0}, kernels = {0};
    CLOPT_FREED char *file = clopt_path_join(writing->folder, "kernel.cl");
    CLOPT_FREED char *path = clopt_path_join(writing->folder, "kernel.ini");
    clopt_text_printf(&origin, "Written by `clopt capture` from %s of ",
                      writing->count > 1 ? "launches" : "a launch");
    clopt_text_append_printable(&origin, application);
    clopt_text_printf(&origin, " on %s.", writing->launches[0]->device);
    for (size_t i = 0; i < writing->count; i++)
        clopt_text_printf(&kernels, "%s ", writing->launches[i]->kernel);
    struct clopt_draft_request request = {.registry = registry,
                                          .file = file,
                                          .named = "kernel.cl",
                                          .options = options,
                                          .kernel = clopt_text_string(&kernels),
                                          .origin = clopt_text_string(&origin),
                                          .described = sections,
                                          .check = "Inputs and results are the application's own."};
    CLOPT_TRY(clopt_draft_write(&request, &study, error));
    return clopt_file_write(path, &clopt_file_any, study.data, study.length, error);
}

enum clopt_status clopt_captured_write(const struct clopt_captured *const *launches, size_t count,
                                       const char *source, const char *application,
                                       const char *folder, const struct clopt_registry *registry,
                                       struct clopt_error *error)
{
    struct writing writing = {.launches = launches,
                              .count = count,
                              .folder = folder,
                              .source = source,
                              .steps = clopt_calloc(count, sizeof *writing.steps),
                              .approximate = strstr(source, "native_") || strstr(source, "half_")};
    CLOPT_OWNED(clopt_compiler_options) options = {0};
    CLOPT_OWNED(clopt_text) sections = {0};
    bool made = false;
    enum clopt_status status = split_options(launches[0]->options, &options, error);
    if (!status) {
        status = clopt_folder_create(folder, error);
        made = !status;
    }
    CLOPT_FREED char *path = clopt_path_join(folder, "kernel.cl");
    if (!status)
        status = clopt_file_write(path, &clopt_file_any, source, strlen(source), error);
    if (!status)
        status = describe(&writing, &options, &sections, error);
    if (!status)
        status = write_study(&writing, application, &options, registry, sections.data, error);
    if (status && made)
        clopt_folder_remove(folder);
    for (size_t i = 0; i < writing.argument_count; i++)
        fini_studied(&writing.arguments[i]);
    for (size_t i = 0; i < count; i++)
        clopt_text_fini(&writing.steps[i]);
    free(writing.steps);
    return status;
}
