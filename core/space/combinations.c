/* SPDX-License-Identifier: BSD-3-Clause */
/* Ends the combinations of an app. */
#include "space/combinations.h"

#include <stdlib.h>

void clopt_app_parameters_destroy(struct clopt_app_parameters *parameters)
{
    if (!parameters)
        return;
    size_t count = parameters->problems * parameters->devices * parameters->kernels;
    for (size_t i = 0; parameters->cells && i < count; i++)
        clopt_configurations_destroy(parameters->cells[i].configurations);
    free(parameters->cells);
    free(parameters);
}
