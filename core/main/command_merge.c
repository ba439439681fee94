/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt merge`: makes one store of the shards of a study. */
#include "main/command.h"

#include <stdio.h>

#include "main/usage.h"
#include "store/merge.h"

const char clopt_help_merge[] =
    "Usage: clopt merge STORE ... -o ALL.db\n"
    "\n"
    "Makes one store of those that several machines have written about one study, by\n"
    "`clopt -c STUDY.ini --shard=K/N`: the store of the undivided study. They stay as\n"
    "they are. Where they do not belong together, or a trial ended differently in two\n"
    "of them, it says so and writes nothing.\n"
    "\n"
    "Options:\n"
    "  -o, --output=FILE  the store to write, which must not be there yet\n"
    "  -h, --help         show this help\n";

int clopt_command_merge(const struct clopt_global_options *global, int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    (void)global;
    const char *output = NULL;
    int option;
    while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(clopt_help_merge, stdout);
            return CLOPT_EXIT_DONE;
        }
        if (option != 'o')
            return clopt_option_error("merge", option, argv, options);
        output = optarg;
    }
    if (optind == argc)
        return clopt_usage_error("merge", "no store given: clopt merge A.db B.db -o ALL.db");
    if (!output || !*output)
        return clopt_usage_error("merge", "no store to write: -o ALL.db");
    struct clopt_error error = {0};
    if (clopt_store_merge((const char *const *)argv + optind, (size_t)(argc - optind), output,
                          false, stderr, &error))
        return clopt_report_error(&error);
    clopt_tell_next(output, "clopt report ", "");
    return CLOPT_EXIT_DONE;
}
