/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands of the clopt program. */
#ifndef CLOPT_MAIN_COMMAND_H
#define CLOPT_MAIN_COMMAND_H

#include <clopt/error.h>

/* Exit codes of the program. */
enum clopt_exit {
    CLOPT_EXIT_DONE = 0,
    CLOPT_EXIT_FAILURE = 1,
    CLOPT_EXIT_USAGE = 2,
    CLOPT_EXIT_PLUGIN = 3,
    CLOPT_EXIT_VERIFICATION = 4,
};

/* Runs the program: `clopt -c study.ini`, or `clopt COMMAND ...`. */
CLOPT_API int clopt_main(int argc, char **argv);

/* Options that stand before the command and hold for all of them. */
struct clopt_global_options {
    const char *plugin_path;
    const char *kernel_path;
};

/* Every command gets its own name as argv[0] and returns an exit code. */
typedef int (*clopt_command)(const struct clopt_global_options *global, int argc, char **argv);

int clopt_command_advise(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_complete(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_devices(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_export(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_init(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_merge(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_new(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_plugins(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_run(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_study(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_report(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_compare(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_simulate(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_status(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_reproduce(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_transform(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_tune(const struct clopt_global_options *global, int argc, char **argv);
int clopt_command_worker(const struct clopt_global_options *global, int argc, char **argv);

/* What they print for --help, and completion reads. */
extern const char clopt_help_advise[];
extern const char clopt_help_compare[];
extern const char clopt_help_devices[];
extern const char clopt_help_export[];
extern const char clopt_help_init[];
extern const char clopt_help_merge[];
extern const char clopt_help_new[];
extern const char clopt_help_plugins[];
extern const char clopt_help_report[];
extern const char clopt_help_reproduce[];
extern const char clopt_help_run[];
extern const char clopt_help_simulate[];
extern const char clopt_help_status[];
extern const char clopt_help_study[];
extern const char clopt_help_transform[];
extern const char clopt_help_tune[];

/* Options in front of all commands. */
extern const char clopt_help_global[];

struct clopt_command_entry {
    const char *name;
    clopt_command run;
    const char *help;
    const char *summary; /* NULL: not for people */
};

/* All of them; the last has no name. */
extern const struct clopt_command_entry clopt_commands[];

/* Prints "clopt: message" on stderr and returns the exit code of its status. */
int clopt_report_error(const struct clopt_error *error);

#endif
