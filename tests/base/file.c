/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that files which users name are opened without waiting for anybody, that what is no file
 * is written and never replaced, that links are followed, that a file is replaced only where it is
 * one of clopt's own of that kind, and that no folder is emptied or believed that clopt did not
 * make. */
#include "file/file.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "file/folder.h"
#include "folder_fixture.h"

static struct clopt_error error;

static void put(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

static void expect_content(const char *path, const char *text)
{
    char *found = NULL;
    assert_int_equal(clopt_text_read(path, &found, &error), CLOPT_OK);
    assert_string_equal(found, text);
    free(found);
}

/* ---- reading ---- */

static void refuse(const char *path, const char *message)
{
    FILE *stream;
    assert_int_equal(clopt_file_open(path, &stream, &error), CLOPT_INVALID);
    assert_string_equal(error.message, message);
    assert_null(stream);
}

static void what_is_no_file_is_refused_at_once(void **state)
{
    (void)state;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    refuse("pipe", "pipe: this is a pipe, not a file");
    refuse(".", ".: this is a folder, not a file");
    refuse("/dev/zero", "/dev/zero: this is a device, not a file");
    refuse("none", "none: cannot be read: No such file or directory");
    char *text;
    assert_int_equal(clopt_text_read("pipe", &text, &error), CLOPT_INVALID);
    assert_int_equal(clopt_text_read_once("/dev/zero", &text, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "/dev/zero: this is a device, not a file");
}

static void a_byte_order_mark_is_no_text(void **state)
{
    (void)state;
    put("marked", "\xEF\xBB\xBFword");
    expect_content("marked", "word");
}

static void a_pipe_is_read_where_that_makes_sense(void **state)
{
    (void)state;
    int ends[2];
    char path[64], *text;
    assert_int_equal(clopt_text_read_once("pipe", &text, &error), CLOPT_OK); /* nobody writes */
    assert_string_equal(text, "");
    free(text);
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], "word", 4), 4);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    assert_int_equal(clopt_text_read_once(path, &text, &error), CLOPT_OK);
    assert_string_equal(text, "word");
    free(text);
    close(ends[0]);
}

static void what_is_too_large_is_not_read(void **state)
{
    (void)state;
    char *data;
    size_t size;
    put("large", "");
    assert_int_equal(truncate("large", (off_t)CLOPT_MOST_TEXT_BYTES + 1), 0);
    assert_int_equal(clopt_text_read("large", &data, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "large: has 64 MiB; no more than 64 are read");
    assert_null(data);
    assert_int_equal(truncate("large", 1 << 20), 0);
    assert_int_equal(clopt_text_read("large", &data, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "large: this is not text: it holds a NUL");
    assert_int_equal(clopt_file_read("large", 1 << 20, &data, &size, &error), CLOPT_OK);
    assert_int_equal(size, 1 << 20);
    free(data);
    unlink("large");
}

/* ---- writing ---- */

static enum clopt_status write_text(void *user, FILE *stream, struct clopt_error *cause)
{
    (void)cause;
    fputs(user, stream);
    return CLOPT_OK;
}

static enum clopt_status write_badly(void *user, FILE *stream, struct clopt_error *cause)
{
    (void)user;
    fputs("half", stream);
    return clopt_fail(cause, CLOPT_INVALID, "cannot go on");
}

static const char *const begins[] = {"list 1\n", "list 2\n", NULL};
static const struct clopt_file_kind list_kind = {"list", begins};

static enum clopt_status save(const char *path, const char *text)
{
    return clopt_file_save(path, &list_kind, write_text, (void *)text, &error);
}

static void expect_mode(const char *path, mode_t kind, mode_t permissions)
{
    struct stat about;
    assert_int_equal(lstat(path, &about), 0);
    assert_int_equal(about.st_mode, kind | permissions);
}

static void files_appear_whole_and_keep_their_permissions(void **state)
{
    (void)state;
    mode_t mask = umask(027);
    assert_int_equal(save("file", "list 1\none"), CLOPT_OK);
    expect_content("file", "list 1\none");
    expect_mode("file", S_IFREG, 0640);
    assert_int_equal(chmod("file", 0604), 0);
    assert_int_equal(save("file", "list 2\ntwo"), CLOPT_OK);
    expect_mode("file", S_IFREG, 0604);
    assert_int_equal(clopt_file_save("file", &list_kind, write_badly, NULL, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "cannot go on");
    expect_content("file", "list 2\ntwo");
    assert_int_equal(save("none/file", ""), CLOPT_FAILED);
    assert_string_equal(error.message, "none/file: cannot be written: No such file or directory");
    assert_int_equal(system("test -z \"$(ls | grep '^file[.]')\""), 0); /* nothing is left */
    umask(mask);
}

static void links_are_followed(void **state)
{
    (void)state;
    struct stat about;
    assert_int_equal(mkdir("below", 0700), 0);
    assert_int_equal(symlink("below/second", "first"), 0);
    assert_int_equal(symlink("../target", "below/second"), 0);
    for (int i = 0; i < 2; i++) { /* first it leads to nothing */
        assert_int_equal(save("first", i ? "list 1\nagain" : "list 1\nnew"), CLOPT_OK);
        expect_content("target", i ? "list 1\nagain" : "list 1\nnew");
        expect_mode("first", S_IFLNK, 0777);
        expect_mode("below/second", S_IFLNK, 0777);
    }
    assert_int_equal(symlink("circle", "circle"), 0);
    assert_int_equal(save("circle", ""), CLOPT_FAILED);
    assert_string_equal(error.message,
                        "circle: cannot be written: Too many levels of symbolic links");
    assert_int_equal(clopt_file_write_soon("first", "own", 3, &error), CLOPT_OK);
    assert_int_equal(lstat("first", &about), 0);
    assert_true(S_ISREG(about.st_mode)); /* a name of clopt's own is no link of anybody's */
    expect_content("target", "list 1\nagain");
}

static void devices_and_pipes_are_written_and_stay(void **state)
{
    (void)state;
    struct stat about;
    assert_int_equal(symlink("/dev/full", "full"), 0);
    assert_int_equal(save("full", "text"), CLOPT_FAILED);
    assert_string_equal(error.message, "full: cannot be written: No space left on device");
    assert_int_equal(save("/dev/null", "text"), CLOPT_OK);
    assert_int_equal(stat("/dev/null", &about), 0);
    assert_true(S_ISCHR(about.st_mode));
    assert_int_equal(stat("/dev/full", &about), 0);
    assert_true(S_ISCHR(about.st_mode));

    assert_int_equal(save("pipe", "text"), CLOPT_FAILED);
    assert_string_equal(error.message, "pipe: cannot be written: no process reads from it");
    int reader = open("pipe", O_RDONLY | O_NONBLOCK);
    char text[8] = "";
    assert_int_equal(save("pipe", "text"), CLOPT_OK);
    assert_int_equal(read(reader, text, sizeof text - 1), 4);
    assert_string_equal(text, "text");
    close(reader);
    expect_mode("pipe", S_IFIFO, 0600);
    assert_int_equal(save(".", ""), CLOPT_FAILED);
    assert_string_equal(error.message, ".: cannot be written: Is a directory");
}

static void refuse_to_replace(const char *path, const struct clopt_file_kind *kind,
                              const char *message)
{
    assert_int_equal(clopt_file_check_target(path, kind, &error), CLOPT_INVALID);
    assert_string_equal(error.message, message);
    assert_int_equal(clopt_file_write(path, kind, "list 1\n", 7, &error), CLOPT_INVALID);
    assert_string_equal(error.message, message);
    expect_content("mine", "list");
}

static void what_is_not_of_the_kind_stays(void **state)
{
    (void)state;
    const char *const message =
        "exists already, is no list of clopt's, and stays as it is; move it away, or name another "
        "file";
    char text[200];
    assert_int_equal(clopt_file_write("mine", NULL, "list", 4, &error), CLOPT_OK);
    assert_int_equal(symlink("mine", "to-mine"), 0);
    snprintf(text, sizeof text, "mine: %s", message);
    refuse_to_replace("mine", &list_kind, text);
    snprintf(text, sizeof text, "to-mine: %s", message);
    refuse_to_replace("to-mine", &list_kind, text);
    refuse_to_replace(
        "mine", NULL,
        "mine: exists already, and stays as it is; move it away, or name another file");
    assert_int_equal(clopt_file_write("empty", NULL, "", 0, &error), CLOPT_OK);
    assert_int_equal(clopt_file_write("empty", NULL, "new", 3, &error), CLOPT_OK);
    expect_content("empty", "new");
    assert_int_equal(system("test -z \"$(ls | grep new)\""), 0); /* nothing is left */
}

static void a_file_that_was_left_is_taken_over(void **state)
{
    (void)state;
    char *path = NULL, *other = NULL;
    int file = clopt_file_open_beside("taken", &path); /* whose process is alive */
    assert_string_equal(path, "taken.clopt-new");
    assert_int_equal(write(file, "half", 4), 4);
    expect_mode(path, S_IFREG, 01600);
    assert_int_equal(clopt_file_write("taken", NULL, "whole", 5, &error), CLOPT_OK);
    expect_content("taken", "whole");
    expect_content(path, "half");
    close(file);

    file = clopt_file_open_beside("taken", &other); /* it was killed */
    assert_string_equal(other, path);
    expect_content(path, "");
    assert_int_equal(fchmod(file, 0600), 0); /* as a user's is */
    close(file);
    free(other);
    file = clopt_file_open_beside("taken", &other);
    assert_string_not_equal(other, path);
    close(file);
    unlink(other);
    unlink(path);
    free(other);
    free(path);
}

/* ---- folders ---- */

static void refuse_scratch(const char *path)
{
    char message[400];
    snprintf(message, sizeof message,
             "%s: clopt puts temporary files there, but did not make it, and leaves it alone: move "
             "it away, or name another store with -o",
             path);
    assert_int_equal(clopt_scratch_create(path, &error), CLOPT_FAILED);
    assert_string_equal(error.message, message);
    clopt_scratch_remove(path);
}

static void only_folders_of_clopt_are_emptied(void **state)
{
    (void)state;
    assert_int_equal(mkdir("thesis", 0700), 0);
    put("thesis/chapter", "all my work");
    refuse_scratch("thesis");
    assert_int_equal(symlink("thesis", "link"), 0);
    refuse_scratch("link");
    refuse_scratch("file");
    expect_content("thesis/chapter", "all my work");
    expect_mode("link", S_IFLNK, 0777);

    /* One that a killed process has left; what its links lead to stays. */
    assert_int_equal(clopt_scratch_create("scratch", &error), CLOPT_OK);
    expect_mode("scratch", S_IFDIR, 0700);
    assert_int_equal(mkdir("scratch/inner", 0700), 0);
    put("scratch/inner/file", "");
    assert_int_equal(symlink("../thesis", "scratch/thesis"), 0);
    assert_int_equal(clopt_scratch_create("scratch", &error), CLOPT_OK);
    assert_int_not_equal(access("scratch/inner", F_OK), 0);
    assert_int_not_equal(access("scratch/thesis", F_OK), 0);
    assert_int_equal(symlink("scratch", "to_scratch"), 0);
    refuse_scratch("to_scratch");
    assert_int_equal(access("scratch", F_OK), 0);
    clopt_scratch_remove("scratch");
    assert_int_not_equal(access("scratch", F_OK), 0);
    expect_content("thesis/chapter", "all my work");

    assert_int_equal(mkdir("scratch", 0700), 0); /* killed before the mark was there */
    assert_int_equal(clopt_scratch_create("scratch", &error), CLOPT_OK);
    if (geteuid() == 0) {
        put("scratch/file", "another user's");
        assert_int_equal(chown("scratch", 12345, (gid_t)-1), 0);
        refuse_scratch("scratch");
        expect_content("scratch/file", "another user's");
    }
}

/* Writes so many files below a folder, as a worker does that is about to end. */
static void write_for(const char *folder, int files)
{
    char path[64];
    for (int i = 0; i < files; i++) {
        snprintf(path, sizeof path, "%s/%d", folder, i);
        int file = open(path, O_WRONLY | O_CREAT, 0600);
        if (file >= 0)
            close(file);
    }
}

/* Clears away a folder with some files, in a process of its own, which is killed after a time
 * unless that is 0. Returns how long it took, in microseconds. */
static unsigned clear_for(unsigned most_us)
{
    struct timespec begin, end;
    assert_int_equal(clopt_scratch_create("busy", &error), CLOPT_OK);
    write_for("busy", 400);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = fork();
    if (child == 0) {
        clopt_scratch_remove("busy");
        _exit(0);
    }
    assert_true(child > 0);
    if (most_us) {
        usleep(most_us);
        kill(child, SIGKILL);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    clock_gettime(CLOCK_MONOTONIC, &end);
    return (unsigned)((end.tv_sec - begin.tv_sec) * 1000000 + (end.tv_nsec - begin.tv_nsec) / 1000);
}

/* A process that is killed while it clears a folder away leaves one that is still known as clopt's.
 */
static void clearing_away_can_be_cut_short(void **state)
{
    (void)state;
    unsigned whole_us = clear_for(0);
    for (unsigned part = 1; part < 24; part++) {
        clear_for(whole_us * part / 24 + 1);
        assert_int_equal(clopt_scratch_create("busy", &error), CLOPT_OK);
    }
    pid_t child = fork();
    if (child == 0) {
        write_for("busy", 2000);
        _exit(0);
    }
    assert_true(child > 0);
    assert_int_equal(clopt_scratch_create("busy", &error), CLOPT_OK);
    assert_int_equal(waitpid(child, NULL, 0), child);
    clopt_scratch_remove("busy");
}

static void folders_that_others_can_write_to_are_not_believed(void **state)
{
    (void)state;
    mode_t mask = umask(0);
    assert_int_equal(clopt_folder_create_own("own/inner", &error), CLOPT_OK);
    umask(mask);
    expect_mode("own/inner", S_IFDIR, 0700);
    assert_int_equal(clopt_folder_create_own("own/inner", &error), CLOPT_OK);
    static const mode_t modes[] = {0770, 0707};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(chmod("own/inner", modes[i]), 0);
        assert_int_equal(clopt_folder_create_own("own/inner", &error), CLOPT_FAILED);
        assert_string_equal(error.message,
                            "own/inner: others may write to it (chmod go-w ends that)");
    }
    assert_int_equal(clopt_folder_create_own("file", &error), CLOPT_FAILED);
    assert_string_equal(error.message, "file: Not a directory");
    if (geteuid() == 0) {
        assert_int_equal(chmod("own/inner", 0700), 0);
        assert_int_equal(chown("own/inner", 12345, (gid_t)-1), 0);
        assert_int_equal(clopt_folder_create_own("own/inner", &error), CLOPT_FAILED);
        assert_string_equal(error.message, "own/inner: belongs to another user");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_no_file_is_refused_at_once),
        cmocka_unit_test(a_byte_order_mark_is_no_text),
        cmocka_unit_test(a_pipe_is_read_where_that_makes_sense),
        cmocka_unit_test(what_is_too_large_is_not_read),
        cmocka_unit_test(files_appear_whole_and_keep_their_permissions),
        cmocka_unit_test(links_are_followed),
        cmocka_unit_test(what_is_not_of_the_kind_stays),
        cmocka_unit_test(a_file_that_was_left_is_taken_over),
        cmocka_unit_test(devices_and_pipes_are_written_and_stay),
        cmocka_unit_test(only_folders_of_clopt_are_emptied),
        cmocka_unit_test(clearing_away_can_be_cut_short),
        cmocka_unit_test(folders_that_others_can_write_to_are_not_believed),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
