/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes variants of a study out of files of kernels. */
#include "commands/judge/judge.h"

#include <ctype.h>
#include <stdlib.h>

#include <clopt/source.h>

#include "file/file.h"
#include "kernel/outline.h"

void judge_add(struct clopt_list *list, const char *format, ...)
{
    char **text = clopt_array_add(&list->items, &list->count, sizeof *text);
    va_list arguments;
    va_start(arguments, format);
    *text = clopt_text_vformat(format, arguments);
    va_end(arguments);
}

enum clopt_status judge_read_study(const struct judge *judge, const struct clopt_list *overrides,
                                   struct clopt_study **study, struct clopt_error *error)
{
    CLOPT_FREED struct clopt_override *all = clopt_calloc(overrides->count + 1, sizeof *all);
    for (size_t i = 0; i < overrides->count; i++)
        all[i].text = overrides->items[i];
    return clopt_study_read(judge->study_path, judge->global->registry, all, overrides->count,
                            study, error);
}

const json_t *judge_section(const struct judge *judge, const char *name)
{
    const json_t *section;
    size_t i;
    json_array_foreach(json_object_get(judge->app->description, "sections"), i, section)
    {
        if (strcmp(clopt_json_string(section, "name"), name) == 0)
            return json_object_get(section, "settings");
    }
    return NULL;
}

void judge_put_candidate(const struct judge_candidate *candidate, const char *label,
                         struct clopt_list *overrides)
{
    const char *name = candidate->name;
    judge_add(overrides, "variant%s %s.source=%s", label, name, candidate->path);
    judge_add(overrides, "variant%s %s.kernel=%s", label, name, candidate->kernel);
    if (candidate->arguments)
        judge_add(overrides, "variant%s %s.arguments=%s", label, name, candidate->arguments);
}

/* Names a candidate after its file, with letters, digits and _ alone. */
static char *make_name(const struct judge *judge, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    CLOPT_OWNED(clopt_text) name = {0};
    clopt_text_printf(&name, "%s%.*s", isalpha((unsigned char)*base) ? "" : "_",
                      (int)strcspn(base, "."), base);
    for (size_t i = 0; (i += clopt_word_length(name.data + i)) < name.length;)
        name.data[i] = '_';
    for (size_t i = 0; i < judge->candidate_count; i++)
        if (strcmp(judge->candidates[i].name, clopt_text_string(&name)) == 0) {
            clopt_text_printf(&name, "_%zu", judge->candidate_count + 1);
            i = (size_t)-1;
        }
    return clopt_text_take(&name);
}

/* Chooses the kernel of a file that stands for the app's: of the same name, or the only one. */
static enum clopt_status choose_kernel(const struct clopt_app *app, const char *text,
                                       struct judge_candidate *candidate, struct clopt_error *error)
{
    struct clopt_outline *outline = NULL;
    const char *wanted = app->kernels[0].name;
    CLOPT_TRY(clopt_outline_create(candidate->path, text, app->options ? app->options : "",
                                   &outline, error));
    size_t count = outline->kernel_count;
    bool found = false;
    for (size_t i = 0; i < count; i++)
        found |= strcmp(outline->kernels[i], wanted) == 0;
    if (found || count == 1)
        candidate->kernel = clopt_strdup(found ? wanted : outline->kernels[0]);
    clopt_outline_destroy(outline);
    return candidate->kernel
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID,
                            "%s: %zu kernels, none of them %s; name one in a study: [variant "
                            "NAME], kernel = ...",
                            candidate->path, count, wanted);
}

/* Takes arguments by their names, where the kernel has all of them, in another order. */
static void order_arguments(const struct judge *judge, const struct clopt_source *source,
                            struct judge_candidate *candidate)
{
    const json_t *arguments = judge_section(judge, "arguments"), *setting;
    CLOPT_OWNED(clopt_text) list = {0};
    size_t i, found = 0, count = source->kernel->parameter_count;
    for (size_t p = 0; p < count; p++) {
        const char *name = source->kernel->parameters[p]->name;
        json_array_foreach(arguments, i, setting)
        {
            found += strcmp(json_string_value(json_array_get(setting, 0)), name) == 0;
        }
        clopt_text_printf(&list, "%s%s", p ? ", " : "", name);
    }
    if (found == count && found == json_array_size(arguments))
        candidate->arguments = clopt_text_take(&list);
}

/* Reads a file, and asks whether the study can be read with it. */
static enum clopt_status read_file(const struct judge *judge, struct judge_candidate *candidate,
                                   struct clopt_error *error)
{
    const struct clopt_app *app = judge->app->extension->app;
    CLOPT_FREED char *text = NULL;
    CLOPT_HELD(clopt_source) source = NULL;
    CLOPT_HELD(clopt_study) study = NULL;
    CLOPT_OWNED(clopt_list) overrides = {0};
    CLOPT_TRY(clopt_text_read(candidate->path, &text, error));
    CLOPT_TRY(choose_kernel(app, text, candidate, error));
    CLOPT_TRY(clopt_source_create(candidate->path, text, NULL, app->options ? app->options : "",
                                  candidate->kernel, &source, error));
    order_arguments(judge, source, candidate);
    char *path = realpath(candidate->path, NULL);
    free(candidate->path);
    candidate->path = path;
    judge_put_candidate(candidate, judge->label, &overrides);
    return judge_read_study(judge, &overrides, &study, error);
}

enum clopt_status judge_add_candidates(struct judge *judge, char *const *files, size_t count,
                                       struct clopt_error *error)
{
    const struct clopt_alternative *own = judge->app->extension->app->defined->alternatives;
    for (; own && own->name; own++) {
        struct judge_candidate *candidate =
            clopt_array_add(&judge->candidates, &judge->candidate_count, sizeof *candidate);
        candidate->name = clopt_strdup(own->name);
    }
    for (size_t i = 0; i < count; i++) {
        struct clopt_error why = {0};
        char *name = make_name(judge, files[i]);
        struct judge_candidate *candidate =
            clopt_array_add(&judge->candidates, &judge->candidate_count, sizeof *candidate);
        *candidate = (struct judge_candidate){.name = name, .path = clopt_strdup(files[i])};
        if (read_file(judge, candidate, &why))
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
