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

#define COMMAND_ROW(NAME) &clopt_##NAME##_command
const struct clopt_command *const clopt_commands[] = {CLOPT_COMMANDS(COMMAND_ROW), NULL};

/* Options in front of all commands, which choose() reads. */
static const struct clopt_option options[] = {
    CLOPT_TEXT(0, "plugin-path", "DIRS", struct clopt_global_options, plugin_path,
               "look for plugins in these folders first; between them, there are colons"),
    CLOPT_TEXT(0, "kernel-path", "DIRS", struct clopt_global_options, kernel_path,
               "look for kernel sources in these folders first"),
    {.letter = 'V', .name = "version", .help = "show the version"},
    {0},
};

const struct clopt_command clopt_program = {.name = "", .lists = {{options, 0}}};

static void print_help(const struct clopt_global_options *global, FILE *stream)
{
    fputs("Usage: clopt [OPTION ...] -c STUDY.ini [-o STORE.db] [-s SECTION.KEY=VALUE ...]\n"
          "       clopt [OPTION ...] COMMAND [ARGUMENT ...]\n"
          "\n"
          "Finds out which optimization pays, on which OpenCL kernel, on which device, by\n"
          "how much, and why.\n"
          "\n"
          "Commands:\n",
          stream);
    for (size_t i = 0; clopt_commands[i]; i++)
        if (clopt_commands[i]->summary)
            fprintf(stream, "  %-10s %s\n", clopt_commands[i]->name, clopt_commands[i]->summary);
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

/* Runs the command called `argv[0]`. */
static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    const char *names[sizeof clopt_commands / sizeof *clopt_commands];
    size_t count = 0;
    for (size_t i = 0; clopt_commands[i]; i++) {
        if (strcmp(clopt_commands[i]->name, argv[0]) == 0)
            return clopt_commands[i]->run(global, argc, argv);
        if (clopt_commands[i]->summary)
            names[count++] = clopt_commands[i]->name;
    }
    const char *file = clopt_text_ends(argv[0], ".ini")  ? "study: clopt -c"
                       : clopt_text_ends(argv[0], ".cl") ? "kernel: clopt tune"
                                                         : NULL;
    if (file) {
        CLOPT_OWNED(clopt_text) word = {0};
        clopt_text_append_word(&word, argv[0]);
        return clopt_usage_error("", "%s: unknown command; for a %s %s", argv[0], file,
                                 clopt_text_string(&word));
    }
    const char *meant = clopt_suggest(argv[0], names, count);
    return clopt_usage_error("", "%s: unknown command%s%s%s", argv[0],
                             meant ? "; did you mean " : "", meant ? meant : "", meant ? "?" : "");
}

/* Runs a command, or a study where there is none. */
static int run(struct clopt_global_options *global, int argc, char **argv)
{
    struct clopt_error error = {0};
    CLOPT_HELD(clopt_registry) registry = NULL;
    if (clopt_registry_open(global->plugin_path, &registry, &error))
        return clopt_report_error(&error);
    global->registry = registry;
    global->extension_options = clopt_extension_options;
    /* The options of a study need no command in front of them. */
    return argv[1][0] == '-' ? clopt_study_schema.run(global, argc, argv)
                             : run_command(global, argc - 1, argv + 1);
}

/* Reads the options in front of a command, and runs that. */
static int choose(int argc, char **argv)
{
    struct clopt_global_options global = {0};
    for (int i = 1; i < argc; i++) {
        const char *value;
        if ((value = option_value(argv, argc, &i, "--plugin-path"))) {
            global.plugin_path = value;
        } else if ((value = option_value(argv, argc, &i, "--kernel-path"))) {
            global.kernel_path = value;
        } else if (strcmp(argv[i], "-h") == 0 || strcmp(argv[i], "--help") == 0) {
            print_help(&global, stdout);
            return CLOPT_EXIT_DONE;
        } else if (strcmp(argv[i], "-V") == 0 || strcmp(argv[i], "--version") == 0) {
            puts(PACKAGE_STRING);
            return CLOPT_EXIT_DONE;
        } else {
            return run(&global, argc - i + 1, argv + i - 1);
        }
    }
    print_help(&global, stderr);
    return CLOPT_EXIT_USAGE;
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
