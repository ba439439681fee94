/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs kernels as they are and as variants, and compares what they leave in memory word by word.
 *
 *     composition [-p PLATFORM] [-x] -v VARIANT FILE.cl ...
 *     composition [-p PLATFORM] [-x] -v VARIANT [KIND] -r FIRST -n COUNT
 *     composition [-p PLATFORM] [-x] [-o OPTIMIZATIONS] [-m MOST] [KIND] -r FIRST -n COUNT
 *         [FILE.cl ...]
 *     composition -e [-o OPTIMIZATIONS] [-m MOST] -r FIRST -n COUNT
 *     composition [-p PLATFORM] ... -- ... -- ...
 *
 * A file holds one kernel k as for tests/helpers/differential, which -r replaces by random kernels,
 * by number, with -l by random loops over arrays (-f: with halves), with -a by random accesses,
 * with -c by chains of variables (-d: in other ways, -g: in OpenCL C 2.0 and 3.0), with -i RULE by
 * a rule of $CLOPT_SOURCE_DIR/tests/helpers/random_idioms.txt, with -b by
 * kernels from which groups return before barriers, and with -w by ones from which work-items do,
 * on platforms where that is defined, such as Oclgrind. The first two forms apply one variant,
 * named as reports name it; a file that says
 * "// refuse: message" must be refused so. The last form makes COUNT random variants of up to MOST
 * (3) optimizations, of those in the list (all), with random legal values of their parameters, in
 * any order; with files, of these in turn. Steps that are refused are counted, and others taken for
 * them. -x prints the variants, -t makes and prints them without running them, -e prints nothing
 * but random names of variants. Between "--" there are other options and files: one process tries
 * all of them, on the platform of the first ones, and says of each what came of it. With
 * CLOPT_SANITIZERS in the environment variants are made alone: what is watched is clopt. Exit code
 * 77: there is no such platform. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <clopt/memory.h>
#include <clopt/random.h>

#include "commands/transform/steps.h"
#include "file/file.h"
#include "kernel_run.h"
#include "number/values.h"
#include "random_chains.h"
#include "random_kernel.h"
#include "random_loops.h"
#include "random_reads.h"
#include "random_text.h"
#include "rewrite/transform.h"
#include "text/text.h"

#define MOST_VALUES   32 /* of a parameter to choose from, where its legal values are a range */
#define MOST_ATTEMPTS 16 /* to add a step to the random variant of a kernel */

struct settings {
    const char *platform;
    const char *variant; /* NULL: random ones */
    const char *optimizations;
    unsigned most;
    bool print;
    bool texts; /* alone: no variant is run */
    bool list;
    char *(*make)(uint64_t number); /* a random kernel */
    char *grammar;                  /* NULL: `make` does it */
    const char *rule;
    uint64_t first;
    uint64_t count;
};

struct totals {
    unsigned equal;
    unsigned unchanged; /* refused steps, and variants of the same text */
    unsigned failures;
};

/* What a kernel has left in memory as it is. */
struct known {
    struct known *next;
    char *source;
    int32_t words[WORDS];
};

static struct device device;
static struct known *all_known;
static int32_t actual[WORDS];
static struct totals totals;

/* ---- random variants ---- */

static unsigned below(struct clopt_random *random, unsigned bound)
{
    return (unsigned)clopt_random_below(random, bound);
}

static bool is_wanted(const struct clopt_plugin_entry *entry, const char *optimizations)
{
    const char *name = entry->extension->name;
    if (entry->extension->kind != CLOPT_KIND_OPTIMIZATION ||
        (optimizations && !strstr(optimizations, name)))
        return false;
    const struct clopt_parameter *parameter = entry->extension->optimization->parameters;
    while (parameter->name && (parameter->knob || !clopt_parameter_legal(parameter)))
        parameter++;
    return parameter->name; /* there is something to set */
}

/* The values to choose from; what has none listed is left alone, unless it is known here. */
static const char *list_values(const struct clopt_parameter *parameter)
{
    static const char *const lists[][2] = {
        {"loops", "innermost, outer, nests, all, 1, 1+2*3, 2, 1*4+2"},
        {"stage", "all, in"},
        {"constant", "all, in"},
        {"privatise", "all, out"},
        {"test", "no"}, /* a race, which changes nothing */
        {"window", "64, 8, 256, 0"},
        {"group_loop", "2, 4, 8, 32"},
        {"specialise", "16384, 65536"},
        {"local_size", "32, 8, 8x4, 64, 4x4, 16x2, 4x2x2"}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(parameter->name, lists[i][0]) == 0)
            return lists[i][1];
    return clopt_parameter_legal(parameter);
}

/* Sets a parameter to a random legal value. */
static void set_value(struct clopt_values *values, struct clopt_random *random,
                      const struct clopt_parameter *parameter)
{
    const char *legal = list_values(parameter);
    struct clopt_list list = {0};
    struct clopt_error error = {0};
    bool hint = strcmp(parameter->name, "hint") == 0 || strcmp(parameter->name, "pragma") == 0;
    if (hint && below(random, 8)) /* they leave the work to compilers */
        return;
    if (parameter->knob || !legal || clopt_list_parse(legal, parameter->type, 4096, &list, &error))
        return;
    unsigned choices = list.count < MOST_VALUES ? (unsigned)list.count : MOST_VALUES;
    unsigned choice = below(random, choices);
    unsigned other = below(random, choices);
    /* The first values are the small ones, which fit more often. */
    clopt_values_set(values, parameter, list.items[choice < other ? choice : other], &error);
    clopt_list_fini(&list);
}

/* Whether a step with this parameter is hardly ever refused. */
static bool is_plentiful(const struct clopt_parameter *parameter)
{
    static const char *const names[] = {"granularity", "group_loop", "across",
                                        "within",      "serial",     "constant"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(parameter->name, names[i]) == 0)
            return true;
    return false;
}

/* Sets one of the parameters, and some others; false where that means nothing. */
static bool set_values(const struct clopt_optimization *optimization, struct clopt_values *values,
                       struct clopt_random *random)
{
    struct clopt_values *initial = clopt_values_create(optimization->parameters);
    struct clopt_transform transform = {.kernel = "k"};
    struct clopt_error error = {0};
    size_t one = below(random, (unsigned)values->count);
    if (is_plentiful(&optimization->parameters[one]) && below(random, 2))
        one = below(random, (unsigned)values->count);
    for (size_t i = 0; i < values->count; i++)
        if (i == one || below(random, 6) == 0)
            set_value(values, random, &optimization->parameters[i]);
    bool means = initial && !clopt_values_equal(initial, values) &&
                 !clopt_values_check_meaning(optimization->parameters, values, &error) &&
                 (!optimization->check || !optimization->check(&transform, values, &error));
    clopt_values_destroy(initial);
    return means;
}

static void put_step(struct clopt_text *text, struct clopt_random *random,
                     const struct clopt_plugin_entry *entry)
{
    const struct clopt_optimization *optimization = entry->extension->optimization;
    struct clopt_values *values = NULL;
    do {
        clopt_values_destroy(values);
        values = clopt_values_create(optimization->parameters);
    } while (values && !set_values(optimization, values, random));
    const char *separator = "";
    clopt_text_printf(text, "%s%s(", text->length ? "+" : "", entry->extension->name);
    for (size_t i = 0; values && i < values->count; i++) {
        const char *value = values->items[i].text;
        const char *initial = optimization->parameters[i].initial;
        if (!value || (initial && strcmp(value, initial) == 0))
            continue;
        const char *quote = strchr(value, '+') ? "\"" : "";
        clopt_text_printf(text, "%s%s=%s%s%s", separator, values->items[i].name, quote, value,
                          quote);
        separator = ",";
    }
    clopt_text_append(text, ")");
    clopt_values_destroy(values);
}

/* Adds a random step to the name of a variant (NULL: there is none yet); for the caller to free. */
static char *lengthen(const struct clopt_registry *registry, const struct settings *settings,
                      const char *name, struct clopt_random *random)
{
    struct clopt_text text = {0};
    const struct clopt_plugin_entry *wanted[16];
    unsigned count = 0;
    const struct clopt_plugin_entry *entry;
    for (size_t i = 0; count < 16 && (entry = clopt_registry_entry(registry, CLOPT_KIND_ANY, i));
         i++)
        if (is_wanted(entry, settings->optimizations))
            wanted[count++] = entry;
    clopt_text_append(&text, name ? name : "");
    if (count)
        put_step(&text, random, wanted[below(random, count)]);
    return clopt_text_take(&text);
}

/* ---- comparing ---- */

static void fail(const char *file, const char *variant, const char *what)
{
    totals.failures++;
    printf("%s: %s: %s\n", file, variant, what);
}

/* Runs a kernel as it is, unless that was done before; NULL: it cannot be run. */
static const int32_t *run_initial(const char *source, const struct clopt_ndrange *range)
{
    struct known *known = all_known;
    while (known && strcmp(known->source, source) != 0)
        known = known->next;
    if (known)
        return known->words;
    known = clopt_calloc(1, sizeof *known);
    if (device_run(&device, source, range, NULL, known->words) != RUN_DONE) {
        free(known);
        return NULL;
    }
    known->source = clopt_strdup(source);
    known->next = all_known;
    all_known = known;
    return known->words;
}

static void forget_all(void)
{
    while (all_known) {
        struct known *next = all_known->next;
        free(all_known->source);
        free(all_known);
        all_known = next;
    }
}

static void compare(const char *file, const char *variant, const int32_t *expected)
{
    for (size_t i = 0; i < WORDS; i++)
        if (expected[i] != actual[i]) {
            char what[128];
            snprintf(what, sizeof what, "word %zu is %d and was %d", i, actual[i], expected[i]);
            fail(file, variant, what);
            return;
        }
    totals.equal++;
}

/* Whether a file announces the message of a refusal. */
static bool is_announced(const char *source, const char *message)
{
    const char *at = strstr(source, "// refuse: ");
    if (!at)
        return false;
    at += strlen("// refuse: ");
    size_t length = strcspn(at, "\n");
    const char *found = strstr(message, ".cl:");
    return found && strlen(found + 4) == length && strncmp(found + 4, at, length) == 0;
}

/* Notes what came of a variant that was not made. */
static void note_refusal(const struct settings *settings, const char *file, const char *variant,
                         const char *source, const struct clopt_error *error)
{
    bool wanted = settings->variant && !settings->count;
    if (error->status != CLOPT_INFEASIBLE || (wanted && !is_announced(source, error->message)))
        fail(file, variant, error->message);
    else
        totals.unchanged++;
    if (settings->print)
        printf("%s: %s: %s\n", file, variant, error->message);
}

static void run_variant(const char *file, const char *source, const char *variant,
                        const struct clopt_transform *transform)
{
    struct clopt_ndrange range = device_range(source);
    const int32_t *expected;
    enum run run;
    if (strcmp(transform->source, source) == 0)
        totals.unchanged++;
    else if (!(expected = run_initial(source, &range)))
        fail(file, "initial code", "cannot be run");
    else if ((run = device_run(&device, transform->source, &range, &transform->change, actual)) ==
             RUN_FAILED)
        fail(file, variant, "the variant cannot be run");
    else if (run == RUN_REFUSED) /* a study would call it infeasible */
        totals.unchanged++;
    else
        compare(file, variant, expected);
}

/* Makes a variant, which is then for the caller to end. */
static enum clopt_status make_variant(const struct clopt_registry *registry, const char *file,
                                      const char *source, const char *variant,
                                      struct clopt_transform *transform, struct clopt_error *error)
{
    struct clopt_ndrange range = device_range(source);
    bool required = strstr(source, "reqd_work_group_size"); /* it alone says the local size */
    char options[KERNEL_OPTIONS_MAX];
    kernel_options(source, options);
    clopt_transform_init(transform, "k", file, source, options, required ? NULL : &range);
    clopt_transform_require_size(transform);
    transform->any_local_size = !required && strstr(variant, "local_size");
    transform->arguments[2] = (struct clopt_known_argument){true, WORDS};
    CLOPT_TRY(clopt_apply_variant(transform, registry, variant, error));
    return clopt_transform_check(transform, error);
}

/* Makes a variant and runs it. */
static void try_variant(const struct settings *settings, const struct clopt_registry *registry,
                        const char *file, const char *source, const char *variant)
{
    struct clopt_transform transform;
    struct clopt_error error = {0};
    enum clopt_status status = make_variant(registry, file, source, variant, &transform, &error);
    if (status != CLOPT_INFEASIBLE && settings->print)
        printf("/* %s: %s */\n%s", file, variant, transform.source);
    if (status)
        note_refusal(settings, file, variant, source, &error);
    else if (!settings->count && strstr(source, "// refuse: "))
        fail(file, variant, "was not refused");
    else if (!settings->texts)
        run_variant(file, source, variant, &transform);
    else if (strcmp(transform.source, source) == 0)
        totals.unchanged++;
    else
        totals.equal++;
    clopt_transform_fini(&transform);
}

/* Makes the name of a random variant that is not refused, for the caller to free; NULL: there is
 * none. */
static char *grow_variant(const struct settings *settings, const struct clopt_registry *registry,
                          const char *file, const char *source, uint64_t number)
{
    struct clopt_random random = clopt_random_seed(11, number);
    char *variant = NULL;
    unsigned steps = 1 + below(&random, settings->most);
    for (unsigned attempts = MOST_ATTEMPTS; steps && attempts; attempts--) {
        char *longer = lengthen(registry, settings, variant, &random);
        struct clopt_transform transform;
        struct clopt_error error = {0};
        if (!make_variant(registry, file, source, longer, &transform, &error)) {
            char *shorter = variant;
            variant = longer;
            longer = shorter;
            steps--;
        } else {
            note_refusal(settings, file, longer, source, &error);
            attempts = error.status == CLOPT_INFEASIBLE ? attempts : 1;
        }
        clopt_transform_fini(&transform);
        free(longer);
    }
    return variant;
}

/* Tries the variant that is asked for, or a random one. */
static void try_source(const struct settings *settings, const struct clopt_registry *registry,
                       const char *file, const char *source, uint64_t number)
{
    char *variant = settings->variant ? strdup(settings->variant)
                                      : grow_variant(settings, registry, file, source, number);
    if (variant)
        try_variant(settings, registry, file, source, variant);
    fflush(stdout);
    free(variant);
}

static void try_file(const struct settings *settings, const struct clopt_registry *registry,
                     const char *file, uint64_t number)
{
    struct clopt_error error = {0};
    char *source = NULL;
    if (clopt_text_read(file, &source, &error))
        fail(file, "initial code", error.message);
    else
        try_source(settings, registry, file, source, number);
    free(source);
}

static char *make_returning_groups(uint64_t number)
{
    return random_returning_kernel(number, RANDOM_RETURNS_OF_GROUPS);
}

static char *make_returning_items(uint64_t number)
{
    return random_returning_kernel(number, RANDOM_RETURNS_OF_ITEMS);
}

static void try_random(const struct settings *settings, const struct clopt_registry *registry,
                       uint64_t number)
{
    char name[64];
    snprintf(name, sizeof name, "random %llu", (unsigned long long)number);
    char *source = settings->grammar ? random_text(settings->grammar, settings->rule, number)
                                     : settings->make(number);
    if (!source)
        fail(name, "initial code", "cannot be made");
    else
        try_source(settings, registry, name, source, number);
    free(source);
}

static void try_all(const struct settings *settings, const struct clopt_registry *registry,
                    char **files, int file_count)
{
    for (int i = 0; i < file_count && !settings->count; i++)
        try_file(settings, registry, files[i], 0);
    for (uint64_t i = 0; i < settings->count; i++) {
        uint64_t number = settings->first + i;
        if (file_count)
            try_file(settings, registry, files[number % (uint64_t)file_count], number);
        else
            try_random(settings, registry, number);
    }
}

static void list_names(const struct settings *settings, const struct clopt_registry *registry)
{
    for (uint64_t i = 0; i < settings->count; i++) {
        struct clopt_random random = clopt_random_seed(11, settings->first + i);
        char *name = NULL;
        for (unsigned steps = 1 + below(&random, settings->most); steps; steps--) {
            char *longer = lengthen(registry, settings, name, &random);
            free(name);
            name = longer;
        }
        puts(name ? name : "");
        free(name);
    }
}

static bool read_grammar(struct settings *settings)
{
    const char *folder = getenv("CLOPT_SOURCE_DIR");
    struct clopt_error error = {0};
    char path[4096];
    snprintf(path, sizeof path, "%s/tests/helpers/random_idioms.txt", folder ? folder : ".");
    bool good = !clopt_text_read(path, &settings->grammar, &error);
    if (!good)
        fprintf(stderr, "%s\n", error.message);
    return good;
}

/* Takes one of the makers of random kernels; false: it is none. */
static bool take_maker(int option, struct settings *settings)
{
    static const struct {
        int option;
        char *(*make)(uint64_t number);
    } makers[] = {{'l', random_loops},    {'f', random_half_loops},     {'a', random_reads},
                  {'c', random_chains},   {'b', make_returning_groups}, {'d', random_dialects},
                  {'g', random_versions}, {'w', make_returning_items}};
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (makers[i].option == option) {
            settings->make = makers[i].make;
            return true;
        }
    return false;
}

/* Reads the options; false where one is unknown. */
static bool read_options(int argc, char **argv, struct settings *settings)
{
    for (int option; (option = getopt(argc, argv, "p:v:o:m:r:n:i:abcdefgltwx")) != -1;)
        switch (option) {
        case 'p':
            settings->platform = optarg;
            break;
        case 'v':
            settings->variant = optarg;
            break;
        case 'o':
            settings->optimizations = optarg;
            break;
        case 'm':
            settings->most = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'r':
            settings->first = strtoull(optarg, NULL, 10);
            break;
        case 'n':
            settings->count = strtoull(optarg, NULL, 10);
            break;
        case 'e':
            settings->list = true;
            break;
        case 't':
            settings->texts = settings->print = true;
            break;
        case 'x':
            settings->print = true;
            break;
        case 'i':
            settings->rule = optarg;
            break;
        default:
            if (!take_maker(option, settings))
                return false;
        }
    settings->texts |= getenv("CLOPT_SANITIZERS") != NULL;
    return !settings->rule || read_grammar(settings);
}

/* Tries all of what is between two "--", and says what came of it; returns the exit code. */
static int run(const struct settings *settings, const struct clopt_registry *registry, char **files,
               int file_count)
{
    if (!settings->texts && !device.context && !device_open(&device, settings->platform))
        return 77;
    totals = (struct totals){0};
    try_all(settings, registry, files, file_count);
    printf("%u variants equal, %u infeasible or unchanged, %u failures\n", totals.equal,
           totals.unchanged, totals.failures);
    return totals.failures ? 1 : 0;
}

/* Does what options and files up to "--" ask for; returns the exit code. */
static int do_part(const struct clopt_registry *registry, int argc, char **argv)
{
    struct settings settings = {.most = 3, .make = random_kernel};
    optind = 0; /* getopt() begins anew */
    int code = read_options(argc, argv, &settings) ? 0 : 2;
    if (!code && settings.list)
        list_names(&settings, registry);
    else if (!code)
        code = run(&settings, registry, argv + optind, argc - optind);
    free(settings.grammar);
    return code;
}

int main(int argc, char **argv)
{
    struct clopt_registry *registry = NULL;
    struct clopt_error error = {0};
    int code = 0;
    if (clopt_registry_open(NULL, &registry, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    clopt_registry_trust(registry); /* they are those of the build tree */
    clopt_registry_load(registry);
    for (int begin = 0, end; begin < argc && code < 2; begin = end) {
        for (end = begin + 1; end < argc && strcmp(argv[end], "--") != 0;)
            end++;
        int part = do_part(registry, end - begin, argv + begin); /* whose first word is no option */
        code = part > code ? part : code;
    }
    forget_all();
    if (device.context)
        device_close(&device);
    clopt_registry_close(registry);
    return code;
}
