/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that what the disk cache keeps is made once, that it is made again when a file that it was
 * made of is another one or when what was kept is damaged, that a file that changes meanwhile is
 * noticed, and that all works without a cache. */
#include <clopt/app.h>

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "file/cache.h"
#include "file/file.h"
#include "file/file_hash.h"
#include "file/folder.h"
#include "number/values.h"

static const struct clopt_parameter inputs[] = {{.name = "input", .type = CLOPT_FILE},
                                                {.name = NULL}};
static char folder[] = "unit_cache_XXXXXX";
static char *path;

/* A maker of data: the contents of the file, over and over. */
struct maker {
    unsigned calls;
    const char *meanwhile; /* what somebody else writes to the file */
    bool fails;
};

static void write_file(const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    fputs(text, stream);
    assert_int_equal(fclose(stream), 0);
}

static enum clopt_status fill(void *user, void *data, size_t bytes, struct clopt_error *error)
{
    struct maker *maker = user;
    char *text;
    maker->calls++;
    if (maker->fails)
        return clopt_fail(error, CLOPT_INVALID, "this cannot be made");
    enum clopt_status status = clopt_text_read(path, &text, error);
    if (status)
        return status;
    for (size_t i = 0; i < bytes; i++)
        ((char *)data)[i] = text[i % strlen(text)];
    free(text);
    if (maker->meanwhile)
        write_file(maker->meanwhile);
    return CLOPT_OK;
}

static enum clopt_status write_data(void *user, FILE *stream, struct clopt_error *error)
{
    char data[5000];
    enum clopt_status status = fill(user, data, sizeof data, error);
    if (!status)
        fwrite(data, 1, sizeof data, stream);
    return status;
}

/* Asks for data, by the one call or by the other. */
static enum clopt_status ask(struct maker *maker, bool stream, const void **data, size_t *bytes,
                             struct clopt_error *error)
{
    struct clopt_values *values = clopt_values_create(inputs);
    assert_int_equal(clopt_values_set(values, inputs, path, error), CLOPT_OK);
    struct clopt_problem problem = {.app = "app", .app_hash = "hash", .inputs = values};
    enum clopt_status status;
    *bytes = 5000;
    if (stream)
        status = clopt_cached_stream(&problem, "stream", write_data, maker, data, bytes, error);
    else
        status = clopt_cached(&problem, "fill", *bytes, fill, maker, data, error);
    clopt_values_destroy(values);
    return status;
}

static void expect_data(struct maker *maker, bool stream, const char *begin)
{
    struct clopt_error error = {0};
    const void *data = NULL;
    size_t bytes = 0;
    assert_int_equal(ask(maker, stream, &data, &bytes, &error), CLOPT_OK);
    assert_string_equal(error.message, "");
    assert_int_equal(bytes, 5000);
    /* What a buffer of CLOPT_CACHED does to it must not change it. */
    assert_int_equal(madvise((void *)data, 4096, MADV_DONTNEED), 0);
    assert_memory_equal(data, begin, strlen(begin));
    assert_memory_equal((const char *)data + 4998, "ab", 2);
    clopt_cached_release(data, bytes);
}

static void data_are_made_once_for_each_state_of_a_file(void **state)
{
    (void)state;
    for (int stream = 0; stream < 2; stream++) {
        struct maker maker = {0};
        struct stat info;
        write_file("ooab");
        expect_data(&maker, stream, "ooab");
        expect_data(&maker, stream, "ooab");
        assert_int_equal(maker.calls, 1);
        /* Another file of the same name, size and time. */
        assert_int_equal(stat(path, &info), 0);
        unlink(path);
        write_file("xyab");
        const struct timespec times[2] = {info.st_atim, info.st_mtim};
        assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
        expect_data(&maker, stream, "xyab");
        assert_int_equal(maker.calls, 2);
    }
}

/* Finds the one file that is kept. */
static void find_kept(char *kept, size_t size)
{
    DIR *listing = opendir(getenv("CLOPT_CACHE_DIR"));
    struct dirent *entry;
    *kept = '\0';
    while ((entry = readdir(listing)))
        if (strstr(entry->d_name, ".data")) {
            assert_string_equal(kept, "");
            snprintf(kept, size, "%s/%s", getenv("CLOPT_CACHE_DIR"), entry->d_name);
        }
    closedir(listing);
    assert_string_not_equal(kept, "");
}

/* Flips a bit. */
static void damage(const char *kept, long at)
{
    FILE *file = fopen(kept, "r+");
    assert_int_equal(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, -1, SEEK_CUR), 0);
    fputc(byte ^ 4, file);
    assert_int_equal(fclose(file), 0);
}

static void what_is_damaged_is_made_again(void **state)
{
    (void)state;
    static const long places[] = {0, 7, 31, 32, 2500, 4999, 5000, -1};
    struct maker maker = {0};
    char kept[400], other[404];
    clopt_folder_remove(getenv("CLOPT_CACHE_DIR"));
    write_file("damab");
    expect_data(&maker, false, "damab");
    find_kept(kept, sizeof kept);
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        damage(kept, places[i]);
        expect_data(&maker, false, "damab");
        assert_int_equal(maker.calls, i + 2);
    }
    assert_int_equal(truncate(kept, 5000), 0);
    expect_data(&maker, false, "damab");
    assert_int_equal(chmod(kept, 0666), 0);
    expect_data(&maker, false, "damab");
    unsigned calls = (unsigned)(sizeof places / sizeof *places) + 3;
    assert_int_equal(maker.calls, calls);
    snprintf(other, sizeof other, "%s.d", kept);
    assert_int_equal(rename(kept, other), 0);
    assert_int_equal(symlink(other, kept), 0);
    expect_data(&maker, false, "damab");
    assert_int_equal(maker.calls, ++calls);
    if (geteuid() == 0) {
        assert_int_equal(chown(kept, 12345, (gid_t)-1), 0);
        expect_data(&maker, false, "damab");
        assert_int_equal(maker.calls, ++calls);
    }
    expect_data(&maker, false, "damab");
    assert_int_equal(maker.calls, calls);
    assert_int_equal(chmod(getenv("CLOPT_CACHE_DIR"), 0777), 0); /* nothing in it is believed */
    expect_data(&maker, false, "damab");
    assert_int_equal(maker.calls, calls + 1);
    assert_int_equal(chmod(getenv("CLOPT_CACHE_DIR"), 0700), 0);
}

static void a_file_that_changes_meanwhile_is_noticed(void **state)
{
    (void)state;
    for (int stream = 0; stream < 2; stream++) {
        struct maker maker = {.meanwhile = "zzab"};
        struct clopt_error error = {0};
        const void *data = NULL;
        size_t bytes;
        write_file("yyab");
        assert_int_equal(ask(&maker, stream, &data, &bytes, &error), CLOPT_FAILED);
        assert_string_equal(error.message,
                            "a file changed while it was read; try again when it is complete");
        assert_null(data);
        maker.meanwhile = NULL;
        expect_data(&maker, stream, "zzab");
    }
}

static void what_cannot_be_made_is_not_kept(void **state)
{
    (void)state;
    for (int stream = 0; stream < 2; stream++) {
        struct maker maker = {.fails = true};
        struct clopt_error error = {0};
        const void *data = NULL;
        size_t bytes;
        write_file("wwab");
        assert_int_equal(ask(&maker, stream, &data, &bytes, &error), CLOPT_INVALID);
        assert_string_equal(error.message, "this cannot be made");
        maker.fails = false;
        expect_data(&maker, stream, "wwab");
        assert_int_equal(maker.calls, 2);
    }
}

/* Counts files of the cache of which clopt knows nothing. */
static unsigned count_left(void)
{
    struct dirent *entry;
    DIR *listing = opendir(getenv("CLOPT_CACHE_DIR"));
    unsigned count = 0;
    while ((entry = readdir(listing)))
        count += strstr(entry->d_name, ".data.") != NULL;
    closedir(listing);
    return count;
}

static enum clopt_status die(void *user, void *data, size_t bytes, struct clopt_error *error)
{
    (void)user;
    (void)error;
    memset(data, 1, bytes);
    return kill(getpid(), SIGKILL) == 0 ? CLOPT_OK : CLOPT_FAILED;
}

/* What a process makes goes with it, where it is killed; what other versions left goes in time. */
static void nothing_is_left_of_the_killed(void **state)
{
    (void)state;
    char left[400];
    clopt_folder_remove(getenv("CLOPT_CACHE_DIR"));
    write_file("uuab");
    pid_t child = fork();
    if (child == 0) {
        struct clopt_values *values = clopt_values_create(inputs);
        struct clopt_problem problem = {.app = "app", .app_hash = "killed", .inputs = values};
        const void *data;
        clopt_cached(&problem, "killed", 1 << 20, die, NULL, &data, NULL);
        _exit(0);
    }
    int how;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
    assert_int_equal(count_left(), 0);
    snprintf(left, sizeof left, "%s/%064d.data.aBcDeF", getenv("CLOPT_CACHE_DIR"), 0);
    assert_int_equal(clopt_file_write(left, &clopt_file_any, "left", 4, NULL), CLOPT_OK);
    clopt_cache_prune(getenv("CLOPT_CACHE_DIR"), 1 << 30);
    assert_int_equal(count_left(), 1); /* somebody may be writing it */
    const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, left, times, 0), 0);
    clopt_cache_prune(getenv("CLOPT_CACHE_DIR"), 1 << 30);
    assert_int_equal(count_left(), 0);
}

static void no_more_is_made_than_the_limit_allows(void **state)
{
    (void)state;
    const char *old = getenv("CLOPT_CACHE_DIR"), *folders[] = {old, "/dev/null/nowhere"};
    char *kept = strdup(old);
    folders[0] = kept;
    for (size_t i = 0; i < 4; i++) {
        struct clopt_values *values = clopt_values_create(inputs);
        struct clopt_problem problem = {.app = "app", .app_hash = "limit", .inputs = values};
        struct maker maker = {0};
        struct clopt_error error = {0};
        const void *data = NULL;
        size_t wanted = i < 2 ? (size_t)1 << 31 : (size_t)1 << 50; /* more than there can be */
        problem.memory_bytes = i < 2 ? UINT64_C(1) << 30 : 0;
        assert_int_equal(setenv("CLOPT_CACHE_DIR", folders[i % 2], 1), 0);
        assert_int_equal(clopt_cached(&problem, "limit", wanted, fill, &maker, &data, &error),
                         CLOPT_OUT_OF_RESOURCES);
        assert_non_null(strstr(error.message, i < 2
                                                  ? "2.00 GiB of memory are needed for one of its "
                                                    "inputs, and "
                                                  : "1048576.00 GiB of memory are needed"));
        assert_non_null(
            strstr(error.message, "choose a smaller problem, or raise [limits] memory"));
        assert_int_equal(maker.calls, 0);
        assert_null(data);
        clopt_values_destroy(values);
    }
    assert_int_equal(setenv("CLOPT_CACHE_DIR", kept, 1), 0);
    free(kept);
}

static void all_works_without_a_cache(void **state)
{
    (void)state;
    assert_int_equal(setenv("CLOPT_CACHE_DIR", "/dev/null/nowhere", 1), 0);
    for (int stream = 0; stream < 2; stream++) {
        struct maker maker = {0};
        write_file("vvab");
        expect_data(&maker, stream, "vvab");
        expect_data(&maker, stream, "vvab");
        assert_int_equal(maker.calls, 2);
    }
}

/* Keys of trials have the content of files: it is computed once for each state of one. */
static void hashes_of_files_are_remembered(void **state)
{
    (void)state;
    struct clopt_file_hashes known = {0};
    struct clopt_error error = {0};
    char first[CLOPT_HASH_SIZE], again[CLOPT_HASH_SIZE];
    write_file("uuab");
    assert_int_equal(clopt_file_hash(path, &known, first, &error), CLOPT_OK);
    assert_int_equal(clopt_file_hash(path, &known, again, &error), CLOPT_OK);
    assert_string_equal(first, again);
    assert_int_equal(known.count, 1);
    write_file("ttab");
    assert_int_equal(clopt_file_hash(path, &known, again, &error), CLOPT_OK);
    assert_string_not_equal(first, again);
    write_file("uuab");
    assert_int_equal(clopt_file_hash(path, &known, again, &error), CLOPT_OK);
    assert_string_equal(first, again);
    assert_int_equal(known.count, 3);
    clopt_file_hashes_fini(&known);
    assert_int_equal(clopt_file_hash("nothing", NULL, again, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "nothing: cannot be read: No such file or directory");
}

static int make_folder(void **state)
{
    (void)state;
    char *cache = mkdtemp(folder) ? clopt_path_join(folder, "cache") : NULL;
    path = clopt_path_join(folder, "input");
    int failed = !cache || !path || setenv("CLOPT_CACHE_DIR", cache, 1);
    free(cache);
    return failed;
}

static int remove_folder(void **state)
{
    (void)state;
    free(path);
    clopt_folder_remove(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(data_are_made_once_for_each_state_of_a_file),
        cmocka_unit_test(what_is_damaged_is_made_again),
        cmocka_unit_test(a_file_that_changes_meanwhile_is_noticed),
        cmocka_unit_test(what_cannot_be_made_is_not_kept),
        cmocka_unit_test(nothing_is_left_of_the_killed),
        cmocka_unit_test(no_more_is_made_than_the_limit_allows),
        cmocka_unit_test(all_works_without_a_cache),
        cmocka_unit_test(hashes_of_files_are_remembered),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
