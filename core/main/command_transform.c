/* SPDX-License-Identifier: BSD-3-Clause */
/* `clopt transform`: rewrites one kernel, without a device. */
#include "main/command.h"

#include <clopt/rewrite.h>
#include <clopt/source.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/text.h"
#include "base/values.h"
#include "main/analyze.h"
#include "main/transform_steps.h"
#include "main/usage.h"
#include "plugin/registry.h"
#include "trial/transform.h"

struct request {
    const struct clopt_global_options *global_options;
    const char *file;
    const char *kernel;
    const char *local;
    const char *global;
    const char *analyze; /* the dimension */
    struct clopt_text options;
    int64_t limit_s;
    uint64_t source_limit; /* bytes; 0: the default */
    const char *variant;   /* all steps by their name, instead of the following */
    char **steps;          /* "name" and "values" by turns, as they were given */
    int step_count;
    bool help;
};

const char clopt_help_transform[] =
    "Usage: clopt transform FILE.cl --kernel=NAME [OPTION ...]\n"
    "                       [--OPTIMIZATION=VALUES ...]\n"
    "\n"
    "Prints the program with one kernel rewritten, and as a comment the NDRange that\n"
    "the kernel then wants. `clopt plugins` lists the optimizations and their\n"
    "parameters; they are applied in the order given:\n"
    "\n"
    "  clopt transform mm.cl --kernel=mm -D TILE=16 --geometry=granularity=4\n"
    "\n"
    "  clopt transform mm.cl --kernel=mm \\\n"
    "      --variant='geometry(granularity=4)+vector(across=8)'\n"
    "\n"
    "Options:\n"
    "  -k, --kernel=NAME        the kernel to rewrite\n"
    "  -D NAME[=VALUE]          define a macro, as for the OpenCL compiler\n"
    "  -I FOLDER                look for included files there\n"
    "      --build-options=TEXT other options of the OpenCL compiler: -cl-std=CL2.0\n"
    "      --variant=NAME       what to apply, by a variant's name in reports\n"
    "      --local=SIZES        local size of the initial code: 256, 16x16\n"
    "      --global=SIZES       its global size\n"
    "      --analyze[=D]        print what differs between work-items along dimension\n"
    "                           D [0]\n"
    "      --limit=SECONDS      give up a source that takes longer than this [60]\n"
    "      --source-limit=BYTES refuse a rewritten program that is longer than this\n"
    "                           [64 times FILE.cl, and at least 256Ki]\n"
    "  -h, --help               show this help\n";

static enum clopt_status add_option(struct request *request, const char *letter, const char *value,
                                    struct clopt_error *error)
{
    clopt_text_printf(&request->options, "%s%s'%s'", request->options.length ? " " : "", letter,
                      value);
    return request->options.failed ? clopt_fail_memory(error) : CLOPT_OK;
}

/* Returns the value of --name=value or --name value, and NULL where the word is another one. */
static const char *long_value(const char *name, int argc, char **argv, int *at)
{
    const char *word = argv[*at];
    size_t length = strlen(name);
    if (strncmp(word, "--", 2) != 0 || strncmp(word + 2, name, length) != 0)
        return NULL;
    if (word[2 + length] == '=')
        return word + 3 + length;
    if (word[2 + length] == '\0' && *at + 1 < argc)
        return argv[++*at];
    return NULL;
}

static enum clopt_status add_step(struct request *request, int argc, char **argv, int *at,
                                  struct clopt_error *error)
{
    const char *word = argv[*at] + 2;
    const char *equals = strchr(word, '=');
    char *name = equals ? strndup(word, (size_t)(equals - word)) : strdup(word);
    const char *values = equals ? equals + 1 : *at + 1 < argc ? argv[++*at] : NULL;
    if (!name)
        return clopt_fail_memory(error);
    request->steps[2 * request->step_count] = name;
    request->steps[2 * request->step_count + 1] = values ? strdup(values) : NULL;
    request->step_count++;
    if (!values)
        return clopt_fail(error, CLOPT_INVALID, "--%s: no values; see `clopt plugins %s`", name,
                          name);
    return request->steps[2 * request->step_count - 1] ? CLOPT_OK : clopt_fail_memory(error);
}

/* Reads -D, -I and -k, with their value in the same word or in the next one. */
static enum clopt_status read_short(struct request *request, int argc, char **argv, int *at,
                                    struct clopt_error *error)
{
    const char *word = argv[*at];
    if (strcmp(word, "-h") == 0) {
        request->help = true;
        return CLOPT_OK;
    }
    const char *value = word[2] ? word + 2 : *at + 1 < argc ? argv[++*at] : NULL;
    if (!value || !strchr("DIk", word[1]))
        return clopt_fail(error, CLOPT_INVALID, "%s: %s", word,
                          value ? "unknown option" : "needs a value");
    if (word[1] == 'k')
        request->kernel = value;
    else
        return add_option(request, word[1] == 'D' ? "-D" : "-I", value, error);
    return CLOPT_OK;
}

static enum clopt_status read_limit(struct request *request, const char *text,
                                    struct clopt_error *error)
{
    request->limit_s = clopt_limit_read(text);
    return request->limit_s > 0
               ? CLOPT_OK
               : clopt_fail(error, CLOPT_INVALID, "--limit=%s: %s", text, CLOPT_LIMIT_MISTAKE);
}

static enum clopt_status read_source_limit(struct request *request, const char *text,
                                           struct clopt_error *error)
{
    struct clopt_value value;
    enum clopt_status status = clopt_value_parse(text, CLOPT_INTEGER, &value, error);
    if (!status)
        status = clopt_value_check_legal(&value, "1..", error);
    request->source_limit = (uint64_t)value.integer;
    free(value.text);
    return status ? clopt_fail_within(error, "--source-limit=%s", text) : CLOPT_OK;
}

/* What looks like an optimization may be the option that is missing. */
static enum clopt_status refuse_without_kernel(const struct request *request,
                                               struct clopt_error *error)
{
    for (int i = 0; i < request->step_count; i++) {
        const char *meant = clopt_suggest_transform_option(request->steps[2 * i]);
        if (meant && strcmp(meant, "kernel") == 0)
            return clopt_fail(error, CLOPT_INVALID,
                              "transform: no --kernel; --%s: did you mean --kernel?",
                              request->steps[2 * i]);
    }
    return clopt_fail(error, CLOPT_INVALID, "transform: no --kernel");
}

static enum clopt_status read_arguments(struct request *request, int argc, char **argv,
                                        struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    for (int i = 1; i < argc && !status; i++) {
        const char *value = NULL;
        if (strcmp(argv[i], "--help") == 0)
            request->help = true;
        else if (strcmp(argv[i], "--analyze") == 0)
            request->analyze = "0";
        else if ((value = long_value("analyze", argc, argv, &i)))
            request->analyze = value;
        else if ((value = long_value("variant", argc, argv, &i)))
            request->variant = value;
        else if ((value = long_value("kernel", argc, argv, &i)))
            request->kernel = value;
        else if ((value = long_value("local", argc, argv, &i)))
            request->local = value;
        else if ((value = long_value("global", argc, argv, &i)))
            request->global = value;
        else if ((value = long_value("limit", argc, argv, &i)))
            status = read_limit(request, value, error);
        else if ((value = long_value("source-limit", argc, argv, &i)))
            status = read_source_limit(request, value, error);
        else if ((value = long_value("build-options", argc, argv, &i)))
            clopt_text_printf(&request->options, "%s%s", request->options.length ? " " : "", value);
        else if (strncmp(argv[i], "--", 2) == 0)
            status = add_step(request, argc, argv, &i, error);
        else if (argv[i][0] == '-' && argv[i][1])
            status = read_short(request, argc, argv, &i, error);
        else if (request->file)
            status = clopt_fail(error, CLOPT_INVALID, "%s: one file only", argv[i]);
        else
            request->file = argv[i];
    }
    if (!status && !request->help && !request->file)
        status = clopt_fail(error, CLOPT_INVALID, "transform: no file");
    if (!status && !request->help && !request->kernel)
        status = refuse_without_kernel(request, error);
    if (!status && request->variant && request->step_count)
        status = clopt_fail(error, CLOPT_INVALID, "--variant and --%s exclude each other",
                            request->steps[0]);
    return status;
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
    struct clopt_text text = {0};
    clopt_change_say(&text, " * ", &transform->change, !ndrange);
    fputs(clopt_text_string(&text), stdout);
    clopt_text_fini(&text);
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

static enum clopt_status apply_steps(const struct request *request,
                                     struct clopt_transform *transform, struct clopt_error *error)
{
    struct clopt_registry *registry = NULL;
    enum clopt_status status =
        clopt_registry_open(request->global_options->plugin_path, &registry, error);
    if (!status && request->variant)
        status = clopt_apply_variant(transform, registry, request->variant, error);
    for (int i = 0; i < request->step_count && !status; i++) {
        status = clopt_apply_option(transform, registry, request->steps[2 * i],
                                    request->steps[2 * i + 1], error);
        if (status == CLOPT_INFEASIBLE && request->step_count > 1)
            clopt_fail_within(error, "--%s=%s", request->steps[2 * i], request->steps[2 * i + 1]);
    }
    clopt_registry_close(registry);
    return status;
}

/* Expands the macros, where no step has: what is printed needs no -D. There is to be such a kernel.
 */
static enum clopt_status expand(struct clopt_transform *transform, struct clopt_error *error)
{
    struct clopt_source *source = NULL;
    enum clopt_status status = clopt_transform_parse(transform, &source, error);
    if (!status)
        status = clopt_transform_set_tree(transform, source, error);
    clopt_source_destroy(source);
    return status;
}

static enum clopt_status transform_file(void *user, struct clopt_error *error)
{
    const struct request *request = user;
    struct clopt_ndrange ndrange;
    char *text = NULL;
    struct clopt_transform transform = {0};
    clopt_fail(error, CLOPT_OK, "%s, kernel %s", request->file, request->kernel);
    enum clopt_status status = read_ndrange(request, &ndrange, error);
    if (!status)
        status = clopt_text_read_once(request->file, &text, error);
    if (!status)
        status = clopt_transform_init(&transform, request->kernel, request->file, text,
                                      clopt_text_string(&request->options),
                                      ndrange.dimensions ? &ndrange : NULL, error);
    transform.any_local_size = true;
    if (request->source_limit)
        transform.most_bytes = request->source_limit;
    bool has_steps = request->step_count || request->variant;
    if (!status && has_steps)
        status = apply_steps(request, &transform, error);
    if (!status && !transform.lines && !transform.label && !request->analyze)
        status = expand(&transform, error);
    else if (!status && has_steps)
        status = clopt_transform_check(&transform, error);
    if (!status && request->analyze)
        status = clopt_analyze(&transform, request->analyze, error);
    else if (!status)
        print_result(request, &transform);
    clopt_transform_fini(&transform);
    free(text);
    return status;
}

/* Says of a name that the source does not declare how it is defined, if it is a macro. */
static void explain_undeclared(struct clopt_error *error)
{
    static const char undeclared[] = "use of undeclared identifier '";
    const char *name = error->status == CLOPT_INVALID ? strstr(error->message, undeclared) : NULL;
    size_t length = name ? strcspn(name + strlen(undeclared), "'") : 0;
    if (length)
        clopt_fail(error, error->status, "%s; a macro is defined by -D%.*s=VALUE", error->message,
                   (int)length, name + strlen(undeclared));
}

int clopt_command_transform(const struct clopt_global_options *global, int argc, char **argv)
{
    struct clopt_error error = {0};
    struct request request = {.global_options = global,
                              .limit_s = CLOPT_DEFAULT_LIMIT_S,
                              .steps = calloc(2 * (size_t)argc, sizeof(char *))};
    enum clopt_status status = request.steps ? CLOPT_OK : clopt_fail_memory(&error);
    int code = CLOPT_EXIT_DONE;
    if (!status)
        status = read_arguments(&request, argc, argv, &error);
    if (status == CLOPT_INVALID)
        code = clopt_usage_error("transform", "%s", error.message);
    else if (!status && request.help)
        fputs(clopt_help_transform, stdout);
    else if (!status)
        status = clopt_command_apart(request.limit_s, transform_file, &request, &error);
    explain_undeclared(&error);
    if (status && code == CLOPT_EXIT_DONE)
        code = clopt_report_error(&error);
    for (int i = 0; i < 2 * request.step_count; i++)
        free(request.steps[i]);
    free(request.steps);
    clopt_text_fini(&request.options);
    return code;
}
