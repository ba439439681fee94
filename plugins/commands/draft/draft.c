/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes the first study of a user's own kernels: what the app says of them, the macros that they
 * want, and the optimizations that can be tried. */
#include "commands/draft/draft.h"

#include "file/file.h"
#include "kernel/outline.h"
#include "rewrite/inline.h"
#include "text/build_options.h"
#include "trial/transform.h"
#include "trial/trial.h"

#define MOST_SUGGESTIONS 64
#define LONGEST_FOUND    300 /* letters of a finding */

struct draft {
    const struct clopt_draft_request *request;
    const struct clopt_plugin_entry *app;
    char *text; /* of the source */
    struct clopt_outline *outline;
    const char **kernels; /* those that the study is about */
    size_t kernel_count;
    struct clopt_text apps;     /* what describes the kernels */
    struct clopt_text left_out; /* comments on those that cannot be described */
    struct clopt_text *study;
};

/* ---- what there is to go by ---- */

/* Finds the app that can describe kernels. */
static enum clopt_status find_app(struct draft *draft, struct clopt_error *error)
{
    const struct clopt_registry *registry = draft->request->registry;
    const char *name = draft->request->app;
    if (name && clopt_registry_find(registry, CLOPT_KIND_APP, name, &draft->app, error))
        return error->status;
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; !draft->app && (entry = clopt_registry_entry(registry, CLOPT_KIND_ANY, i));
         i++) {
        const struct clopt_app *app =
            entry->extension->kind == CLOPT_KIND_APP ? entry->extension->app : NULL;
        if (app && app->define && app->define->draft)
            draft->app = entry;
    }
    if (!draft->app)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "no app that describes kernels; see `clopt plugins`");
    const struct clopt_define *define = draft->app->extension->app->define;
    if (!define || !define->draft)
        return clopt_fail(error, CLOPT_INVALID, "--app=%s: it does not describe kernels", name);
    return CLOPT_OK;
}

static enum clopt_status choose_kernels(struct draft *draft, struct clopt_error *error)
{
    const struct clopt_outline *outline = draft->outline;
    const char *wanted = draft->request->kernel;
    CLOPT_OWNED(clopt_text) names = {0};
    draft->kernels = clopt_calloc(outline->kernel_count + 1, sizeof *draft->kernels);
    for (size_t i = 0; i < outline->kernel_count; i++) {
        if (!wanted || clopt_text_has_word(wanted, outline->kernels[i]))
            draft->kernels[draft->kernel_count++] = outline->kernels[i];
        clopt_text_printf(&names, "%s%s", i ? ", " : "", outline->kernels[i]);
    }
    if (!outline->kernel_count)
        clopt_fail(error, CLOPT_INVALID, "%s: no kernel in this file", draft->request->file);
    else if (!draft->kernel_count)
        clopt_fail(error, CLOPT_INVALID, "%s: no kernel %s in this file; it has %s",
                   draft->request->file, wanted, clopt_text_string(&names));
    return draft->kernel_count ? CLOPT_OK : error->status;
}

/* Reads a kernel, with the functions that it calls in it, where that can be: what they do with its
 * arguments is what it does. */
static enum clopt_status read_kernel(const struct draft *draft, const char *kernel,
                                     struct clopt_source **source, struct clopt_error *error)
{
    struct clopt_error reason;
    enum clopt_status status = clopt_source_create_inlined(draft->request->file, draft->text, NULL,
                                                           draft->outline->options, kernel,
                                                           CLOPT_INLINE_ALL, source, &reason);
    return status ? clopt_source_create(draft->request->file, draft->text, NULL,
                                        draft->outline->options, kernel, source, error)
                  : CLOPT_OK;
}

/* ---- sections ---- */

/* Keeps what a check has found, without what would end a value. */
static void put_found(struct draft *draft)
{
    const char *found = draft->request->found;
    if (!found || !*found)
        return;
    clopt_text_append(
        draft->study,
        "\n; Found by the check, and said first by run, tune and report: mend it, see "
        "that\n; `clopt check` finds nothing, and take the line out.\nfound = ");
    for (size_t i = 0; found[i] && found[i] != '\n' && i < LONGEST_FOUND; i++)
        clopt_text_append_char(draft->study, found[i] == ';' || found[i] == '#' ? ',' : found[i]);
}

static void put_head(struct draft *draft)
{
    const char *named = draft->request->named;
    const char *command = draft->request->search ? "tune" : "-c";
    if (draft->request->origin)
        clopt_text_printf(draft->study, "; %s\n", draft->request->origin);
    else
        clopt_text_printf(draft->study,
                          "; Written by `clopt init` from %s. What is called a guess is worth a "
                          "look.\n",
                          named);
    clopt_text_printf(draft->study,
                      "; Run it: clopt %s FILE. What would be tried: clopt %s FILE --dry-run.\n"
                      "; All that can be said: man clopt-study, and of kernels: man clopt-%s.\n"
                      "; %s\n"
                      "%s"
                      "\n[study]\n"
                      "title = %s",
                      command, command, draft->app->extension->name, draft->request->check,
                      clopt_text_string(&draft->left_out), draft->kernels[0]);
    for (size_t i = 1; i < draft->kernel_count && i < 4; i++)
        clopt_text_printf(draft->study, ", %s", draft->kernels[i]);
    put_found(draft);
    clopt_text_append(
        draft->study,
        "\n\n"
        "; Sections [device NAME] choose devices; `clopt devices` lists them. Without "
        "one there has\n"
        "; to be exactly one device.\n");
    clopt_text_append(draft->study, draft->request->device ? draft->request->device
                                                           : "; [device cpu]\n"
                                                             "; platform = Portable*\n");
}

/* Suggests values for a macro that sets the local size: its own, half and twice. */
static void put_group_values(struct draft *draft, const struct clopt_outline_macro *macro)
{
    long value = strtol(macro->value, NULL, 10);
    if (!macro->has_default && draft->outline->dimensions < 2)
        value = 64;
    clopt_text_printf(draft->study, "values = %ld", value);
    if (value > 1 && value % 2 == 0)
        clopt_text_printf(draft->study, ", %ld", value / 2);
    if (value > 0 && value < 512)
        clopt_text_printf(draft->study, ", %ld", 2 * value);
    clopt_text_append(draft->study, " ; guess: it sets the local size\n");
}

static void put_macros(struct draft *draft)
{
    const struct clopt_outline *outline = draft->outline;
    for (size_t i = 0; i < outline->macro_count; i++) {
        const struct clopt_outline_macro *macro = &outline->macros[i];
        if (macro->is_type)
            continue;
        clopt_text_printf(draft->study, "\n[parameter %s]\n", macro->name);
        if (macro->sizes_groups)
            put_group_values(draft, macro);
        else
            clopt_text_printf(draft->study, "values = %s ; %s\n", macro->value,
                              macro->has_default ? "the source's own; add others to try them"
                                                 : "guess: the source does not define it");
    }
}

/* The build options of the user, and those for macros that stand for types. */
static void join_options(const struct draft *draft, struct clopt_text *options)
{
    const struct clopt_outline *outline = draft->outline;
    clopt_text_append(options, clopt_text_string(&draft->request->options->options));
    if (outline->standard)
        clopt_text_printf(options, "%s%s", options->length ? " " : "", outline->standard);
    for (size_t i = 0; i < outline->macro_count; i++)
        if (outline->macros[i].is_type)
            clopt_text_printf(options, "%s-D%s=%s", options->length ? " " : "",
                              outline->macros[i].name, outline->macros[i].value);
}

/* Lets the app describe one kernel. */
static enum clopt_status describe_kernel(const struct draft *draft, const char *kernel,
                                         const char *options, char **text,
                                         struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) source = NULL;
    size_t length = 0;
    struct clopt_error none = {0};
    const struct clopt_plugin_entry *other = NULL;
    char label[128]; /* must not be the name of another app */
    bool taken = clopt_registry_find(draft->request->registry, CLOPT_KIND_APP, kernel, &other,
                                     &none) == CLOPT_OK;
    snprintf(label, sizeof label, "%s%s", kernel, taken ? "_kernel" : "");
    struct clopt_draft asked = {.path = draft->request->named,
                                .options = options,
                                .folders = clopt_text_string(&draft->request->options->folders),
                                .label = draft->kernel_count > 1 ? label : NULL,
                                .outline = draft->outline,
                                .run = draft->request->run,
                                .overruns = draft->request->overruns,
                                .overrun_count = draft->request->overrun_count,
                                .halvings = draft->request->halvings};
    CLOPT_TRY(read_kernel(draft, kernel, &source, error));
    asked.source = source;
    FILE *output = open_memstream(text, &length);
    if (!output)
        clopt_memory_end();
    enum clopt_status status = draft->app->extension->app->define->draft(&asked, output, error);
    if (fclose(output) != 0)
        clopt_memory_end();
    return status;
}

/* Notes that a kernel cannot be described, and why. */
static void leave_out(struct draft *draft, const char *kernel, const char *reason)
{
    clopt_text_printf(&draft->left_out, "; %s is left out: %s\n", kernel, reason);
    if (!draft->request->run)
        clopt_text_print(stderr, "clopt: kernel %s is left out: %s\n", kernel, reason);
}

/* Describes kernels, without those that cannot be; fails where no other one is left. */
static enum clopt_status describe_kernels(struct draft *draft, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) options = {0};
    size_t count = 0;
    join_options(draft, &options);
    for (size_t i = 0; i < draft->kernel_count; i++) {
        CLOPT_FREED char *text = NULL;
        const char *kernel = draft->kernels[i];
        clopt_fail(error, CLOPT_OK, "%s, kernel %s", draft->request->file, kernel);
        enum clopt_status status =
            describe_kernel(draft, kernel, clopt_text_string(&options), &text, error);
        if (status == CLOPT_INFEASIBLE)
            error->status = CLOPT_INVALID;
        if (status && !count && i + 1 == draft->kernel_count)
            return status == CLOPT_INFEASIBLE
                       ? clopt_fail_within(error, "%s, kernel %s", draft->request->file, kernel)
                       : status;
        if (status) {
            leave_out(draft, kernel, error->message);
            continue;
        }
        draft->kernels[count++] = kernel; /* at most as many as were looked at */
        clopt_text_append(&draft->apps, text);
    }
    draft->kernel_count = count;
    return clopt_fail(error, CLOPT_OK, "%s", draft->request->file);
}

/* ---- optimizations ---- */

/* Tells whether one parameter, set to a value, can rewrite some kernel of the study. */
static enum clopt_status try_value(const struct draft *draft,
                                   const struct clopt_plugin_entry *optimization,
                                   const struct clopt_parameter *parameter, const char *value,
                                   struct clopt_error *reason)
{
    enum clopt_status status = CLOPT_INFEASIBLE;
    struct clopt_ndrange ndrange = clopt_draft_ndrange(draft->outline->dimensions);
    for (size_t i = 0; i < draft->kernel_count && status; i++) {
        CLOPT_OWNED(clopt_transform) transform = {0};
        struct clopt_step step = {optimization, clopt_step_values_create(optimization), NULL};
        status = clopt_values_set(step.values, parameter, value, reason);
        clopt_transform_init(&transform, draft->kernels[i], draft->request->file, draft->text,
                             draft->outline->options, &ndrange);
        transform.any_local_size = true;
        if (!status)
            status = clopt_step_check(&transform, &step, reason);
        if (!status)
            status = clopt_step_apply(&transform, &step, reason);
        clopt_values_destroy(step.values);
    }
    return status;
}

/* Writes what can be tried of a parameter to the first text; to the second one, as a comment with
 * the reason, where nothing can. */
static enum clopt_status put_suggestion(struct draft *draft,
                                        const struct clopt_plugin_entry *optimization,
                                        const struct clopt_parameter *parameter,
                                        struct clopt_text texts[2], struct clopt_error *error)
{
    CLOPT_OWNED(clopt_list) list = {0};
    struct clopt_error reason = {0};
    size_t good = 0;
    CLOPT_TRY(
        clopt_list_parse(parameter->suggest, parameter->type, MOST_SUGGESTIONS, &list, error));
    for (size_t i = 0; i < list.count; i++) {
        enum clopt_status tried = try_value(draft, optimization, parameter, list.items[i], &reason);
        if (tried == CLOPT_OK && good++)
            clopt_text_printf(&texts[0], ", %s", list.items[i]);
        else if (tried == CLOPT_OK)
            clopt_text_printf(&texts[0], "%s = %s", parameter->name, list.items[i]);
        else if (tried != CLOPT_INFEASIBLE)
            return clopt_fail(error, tried, "%s", reason.message);
    }
    if (good)
        clopt_text_append(&texts[0], "\n");
    else
        clopt_text_printf(&texts[1], "; %s = %s\n; would be infeasible: %s\n", parameter->name,
                          parameter->suggest, reason.message);
    return CLOPT_OK;
}

static enum clopt_status put_optimization(struct draft *draft,
                                          const struct clopt_plugin_entry *entry,
                                          struct clopt_error *error)
{
    const struct clopt_optimization *optimization = entry->extension->optimization;
    struct clopt_text texts[2] = {{0}};
    enum clopt_status status = clopt_fail(error, CLOPT_OK, "%s, [optimization %s]",
                                          draft->request->file, entry->extension->name);
    for (const struct clopt_parameter *parameter = optimization->parameters;
         parameter->name && !status; parameter++)
        if (parameter->suggest && !parameter->knob)
            status = put_suggestion(draft, entry, parameter, texts, error);
    if (texts[0].length || texts[1].length)
        clopt_text_printf(draft->study, "\n%s[optimization %s]\n%s%s", texts[0].length ? "" : "; ",
                          entry->extension->name, clopt_text_string(&texts[0]),
                          clopt_text_string(&texts[1]));
    clopt_text_fini(&texts[0]);
    clopt_text_fini(&texts[1]);
    return status;
}

static enum clopt_status put_optimizations(struct draft *draft, struct clopt_error *error)
{
    const struct clopt_registry *registry = draft->request->registry;
    clopt_text_append(draft->study, "\n; `clopt plugins` lists all optimizations and values.\n");
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_ANY, i)); i++)
        if (entry->extension->kind == CLOPT_KIND_OPTIMIZATION)
            CLOPT_TRY(put_optimization(draft, entry, error));
    clopt_text_append(
        draft->study,
        "\n; What pays alone may pay more together: every two of them, in this order.\n"
        "; [combine]\n"
        "; products = pairs\n");
    return CLOPT_OK;
}

/* ---- the whole ---- */

static enum clopt_status write_study(struct draft *draft, struct clopt_error *error)
{
    const struct clopt_draft_request *request = draft->request;
    clopt_fail(error, CLOPT_OK, "%s", request->file);
    CLOPT_TRY(find_app(draft, error));
    CLOPT_TRY(clopt_text_read(request->file, &draft->text, error));
    CLOPT_FREED char *options =
        clopt_device_options(clopt_text_string(&request->options->all), request->asked);
    CLOPT_TRY(clopt_outline_create(request->file, draft->text, options, &draft->outline, error));
    if (draft->outline->standard && !request->run)
        clopt_text_print(stderr, "clopt: %s is no OpenCL C 1.2: built with %s, as its study says\n",
                         request->file, draft->outline->standard);
    CLOPT_TRY(choose_kernels(draft, error));
    if (!request->described)
        CLOPT_TRY(describe_kernels(draft, error));
    put_head(draft);
    if (request->described) /* with its macros as they are */
        clopt_text_append(draft->study, request->described);
    else
        put_macros(draft);
    clopt_text_append(draft->study, clopt_text_string(&draft->apps));
    CLOPT_FREED char *described = clopt_strdup(clopt_text_string(draft->study));
    const struct clopt_draft_search search = {request->registry, draft->outline->dimensions,
                                              draft->text, described};
    if (!request->run)
        CLOPT_TRY(request->search ? clopt_draft_put_search(&search, draft->study, error)
                                  : put_optimizations(draft, error));
    if (!request->run && !request->search && !request->described)
        clopt_draft_seal(draft->study);
    return CLOPT_OK;
}

enum clopt_status clopt_draft_write(const struct clopt_draft_request *request,
                                    struct clopt_text *study, struct clopt_error *error)
{
    struct draft draft = {.request = request, .study = study};
    enum clopt_status status = write_study(&draft, error);
    clopt_outline_destroy(draft.outline);
    clopt_text_fini(&draft.apps);
    clopt_text_fini(&draft.left_out);
    free(draft.kernels);
    free(draft.text);
    return status;
}
