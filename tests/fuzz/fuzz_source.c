/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds texts to the rewriter: whatever they are, it must come to an end with a result or an
 * error. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <clopt/source.h>

#include "plugins/optimizations/branches/branches.h"
#include "plugins/optimizations/geometry/coarsen.h"
#include "plugins/optimizations/loops/loops.h"
#include "plugins/optimizations/vector/vector.h"
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
    clopt_transform_init(&transform, "k", "fuzz.cl", text, "-DCLOPT_TEST=3", NULL);
    struct clopt_merge coarsening = {.factor = 2, .stride = 1};
    struct within_request iterations = {2, "innermost", true};
    restrict_apply(&transform, "all", 1, &error);
    interchange_apply(&transform, "all", 1, &error);
    fission_apply(&transform, "all", 1, &error);
    tile_apply(&transform, "all", 4, &error);
    registers_apply(&transform, "all", 1, &error);
    within_apply(&transform, &iterations, &error);
    clopt_transform_edit(&transform, CLOPT_INLINE_NONE, hoist_edit, &(unsigned){4}, &error);
    clopt_transform_edit(&transform, CLOPT_INLINE_NONE, flatten_edit, &(unsigned){1000}, &error);
    across_apply(&transform, &(struct across_request){.width = 2}, &error);
    if (!coarsen_apply(&transform, &coarsening, &error))
        unroll_apply(&transform, "all", 2, &error);
    clopt_transform_fini(&transform);
    free(text);
    return 0;
}
