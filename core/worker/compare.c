/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares arrays element by element on the host, and chooses where to compare. */
#include "worker/compare.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "worker/session.h"

/* Below this size reading back costs less than building a kernel. */
#define SMALL_BYTES ((size_t)1 << 20)

size_t clopt_element_bytes(enum clopt_element element)
{
    static const size_t bytes[] = {
        [CLOPT_UINT8] = 1,   [CLOPT_INT32] = 4,   [CLOPT_UINT32] = 4,
        [CLOPT_FLOAT32] = 4, [CLOPT_FLOAT64] = 8,
    };
    return bytes[element];
}

/* Maps the bits of a float to integers that are ordered as the floats are. */
static int64_t ordered32(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
}

static double ulp64(double a, double b)
{
    double spacing = nextafter(fabs(b), INFINITY) - fabs(b);
    return fabs(a - b) / spacing;
}

static double element_at(enum clopt_element element, const void *data, size_t index)
{
    switch (element) {
    case CLOPT_UINT8:
        return ((const uint8_t *)data)[index];
    case CLOPT_INT32:
        return ((const int32_t *)data)[index];
    case CLOPT_UINT32:
        return ((const uint32_t *)data)[index];
    case CLOPT_FLOAT32:
        return ((const float *)data)[index];
    case CLOPT_FLOAT64:
        return ((const double *)data)[index];
    }
    return NAN;
}

static void raise_to(double *largest, double value)
{
    if (!(value <= *largest)) /* NaN counts as infinite */
        *largest = isnan(value) ? INFINITY : value;
}

void clopt_compare_host(enum clopt_element element, const void *actual, const void *expected,
                        size_t count, double absolute, double relative,
                        struct clopt_comparison *comparison)
{
    *comparison = (struct clopt_comparison){0};
    bool is_float = element == CLOPT_FLOAT32 || element == CLOPT_FLOAT64;
    for (size_t i = 0; i < count; i++) {
        double a = element_at(element, actual, i);
        double e = element_at(element, expected, i);
        if (a == e)
            continue;
        double difference = fabs(a - e);
        double allowed = is_float ? absolute + relative * fabs(e) : 0;
        if (!(difference <= allowed) && comparison->mismatches++ == 0)
            comparison->first = i;
        raise_to(&comparison->absolute, difference);
        raise_to(&comparison->relative, difference / fabs(e));
        raise_to(&comparison->worst, difference / allowed);
        if (element == CLOPT_FLOAT32)
            raise_to(&comparison->ulp,
                     isnan(a) ? NAN : fabs((double)(ordered32((float)a) - ordered32((float)e))));
        else if (is_float)
            raise_to(&comparison->ulp, ulp64(a, e));
    }
}

/* Reads the buffer back and compares on the host. */
static enum clopt_status read_and_compare(struct clopt_session *session, unsigned buffer,
                                          enum clopt_element element, const void *expected,
                                          size_t count, double absolute, double relative,
                                          struct clopt_comparison *comparison, char *example,
                                          size_t example_size)
{
    size_t bytes = count * clopt_element_bytes(element);
    void *actual = malloc(bytes);
    if (!actual)
        return clopt_fail_memory(&session->error);
    enum clopt_status status = clopt_read(session, buffer, 0, bytes, actual);
    if (!status) {
        clopt_compare_host(element, actual, expected, count, absolute, relative, comparison);
        if (comparison->mismatches) {
            double saw = element_at(element, actual, comparison->first);
            snprintf(example, example_size, "%.9g instead of %.9g", isnan(saw) ? NAN : saw,
                     element_at(element, expected, comparison->first));
        }
    }
    free(actual);
    return status;
}

static void judge(const struct clopt_comparison *comparison, const char *name,
                  enum clopt_element element, size_t count, const char *example,
                  struct clopt_verdict *verdict)
{
    bool is_float = element == CLOPT_FLOAT32 || element == CLOPT_FLOAT64;
    verdict->right = comparison->mismatches == 0;
    verdict->error = is_float ? comparison->worst : (double)comparison->mismatches;
    verdict->bound = is_float ? 1 : 0;
    char size[128] = "";
    if (is_float)
        snprintf(size, sizeof size, "; largest error %.3g absolute, %.3g relative, %.3g ulp",
                 comparison->absolute, comparison->relative, comparison->ulp);
    if (verdict->right)
        snprintf(verdict->text, sizeof verdict->text, "%s: %zu elements %s%s", name, count,
                 is_float ? "compared, error as a part of what is allowed" : "equal", size);
    else
        snprintf(verdict->text, sizeof verdict->text,
                 "%s: %" PRIu64 " of %zu elements differ, first at %" PRIu64 ": %s%s", name,
                 comparison->mismatches, count, comparison->first, example, size);
}

enum clopt_status clopt_compare(struct clopt_session *session, unsigned buffer,
                                enum clopt_element element, const void *expected, size_t count,
                                double absolute, double relative, struct clopt_verdict *verdict)
{
    if (buffer >= CLOPT_MAX_BUFFERS || !session->buffers->items[buffer].name)
        return clopt_fail(&session->error, CLOPT_FAILED, "buffer number %u does not exist", buffer);
    const struct clopt_device_buffer *where = &session->buffers->items[buffer];
    size_t bytes = count * clopt_element_bytes(element);
    if (count > SIZE_MAX / 8 || bytes > where->bytes)
        return clopt_fail(&session->error, CLOPT_FAILED, "buffer %s: has no %zu elements",
                          where->name, count);
    struct clopt_comparison comparison = {0};
    bool on_device = bytes >= SMALL_BYTES && element != CLOPT_FLOAT64 && !where->is_image;
    if (on_device) {
        enum clopt_status status =
            clopt_compare_device(session->context, element, where->data, expected, count, absolute,
                                 relative, &comparison, &session->error);
        if (status)
            return status;
    }
    char example[96] = "";
    if (!on_device || comparison.mismatches) {
        enum clopt_status status =
            read_and_compare(session, buffer, element, expected, count, absolute, relative,
                             &comparison, example, sizeof example);
        if (status)
            return status;
    }
    judge(&comparison, where->name, element, count, example, verdict);
    return CLOPT_OK;
}
