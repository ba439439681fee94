/* SPDX-License-Identifier: BSD-3-Clause */
/* What observes variants. */
#include "observers/observers.h"

#include "observers/check/checking.h"

CLOPT_PLUGIN(
    CLOPT_EXTENSION(OBSERVER, "check", "kernels check themselves: bounds, data races, barriers",
                    &clopt_checker),
    CLOPT_EXTENSION(OBSERVER, "counters", "what drivers say of a variant, and what counters count",
                    &clopt_counters_observer),
    CLOPT_EXTENSION(OBSERVER, "lines", "which lines a variant compiles anew",
                    &clopt_lines_observer),
    CLOPT_EXTENSION(OBSERVER, "oclgrind",
                    "a variant is launched under Oclgrind: accesses, data races, counts",
                    &clopt_oclgrind_observer),
    CLOPT_EXTENSION(OBSERVER, "patterns", "how the initial code accesses global memory",
                    &clopt_patterns_observer),
    CLOPT_EXTENSION(OBSERVER, "profiles", "how often a variant's kernels do what",
                    &clopt_profiles_observer),
    CLOPT_EXTENSION(OBSERVER, "trace", "what an app launches and writes", &clopt_trace_observer));
