/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt export`: writes the best variants of a store as files to use. */
#include "commands/export/export.h"
#include "commands/shared/commands.h"
#include "commands/shared/usage.h"

struct request {
    struct clopt_export_request export;
    const char *wisdom; /* the file; NULL: a folder is written */
};

static const struct clopt_key options[] = {
    CLOPT_TEXT('o', "output", "FOLDER", struct request, export.folder,
               "where the files go [export]; those that are there and that clopt export did not "
               "write are left alone"),
    CLOPT_TEXT('k', "kernel", "NAME", struct request, export.kernel, "export one kernel [all]"),
    CLOPT_TEXT('d', "device", "LABEL", struct request, export.device,
               "for one device, as the study calls it [all]"),
    CLOPT_TEXT('p', "problem", "LABEL", struct request, export.problem,
               "what is best for a problem, as reports call it [of several that with the slowest "
               "initial code]"),
    CLOPT_TEXT(0, "variant", "NAME", struct request, export.variant,
               "export this variant, by its name in reports"),
    CLOPT_FLAG(0, "allow-programs", struct request, export.allow_programs,
               "run the programs that the study of the store names"),
    CLOPT_TEXT(0, "wisdom", "FILE", struct request, wisdom,
               "write one file instead, of the winners of all problems: for `clopt apply`, the "
               "layer and clopt/wisdom.h"),
    CLOPT_OPTION(0, "between", "HOW", WORD, TEXT, "best, nearest, rounds", "best",
                 offsetof(struct request, export.choice),
                 "what sizes between measured ones get: what the nearest one has, what is "
                 "computed by the rounds of work-groups, or the better of both"),
    {0},
};

enum clopt_status clopt_store_export(const struct clopt_global_options *global,
                                     struct clopt_export_request *request, const char *store_path,
                                     const char *wisdom, struct clopt_error *error)
{
    CLOPT_HELD(clopt_store) store = NULL;
    request->settings.plugin_path = global->plugin_path;
    request->settings.kernel_path = global->kernel_path;
    CLOPT_TRY(clopt_store_open_read(store_path, &store, error));
    request->registry = global->registry;
    if (!wisdom)
        return clopt_export(store, request, error);
    return clopt_export_wisdom(store, request, wisdom, error)
               ? clopt_fail_within(error, "%s", store_path)
               : CLOPT_OK;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {
        .export = {.folder = "export", .stream = stdout, .notices = stderr},
    };
    struct clopt_error error = {0};
    int code;
    if (!clopt_command_read(global, &clopt_export_command, &request, argc, argv, &code))
        return code;
    const char *path = clopt_store_argument("export", argc, argv);
    if (!path)
        return CLOPT_EXIT_USAGE;
    return clopt_store_export(global, &request.export, path, request.wisdom, &error)
               ? clopt_report_error(&error)
               : CLOPT_EXIT_DONE;
}

const struct clopt_command clopt_export_command = {
    .name = "export",
    .first = true,
    .usage = "export STORE [-o FOLDER] [--kernel=NAME] [--device=LABEL]\n"
             "                    [--problem=LABEL] [--variant=NAME] [--allow-programs]\n"
             "                    [--between=HOW]\n"
             "       clopt export STORE --wisdom=FILE [--kernel=NAME]\n",
    .about = "Example: clopt export lud.db --kernel=lud_internal -o lud\n\n"
             "Writes the fastest variant of each kernel as files to use in a program of your\n"
             "own: its source and the initial code, a C header and JSON that say how it is\n"
             "launched, and host programs in C and Python that run it and check its results.\n"
             "Of several devices each gets its best variant, which header and JSON choose by\n"
             "the name of the device; others get the most portable one. Where nothing is\n"
             "faster than the initial code, that is exported.\n"
             "\n"
             "  cd lud && cc -o host lud_internal_host.c -lOpenCL && ./host\n"
             "\n",
    .arguments = "STORE",
    .lists = {{options, 0}},
    .run = run_command,
};
