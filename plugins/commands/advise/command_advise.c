/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt advise`: names the variants of a kernel that are worth trying first. */
#include "commands/shared/asked_device.h"
#include "commands/shared/commands.h"
#include "commands/shared/compiler_options.h"
#include "commands/shared/usage.h"

#include <errno.h>
#include <sys/stat.h>

#include "commands/advise/experience.h"
#include "commands/advise/guideline.h"
#include "commands/advise/kernel_pattern.h"
#include "commands/draft/draft.h"
#include "file/folder.h"
#include "opencl/listing.h"
#include "space/parameters.h"
#include "study/reader.h"

#define MOST_NAMED    100
#define DEFAULT_NAMED 10
#define DEFAULT_LIMIT 120
#define SEED          1
#define MOST_OWN      120 /* variants of the study that are looked at */
#define DRAFTED       "study.ini"

struct request {
    const struct clopt_global_options *global;
    const char *file;
    const char *device;
    const char *kernel;
    struct clopt_compiler_options options; /* for a source */
    int64_t top;
    struct clopt_list from; /* what to learn from */
    bool json;
    bool validate;
    int64_t limit_s;
    const char *study_path;
};

/* What is worked with. */
struct advising {
    const struct request *request;
    const struct clopt_registry *registry;
    struct clopt_study *study;
    struct clopt_device_info device;
    struct clopt_advice advice;
    struct clopt_advice_model *model;
    json_t *guidelines; /* of all classes of devices; NULL: there are none */
    json_t *all;
    size_t count;        /* of kernels */
    char *own[MOST_OWN]; /* names of variants of the study, of the kernel at hand */
    size_t own_count;
};

/* ---- what there is to learn from ---- */

static enum clopt_status learn(const struct request *request, struct clopt_advice *advice,
                               struct clopt_error *error)
{
    advice->registry = request->global->registry;
    CLOPT_TRY(clopt_experience_learn(advice, stderr, error));
    for (size_t i = 0; i < request->from.count; i++) {
        struct stat info;
        const char *path = request->from.items[i];
        bool folder = stat(path, &info) == 0 && S_ISDIR(info.st_mode);
        CLOPT_TRY(folder ? clopt_experience_learn_folder(advice, path, false, stderr, error)
                         : clopt_advice_learn(advice, path, error));
    }
    return CLOPT_OK;
}

static enum clopt_status validate(void *user, struct clopt_error *error)
{
    const struct request *request = user;
    CLOPT_OWNED(clopt_advice) advice = {0};
    CLOPT_TRY(learn(request, &advice, error));
    return clopt_advice_validate(&advice, stdout, error);
}

/* ---- the study ---- */

/* Drafts a study for a source, as `clopt init` does. */
static enum clopt_status draft(const struct advising *advising, struct clopt_error *error)
{
    const struct request *request = advising->request;
    CLOPT_OWNED(clopt_text) study = {0};
    CLOPT_FREED char *named = realpath(request->file, NULL);
    CLOPT_FREED struct clopt_device_info *asked = NULL;
    CLOPT_TRY(clopt_ask_device(request->global, request->device, &asked, error));
    const struct clopt_draft_request wanted = {.registry = advising->registry,
                                               .file = request->file,
                                               .named = named ? named : request->file,
                                               .options = &request->options,
                                               .asked = asked,
                                               .kernel = request->kernel,
                                               .check = ""};
    CLOPT_TRY(clopt_draft_write(&wanted, &study, error));
    return clopt_file_write_soon(request->study_path, study.data, study.length, error);
}

static enum clopt_status find_device(struct advising *advising, struct clopt_error *error)
{
    struct clopt_study *study = advising->study;
    bool drafted = clopt_text_ends(advising->request->file, ".cl");
    CLOPT_FREED struct clopt_device_info *devices = NULL;
    size_t count = 0, index = 0;
    CLOPT_TRY(clopt_device_list(NULL, &devices, NULL, &count, error));
    CLOPT_TRY(clopt_choose_device(drafted ? NULL : study, advising->request->device, devices, count,
                                  &index, error));
    advising->device = devices[index];
    CLOPT_FREED struct clopt_device_info *each = clopt_calloc(study->device_count, sizeof *each);
    for (size_t i = 0; i < study->device_count; i++)
        each[i] = advising->device;
    return clopt_study_find_combinations(study, each, error);
}

static enum clopt_status open_study(struct advising *advising, struct clopt_error *error)
{
    const struct request *request = advising->request;
    advising->registry = request->global->registry;
    clopt_registry_load(advising->registry);
    if (clopt_text_ends(request->file, ".cl"))
        CLOPT_TRY(draft(advising, error));
    CLOPT_TRY(clopt_study_read(request->study_path, advising->registry, NULL, 0, &advising->study,
                               error));
    return find_device(advising, error);
}

/* ---- advice ---- */

/* Names variants of the study: all, or as many at random as take some seconds to rewrite. */
static enum clopt_status list_own(struct advising *advising, size_t group, size_t kernel,
                                  struct clopt_error *error)
{
    struct clopt_subspace space = clopt_subspace(advising->study, group, kernel);
    uint64_t all = clopt_space_variant_count(&space);
    struct clopt_permutation order = clopt_permutation_make(all, SEED);
    while (advising->own_count < all && advising->own_count < MOST_OWN) {
        CLOPT_OWNED(clopt_trial) trial = {0};
        uint64_t index = clopt_permutation_at(&order, advising->own_count);
        CLOPT_TRY(clopt_space_variant(&space, index, &trial, error));
        advising->own[advising->own_count++] = clopt_trial_name(&trial);
    }
    return CLOPT_OK;
}

static enum clopt_status advise_kernel(struct advising *advising, const struct clopt_trial *trial,
                                       const struct clopt_app_source *source,
                                       struct clopt_error *error)
{
    struct clopt_advice_subject subject;
    struct clopt_kernel_pattern pattern = {0};
    struct clopt_search_plan *plan = &advising->study->search;
    size_t before = plan->start_count;
    const struct clopt_advice_request request = {.advice = &advising->advice,
                                                 .model = advising->model,
                                                 .subject = &subject,
                                                 .trial = trial,
                                                 .source = source,
                                                 .registry = advising->registry,
                                                 .device = &advising->device,
                                                 .most = advising->request->top,
                                                 .own = advising->own,
                                                 .own_count = advising->own_count};
    enum clopt_status status = CLOPT_OK;
    CLOPT_TRY(clopt_advice_describe_trial(&request, &subject, error));
    CLOPT_TRY(clopt_kernel_pattern_of(trial, source, advising->registry, &advising->device,
                                      &pattern, error));
    clopt_kernel_pattern_start(&pattern, trial->kernel->name, plan);
    CLOPT_FREED char *said = clopt_kernel_pattern_say(&pattern);
    CLOPT_OWNED(clopt_proposals) proposals = clopt_advice_find(&request);
    json_auto_t *guidelines =
        clopt_guidelines_of(advising->guidelines, &advising->device, &subject.profile);
    const struct clopt_advice_print print = {.advice = &advising->advice,
                                             .subject = &subject,
                                             .trial = trial,
                                             .device = &advising->device,
                                             .proposals = &proposals,
                                             .guidelines = guidelines,
                                             .pattern = said,
                                             .starts = plan->starts + before,
                                             .start_count = plan->start_count - before};
    if (advising->request->json)
        clopt_json_append(&advising->all, clopt_advice_to_json(&print));
    else
        status = clopt_advice_print(&print, advising->count > 0, stdout, error);
    advising->count++;
    return status;
}

static enum clopt_status advise_app(struct advising *advising, size_t group,
                                    struct clopt_error *error)
{
    const struct request *request = advising->request;
    const struct clopt_study *study = advising->study;
    const struct clopt_study_app *app = &study->apps[clopt_space_group(study, group).app];
    CLOPT_OWNED(clopt_app_source) source = {0};
    CLOPT_OWNED(clopt_trial) trial = {0};
    enum clopt_status status = CLOPT_OK;
    CLOPT_TRY(clopt_space_trial(study, group, 0, &trial, error));
    CLOPT_TRY(clopt_app_source_read(app->entry->extension->app, request->global->kernel_path,
                                    &source, error));
    for (size_t k = 0; k < app->kernel_count && !status; k++) {
        if (request->kernel && strcmp(request->kernel, app->kernels[k]->name) != 0)
            continue;
        trial.kernel = app->kernels[k];
        status = list_own(advising, group, k, error);
        if (!status)
            status = advise_kernel(advising, &trial, &source, error);
        while (advising->own_count)
            free(advising->own[--advising->own_count]);
    }
    return status;
}

/* Advises for the kernels of each app, with its first problem. */
static enum clopt_status advise_all(struct advising *advising, struct clopt_error *error)
{
    const struct clopt_study *study = advising->study;
    for (size_t i = 0; i < clopt_space_group_count(study); i++) {
        struct clopt_space_group group = clopt_space_group(study, i);
        if (group.problem == 0 && group.device == 0)
            CLOPT_TRY(advise_app(advising, i, error));
    }
    if (!advising->count)
        return clopt_fail(error, CLOPT_INVALID, "%s: no kernel %s is optimized in it",
                          advising->request->file, advising->request->kernel);
    if (advising->request->json)
        CLOPT_TRY(clopt_json_print(json_incref(advising->all), stdout, "the advice", error));
    if (fflush(stdout) != 0)
        return clopt_fail(error, CLOPT_FAILED, "cannot write the advice: %s", strerror(errno));
    return CLOPT_OK;
}

static void advising_fini(struct advising *advising)
{
    json_decref(advising->guidelines);
    json_decref(advising->all);
    clopt_advice_model_destroy(advising->model);
    clopt_advice_fini(&advising->advice);
    clopt_study_destroy(advising->study);
}

static enum clopt_status advise(void *user, struct clopt_error *error)
{
    CLOPT_OWNED(advising) advising = {.request = user, .all = json_array()};
    CLOPT_TRY(open_study(&advising, error));
    CLOPT_TRY(learn(advising.request, &advising.advice, error));
    CLOPT_TRY(clopt_experience_guidelines(&advising.guidelines, error));
    CLOPT_TRY(clopt_advice_model_create(&advising.advice, advising.device.type, NULL,
                                        &advising.model, error));
    return advise_all(&advising, error);
}

/* Advises, with a folder for the study of a source. */
static enum clopt_status advise_apart(struct request *request, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_temporary) folder = {0};
    request->study_path = request->file;
    if (!clopt_text_ends(request->file, ".cl"))
        return clopt_command_apart(request->limit_s, advise, request, error);
    CLOPT_TRY(clopt_temporary_create(&folder, error));
    CLOPT_FREED char *path = clopt_path_join(folder.path, DRAFTED);
    request->study_path = path;
    return clopt_command_apart(request->limit_s, advise, request, error);
}

/* ---- the command line ---- */

static const struct clopt_key options[] = {
    CLOPT_TEXT('d', "device", "PATTERN", struct request, device,
               "the device: a part of its platform's or its own name, a type, or its label in the "
               "study"),
    CLOPT_TEXT('k', "kernel", "NAME", struct request, kernel, "this kernel alone; otherwise all"),
    CLOPT_NUMBER('n', "top", "N", struct request, top, "1.." CLOPT_STRING(MOST_NAMED),
                 "name so many variants [10]"),
    CLOPT_EACH(0, "from", "PATH", struct request, from,
               "learn from this, too: a store, a recorded space (`clopt report --space`), or a "
               "folder of such spaces"),
    CLOPT_FLAG(0, "json", struct request, json,
               "print it as JSON, with what is known of the kernel"),
    CLOPT_FLAG(0, "validate", struct request, validate,
               "leave out each kernel that there is to learn from, and print how good advice from "
               "the others is for it"),
    CLOPT_SECONDS(0, "limit", "SECONDS", struct request, limit_s, CLOPT_LEGAL_LIMIT,
                  "give up after this time [120]"),
    {0},
};

static int take_file(struct request *request, int argc, char **argv)
{
    if (request->validate)
        return optind == argc
                   ? CLOPT_EXIT_DONE
                   : clopt_usage_error("advise", "--validate takes no kernel: %s", argv[optind]);
    if (optind + 1 != argc)
        return clopt_usage_error("advise",
                                 optind == argc ? "no kernel given: clopt advise FILE.cl"
                                                : "%s: one file at a time",
                                 optind == argc ? "" : argv[optind + 1]);
    request->file = argv[optind];
    return request->options.all.length && !clopt_text_ends(request->file, ".cl")
               ? clopt_usage_error("advise",
                                   "-D, -I and --build-options are for kernels: %s is a study",
                                   request->file)
               : CLOPT_EXIT_DONE;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct request request = {.global = global, .top = DEFAULT_NAMED, .limit_s = DEFAULT_LIMIT};
    struct clopt_error error = {0};
    int code;
    if (clopt_command_read(global, &clopt_advise_command, &request, argc, argv, &code) &&
        !(code = take_file(&request, argc, argv))) {
        enum clopt_status status =
            request.validate ? clopt_command_apart(request.limit_s, validate, &request, &error)
                             : advise_apart(&request, &error);
        code = status ? clopt_report_error(&error) : CLOPT_EXIT_DONE;
    }
    clopt_compiler_options_fini(&request.options);
    clopt_list_fini(&request.from);
    return code;
}

const struct clopt_command clopt_advise_command = {
    .name = "advise",
    .usage = "advise FILE [-d DEVICE] [OPTION ...]\n"
             "       clopt advise --validate [--from=PATH ...]\n",
    .about = "Example: clopt advise mm.cl -d gpu\n\n"
             "Names the variants of a kernel that are worth trying first on a device, with the\n"
             "speed-up to expect, by what was measured of other kernels: recorded spaces that\n"
             "come with clopt, and the stores of studies that you have run. Nothing is run or\n"
             "measured; each variant that is named has been rewritten, so it is feasible. FILE\n"
             "is a kernel's source, KERNEL.cl, or a study that describes it.\n"
             "\n",
    .arguments = "FILE",
    .lists = {{options, 0}, {clopt_compiler_option_rows, offsetof(struct request, options)}},
    .run = run_command,
};
