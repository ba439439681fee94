/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt profile`: runs an application, and says which of its kernels take the time. */
#include "commands/capture/command_application.h"
#include "commands/shared/commands.h"

#include "commands/capture/profile.h"

const struct clopt_key clopt_application_options[] = {
    CLOPT_TEXT(0, "save", "FILE", struct clopt_application_request, output.save,
               "write the report to a file [standard error]"),
    {0},
};

static enum clopt_status report(const struct clopt_command *command,
                                struct clopt_application_request *request,
                                struct clopt_error *error)
{
    struct clopt_application *application = &request->application;
    char title[32];
    snprintf(title, sizeof title, "clopt %s", command->name);
    struct clopt_document document = clopt_output_begin(&request->output, title);
    if (application->signal)
        clopt_text_print(stderr, "clopt: %s: killed by signal %d (%s)\n", application->argv[0],
                         application->signal, strsignal(application->signal));
    clopt_profile_report(application, &document);
    enum clopt_status status =
        request->report ? request->report(request, &document, error) : CLOPT_OK;
    return clopt_output_finish(&request->output, &document, status, error);
}

int clopt_application_command(const struct clopt_command *command,
                              struct clopt_application_request *request, char **argv)
{
    struct clopt_error error = {0};
    struct clopt_application *application = &request->application;
    application->plugin_path = request->global->plugin_path;
    application->argv = argv;
    request->output.over = &clopt_profile_kind;
    enum clopt_status status = clopt_output_prepare(&request->output, &error);
    if (!status)
        status = clopt_application_run(application, &error);
    if (!status)
        status = report(command, request, &error);
    clopt_application_fini(application);
    if (!status)
        return application->exit_code;
    int code = clopt_report_error(&error);
    return application->exit_code ? application->exit_code : code;
}

bool clopt_application_take(const struct clopt_command *command,
                            struct clopt_application_request *request, int argc, char **argv,
                            int *code)
{
    if (!clopt_command_read(request->global, command, request, argc, argv, code))
        return false;
    *code = optind == argc
                ? clopt_usage_error(command->name, "no application given: clopt %s -- APPLICATION",
                                    command->name)
                : clopt_output_check(request->global, &request->output, command->name);
    return *code == CLOPT_EXIT_DONE;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct clopt_application_request request = {.global = global, .output.on_stderr = true};
    int code;
    return clopt_application_take(&clopt_profile_command, &request, argc, argv, &code)
               ? clopt_application_command(&clopt_profile_command, &request, argv + optind)
               : code;
}

const struct clopt_command clopt_profile_command = {
    .name = "profile",
    .usage = "profile [OPTION ...] -- APPLICATION [ARGUMENT ...]\n",
    .about = "Example: clopt profile -- ./program\n\n"
             "Runs an application as it is, with a layer of OpenCL's loader, and then prints\n"
             "a table of its kernels by the time that they took: launches, time, bytes and\n"
             "sizes, and which to tune first. Its output and its exit code stay its own.\n"
             "\n",
    .arguments = "APPLICATION ...",
    .lists = {{clopt_application_options, 0},
              {clopt_output_options, offsetof(struct clopt_application_request, output),
               clopt_output_row}},
    .run = run_command,
};
