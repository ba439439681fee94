/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands that callers may run: described by the schemas of their options, and called by words
 * of a command line, of which each has been checked. */
#include "commands/serve/serve.h"

#include "file/file.h"
#include "main/command.h"
#include "text/build_options.h"

/* A command that callers may run, and a hint for them, besides what the command says of itself. */
static const struct {
    const char *name, *hint;
} tools[] = {
    {"init", "Begins: the others want a study, or a kernel's file."},
    {"judge", "files: the initial code or a study, and then the kernels to try in its place. Takes "
              "a minute or more."},
    {"tune", "Searches for as long as `time` says, 10min by default: say what you can wait for."},
    {"advise", ""},
    {"transform", ""},
    {"check", ""},
    {"report", ""},
};
#define TOOLS (sizeof tools / sizeof *tools)

/* Options that are not for callers: what is printed, and what reaches elsewhere. */
static const char hidden[] =
    "all brief format csv figures html json latex markdown help quiet live "
    "hosts export t4 kernel-tuner space sarif print-config validate";

const struct clopt_command *serve_find_tool(const struct clopt_global_options *global,
                                            const char *name)
{
    const struct clopt_plugin_entry *entry = NULL;
    for (size_t i = 0; i < TOOLS; i++)
        if (strcmp(tools[i].name, name) == 0 &&
            !clopt_registry_find(global->registry, CLOPT_KIND_COMMAND, name, &entry, NULL))
            return entry->extension->operations;
    return NULL; /* another folder of plugins may lack it, too */
}

/* What callers call an option: -D and -I have no other name. */
static void name_option(const struct clopt_key *option, char name[64])
{
    snprintf(name, 64, "%s%.1s", option->is.name ? option->is.name : "",
             option->is.name ? "" : &option->letter);
}

static bool is_hidden(const struct clopt_key *option)
{
    return option->is.name && clopt_text_has_word(hidden, option->is.name);
}

/* Finds an option by the name that callers know. */
static const struct clopt_key *find_option(const struct clopt_global_options *global,
                                           const struct clopt_command *command, const char *name)
{
    const struct clopt_key *option;
    char own[64];
    for (size_t i = 0; (option = clopt_command_option(global, command, i, NULL)); i++) {
        name_option(option, own);
        if (strcmp(own, name) == 0)
            return option;
    }
    return NULL;
}

/* ---- schemas ---- */

static json_t *describe_texts(const char *type, const char *help)
{
    return json_pack("{s:s, s:{s:s}, s:s}", "type", type, "items", "type", "string", "description",
                     help);
}

static json_t *describe_option(const struct clopt_key *option)
{
    const char *help = option->is.help;
    if (option->is.type == CLOPT_BOOLEAN)
        return json_pack("{s:s, s:s}", "type", "boolean", "description", help);
    if (option->value && option->value[0] == '[')
        return json_pack("{s:[s, s], s:s}", "type", "boolean", "string", "description", help);
    if (option->take || option->kept == CLOPT_KEPT_EACH)
        return describe_texts("array", help);
    return json_pack("{s:s, s:s}", "type", option->is.type == CLOPT_INTEGER ? "integer" : "string",
                     "description", help);
}

static json_t *describe_arguments(const struct clopt_global_options *global,
                                  const struct clopt_command *command)
{
    json_t *properties = json_object();
    const struct clopt_key *option;
    char name[64];
    CLOPT_FREED char *order =
        clopt_text_format("paths below the folder of this server, in this order: %.*s",
                          (int)strcspn(command->usage, "\n"), command->usage);
    json_object_set_new(properties, "files", describe_texts("array", order));
    json_object_set_new(
        properties, "sources",
        json_pack("{s:s, s:{s:s}, s:s}", "type", "object", "additionalProperties", "type", "string",
                  "description",
                  "texts of files (.cl, .h, .ini) by their names: written before, where there is "
                  "no such file; name them in `files`, too"));
    for (size_t i = 0; (option = clopt_command_option(global, command, i, NULL)); i++) {
        name_option(option, name);
        if (!is_hidden(option) && !json_object_get(properties, name))
            json_object_set_new(properties, name, describe_option(option));
    }
    return json_pack("{s:s, s:o, s:[s], s:b}", "type", "object", "properties", properties,
                     "required", "files", "additionalProperties", 0);
}

json_t *serve_list_tools(const struct clopt_global_options *global)
{
    json_t *list = json_array();
    for (size_t i = 0; i < TOOLS; i++) {
        const struct clopt_command *command = serve_find_tool(global, tools[i].name);
        CLOPT_FREED char *about =
            command ? clopt_text_format("%s%s", command->about, tools[i].hint) : NULL;
        if (command)
            json_array_append_new(list, json_pack("{s:s, s:s, s:o}", "name", tools[i].name,
                                                  "description", about, "inputSchema",
                                                  describe_arguments(global, command)));
    }
    return list;
}

/* ---- words of a command line ---- */

struct making {
    const struct clopt_global_options *global;
    const struct clopt_command *command;
    struct clopt_list *words;
    struct clopt_error *error;
};

/* Refuses options of the compiler that name a file. */
static enum clopt_status check_build_options(const char *text, struct clopt_error *error)
{
    struct clopt_build_options options = {0};
    enum clopt_status status = CLOPT_OK;
    clopt_build_options_split(text, &options);
    for (size_t i = 0; i < options.count && !status; i++) {
        const char *word = options.words[i];
        const char *folder = clopt_option_value(word, "-I");
        if (folder)
            status = serve_check_path(folder, error);
        else if (strchr(word, '/') && !clopt_option_value(word, "-D"))
            status = clopt_fail(error, CLOPT_INVALID, "%.200s: no option that names a file", word);
    }
    clopt_build_options_fini(&options);
    return status;
}

/* Refuses a value that reaches elsewhere. */
static enum clopt_status check_value(const struct clopt_key *option, const char *value,
                                     struct clopt_error *error)
{
    const char *name = option->is.name ? option->is.name : "";
    const char *section = value + strspn(value, " \t");
    if (option->value && clopt_text_has_word("FILE FOLDER PATH [FOLDER]", option->value))
        return serve_check_path(value, error);
    if (strcmp(name, "build-options") == 0)
        return check_build_options(value, error);
    if (strcmp(name, "set") == 0 &&
        (strncmp(section, "host", 4) == 0 || strncmp(section, "rival", 5) == 0))
        return clopt_fail(error, CLOPT_INVALID,
                          "set: %.200s: this server starts no programs that a study names", value);
    return CLOPT_OK;
}

/* Adds an option with one value. */
static enum clopt_status add_option(struct making *making, const struct clopt_key *option,
                                    const json_t *value)
{
    char name[64];
    CLOPT_FREED char *number = json_is_integer(value) ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    const char *text = number ? number : json_string_value(value);
    bool alone = json_is_boolean(value) && (!option->value || option->value[0] == '[');
    name_option(option, name);
    if (json_is_false(value) && alone)
        return CLOPT_OK;
    if (!alone && (!option->value || !text))
        return clopt_fail(making->error, CLOPT_INVALID, "%s: not %s", name,
                          option->value ? "a text or an integer" : "true or false");
    if (!alone)
        CLOPT_TRY(check_value(option, text, making->error));
    CLOPT_FREED char *word =
        clopt_text_format("-%s%s%s%s", option->is.name ? "-" : "", name,
                          alone || !option->is.name ? "" : "=", alone ? "" : text);
    clopt_list_add(making->words, word);
    return CLOPT_OK;
}

/* Adds what an argument of the call means. */
static enum clopt_status add_argument(struct making *making, const char *name, const json_t *value)
{
    const struct clopt_key *option = find_option(making->global, making->command, name);
    if (!option || is_hidden(option)) {
        const char *meant = clopt_command_suggest(making->global, making->command, name);
        return clopt_fail(
            making->error, CLOPT_INVALID, "%.100s: %s has no such argument%s%s; tools/list has all",
            name, making->command->name, meant ? "; did you mean " : "", meant ? meant : "");
    }
    if (!json_is_array(value))
        return add_option(making, option, value);
    size_t i;
    const json_t *item;
    json_array_foreach(value, i, item)
    {
        CLOPT_TRY(add_option(making, option, item));
    }
    return CLOPT_OK;
}

/* Adds a file, and refuses what it may lead to: of a kernel, `clopt tune` reads the study beside
 * it. An input of an app is "name=value". */
static enum clopt_status add_file(struct making *making, const json_t *value)
{
    const char *text = json_string_value(value);
    if (!text)
        return clopt_fail(making->error, CLOPT_INVALID, "files: not a list of texts");
    const char *path = strchr(text, '=') ? strchr(text, '=') + 1 : text;
    CLOPT_TRY(serve_check_path(path, making->error));
    CLOPT_FREED char *beside = clopt_text_ends(path, ".cl")
                                   ? clopt_text_format("%.*s.ini", (int)strlen(path) - 3, path)
                                   : clopt_strdup(path);
    CLOPT_TRY(serve_check_study(beside, making->global->registry, making->error));
    clopt_list_add(making->words, text);
    return CLOPT_OK;
}

/* Writes a file of the caller's, unless it is there as it is. */
static enum clopt_status put_source(const char *name, const json_t *value,
                                    struct clopt_error *error)
{
    const char *text = json_string_value(value);
    CLOPT_FREED char *old = NULL;
    struct clopt_error none = {0};
    bool named = clopt_text_ends(name, ".cl") || clopt_text_ends(name, ".h") ||
                 clopt_text_ends(name, ".ini");
    if (!text || !named || *name == '.')
        return clopt_fail(error, CLOPT_INVALID,
                          "sources: %.100s: not the text of a file NAME.cl, NAME.h or NAME.ini",
                          name);
    CLOPT_TRY(serve_check_path(name, error));
    if (!clopt_text_read(name, &old, &none) && strcmp(old, text) == 0)
        return CLOPT_OK;
    return old && *old
               ? clopt_fail(error, CLOPT_INVALID,
                            "sources: %.100s: is there, and differs: choose another name", name)
               : clopt_file_write(name, NULL, text, strlen(text), error);
}

enum clopt_status serve_make_words(const struct clopt_global_options *global,
                                   const struct clopt_command *command, const json_t *arguments,
                                   struct clopt_list *words, struct clopt_error *error)
{
    struct making making = {global, command, words, error};
    const json_t *files = json_object_get(arguments, "files");
    const char *name;
    json_t *value;
    size_t i;
    if (json_array_size(files) == 0)
        return clopt_fail(error, CLOPT_INVALID, "files: a list of paths is needed");
    json_object_foreach(json_object_get(arguments, "sources"), name, value)
    {
        CLOPT_TRY(put_source(name, value, error));
    }
    clopt_list_add(words, command->name);
    if (find_option(global, command, "json"))
        clopt_list_add(words, "--json");
    json_object_foreach((json_t *)arguments, name, value)
    {
        if (strcmp(name, "files") != 0 && strcmp(name, "sources") != 0)
            CLOPT_TRY(add_argument(&making, name, value));
    }
    clopt_list_add(words, "--");
    json_array_foreach(files, i, value)
    {
        CLOPT_TRY(add_file(&making, value));
    }
    return CLOPT_OK;
}

/* ---- what follows ---- */

const char *serve_next_step(const char *tool, int code)
{
    static const struct {
        const char *tool;
        int code; /* -1: any other */
        const char *next;
    } steps[] = {
        {"init", 0, "call judge with the study and a kernel of yours, or tune with the study"},
        {"init", -1, "mend what the message names; macros and folders of headers are D and I"},
        {"judge", 0, "keep the kernel, or call tune with it to go on from there"},
        {"judge", 4, "mend what the reason names, call check with that kernel, and judge it again"},
        {"judge", 5, "call advise with the kernel for variants that are worth a trial, or tune"},
        {"tune", 0, "call report with the store, or judge the best variant as it was exported"},
        {"tune", -1, "call tune once more: it goes on where it was ended; less `time` ends sooner"},
        {"advise", 0, "call transform with a variant that is named, and judge what it prints"},
        {"transform", 0, "write what was printed to a file, and judge it beside the initial code"},
        {"transform", -1, "call advise, which names variants that are feasible"},
        {"check", 0, "nothing was found: call judge or tune"},
        {"check", 4, "mend the line that is named, and call check again"},
        {"report", 0, "call judge with a kernel of yours, or tune to search on"},
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (strcmp(steps[i].tool, tool) == 0 &&
            (steps[i].code == code || (steps[i].code == -1 && code != CLOPT_EXIT_USAGE)))
            return steps[i].next;
    return "mend what the message names, and call it again; tools/list describes the arguments";
}
