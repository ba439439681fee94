/* SPDX-License-Identifier: BSD-3-Clause */
/* Does a study in several processes, without a message between them: each takes shards from a
 * folder beside the store until all are done, and a lock says who has which. So any of them may be
 * lost. Ranks whose devices differ have folders of their own, and each such group does the study.
 */
#include "main/ranks.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/folder.h"
#include "base/sha256.h"
#include "base/text.h"
#include "main/usage.h"
#include "store/merge.h"

#define SHARDS_A_RANK 4        /* so that one that is slow leaves its share to the others */
#define MERGED        "all.db" /* of a group */
#define GROUP_LENGTH  12       /* of its name */
#define FOLDER_S      60
#define SHORTEST_MS   100 /* between two looks at shards that others do, */
#define LONGEST_MS    3000
#define MS_A_RANK     30 /* more than that: n idle ranks look at the shards of all others */

struct ranks {
    const struct clopt_study_command *command;
    const struct clopt_launch *launch;
    struct clopt_study_look study;
    char *folder; /* of all ranks */
    char *group;  /* the folder of those that have such devices */
    char *merged; /* the store of their shards */
    char config_hash[CLOPT_HASH_SIZE];
    double began_s;
    unsigned count; /* of shards */
    unsigned left;
    bool *done;
};

/* ---- what the launcher says ---- */

static const struct {
    const char *rank;
    const char *size;
    const char *local_rank;
    const char *local_size;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"}, /* MPICH and its children */
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", ""},
};

static unsigned read_environment(const char *name, int64_t least, unsigned otherwise)
{
    const char *text = *name ? getenv(name) : NULL;
    int64_t number = text ? clopt_number_read(text, least, CLOPT_MOST_SHARDS) : -1;
    return number < 0 ? otherwise : (unsigned)number;
}

struct clopt_launch clopt_launch_find(void)
{
    struct clopt_launch launch = {.size = 1, .local_size = 1};
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers && launch.size == 1; i++)
        launch =
            (struct clopt_launch){.rank = read_environment(launchers[i].rank, 0, 0),
                                  .size = read_environment(launchers[i].size, 1, 1),
                                  .local_rank = read_environment(launchers[i].local_rank, 0, 0),
                                  .local_size = read_environment(launchers[i].local_size, 1, 1)};
    return launch;
}

/* ---- the folder ---- */

static char *store_of(const struct ranks *ranks, unsigned shard)
{
    struct clopt_text path = {0};
    clopt_text_printf(&path, "%s/%uof%u.db", ranks->group, shard, ranks->count);
    return clopt_text_take(&path);
}

/* Takes a lock, which goes with the process. -1: another rank has it. */
static int take_lock(const char *folder, unsigned number, int operation)
{
    struct clopt_text path = {0};
    clopt_text_printf(&path, "%s/%u.lock", folder, number);
    int file = path.failed ? -1
                           : open(clopt_text_string(&path),
                                  O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    clopt_text_fini(&path);
    if (file >= 0 && flock(file, operation) != 0) {
        close(file);
        file = -1;
    }
    return file;
}

static double real_time_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void pause_ms(unsigned ms)
{
    const struct timespec moment = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&moment, NULL);
}

/* Reads a number that some rank has written; 0: it is not there yet. */
static enum clopt_status read_number(const char *path, unsigned *number, struct clopt_error *error)
{
    char *text = NULL;
    *number = 0;
    if (access(path, F_OK) != 0)
        return CLOPT_OK;
    enum clopt_status status = clopt_text_read(path, &text, error);
    if (status)
        return status;
    text[strcspn(text, "\n")] = '\0';
    int64_t value = clopt_number_read(text, 1, CLOPT_MOST_SHARDS);
    free(text);
    if (value < 0)
        return clopt_fail(error, CLOPT_FAILED, "%s: is no number of shards: remove the folder",
                          path);
    *number = (unsigned)value;
    return CLOPT_OK;
}

static enum clopt_status write_number(const char *path, unsigned number, struct clopt_error *error)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%u\n", number);
    return clopt_file_write(path, text, (size_t)length, error);
}

/* Makes the folder, unless it is there, and writes how many shards there are. */
static enum clopt_status make_folder(const struct ranks *ranks, const char *path,
                                     struct clopt_error *error)
{
    if (access(ranks->folder, F_OK) != 0 && access(ranks->study.store, F_OK) == 0)
        return clopt_fail(error, CLOPT_FAILED,
                          "%s: exists already, and %s does not, from which it would be made: name "
                          "another store (-o)",
                          ranks->study.store, ranks->folder);
    enum clopt_status status = clopt_folder_create_own(ranks->folder, error);
    if (!status && access(path, F_OK) != 0)
        status = write_number(path, ranks->launch->size * SHARDS_A_RANK, error);
    return status;
}

/* Finds out how many shards there are: rank 0 says so where no rank did before. */
static enum clopt_status find_count(struct ranks *ranks, struct clopt_error *error)
{
    char *path = clopt_path_join(ranks->folder, "count");
    if (!path)
        return clopt_fail_memory(error);
    enum clopt_status status =
        ranks->launch->rank == 0 ? make_folder(ranks, path, error) : CLOPT_OK;
    for (unsigned ms = 0; !status && !ranks->count; ms += SHORTEST_MS) {
        status = read_number(path, &ranks->count, error);
        if (!status && !ranks->count && ms >= FOLDER_S * 1000)
            status = clopt_fail(error, CLOPT_FAILED,
                                "rank %u: %s, which rank 0 writes, is not there: name a store (-o) "
                                "in a folder that all ranks see",
                                ranks->launch->rank, path);
        if (!status && !ranks->count)
            pause_ms(SHORTEST_MS);
    }
    free(path);
    return status;
}

/* ---- shards ---- */

/* What the newest run of a store says. */
struct look {
    const struct ranks *ranks;
    bool done;
};

static enum clopt_status look_at_run(void *user, const struct clopt_store_run *run,
                                     struct clopt_error *error)
{
    struct look *look = user;
    (void)error;
    look->done = run->status && strcmp(run->status, "ok") == 0 &&
                 run->ended_s > look->ranks->began_s &&
                 strcmp(run->config, look->ranks->study.config) == 0;
    return CLOPT_OK;
}

/* Whether a store has been made whole since this rank began. */
static bool is_done(const struct ranks *ranks, const char *path)
{
    struct look look = {.ranks = ranks};
    struct clopt_store *store = NULL;
    struct clopt_error error;
    if (access(path, F_OK) == 0 && !clopt_store_open_read(path, &store, &error))
        clopt_store_read_run(store, look_at_run, &look, &error);
    clopt_store_close(store);
    return look.done;
}

/* Does a shard, or what is left of the whole study ({0}). */
static int do_part(const struct ranks *ranks, struct clopt_shard shard, char *path)
{
    struct clopt_study_command command = *ranks->command;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    command.shard = shard;
    command.output = path;
    command.store_path = NULL;
    command.is_part = true;
    if (!command.jobs && ranks->launch->local_size > 1 && processors > 0)
        command.jobs = ((unsigned)processors - 1) / ranks->launch->local_size + 1;
    int code = clopt_study_command_run(&command);
    free(command.store_path);
    return code;
}

/* When the shard of a lock was done, of this study: the lock itself says so, since a store takes
 * much longer to open. 0: never. */
static double read_end(const struct ranks *ranks, int lock)
{
    char text[CLOPT_HASH_SIZE + 32] = "", config[CLOPT_HASH_SIZE] = "";
    double ended_s = 0;
    ssize_t length = pread(lock, text, sizeof text - 1, 0);
    if (length <= 0 || sscanf(text, "%lf %64s", &ended_s, config) != 2)
        return 0;
    return strcmp(config, ranks->config_hash) == 0 ? ended_s : 0;
}

/* Notes in its lock that a shard is done now. Where that fails it is done once more. */
static void write_end(const struct ranks *ranks, int lock)
{
    char text[CLOPT_HASH_SIZE + 32];
    int length = snprintf(text, sizeof text, "%.6f %s\n", real_time_s(), ranks->config_hash);
    if (ftruncate(lock, 0) != 0 || pwrite(lock, text, (size_t)length, 0) != length)
        clopt_text_print(stderr, "clopt: warning: %s: cannot be written: %s\n", ranks->group,
                         strerror(errno));
}

/* Does a shard, unless another rank has it, or has done it since this rank began. One that was done
 * before has all in its store, but kernels and drivers may have changed since. */
static int take_shard(struct ranks *ranks, unsigned shard, bool *taken)
{
    int lock = take_lock(ranks->group, shard, LOCK_EX | LOCK_NB), code = CLOPT_EXIT_DONE;
    if (lock < 0)
        return code;
    *taken = true;
    if (read_end(ranks, lock) <= ranks->began_s) {
        char *path = store_of(ranks, shard);
        code = path ? do_part(ranks, (struct clopt_shard){shard, ranks->count}, path)
                    : CLOPT_EXIT_FAILURE;
        free(path);
        if (!code)
            write_end(ranks, lock);
    }
    ranks->done[shard - 1] = !code;
    ranks->left -= !code;
    close(lock);
    return code;
}

/* Does shards until all are done, by this rank or others; each rank begins elsewhere. */
static int do_shards(struct ranks *ranks)
{
    unsigned longest = LONGEST_MS + MS_A_RANK * ranks->launch->size;
    unsigned ms = SHORTEST_MS, own = ranks->launch->rank % ranks->launch->size;
    uint64_t begin = (uint64_t)own * ranks->count / ranks->launch->size;
    int code = CLOPT_EXIT_DONE;
    while (ranks->left && !code) {
        bool taken = false;
        for (uint64_t i = 0; i < ranks->count && !code; i++) {
            unsigned shard = (unsigned)((begin + i) % ranks->count);
            if (!ranks->done[shard])
                code = take_shard(ranks, shard + 1, &taken);
        }
        ms = taken ? SHORTEST_MS : ms * 2 < longest ? ms * 2 : longest;
        if (ranks->left && !code)
            pause_ms(ms);
    }
    return code;
}

/* ---- the whole ---- */

/* Merges the shards of this rank's group. */
static enum clopt_status merge_shards(const struct ranks *ranks, struct clopt_error *error)
{
    enum clopt_status status = CLOPT_OK;
    char **paths = calloc(ranks->count, sizeof *paths);
    if (!paths)
        return clopt_fail_memory(error);
    for (unsigned i = 0; i < ranks->count && !status; i++)
        if (!(paths[i] = store_of(ranks, i + 1)))
            status = clopt_fail_memory(error);
    if (!status)
        status = clopt_store_merge((const char *const *)paths, ranks->count, ranks->merged,
                                   CLOPT_MERGE_REPLACE, stderr, error);
    for (unsigned i = 0; i < ranks->count; i++)
        free(paths[i]);
    free(paths);
    return status;
}

static int is_group(const struct dirent *entry)
{
    return strlen(entry->d_name) == GROUP_LENGTH && !strchr(entry->d_name, '.');
}

/* Makes the study's store of those of all groups that are done: `*left` are not. */
static enum clopt_status merge_groups(const struct ranks *ranks, size_t *left,
                                      struct clopt_error *error)
{
    struct dirent **groups = NULL;
    int found = scandir(ranks->folder, &groups, is_group, alphasort);
    char **stores = calloc((size_t)(found > 0 ? found : 0) + 1, sizeof *stores);
    size_t count = 0;
    enum clopt_status status = CLOPT_OK;
    *left = 0;
    for (int i = 0; i < found && stores; i++) {
        struct clopt_text path = {0};
        clopt_text_printf(&path, "%s/%s/" MERGED, ranks->folder, groups[i]->d_name);
        if (!path.failed && is_done(ranks, clopt_text_string(&path)))
            stores[count++] = clopt_text_take(&path);
        else
            ++*left;
        clopt_text_fini(&path);
        free(groups[i]);
    }
    if (!stores || !count)
        status = clopt_fail(error, CLOPT_FAILED, "%s: cannot be read", ranks->folder);
    else
        status = clopt_store_merge((const char *const *)stores, count, ranks->study.store,
                                   CLOPT_MERGE_REPLACE, stderr, error);
    for (size_t i = 0; i < count; i++)
        free(stores[i]);
    free(stores);
    free(groups);
    return status;
}

/* Whether the study's store was made before that of this group. */
static bool is_older(const struct ranks *ranks)
{
    struct stat whole, part;
    return stat(ranks->study.store, &whole) != 0 || stat(ranks->merged, &part) != 0 ||
           whole.st_mtim.tv_sec < part.st_mtim.tv_sec ||
           (whole.st_mtim.tv_sec == part.st_mtim.tv_sec &&
            whole.st_mtim.tv_nsec < part.st_mtim.tv_nsec);
}

static enum clopt_status report(const struct ranks *ranks, enum clopt_exit *code,
                                struct clopt_error *error)
{
    struct clopt_store *store = NULL;
    enum clopt_status status = clopt_store_open_read(ranks->study.store, &store, error);
    if (!status)
        status = clopt_study_command_print(ranks->command, store, code, error);
    clopt_store_close(store);
    return status;
}

/* Merges what is done, measures what no shard knows of, and reports the study, unless another rank
 * has done so: one after the other, so that the loss of one leaves it to the next. */
static int finish(const struct ranks *ranks)
{
    struct clopt_error error = {0};
    enum clopt_status status = CLOPT_OK;
    enum clopt_exit code = CLOPT_EXIT_DONE;
    size_t left = 0;
    int lock = take_lock(ranks->folder, 0, LOCK_EX), joined = CLOPT_EXIT_DONE;
    if (!is_done(ranks, ranks->merged))
        status = merge_shards(ranks, &error);
    if (!status && is_older(ranks) && ranks->study.joins)
        joined = do_part(ranks, (struct clopt_shard){0}, ranks->merged);
    if (!status && !joined && is_older(ranks)) {
        status = merge_groups(ranks, &left, &error);
        if (!status && !left)
            status = report(ranks, &code, &error);
        else if (!status)
            clopt_text_print(stderr,
                             "clopt: note: %s has the hosts with such devices as here; %zu other "
                             "group%s in %s %s not done\n",
                             ranks->study.store, left, left == 1 ? "" : "s", ranks->folder,
                             left == 1 ? "is" : "are");
    }
    if (lock >= 0)
        close(lock);
    return status ? clopt_report_error(&error) : joined ? joined : (int)code;
}

static void hash_config(struct ranks *ranks)
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, ranks->study.config);
    clopt_sha256_end(&hash, ranks->config_hash);
}

static enum clopt_status begin(struct ranks *ranks, struct clopt_error *error)
{
    struct clopt_text folder = {0}, group = {0};
    ranks->began_s = real_time_s();
    enum clopt_status status = clopt_study_command_look(ranks->command, &ranks->study, error);
    if (status)
        return status;
    hash_config(ranks);
    clopt_text_printf(&folder, "%s.shards", ranks->study.store);
    clopt_text_printf(&group, "%s.shards/%.*s", ranks->study.store, GROUP_LENGTH,
                      ranks->study.devices);
    ranks->folder = clopt_text_take(&folder);
    ranks->group = clopt_text_take(&group);
    ranks->merged = ranks->group ? clopt_path_join(ranks->group, MERGED) : NULL;
    status = ranks->folder && ranks->merged ? find_count(ranks, error) : clopt_fail_memory(error);
    if (!status)
        status = clopt_folder_create_own(ranks->group, error);
    if (status)
        return status;
    ranks->left = ranks->count;
    ranks->done = calloc(ranks->count, sizeof *ranks->done);
    return ranks->done ? CLOPT_OK : clopt_fail_memory(error);
}

int clopt_ranks_run(const struct clopt_study_command *command, const struct clopt_launch *launch)
{
    struct ranks ranks = {.command = command, .launch = launch};
    struct clopt_error error = {0};
    if (launch->local_size > 1 && launch->local_rank == 0)
        fprintf(stderr,
                "clopt: note: %u ranks of one host disturb each other's measurements; one a host "
                "does not\n",
                launch->local_size);
    int code = begin(&ranks, &error) ? clopt_report_error(&error) : do_shards(&ranks);
    if (!code)
        code = finish(&ranks);
    free(ranks.done);
    free(ranks.merged);
    free(ranks.group);
    free(ranks.folder);
    free(ranks.study.config);
    free(ranks.study.store);
    return code;
}
