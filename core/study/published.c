/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [published LABEL]: which published times a study is compared with. */
#include "file/file.h"
#include "search/reader.h"
#include "study/schema.h"

/* The section, as it is written. */
struct request {
    char *file;
    struct clopt_list figures;
};

#define AT(member) offsetof(struct request, member)

static const struct clopt_key keys[] = {
    CLOPT_KEY("file", VALUE, TEXT, NULL, NULL, AT(file), "a CSV file of published times"),
    CLOPT_KEY("figures", LIST, TEXT, NULL, NULL, AT(figures),
              "only the rows of these figures [all]"),
    {0},
};

/* Has a reader of plugins read the table. */
static enum clopt_status read_table(const struct clopt_registry *registry, const char *path,
                                    const struct clopt_list *figures,
                                    struct clopt_published_list *list, struct clopt_error *error)
{
    const struct clopt_plugin_entry *entry;
    clopt_registry_load(registry);
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_READER, i)); i++) {
        const struct clopt_reader *reader = entry->extension->operations;
        if (reader->published)
            return reader->published(path, figures, list, error);
    }
    return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s: no plugin reads published times", path);
}

/* Reports a figure that the file does not have: it was asked for by mistake. */
static enum clopt_status check_figures(const struct clopt_ini_section *section,
                                       const struct clopt_list *figures,
                                       const struct clopt_published_list *list,
                                       struct clopt_error *error)
{
    for (size_t i = 0; i < figures->count; i++) {
        size_t row = 0;
        while (row < list->count && strcmp(list->items[row].figure, figures->items[i]) != 0)
            row++;
        if (row == list->count)
            return clopt_fail(error, CLOPT_INVALID, "%s: [%s] figures = %s: the file has none",
                              clopt_ini_setting(section, "figures")->origin, section->name,
                              figures->items[i]);
    }
    return CLOPT_OK;
}

/* Writes the names of variants as this clopt does: parameters in their order, without those that
 * change nothing. Apps that are not in the study do not count. */
static enum clopt_status read_variants(const struct clopt_study_reading *reading, const char *path,
                                       struct clopt_published_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct clopt_published *row = &list->items[i];
        CLOPT_OWNED(clopt_trial) trial = {.app = clopt_study_app(reading->study, row->app)};
        if (!trial.app)
            continue;
        if (clopt_trial_parse_name(&trial, row->variant, reading->registry, reading->error))
            return clopt_fail_within(reading->error, "%s:%zu", path, row->line);
        free(row->variant);
        row->variant = clopt_trial_name(&trial);
    }
    return CLOPT_OK;
}

static enum clopt_status read_file(const struct clopt_study_reading *reading,
                                   const struct clopt_ini_section *section, struct request *request,
                                   struct clopt_published_list *list)
{
    struct clopt_error *error = reading->error;
    struct clopt_list *figures = &request->figures;
    if (!request->file)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s]: names no file", section->origin,
                          section->name);
    if (figures->count == 1 && strcmp(figures->items[0], "all") == 0)
        clopt_list_fini(figures);
    CLOPT_FREED char *path = clopt_path_beside(reading->study->path, request->file);
    if (clopt_file_check(path, error))
        return clopt_fail_within(error, "%s: [%s] file", clopt_ini_setting(section, "file")->origin,
                                 section->name);
    CLOPT_TRY(read_table(reading->registry, path, figures, list, error));
    CLOPT_TRY(check_figures(section, figures, list, error));
    return read_variants(reading, path, list);
}

static enum clopt_status read_published(const struct clopt_study_reading *reading,
                                        const struct clopt_ini_section *section, const char *label)
{
    struct clopt_study *study = reading->study;
    struct request request = {0};
    struct clopt_published_list *list =
        clopt_array_add(&study->published, &study->published_count, sizeof *list);
    list->source = clopt_strdup(label);
    enum clopt_status status = clopt_keys_read(keys, section, NULL, &request, reading->error);
    if (!status)
        status = read_file(reading, section, &request, list);
    free(request.file);
    clopt_list_fini(&request.figures);
    return status;
}

const struct clopt_study_section clopt_section_published = {
    .kind = "published", .label = "LABEL", .keys = keys, .read = read_published};
