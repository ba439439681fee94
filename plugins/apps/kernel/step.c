/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch of a kernel, as [app kernel], [step N] or [reference] describes it. */
#include "step.h"

/* The keys that have expressions. */
static const struct {
    const char *key;
    size_t at;
    size_t most;
    bool once; /* for all launches of a step */
} keys[] = {
    {"global", offsetof(struct kernel_step, global), 3, false},
    {"local", offsetof(struct kernel_step, local), 3, false},
    {"operations", offsetof(struct kernel_step, operations), 1, false},
    {"bytes", offsetof(struct kernel_step, bytes), 1, false},
    {"when", offsetof(struct kernel_step, when), 1, false},
    {"repeat", offsetof(struct kernel_step, repeat), 1, true},
};

#define KEYS (sizeof keys / sizeof *keys)

static struct kernel_expressions *expressions_of(struct kernel_step *step, size_t key)
{
    return (struct kernel_expressions *)((char *)step + keys[key].at);
}

void kernel_step_fini(struct kernel_step *step)
{
    for (size_t i = 0; i < KEYS; i++)
        kernel_expressions_fini(expressions_of(step, i));
    for (size_t i = 0; i < step->argument_count; i++)
        kernel_argument_fini(&step->arguments[i].own);
    step->argument_count = 0;
}

/* ---- reading ---- */

void kernel_step_read_key(const struct clopt_section *section, const char *key, unsigned allowed,
                          struct kernel_known known, struct kernel_expressions *expressions)
{
    const struct clopt_setting *setting = kernel_setting(section, key);
    size_t most = 1;
    for (size_t i = 0; i < KEYS; i++)
        if (strcmp(keys[i].key, key) == 0)
            most = keys[i].most;
    if (!setting)
        return;
    struct kernel_position position = kernel_position_of(section, setting);
    struct kernel_scan scan = kernel_scan_begin(&position, known.error);
    kernel_expressions_read(&scan, setting->value, 1, most, expressions);
    kernel_expressions_check(expressions, known.names, allowed, known.error);
}

/* Reads one of some words, which NULL ends; returns its number, `missing` where there is no key. */
static unsigned read_word(const struct clopt_section *section, const char *key,
                          const char *const *words, unsigned missing, struct clopt_error *error)
{
    const struct clopt_setting *setting = kernel_setting(section, key);
    char list[64] = "";
    unsigned word = 0;
    if (!setting)
        return missing;
    for (size_t length = 0; words[word] && strcmp(words[word], setting->value) != 0; word++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", word ? ", " : "",
                                   words[word]);
    struct kernel_position position = kernel_position_of(section, setting);
    if (!words[word])
        kernel_fail(&position, error, "%s: not one of %s", setting->value, list);
    return words[word] ? word : missing;
}

static const char *read_kernel(const struct clopt_section *section, struct clopt_error *error)
{
    const struct clopt_setting *setting = kernel_setting(section, "kernel");
    struct kernel_position position = kernel_position_of(section, setting);
    if (!setting)
        kernel_fail(&position, error, "kernel = NAME is missing");
    else if (!kernel_is_identifier(setting->value))
        kernel_fail(&position, error, "%s: not the name of a function", setting->value);
    return position.value;
}

static void check_sizes(const struct kernel_step *step, struct clopt_error *error)
{
    if (!step->global.count || !step->local.count)
        kernel_fail(&step->position, error, "%s = EXPRESSION is missing",
                    step->global.count ? "local" : "global");
    if (step->global.count != step->local.count)
        kernel_fail(&step->local.position, error, "%zu dimensions, but global has %zu",
                    step->local.count, step->global.count);
}

struct kernel_argument *kernel_known_argument(const struct kernel_known *known, const char *name)
{
    for (size_t i = 0; i < known->count; i++)
        if (strcmp(known->arguments[i].name, name) == 0)
            return &known->arguments[i];
    return NULL;
}

/* Reads one argument of a launch: a name, or a scalar of its own. */
static void read_argument(const struct kernel_position *position, char *part, unsigned allowed,
                          struct kernel_known known, struct kernel_step_argument *argument)
{
    struct clopt_error *error = known.error;
    struct kernel_position own = *position;
    own.value = part;
    *argument = (struct kernel_step_argument){.shared = kernel_known_argument(&known, part)};
    if (argument->shared)
        return;
    if (kernel_is_identifier(part))
        kernel_fail(position, error, "%s is not in [arguments]", part);
    kernel_argument_read(&own, "", &argument->own, error);
    argument->own.position.value = position->value; /* the part's memory goes away */
    argument->own.values.position.value = position->value;
    if (argument->own.kind != KERNEL_SCALAR)
        kernel_fail(position, error,
                    "%s: only scalars may stand here; others belong into [arguments]", part);
    kernel_expressions_check(&argument->own.values, known.names, allowed, error);
}

static void read_arguments(const struct clopt_section *section, unsigned allowed,
                           struct kernel_known known, struct kernel_step *step)
{
    struct clopt_error *error = known.error;
    const struct clopt_setting *setting = kernel_setting(section, "arguments");
    struct kernel_position position = kernel_position_of(section, setting);
    const char *list = position.value;
    char *part;
    for (size_t i = 0; !setting && i < known.count; i++)
        step->arguments[step->argument_count++].shared = &known.arguments[i];
    while (!error->status && (part = kernel_next_part(&list))) {
        if (step->argument_count == KERNEL_MOST_ARGUMENTS)
            kernel_fail(&position, error, "more than %d arguments", KERNEL_MOST_ARGUMENTS);
        else
            read_argument(&position, part, allowed, known,
                          &step->arguments[step->argument_count++]);
        free(part);
    }
}

void kernel_step_read(const struct clopt_section *section, bool whole, struct kernel_known known,
                      struct kernel_step *step)
{
    struct clopt_error *error = known.error;
    static const char *const local_sizes[] = {"yes", "no", "dividing", NULL};
    static const char *const arithmetics[] = {"single", "double", "integer", NULL};
    unsigned allowed = KERNEL_PARAMETERS | KERNEL_I | (whole ? 0 : KERNEL_J);
    *step = (struct kernel_step){.position = kernel_position_of(section, NULL)};
    step->kernel_name = read_kernel(section, error);
    for (size_t i = 0; i < KEYS; i++)
        if (!keys[i].once || !whole)
            kernel_step_read_key(section, keys[i].key, keys[i].once ? allowed & ~KERNEL_J : allowed,
                                 known, expressions_of(step, i));
    check_sizes(step, error);
    unsigned any = read_word(section, "any_local_size", local_sizes, 1, error);
    step->any_local_size = any != 1;
    step->whole_groups = any == 2;
    step->arithmetic =
        (enum clopt_arithmetic)read_word(section, "arithmetic", arithmetics, 0, error);
    read_arguments(section, allowed, known, step);
}

/* ---- [reference] ---- */

/* Reads a command: then nothing else counts. */
static void read_program(const struct clopt_section *section, const struct clopt_setting *setting,
                         struct kernel_reference *reference, struct clopt_error *error)
{
    reference->position = kernel_position_of(section, setting);
    reference->program = setting->value;
    for (size_t i = 0; i < section->count; i++) {
        struct kernel_position position = kernel_position_of(section, &section->settings[i]);
        if (&section->settings[i] != setting)
            kernel_fail(&position, error, "a program computes the reference; leave this key out");
    }
}

void kernel_reference_read(const struct clopt_section *section, const struct clopt_section *whole,
                           struct kernel_known known, struct kernel_reference *reference)
{
    static const char *const allowed[] = {"kernel", "source",    "options", "global",
                                          "local",  "arguments", "program", NULL};
    static const char *const own[] = {"kernel", "arguments", "global", "local"};
    struct clopt_setting settings[4];
    *reference = (struct kernel_reference){0};
    if (!section)
        return;
    kernel_check_keys(section, allowed, known.error);
    const struct clopt_setting *program = kernel_setting(section, "program");
    if (program) {
        read_program(section, program, reference, known.error);
        return;
    }
    struct clopt_section merged = *section;
    merged.settings = settings;
    merged.count = 0;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const struct clopt_setting *setting = kernel_setting(section, own[i]);
        if (!setting && i >= 2)
            setting = kernel_setting(whole, own[i]);
        if (setting)
            settings[merged.count++] = *setting;
    }
    kernel_step_read(&merged, true, known, &reference->step);
    reference->has_step = true;
    reference->kernels[0] = (struct clopt_kernel){
        reference->step.kernel_name, (unsigned)reference->step.global.count, false, false};
}

/* ---- evaluating ---- */

struct clopt_ndrange kernel_step_ndrange(const struct kernel_step *step, struct kernel_scope *scope)
{
    struct clopt_ndrange ndrange = {
        .dimensions = (unsigned)step->global.count, .global = {1, 1, 1}, .local = {1, 1, 1}};
    for (size_t d = 0; d < step->global.count; d++) {
        int64_t global = kernel_evaluate_integer(scope, &step->global, d, 1);
        int64_t local = kernel_evaluate_integer(scope, &step->local, d, 1);
        if (global % local)
            kernel_fail(&step->global.position, scope->error,
                        "\"%s\" is %" PRId64 ", no multiple of the local size %" PRId64
                        "; ceildiv(a, b) * b rounds a up",
                        step->global.items[d]->text, global, local);
        ndrange.global[d] = (size_t)global;
        ndrange.local[d] = (size_t)local;
    }
    return ndrange;
}

double kernel_step_number(const struct kernel_expressions *expressions, struct kernel_scope *scope)
{
    if (!expressions->count)
        return 0;
    double number = kernel_evaluate(scope, expressions, 0).real;
    if (number < 0)
        kernel_fail(&expressions->position, scope->error, "\"%s\" is negative: %.17g",
                    expressions->items[0]->text, number);
    return number;
}
