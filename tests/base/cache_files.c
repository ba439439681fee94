/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that what was cached comes back as it was, that a file which is damaged, cut off, longer,
 * another's or of another version is never believed, that the oldest files go first, and that clopt
 * deletes no file but its own. */
#include "file/cache.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include <clopt/app.h>

#include "file/file.h"
#include "file/folder.h"

static char folder[] = "clopt-cache-XXXXXX";

/* Keys are hashes; a digit tells those of the tests apart. */
static const char *key(int digit)
{
    static char name[CLOPT_HASH_SIZE];
    memset(name, '0' + digit, CLOPT_HASH_SIZE - 1);
    return name;
}

static const char *path_of(int digit)
{
    static char path[200];
    snprintf(path, sizeof path, "%s/%s.data", folder, key(digit));
    return path;
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    clopt_folder_remove(folder);
    return 0;
}

static void expect_cached(int digit, const char *text)
{
    size_t bytes = 0;
    const void *data = clopt_cache_find(folder, key(digit), &bytes);
    assert_int_equal(data != NULL, text != NULL);
    if (text) {
        assert_int_equal(bytes, strlen(text));
        assert_memory_equal(data, text, bytes);
        clopt_cached_release(data, bytes);
        bytes++;
        assert_null(clopt_cache_find(folder, key(digit), &bytes)); /* of another size */
    }
}

static void what_was_cached_comes_back(void **state)
{
    (void)state;
    static const char data[] = "a\n\0b";
    size_t bytes = 0;
    expect_cached(1, NULL);
    clopt_cache_put(folder, key(1), data, sizeof data);
    const void *read = clopt_cache_find(folder, key(1), &bytes);
    assert_non_null(read);
    assert_int_equal(bytes, sizeof data);
    assert_memory_equal(read, data, sizeof data);
    clopt_cached_release(read, bytes);
    clopt_cache_put(folder, key(1), "another", 7);
    expect_cached(1, "another");
    clopt_cache_put(folder, key(1), "", 0); /* that cannot be cached */
    expect_cached(1, "another");
}

/* Writes the whole file again, with byte number `at` changed; the first `bytes` of it alone. */
static void write_changed(const char *file, size_t bytes, size_t at)
{
    char *copy = malloc(bytes + 1);
    memcpy(copy, file, bytes);
    if (at < bytes)
        copy[at] ^= 1;
    assert_int_equal(clopt_file_write(path_of(2), &clopt_file_any, copy, bytes, NULL), CLOPT_OK);
    free(copy);
}

static void what_is_not_whole_is_not_believed(void **state)
{
    (void)state;
    char *file = NULL;
    size_t bytes = 0;
    clopt_cache_put(folder, key(2), "some data", 9);
    assert_int_equal(clopt_file_read(path_of(2), 1 << 20, &file, &bytes, NULL), CLOPT_OK);
    for (size_t i = 0; i < bytes; i++) {
        write_changed(file, bytes, i);
        expect_cached(2, NULL);
        write_changed(file, i, bytes);
        expect_cached(2, NULL);
    }
    write_changed(file, bytes + 1, bytes + 1); /* with the NUL after it */
    expect_cached(2, NULL);
    write_changed(file, bytes, bytes);
    expect_cached(2, "some data");
    free(file);
}

static void what_is_meant_for_another_is_not_believed(void **state)
{
    (void)state;
    char from[200];
    snprintf(from, sizeof from, "%s", path_of(2));
    clopt_cache_put(folder, key(2), "some data", 9);
    assert_int_equal(rename(from, path_of(3)), 0);
    expect_cached(3, NULL);
    assert_int_equal(symlink("elsewhere", from), 0);
    expect_cached(2, NULL);
    unlink(from);
    assert_int_equal(mkdir(from, 0700), 0);
    expect_cached(2, NULL);
    clopt_cache_put(folder, key(2), "no place for it", 15);
    expect_cached(2, NULL);
    rmdir(from);
    if (geteuid() != 0)
        return;
    clopt_cache_put(folder, key(2), "some data", 9);
    assert_int_equal(chown(from, 12345, (gid_t)-1), 0);
    expect_cached(2, NULL);
}

static void oldest_files_go_first(void **state)
{
    (void)state;
    char text[1000];
    memset(text, 'x', sizeof text);
    clopt_cache_prune(folder, 0);
    for (int i = 4; i < 9; i++) {
        clopt_cache_put(folder, key(i), text, sizeof text);
        const struct timespec times[] = {{.tv_sec = 1000 - i}, {.tv_sec = 1000 - i}};
        assert_int_equal(utimensat(AT_FDCWD, path_of(i), times, 0), 0);
    }
    size_t bytes = 0;
    const void *data = clopt_cache_find(folder, key(8), &bytes); /* that makes it the newest */
    assert_non_null(data);
    clopt_cached_release(data, bytes);
    clopt_cache_prune(folder, 6000);
    for (int i = 4; i < 9; i++)
        assert_int_equal(access(path_of(i), F_OK), 0);
    clopt_cache_prune(folder, 3600);
    for (int i = 4; i < 9; i++)
        assert_int_equal(access(path_of(i), F_OK) == 0, i == 4 || i == 5 || i == 8);
    clopt_cache_prune("clopt-cache-nowhere", 0);
}

/* Puts a file of a name into the folder. */
static void put_foreign(const char *name)
{
    char file[200];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    assert_int_equal(clopt_file_write(file, &clopt_file_any, "mine", 4, NULL), CLOPT_OK);
}

static void expect_foreign(const char *name)
{
    char file[200];
    snprintf(file, sizeof file, "%s/%s", folder, name);
    assert_int_equal(access(file, F_OK), 0);
}

static void what_clopt_did_not_make_is_left_alone(void **state)
{
    (void)state;
    char key_like[100], from[200], other[100];
    static const char *const names[] = {"thesis.data", "notes.lock", "abcdef0123.data", "README"};
    clopt_cache_put(folder, key(2), "some data", 9);
    snprintf(key_like, sizeof key_like, "%s.data.old", key(1));
    snprintf(other, sizeof other, "%s.data.backup2", key(1));
    put_foreign(key_like);
    put_foreign(other);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        put_foreign(names[i]);
    snprintf(from, sizeof from, "%s", path_of(3));
    assert_int_equal(symlink("README", from), 0);
    snprintf(from, sizeof from, "%s", path_of(4));
    put_foreign(strrchr(from, '/') + 1);
    bool root = geteuid() == 0;
    if (root)
        assert_int_equal(chown(from, 12345, (gid_t)-1), 0);
    clopt_cache_prune(folder, 0);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        expect_foreign(names[i]);
    expect_foreign(key_like);
    expect_foreign(other);
    expect_foreign(strrchr(path_of(3), '/') + 1);
    assert_int_equal(access(from, F_OK) == 0, root);
    assert_int_not_equal(access(path_of(2), F_OK), 0);

    /* One whose writer was killed goes. */
    snprintf(other, sizeof other, "%s.data.aB3xyz", key(1));
    put_foreign(other);
    clopt_cache_prune(folder, 0);
    snprintf(from, sizeof from, "%s/%s", folder, other);
    assert_int_not_equal(access(from, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_cached_comes_back),
        cmocka_unit_test(what_is_not_whole_is_not_believed),
        cmocka_unit_test(what_is_meant_for_another_is_not_believed),
        cmocka_unit_test(oldest_files_go_first),
        cmocka_unit_test(what_clopt_did_not_make_is_left_alone),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
