/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt plugins`: lists apps, optimizations, other extensions, and what was refused. */
#include "commands/plugins/plugins.h"
#include "commands/shared/commands.h"

#include <ctype.h>

#include "plugin/descriptor.h"
#include "text/suggest.h"
#include "text/table.h"

/* Prints a heading, "Strategies", and the names and summaries of one kind. */
static enum clopt_status print_kind(const struct clopt_registry *registry, enum clopt_kind kind,
                                    struct clopt_error *error)
{
    const char *heading = clopt_kind_folder(kind);
    size_t printed = 0;
    bool is_app = kind == CLOPT_KIND_APP;
    CLOPT_HELD(clopt_table) table = clopt_table_create("lll");
    clopt_text_print(stdout, "%c%s\n", toupper((unsigned char)heading[0]), heading + 1);
    clopt_table_wrap(table);
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; (entry = clopt_registry_entry(registry, kind, i)); i++) {
        const struct clopt_extension *extension = entry->extension;
        if (extension->kind != (uint32_t)kind)
            continue;
        clopt_table_row(table, "%s%s%s\t%s", extension->name, is_app ? "\t" : "",
                        is_app ? extension->app->dwarf : "", extension->summary);
        printed++;
    }
    if (!printed)
        clopt_table_row(table, "none");
    return clopt_table_print(table, stdout, 2, error);
}

/* Prints how many extensions there are of the kinds that are not listed: "5 strategies". */
static void print_counts(const struct clopt_registry *registry)
{
    CLOPT_OWNED(clopt_text) text = {0};
    for (int kind = CLOPT_KIND_OPTIMIZATION + 1; kind < CLOPT_KINDS; kind++) {
        size_t count = 0;
        while (clopt_registry_entry(registry, kind, count))
            count++;
        if (count)
            clopt_text_printf(&text, "%s%zu %s",
                              text.length ? ", " : "\nAlso (--kind=KIND lists them): ", count,
                              count == 1 ? clopt_kind_text(kind) : clopt_kind_folder(kind));
    }
    if (text.length)
        clopt_wrap_print(stdout, 0, 2, clopt_text_string(&text));
}

static enum clopt_status print_all(const struct clopt_registry *registry, enum clopt_kind kind,
                                   struct clopt_error *error)
{
    if (kind != CLOPT_KIND_ANY)
        return print_kind(registry, kind, error);
    CLOPT_TRY(print_kind(registry, CLOPT_KIND_APP, error));
    putchar('\n');
    CLOPT_TRY(print_kind(registry, CLOPT_KIND_OPTIMIZATION, error));
    const struct clopt_plugin_refusal *refusal;
    for (size_t i = 0; (refusal = clopt_registry_refusal(registry, i)); i++)
        clopt_text_print(stdout, "%s  %s: %s\n", i ? "" : "\nRefused\n", refusal->path,
                         refusal->reason);
    print_counts(registry);
    clopt_text_print(stdout, "\n`clopt plugins NAME` shows one in detail.\n");
    return CLOPT_OK;
}

static enum clopt_status print_kernels(const struct clopt_app *app, struct clopt_error *error)
{
    CLOPT_HELD(clopt_table) table = clopt_table_create("lll");
    for (const struct clopt_kernel *kernel = app->kernels; kernel->name; kernel++)
        clopt_table_row(table, "%s\t%u-dimensional\t%s", kernel->name, kernel->dimensions,
                        !kernel->any_local_size ? ""
                        : kernel->whole_groups  ? "any local size that divides the global size"
                                                : "any local size");
    clopt_text_print(stdout, "\nKernels (%s)\n", app->source);
    return clopt_table_print(table, stdout, 2, error);
}

/* Prints the sections of a study by which an app is described. */
static enum clopt_status print_sections(const struct clopt_define *define,
                                        struct clopt_error *error)
{
    CLOPT_HELD(clopt_table) table = clopt_table_create("ll");
    clopt_table_wrap(table);
    for (const struct clopt_section_help *section = define->sections; section->name; section++)
        clopt_table_row(table, "[%s]\t%s", section->name, section->help);
    clopt_text_print(stdout, "\nThe study describes it, by the sections\n");
    return clopt_table_print(table, stdout, 2, error);
}

static struct clopt_table *create_parameter_table(bool initial)
{
    struct clopt_table *table = clopt_table_create("lllll");
    clopt_table_wrap(table);
    clopt_table_row(table, "name\ttype\tlegal values\t%s\tmeaning",
                    initial ? "initial" : "default");
    clopt_table_rule(table);
    return table;
}

/* Appends "; with unroll or pragma". */
static void append_names(struct clopt_text *text, const char *preposition, const char *names)
{
    if (!names)
        return;
    clopt_text_printf(text, "; %s ", preposition);
    for (size_t length; *names; names += length + strspn(names + length, " ")) {
        length = strcspn(names, " ");
        clopt_text_printf(text, "%.*s%s", (int)length, names, names[length] ? " or " : "");
    }
}

/* Puts a parameter, what it means, and beside which others alone. */
static void put_parameter(struct clopt_table *table, const struct clopt_parameter *parameter)
{
    const char *legal = clopt_parameter_legal(parameter);
    CLOPT_OWNED(clopt_text) meaning = {0};
    clopt_text_printf(&meaning, "%s%s", parameter->help,
                      parameter->knob ? " (a knob of the app)" : "");
    append_names(&meaning, "only with", parameter->with);
    append_names(&meaning, "not with", parameter->without);
    clopt_table_row(table, "%s\t%s\t%s\t%s\t%s", parameter->name, clopt_type_text(parameter->type),
                    legal             ? legal
                    : parameter->knob ? "the app's"
                                      : "any",
                    parameter->initial ? parameter->initial : "-", clopt_text_string(&meaning));
}

/* Prints a table of parameters, if there are any. */
static enum clopt_status print_parameters(const char *heading,
                                          const struct clopt_parameter *parameters, bool initial,
                                          struct clopt_error *error)
{
    if (!parameters || !parameters[0].name)
        return CLOPT_OK;
    CLOPT_HELD(clopt_table) table = create_parameter_table(initial);
    for (; parameters->name; parameters++)
        put_parameter(table, parameters);
    clopt_text_print(stdout, "\n%s\n", heading);
    return clopt_table_print(table, stdout, 2, error);
}

static enum clopt_status print_knobs(const struct clopt_knob *knobs, struct clopt_error *error)
{
    if (!knobs || !knobs[0].parameter)
        return CLOPT_OK;
    CLOPT_HELD(clopt_table) table = create_parameter_table(true);
    for (const struct clopt_knob *knob = knobs; knob->parameter; knob++)
        clopt_table_row(table, "%s.%s\tinteger\t%s\t%s\t%s (macro %s; %s)", knob->optimization,
                        knob->parameter, knob->legal, knob->initial, knob->help, knob->macro,
                        knob->kernels ? knob->kernels : "all kernels");
    clopt_text_print(stdout, "\nKnobs\n");
    return clopt_table_print(table, stdout, 2, error);
}

static enum clopt_status print_one(const struct clopt_plugin_entry *entry,
                                   struct clopt_error *error)
{
    const struct clopt_extension *extension = entry->extension;
    clopt_text_print(stdout, "%s: %s\n  %s", extension->name, extension->summary,
                     clopt_kind_text(extension->kind));
    if (extension->kind != CLOPT_KIND_APP)
        clopt_text_print(stdout, ", %s\n", entry->path);
    if (extension->kind == CLOPT_KIND_OPTIMIZATION)
        return print_parameters("Parameters", extension->optimization->parameters, true, error);
    if (extension->kind != CLOPT_KIND_APP)
        return CLOPT_OK;
    const struct clopt_app *app = entry->extension->app;
    clopt_text_print(stdout, " (%s), %s\n", app->dwarf, entry->path);
    CLOPT_TRY(app->define ? print_sections(app->define, error) : print_kernels(app, error));
    CLOPT_TRY(
        print_parameters(app->define ? "Keys of [app]" : "Inputs", app->inputs, false, error));
    CLOPT_TRY(print_knobs(app->knobs, error));
    if (app->results)
        clopt_text_print(stdout, "\nResult\n  %s: %s\n", app->results[0].name,
                         app->results[0].help);
    return CLOPT_OK;
}

/* What the command line asks for. */
struct request {
    bool json;
    int64_t kind;
};

/* Finds the kind of a name, in either number: "format" or "formats". */
static enum clopt_status take_kind(void *read, const struct clopt_key *option, const char *value,
                                   struct clopt_error *error)
{
    struct request *request = read;
    const char *names[CLOPT_KINDS];
    for (int kind = CLOPT_KIND_APP; kind < CLOPT_KINDS; kind++) {
        names[kind - CLOPT_KIND_APP] = clopt_kind_text(kind);
        if (strcmp(clopt_kind_text(kind), value) == 0 ||
            strcmp(clopt_kind_folder(kind), value) == 0)
            request->kind = kind;
    }
    if (request->kind)
        return CLOPT_OK;
    CLOPT_OWNED(clopt_text) advice =
        clopt_suggest_or_list(value, names, CLOPT_KINDS - CLOPT_KIND_APP, "there are");
    return clopt_fail(error, CLOPT_INVALID, "--%s=%s: unknown kind; %s", option->is.name, value,
                      clopt_text_string(&advice));
}

static enum clopt_status show(const struct clopt_registry *registry, const char *name,
                              const struct request *request, struct clopt_error *error)
{
    if (!name)
        clopt_registry_load(registry);
    if (!name)
        return request->json ? clopt_json_print(clopt_plugins_to_json(registry), stdout,
                                                "the list of plugins", error)
                             : print_all(registry, (enum clopt_kind)request->kind, error);
    const struct clopt_plugin_entry *entry = NULL;
    CLOPT_TRY(clopt_registry_find(registry, (enum clopt_kind)request->kind, name, &entry, error));
    return request->json ? clopt_json_print(clopt_plugin_to_json(entry), stdout,
                                            "what is known of the plugin", error)
                         : print_one(entry, error);
}

static const struct clopt_key options[] = {
    CLOPT_TAKEN('k', "kind", "KIND", take_kind,
                "only extensions of this kind: app, optimization, strategy, analysis, format, "
                "command, observer, counter, launcher, reader, rival or section"),
    CLOPT_FLAG(0, "json", struct request, json, "print all that is known as a JSON object"),
    {0},
};

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {0};
    struct clopt_error error = {0};
    int code;
    if (!clopt_command_read(global, &clopt_plugins_command, &request, argc, argv, &code))
        return code;
    if (optind + 1 < argc)
        return clopt_usage_error("plugins", "%s: one name at a time", argv[optind + 1]);
    return show(global->registry, argv[optind], &request, &error) ? clopt_report_error(&error)
                                                                  : CLOPT_EXIT_DONE;
}

const struct clopt_command clopt_plugins_command = {
    .name = "plugins",
    .usage = "plugins [--json] [NAME]\n",
    .about = "Example: clopt plugins geometry\n\n"
             "Lists the apps and optimizations that studies can name, and the plugins that\n"
             "were refused, with the reason. With NAME, shows one plugin in detail.\n"
             "\n",
    .arguments = "NAME",
    .lists = {{options, 0}},
    .run = run_command,
};
