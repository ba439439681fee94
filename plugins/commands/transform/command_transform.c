/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt transform`: rewrites one kernel; nothing runs. */
#include "commands/shared/asked_device.h"
#include "commands/shared/change.h"
#include "commands/shared/commands.h"
#include "commands/shared/usage.h"
#include "commands/transform/analyze.h"

#include <clopt/rewrite.h>

#include "commands/shared/compiler_options.h"
#include "commands/transform/steps.h"
#include "kernel/outline.h"
#include "rewrite/transform.h"
#include "text/build_options.h"

struct request {
    const struct clopt_global_options *global_options;
    const char *file;
    const char *kernel;
    const char *local;
    const char *global;
    const char *device;
    struct clopt_device_info *asked; /* that of -d; NULL: none */
    const char *analyze;             /* the dimension; NULL: do not */
    struct clopt_compiler_options options;
    int64_t limit_s;
    uint64_t source_limit;                                   /* bytes; 0: the default */
    struct clopt_known_argument arguments[CLOPT_MOST_KNOWN]; /* of the initial code */
    const char *variant; /* all steps by their name, instead of the following */
    char **steps;        /* "name" and "values" by turns, as they were given */
    int step_count;
};

static enum clopt_status take_step(void *read, const char *name, const char *values,
                                   struct clopt_error *error)
{
    struct request *request = read;
    if (!values)
        return clopt_fail(error, CLOPT_INVALID, "--%s: no values; see `clopt plugins %s`", name,
                          name);
    char **step = &request->steps[2 * request->step_count++];
    step[0] = clopt_strdup(name);
    step[1] = clopt_strdup(values);
    return CLOPT_OK;
}

static enum clopt_status take_argument(void *read, const struct clopt_key *option, const char *text,
                                       struct clopt_error *error)
{
    struct request *request = read;
    unsigned number;
    long long value;
    int length = 0;
    if (sscanf(text, "%u=%lld%n", &number, &value, &length) != 2 || text[length] ||
        number >= CLOPT_MOST_KNOWN)
        return clopt_fail(error, CLOPT_INVALID,
                          "--%s=%s: expected the number of an argument, 0 to %d, and its value: "
                          "--%s=3=64",
                          option->is.name, text, CLOPT_MOST_KNOWN - 1, option->is.name);
    request->arguments[number] = (struct clopt_known_argument){true, value};
    return CLOPT_OK;
}

static const struct clopt_key options[] = {
    CLOPT_TEXT('k', "kernel", "NAME", struct request, kernel,
               "the kernel to rewrite [the only one]"),
    CLOPT_TEXT(0, "variant", "NAME", struct request, variant,
               "what to apply, by a variant's name in reports"),
    CLOPT_TEXT(0, "local", "SIZES", struct request, local,
               "local size of the initial code: 256, 16x16"),
    CLOPT_TEXT(0, "global", "SIZES", struct request, global, "its global size"),
    CLOPT_TAKEN(0, "argument", "NUMBER=VALUE", take_argument,
                "the value of an integer argument, counted from 0; again for more"),
    CLOPT_TEXT('d', "device", "PATTERN", struct request, device,
               "for this device: its extensions, features and limits [any]"),
    CLOPT_OPTION(0, "analyze", "[D]", TEXT, TEXT, NULL, "0", offsetof(struct request, analyze),
                 "print what differs between work-items along dimension D [0]"),
    CLOPT_SECONDS(0, "limit", "SECONDS", struct request, limit_s, CLOPT_LEGAL_LIMIT,
                  "give up a source that takes longer than this [60]"),
    CLOPT_NUMBER(0, "source-limit", "BYTES", struct request, source_limit, "1..",
                 "refuse a rewritten program that is longer than this [64 times FILE.cl, and at "
                 "least 256Ki]"),
    {0},
};

/* What looks like an optimization may be the option that is missing. */
static int check_steps(const struct request *request)
{
    for (int i = 0; i < request->step_count; i++) {
        const char *meant = clopt_command_suggest(request->global_options, &clopt_transform_command,
                                                  request->steps[2 * i]);
        if (meant && strcmp(meant, "kernel") == 0)
            return clopt_usage_error("transform",
                                     "transform: no --kernel; --%s: did you mean --kernel?",
                                     request->steps[2 * i]);
    }
    return CLOPT_EXIT_DONE;
}

static int take_file(struct request *request, int argc, char **argv)
{
    if (optind == argc)
        return clopt_usage_error("transform", "transform: no file");
    request->file = argv[optind++];
    if (optind < argc)
        return clopt_usage_error("transform", "%s: one file only", argv[optind]);
    if (request->variant && request->step_count)
        return clopt_usage_error("transform", "--variant and --%s exclude each other",
                                 request->steps[0]);
    return request->kernel ? CLOPT_EXIT_DONE : check_steps(request);
}

/* Reads "64", "16x4" or "8x8x4"; returns how many numbers there are, 0 for what is none. */
static unsigned read_sizes(const char *text, size_t sizes[3])
{
    for (unsigned count = 0; count < 3;) {
        char *end = NULL;
        unsigned long long size = strtoull(text, &end, 10);
        if (*text < '1' || *text > '9' || size > UINT32_MAX)
            return 0;
        sizes[count++] = (size_t)size;
        if (*end == '\0')
            return count;
        if (*end != 'x')
            return 0;
        text = end + 1;
    }
    return 0;
}

/* Reads --local and --global; without --local nothing is known of the NDRange. */
static enum clopt_status read_ndrange(const struct request *request, struct clopt_ndrange *ndrange,
                                      struct clopt_error *error)
{
    *ndrange = (struct clopt_ndrange){.local = {1, 1, 1}};
    if (request->local) {
        ndrange->dimensions = read_sizes(request->local, ndrange->local);
        if (!ndrange->dimensions)
            return clopt_fail(error, CLOPT_INVALID, "--local=%s: not sizes such as 64 or 16x16",
                              request->local);
        for (unsigned d = 0; d < ndrange->dimensions; d++)
            ndrange->global[d] = 0;
    }
    if (request->global && (!ndrange->dimensions ||
                            read_sizes(request->global, ndrange->global) != ndrange->dimensions))
        return clopt_fail(error, CLOPT_INVALID, "--global=%s: needs --local with as many sizes",
                          request->global);
    return CLOPT_OK;
}

static void print_change(const struct clopt_transform *transform)
{
    const struct clopt_ndrange *ndrange = transform->ndrange;
    CLOPT_OWNED(clopt_text) text = {0};
    clopt_change_say(&text, " * ", &transform->change, !ndrange);
    fputs(clopt_text_string(&text), stdout);
    for (unsigned d = 0; ndrange && d < ndrange->dimensions; d++)
        printf(ndrange->global[d] ? " * dimension %u: local %zu, global %zu\n"
                                  : " * dimension %u: local %zu\n",
               d, ndrange->local[d], ndrange->global[d]);
}

static void print_result(const struct request *request, const struct clopt_transform *transform)
{
    printf("/* %s of %s", request->kernel, request->file);
    if (request->variant)
        printf(", clopt transform --variant='%s'", request->variant);
    for (int i = 0; i < request->step_count; i++)
        printf("%s--%s=%s", i ? " " : ", clopt transform ", request->steps[2 * i],
               request->steps[2 * i + 1]);
    puts("");
    print_change(transform);
    printf(" */\n%s", transform->source);
    size_t length = strlen(transform->source);
    if (!length || transform->source[length - 1] != '\n')
        puts("");
}

/* Finds the optimization that an option --NAME names. */
static enum clopt_status find_optimization(const struct clopt_global_options *global,
                                           const char *name,
                                           const struct clopt_plugin_entry **entry,
                                           struct clopt_error *error)
{
    const char *meant = clopt_command_suggest(global, &clopt_transform_command, name);
    if (clopt_registry_find(global->registry, CLOPT_KIND_OPTIMIZATION, name, entry, error) ==
        CLOPT_OK)
        return CLOPT_OK;
    if (meant)
        return clopt_fail(error, CLOPT_INVALID,
                          "--%s: neither an option nor an optimization; did you mean --%s?", name,
                          meant);
    return clopt_fail(error, CLOPT_INVALID, "--%s: neither an option nor an optimization: %s", name,
                      error->message);
}

static enum clopt_status apply_steps(const struct request *request,
                                     struct clopt_transform *transform, struct clopt_error *error)
{
    const struct clopt_global_options *global = request->global_options;
    if (request->variant)
        CLOPT_TRY(clopt_apply_variant(transform, global->registry, request->variant, error));
    for (int i = 0; i < request->step_count; i++) {
        const struct clopt_plugin_entry *entry = NULL;
        const char *name = request->steps[2 * i], *values = request->steps[2 * i + 1];
        CLOPT_TRY(find_optimization(global, name, &entry, error));
        enum clopt_status status = clopt_apply_option(transform, entry, values, error);
        if (status == CLOPT_INFEASIBLE && request->step_count > 1)
            clopt_fail_within(error, "--%s=%s", name, values);
        CLOPT_TRY(status);
    }
    return CLOPT_OK;
}

/* Expands the macros, where no step has: what is printed needs no -D. There is to be such a kernel.
 */
static enum clopt_status expand(struct clopt_transform *transform, struct clopt_error *error)
{
    CLOPT_HELD(clopt_source) source = NULL;
    CLOPT_TRY(clopt_transform_parse(transform, &source, error));
    return clopt_transform_set_tree(transform, source, error);
}

/* Takes the only kernel of a file, where none is named. */
static enum clopt_status take_kernel(struct request *request, const char *text,
                                     struct clopt_outline **outline, struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) names = {0};
    CLOPT_FREED char *words =
        clopt_device_options(clopt_text_string(&request->options.all), request->asked);
    clopt_fail(error, CLOPT_OK, "%s", request->file);
    CLOPT_TRY(clopt_outline_create(request->file, text, words, outline, error));
    for (size_t i = 0; i < (*outline)->kernel_count; i++)
        clopt_text_printf(&names, "%s%s", i ? ", " : "", (*outline)->kernels[i]);
    if ((*outline)->kernel_count != 1)
        return clopt_fail(error, CLOPT_INVALID, "%s: no --kernel; the file has %s", request->file,
                          names.length ? clopt_text_string(&names) : "none");
    request->kernel = (*outline)->kernels[0];
    return CLOPT_OK;
}

static enum clopt_status transform_text(struct request *request, const char *text,
                                        struct clopt_error *error)
{
    struct clopt_ndrange ndrange;
    CLOPT_OWNED(clopt_transform) transform = {0};
    clopt_fail(error, CLOPT_OK, "%s, kernel %s", request->file, request->kernel);
    CLOPT_TRY(read_ndrange(request, &ndrange, error));
    clopt_transform_init(&transform, request->kernel, request->file, text,
                         clopt_text_string(&request->options.all),
                         ndrange.dimensions ? &ndrange : NULL);
    transform.device = request->asked;
    memcpy(transform.arguments, request->arguments, sizeof transform.arguments);
    clopt_transform_require_size(&transform);
    transform.any_local_size = true;
    if (request->source_limit)
        transform.most_bytes = request->source_limit;
    bool has_steps = request->step_count || request->variant;
    if (has_steps)
        CLOPT_TRY(apply_steps(request, &transform, error));
    if (!transform.rewriter && !request->analyze)
        CLOPT_TRY(expand(&transform, error));
    else if (has_steps)
        CLOPT_TRY(clopt_transform_check(&transform, error));
    if (request->analyze)
        return clopt_analyze(&transform, request->analyze, error);
    print_result(request, &transform);
    return CLOPT_OK;
}

static enum clopt_status transform_file(void *user, struct clopt_error *error)
{
    struct request request = *(const struct request *)user;
    CLOPT_FREED char *text = NULL;
    struct clopt_outline *outline = NULL;
    CLOPT_TRY(clopt_text_read_once(request.file, &text, error));
    enum clopt_status status =
        request.kernel ? CLOPT_OK : take_kernel(&request, text, &outline, error);
    status = status ? status : transform_text(&request, text, error);
    CLOPT_FREED char *words =
        clopt_device_options(clopt_text_string(&request.options.all), request.asked);
    const char *standard =
        status == CLOPT_INVALID ? clopt_outline_standard(request.file, text, words) : NULL;
    clopt_outline_destroy(outline);
    const struct clopt_error reason = *error;
    return standard ? clopt_fail(error, status, "%s; it can be read with --build-options=%s",
                                 reason.message, standard)
                    : status;
}

static int run_command(const struct clopt_global_options *global, int argc, char **argv)
{
    struct clopt_error error = {0};
    struct request request = {.global_options = global,
                              .limit_s = CLOPT_DEFAULT_LIMIT_S,
                              .steps = clopt_calloc(2 * (size_t)argc, sizeof(char *))};
    int code;
    if (clopt_command_read(global, &clopt_transform_command, &request, argc, argv, &code) &&
        !(code = take_file(&request, argc, argv)) &&
        (clopt_ask_device(global, request.device, &request.asked, &error) ||
         clopt_command_apart(request.limit_s, transform_file, &request, &error))) {
        code = clopt_report_error(&error);
    }
    for (int i = 0; i < 2 * request.step_count; i++)
        free(request.steps[i]);
    free(request.steps);
    free(request.asked);
    clopt_compiler_options_fini(&request.options);
    return code;
}

const struct clopt_command clopt_transform_command = {
    .name = "transform",
    .usage = "transform FILE.cl [--kernel=NAME] [OPTION ...] [--OPTIMIZATION=...]\n",
    .about = "Example: clopt transform mm.cl --kernel=mm --geometry=granularity=4\n\n"
             "Prints the program with one kernel rewritten, and as a comment the NDRange that\n"
             "the kernel then wants. `clopt plugins` lists the optimizations and their\n"
             "parameters; they are applied in the order given:\n"
             "\n"
             "  clopt transform mm.cl --kernel=mm \\\n"
             "      --variant='geometry(granularity=4)+vector(across=8)'\n"
             "\n",
    .arguments = "FILE.cl",
    .lists = {{options, 0}, {clopt_compiler_option_rows, offsetof(struct request, options)}},
    .take_other = take_step,
    .run = run_command,
};
