/* SPDX-License-Identifier: BSD-3-Clause */
/* What the searches of a study would try first. */
#include "commands/study/preview.h"

#include <sys/mman.h>

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
    struct findings *found;          /* in memory that is shared with children */
    const struct clopt_trial *trial; /* what was asked for last: a child begins with it */
    size_t number;                   /* of it */
};

/* What is known of the variants that a search asks for, in their order: why they cannot be made. */
struct findings {
    size_t count;
    struct clopt_error reasons[MOST_ASKED];
};

struct clopt_preview *clopt_preview_create(const struct clopt_study *study,
                                           const struct clopt_device_info *devices,
                                           const char *kernel_path)
{
    struct clopt_preview *preview = clopt_calloc(1, sizeof *preview);
    *preview =
        (struct clopt_preview){.study = study, .devices = devices, .kernel_path = kernel_path};
    preview->found = mmap(NULL, sizeof *preview->found, PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return preview;
}

static void leave_kernel(struct clopt_preview *preview)
{
    clopt_tuner_destroy(preview->tuner);
    clopt_app_source_fini(&preview->source);
    preview->tuner = NULL;
    preview->shown = preview->asked = 0;
    if (preview->found != MAP_FAILED)
        preview->found->count = 0;
}

void clopt_preview_destroy(struct clopt_preview *preview)
{
    if (!preview)
        return;
    leave_kernel(preview);
    if (preview->found != MAP_FAILED)
        munmap(preview->found, sizeof *preview->found);
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

static bool asks_more(const struct clopt_preview *preview)
{
    uint64_t trials = preview->study->search.trials;
    size_t most = trials && trials < SHOWN ? trials : SHOWN;
    return preview->shown < most && preview->asked < MOST_ASKED;
}

/* Takes in what is known of a variant. */
static enum clopt_status answer(struct clopt_preview *preview, size_t number,
                                const struct clopt_error *reason, struct clopt_error *error)
{
    preview->asked++;
    preview->shown += !reason->status;
    return reason->status ? clopt_tuner_refuse(preview->tuner, number, reason->message, error)
                          : CLOPT_OK;
}

/* In a child: finds what can be made, from a variant on as far as the search goes. Each has the
 * time that a build has. The parent follows, and meets what fails here besides variants. */
static enum clopt_status make_all(void *user, struct clopt_error *error)
{
    struct clopt_preview *preview = user;
    struct findings *found = preview->found;
    CLOPT_OWNED(clopt_trial) trial = {0};
    clopt_trial_copy(preview->trial, &trial);
    size_t number = preview->number;
    for (bool more = true; more;) {
        CLOPT_OWNED(clopt_variant) variant = {0};
        struct clopt_error *reason = &found->reasons[found->count];
        uint64_t ordinal;
        *error = *reason = (struct clopt_error){0};
        clopt_child_limit(error, preview->study->limits.build_s, NULL);
        enum clopt_status status =
            clopt_variant_make(&trial, &preview->source, device_of(preview), &variant, error);
        if (status)
            clopt_fail(reason, status, "%s", error->message);
        found->count++;
        clopt_trial_fini(&trial);
        *error = (struct clopt_error){0};
        if (answer(preview, number, reason, error) || !asks_more(preview) ||
            clopt_tuner_ask(preview->tuner, &number, &trial, &ordinal, &more, error))
            break;
    }
    return CLOPT_OK;
}

/* Asks for a variant; *feasible tells whether it can be made. A child makes many, until one ends
 * it, which costs that one. */
static enum clopt_status ask(struct clopt_preview *preview, struct clopt_trial *trial, bool *more,
                             bool *feasible, struct clopt_error *error)
{
    const struct clopt_study *study = preview->study;
    const struct clopt_child_limits limits = {.memory_bytes =
                                                  clopt_memory_limit(study->limits.memory_bytes)};
    struct findings *found = preview->found;
    uint64_t ordinal;
    *feasible = false;
    if (found == MAP_FAILED)
        return clopt_fail_memory(error);
    CLOPT_TRY(clopt_tuner_ask(preview->tuner, &preview->number, trial, &ordinal, more, error));
    if (!*more)
        return CLOPT_OK;
    preview->trial = trial;
    struct clopt_error *reason = &found->reasons[preview->asked];
    struct clopt_error lost = {0};
    if (preview->asked == found->count && clopt_child_run(&limits, make_all, preview, &lost) &&
        found->count < MOST_ASKED)
        found->reasons[found->count++] = lost;
    *feasible = !reason->status;
    if (!*feasible)
        clopt_trial_fini(trial);
    return answer(preview, preview->number, reason, error);
}

static enum clopt_status next(void *user, size_t group, struct clopt_trial *trial, bool *more,
                              struct clopt_error *error)
{
    struct clopt_preview *preview = user;
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
        if (asks_more(preview))
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
