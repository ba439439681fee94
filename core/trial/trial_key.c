/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the key of a trial: what its outcome may depend on. */
#include "trial/variant.h"

/* Changes whenever equal keys would no longer mean equal trials. */
static const char key_version[] = "clopt trial 1";

/* Adds inputs; files by their content, so that their names do not matter. */
static enum clopt_status add_inputs(struct clopt_sha256 *hash, const struct clopt_values *inputs,
                                    struct clopt_file_hashes *known, struct clopt_error *error)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const struct clopt_value *value = &inputs->items[i];
        clopt_sha256_add_string(hash, value->name);
        if (value->type != CLOPT_FILE || !value->text) {
            clopt_sha256_add_string(hash, value->text);
            continue;
        }
        char content[CLOPT_HASH_SIZE];
        CLOPT_TRY(clopt_file_hash(value->text, known, content, error));
        clopt_sha256_add_string(hash, content);
    }
    return CLOPT_OK;
}

/* Adds what is done to the kernel by rewriting. Knobs change the whole program, and are added
 * where they take effect; so steps that only set knobs leave the kernel out. */
static void add_steps(struct clopt_sha256 *hash, const struct clopt_trial *trial)
{
    bool rewritten = false;
    for (size_t i = 0; i < trial->step_count; i++) {
        const struct clopt_step *step = &trial->steps[i];
        if (!clopt_step_rewrites(step))
            continue;
        rewritten = true;
        clopt_sha256_add_string(hash, step->optimization->extension->name);
        clopt_sha256_add_string(hash, step->optimization->hash);
        for (size_t j = 0; j < step->values->count; j++) {
            clopt_sha256_add_string(hash, step->values->items[j].name);
            clopt_sha256_add_string(hash, step->values->items[j].text);
        }
        if (step->kernel)
            clopt_sha256_add_string(hash, step->kernel->name);
    }
    clopt_sha256_add_string(hash, rewritten ? trial->kernel->name : NULL);
}

static enum clopt_status add_knobs(struct clopt_sha256 *hash, const struct clopt_trial *trial,
                                   struct clopt_error *error)
{
    CLOPT_HELD(clopt_values) knobs = NULL;
    CLOPT_TRY(clopt_trial_knobs(trial, &knobs, error));
    for (size_t i = 0; i < knobs->count; i++) {
        clopt_sha256_add_string(hash, knobs->items[i].name);
        clopt_sha256_add_string(hash, knobs->items[i].text);
    }
    return CLOPT_OK;
}

enum clopt_status clopt_trial_key(const struct clopt_trial *trial,
                                  const struct clopt_app_source *source,
                                  const struct clopt_device_info *device,
                                  struct clopt_file_hashes *known, char key[CLOPT_HASH_SIZE],
                                  struct clopt_error *error)
{
    struct clopt_sha256 hash;
    char seed[24];
    snprintf(seed, sizeof seed, "%" PRIu64, trial->seed);
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, key_version);
    clopt_sha256_add_string(&hash, trial->app->extension->name);
    clopt_sha256_add_string(&hash, trial->app->hash);
    clopt_sha256_add_string(&hash, clopt_app_source_of(source, trial)->hash);
    clopt_sha256_add_string(&hash, seed);
    clopt_sha256_add_string(&hash, device ? device->platform : NULL);
    clopt_sha256_add_string(&hash, device ? device->platform_version : NULL);
    clopt_sha256_add_string(&hash, device ? device->name : NULL);
    clopt_sha256_add_string(&hash, device ? device->opencl_version : NULL);
    clopt_sha256_add_string(&hash, device ? device->driver_version : NULL);
    add_steps(&hash, trial);
    for (size_t i = 0; trial->parameters && i < trial->parameters->count; i++) {
        clopt_sha256_add_string(&hash, "parameter");
        clopt_sha256_add_string(&hash, trial->parameters->items[i].name);
        clopt_sha256_add_string(&hash, trial->parameters->items[i].text);
    }
    if (trial->objective != CLOPT_OBJECTIVE_TIME)
        clopt_sha256_add_string(&hash, clopt_objective_words(trial->objective)->name);
    CLOPT_TRY(add_knobs(&hash, trial, error));
    CLOPT_TRY(add_inputs(&hash, trial->inputs, known, error));
    clopt_sha256_end(&hash, key);
    return CLOPT_OK;
}
