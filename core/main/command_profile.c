/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt profile`: runs an application, and says which of its kernels take the time. */
#include "main/command.h"

#include <stdio.h>
#include <string.h>

#include "capture/profile.h"
#include "main/output.h"

struct request {
    struct clopt_output output;
};

static const struct clopt_option options[] = {
    CLOPT_TEXT('o', "output", "FILE", struct request, output.save,
               "write the report to a file [standard error]"),
    {0},
};

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {.output.on_stderr = true};
    struct clopt_error error = {0};
    int code;
    if (!clopt_command_read(&clopt_profile_command, &request, argc, argv, &code))
        return code;
    if (optind == argc)
        return clopt_usage_error("profile", "no application given: clopt profile -- APPLICATION");
    if ((code = clopt_output_check(&request.output, "profile")) != CLOPT_EXIT_DONE)
        return code;
    struct clopt_application application = {.plugin_path = global->plugin_path,
                                            .argv = argv + optind};
    enum clopt_status status = clopt_output_prepare(&request.output, &error);
    if (!status)
        status = clopt_application_run(&application, &error);
    if (!status) {
        struct clopt_document document = clopt_output_begin(&request.output, "clopt profile");
        if (application.signal)
            clopt_text_print(stderr, "clopt: %s: killed by signal %d (%s)\n", argv[optind],
                             application.signal, strsignal(application.signal));
        status = clopt_profile_report(&application, &document, &error);
        status = clopt_output_finish(&request.output, &document, status, &error);
    }
    clopt_application_fini(&application);
    if (!status)
        return application.exit_code;
    code = clopt_report_error(&error);
    return application.exit_code ? application.exit_code : code;
}

const struct clopt_command clopt_profile_command = {
    .name = "profile",
    .summary = "find the kernels of an application that take the time",
    .usage = "profile [OPTION ...] -- APPLICATION [ARGUMENT ...]\n",
    .about = "Runs an application as it is, with a layer of OpenCL's loader, and then prints\n"
             "a table of its kernels by the time that they took: launches, time, bytes and\n"
             "sizes, and which to tune first. Its output and its exit code stay its own.\n"
             "\n",
    .arguments = "APPLICATION ...",
    .lists = {{options, 0}, {clopt_output_options, offsetof(struct request, output)}},
    .run = run_command,
};
