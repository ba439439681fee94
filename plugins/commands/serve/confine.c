/* SPDX-License-Identifier: BSD-3-Clause */
/* Asks Linux to refuse what is outside of some folders, and refuses what would leave them by name.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* O_PATH */
#endif
#include "commands/serve/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "study/ini.h"
#include "text/text.h"

/* Landlock as landlock(7) has it, for headers and libraries that are older. */
enum {
    CREATE_RULESET = 444, /* numbers of system calls, the same on all machines */
    ADD_RULE = 445,
    RESTRICT_SELF = 446,
    VERSION = 1,      /* a flag: asks for the version */
    BENEATH_PATH = 1, /* a kind of rule */
};
#define EXECUTE    (UINT64_C(1) << 0)
#define WRITE_FILE (UINT64_C(1) << 1)
#define READ_FILE  (UINT64_C(1) << 2)
#define READ_DIR   (UINT64_C(1) << 3)
#define REMOVE     (UINT64_C(3) << 4)
#define MAKE_DIR   (UINT64_C(1) << 7)
#define MAKE_FILE  (UINT64_C(1) << 8)
#define MAKE_PIPE  (UINT64_C(3) << 9) /* sockets, too */
#define ALL_FIRST  ((UINT64_C(1) << 13) - 1)
#define RENAME     (UINT64_C(1) << 13) /* into another folder */
#define TRUNCATE   (UINT64_C(1) << 14)
#define TCP        UINT64_C(3) /* bind, connect */
#define ABSTRACT   UINT64_C(1) /* sockets of Unix without a file */

#define READS (EXECUTE | READ_FILE | READ_DIR)
#define FILES (EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE) /* all that a file can have */

struct ruleset {
    uint64_t files, network, scopes;
};
struct rule {
    uint64_t allowed;
    int32_t file;
} __attribute__((packed));

/* A ruleset that is being made. */
struct confining {
    int file;
    uint64_t handled;
};

/* Allows something below a path, which need not be there. */
static void allow(const struct confining *confining, const char *path, uint64_t allowed)
{
    struct stat about;
    int file = *path ? open(path, O_PATH | O_CLOEXEC) : -1;
    if (file >= 0 && fstat(file, &about) == 0) {
        if (!S_ISDIR(about.st_mode))
            allowed &= FILES;
        struct rule rule = {allowed & confining->handled, file};
        syscall(ADD_RULE, confining->file, BENEATH_PATH, &rule, 0);
    }
    if (file >= 0)
        close(file);
}

/* Allows to read what a list of paths names; NULL: there is none. */
static void allow_list(const struct confining *confining, const char *list)
{
    while (list && *list) {
        size_t length = strcspn(list, ":");
        CLOPT_FREED char *path = clopt_strndup(list, length);
        allow(confining, path, READS);
        list += length + (list[length] == ':');
    }
}

/* Allows what programs, drivers and this one need to run. */
static void allow_system(const struct confining *confining,
                         const struct clopt_global_options *global)
{
    static const char *const variables[] = {"CLOPT_PLUGIN_PATH", "CLOPT_KERNEL_PATH",
                                            "CLOPT_SPACE_PATH",  "OCL_ICD_VENDORS",
                                            "OCL_ICD_FILENAMES", "LD_LIBRARY_PATH"};
    allow_list(confining,
               "/usr:/bin:/sbin:/lib:/lib32:/lib64:/opt:/nix/store:/gnu/store:/proc:/sys:"
               "/etc/ld.so.cache:/etc/OpenCL:/etc/alternatives:/etc/localtime");
    allow_list(confining, CLOPT_PLUGINDIR ":" CLOPT_KERNELDIR ":" CLOPT_SPACEDIR);
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        allow_list(confining, getenv(variables[i]));
    allow_list(confining, global->plugin_path);
    allow_list(confining, global->kernel_path);
    allow(confining, "/dev", READS | WRITE_FILE);
    CLOPT_FREED char *program = realpath("/proc/self/exe", NULL);
    if (program)
        allow(confining, dirname(program), READS);
}

enum clopt_status serve_confine(const struct serve_reach *reach,
                                const struct clopt_global_options *global,
                                struct clopt_error *error)
{
    long version = syscall(CREATE_RULESET, NULL, 0, VERSION);
    struct ruleset ruleset = {.files = ALL_FIRST | (version >= 2 ? RENAME : 0) |
                                       (version >= 3 ? TRUNCATE : 0),
                              .network = version >= 4 ? TCP : 0,
                              .scopes = version >= 6 ? ABSTRACT : 0};
    size_t size = version >= 6   ? sizeof ruleset
                  : version >= 4 ? offsetof(struct ruleset, scopes)
                                 : offsetof(struct ruleset, network);
    int file = version > 0 ? (int)syscall(CREATE_RULESET, &ruleset, size, 0) : -1;
    if (file < 0)
        return clopt_fail(error, CLOPT_FAILED,
                          "landlock_create_ruleset: %s: this system cannot keep callers within a "
                          "folder; use a container, and say --unconfined",
                          strerror(errno));
    struct confining confining = {file, ruleset.files};
    const uint64_t own =
        READS | WRITE_FILE | REMOVE | MAKE_DIR | MAKE_FILE | MAKE_PIPE | RENAME | TRUNCATE;
    allow_system(&confining, global);
    allow(&confining, reach->folder, own);
    allow(&confining, reach->temporary, own);
    for (size_t i = 0; i < reach->readable.count; i++)
        allow(&confining, reach->readable.items[i], READS);
    bool done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(RESTRICT_SELF, file, 0) == 0;
    int cause = errno;
    close(file);
    return done ? CLOPT_OK
                : clopt_fail(error, CLOPT_FAILED, "landlock_restrict_self: %s", strerror(cause));
}

enum clopt_status serve_check_path(const char *path, struct clopt_error *error)
{
    CLOPT_FREED char *above = clopt_strdup(path);
    struct stat about;
    const char *why = *path == '\0' ? "no path" : *path == '/' ? "absolute" : NULL;
    for (const char *at = path; !why && *at;) {
        size_t length = strcspn(at, "/");
        if (length == 2 && strncmp(at, "..", 2) == 0)
            why = "above";
        at += length;
        above[at - path] = '\0';
        if (!why && lstat(above, &about) == 0 && S_ISLNK(about.st_mode))
            why = "a link";
        above[at - path] = *at;
        at += *at == '/';
    }
    return why ? clopt_fail(error, CLOPT_INVALID,
                            "%.200s: %s: only what is below the folder of this server can be "
                            "named, relative to it",
                            path, why)
               : CLOPT_OK;
}

enum clopt_status serve_check_study(const char *path, const struct clopt_registry *registry,
                                    struct clopt_error *error)
{
    struct clopt_ini ini = {0};
    struct clopt_error none = {0};
    enum clopt_status status = CLOPT_OK;
    if (!clopt_text_ends(path, ".ini") && !clopt_text_ends(path, ".json"))
        return CLOPT_OK;
    if (!clopt_ini_read(path, registry, &ini, &none)) /* or its reader says what is wrong */
        for (size_t i = 0; i < ini.count && !status; i++)
            if (strncmp(ini.sections[i].name, "host", 4) == 0 ||
                strncmp(ini.sections[i].name, "rival", 5) == 0)
                status = clopt_fail(error, CLOPT_INVALID,
                                    "%s: [%s]: this server starts no programs that a study names",
                                    path, ini.sections[i].name);
    clopt_ini_fini(&ini);
    return status;
}
