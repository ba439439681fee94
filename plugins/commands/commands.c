/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands, but those that core has itself. */
#include "commands/commands.h"

CLOPT_PLUGIN(CLOPT_EXTENSION(COMMAND, "study", "run a study: clopt -c STUDY.ini", &clopt_study_command),
             CLOPT_EXTENSION(COMMAND, "devices", "list the OpenCL devices", &clopt_devices_command),
             CLOPT_EXTENSION(COMMAND, "init", "write a study for a kernel of your own", &clopt_init_command),
             CLOPT_EXTENSION(COMMAND, "tune", "search for the fastest variant of a kernel", &clopt_tune_command),
             CLOPT_EXTENSION(COMMAND, "new", "write a plugin of your own to start from", &clopt_new_command),
             CLOPT_EXTENSION(COMMAND, "run", "run an app once, without a study", &clopt_run_command),
             CLOPT_EXTENSION(COMMAND, "check", "find wrong accesses and data races in kernels", &clopt_check_command),
             CLOPT_EXTENSION(COMMAND, "profile", "find the kernels of an application that take the time", &clopt_profile_command),
             CLOPT_EXTENSION(COMMAND, "capture", "write studies of the kernels that an application launches", &clopt_capture_command),
             CLOPT_EXTENSION(COMMAND, "apply", "run an application with the winners of a study", &clopt_apply_command),
             CLOPT_EXTENSION(COMMAND, "report", "print the results that a study's store holds", &clopt_report_command),
             CLOPT_EXTENSION(COMMAND, "compare", "say what changed from one store to another", &clopt_compare_command),
             CLOPT_EXTENSION(COMMAND, "merge", "make one store of those of several hosts", &clopt_merge_command),
             CLOPT_EXTENSION(COMMAND, "status", "say how far a study is", &clopt_status_command),
             CLOPT_EXTENSION(COMMAND, "advise", "name the variants that are worth trying first", &clopt_advise_command),
             CLOPT_EXTENSION(COMMAND, "simulate", "try strategies of searching on recorded results", &clopt_simulate_command),
             CLOPT_EXTENSION(COMMAND, "export", "write the best variants as files to use", &clopt_export_command),
             CLOPT_EXTENSION(COMMAND, "reproduce", "run one trial of a study once more", &clopt_reproduce_command),
             CLOPT_EXTENSION(COMMAND, "transform", "rewrite a kernel and print it", &clopt_transform_command),
             CLOPT_EXTENSION(COMMAND, "complete", "say what may follow on a command line, for shells", &clopt_complete_command));
