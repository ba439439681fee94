/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the patterns of kernels, and which steps can be applied to them first. */
#include "commands/advise/kernel_pattern.h"

#include <sys/mman.h>

#include "process/child.h"
#include "shared/variant_parse.h"
#include "space/composition.h"
#include "text/text.h"

#define REUSES "+loops(divide=512,reuse=yes,reassociate=yes,loops=outer)"

/* A kernel whose pattern is looked for, for a device. */
struct tried {
    const struct clopt_trial *trial;
    const struct clopt_app_source *source;
    const struct clopt_registry *registry;
    const struct clopt_device_info *device;
};

/* Whether a step alone can be applied. */
static bool applies(const struct tried *tried, const char *name)
{
    CLOPT_OWNED(clopt_trial) trial = {0};
    CLOPT_OWNED(clopt_variant) variant = {0};
    struct clopt_error reason = {0};
    clopt_trial_copy(tried->trial, &trial);
    return !clopt_trial_parse_name(&trial, name, tried->registry, &reason) &&
           !clopt_variant_make(&trial, tried->source, tried->device, &variant, &reason);
}

/* Whether loops can be changed, where pointers become restrict first if they can; `more` follows.
 */
static bool loops_apply(const struct tried *tried, bool aliases, const char *change,
                        const char *more)
{
    CLOPT_FREED char *name =
        clopt_text_format("loops(%s%s)%s", change, aliases ? ",restrict=yes" : "", more);
    return applies(tried, name);
}

/* Returns how large a work-group can be that shares loops of few work-items; 0: it cannot. */
static unsigned find_few(const struct tried *tried, unsigned dimensions)
{
    static const unsigned sizes[] = {1024, 512, 128, 64};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        CLOPT_FREED char *name = clopt_text_format(
            "geometry(local_size=%u%s)+loops(divide=32,reassociate=yes,loops=outer)", sizes[i],
            dimensions > 1 ? "x1" : "");
        if (applies(tried, name))
            return sizes[i];
    }
    return 0;
}

/* Returns how many work-items a group can have whose rows it brings into local memory; 0: none. */
static unsigned find_records(const struct tried *tried)
{
    static const char *const guards[] = {"", "branches(guards=yes)+"};
    unsigned found = 0;
    for (size_t g = 0; g < sizeof guards / sizeof *guards && !found; g++)
        for (unsigned size = 32; size <= 128; size *= 2) {
            CLOPT_FREED char *name =
                clopt_text_format("%sgeometry(local_size=%u)+memory(records=all)", guards[g], size);
            if (!applies(tried, name))
                break;
            found = size;
        }
    return found;
}

/* Finds what a kernel is; counters only where a work-group can have some of its own. What is known
 * of the pattern before is kept. */
static void find_pattern(const struct tried *tried, const struct clopt_source *tree,
                         const struct clopt_kernel_work *work, struct clopt_kernel_pattern *pattern)
{
    const struct clopt_ndrange *ndrange = &work->ndrange;
    if (clopt_kernel_counters_find(tree, pattern)) {
        pattern->dimensions = ndrange->dimensions;
        pattern->counted = applies(tried, "memory(privatise=all)");
        pattern->tested = applies(tried, "memory(test=yes)");
        if (pattern->counted || applies(tried, "memory(privatise=all,window=1024)"))
            return;
    }
    bool specialised = pattern->specialised;
    clopt_kernel_pattern_find(tree, ndrange, pattern);
    pattern->specialised = specialised;
    bool window = pattern->kind == CLOPT_KERNEL_STENCIL ||
                  pattern->kind == CLOPT_KERNEL_CONVOLUTION ||
                  (pattern->kind == CLOPT_KERNEL_OTHER && ndrange->dimensions > 1 &&
                   (pattern->trip_count > 2 || pattern->written || pattern->specialised));
    pattern->bordered = window && applies(tried, "branches(borders=yes)");
    pattern->rows = pattern->bordered && applies(tried, "branches(borders=rows)");
    /* Indices that are limited are near those that are not. */
    if (pattern->bordered && pattern->kind == CLOPT_KERNEL_OTHER)
        pattern->kind = CLOPT_KERNEL_STENCIL;
    if (pattern->kind == CLOPT_KERNEL_OTHER && pattern->trip_count && !pattern->written &&
        applies(tried, "vector(within=4,aligned=yes,reassociate=yes)"))
        pattern->kind = CLOPT_KERNEL_RECORDS;
    if (ndrange->dimensions == 1)
        pattern->records = find_records(tried);
    if (pattern->records && pattern->kind == CLOPT_KERNEL_OTHER) {
        pattern->kind = CLOPT_KERNEL_RECORDS;
        pattern->line = clopt_source_line(tree, tree->kernel->body);
    }
    if (pattern->kind == CLOPT_KERNEL_OTHER && ndrange->dimensions > 1)
        clopt_kernel_lines_find(tree, pattern);
    if (clopt_kernel_is_few(tree, work, pattern))
        pattern->few = find_few(tried, ndrange->dimensions);
    if (pattern->shared && !applies(tried, "loops(share=2,reassociate=yes,loops=outer)"))
        pattern->shared = 0;
    if ((pattern->few || pattern->shared) && pattern->kind == CLOPT_KERNEL_OTHER)
        pattern->kind = CLOPT_KERNEL_SUMS;
    if (pattern->kind == CLOPT_KERNEL_OTHER)
        clopt_kernel_narrow_find(tree, pattern);
    const struct clopt_node *wait =
        clopt_node_find_effect(tree->kernel->body, CLOPT_EFFECT_COLLECTIVE);
    if (pattern->kind == CLOPT_KERNEL_OTHER && wait && applies(tried, "geometry(serial=yes)")) {
        pattern->kind = CLOPT_KERNEL_WAITS;
        pattern->line = clopt_source_line(tree, wait);
    }
}

/* Finds out how many work-items guards leave, as a variant without them asks of launches; false:
 * there is none. */
static bool find_guards(const struct tried *tried, const struct clopt_kernel_work *work,
                        struct clopt_kernel_pattern *pattern)
{
    CLOPT_OWNED(clopt_trial) trial = {0};
    CLOPT_OWNED(clopt_variant) variant = {0};
    struct clopt_error reason = {0};
    clopt_trial_copy(tried->trial, &trial);
    if (clopt_trial_parse_name(&trial, "branches(guards=yes)", tried->registry, &reason) ||
        clopt_variant_make(&trial, tried->source, tried->device, &variant, &reason))
        return false;
    const struct clopt_ndrange_change *change = &variant.changes[0].change;
    for (size_t i = 0; variant.change_count && i < change->multiple_count; i++) {
        const struct clopt_argument_multiple *own = &change->multiples[i];
        if (own->covers && own->argument < CLOPT_MOST_KNOWN && work->arguments[own->argument].known)
            pattern->most[own->covers - 1] = (uint64_t)work->arguments[own->argument].value;
    }
    return true;
}

/* Looks for a stencil whose size an argument says, in the kernel that is made for its value, where
 * no more than lines of work-items is known. */
static enum clopt_status find_specialised(const struct tried *tried,
                                          const struct clopt_kernel_work *work,
                                          struct clopt_kernel_pattern *pattern,
                                          struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) tree = NULL;
    CLOPT_OWNED(clopt_trial) trial = {0};
    CLOPT_OWNED(clopt_variant) variant = {0};
    struct clopt_kernel_pattern found = {.specialised = true};
    bool lines = pattern->kind == CLOPT_KERNEL_ROWS || pattern->kind == CLOPT_KERNEL_COLUMNS ||
                 (pattern->kind == CLOPT_KERNEL_NARROW && pattern->loops);
    if ((pattern->kind != CLOPT_KERNEL_OTHER && !lines) || work->ndrange.dimensions < 2 ||
        !loops_apply(tried, false, CLOPT_KNOWN_WINDOWS, ""))
        return CLOPT_OK;
    clopt_trial_copy(tried->trial, &trial);
    CLOPT_TRY(
        clopt_trial_parse_name(&trial, "loops(" CLOPT_KNOWN_WINDOWS ")", tried->registry, error));
    CLOPT_TRY(clopt_variant_make(&trial, tried->source, tried->device, &variant, error));
    CLOPT_TRY(clopt_source_create(tried->source->path, variant.source, NULL, variant.dialect,
                                  trial.kernel->name, &tree, error));
    find_pattern(tried, tree, work, &found);
    if (found.kind == CLOPT_KERNEL_STENCIL || found.kind == CLOPT_KERNEL_CONVOLUTION)
        *pattern = found;
    return CLOPT_OK;
}

enum clopt_status clopt_kernel_pattern_of(const struct clopt_trial *trial,
                                          const struct clopt_app_source *source,
                                          const struct clopt_registry *registry,
                                          const struct clopt_device_info *device,
                                          struct clopt_kernel_pattern *pattern,
                                          struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) tree = NULL;
    CLOPT_OWNED(clopt_variant) variant = {0};
    struct clopt_kernel_work work;
    const struct tried tried = {trial, source, registry, device};
    CLOPT_TRY(clopt_variant_make(trial, source, device, &variant, error));
    CLOPT_TRY(clopt_trial_describe(trial, variant.knobs, trial->kernel, &work, error));
    CLOPT_TRY(clopt_source_create(source->path, variant.source, NULL, variant.dialect,
                                  trial->kernel->name, &tree, error));
    pattern->specialised = false;
    find_pattern(&tried, tree, &work, pattern);
    CLOPT_TRY(find_specialised(&tried, &work, pattern, error));
    enum clopt_kernel_kind kind = pattern->kind;
    if (kind == CLOPT_KERNEL_OTHER)
        return CLOPT_OK;
    pattern->selects = kind == CLOPT_KERNEL_STENCIL && !pattern->bordered && !pattern->written &&
                       applies(&tried, "branches(flatten=yes)");
    pattern->aliases = applies(&tried, "loops(restrict=yes)");
    pattern->guarded = find_guards(&tried, &work, pattern);
    if (kind == CLOPT_KERNEL_COUNTERS)
        return CLOPT_OK;
    pattern->reused = kind == CLOPT_KERNEL_ROWS && !pattern->nested &&
                      loops_apply(&tried, pattern->aliases, CLOPT_KNOWN_LENGTHS,
                                  pattern->dimensions > 1 ? "+geometry(local_size=512x1)" REUSES
                                                          : "+geometry(local_size=512)" REUSES);
    pattern->masked = !pattern->specialised && kind != CLOPT_KERNEL_ROWS &&
                      kind != CLOPT_KERNEL_CONVOLUTION && applies(&tried, "branches(masks=yes)");
    bool shared = kind == CLOPT_KERNEL_SHARED;
    pattern->accumulates =
        loops_apply(&tried, pattern->aliases,
                    shared ? "registers=yes,loops=nests" : "registers=yes,reassociate=yes", "");
    bool tiled = kind == CLOPT_KERNEL_PRODUCT || kind == CLOPT_KERNEL_BATCH || shared;
    pattern->stored = tiled && applies(&tried, "branches(guards=stores)");
    pattern->taps = tiled && !shared && pattern->nested &&
                    loops_apply(&tried, pattern->aliases && !pattern->stored, CLOPT_KNOWN_WINDOWS,
                                "+loops(unroll=full)");
    pattern->restricts = pattern->stored && pattern->aliases &&
                         !applies(&tried, "branches(guards=stores)+loops(restrict=yes)");
    return CLOPT_OK;
}

/* What a child finds. */
struct finding {
    struct clopt_study *study;
    const struct clopt_registry *registry;
    const char *kernel_path;
    struct clopt_kernel_pattern
        *patterns; /* of all kernels of all apps, in memory that is shared */
};

/* Finds the patterns of an app's kernels, for its first problem; returns how many there are. */
static size_t find_app(const struct finding *finding, size_t app,
                       struct clopt_kernel_pattern *patterns)
{
    const struct clopt_study *study = finding->study;
    CLOPT_OWNED(clopt_app_source) source = {0};
    struct clopt_error reason = {0};
    size_t group = 0;
    while (group < clopt_space_group_count(study) && clopt_space_group(study, group).app != app)
        group++;
    if (group < clopt_space_group_count(study) &&
        !clopt_app_source_read(study->apps[app].entry->extension->app, finding->kernel_path,
                               &source, &reason))
        for (size_t k = 0; k < study->apps[app].kernel_count; k++) {
            struct clopt_subspace space = clopt_subspace(study, group, k);
            CLOPT_OWNED(clopt_trial) trial = {0};
            if (!clopt_composition_trial(&space, NULL, &trial, &reason))
                clopt_kernel_pattern_of(&trial, &source, finding->registry, NULL, &patterns[k],
                                        &reason);
        }
    return study->apps[app].kernel_count;
}

static enum clopt_status find_all(void *user, struct clopt_error *error)
{
    const struct finding *finding = user;
    struct clopt_kernel_pattern *next = finding->patterns;
    (void)error;
    for (size_t i = 0; i < finding->study->app_count; i++)
        next += find_app(finding, i, next);
    return CLOPT_OK;
}

void clopt_kernel_patterns_start(struct clopt_study *study, const struct clopt_registry *registry,
                                 const char *kernel_path)
{
    const struct clopt_child_limits limits = {.seconds = study->limits.build_s,
                                              .memory_bytes =
                                                  clopt_memory_limit(study->limits.memory_bytes)};
    struct clopt_error reason = {0};
    size_t count = 0;
    for (size_t i = 0; i < study->app_count; i++)
        count += study->apps[i].kernel_count;
    size_t size = (count + 1) * sizeof(struct clopt_kernel_pattern);
    struct clopt_kernel_pattern *patterns =
        mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct finding finding = {study, registry, kernel_path, patterns};
    if (patterns == MAP_FAILED)
        return;
    clopt_child_run(&limits, find_all, &finding, &reason);
    for (size_t i = 0, next = 0; i < study->app_count; i++)
        for (size_t k = 0; k < study->apps[i].kernel_count; k++)
            clopt_kernel_pattern_start(&patterns[next++], study->apps[i].kernels[k]->name,
                                       &study->search);
    munmap(patterns, size);
}
