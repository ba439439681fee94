/* SPDX-License-Identifier: BSD-3-Clause */
/* A launch of a kernel, as [app kernel], [step N] or [reference] describes it. */
#include "definition.h"

#define AT(member) offsetof(struct kernel_step, member)

/* Where keys may be. */
#define PROGRAMS (ABOVE | KERNEL_REFERENCE | KERNEL_VARIANT | KERNEL_VARIANT_OF_STEPS)
#define ABOVE    (KERNEL_APP | KERNEL_APP_OF_STEPS)
#define LAUNCHES (OWN | KERNEL_REFERENCE | KERNEL_VARIANT)
#define OWN      (KERNEL_APP | KERNEL_STEP)

/* The keys: places, where their expressions go (0: they have none), how many these are at most,
 * legal words, and help. */
#define KEYS(ROW)                                                                                  \
    ROW("source", PROGRAMS, 0, 0, NULL, "the OpenCL C file: a path, or <FILE.cl> of clopt's own")  \
    ROW("options", PROGRAMS, 0, 0, NULL, "build options")                                          \
    ROW("include", ABOVE, 0, 0, NULL, "folders of included files, a list")                         \
    ROW("kernel", LAUNCHES, 0, 0, NULL, "the name of the __kernel function")                       \
    ROW("global", LAUNCHES, AT(global), 3, NULL, "the global size, one to three expressions")      \
    ROW("local", LAUNCHES, AT(local), 3, NULL, "the local size, as many")                          \
    ROW("arithmetic", OWN, 0, 0, "single, double, integer", "what kind the operations are of")     \
    ROW("operations", OWN, AT(operations), 1, NULL, "arithmetic operations of a launch")           \
    ROW("bytes", OWN, AT(bytes), 1, NULL, "bytes of global memory that a launch must move")        \
    ROW("when", OWN, AT(when), 1, NULL, "an expression: 0 leaves the launch out")                  \
    ROW("repeat", ABOVE | KERNEL_STEP, AT(repeat), 1, NULL, "how often launches are repeated")     \
    ROW("any_local_size", OWN | KERNEL_VARIANT, 0, 0, "yes, no, dividing",                         \
        "which local sizes the kernel is right for")                                               \
    ROW("while", ABOVE, 0, 0, NULL, "an inout buffer, whose first integer ends the repetitions")   \
    ROW("kernels", ABOVE, 0, 0, NULL, "the kernels that are optimized and reported")               \
    ROW("arguments", LAUNCHES, 0, 0, NULL, "the kernel's arguments, in its order")

#define PARAMETER(NAME, PLACES, AT, MOST, LEGAL, HELP)                                             \
    {.name = NAME, .type = CLOPT_TEXT, .legal = LEGAL, .help = HELP},
#define USE(NAME, PLACES, AT, MOST, LEGAL, HELP) {NAME, PLACES, AT, MOST, LEGAL},

const struct clopt_parameter kernel_keys[] = {KEYS(PARAMETER){0}};

static const struct {
    const char *name;
    unsigned places;
    size_t at;
    size_t most;
    const char *legal;
} keys[] = {KEYS(USE){"program", KERNEL_REFERENCE, 0, 0, NULL}};

#define KEY_COUNT (sizeof keys / sizeof *keys)

static struct kernel_expressions *expressions_of(struct kernel_step *step, size_t key)
{
    return (struct kernel_expressions *)((char *)step + keys[key].at);
}

void kernel_step_fini(struct kernel_step *step)
{
    for (size_t i = 0; i < KEY_COUNT; i++)
        if (keys[i].at)
            kernel_expressions_fini(expressions_of(step, i));
    for (size_t i = 0; i < step->argument_count; i++)
        kernel_argument_fini(&step->arguments[i].own);
    step->argument_count = 0;
}

/* ---- reading ---- */

/* The number of a key; that of all keys where there is none of the name. */
static size_t find_key(const char *name)
{
    size_t key = 0;
    while (key < KEY_COUNT && strcmp(keys[key].name, name) != 0)
        key++;
    return key;
}

void kernel_step_check_keys(const struct clopt_section *section, enum kernel_place place,
                            struct clopt_error *error)
{
    char known[256] = "";
    size_t length = 0;
    for (size_t k = 0; k < KEY_COUNT; k++)
        if (keys[k].places & place)
            length += (size_t)snprintf(known + length, sizeof known - length, "%s%s",
                                       length ? ", " : "", keys[k].name);
    for (size_t i = 0; i < section->count; i++) {
        struct kernel_position position = kernel_position_of(section, &section->settings[i]);
        size_t key = find_key(position.key);
        unsigned places = key < KEY_COUNT ? keys[key].places : 0;
        if (place == KERNEL_APP_OF_STEPS && (places & KERNEL_APP) && !(places & place))
            kernel_fail(&position, error, "with steps, this belongs in [step N]");
        else if (place == KERNEL_VARIANT_OF_STEPS && (places & KERNEL_VARIANT) && !(places & place))
            kernel_fail(&position, error,
                        "with steps, a variant is a program of the same kernels, launched alike; "
                        "it has source and options");
        else if (!(places & place))
            kernel_fail(&position, error, "unknown key; there are %s", known);
    }
}

void kernel_step_read_key(struct kernel_reader *reader, const struct clopt_section *section,
                          const char *key, unsigned allowed, struct kernel_expressions *expressions)
{
    const struct clopt_setting *setting = kernel_setting(section, key);
    if (!setting)
        return;
    struct kernel_position position = kernel_position_of(section, setting);
    struct kernel_scan scan = kernel_scan_begin(&position, reader->error);
    kernel_expressions_read(&scan, setting->value, 1, keys[find_key(key)].most, expressions);
    kernel_expressions_check(expressions, &reader->definition->names, allowed, reader->error);
}

/* Reads one of the legal words; returns its number, `missing` where there is no key. */
static unsigned read_word(const struct clopt_section *section, const char *key, unsigned missing,
                          struct clopt_error *error)
{
    const struct clopt_setting *setting = kernel_setting(section, key);
    const char *list = keys[find_key(key)].legal;
    unsigned word = 0;
    if (!setting)
        return missing;
    struct kernel_position position = kernel_position_of(section, setting);
    for (char *part; (part = kernel_next_part(&list)); word++) {
        bool found = strcmp(part, setting->value) == 0;
        free(part);
        if (found)
            return word;
    }
    kernel_fail(&position, error, "%s: not one of %s", setting->value, keys[find_key(key)].legal);
    return missing;
}

/* The section that says a key of a launch: [variant NAME] leaves to [app kernel] what it does not
 * say, and [reference] its NDRange. */
static const struct clopt_section *section_of(const struct kernel_reader *reader,
                                              const struct clopt_section *section,
                                              enum kernel_place place, const char *key)
{
    bool leaves = place == KERNEL_VARIANT || (place == KERNEL_REFERENCE && keys[find_key(key)].at);
    return leaves && !kernel_setting(section, key) ? reader->app : section;
}

static const char *read_kernel(const struct clopt_section *section, struct clopt_error *error)
{
    const struct clopt_setting *setting = kernel_setting(section, "kernel");
    struct kernel_position position = kernel_position_of(section, setting);
    if (!setting)
        kernel_fail(&position, error, "kernel = NAME is missing");
    else if (!clopt_is_identifier(setting->value))
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

/* Reads one argument of a launch: a name, or a scalar of its own. */
static void read_argument(struct kernel_reader *reader, const struct kernel_position *position,
                          char *part, unsigned allowed, struct kernel_step_argument *argument)
{
    struct clopt_error *error = reader->error;
    struct kernel_position own = *position;
    own.value = part;
    *argument = (struct kernel_step_argument){.shared = kernel_reader_argument(reader, part)};
    if (argument->shared)
        return;
    if (clopt_is_identifier(part))
        kernel_fail(position, error, "%s is not in [arguments]", part);
    kernel_argument_read(&own, "", &argument->own, error);
    argument->own.position.value = position->value; /* the part's memory goes away */
    argument->own.values.position.value = position->value;
    if (argument->own.kind != KERNEL_SCALAR)
        kernel_fail(position, error,
                    "%s: only scalars may stand here; others belong into [arguments]", part);
    kernel_expressions_check(&argument->own.values, &reader->definition->names, allowed, error);
}

static void read_arguments(struct kernel_reader *reader, const struct clopt_section *section,
                           unsigned allowed, struct kernel_step *step)
{
    struct kernel_definition *definition = reader->definition;
    const struct clopt_setting *setting = kernel_setting(section, "arguments");
    struct kernel_position position = kernel_position_of(section, setting);
    const char *list = position.value;
    char *part;
    for (size_t i = 0; !setting && i < definition->argument_count; i++)
        step->arguments[step->argument_count++].shared = &definition->arguments[i];
    while (!reader->error->status && (part = kernel_next_part(&list))) {
        if (step->argument_count == KERNEL_MOST_ARGUMENTS)
            kernel_fail(&position, reader->error, "more than %d arguments", KERNEL_MOST_ARGUMENTS);
        else
            read_argument(reader, &position, part, allowed,
                          &step->arguments[step->argument_count++]);
        free(part);
    }
}

void kernel_step_read(struct kernel_reader *reader, const struct clopt_section *section,
                      enum kernel_place place, struct kernel_step *step)
{
    struct clopt_error *error = reader->error;
    unsigned allowed = KERNEL_PARAMETERS | KERNEL_I | (place == KERNEL_STEP ? KERNEL_J : 0);
    *step = (struct kernel_step){.position = kernel_position_of(section, NULL)};
    step->kernel_name = read_kernel(section_of(reader, section, place, "kernel"), error);
    for (size_t i = 0; i < KEY_COUNT; i++) {
        bool once = keys[i].at == AT(repeat); /* for all launches of a step */
        unsigned places = place == KERNEL_VARIANT ? KERNEL_APP : place;
        if (keys[i].at && (keys[i].places & places) && (!once || place == KERNEL_STEP))
            kernel_step_read_key(reader, section_of(reader, section, place, keys[i].name),
                                 keys[i].name, once ? allowed & ~KERNEL_J : allowed,
                                 expressions_of(step, i));
    }
    check_sizes(step, error);
    unsigned any = read_word(section, "any_local_size", 1, error);
    step->has_names = place == KERNEL_APP && !kernel_setting(section, "arguments");
    step->any_local_size = any != 1;
    step->whole_groups = any == 2;
    step->arithmetic = (enum clopt_arithmetic)read_word(
        section_of(reader, section, place, "arithmetic"), "arithmetic", 0, error);
    read_arguments(reader, section_of(reader, section, place, "arguments"), allowed, step);
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

void kernel_reference_read(struct kernel_reader *reader, const struct clopt_section *section,
                           struct kernel_reference *reference)
{
    *reference = (struct kernel_reference){0};
    if (!section)
        return;
    kernel_step_check_keys(section, KERNEL_REFERENCE, reader->error);
    const struct clopt_setting *program = kernel_setting(section, "program");
    if (program) {
        read_program(section, program, reference, reader->error);
        return;
    }
    kernel_step_read(reader, section, KERNEL_REFERENCE, &reference->step);
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
