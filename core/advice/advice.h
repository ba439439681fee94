/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice from experience: which variants of a kernel that has never been tried are worth trying
 * first, by what was recorded of others. */
#ifndef CLOPT_ADVICE_ADVICE_H
#define CLOPT_ADVICE_ADVICE_H

#include <stdio.h>

#include "advice/lesson.h"
#include "trial/variant.h"

struct clopt_advice; /* what was learnt from */

/* Starts without anything. */
enum clopt_status clopt_advice_create(struct clopt_advice **advice, struct clopt_error *error);
void clopt_advice_destroy(struct clopt_advice *advice);

/* Learns from a recorded space, or from all kernels of a store. CLOPT_INVALID names the file and
 * what it lacks. */
enum clopt_status clopt_advice_learn(struct clopt_advice *advice, const char *path,
                                     struct clopt_error *error);

/* What there is to learn from, in the order in which it was read. */
size_t clopt_advice_count(const struct clopt_advice *advice);
const struct clopt_lesson *clopt_advice_lesson(const struct clopt_advice *advice, size_t index);

/* A kernel and a device to give advice for. */
struct clopt_advice_subject {
    struct clopt_profile profile;
    struct clopt_lesson_device device;
};

/* Describes the initial code of a trial on a device; peaks are those of the device in what was
 * learnt from, where they are there. */
enum clopt_status clopt_advice_describe_trial(const struct clopt_advice *advice,
                                              const struct clopt_trial *trial,
                                              const struct clopt_app_source *source,
                                              const struct clopt_device_info *device,
                                              struct clopt_advice_subject *subject,
                                              struct clopt_error *error);

/* A forest, grown from the lessons of one type of device, without those of the kernel `except`
 * (NULL: none); CLOPT_FAILED where there is none to learn from. */
struct clopt_advice_model;
enum clopt_status clopt_advice_model_create(const struct clopt_advice *advice,
                                            const char *device_type, const char *except,
                                            struct clopt_advice_model **model,
                                            struct clopt_error *error);
void clopt_advice_model_destroy(struct clopt_advice_model *model);

/* A speed-up over the initial code that is expected, and the range in which four of five are. */
struct clopt_expected {
    double speedup;
    double low;
    double high;
};
struct clopt_expected clopt_advice_expect(const struct clopt_advice_model *model,
                                          const struct clopt_advice_subject *subject,
                                          const char *variant);

/* A variant that is worth trying. */
struct clopt_candidate {
    struct clopt_trial trial;
    char *name;
    struct clopt_expected expected;
};

struct clopt_candidates {
    struct clopt_candidate *items; /* the most promising first */
    size_t count;
    size_t considered; /* compositions of steps that were tried elsewhere */
    size_t infeasible; /* of those that were looked at */
};

/* Finds the `most` variants that promise most among the compositions of steps that were tried on
 * other kernels, and that are feasible for this one: each is rewritten, and no program is there
 * twice. `trial` is the initial code. */
enum clopt_status clopt_advice_find(const struct clopt_advice *advice,
                                    const struct clopt_advice_model *model,
                                    const struct clopt_advice_subject *subject,
                                    const struct clopt_trial *trial,
                                    const struct clopt_app_source *source,
                                    const struct clopt_registry *registry,
                                    const struct clopt_device_info *device, size_t most,
                                    struct clopt_candidates *candidates, struct clopt_error *error);
void clopt_candidates_fini(struct clopt_candidates *candidates);

/* How far apart two kernels are, 0 being alike, in what the lessons say of them. */
double clopt_advice_distance(const struct clopt_advice *advice, const struct clopt_profile *one,
                             const struct clopt_profile *other);

/* Prints, for each kernel that was learnt from, how good advice from all others would have been. */
enum clopt_status clopt_advice_validate(const struct clopt_advice *advice, FILE *stream,
                                        struct clopt_error *error);

#endif
