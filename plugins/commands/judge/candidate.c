/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes variants of a study out of files of kernels. */
#include "commands/judge/judge.h"

#include <stdlib.h>

#include <clopt/source.h>

#include "file/file.h"
#include "kernel/outline.h"

void judge_override(struct clopt_text **overrides, size_t *count, const char *format, ...)
{
    struct clopt_text *text = clopt_array_add(overrides, count, sizeof *text);
    va_list arguments;
    va_start(arguments, format);
    clopt_text_vprintf(text, format, arguments);
    va_end(arguments);
}

const json_t *judge_section(const struct judge *judge, const char *name)
{
    const json_t *description = judge->study->apps[0].entry->description, *section;
    size_t i;
    json_array_foreach(json_object_get(description, "sections"), i, section)
    {
        if (strcmp(json_string_value(json_object_get(section, "name")), name) == 0)
            return json_object_get(section, "settings");
    }
    return NULL;
}

/* Names a candidate after its file, with letters, digits and _ alone. */
static char *make_name(const struct judge *judge, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    CLOPT_OWNED(clopt_text) name = {0};
    clopt_text_printf(&name, "%s%.*s", *base >= '0' && *base <= '9' ? "_" : "",
                      (int)strcspn(base, "."), base);
    for (size_t i = 0; i < name.length; i++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_",
                    name.data[i]))
            name.data[i] = '_';
    for (size_t i = 0; i < judge->candidate_count; i++)
        if (strcmp(judge->candidates[i].name, clopt_text_string(&name)) == 0) {
            clopt_text_printf(&name, "_%zu", judge->candidate_count + 1);
            i = (size_t)-1;
        }
    return clopt_text_take(&name);
}

/* Chooses the kernel of a file that stands for the app's: of the same name, or the only one. */
static enum clopt_status choose_kernel(const struct clopt_outline *outline, const char *wanted,
                                       const char *path, const char **kernel,
                                       struct clopt_error *error)
{
    *kernel = outline->kernel_count == 1 ? outline->kernels[0] : NULL;
    for (size_t i = 0; i < outline->kernel_count; i++)
        if (strcmp(outline->kernels[i], wanted) == 0)
            *kernel = wanted;
    return *kernel ? CLOPT_OK
                   : clopt_fail(error, CLOPT_INVALID,
                                "%s: %zu kernels, none of them %s; name one in a study: [variant "
                                "NAME], kernel = ...",
                                path, outline->kernel_count, wanted);
}

/* Takes arguments by their names, where the kernel has all of them, in another order. */
static void order_arguments(const struct judge *judge, const struct clopt_source *source,
                            struct judge_candidate *candidate)
{
    const json_t *arguments = judge_section(judge, "arguments"), *setting;
    CLOPT_OWNED(clopt_text) list = {0};
    size_t i, found = 0;
    for (size_t p = 0; p < source->kernel->parameter_count; p++) {
        const char *name = source->kernel->parameters[p]->name;
        json_array_foreach(arguments, i, setting)
        {
            found += strcmp(json_string_value(json_array_get(setting, 0)), name) == 0;
        }
        clopt_text_printf(&list, "%s%s", p ? ", " : "", name);
    }
    if (found == source->kernel->parameter_count && found == json_array_size(arguments))
        judge_override(&candidate->overrides, &candidate->override_count,
                       "variant%s %s.arguments=%s", judge->label, candidate->name,
                       clopt_text_string(&list));
}

static enum clopt_status read_file(const struct judge *judge, struct judge_candidate *candidate,
                                   struct clopt_error *error)
{
    const struct clopt_app *app = judge->study->apps[0].entry->extension->app;
    CLOPT_FREED char *text = NULL;
    CLOPT_FREED char *path = realpath(candidate->path, NULL);
    CLOPT_HELD(clopt_source) source = NULL;
    struct clopt_outline *outline = NULL;
    const char *kernel;
    CLOPT_TRY(clopt_text_read(candidate->path, &text, error));
    const char *options = app->options ? app->options : "";
    CLOPT_TRY(clopt_outline_create(candidate->path, text, options, &outline, error));
    enum clopt_status status =
        choose_kernel(outline, app->kernels[0].name, candidate->path, &kernel, error);
    if (!status)
        status = clopt_source_create(candidate->path, text, NULL, outline->options, kernel, &source,
                                     error);
    if (!status) {
        judge_override(&candidate->overrides, &candidate->override_count, "variant%s %s.source=%s",
                       judge->label, candidate->name, path);
        judge_override(&candidate->overrides, &candidate->override_count, "variant%s %s.kernel=%s",
                       judge->label, candidate->name, kernel);
        order_arguments(judge, source, candidate);
    }
    clopt_outline_destroy(outline);
    return status;
}

/* Asks whether the study can be read with a candidate. */
static enum clopt_status try_study(const struct judge *judge,
                                   const struct judge_candidate *candidate,
                                   struct clopt_error *error)
{
    CLOPT_HELD(clopt_study) study = NULL;
    struct clopt_override overrides[4] = {{0}};
    for (size_t i = 0; i < candidate->override_count; i++)
        overrides[i].text = clopt_text_string(&candidate->overrides[i]);
    return clopt_study_read(judge->study_path, judge->global->registry, overrides,
                            candidate->override_count, &study, error);
}

static struct judge_candidate *add(struct judge *judge, char *name, struct clopt_error *error)
{
    if (judge->candidate_count == JUDGE_MOST_CANDIDATES) {
        free(name);
        clopt_fail(error, CLOPT_INVALID, "more than %d candidates", JUDGE_MOST_CANDIDATES);
        return NULL;
    }
    struct judge_candidate *candidate = &judge->candidates[judge->candidate_count++];
    candidate->name = name;
    return candidate;
}

enum clopt_status judge_add_candidates(struct judge *judge, char *const *files, size_t count,
                                       struct clopt_error *error)
{
    const struct clopt_defined *defined = judge->study->apps[0].entry->extension->app->defined;
    const struct clopt_alternative *own = defined->alternatives;
    for (; own && own->name; own++)
        if (!add(judge, clopt_strdup(own->name), error))
            return error->status;
    for (size_t i = 0; i < count; i++) {
        struct clopt_error why = {0};
        struct judge_candidate *candidate = add(judge, make_name(judge, files[i]), error);
        if (!candidate)
            return error->status;
        candidate->path = clopt_strdup(files[i]);
        if (read_file(judge, candidate, &why) || try_study(judge, candidate, &why))
            candidate->refused = clopt_strdup(why.message);
    }
    return judge->candidate_count
               ? CLOPT_OK
               : clopt_fail(
                     error, CLOPT_INVALID,
                     "%s: nothing to judge: name files of kernels, or have [variant NAME] in "
                     "the study",
                     judge->study_path);
}
