/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that plugins are found by kind and name, hashed, and sorted, by those of the build tree.
 */
#include "plugin/registry.h"

#include <setjmp.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static int load(void **state)
{
    struct clopt_registry *registry = NULL;
    struct clopt_error error = {0};
    enum clopt_status status = clopt_registry_open(NULL, &registry, &error);
    if (!status)
        clopt_registry_load(registry);
    *state = registry;
    return status == CLOPT_OK ? 0 : -1;
}

static int unload(void **state)
{
    clopt_registry_close(*state);
    return 0;
}

static void finds_by_kind_and_name(void **state)
{
    const struct clopt_plugin_entry *entry = NULL;
    struct clopt_error error = {0};
    assert_int_equal(
        clopt_registry_find(*state, CLOPT_KIND_OPTIMIZATION, "geometry", &entry, &error), CLOPT_OK);
    assert_string_equal(entry->extension->name, "geometry");
    assert_int_equal(strlen(entry->hash), 64);
    assert_non_null(strstr(entry->path, "geometry"));
    assert_ptr_equal(entry->extension->optimization, entry->extension->operations);
}

/* Each start loads all plugins, and reads the files of those alone that are asked for, where it
 * need not look at them before. */
static void hashes_what_is_found(void **state)
{
    const struct clopt_plugin_entry *entry, *found;
    struct clopt_error error = {0};
    CLOPT_HELD(clopt_registry) registry = NULL;
    (void)state;
    assert_int_equal(clopt_registry_open(NULL, &registry, &error), CLOPT_OK);
    clopt_registry_trust(registry);
    clopt_registry_load(registry);
    assert_non_null(clopt_registry_entry(registry, CLOPT_KIND_APP, 0));
    for (size_t i = 0; (entry = clopt_registry_entry(registry, CLOPT_KIND_APP, i)); i++) {
        assert_string_equal(entry->hash, "");
        assert_int_equal(
            clopt_registry_find(registry, CLOPT_KIND_APP, entry->extension->name, &found, &error),
            CLOPT_OK);
        assert_ptr_equal(found, entry);
        assert_int_equal(strlen(entry->hash), 64);
    }
}

static void says_when_the_kind_is_another(void **state)
{
    const struct clopt_plugin_entry *entry = NULL;
    struct clopt_error error = {0};
    assert_int_equal(clopt_registry_find(*state, CLOPT_KIND_APP, "geometry", &entry, &error),
                     CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(error.message, "geometry is an optimization, not an app");
    assert_null(entry);
}

static void suggests_only_what_has_the_kind(void **state)
{
    const struct clopt_plugin_entry *entry = NULL;
    struct clopt_error error = {0};
    assert_int_equal(
        clopt_registry_find(*state, CLOPT_KIND_OPTIMIZATION, "geometri", &entry, &error),
        CLOPT_PLUGIN_UNUSABLE);
    assert_string_equal(error.message,
                        "geometri: no optimization of that name; did you mean geometry?");
    assert_int_equal(clopt_registry_find(*state, CLOPT_KIND_APP, "geometri", &entry, &error),
                     CLOPT_PLUGIN_UNUSABLE);
    assert_non_null(strstr(error.message, "geometri: no app of that name in "));
}

static void lists_by_kind_and_name(void **state)
{
    assert_non_null(clopt_registry_entry(*state, CLOPT_KIND_ANY, 0));
    for (size_t i = 1; clopt_registry_entry(*state, CLOPT_KIND_ANY, i); i++) {
        const struct clopt_extension *before =
            clopt_registry_entry(*state, CLOPT_KIND_ANY, i - 1)->extension;
        const struct clopt_extension *after =
            clopt_registry_entry(*state, CLOPT_KIND_ANY, i)->extension;
        assert_true(before->kind < after->kind ||
                    (before->kind == after->kind && strcmp(before->name, after->name) < 0));
    }
    assert_null(clopt_registry_refusal(*state, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_by_kind_and_name),
        cmocka_unit_test(hashes_what_is_found),
        cmocka_unit_test(says_when_the_kind_is_another),
        cmocka_unit_test(suggests_only_what_has_the_kind),
        cmocka_unit_test(lists_by_kind_and_name),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
