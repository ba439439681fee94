/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt worker FD`, which the supervisor starts, and `clopt worker`, which it has started on
 * another host; not for people. */
#include "main/command.h"

#include <unistd.h>

#include "pool/transport.h"
#include "study/launcher.h"
#include "worker/worker.h"

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct clopt_error error = {0};
    const struct clopt_transport *transport;
    if (argc > 2 || isatty(STDIN_FILENO))
        return clopt_usage_error("", "worker is started by clopt itself");
    if (argc > 1)
        clopt_child_shield(); /* what kernels do to their parent is not done to the study */
    CLOPT_HELD(clopt_registry) registry = NULL;
    if (clopt_registry_open(global->plugin_path, &registry, &error))
        return clopt_report_error(&error);
    clopt_registry_load(registry); /* before OpenCL, whose drivers do not survive fork() */
    const struct clopt_process_settings paths = {.plugin_path = global->plugin_path,
                                                 .kernel_path = global->kernel_path};
    if (argc > 1)
        clopt_worker_serve((int)strtol(argv[1], NULL, 10), registry, global->plugin_path,
                           global->kernel_path, &error);
    else if (!clopt_launcher_transport(registry, &transport, &error))
        transport->serve(&paths, &error);
    return error.status ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}

const struct clopt_command clopt_worker_command = {
    .name = "worker", .hidden = true, .run = run_command};
