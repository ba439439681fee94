/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that no INI file and no list of values makes the reader of studies misbehave: a libFuzzer
 * harness, which `tests/fuzz/run study` builds and starts. Input: an INI file, then overrides of
 * the command line, each after a NUL. */
#include "study/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "helpers/fake_plugins.h"
#include "shared/variant_parse.h"
#include "space/space.h"
#include "trial/variant.h"

#define MOST_OVERRIDES 4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_study(const char *path, const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "w");
    if (!file)
        abort();
    fwrite(data, 1, size, file);
    fclose(file);
}

/* Fails loudly where an effective configuration is not a study. */
static void read_again(const char *path, const struct clopt_study *study)
{
    struct clopt_study *again;
    struct clopt_error error = {0};
    write_study(path, (const uint8_t *)study->effective, strlen(study->effective));
    if (clopt_study_read(path, fake_registry, NULL, 0, &again, &error)) {
        fprintf(stderr, "effective configuration: %s\n%s", error.message, study->effective);
        abort();
    }
    if (clopt_space_group_count(study) != clopt_space_group_count(again) ||
        clopt_space_count(study, 0) != clopt_space_count(again, 0))
        abort();
    clopt_study_destroy(again);
}

/* Makes the last trial of the first group, and names it. */
static void try_space(const struct clopt_study *study)
{
    struct clopt_trial trial;
    struct clopt_error error = {0};
    uint64_t count = clopt_space_count(study, 0);
    if (!count || clopt_space_trial(study, 0, count - 1, &trial, &error))
        abort();
    char *name = clopt_trial_name(&trial);
    clopt_variant_check(&trial, NULL, &error);
    if (clopt_trial_parse_name(&trial, name, NULL, &error)) {
        fprintf(stderr, "%s\n", error.message);
        abort();
    }
    free(name);
    clopt_trial_fini(&trial);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct clopt_override overrides[MOST_OVERRIDES] = {0};
    char *texts[MOST_OVERRIDES];
    size_t count = 0;
    char path[64];
    snprintf(path, sizeof path, "fuzz_study.%ld.ini", (long)getpid());
    const uint8_t *end = memchr(data, 0, size);
    write_study(path, data, end ? (size_t)(end - data) : size);
    while (end && count < MOST_OVERRIDES) {
        size_t rest = size - (size_t)(end + 1 - data);
        texts[count] = strndup((const char *)end + 1, rest);
        overrides[count].text = texts[count];
        count++;
        end = memchr(end + 1, 0, rest);
    }
    struct clopt_study *study;
    struct clopt_error error = {0};
    if (clopt_study_read(path, fake_registry, overrides, count, &study, &error) == CLOPT_OK) {
        try_space(study);
        read_again(path, study);
        clopt_study_destroy(study);
    } else if (!*error.message) {
        abort();
    }
    while (count)
        free(texts[--count]);
    unlink(path);
    return 0;
}
