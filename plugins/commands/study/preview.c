/* SPDX-License-Identifier: BSD-3-Clause */
/* What the searches of a study would try first. */
#include "commands/study/preview.h"

#include "search/tuner.h"
#include "space/space.h"
#include "trial/variant.h"

#define SHOWN      12  /* variants of a kernel */
#define MOST_ASKED 600 /* for them */

struct clopt_preview {
    const struct clopt_study *study;
    const struct clopt_device_info *devices;
    const char *kernel_path;
    size_t group; /* that `tuner` is for, with the kernel */
    size_t kernel;
    size_t shown;
    size_t asked;
    struct clopt_tuner *tuner; /* NULL: none yet */
    struct clopt_app_source source;
};

/* What a child makes. */
struct making {
    const struct clopt_trial *trial;
    const struct clopt_app_source *source;
    const struct clopt_device_info *device;
};

struct clopt_preview *clopt_preview_create(const struct clopt_study *study,
                                           const struct clopt_device_info *devices,
                                           const char *kernel_path)
{
    struct clopt_preview *preview = clopt_calloc(1, sizeof *preview);
    *preview =
        (struct clopt_preview){.study = study, .devices = devices, .kernel_path = kernel_path};
    return preview;
}

static void leave_kernel(struct clopt_preview *preview)
{
    clopt_tuner_destroy(preview->tuner);
    clopt_app_source_fini(&preview->source);
    preview->tuner = NULL;
    preview->shown = preview->asked = 0;
}

void clopt_preview_destroy(struct clopt_preview *preview)
{
    if (preview)
        leave_kernel(preview);
    free(preview);
}

static const struct clopt_study_app *app_of(const struct clopt_preview *preview)
{
    size_t app = clopt_space_group(preview->study, preview->group).app;
    return &preview->study->apps[app];
}

static const struct clopt_device_info *device_of(const struct clopt_preview *preview)
{
    return &preview->devices[clopt_space_group(preview->study, preview->group).device];
}

static enum clopt_status make(void *user, struct clopt_error *error)
{
    const struct making *making = user;
    CLOPT_OWNED(clopt_variant) variant = {0};
    return clopt_variant_make(making->trial, making->source, making->device, &variant, error);
}

/* Asks for a variant; *feasible tells whether it can be made. */
static enum clopt_status ask(struct clopt_preview *preview, struct clopt_trial *trial, bool *more,
                             bool *feasible, struct clopt_error *error)
{
    const struct clopt_study *study = preview->study;
    const struct clopt_child_limits limits = {.seconds = study->limits.build_s,
                                              .memory_bytes =
                                                  clopt_memory_limit(study->limits.memory_bytes)};
    struct making making = {trial, &preview->source, device_of(preview)};
    struct clopt_error reason = {0};
    size_t number;
    uint64_t ordinal;
    *feasible = false;
    CLOPT_TRY(clopt_tuner_ask(preview->tuner, &number, trial, &ordinal, more, error));
    if (!*more)
        return CLOPT_OK;
    preview->asked++;
    *feasible = clopt_child_run(&limits, make, &making, &reason) == CLOPT_OK;
    preview->shown += *feasible;
    if (*feasible)
        return CLOPT_OK;
    clopt_trial_fini(trial);
    return clopt_tuner_refuse(preview->tuner, number, reason.message, error);
}

static enum clopt_status next(void *user, size_t group, struct clopt_trial *trial, bool *more,
                              struct clopt_error *error)
{
    struct clopt_preview *preview = user;
    uint64_t trials = preview->study->search.trials;
    size_t most = trials && trials < SHOWN ? trials : SHOWN;
    if (group != preview->group) {
        leave_kernel(preview);
        preview->group = group;
        preview->kernel = 0;
    }
    for (*more = false; !*more && preview->kernel < app_of(preview)->kernel_count;) {
        bool left = false;
        if (!preview->tuner) {
            const struct clopt_app *app = app_of(preview)->entry->extension->app;
            CLOPT_TRY(clopt_app_source_read(app, preview->kernel_path, &preview->source, error));
            CLOPT_TRY(clopt_tuner_create(preview->study, preview->group, preview->kernel,
                                         device_of(preview), &preview->tuner, error));
        }
        if (preview->shown < most && preview->asked < MOST_ASKED)
            CLOPT_TRY(ask(preview, trial, &left, more, error));
        if (!left) {
            leave_kernel(preview);
            preview->kernel++;
        }
    }
    return CLOPT_OK;
}

struct clopt_dry_run_search clopt_preview_search(struct clopt_preview *preview)
{
    return (struct clopt_dry_run_search){.next = next, .user = preview};
}
