/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt merge`: makes one store of the shards of a study. */
#include "commands/shared/commands.h"
#include "commands/shared/usage.h"

#include "commands/merge/merge.h"

/* What the command line asks for. */
struct request {
    const char *output;
    bool pool;
};

static const struct clopt_key options[] = {
    CLOPT_TEXT('o', "output", "FILE", struct request, output,
               "the store to write, which must not be there yet"),
    CLOPT_FLAG(0, "pool", struct request, pool, "take equal devices of different hosts as one"),
    {0},
};

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {0};
    int code;
    if (!clopt_command_read(global, &clopt_merge_command, &request, argc, argv, &code))
        return code;
    if (optind == argc)
        return clopt_usage_error("merge", "no store given: clopt merge A.db B.db -o ALL.db");
    if (!request.output || !*request.output)
        return clopt_usage_error("merge", "no store to write: -o ALL.db");
    struct clopt_error error = {0};
    if (clopt_store_merge((const char *const *)argv + optind, (size_t)(argc - optind),
                          request.output, request.pool, stderr, &error))
        return clopt_report_error(&error);
    clopt_tell_next(request.output, "clopt report ", "");
    return CLOPT_EXIT_DONE;
}

const struct clopt_command clopt_merge_command = {
    .name = "merge",
    .usage = "merge STORE ... -o ALL.db\n",
    .about = "Example: clopt merge node1.db node2.db -o all.db\n\n"
             "Makes one store of those that several hosts have written about one study. Of the\n"
             "shards that `clopt -c STUDY.ini --shard=K/N` writes it makes the store of the\n"
             "undivided study; in others, devices of different hosts stay apart, each a column\n"
             "LABEL@HOST of its own. The stores stay as they are. Where they do not belong\n"
             "together, or a trial ended differently in two of them, it says so and writes\n"
             "nothing.\n"
             "\n",
    .arguments = "STORE ...",
    .lists = {{options, 0}},
    .run = run_command,
};
