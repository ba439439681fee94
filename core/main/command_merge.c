/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt merge`: makes one store of the shards of a study. */
#include "main/command.h"

#include <stdio.h>

#include "main/usage.h"
#include "store/merge.h"

const char clopt_help_merge[] =
    "Usage: clopt merge STORE ... -o ALL.db\n"
    "\n"
    "Makes one store of those that several hosts have written about one study. Of the\n"
    "shards that `clopt -c STUDY.ini --shard=K/N` writes it makes the store of the\n"
    "undivided study; in others, devices of different hosts stay apart, each a column\n"
    "LABEL@HOST of its own. The stores stay as they are. Where they do not belong\n"
    "together, or a trial ended differently in two of them, it says so and writes\n"
    "nothing.\n"
    "\n"
    "Options:\n"
    "  -o, --output=FILE  the store to write, which must not be there yet\n"
    "      --pool         take equal devices of different hosts as one\n"
    "  -h, --help         show this help\n";

int clopt_command_merge(const struct clopt_global_options *global, int argc, char **argv)
{
    static const struct option options[] = {
        {"output", required_argument, NULL, 'o'},
        {"pool", no_argument, NULL, 'p'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    (void)global;
    const char *output = NULL;
    bool pool = false;
    int option;
    while ((option = getopt_long(argc, argv, ":o:h", options, NULL)) != -1) {
        if (option == 'h') {
            fputs(clopt_help_merge, stdout);
            return CLOPT_EXIT_DONE;
        }
        if (option == 'p')
            pool = true;
        else if (option == 'o')
            output = optarg;
        else
            return clopt_option_error("merge", option, argv, options);
    }
    if (optind == argc)
        return clopt_usage_error("merge", "no store given: clopt merge A.db B.db -o ALL.db");
    if (!output || !*output)
        return clopt_usage_error("merge", "no store to write: -o ALL.db");
    struct clopt_error error = {0};
    if (clopt_store_merge((const char *const *)argv + optind, (size_t)(argc - optind), output, pool,
                          stderr, &error))
        return clopt_report_error(&error);
    clopt_tell_next(output, "clopt report ", "");
    return CLOPT_EXIT_DONE;
}
