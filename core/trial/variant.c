/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes variants: checks a trial's steps, and applies them. */
#include "trial/variant.h"

#include "text/build_options.h"
#include "text/changed_lines.h"

/* Checks that the knobs that a step sets change its kernel. */
static enum clopt_status check_touches(const struct clopt_trial *trial,
                                       const struct clopt_step *step,
                                       const struct clopt_kernel *kernel, struct clopt_error *error)
{
    const struct clopt_parameter *parameters =
        step->optimization->extension->optimization->parameters;
    for (size_t i = 0; i < step->values->count; i++) {
        const struct clopt_value *value = &step->values->items[i];
        if (!parameters[i].knob || !value->text)
            continue;
        const struct clopt_knob *knob =
            clopt_knob_find(trial->app, step->optimization, value->name);
        if (knob && !clopt_knob_touches(knob, kernel->name)) {
            clopt_fail(error, CLOPT_INFEASIBLE, "%s of %s does not change %s", value->name,
                       trial->app->extension->name, kernel->name);
            return clopt_step_fail(trial, step, CLOPT_INFEASIBLE, error);
        }
    }
    return CLOPT_OK;
}

/* Asks the app about a kernel. Values of knobs that cannot go together make no variant. */
static enum clopt_status describe(const struct clopt_trial *trial, const struct clopt_values *knobs,
                                  const struct clopt_kernel *kernel, struct clopt_kernel_work *work,
                                  struct clopt_error *error)
{
    enum clopt_status status = clopt_trial_describe(trial, knobs, kernel, work, error);
    if (status == CLOPT_INVALID && !clopt_trial_is_initial(trial)) {
        status = CLOPT_INFEASIBLE;
        if (error)
            error->status = status;
    }
    return status;
}

/* Whether a device, which may be unknown, can run work-groups of a kernel: launches over its limits
 * must fail. Local memory has a limit, too, but drivers go over it: that is tried. */
static enum clopt_status fits_work_group(const char *kernel, const struct clopt_ndrange *ndrange,
                                         const struct clopt_device_info *device,
                                         struct clopt_error *error)
{
    size_t items = 1;
    if (!device)
        return CLOPT_OK;
    for (unsigned d = 0; d < 3 && d < ndrange->dimensions; d++) {
        size_t local = ndrange->local[d] ? ndrange->local[d] : 1;
        size_t most = device->max_work_item_sizes[d];
        if (most && local > most)
            return clopt_fail(error, CLOPT_INFEASIBLE,
                              "%s needs %zu work-items in dimension %u of a work-group, the device "
                              "allows %zu",
                              kernel, local, d, most);
        items = items > SIZE_MAX / local ? SIZE_MAX : items * local;
    }
    if (device->max_work_group_size && items > device->max_work_group_size)
        return clopt_fail(error, CLOPT_INFEASIBLE,
                          "%s needs work-groups of %zu work-items, the device allows %zu", kernel,
                          items, device->max_work_group_size);
    return CLOPT_OK;
}

/* Checks that every kernel of the app fits the device: a knob changes them all. What a kernel
 * becomes by rewriting is not known here. */
static enum clopt_status check_kernels(const struct clopt_trial *trial,
                                       const struct clopt_values *knobs,
                                       const struct clopt_device_info *device,
                                       struct clopt_error *error)
{
    const struct clopt_kernel *kernel = trial->app->extension->app->kernels;
    for (; kernel->name; kernel++) {
        struct clopt_kernel_work work;
        CLOPT_TRY(describe(trial, knobs, kernel, &work, error));
        if (!clopt_trial_rewrites(trial, kernel))
            CLOPT_TRY(fits_work_group(kernel->name, &work.ndrange, device, error));
    }
    return CLOPT_OK;
}

/* What the kernels of a variant are rewritten from. */
struct making {
    const struct clopt_trial *trial;
    const struct clopt_device_info *device;
    const char *file;
    struct clopt_variant *variant; /* so far; without a source its steps are checked only */
};

/* Starts the transform of a kernel. */
static enum clopt_status start_transform(const struct making *making,
                                         const struct clopt_kernel *kernel,
                                         struct clopt_transform *transform,
                                         struct clopt_error *error)
{
    *transform = (struct clopt_transform){0};
    struct clopt_kernel_work work;
    const struct clopt_variant *variant = making->variant;
    CLOPT_TRY(describe(making->trial, variant->knobs, kernel, &work, error));
    clopt_transform_init(transform, kernel->name, making->file, variant->source, variant->options,
                         &work.ndrange);
    if (making->trial->source_limit)
        transform->most_bytes = making->trial->source_limit;
    transform->device = making->device;
    transform->launched = making->trial->app->extension->app->kernels;
    memcpy(transform->arguments, work.arguments, sizeof work.arguments);
    const struct clopt_alternative *other = clopt_trial_alternative(making->trial);
    if (other)
        kernel = &other->program->kernels[kernel - making->trial->app->extension->app->kernels];
    transform->any_local_size = kernel->any_local_size;
    transform->whole_groups = kernel->whole_groups;
    return CLOPT_OK;
}

/* Asks each optimization about its step of a part, or has it do that. */
static enum clopt_status walk_steps(const struct making *making,
                                    const struct clopt_trial_part *part, bool apply,
                                    struct clopt_transform *transform, struct clopt_error *error)
{
    CLOPT_TRY(start_transform(making, part->kernel, transform, error));
    for (size_t i = part->first; i < part->end; i++) {
        const struct clopt_step *step = &making->trial->steps[i];
        enum clopt_status status = apply ? clopt_step_apply(transform, step, error)
                                         : clopt_step_check(transform, step, error);
        if (status)
            return clopt_step_fail(making->trial, step, status, error);
    }
    return CLOPT_OK;
}

static enum clopt_status check(const struct making *making, struct clopt_error *error)
{
    const struct clopt_trial *trial = making->trial;
    CLOPT_TRY(clopt_trial_knobs(trial, &making->variant->knobs, error));
    for (struct clopt_trial_part part = {0}; clopt_trial_next_part(trial, &part);) {
        for (size_t i = part.first; i < part.end; i++)
            CLOPT_TRY(check_touches(trial, &trial->steps[i], part.kernel, error));
        for (size_t i = 0; i < part.first; i++)
            if (trial->steps[i].kernel == part.kernel)
                return clopt_fail(error, CLOPT_INVALID, "%s: its steps do not follow each other",
                                  part.kernel->name);
        CLOPT_OWNED(clopt_transform) transform = {0};
        CLOPT_TRY(walk_steps(making, &part, false, &transform, error));
    }
    return check_kernels(trial, making->variant->knobs, making->device, error);
}

enum clopt_status clopt_variant_check(const struct clopt_trial *trial,
                                      const struct clopt_device_info *device,
                                      struct clopt_error *error)
{
    CLOPT_OWNED(clopt_variant) variant = {0};
    return check(&(struct making){trial, device, NULL, &variant}, error);
}

void clopt_definition_append(struct clopt_text *options, const char *macro, const char *value)
{
    clopt_text_append(options, options->length ? " " : "");
    if (!clopt_is_build_option(value))
        clopt_text_printf(options, "-D %s=", macro);
    clopt_text_append(options, value);
}

/* Writes the build options of the app with its knobs; for the caller to free. */
static enum clopt_status make_options(const struct clopt_trial *trial,
                                      const struct clopt_values *knobs,
                                      const struct clopt_app_source *source, char **options,
                                      struct clopt_error *error)
{
    const struct clopt_app *app = trial->app->extension->app;
    const struct clopt_alternative *other = clopt_trial_alternative(trial);
    const char *own = other ? other->program->options : app->options;
    CLOPT_OWNED(clopt_text) text = {0};
    source = clopt_app_source_of(source, trial);
    clopt_text_append(&text, own ? own : "");
    for (const struct clopt_knob *knob = app->knobs; knob && knob->parameter; knob++)
        clopt_definition_append(&text, knob->macro, clopt_values_text(knobs, knob->parameter));
    for (size_t i = 0; trial->parameters && i < trial->parameters->count; i++)
        if (strcmp(trial->parameters->items[i].name, CLOPT_ALTERNATIVE) != 0)
            clopt_definition_append(&text, trial->parameters->items[i].name,
                                    trial->parameters->items[i].text);
    if (source->includes) {
        /* Compilers split their options at blanks, each in its own way. */
        const char *slash = strrchr(source->path, '/');
        int length = slash ? (int)(slash - source->path) : 1;
        if (strpbrk(source->path, " \t\"'"))
            return clopt_fail(error, CLOPT_INVALID,
                              "%s: it includes files, and OpenCL compilers cannot find them in a "
                              "folder with blanks or quotes in its name",
                              source->path);
        clopt_text_printf(&text, "%s-I %.*s", text.length ? " " : "", length,
                          slash ? source->path : ".");
    }
    *options = clopt_text_take(&text);
    return CLOPT_OK;
}

static void take(char **text, char **made)
{
    free(*text);
    *text = *made;
    *made = NULL;
}

/* Rewrites a kernel in the variant's source. */
static enum clopt_status make_part(const struct making *making, const struct clopt_trial_part *part,
                                   struct clopt_error *error)
{
    struct clopt_variant *variant = making->variant;
    CLOPT_OWNED(clopt_transform) transform = {0};
    struct clopt_ndrange_change *change = clopt_variant_add_change(variant, part->kernel);
    CLOPT_TRY(walk_steps(making, part, true, &transform, error));
    CLOPT_TRY(clopt_transform_check(&transform, error));
    CLOPT_TRY(fits_work_group(transform.kernel, &transform.current, transform.device, error));
    take(&variant->source, &transform.source);
    take(&variant->compiled, &transform.compiled);
    take(&variant->options, &transform.options);
    *change = transform.change;
    return CLOPT_OK;
}

static void add_change(struct clopt_sha256 *hash, const struct clopt_kernel_change *own)
{
    const struct clopt_ndrange_change *change = &own->change;
    bool changed = false;
    for (unsigned d = 0; d < 3; d++) {
        uint64_t factors[3] = {change->local_size[d], change->merged_items[d],
                               change->merged_groups[d]};
        changed |= factors[0] || factors[1] || factors[2];
        if (change->divided_items[d])
            clopt_sha256_add(hash, &change->divided_items[d], sizeof *change->divided_items);
        for (unsigned i = 0; i < 3; i++) {
            char text[24];
            snprintf(text, sizeof text, "%" PRIu64, factors[i]);
            clopt_sha256_add_string(hash, text);
        }
    }
    /* The same change of another kernel's launches makes another program run. */
    clopt_sha256_add_string(hash, changed ? own->kernel->name : NULL);
}

static void fingerprint(const struct clopt_trial *trial, struct clopt_variant *variant)
{
    const struct clopt_alternative *other = clopt_trial_alternative(trial);
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, variant->source);
    clopt_sha256_add_string(&hash, variant->options);
    for (size_t i = 0; i < variant->change_count; i++)
        add_change(&hash, &variant->changes[i]);
    if (other) /* it may be launched in another way */
        clopt_sha256_add_string(&hash, other->name);
    clopt_sha256_end(&hash, variant->fingerprint);
}

enum clopt_status clopt_variant_initial_options(const struct clopt_trial *trial,
                                                const struct clopt_app_source *source,
                                                char **options, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_trial) initial = {0};
    CLOPT_HELD(clopt_values) knobs = NULL;
    clopt_trial_copy(trial, &initial);
    clopt_trial_clear(&initial);
    CLOPT_TRY(clopt_trial_knobs(&initial, &knobs, error));
    return make_options(&initial, knobs, source, options, error);
}

enum clopt_status clopt_variant_make(const struct clopt_trial *trial,
                                     const struct clopt_app_source *source,
                                     const struct clopt_device_info *device,
                                     struct clopt_variant *variant, struct clopt_error *error)
{
    const struct clopt_app_source *own = clopt_app_source_of(source, trial);
    const struct making making = {trial, device, own->path, variant};
    *variant = (struct clopt_variant){0};
    CLOPT_TRY(check(&making, error));
    variant->source = clopt_strdup(own->text);
    CLOPT_TRY(make_options(trial, variant->knobs, source, &variant->options, error));
    for (struct clopt_trial_part part = {0}; clopt_trial_next_part(trial, &part);)
        CLOPT_TRY(make_part(&making, &part, error));
    fingerprint(trial, variant);
    variant->dialect = clopt_device_options(variant->options, device);
    if (own != source || clopt_trial_rewrites(trial, NULL))
        variant->lines_changed = clopt_changed_lines_count(source->text, variant->source);
    return CLOPT_OK;
}

void clopt_variant_fini(struct clopt_variant *variant)
{
    free(variant->source);
    free(variant->compiled);
    free(variant->options);
    free(variant->dialect);
    free(variant->changes);
    clopt_values_destroy(variant->knobs);
    *variant = (struct clopt_variant){0};
}

const struct clopt_ndrange_change *clopt_variant_change(const struct clopt_variant *variant,
                                                        const struct clopt_kernel *kernel)
{
    for (size_t i = 0; i < variant->change_count; i++)
        if (variant->changes[i].kernel == kernel)
            return &variant->changes[i].change;
    return NULL;
}

struct clopt_ndrange_change *clopt_variant_add_change(struct clopt_variant *variant,
                                                      const struct clopt_kernel *kernel)
{
    struct clopt_kernel_change *own =
        clopt_array_add(&variant->changes, &variant->change_count, sizeof *own);
    own->kernel = kernel;
    return &own->change;
}
