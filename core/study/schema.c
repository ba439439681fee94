/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads, checks and prints the keys of sections by their rows. */
#include "study/schema.h"

#include "plugin/descriptor.h"
#include "text/suggest.h"
#include "trial/observer.h"

/* Longer values are written in several lines, if they have blanks. */
#define LONGEST_LINE 100

bool clopt_section_is(const struct clopt_study_section *kind,
                      const struct clopt_ini_section *section, const char **label)
{
    size_t length = strlen(kind->kind);
    if (strncmp(kind->kind, section->name, length) != 0 ||
        section->name[length] != (kind->label ? ' ' : '\0'))
        return false;
    if (label)
        *label = section->name + length + (kind->label != NULL);
    return true;
}

enum clopt_status clopt_study_fail_at(const char *origin, const struct clopt_ini_section *section,
                                      struct clopt_error *error)
{
    if (!error)
        return CLOPT_INVALID;
    char message[sizeof error->message];
    memcpy(message, error->message, sizeof message);
    return clopt_fail(error, error->status, "%s: [%s] %s", origin, section->name, message);
}

/* ---- keys ---- */

static enum clopt_status fail_key(const struct clopt_key *keys,
                                  const struct clopt_ini_section *section,
                                  const struct clopt_ini_setting *setting,
                                  const struct clopt_parameter *parameters,
                                  struct clopt_error *error)
{
    const char *names[CLOPT_MOST_NAMES];
    size_t count = 0;
    for (; keys->is.name && count < CLOPT_MOST_NAMES; keys++)
        names[count++] = keys->is.name;
    for (; parameters && parameters->name && count < CLOPT_MOST_NAMES; parameters++)
        names[count++] = parameters->name;
    CLOPT_OWNED(clopt_text) advice = clopt_suggest_or_list(setting->key, names, count, "it knows");
    return clopt_fail(error, CLOPT_INVALID, "%s: [%s] %s: unknown key; %s", setting->origin,
                      section->name, setting->key, clopt_text_string(&advice));
}

enum clopt_status clopt_keys_read(const struct clopt_key *keys,
                                  const struct clopt_ini_section *section,
                                  const struct clopt_parameter *parameters, void *into,
                                  struct clopt_error *error)
{
    for (size_t i = 0; section && i < section->count; i++)
        if (!clopt_key_find(keys, section->settings[i].key) &&
            !clopt_parameter_find(parameters, section->settings[i].key))
            return fail_key(keys, section, &section->settings[i], parameters, error);
    for (; keys->is.name; keys++) {
        const struct clopt_ini_setting *setting = clopt_ini_setting(section, keys->is.name);
        const char *text = setting ? setting->value : keys->is.initial;
        if (text && clopt_key_read(keys, text, into, error))
            return clopt_fail(error, CLOPT_INVALID, "%s: [%s] %s%s%s",
                              setting ? setting->origin : "default", section ? section->name : "",
                              keys->is.name, keys->kept == CLOPT_KEPT_LIST ? ": " : " = ",
                              error ? error->message : "");
    }
    return CLOPT_OK;
}

/* Lists the names of extensions of the kind that is called "<kind>". An observer that only looks on
 * verifies nothing. */
static void add_names(const struct clopt_registry *registry, const char *called,
                      struct clopt_list *words)
{
    const struct clopt_plugin_entry *entry;
    enum clopt_kind kind = CLOPT_KIND_APP;
    size_t length = strlen(called) - 2;
    while (kind < CLOPT_KINDS - 1 && (strncmp(clopt_kind_text(kind), called + 1, length) != 0 ||
                                      clopt_kind_text(kind)[length]))
        kind++;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, kind, i)); i++)
        if (kind != CLOPT_KIND_OBSERVER ||
            ((const struct clopt_observer *)entry->extension->operations)->run)
            clopt_list_add(words, entry->extension->name);
}

struct clopt_list clopt_key_words(const struct clopt_key *key,
                                  const struct clopt_registry *registry)
{
    struct clopt_list words = {0};
    CLOPT_OWNED(clopt_list) legal = {0};
    const char *list = clopt_parameter_legal(&key->is);
    if (list && !clopt_type_is_number(key->is.type))
        clopt_list_parse(list, CLOPT_TEXT, CLOPT_MOST_VALUES, &legal, NULL);
    for (size_t i = 0; i < legal.count; i++)
        if (*legal.items[i] == '<')
            add_names(registry, legal.items[i], &words);
        else
            clopt_list_add(&words, legal.items[i]);
    return words;
}

const char *clopt_key_value(const struct clopt_key *keys, const struct clopt_ini_section *section,
                            const char *name)
{
    const struct clopt_ini_setting *setting = clopt_ini_setting(section, name);
    return setting ? setting->value : clopt_key_find(keys, name)->is.initial;
}

enum clopt_status clopt_key_check(const struct clopt_key *keys, const char *name,
                                  const struct clopt_study_reading *reading,
                                  const struct clopt_ini_section *section)
{
    const char *value = clopt_key_value(keys, section, name);
    CLOPT_OWNED(clopt_list) words = clopt_key_words(clopt_key_find(keys, name), reading->registry);
    for (size_t i = 0; i < words.count; i++)
        if (strcmp(words.items[i], value) == 0)
            return CLOPT_OK;
    CLOPT_OWNED(clopt_text) advice =
        clopt_suggest_or_list(value, (const char *const *)words.items, words.count, "there are");
    return clopt_fail(reading->error, CLOPT_INVALID, "%s: [%s] %s = %s: unknown; %s",
                      clopt_ini_setting(section, name)->origin, section->name, name, value,
                      clopt_text_string(&advice));
}

/* ---- lists ---- */

void clopt_study_list_initial(const struct clopt_value *value, struct clopt_list *list)
{
    list->items = clopt_calloc(1, sizeof *list->items);
    list->count = 1;
    if (value->text)
        list->items[0] = clopt_strdup(value->text);
}

enum clopt_status clopt_study_list_setting(const struct clopt_ini_section *section,
                                           const struct clopt_ini_setting *setting,
                                           enum clopt_type type, struct clopt_list *list,
                                           struct clopt_error *error)
{
    return clopt_list_parse(setting->value, type, CLOPT_MOST_VALUES, list, error)
               ? clopt_fail_within(error, "%s: [%s] %s", setting->origin, section->name,
                                   setting->key)
               : CLOPT_OK;
}

const struct clopt_plugin_entry *clopt_study_app(const struct clopt_study *study, const char *name)
{
    for (size_t i = 0; i < study->app_count; i++)
        if (strcmp(study->apps[i].entry->extension->name, name) == 0)
            return study->apps[i].entry;
    return NULL;
}

/* Checks that one of the apps has a kernel. */
static enum clopt_status check_kernel(const struct clopt_study_reading *reading,
                                      const struct clopt_ini_section *section,
                                      const struct clopt_list *apps, const char *name)
{
    const struct clopt_study *study = reading->study;
    const char *names[CLOPT_MOST_NAMES];
    size_t count = 0;
    for (size_t i = 0; i < study->app_count; i++) {
        const struct clopt_plugin_entry *entry = study->apps[i].entry;
        const struct clopt_kernel *kernel = entry->extension->app->kernels;
        for (; clopt_study_names(apps, entry->extension->name) && kernel->name; kernel++) {
            if (strcmp(kernel->name, name) == 0)
                return CLOPT_OK;
            if (count < CLOPT_MOST_NAMES)
                names[count++] = kernel->name;
        }
    }
    CLOPT_OWNED(clopt_text) advice = clopt_suggest_or_list(name, names, count, "there are");
    return clopt_fail(reading->error, CLOPT_INVALID, "%s: [%s] kernels = %s: no such kernel; %s",
                      clopt_ini_setting(section, "kernels")->origin, section->name, name,
                      clopt_text_string(&advice));
}

enum clopt_status clopt_study_check_targets(const struct clopt_study_reading *reading,
                                            const struct clopt_ini_section *section,
                                            const struct clopt_list *apps,
                                            const struct clopt_list *kernels)
{
    for (size_t i = 0; i < apps->count; i++)
        if (!clopt_study_app(reading->study, apps->items[i]))
            return clopt_fail(reading->error, CLOPT_INVALID,
                              "%s: [%s] apps = %s: this study has no [app %s]",
                              clopt_ini_setting(section, "apps")->origin, section->name,
                              apps->items[i], apps->items[i]);
    for (size_t i = 0; i < kernels->count; i++)
        CLOPT_TRY(check_kernel(reading, section, apps, kernels->items[i]));
    return CLOPT_OK;
}

/* ---- what is effective ---- */

/* Returns where a line ends that begins at `text`: at its end, or at a blank where the rest can
 * stand in a line of its own. */
static const char *find_break(const char *text, size_t room)
{
    const char *end = NULL;
    for (const char *blank = strchr(text, ' '); blank; blank = strchr(blank + 1, ' ')) {
        if (end && (size_t)(blank - text) > room)
            break;
        if (blank > text && blank[-1] != ' ' && blank[1] != ' ' &&
            clopt_ini_may_continue(blank + 1))
            end = blank;
    }
    bool fits = strlen(text) <= room;
    return end && !fits ? end : text + strlen(text);
}

/* Writes "key = value ; origin", in several lines where that is long. */
static void print_value(struct clopt_text *text, const char *key, const char *value,
                        const char *origin)
{
    if (strlen(key) + strlen(value) + 3 <= LONGEST_LINE) {
        clopt_text_printf(text, "%s = %s ; %s\n", key, value, origin);
        return;
    }
    clopt_text_printf(text, "; %s\n%s =", origin, key);
    size_t room = LONGEST_LINE - 4;
    size_t first = strlen(key) + 3 < room ? room - strlen(key) - 3 : 0;
    for (const char *end; *value; value = end + (*end == ' ')) {
        end = find_break(value, first);
        clopt_text_printf(text, "%s%.*s\n", first == room ? "    " : " ", (int)(end - value),
                          value);
        first = room;
    }
}

/* Writes a section: what the study sets, and the defaults of the rest. */
static void print_keys(struct clopt_text *text, const struct clopt_study_section *kind,
                       const struct clopt_ini_section *section,
                       const struct clopt_parameter *parameters)
{
    for (size_t i = 0; section && i < section->count; i++)
        print_value(text, section->settings[i].key, section->settings[i].value,
                    section->settings[i].origin);
    for (const struct clopt_key *key = kind->keys; key && key->is.name; key++)
        if (key->is.initial && !clopt_ini_setting(section, key->is.name))
            print_value(text, key->is.name, key->is.initial, "default");
    for (; parameters && parameters->name; parameters++)
        if (parameters->initial && !parameters->knob &&
            !clopt_ini_setting(section, parameters->name))
            print_value(text, parameters->name, parameters->initial, "default");
}

/* Writes the sections of a kind that has labels. */
static void print_labelled(struct clopt_text *text, const struct clopt_study_section *kind,
                           const struct clopt_study_reading *reading)
{
    const struct clopt_study *study = reading->study;
    size_t number = 0;
    for (size_t i = 0; i < reading->ini->count; i++) {
        const struct clopt_ini_section *section = &reading->ini->sections[i];
        const struct clopt_parameter *parameters = NULL;
        if (!clopt_section_is(kind, section, NULL))
            continue;
        if (kind->parameters)
            parameters = kind->parameters(reading->registry, section);
        if (kind == &clopt_section_optimization)
            parameters = study->optimizations[number].entry->extension->optimization->parameters;
        if (kind == &clopt_section_app && !study->apps[number].entry->description)
            parameters = study->apps[number].entry->extension->app->inputs;
        clopt_text_printf(text, "\n[%s] ; %s\n", section->name, section->origin);
        print_keys(text, kind, section, parameters);
        number++;
    }
}

/* Writes the sections that describe apps. */
static void print_descriptions(struct clopt_text *text, const struct clopt_study_reading *reading)
{
    static const struct clopt_study_section any = {0};
    const struct clopt_ini *ini = reading->ini;
    for (size_t i = 0; i < ini->count; i++)
        if (!clopt_section_of(reading->registry, &ini->sections[i])) {
            clopt_text_printf(text, "\n[%s] ; %s\n", ini->sections[i].name,
                              ini->sections[i].origin);
            print_keys(text, &any, &ini->sections[i], NULL);
        }
}

char *clopt_study_print(const struct clopt_study_reading *reading)
{
    struct clopt_text text = {0};
    const struct clopt_study_section *kind;
    for (size_t i = 0; (kind = clopt_study_section(reading->registry, i)); i++) {
        const struct clopt_ini_section *section = clopt_ini_section(reading->ini, kind->kind);
        if (kind->label)
            print_labelled(&text, kind, reading);
        else if (section || !kind->is_optional) {
            clopt_text_printf(&text, "%s[%s]\n", i ? "\n" : "", kind->kind);
            print_keys(&text, kind, section, NULL);
        }
    }
    print_descriptions(&text, reading);
    return clopt_text_take(&text);
}
