/* SPDX-License-Identifier: BSD-3-Clause */
/* The sizes of a drafted study: finds some that are large enough to be measured. */
#include "commands/draft/draft.h"

#include <unistd.h>

#include "file/file.h"
#include "process/clock.h"
#include "process/program.h"

#define MOST_SIZES     16
#define LEAST_SCALED   64 /* a smaller value is a radius, or a number of iterations */
#define MOST_SCALED    1024
#define ENOUGH_NS      1e6
#define FAR_LESS_NS    1e5
#define LONGEST_RUN_NS 4000000000 /* with all that is beside the launch */
#define RUN_LIMIT_S    "20" /* of a run that may never end */
#define SELF           "/proc/self/exe"

/* A line of a section [size], "n = 256", and where its value is. */
struct size {
    char name[64];
    uint64_t value;
    size_t begin;
    size_t length;
};

/* The sizes of an app. */
struct sizes {
    char label[64]; /* by which `clopt run` knows it */
    struct size items[MOST_SIZES];
    size_t count;
};

/* What is run. */
struct trial {
    const struct clopt_global_options *global;
    const char *study;
    const char *device;
    const struct sizes *sizes;
};

/* ---- the study ---- */

/* Reads the next section of sizes from `*at` on; false: no more. */
static bool read_sizes(const char *study, size_t *at, struct sizes *sizes)
{
    const char *line = strstr(study + *at, "\n[size");
    *sizes = (struct sizes){.label = "kernel"};
    if (!line)
        return false;
    sscanf(line, "\n[size %63[^]]]", sizes->label);
    for (line = strchr(line + 1, '\n'); line && line[1] && line[1] != '[';
         line = strchr(line + 1, '\n')) {
        struct size size = {{0}, 0, 0, 0};
        int value = 0, end = 0;
        if (sizes->count < MOST_SIZES && sscanf(line, "\n%63[a-zA-Z0-9_] = %n%" SCNu64 "%n",
                                                size.name, &value, &size.value, &end) == 2) {
            size.begin = (size_t)(line - study) + (size_t)value;
            size.length = (size_t)(end - value);
            sizes->items[sizes->count++] = size;
        }
    }
    *at = line ? (size_t)(line - study) : strlen(study);
    return true;
}

static uint64_t scale(const struct size *size, unsigned factor)
{
    return size->value < LEAST_SCALED ? size->value : size->value * factor;
}

/* Writes the study with other sizes. */
static enum clopt_status write_scaled(const char *path, const struct sizes *sizes, unsigned factor,
                                      char **study, struct clopt_error *error)
{
    struct clopt_text text = {0};
    size_t at = 0;
    for (size_t i = 0; i < sizes->count; i++) {
        const struct size *size = &sizes->items[i];
        clopt_text_append_bytes(&text, *study + at, size->begin - at);
        clopt_text_printf(&text, "%" PRIu64, scale(size, factor));
        at = size->begin + size->length;
    }
    clopt_text_append(&text, *study + at);
    free(*study);
    *study = clopt_text_take(&text);
    return clopt_file_write(path, &clopt_file_any, *study, strlen(*study), error);
}

/* ---- how long a launch takes ---- */

/* Returns the longest time of a kernel in what `clopt run --json` prints; 0: none. */
static double read_time(const char *output)
{
    json_auto_t *json = json_loads(output, 0, NULL);
    const char *kernel;
    json_t *time;
    double longest_ns = 0;
    json_object_foreach(json_object_get(json, "kernels_ns"), kernel, time)
    {
        double time_ns = json_number_value(time);
        longest_ns = time_ns > longest_ns ? time_ns : longest_ns;
    }
    return longest_ns;
}

/* Runs the initial code; 0: it cannot be run. */
static double run(const struct trial *trial, unsigned factor)
{
    const struct clopt_global_options *global = trial->global;
    CLOPT_OWNED(clopt_text) output = {0};
    struct clopt_error none = {0};
    char self[4096] = "", sizes[MOST_SIZES][128];
    const char *words[17 + MOST_SIZES] = {"clopt",
                                          "--plugin-path",
                                          global->plugin_path ? global->plugin_path : "",
                                          "--kernel-path",
                                          global->kernel_path ? global->kernel_path : "",
                                          "run",
                                          trial->sizes->label,
                                          "-c",
                                          trial->study,
                                          "-n",
                                          "3",
                                          "--limit=" RUN_LIMIT_S,
                                          "--json"};
    size_t count = 13;
    bool known = readlink(SELF, self, sizeof self - 1) > 0;
    if (trial->device) {
        words[count++] = "-d";
        words[count++] = trial->device;
    }
    for (size_t i = 0; i < trial->sizes->count; i++) {
        const struct size *size = &trial->sizes->items[i];
        snprintf(sizes[i], sizeof sizes[i], "%s=%" PRIu64, size->name, scale(size, factor));
        words[count++] = sizes[i];
    }
    if (known)
        known = clopt_program_run(self, (char *const *)words, "", &output, &none) == CLOPT_OK;
    return known ? read_time(clopt_text_string(&output)) : 0;
}

/* Finds how much larger the sizes of an app have to be; `*time_ns` is what it takes then, 0 where
 * it cannot be run. */
static unsigned find_factor(const struct trial *trial, double *time_ns)
{
    unsigned factor = 1;
    int64_t began = clopt_now_ns(), took = 0;
    *time_ns = run(trial, factor);
    while (*time_ns > 0 && *time_ns < ENOUGH_NS && factor < MOST_SCALED && took < LONGEST_RUN_NS) {
        unsigned next = factor * (*time_ns < FAR_LESS_NS ? 4 : 2);
        began = clopt_now_ns();
        double next_ns = run(trial, next);
        took = clopt_now_ns() - began;
        if (next_ns <= 0)
            break;
        factor = next;
        *time_ns = next_ns;
    }
    return factor;
}

enum clopt_status clopt_draft_enlarge(const struct clopt_global_options *global, const char *study,
                                      const char *device, const char *named,
                                      struct clopt_error *error)
{
    CLOPT_FREED char *text = NULL;
    struct sizes sizes;
    size_t at = 0;
    CLOPT_TRY(clopt_text_read(study, &text, error));
    while (read_sizes(text, &at, &sizes)) {
        const struct trial trial = {global, study, device, &sizes};
        double time_ns = 0;
        unsigned factor = sizes.count ? find_factor(&trial, &time_ns) : 1;
        if (factor == 1)
            continue;
        size_t rest = strlen(text) - at;
        CLOPT_TRY(write_scaled(study, &sizes, factor, &text, error));
        at = strlen(text) - rest;
        clopt_text_print(stderr,
                         "clopt: %s: sizes are %u times as large as init guesses them, so that "
                         "a launch takes %.3g ms\n",
                         named, factor, time_ns * 1e-6);
    }
    return CLOPT_OK;
}

void clopt_draft_tell_guesses(const char *study)
{
    struct clopt_error error = {0};
    CLOPT_FREED char *text = NULL;
    unsigned line = 1;
    bool sizes = false;
    if (clopt_text_read(study, &text, &error))
        return;
    for (const char *at = text; *at;
         at += strcspn(at, "\n") + (at[strcspn(at, "\n")] != 0), line++) {
        int length = (int)strcspn(at, "\n");
        if (*at == '[')
            sizes = strncmp(at, "[size]", strlen("[size]")) == 0;
        else if (sizes && length && *at != ';')
            clopt_text_print(
                stderr,
                "clopt: a guess: %.*s; edit line %u of %s for the size that matters to "
                "you, or say -s size.%.*s=...\n",
                length, at, line, study, (int)strcspn(at, " ="), at);
    }
}
