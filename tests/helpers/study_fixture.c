/* SPDX-License-Identifier: BSD-3-Clause */
/* Studies for the tests that read them. */
#include "study_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fake_plugins.h"
#include "space/space.h"
#include "text/text.h"

struct clopt_error read_error;

struct clopt_study *read_file(const char *first, const char *second)
{
    struct clopt_override overrides[] = {{.text = first}, {.text = second}};
    struct clopt_study *study;
    read_error = (struct clopt_error){0};
    enum clopt_status status = clopt_study_read(
        "s.ini", fake_registry, overrides, (first != NULL) + (second != NULL), &study, &read_error);
    assert_int_equal(status == CLOPT_OK, study != NULL);
    assert_int_equal(status, read_error.status);
    return study;
}

struct clopt_study *read_text(const char *ini)
{
    write_file("s.ini", ini, strlen(ini));
    struct clopt_study *study = read_file(NULL, NULL);
    if (!study)
        fail_msg("%s", read_error.message);
    return study;
}

void refuse(const char *ini, const char *message)
{
    write_file("s.ini", ini, strlen(ini));
    assert_null(read_file(NULL, NULL));
    assert_string_equal(read_error.message, message);
    assert_int_equal(read_error.status, CLOPT_INVALID);
}

void refuse_override(const char *ini, const char *override, const char *message)
{
    write_file("s.ini", ini, strlen(ini));
    assert_null(read_file(override, NULL));
    assert_string_equal(read_error.message, message);
    assert_int_equal(read_error.status, CLOPT_INVALID);
}

char *list_group(const struct clopt_study *study, size_t group)
{
    struct clopt_text text = {0};
    for (uint64_t i = 0; i < clopt_space_count(study, group); i++) {
        struct clopt_trial trial;
        struct clopt_error error = {0};
        assert_int_equal(clopt_space_trial(study, group, i, &trial, &error), CLOPT_OK);
        char *name = clopt_trial_name(&trial);
        clopt_text_printf(&text, "%s %s\n", trial.kernel->name, name);
        free(name);
        clopt_trial_fini(&trial);
    }
    return clopt_text_take(&text);
}
