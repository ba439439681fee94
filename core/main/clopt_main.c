/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the command, and says what there is. */
#include "main/command.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

static const struct {
    const char *name;
    clopt_command run;
    const char *summary; /* NULL: not for people */
} commands[] = {
    {"devices", clopt_command_devices, "list the OpenCL devices"},
    {"plugins", clopt_command_plugins, "list apps, optimizations and refused plugins"},
    {NULL, NULL, NULL},
};

static void print_help(FILE *stream)
{
    fputs("Usage: clopt [OPTION ...] -c STUDY.ini [-o STORE.db] [-s SECTION.KEY=VALUE ...]\n"
          "       clopt [OPTION ...] COMMAND [ARGUMENT ...]\n"
          "\n"
          "Finds out which optimization pays, on which OpenCL kernel, on which device, by how\n"
          "much, and why.\n"
          "\n"
          "Commands:\n",
          stream);
    for (size_t i = 0; commands[i].name; i++)
        if (commands[i].summary)
            fprintf(stream, "  %-10s %s\n", commands[i].name, commands[i].summary);
    fputs("\n"
          "Options:\n"
          "      --plugin-path=DIRS  look for plugins in these folders first (colon-separated)\n"
          "      --kernel-path=DIRS  look for kernel sources in these folders first\n"
          "  -h, --help              show this help, or that of a command\n"
          "  -V, --version           show the version\n",
          stream);
}

int clopt_report_error(const struct clopt_error *error)
{
    fprintf(stderr, "clopt: %s\n", error->message);
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

int clopt_usage_error(const char *command, const char *format, ...)
{
    fputs("clopt: ", stderr);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\nTry `clopt %s%s--help`.\n", command, *command ? " " : "");
    return CLOPT_EXIT_USAGE;
}

int clopt_main(int argc, char **argv)
{
    static const struct option options[] = {
        {"plugin-path", required_argument, NULL, 'P'},
        {"kernel-path", required_argument, NULL, 'K'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0},
    };
    struct clopt_global_options global = {0};
    int option;
    while ((option = getopt_long(argc, argv, "+hV", options, NULL)) != -1)
        switch (option) {
        case 'P':
            global.plugin_path = optarg;
            break;
        case 'K':
            global.kernel_path = optarg;
            break;
        case 'h':
            print_help(stdout);
            return CLOPT_EXIT_DONE;
        case 'V':
            puts(PACKAGE_STRING);
            return CLOPT_EXIT_DONE;
        default:
            return clopt_usage_error("", "bad usage");
        }
    if (optind == argc) {
        print_help(stderr);
        return CLOPT_EXIT_USAGE;
    }
    const char *name = argv[optind];
    int first = optind;
    optind = 0; /* a command parses its own options from the start */
    for (size_t i = 0; commands[i].name; i++)
        if (strcmp(commands[i].name, name) == 0)
            return commands[i].run(&global, argc - first, argv + first);
    return clopt_usage_error("", "%s: unknown command", name);
}
