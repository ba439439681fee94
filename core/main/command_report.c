/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt report`: prints what a store holds. */
#include "main/command.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "main/usage.h"
#include "report/report.h"

static void print_help(void)
{
    fputs("Usage: clopt report STORE [--run=N] [--csv | --json]\n"
          "\n"
          "Prints the results of the newest run in a study's store: tables of times and of\n"
          "speed-ups over the initial code, and the best variant of every device.\n"
          "\n"
          "Options:\n"
          "  -r, --run=N  report this run of the store; `clopt status` lists them\n"
          "      --csv    print one line a device, problem, kernel and variant\n"
          "      --json   print the same rows as JSON\n"
          "  -h, --help   show this help\n",
          stdout);
}

static enum clopt_status print_report(const char *path, int64_t run, char form,
                                      struct clopt_error *error)
{
    struct clopt_store *store = NULL;
    enum clopt_status status = clopt_store_open_read(path, &store, error);
    if (status)
        return status;
    clopt_store_choose_run(store, run);
    switch (form) {
    case 'c':
        status = clopt_report_csv(store, stdout, error);
        break;
    case 'j':
        status = clopt_report_json(store, stdout, error);
        break;
    default:
        status = clopt_report_text(store, stdout, clopt_wants_color(), error);
        break;
    }
    if (!status && fflush(stdout) != 0)
        status = clopt_fail(error, CLOPT_FAILED, "cannot write the report: %s", strerror(errno));
    clopt_store_close(store);
    return status;
}

int clopt_command_report(const struct clopt_global_options *global, int argc, char **argv)
{
    static const struct option options[] = {
        {"run", required_argument, NULL, 'r'},
        {"csv", no_argument, NULL, 'c'},
        {"json", no_argument, NULL, 'j'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    (void)global;
    char form = 't';
    int64_t run = 0;
    int option;
    while ((option = getopt_long(argc, argv, ":r:h", options, NULL)) != -1)
        switch (option) {
        case 'r':
            if ((run = clopt_run_read("report", optarg)) < 0)
                return CLOPT_EXIT_USAGE;
            break;
        case 'c':
        case 'j':
            if (form != 't' && form != option)
                return clopt_usage_error("report", "--csv and --json exclude each other");
            form = (char)option;
            break;
        case 'h':
            print_help();
            return CLOPT_EXIT_DONE;
        default:
            return clopt_option_error("report", option, argv, options);
        }
    if (argc - optind != 1)
        return clopt_usage_error("report", "report takes one store");
    struct clopt_error error = {0};
    return print_report(argv[optind], run, form, &error) ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
}
