/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the command, and says what there is. */
#include "main/command.h"

#include <errno.h>

#include <jansson.h>

#include <clopt/memory.h>

#include "plugin/options.h"
#include "text/suggest.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

static const struct clopt_extension own_command[] = {
    CLOPT_EXTENSION(COMMAND, "worker", "serve a supervisor", &clopt_worker_command),
    {0},
};

#define MOST_COMMANDS 100 /* among which a misspelled one is looked for */

/* Options in front of all commands, which choose() reads. */
static const struct clopt_key options[] = {
    CLOPT_TEXT(0, "plugin-path", "DIRS", struct clopt_global_options, plugin_path,
               "look for plugins in these folders first; between them, there are colons"),
    CLOPT_TEXT(0, "kernel-path", "DIRS", struct clopt_global_options, kernel_path,
               "look for kernel sources in these folders first"),
    {.letter = 'V', .is = {.name = "version", .help = "show the version"}},
    {0},
};

const struct clopt_command clopt_program = {.name = "", .lists = {{options, 0}}};

/* Returns command number `index`; NULL after the last. */
static const struct clopt_extension *next_command(const struct clopt_registry *registry,
                                                  size_t index)
{
    const struct clopt_plugin_entry *entry =
        clopt_registry_entry(registry, CLOPT_KIND_COMMAND, index);
    return entry ? entry->extension : NULL;
}

/* Prints what a newcomer needs, a line each, and the names of the rest. */
static void print_commands(const struct clopt_registry *registry, FILE *stream)
{
    CLOPT_OWNED(clopt_text) rest = {0};
    const struct clopt_extension *extension;
    for (size_t i = 0; (extension = next_command(registry, i)); i++) {
        const struct clopt_command *command = extension->operations;
        if (command->first)
            fprintf(stream, "  %-10s %s\n", extension->name, extension->summary);
        else if (!command->hidden)
            clopt_text_printf(&rest, "%s%s", rest.length ? ", " : "", extension->name);
    }
    clopt_text_append(&rest, "; `clopt plugins --kind=command` says what each does");
    fputs("\nMore: ", stream);
    clopt_wrap_print(stream, 6, 6, clopt_text_string(&rest));
}

static void print_help(const struct clopt_global_options *global, FILE *stream)
{
    fputs("Usage: clopt [OPTION ...] -c STUDY.ini [-o STORE.db] [-s SECTION.KEY=VALUE ...]\n"
          "       clopt [OPTION ...] COMMAND [ARGUMENT ...]\n"
          "\n"
          "Finds out which optimization pays, on which OpenCL kernel, on which device, by\n"
          "how much, and why.\n"
          "\n"
          "Commands to begin with:\n",
          stream);
    print_commands(global->registry, stream);
    putc('\n', stream);
    clopt_command_print_options(global, &clopt_program, stream);
    fputs("\n"
          "`clopt COMMAND --help` shows the options of a command, and\n"
          "`clopt -c STUDY.ini --help` those of studies.\n",
          stream);
    if (*CLOPT_BUG_ADDRESS)
        fprintf(stream, "Report bugs to: %s\n", CLOPT_BUG_ADDRESS);
    if (*CLOPT_HOME_PAGE)
        fprintf(stream, "Home page: %s\n", CLOPT_HOME_PAGE);
}

int clopt_report_error(const struct clopt_error *error)
{
    clopt_text_print(stderr, "clopt: %s\n", error->message);
    switch (error->status) {
    case CLOPT_OK:
        return CLOPT_EXIT_DONE;
    case CLOPT_INVALID:
        return CLOPT_EXIT_USAGE;
    case CLOPT_PLUGIN_UNUSABLE:
        return CLOPT_EXIT_PLUGIN;
    case CLOPT_WRONG_RESULT:
        return CLOPT_EXIT_VERIFICATION;
    default:
        return CLOPT_EXIT_FAILURE;
    }
}

/* Returns the value of option `name` in argv[*index], "--name=value" or "--name value"; NULL where
 * that is another option. */
static const char *option_value(char **argv, int argc, int *index, const char *name)
{
    const char *word = argv[*index];
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0)
        return NULL;
    if (word[length] == '=')
        return word + length + 1;
    return word[length] == '\0' && *index + 1 < argc ? argv[++*index] : NULL;
}

/* Says that there is no such command, and of each refused plugin why: the command may be in it. */
static int refuse_command(const struct clopt_registry *registry, const char *name)
{
    CLOPT_OWNED(clopt_text) word = {0};
    const struct clopt_extension *extension;
    const char *names[MOST_COMMANDS];
    size_t count = 0;
    const char *file = clopt_text_ends(name, ".ini")  ? "study: clopt -c"
                       : clopt_text_ends(name, ".cl") ? "kernel: clopt tune"
                                                      : NULL;
    clopt_text_append_word(&word, name);
    if (file)
        return clopt_usage_error("", "%s: unknown command; for a %s %s", name, file,
                                 clopt_text_string(&word));
    for (size_t i = 0; (extension = next_command(registry, i)) && count < MOST_COMMANDS; i++)
        if (!((const struct clopt_command *)extension->operations)->hidden)
            names[count++] = extension->name;
    const char *meant = clopt_suggest(name, names, count);
    const struct clopt_plugin_refusal *refusal;
    for (size_t i = 0; (refusal = clopt_registry_refusal(registry, i)); i++)
        clopt_text_print(stderr, "clopt: %s: plugin refused: %s\n", refusal->path, refusal->reason);
    return clopt_usage_error("", "%s: unknown command%s%s%s", name, meant ? "; did you mean " : "",
                             meant ? meant : "", meant ? "?" : "");
}

/* Runs the command of that name, which becomes argv[0]. */
static int run_command(const struct clopt_global_options *global, const char *name, int argc,
                       char **argv)
{
    const struct clopt_plugin_entry *entry = NULL;
    struct clopt_error error = {0};
    bool study = strcmp(name, CLOPT_STUDY_COMMAND) == 0;
    enum clopt_status status =
        clopt_registry_find(global->registry, CLOPT_KIND_COMMAND, name, &entry, &error);
    if (status)
        return study ? clopt_report_error(&error) : refuse_command(global->registry, name);
    return ((const struct clopt_command *)entry->extension->operations)->run(global, argc, argv);
}

/* Does what is left of the command line: a command, or a study, whose options need none in front of
 * them. */
static int run(struct clopt_global_options *global, int argc, char **argv)
{
    struct clopt_error error = {0};
    CLOPT_HELD(clopt_registry) registry = NULL;
    const char *word = argc > 1 ? argv[1] : "--help";
    bool help = strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0;
    for (int i = 1; i < argc && word[0] == '-'; i++) { /* a study's options may name folders, too */
        const char *value = option_value(argv, argc, &i, "--plugin-path");
        global->plugin_path = value ? value : global->plugin_path;
    }
    if (clopt_registry_open(global->plugin_path, &registry, &error))
        return clopt_report_error(&error);
    clopt_registry_add(registry, own_command);
    global->registry = registry;
    global->extension_options = clopt_extension_options;
    if (!help)
        return word[0] == '-' ? run_command(global, CLOPT_STUDY_COMMAND, argc, argv)
                              : run_command(global, word, argc - 1, argv + 1);
    print_help(global, argc > 1 ? stdout : stderr);
    return argc > 1 ? CLOPT_EXIT_DONE : CLOPT_EXIT_USAGE;
}

/* Reads the options in front of a command, and runs that. */
static int choose(int argc, char **argv)
{
    struct clopt_global_options global = {0};
    int i = 1;
    for (; i < argc; i++) {
        const char *value;
        if ((value = option_value(argv, argc, &i, "--plugin-path"))) {
            global.plugin_path = value;
        } else if ((value = option_value(argv, argc, &i, "--kernel-path"))) {
            global.kernel_path = value;
        } else if (strcmp(argv[i], "-V") == 0 || strcmp(argv[i], "--version") == 0) {
            puts(PACKAGE_STRING);
            return CLOPT_EXIT_DONE;
        } else {
            break;
        }
    }
    return run(&global, argc - i + 1, argv + i - 1);
}

/* For JSON: nothing of it is missing because memory has run out. */
static void *allocate(size_t bytes)
{
    return clopt_calloc(1, bytes);
}

int clopt_main(int argc, char **argv)
{
    signal(SIGXFSZ, SIG_IGN); /* write() says that a file may not become larger */
    json_set_alloc_funcs(allocate, free);
    int code = choose(argc, argv);
    /* What has been printed counts once it is written. */
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == CLOPT_EXIT_DONE) {
        fprintf(stderr, "clopt: standard output cannot be written: %s\n", strerror(errno));
        code = CLOPT_EXIT_FAILURE;
    }
    return code;
}
