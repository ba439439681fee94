/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice from experience: which variants of a kernel that has never been tried are worth trying
 * first, by what was recorded of others. */
#pragma once

#include "commands/advise/training_record.h"
#include "space/study.h"
#include "text/json.h"
#include "trial/variant.h"

/* What was learnt from, in the order in which it was read. */
struct clopt_advice {
    const struct clopt_registry *registry; /* which reads stores */
    struct clopt_training_record *records;
    size_t count;
};
void clopt_advice_fini(struct clopt_advice *advice);

/* Learns from a recorded space, or from all kernels of a store. CLOPT_INVALID names the file and
 * what it lacks. */
enum clopt_status clopt_advice_learn(struct clopt_advice *advice, const char *path,
                                     struct clopt_error *error);

/* A kernel and a device to give advice for. */
struct clopt_advice_subject {
    struct clopt_profile profile;
    struct clopt_training_record_device device;
};

/* Returns the initial code of a record, on its device. */
struct clopt_advice_subject clopt_advice_subject_of(const struct clopt_training_record *record);

/* A forest, grown from all records but those of the kernel `except` (NULL: none); CLOPT_FAILED
 * where there is none of the type of device. */
struct clopt_advice_model;
enum clopt_status clopt_advice_model_create(const struct clopt_advice *advice,
                                            const char *device_type, const char *except,
                                            struct clopt_advice_model **model,
                                            struct clopt_error *error);
void clopt_advice_model_destroy(struct clopt_advice_model *model);
CLOPT_HOLDER(clopt_advice_model, clopt_advice_model_destroy);

/* A speed-up over the initial code that is expected, and the range in which four of five are. */
struct clopt_expected {
    double speedup;
    double low;
    double high;
    double counted; /* the speed-up by what the kernels do alone, without what was learnt */
    bool safe;      /* faster, and a tenth of the trees at most expects that it costs over 10% */
};
struct clopt_expected clopt_advice_expect(const struct clopt_advice_model *model,
                                          const struct clopt_advice_subject *subject,
                                          const struct clopt_profile *variant);

/* Returns the gain of a variant by what its rewritten kernel and the initial code do, as a
 * logarithm to base 2. Costs are powers of two or close to them, as such devices' vendors document
 * their instructions; they were not fitted, but their author had seen which variants of the
 * recorded spaces were the best (doc/results.md). */
double clopt_count_gain(const struct clopt_advice_subject *subject,
                        const struct clopt_profile *variant);

/* Orders what is expected for qsort(): what is safe first, then by what is counted. */
int clopt_expected_compare(const struct clopt_expected *one, const struct clopt_expected *other);

/* A variant that is worth trying. */
struct clopt_proposal {
    struct clopt_trial trial;
    char *name;
    struct clopt_expected expected;
};

struct clopt_proposals {
    struct clopt_proposal *items; /* the most promising first */
    size_t count;
    size_t infeasible; /* of those that were looked at */
};

/* What variants are wanted of. */
struct clopt_advice_request {
    const struct clopt_advice *advice;
    const struct clopt_advice_model *model;
    const struct clopt_advice_subject *subject;
    const struct clopt_trial *trial; /* the initial code */
    const struct clopt_app_source *source;
    const struct clopt_registry *registry;
    const struct clopt_device_info *device;
    size_t most;      /* so many */
    char *const *own; /* variants of the study itself, by name */
    size_t own_count;
};

/* Describes the initial code on the device, which is the subject of a request: peaks are those of
 * the device in what was learnt from, where they are there. */
enum clopt_status clopt_advice_describe_trial(const struct clopt_advice_request *request,
                                              struct clopt_advice_subject *subject,
                                              struct clopt_error *error);

/* Finds the variants that promise most among the compositions of steps that gained most on the
 * kernels that are most like this one, and the study's own: each is rewritten, so that it is
 * feasible and what it does is known, and no program is there twice. */
struct clopt_proposals clopt_advice_find(const struct clopt_advice_request *request);
void clopt_proposals_fini(struct clopt_proposals *proposals);

/* How far apart two kernels are, 0 being alike, in what the records say of them. */
double clopt_advice_distance(const struct clopt_advice *advice, const struct clopt_profile *one,
                             const struct clopt_profile *other);

/* Prints, for each kernel that was learnt from, how good advice from all others would have been. */
enum clopt_status clopt_advice_validate(const struct clopt_advice *advice, FILE *stream,
                                        struct clopt_error *error);

/* ---- says which variants are worth trying, and from what that is known ---- */

struct clopt_advice_print {
    const struct clopt_advice *advice;
    const struct clopt_advice_subject *subject;
    const struct clopt_trial *trial; /* the initial code */
    const struct clopt_device_info *device;
    const struct clopt_proposals *proposals;
    const json_t *guidelines;         /* that say something of the kernel */
    const char *pattern;              /* what the kernel is; NULL: nothing is known */
    const struct clopt_start *starts; /* what searches try first for that */
    size_t start_count;
};

/* Print it for people, after an empty line where it is not the first, and for machines. */
enum clopt_status clopt_advice_print(const struct clopt_advice_print *print, bool again,
                                     FILE *stream, struct clopt_error *error);
json_t *clopt_advice_to_json(const struct clopt_advice_print *print);
