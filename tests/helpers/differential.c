/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs kernels before and after rewriting, and compares what they leave in memory word by word.
 *
 *     differential [-p PLATFORM] [-f FACTOR] [-s STRIDE | -e] [-w WIDTH] [-d] [-q] [-g] [-x]
 *         FILE.cl ...
 *     differential [-p PLATFORM] [-f FACTOR] [-w WIDTH] [-d] [-x] -r FIRST -n COUNT
 *     differential -o FOLDER -r FIRST -n COUNT
 *
 * A file holds one kernel k(global const int *in, global int *out, int n) and says in comments how
 * to run it: "// local 16x4 global 64x8", and if it cannot be coarsened along a dimension,
 * "// refuse 0: message" with the message of geometry ("// refuse groups 0: " for groups;
 * "// groups crash PoCL" where PoCL is not to be asked). Without -f all factors and strides that
 * fit are tried, the merging of two groups, and unrolling, alone and before and after coarsening.
 * -e tries factors 2 and 8 alone, or that of -f, each with its shortest and its longest stride.
 * -r takes random kernels instead of files, by their number. -w is for Intel's runtime: the width
 * of its vectorizer. -d disables the optimizations of the platform's compiler, so that what these
 * get wrong is not taken for clopt's. -q tries one of three ways to unroll, the next one in the
 * next file, instead of seven in each. -g tries the merging of groups alone. -x prints the
 * variants. Each crash of the platform ends one process, and the next one goes on after it; they
 * are failures, but with -c, where they are told and counted. -o only writes random kernels as
 * files. Exit code 77: there is no such platform.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/file.h"
#include "kernel_run.h"
#include "plugins/optimizations/geometry/coarsen.h"
#include "plugins/optimizations/loops/loops.h"
#include "random_kernel.h"
#include "trial/transform.h"

struct totals {
    unsigned runs;
    unsigned refused;
    unsigned failures;
    unsigned crashes;
};

#define MOST_ATTEMPTS 65536
#define QUICK_RECIPES 3 /* the first ones, of which -q tries one */

/* What a process that crashes leaves to the next one. */
static struct progress {
    struct totals totals;
    unsigned done;    /* so many attempts were begun, the last of which may have crashed */
    unsigned current; /* the attempt that is made */
    char name[512];   /* of its file and its recipe */
    bool crashed[MOST_ATTEMPTS];
} * progress;

struct settings {
    const char *platform;
    unsigned factor;
    unsigned stride;
    const char *folder; /* -o */
    bool ends;          /* -e */
    bool print;
    bool crashes; /* -c */
    bool groups;  /* nothing but merged groups */
    bool quick;   /* -q */
    uint64_t first;
    uint64_t count;
};

static int32_t expected[WORDS];
static int32_t actual[WORDS];

/* What the file says of the refusal of a merge; NULL: nothing. */
static const char *find_announcement(const char *source, const struct clopt_merge *merge)
{
    char word[32];
    snprintf(word, sizeof word, "// refuse %s%u: ", merge->groups ? "groups " : "",
             merge->dimension);
    const char *at = strstr(source, word);
    return at ? at + strlen(word) : NULL;
}

/* Whether the file says that a merge is refused with this message. */
static bool is_announced(const char *source, const struct clopt_merge *merge, const char *message)
{
    const char *at = find_announcement(source, merge);
    size_t length = at ? strcspn(at, "\n") : 0;
    const char *reason = strrchr(message, '/');
    reason = reason ? reason + 1 : message;
    return at && strlen(reason) == length && strncmp(reason, at, length) == 0;
}

struct unroll {
    unsigned factor;
    const char *loops; /* NULL: none */
};

/* What is done to a kernel, in this order; a factor of 0 leaves a step out. */
struct recipe {
    struct unroll before;
    struct clopt_merge coarsening;
    struct unroll after;
};

static void print_name(FILE *stream, const char *file, const struct recipe *recipe)
{
    const struct clopt_merge *coarsening = &recipe->coarsening;
    fprintf(stream, "%s:", file);
    if (recipe->before.loops)
        fprintf(stream, " unroll=%u loops=%s", recipe->before.factor, recipe->before.loops);
    if (coarsening->factor)
        fprintf(stream, " granularity=%u dimension=%u stride=%u%s", coarsening->factor,
                coarsening->dimension, coarsening->stride,
                coarsening->groups ? " merge=groups" : "");
    if (recipe->after.loops)
        fprintf(stream, " unroll=%u loops=%s", recipe->after.factor, recipe->after.loops);
}

static void report(struct totals *totals, const char *file, const struct recipe *recipe,
                   const char *what)
{
    totals->failures++;
    print_name(stdout, file, recipe);
    printf(": %s\n", what);
}

/* Begins the next attempt; false where that was made by a process that crashed since, or in it. The
 * initial code is run by each. */
static bool begin(const char *file, const struct recipe *recipe)
{
    static unsigned attempts;
    unsigned number = attempts++;
    if (number >= MOST_ATTEMPTS || progress->crashed[number] || (recipe && number < progress->done))
        return false;
    progress->current = number;
    if (number >= progress->done)
        progress->done = number + 1;
    static const struct recipe none;
    FILE *name = fmemopen(progress->name, sizeof progress->name, "w");
    if (name) {
        print_name(name, file, recipe ? recipe : &none);
        fclose(name);
    }
    return true;
}

static void compare(struct totals *totals, const char *file, const struct recipe *recipe)
{
    for (size_t i = 0; i < WORDS; i++)
        if (expected[i] != actual[i]) {
            char what[128];
            snprintf(what, sizeof what, "word %zu is %d and was %d", i, actual[i], expected[i]);
            report(totals, file, recipe, what);
            return;
        }
    totals->runs++;
}

/* Unrolling may be refused; whether it should be is for other tests. */
static enum clopt_status make_variant(struct clopt_transform *transform,
                                      const struct recipe *recipe, bool *unrolled,
                                      struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    *unrolled = false;
    if (recipe->before.loops)
        status = unroll_apply(transform, recipe->before.loops, recipe->before.factor, error);
    if (!status && recipe->coarsening.factor) {
        status = coarsen_apply(transform, &recipe->coarsening, error);
        if (status)
            return status;
    }
    if (!status && recipe->after.loops)
        status = unroll_apply(transform, recipe->after.loops, recipe->after.factor, error);
    *unrolled = !status;
    return status;
}

static void try_variant(const struct device *device, const struct settings *settings,
                        struct totals *totals, const char *file, const char *source,
                        const struct recipe *recipe)
{
    struct clopt_ndrange range = device_range(source);
    struct clopt_transform transform;
    struct clopt_error error = {0};
    if (!begin(file, recipe))
        return;
    clopt_transform_init(&transform, "k", file, source, "-DCLOPT_TEST=3", &range);
    bool unrolled = false;
    bool unrolling = recipe->before.loops || recipe->after.loops;
    enum clopt_status status = make_variant(&transform, recipe, &unrolled, &error);
    bool may_refuse = unrolling || (recipe->coarsening.groups && settings->count);
    if (status == CLOPT_INFEASIBLE &&
        (may_refuse || is_announced(source, &recipe->coarsening, error.message))) {
        totals->refused++;
    } else if (status) {
        report(totals, file, recipe, error.message);
    } else if (recipe->coarsening.factor && !unrolling &&
               find_announcement(source, &recipe->coarsening)) {
        report(totals, file, recipe, "was not refused");
    } else {
        if (settings->print)
            puts(transform.source);
        if (device_run(device, transform.source, &range, &transform.change, actual) == RUN_DONE)
            compare(totals, file, recipe);
        else
            report(totals, file, recipe, "the variant cannot be run");
    }
    clopt_transform_fini(&transform);
}

static bool start(const struct device *device, struct totals *totals, const char *file,
                  const char *source)
{
    struct clopt_ndrange range = device_range(source);
    if (!begin(file, NULL))
        return false;
    if (device_run(device, source, &range, NULL, expected) == RUN_DONE)
        return true;
    printf("%s: cannot be run\n", file);
    totals->failures++;
    return false;
}

static void try_unrolling(const struct device *device, const struct settings *settings,
                          struct totals *totals, const char *file, const char *source)
{
    static unsigned files;
    unsigned factor = settings->factor ? settings->factor : 2;
    const struct clopt_merge merge = {factor, 0, 1, false, false};
    const struct recipe recipes[] = {
        {.after = {2, "innermost"}},
        {.after = {0, "all"}},
        {.before = {2, "all"}, .coarsening = merge},
        {.after = {4, "all"}},
        {.after = {3, "outer"}},
        {.after = {0, "innermost"}},
        {.coarsening = merge, .after = {2, "innermost"}},
    };
    if (settings->stride > 1 || settings->groups)
        return;
    size_t first = settings->quick ? files++ % QUICK_RECIPES : 0;
    size_t end = settings->quick ? first + 1 : sizeof recipes / sizeof *recipes;
    for (size_t i = first; i < end; i++)
        try_variant(device, settings, totals, file, source, &recipes[i]);
}

static void try_groups(const struct device *device, const struct settings *settings,
                       struct totals *totals, const char *file, const char *source)
{
    struct clopt_ndrange range = device_range(source);
    if (device->pocl && strstr(source, "// groups crash PoCL"))
        return;
    for (unsigned d = 0; d < range.dimensions; d++)
        for (unsigned factor = 2; factor <= 32; factor *= 2) {
            struct recipe recipe = {.coarsening = {factor, d, 1, true, false}};
            if (factor == (settings->factor ? settings->factor : 2) && settings->stride <= 1)
                try_variant(device, settings, totals, file, source, &recipe);
        }
}

/* Whether a merge fits a local size, and the options ask for it. */
static bool is_asked_for(const struct settings *settings, const struct clopt_merge *merge,
                         size_t local)
{
    bool end = merge->stride == 1 || merge->stride == 32 ||
               local % (2 * (size_t)merge->factor * merge->stride) != 0;
    if (local % ((size_t)merge->factor * merge->stride) != 0 ||
        (settings->stride && settings->stride != merge->stride) || (settings->ends && !end))
        return false;
    if (settings->factor)
        return merge->factor == settings->factor;
    return !settings->ends || merge->factor == 2 || merge->factor == 8;
}

static void try_file(const struct device *device, const struct settings *settings,
                     struct totals *totals, const char *file)
{
    struct clopt_error error = {0};
    char *source = NULL;
    if (clopt_text_read(file, &source, &error)) {
        printf("%s\n", error.message);
        totals->failures++;
        return;
    }
    if (!start(device, totals, file, source)) {
        free(source);
        return;
    }
    struct clopt_ndrange range = device_range(source);
    for (unsigned d = 0; d < range.dimensions && !settings->groups; d++)
        for (unsigned factor = 2; factor <= 32; factor *= 2)
            for (unsigned stride = 1; stride <= 32; stride *= 2) {
                struct recipe recipe = {.coarsening = {factor, d, stride, false, false}};
                if (is_asked_for(settings, &recipe.coarsening, range.local[d]))
                    try_variant(device, settings, totals, file, source, &recipe);
            }
    try_groups(device, settings, totals, file, source);
    try_unrolling(device, settings, totals, file, source);
    free(source);
}

/* Three factors of a random kernel, with different strides and unrolling. */
static void try_random(const struct device *device, const struct settings *settings,
                       struct totals *totals, uint64_t number)
{
    static const struct recipe recipes[] = {
        {{0, NULL}, {2, 0, 1, false, false}, {0, NULL}},
        {{0, NULL}, {4, 0, 2, false, false}, {3, "innermost"}},
        {{2, "all"}, {8, 0, 1, false, false}, {0, NULL}},
        {{0, NULL}, {0, 0, 0, false, false}, {0, "innermost"}},
        {{0, NULL}, {0, 0, 0, false, false}, {4, "all"}},
        {{0, NULL}, {2, 0, 1, true, false}, {0, NULL}},
        {{0, NULL}, {8, 0, 1, true, false}, {0, NULL}},
    };
    char name[64];
    snprintf(name, sizeof name, "random %llu", (unsigned long long)number);
    char *source = random_kernel(number);
    if (settings->print && source)
        puts(source);
    if (source && start(device, totals, name, source))
        for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++)
            if (!settings->factor || recipes[i].coarsening.factor == settings->factor)
                try_variant(device, settings, totals, name, source, &recipes[i]);
    free(source);
}

/* Tries all that no process has tried yet; returns the exit code. */
static int try_all(const struct settings *settings, struct device *device, char **files)
{
    struct totals *totals = &progress->totals;
    if (!device_open(device, settings->platform))
        return 77;
    for (; *files; files++)
        try_file(device, settings, totals, *files);
    for (uint64_t i = 0; i < settings->count; i++)
        try_random(device, settings, totals, settings->first + i);
    device_close(device);
    return 0;
}

/* Has it done by processes, as many as it takes: the next one leaves out what ended the last one.
 */
static int supervise(const struct settings *settings, struct device *device, char **files)
{
    for (;;) {
        fflush(stdout);
        pid_t child = fork(); /* this process never opens OpenCL */
        if (child == 0)
            exit(try_all(settings, device, files));
        int status = 0;
        if (child < 0 || waitpid(child, &status, 0) != child)
            return 1;
        if (!WIFSIGNALED(status))
            return WEXITSTATUS(status);
        bool *crashed = &progress->crashed[progress->current];
        if (progress->done == 0 || *crashed)
            return 1;
        *crashed = true;
        progress->totals.crashes++;
        printf("%s: crashed by signal %d\n", progress->name, WTERMSIG(status));
    }
}

static bool read_options(int argc, char **argv, struct settings *settings, struct device *device)
{
    for (int option; (option = getopt(argc, argv, "p:f:s:r:n:w:o:cdegqx")) != -1;)
        switch (option) {
        case 'p':
            settings->platform = optarg;
            break;
        case 'f':
            settings->factor = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 's':
            settings->stride = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'r':
            settings->first = strtoull(optarg, NULL, 10);
            break;
        case 'n':
            settings->count = strtoull(optarg, NULL, 10);
            break;
        case 'w':
            device->width = (unsigned)strtoul(optarg, NULL, 10);
            break;
        case 'o':
            settings->folder = optarg;
            break;
        case 'c':
            settings->crashes = true;
            break;
        case 'd':
            device->plain = true;
            break;
        case 'e':
            settings->ends = true;
            break;
        case 'q':
            settings->quick = true;
            break;
        case 'g':
            settings->groups = true;
            break;
        case 'x':
            settings->print = true;
            break;
        default:
            return false;
        }
    return true;
}

/* Writes random kernels as randomNUMBER.cl; returns the exit code. */
static int write_random(const struct settings *settings)
{
    bool good = true;
    for (uint64_t i = 0; i < settings->count && good; i++) {
        char path[4096];
        char *source = random_kernel(settings->first + i);
        snprintf(path, sizeof path, "%s/random%llu.cl", settings->folder,
                 (unsigned long long)(settings->first + i));
        FILE *stream = source ? fopen(path, "w") : NULL;
        good = stream && fputs(source, stream) >= 0;
        if (stream)
            good &= fclose(stream) == 0;
        free(source);
    }
    return good ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct settings settings = {0};
    static struct device device;
    if (!read_options(argc, argv, &settings, &device))
        return 2;
    if (settings.folder)
        return write_random(&settings);
    setvbuf(stdout, NULL, _IOLBF, 0);
    progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED)
        return 1;
    int code = supervise(&settings, &device, argv + optind);
    const struct totals *totals = &progress->totals;
    if (code != 77)
        printf("%u variants equal, %u refused, %u failures", totals->runs, totals->refused,
               totals->failures);
    if (totals->crashes)
        printf(", %u crashes", totals->crashes);
    puts("");
    if (code == 0 && (totals->failures || (totals->crashes && !settings.crashes)))
        code = 1;
    return code;
}
