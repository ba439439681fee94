/* SPDX-License-Identifier: BSD-3-Clause */
/* Compares buffers with what they must hold, element by element, by all threads. */
#include <math.h>

#include "worker/session.h"

/* Elements that a thread takes at a time. */
#define PIECE ((size_t)1 << 14)

/* One comparison, and what it has found. */
struct comparison {
    enum clopt_element element;
    double allowed_absolute;
    double allowed_relative;
    uint64_t mismatches;
    uint64_t first;   /* index of the first mismatch */
    double absolute;  /* largest |actual - expected|; infinite where one is NaN */
    double relative;  /* largest |actual - expected| / |expected| */
    double ulp;       /* largest distance in units in the last place; floats only */
    double worst;     /* largest error, divided by what is allowed */
    char example[96]; /* the first mismatch */
};

static const size_t element_bytes[] = {
    [CLOPT_UINT8] = 1,   [CLOPT_INT32] = 4,   [CLOPT_UINT32] = 4,
    [CLOPT_FLOAT32] = 4, [CLOPT_FLOAT64] = 8,
};

static bool is_float(enum clopt_element element)
{
    return element == CLOPT_FLOAT32 || element == CLOPT_FLOAT64;
}

/* Maps the bits of a float to integers that are ordered as the floats are. */
static int64_t ordered32(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? (int64_t)INT32_MIN - bits : bits;
}

static double find_ulp(enum clopt_element element, double a, double b)
{
    if (isnan(a))
        return NAN;
    if (element == CLOPT_FLOAT32)
        return fabs((double)(ordered32((float)a) - ordered32((float)b)));
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

/* Takes in an element that is not the one expected. */
static void note_difference(struct comparison *found, size_t index, double actual, double expected)
{
    double difference = fabs(actual - expected);
    double allowed = found->allowed_absolute + found->allowed_relative * fabs(expected);
    if (!(difference <= allowed) && found->mismatches++ == 0)
        found->first = index;
    raise_to(&found->absolute, difference);
    raise_to(&found->relative, difference / fabs(expected));
    raise_to(&found->worst, difference / allowed);
    if (is_float(found->element))
        raise_to(&found->ulp, find_ulp(found->element, actual, expected));
}

/* Adds what a thread has found; the order of threads makes no difference. */
static void add(struct comparison *all, const struct comparison *found)
{
    if (found->mismatches && (all->mismatches == 0 || found->first < all->first))
        all->first = found->first;
    all->mismatches += found->mismatches;
    raise_to(&all->absolute, found->absolute);
    raise_to(&all->relative, found->relative);
    raise_to(&all->ulp, found->ulp);
    raise_to(&all->worst, found->worst);
}

/* Compares elements `from` and up, of which `actual` has so many. */
static void compare_band(struct comparison *comparison, const void *actual, const void *expected,
                         size_t from, size_t count)
{
    enum clopt_element element = comparison->element;
#pragma omp parallel
    {
        struct comparison own = {.element = element,
                                 .allowed_absolute = comparison->allowed_absolute,
                                 .allowed_relative = comparison->allowed_relative};
#pragma omp for schedule(static, PIECE)
        for (size_t i = 0; i < count; i++) {
            double a = element_at(element, actual, i);
            double e = element_at(element, expected, from + i);
            if (a != e)
                note_difference(&own, from + i, a, e);
        }
#pragma omp critical(clopt_compare)
        add(comparison, &own);
    }
}

/* Prints the first mismatch, if it is the first one of this band. */
static void print_example(struct comparison *comparison, const struct clopt_rows *rows,
                          const void *expected)
{
    if (!comparison->mismatches || *comparison->example)
        return;
    size_t first = (size_t)comparison->first;
    double actual = element_at(comparison->element, rows->data, first - rows->from);
    snprintf(comparison->example, sizeof comparison->example, "%.9g instead of %.9g",
             isnan(actual) ? NAN : actual, element_at(comparison->element, expected, first));
}

static void judge(const struct comparison *comparison, const char *name, size_t count,
                  struct clopt_verdict *verdict)
{
    bool real = is_float(comparison->element);
    verdict->right = comparison->mismatches == 0;
    verdict->error = real ? comparison->worst : (double)comparison->mismatches;
    verdict->bound = real ? 1 : 0;
    char size[128] = "";
    if (real)
        snprintf(size, sizeof size, "; largest error %.3g absolute, %.3g relative, %.3g ulp",
                 comparison->absolute, comparison->relative, comparison->ulp);
    if (verdict->right)
        snprintf(verdict->text, sizeof verdict->text, "%s: %zu elements %s%s", name, count,
                 real ? "compared, error as a part of what is allowed" : "equal", size);
    else
        snprintf(verdict->text, sizeof verdict->text,
                 "%s: %" PRIu64 " of %zu elements differ, first at %" PRIu64 ": %s%s", name,
                 comparison->mismatches, count, comparison->first, comparison->example, size);
}

/* Compares an image, which can only be read as a whole, or a buffer in bands. */
static enum clopt_status compare(struct clopt_session *session, unsigned buffer,
                                 const void *expected, size_t count, struct comparison *comparison)
{
    size_t bytes = element_bytes[comparison->element];
    bool whole = session->buffers->items[buffer].is_image;
    struct clopt_rows rows =
        clopt_rows_begin(session, buffer, whole ? count * bytes : bytes, whole ? 1 : count);
    for (size_t i = 0; i < rows.count && clopt_rows_find(&rows, i); i += rows.read) {
        compare_band(comparison, rows.data, expected, i, whole ? count : rows.read);
        print_example(comparison, &rows, expected);
    }
    return clopt_rows_end(&rows);
}

enum clopt_status clopt_compare(struct clopt_session *session, unsigned buffer,
                                enum clopt_element element, const void *expected, size_t count,
                                double absolute, double relative, struct clopt_verdict *verdict)
{
    if (buffer >= CLOPT_MAX_BUFFERS || !session->buffers->items[buffer].name)
        return clopt_fail(session->error, CLOPT_FAILED, "buffer number %u does not exist", buffer);
    const struct clopt_device_buffer *where = &session->buffers->items[buffer];
    if (count > where->bytes / element_bytes[element])
        return clopt_fail(session->error, CLOPT_FAILED, "buffer %s: has no %zu elements",
                          where->name, count);
    struct comparison comparison = {.element = element};
    if (is_float(element)) {
        comparison.allowed_absolute = absolute;
        comparison.allowed_relative = relative;
    }
    CLOPT_TRY(compare(session, buffer, expected, count, &comparison));
    judge(&comparison, where->name, count, verdict);
    return CLOPT_OK;
}
