/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds texts to the rewriter: whatever they are, it must come to an end with a result or an
 * error. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <clopt/source.h>

#include "plugins/optimizations/branches/flatten.h"
#include "plugins/optimizations/branches/hoist.h"
#include "plugins/optimizations/geometry/coarsen.h"
#include "plugins/optimizations/loops/fission.h"
#include "plugins/optimizations/loops/interchange.h"
#include "plugins/optimizations/loops/registers.h"
#include "plugins/optimizations/loops/restrict.h"
#include "plugins/optimizations/loops/tile.h"
#include "plugins/optimizations/loops/unroll.h"
#include "plugins/optimizations/vector/across.h"
#include "plugins/optimizations/vector/within.h"
#include "trial/transform.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    struct clopt_error error = {0};
    struct clopt_transform transform = {0};
    if (!clopt_transform_init(&transform, "k", "fuzz.cl", text, "-DCLOPT_TEST=3", NULL, &error)) {
        struct clopt_merge coarsening = {.factor = 2, .stride = 1};
        struct unroll_request unrolling = {2, "all"};
        struct within_request iterations = {2, "innermost", true};
        restrict_apply(&transform, &error);
        interchange_apply(&transform, "all", &error);
        fission_apply(&transform, "all", &error);
        tile_apply(&transform, "all", 4, &error);
        registers_apply(&transform, "all", &error);
        within_apply(&transform, &iterations, &error);
        hoist_apply(&transform, 4, &error);
        flatten_apply(&transform, 1000, &error);
        across_apply(&transform, 2, false, &error);
        if (!coarsen_apply(&transform, &coarsening, &error))
            unroll_apply(&transform, &unrolling, &error);
    }
    clopt_transform_fini(&transform);
    free(text);
    return 0;
}
