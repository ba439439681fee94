/* SPDX-License-Identifier: BSD-3-Clause */
/* Sections of studies for tunable parameters: their values, and what must hold for them. */
#include "parameters/sections.h"

#include <clopt/plugin.h>

CLOPT_PLUGIN(CLOPT_EXTENSION(SECTION, "parameter", "a macro of the programs, and its values",
                             &clopt_section_parameter),
             CLOPT_EXTENSION(SECTION, "constraints", "what must hold for the values of parameters",
                             &clopt_section_constraints));
