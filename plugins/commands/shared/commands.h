/* SPDX-License-Identifier: BSD-3-Clause */
/* The commands that ship. */
#pragma once

#include "main/command.h"

extern const struct clopt_command clopt_study_command, clopt_devices_command, clopt_init_command,
    clopt_tune_command, clopt_new_command, clopt_run_command, clopt_check_command,
    clopt_profile_command, clopt_capture_command, clopt_apply_command, clopt_report_command,
    clopt_compare_command, clopt_merge_command, clopt_status_command, clopt_advise_command,
    clopt_simulate_command, clopt_export_command, clopt_reproduce_command, clopt_transform_command,
    clopt_complete_command, clopt_judge_command, clopt_serve_command, clopt_gate_command,
    clopt_plugins_command;
