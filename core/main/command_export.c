/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt export`: writes the best variants of a store as files to use. */
#include "main/command.h"

#include <getopt.h>
#include <stdio.h>

#include "export/export.h"
#include "main/usage.h"

const char clopt_help_export[] =
    "Usage: clopt export STORE [-o FOLDER] [--kernel=NAME] [--device=LABEL]\n"
    "                    [--problem=LABEL] [--variant=NAME] [--allow-programs]\n"
    "\n"
    "Writes the fastest variant of each kernel as files to use in a program of your\n"
    "own: its source and the initial code, a C header and JSON that say how it is\n"
    "launched, and host programs in C and Python that run it and check its results.\n"
    "Of several devices each gets its best variant, which header and JSON choose by\n"
    "the name of the device; others get the most portable one. Where nothing is\n"
    "faster than the initial code, that is exported.\n"
    "\n"
    "  clopt export lud.db --kernel=lud_internal -o lud\n"
    "  cd lud && cc -o host lud_internal_host.c -lOpenCL && ./host\n"
    "\n"
    "Options:\n"
    "  -o, --output=FOLDER     where the files go [export]; those that are there and\n"
    "                          that clopt export did not write are left alone\n"
    "  -k, --kernel=NAME       export one kernel [all]\n"
    "  -d, --device=LABEL      for one device, as the study calls it [all]\n"
    "  -p, --problem=LABEL     what is best for a problem, as reports call it\n"
    "                          [of several that with the slowest initial code]\n"
    "      --variant=NAME      export this variant, by its name in reports\n"
    "      --allow-programs    run the programs that the study of the store names\n"
    "  -h, --help              show this help\n";

static int read_options(struct clopt_export_request *request, int argc, char **argv, bool *help)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},  {"kernel", required_argument, NULL, 'k'},
        {"device", required_argument, NULL, 'd'},  {"problem", required_argument, NULL, 'p'},
        {"variant", required_argument, NULL, 'v'}, {"allow-programs", no_argument, NULL, 'a'},
        {"help", no_argument, NULL, 'h'},          {NULL, 0, NULL, 0},
    };
    for (int option; (option = getopt_long(argc, argv, ":o:k:d:p:h", options, NULL)) != -1;)
        switch (option) {
        case 'o':
            request->folder = optarg;
            break;
        case 'k':
            request->kernel = optarg;
            break;
        case 'd':
            request->device = optarg;
            break;
        case 'p':
            request->problem = optarg;
            break;
        case 'v':
            request->variant = optarg;
            break;
        case 'a':
            request->allow_programs = true;
            break;
        case 'h':
            fputs(clopt_help_export, stdout);
            *help = true;
            return CLOPT_EXIT_DONE;
        default:
            return clopt_option_error("export", option, argv, options);
        }
    return CLOPT_EXIT_DONE;
}

int clopt_command_export(const struct clopt_global_options *global, int argc, char **argv)
{
    struct clopt_export_request request = {
        .folder = "export",
        .settings = {.plugin_path = global->plugin_path, .kernel_path = global->kernel_path},
        .stream = stdout,
        .notices = stderr,
    };
    bool help = false;
    int code = read_options(&request, argc, argv, &help);
    if (code || help)
        return code;
    const char *path = clopt_store_argument("export", argc, argv);
    if (!path)
        return CLOPT_EXIT_USAGE;
    struct clopt_error error = {0};
    struct clopt_store *store = NULL;
    struct clopt_registry *registry = NULL;
    enum clopt_status status = clopt_store_open_read(path, &store, &error);
    if (!status)
        status = clopt_registry_open(global->plugin_path, &registry, &error);
    request.registry = registry;
    if (!status)
        status = clopt_export(store, &request, &error);
    clopt_registry_close(registry);
    clopt_store_close(store);
    return status ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}
