/* SPDX-License-Identifier: BSD-3-Clause */
/* Offers values of options and arguments. */
#include "commands/complete/completion.h"

#include "file/file.h"
#include "store/store.h"
#include "study/schema.h"

void clopt_offer(const struct clopt_completion *completion, size_t stem, const char *description,
                 const char *format, ...)
{
    CLOPT_OWNED(clopt_text) candidate = {0};
    CLOPT_OWNED(clopt_text) shown = {0};
    va_list arguments;
    va_start(arguments, format);
    clopt_text_append_bytes(&candidate, completion->word, stem);
    clopt_text_vprintf(&candidate, format, arguments);
    va_end(arguments);
    const char *text = clopt_text_string(&candidate);
    clopt_text_append_printable(&shown, text);
    if (strcmp(text, clopt_text_string(&shown)) == 0 &&
        strncmp(text, completion->word, strlen(completion->word)) == 0) {
        clopt_text_clear(&shown);
        clopt_text_append_printable(&shown, description ? description : "");
        printf("%s%s\t%s\n", completion->prefix, text, clopt_text_string(&shown));
    }
}

void clopt_offer_files(const struct clopt_completion *completion, size_t stem, const char *ending)
{
    printf("%s%.*s\t\t%s\n", completion->prefix, (int)stem, completion->word, ending);
}

static void offer_files(struct clopt_completion *completion, const char *ending)
{
    clopt_offer_files(completion, 0, ending);
}

/* Folders, with colons between them. */
static void offer_path(struct clopt_completion *completion, const char *ending)
{
    const char *colon = strrchr(completion->word, ':');
    clopt_offer_files(completion, colon ? (size_t)(colon - completion->word) + 1 : 0, ending);
}

/* Words of a list, with blanks between them. */
static void offer_words(struct clopt_completion *completion, const char *words)
{
    for (size_t length; *words; words += length + (words[length] == ' ')) {
        length = strcspn(words, " ");
        clopt_offer(completion, 0, NULL, "%.*s", (int)length, words);
    }
}

/* Outcomes, with commas between them. */
static void offer_outcomes(struct clopt_completion *completion, const char *all)
{
    const char *comma = strrchr(completion->word, ',');
    size_t stem = comma ? (size_t)(comma - completion->word) + 1 : 0;
    clopt_offer(completion, stem, "all but ok", "%s", all);
    for (int i = CLOPT_OUTCOME_OK; i <= CLOPT_OUTCOME_DEVICE_LOST; i++)
        clopt_offer(completion, stem, NULL, "%s", clopt_outcome_name((enum clopt_outcome)i));
}

/* Strategies, with commas between them. */
static void offer_strategies(struct clopt_completion *completion, const char *text)
{
    const char *comma = strrchr(completion->word, ',');
    size_t stem = comma ? (size_t)(comma - completion->word) + 1 : 0;
    (void)text;
    clopt_offer_extensions(completion, CLOPT_KIND_STRATEGY, stem);
}

/* ---- studies ---- */

/* Whether "lud" may be written for "app lud". */
static bool is_short(const struct clopt_ini *ini, const char *bare)
{
    size_t count = 0;
    for (size_t i = 0; i < ini->count; i++) {
        const char *blank = strchr(ini->sections[i].name, ' ');
        count += blank && strcmp(blank + 1, bare) == 0;
    }
    return count == 1;
}

/* Offers "section.key=", or what is in force and the words where the word has come so far. `key` is
 * NULL where the schema has no row for it, `value` where the study says nothing of it. */
static void offer_setting(const struct clopt_completion *completion, const char *section,
                          const char *name, const struct clopt_key *key, const char *value)
{
    size_t length = strcspn(completion->word, "=");
    if (!completion->word[length]) {
        clopt_offer(completion, 0, key ? key->is.help : value, "%s.%s=", section, name);
        return;
    }
    const char *force = value ? value : key ? key->is.initial : NULL;
    if (force)
        clopt_offer(completion, 0, value ? "as it is" : "the default", "%s.%s=%s", section, name,
                    force);
    bool is_asked = strlen(section) + 1 + strlen(name) == length &&
                    strncmp(completion->word + length - strlen(name), name, strlen(name)) == 0;
    if (!key || !is_asked)
        return;
    CLOPT_OWNED(clopt_list) words = clopt_key_words(key, completion->registry);
    for (size_t i = 0; i < words.count; i++)
        if (!force || strcmp(words.items[i], force) != 0)
            clopt_offer(completion, 0, NULL, "%s.%s=%s", section, name, words.items[i]);
}

/* Offers the keys of a section: what it sets, and what else it may. */
static void offer_keys(const struct clopt_completion *completion, const char *called,
                       const struct clopt_ini_section *section,
                       const struct clopt_study_section *kind)
{
    for (size_t i = 0; section && i < section->count; i++) {
        const struct clopt_ini_setting *setting = &section->settings[i];
        offer_setting(completion, called, setting->key,
                      clopt_key_find(kind ? kind->keys : NULL, setting->key), setting->value);
    }
    for (const struct clopt_key *key = kind ? kind->keys : NULL; key && key->is.name; key++)
        if (key->kept != CLOPT_KEPT_INCLUDE && !clopt_ini_setting(section, key->is.name))
            offer_setting(completion, called, key->is.name, key, NULL);
}

/* Offers the parameters that are keys of a section, too. */
static void offer_own(const struct clopt_completion *completion, const char *called,
                      const struct clopt_ini_section *section,
                      const struct clopt_study_section *kind)
{
    const struct clopt_parameter *own = kind->parameters(completion->registry, section);
    for (; own && own->name; own++)
        if (!clopt_ini_setting(section, own->name))
            offer_setting(completion, called, own->name, &(struct clopt_key){.is = *own}, NULL);
}

static void offer_settings(struct clopt_completion *completion, const char *what)
{
    CLOPT_OWNED(clopt_ini) ini = {0};
    struct clopt_error error;
    (void)what;
    if (completion->study_path && (completion->registry || clopt_completion_open(completion)))
        clopt_ini_read(completion->study_path, completion->registry, &ini, &error);
    for (size_t i = 0; i < ini.count; i++) {
        const struct clopt_ini_section *section = &ini.sections[i];
        const char *blank = strchr(section->name, ' ');
        bool is_bare = blank && is_short(&ini, blank + 1);
        const char *called = is_bare ? blank + 1 : section->name;
        const struct clopt_study_section *kind = clopt_section_of(completion->registry, section);
        offer_keys(completion, called, section, kind);
        if (kind == &clopt_section_app || kind == &clopt_section_optimization) {
            CLOPT_FREED char *plugin = clopt_strndup(blank + 1, strcspn(blank + 1, " "));
            clopt_offer_parameters(completion, called, plugin);
        }
        if (kind && kind->parameters)
            offer_own(completion, called, section, kind);
    }
    const struct clopt_study_section *kind;
    for (size_t i = 0; (kind = clopt_study_section(completion->registry, i)); i++) {
        if (!kind->label && !clopt_ini_section(&ini, kind->kind))
            offer_keys(completion, kind->kind, NULL, kind);
    }
}

/* ---- what is offered where ---- */

static const struct rule {
    const char *command; /* NULL: all of them */
    const char *what;    /* an option's name, or what help calls a value */
    void (*offer)(struct clopt_completion *completion, const char *text);
    const char *text;
} rules[] = {
    {NULL, "config", offer_files, ".ini"},
    {NULL, "plugin-path", offer_path, "/"},
    {NULL, "kernel-path", offer_path, "/"},
    {NULL, "set", offer_settings, NULL},
    {NULL, "retry", offer_outcomes, "all"},
    {NULL, "strategy", offer_strategies, NULL},
    {NULL, "RECORDING", offer_files, ""},
    {"", "output", offer_files, ".db"},
    {"merge", "output", offer_files, ".db"},
    {"init", "output", offer_files, ".ini"},
    {"init", "app", clopt_offer_plugins, "app"},
    {"run", "kernel", clopt_offer_kernels, NULL},
    {"new", "KIND", offer_words, "app optimization rewrite"},
    {"run", "device", offer_words, "cpu gpu accelerator"},
    {NULL, "variant", clopt_offer_variants, NULL},
    {NULL, "format", offer_words, "svg png pdf"},
    {NULL, "APP", clopt_offer_plugins, "app"},
    {NULL, "INPUT=VALUE", clopt_offer_inputs, NULL},
    {NULL, "STORE", offer_files, ".db"},
    {NULL, "FILE.cl", offer_files, ".cl"},
    {NULL, "FILE", offer_files, ""},
    {NULL, "FOLDER", offer_files, "/"},
    {NULL, "DIR", offer_files, "/"},
    {"plugins", "NAME", clopt_offer_plugins, ""},
};

bool clopt_offer_values(struct clopt_completion *completion, const char *what)
{
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        if (strcmp(rules[i].what, what) != 0 ||
            (rules[i].command && strcmp(rules[i].command, completion->command) != 0))
            continue;
        rules[i].offer(completion, rules[i].text);
        return true;
    }
    return false;
}
