/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads [published LABEL]: which published times a study is compared with. */
#include <stdlib.h>
#include <string.h>

#include "file/file.h"
#include "study/published.h"
#include "study/section.h"
#include "study/sections.h"
#include "text/array.h"
#include "text/text.h"

#define MOST_FIGURES 4096

static const char *const keys[] = {"file", "figures", NULL};

/* Lists the figures; none where all are wanted. */
static enum clopt_status read_figures(const struct clopt_ini_section *section,
                                      struct clopt_list *figures, struct clopt_error *error)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, "figures");
    if (!setting || strcmp(setting->value, "all") == 0)
        return CLOPT_OK;
    return clopt_study_list_setting(section, setting, CLOPT_TEXT, figures, error);
}

/* Reports a figure that the file does not have: nobody asks for one on purpose. */
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

static const struct clopt_plugin_entry *find_app(const struct clopt_study *study, const char *name)
{
    for (size_t i = 0; i < study->app_count; i++)
        if (strcmp(study->apps[i].entry->plugin->name, name) == 0)
            return study->apps[i].entry;
    return NULL;
}

/* Writes the names of variants as this clopt does: parameters in their order, without those that
 * change nothing. Apps that are not in the study do not count. */
static enum clopt_status read_variants(const struct clopt_study *study,
                                       const struct clopt_registry *registry, const char *path,
                                       struct clopt_published_list *list, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (size_t i = 0; i < list->count && !status; i++) {
        struct clopt_published *row = &list->items[i];
        struct clopt_trial trial = {.app = find_app(study, row->app)};
        if (!trial.app)
            continue;
        status = clopt_trial_parse_name(&trial, row->variant, registry, error);
        char *name = status ? NULL : clopt_trial_name(&trial);
        clopt_trial_fini(&trial);
        if (status)
            return clopt_fail_within(error, "%s:%zu", path, row->line);
        free(row->variant);
        row->variant = name;
        status = name ? CLOPT_OK : clopt_fail_memory(error);
    }
    return status;
}

static enum clopt_status read_file(const struct clopt_study *study,
                                   const struct clopt_registry *registry,
                                   const struct clopt_ini_section *section,
                                   struct clopt_published_list *list, struct clopt_error *error)
{
    const struct clopt_ini_setting *file = clopt_ini_setting(section, "file");
    struct clopt_list figures = {0};
    if (!file)
        return clopt_fail(error, CLOPT_INVALID, "%s: [%s]: names no file", section->origin,
                          section->name);
    char *path = clopt_path_beside(study->path, file->value);
    enum clopt_status status =
        path ? read_figures(section, &figures, error) : clopt_fail_memory(error);
    if (!status && clopt_file_check(path, error))
        status = clopt_fail_within(error, "%s: [%s] file", file->origin, section->name);
    else if (!status)
        status = clopt_published_read(path, figures.items, figures.count, list, error);
    if (!status)
        status = check_figures(section, &figures, list, error);
    if (!status)
        status = read_variants(study, registry, path, list, error);
    clopt_list_fini(&figures);
    free(path);
    return status;
}

enum clopt_status clopt_study_read_published(struct clopt_study *study,
                                             const struct clopt_ini_section *section,
                                             const char *label,
                                             const struct clopt_registry *registry,
                                             struct clopt_error *error)
{
    struct clopt_published_list *list =
        clopt_array_add(&study->published, &study->published_count, sizeof *list);
    if (!list)
        return clopt_fail_memory(error);
    *list = (struct clopt_published_list){.source = strdup(label)};
    enum clopt_status status = list->source ? clopt_study_check_keys(section, keys, NULL, error)
                                            : clopt_fail_memory(error);
    return status ? status : read_file(study, registry, section, list, error);
}
