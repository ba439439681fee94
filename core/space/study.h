/* SPDX-License-Identifier: BSD-3-Clause */
/* A study: which variants of which kernels are tried on which devices, and how they are timed. */
#pragma once

#include "opencl/device.h"
#include "space/component.h"
#include "trial/trial.h"

/* [device LABEL]: a device, and the name that reports give it. */
#define CLOPT_MOST_HOSTS 1024

struct clopt_study_device {
    char *label;
    bool named; /* its label is a part of its name, or of its platform's */
    char *platform;
    char *name;
    char *type;
    size_t number; /* among equal ones; CLOPT_NO_NUMBER: there is one, or it does not matter */
    size_t count;  /* of members, from that on; 0: all of them, CLOPT_NO_NUMBER: it is one */
    bool hosts_taken[CLOPT_MOST_HOSTS]; /* whose device another one of the study is */
};

#define CLOPT_NO_NUMBER    SIZE_MAX
#define CLOPT_MOST_MEMBERS 64

/* [parameter NAME]: a macro of the programs, and the values that are tried for it. */
struct clopt_study_parameter {
    char *name;
    char *help; /* NULL: none */
    enum clopt_type type;
    struct clopt_list values;
    struct clopt_number *numbers; /* of the values; NULL: texts */
    struct clopt_value initial;   /* of the initial code */
    size_t initial_number;        /* among the values; SIZE_MAX: it is not there */
    bool is_default_known;        /* `initial` is the source's own */
    struct clopt_list kernels;    /* only for variants of these kernels; empty: all */
    struct clopt_list apps;       /* only these apps have it; empty: all */
};

/* The parameters of an app, and their combinations that satisfy the constraints (parameters.h). */
struct clopt_app_parameters;
struct clopt_composition;

/* What is chosen of one kernel's variants in one group of trials; sample.h draws it. */
struct clopt_sample {
    uint64_t *variants; /* their numbers, the smallest first; a group's first kernel is 0 */
    uint64_t count;
    uint64_t infeasible; /* that were drawn, and left out */
};

/* [app NAME]: problems are the product of the lists that its inputs have. */
struct clopt_study_app {
    const struct clopt_plugin_entry *entry;
    struct clopt_values **problems;
    size_t problem_count;
    const struct clopt_kernel **kernels; /* the kernels that are optimized and reported */
    size_t kernel_count;
    struct clopt_app_parameters *parameters; /* NULL: it has none */
    struct clopt_composition *compositions;  /* the variants of each kernel: composition.h */
};

/* The parameters on which another one of the table depends, a bit each. */
struct clopt_setting_link {
    uint64_t with;
    uint64_t without;
};

/* [optimization NAME] or, where one optimization has several sections, [optimization NAME LABEL];
 * its settings are in study/settings.h. */
struct clopt_study_optimization {
    const struct clopt_plugin_entry *entry;
    char *name;               /* with the label: "geometry coarse" */
    struct clopt_list *lists; /* one a parameter of the plugin, never empty; a NULL item: unset */
    struct clopt_setting_link *links; /* one a parameter too */
    size_t parameter_count;
    struct clopt_list kernels; /* only these kernels, of any app; empty: all */
    struct clopt_list apps;    /* only these apps; empty: all */
};

/* One product that [combine] asks for: these optimizations, by index, applied in this order. */
struct clopt_product {
    bool parameters; /* and all values of the parameters */
    size_t members[CLOPT_MAX_STEPS];
    size_t count;
};

/* [rival LABEL]: a native program that solves the same problems. */
struct clopt_study_rival {
    char *label;
    char *origin;                   /* of its section: "study.ini:7" */
    struct clopt_list apps;         /* only these; empty: all */
    struct clopt_list devices;      /* measured beside these; empty: beside processors */
    json_t *program;                /* how it is built and run: trial/rival.h, */
    const struct clopt_rival *kind; /* and by whom */
};

/* [measure] */
struct clopt_measure {
    double precision;     /* what may be lost by what is named, with 95%: 0.02 */
    uint64_t min_samples; /* a process and variant, at least */
    uint64_t max_samples; /* a variant, in all processes together */
    double max_time_s;    /* a variant's samples, in all processes together */
    uint64_t processes;   /* worker processes over which samples are spread, at least */
    bool precision_named; /* the study says so: then it takes what that takes */
    double abandon;   /* a variant this many times slower than the best is not sampled further */
    bool peaks;       /* measure what the devices can do at most */
    bool pin;         /* pin the threads of CPU runtimes to cores */
    bool keep_builds; /* take compiled programs from earlier studies, and leave them to later */
    bool counters;    /* keep what drivers tell and the counter counts of every variant */
    const struct clopt_extension *counter; /* an observer; NULL: there is none */
    char *verifier;                        /* as named: results, or an observer */
    const struct clopt_observer *verifies; /* every variant passes it before it is measured; NULL:
                                            * its results tell enough */
    struct clopt_list observers;           /* all that there are look at each variant */
    enum clopt_objective objective;        /* what is measured, and made as small as can be */
    int winner_only; /* 1, aim = winner: those that cannot be the best get no more samples */
    double time_s;   /* of the whole study; 0: as long as it takes */
};

/* [limits] */
struct clopt_limits {
    double setup_s;
    double build_s;
    double launch_s;       /* first launch, with the deferred compilation */
    double trial_s;        /* everything of a trial in one worker */
    uint64_t memory_bytes; /* a worker's resident memory; 0: 90% of the machine's */
    uint64_t source_bytes; /* a rewritten source; 0: what clopt_transform_init() sets */
};

/* A variant that a search tries first, where it is among what the study searches. */
struct clopt_start {
    char *variant;     /* its name */
    char *device_type; /* for devices of this type; NULL: for all, and it has to be among them */
    char *kernel;      /* for this one; NULL: for all */
};

/* [search] */
struct clopt_search_plan {
    char *strategy; /* its name; NULL: there is no search */
    const struct clopt_strategy *chosen;
    uint64_t trials; /* at most; 0: any number */
    double time_s;   /* of the whole study; 0: as [measure] says */
    uint64_t seed;
    char *first;                /* as written; NULL: nothing */
    struct clopt_start *starts; /* the study's own, then those that ship */
    size_t start_count;
};

/* Adds a start, of all kernels, and returns it; `device_type` may be NULL. */
struct clopt_start *clopt_search_plan_add(struct clopt_search_plan *plan, const char *variant,
                                          size_t length, const char *device_type);

/* The part of a study that one of several machines does. */
struct clopt_shard {
    unsigned number; /* from 1 */
    unsigned count;  /* 0: the study is whole */
};

struct clopt_study {
    char *path; /* the INI file */
    char *title;
    char *found; /* what is known to be wrong; NULL: nothing */
    uint64_t seed;
    struct clopt_study_device *devices;
    size_t device_count;
    struct clopt_list chosen_devices; /* [study] devices; empty: all */
    struct clopt_study_app *apps;
    size_t app_count;
    struct clopt_study_parameter *parameters;
    size_t parameter_count;
    struct clopt_constraint *constraints;
    size_t constraint_count;
    struct clopt_study_optimization *optimizations;
    size_t optimization_count;
    char *combine; /* [combine] products, as written */
    struct clopt_product *products;
    size_t product_count;
    bool winners;                 /* the best variants of an app's kernels are tried together */
    uint64_t sample;              /* variants of a kernel that are chosen at random; 0: all */
    struct clopt_sample *samples; /* of each group's kernels; NULL: not drawn */
    size_t sample_count;
    size_t samples_per_group; /* as many as the app with the most kernels has */
    json_t *published; /* times that reports compare with; rows as PUT_PUBLISHED of the store takes
                        * them after the run; a time of 0: none */
    struct clopt_shard shard;         /* from the command line */
    struct clopt_study_rival *rivals; /* [rival LABEL] */
    size_t rival_count;
    struct clopt_study_host *hosts; /* on which it runs, for the transport; none: on this one */
    size_t host_count;
    const struct clopt_transport *transport; /* which destroys them, too */
    void (*hosts_destroy)(struct clopt_study_host *hosts, size_t count);
    struct clopt_search_plan search;
    struct clopt_measure measure;
    struct clopt_limits limits;
    char *effective; /* the whole configuration as INI, each value with its origin as a comment */
};

void clopt_study_destroy(struct clopt_study *study);
CLOPT_HOLDER(clopt_study, clopt_study_destroy);
void clopt_study_device_fini(struct clopt_study_device *device);

/* Whether a list names something, or is empty, which names all. */
bool clopt_study_names(const struct clopt_list *list, const char *name);

/* Takes away the samples that have been drawn. */
void clopt_study_forget_samples(struct clopt_study *study);

/* Returns the sample of a kernel in a group; NULL: all of its variants are tried. */
const struct clopt_sample *clopt_study_sample(const struct clopt_study *study, size_t group,
                                              size_t kernel);

/* Whether a rival is measured with an app, beside a study's device of this type. */
bool clopt_study_has_rival(const struct clopt_study *study, const struct clopt_study_rival *rival,
                           size_t app, size_t device, const char *type);

/* Checks the rivals that are measured beside the study's devices, `devices[i]` being number i:
 * their sources are there, and their compilers. */
enum clopt_status clopt_study_check_rivals(const struct clopt_study *study,
                                           const struct clopt_device_info *devices,
                                           const char *kernel_path, struct clopt_error *error);

/* Chooses those of `devices` that a study's device number `device` has as members; there is room
 * for CLOPT_MOST_MEMBERS. */
enum clopt_status clopt_study_choose_members(const struct clopt_study *study, size_t device,
                                             const struct clopt_device_info *devices, size_t count,
                                             size_t *members, size_t *member_count,
                                             struct clopt_error *error);
