/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that clones of whatever kernel can be read are printed as it was. */
#include <clopt/rewrite.h>

#include <glob.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernel/outline.h"
#include "kernel/output.h"
#include "kernel/tree.h"
#include "text/token.h"

static void expect_same_tokens(const char *file, const char *a, const char *b)
{
    for (;;) {
        struct clopt_token x = clopt_token_next(&a);
        struct clopt_token y = clopt_token_next(&b);
        if (x.kind != y.kind || x.length != y.length || memcmp(x.text, y.text, x.length) != 0)
            fail_msg("%s: %.40s became %.40s", file, x.text, y.text);
        if (x.kind == CLOPT_TOKEN_END)
            return;
    }
}

static char *read_file(const char *path)
{
    FILE *stream = fopen(path, "r");
    char *text = calloc(1, 1 << 20);
    assert_non_null(stream);
    assert_non_null(text);
    assert_true(fread(text, 1, (1 << 20) - 1, stream) > 0);
    fclose(stream);
    return text;
}

/* Clones the body of one kernel in its place. Kernels that are refused are others' tests. */
static bool clone_kernel(const char *path, const char *text, const char *options,
                         const char *kernel)
{
    struct clopt_error error = {0};
    struct clopt_source *source = NULL;
    if (clopt_source_create(path, text, NULL, options, kernel, &source, &error))
        return false;
    struct clopt_cloning cloning = {.source = source};
    struct clopt_node *body = source->kernel->body;
    struct clopt_output read = {0}, cloned = {0};
    clopt_source_write(source, &read);
    clopt_replace(source, body, clopt_clone(&cloning, body));
    clopt_source_write(source, &cloned);
    expect_same_tokens(path, clopt_text_string(&read.text), clopt_text_string(&cloned.text));
    clopt_output_fini(&read);
    clopt_output_fini(&cloned);
    clopt_source_destroy(source);
    return true;
}

static size_t clone_file(const char *path)
{
    struct clopt_error error = {0};
    struct clopt_outline *outline = NULL;
    char *text = read_file(path);
    size_t count = 0;
    if (clopt_outline_create(path, text, "", &outline, &error))
        fail_msg("%s", error.message);
    for (size_t i = 0; i < outline->kernel_count; i++)
        count += clone_kernel(path, text, outline->options, outline->kernels[i]);
    clopt_outline_destroy(outline);
    free(text);
    return count;
}

static void clones_are_printed_as_they_were_read(void **state)
{
    (void)state;
    char pattern[4096];
    glob_t files = {0};
    size_t count = 0;
    snprintf(pattern, sizeof pattern, "%s/{kernels,tests/kernels}/*.cl",
             getenv("CLOPT_SOURCE_DIR"));
    assert_int_equal(glob(pattern, GLOB_BRACE, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++)
        count += clone_file(files.gl_pathv[i]);
    assert_true(count > 40);
    globfree(&files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clones_are_printed_as_they_were_read),
    };
    return cmocka_run_group_tests_name("unit_clone", tests, NULL, NULL);
}
