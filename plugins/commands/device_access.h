/* SPDX-License-Identifier: BSD-3-Clause */
/* What a device gives for each pattern of access: for `clopt devices --patterns`. */
#pragma once

#include "chart/chart.h"
#include "document/document.h"
#include "shared/access_rates.h"

/* Prints how fast a device accesses memory in each pattern, a line a pattern and a column a vector
 * width; then distances. */
enum clopt_status clopt_access_print(const struct clopt_access_rates *rates, FILE *stream,
                                     struct clopt_error *error);

/* Appends a chart of them, bandwidth over width and over distance. */
void clopt_access_draw(const struct clopt_access_rates *rates, const char *platform,
                       const char *device, struct clopt_document *document);
