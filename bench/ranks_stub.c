/* SPDX-License-Identifier: BSD-3-Clause */
/* Shows what ranks ask of the folder that they share: many processes do a study whose shards are a
 * pause and a copy of a store, by the code that ranks run. To be run by bench/ranks.
 *
 * Usage: ranks_stub RANKS SECONDS TEMPLATE.db STORE.db: SECONDS is what a shard takes on average.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"
#include "main/study_command.h"
#include "store/merge.h"
#include "store/statement.h"

#define MOST_TIMED 2000000
#define SLOW_EVERY 100 /* ranks, of which one is slow, */
#define SLOWER     4   /* as many times */
#define SHARES     4   /* of each shard a rank writes what it has so often */

/* What all processes write. */
static struct shared {
    unsigned locks; /* that were asked for */
    unsigned stores;
    int64_t begun_ns;
    int64_t last_ns;  /* when the last shard ended */
    int64_t merge_ns; /* how long the merge of all took */
    float lock_us[MOST_TIMED];
} * shared;

static const char *template_path;
static double mean_s;

static int timed_flock(int file, int operation)
{
    int64_t began = clopt_now_ns();
    int result = flock(file, operation);
    unsigned number = __atomic_fetch_add(&shared->locks, 1, __ATOMIC_RELAXED);
    if (number < MOST_TIMED && operation & LOCK_NB)
        shared->lock_us[number] = (float)(1e-3 * (double)(clopt_now_ns() - began));
    return result;
}

static void rest(double seconds)
{
    struct timespec pause = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&pause, NULL);
}

static enum clopt_status keep_config(void *user, const struct clopt_store_run *run,
                                     struct clopt_error *error)
{
    char **config = user;
    *config = strdup(run->config);
    return *config ? CLOPT_OK : clopt_fail_memory(error);
}

static enum clopt_status stub_look(const struct clopt_study_command *command,
                                   struct clopt_study_look *look, struct clopt_error *error)
{
    struct clopt_store *store = NULL;
    enum clopt_status status = clopt_store_open_read(template_path, &store, error);
    if (!status)
        status = clopt_store_read_run(store, keep_config, &look->config, error);
    clopt_store_close(store);
    look->store = strdup(command->output);
    snprintf(look->devices, sizeof look->devices, "%064d", 0);
    return status || look->store ? status : clopt_fail_memory(error);
}

/* Writes what a shard has by now: other variants than other shards, and the same initial code. */
static int write_shard(const struct clopt_study_command *command, struct clopt_store *store)
{
    struct clopt_text sql = {0};
    clopt_text_printf(
        &sql,
        "BEGIN IMMEDIATE; UPDATE run SET ended = %.3f, status = 'ok';"
        "UPDATE trial SET key = key || '-%u' WHERE key NOT LIKE '%%-%%' AND id <> (SELECT trial"
        " FROM variant WHERE name = 'initial code'); UPDATE variant SET name = name || ' %u'"
        " WHERE name <> 'initial code' AND name NOT LIKE '%% %%';"
        "INSERT OR REPLACE INTO shard SELECT id, %u, %u FROM run; COMMIT",
        (double)time(NULL) + 1, command->shard.number, command->shard.number, command->shard.number,
        command->shard.count);
    int code = sqlite3_exec(store->database, clopt_text_string(&sql), NULL, NULL, NULL);
    clopt_text_fini(&sql);
    __atomic_fetch_add(&shared->stores, 1, __ATOMIC_RELAXED);
    return code != SQLITE_OK;
}

static int stub_run(struct clopt_study_command *command)
{
    struct clopt_error error = {0};
    struct clopt_store *store = NULL;
    char *bytes = NULL;
    size_t size = 0;
    FILE *from = fopen(template_path, "rb"), *to = fopen(command->output, "wb");
    bool good = from && to && (bytes = malloc(1 << 24)) &&
                (size = fread(bytes, 1, 1 << 24, from)) > 0 && fwrite(bytes, 1, size, to) == size;
    if (from)
        fclose(from);
    if (to && fclose(to) != 0)
        good = false;
    free(bytes);
    int code = !good || clopt_store_open(command->output, &store, &error);
    double slow = command->jobs == SLOWER ? SLOWER : 1;
    for (int i = 0; i < SHARES && !code; i++) {
        rest(slow * mean_s / SHARES * (0.5 + (double)rand() / RAND_MAX));
        code = write_shard(command, store);
    }
    clopt_store_close(store);
    shared->last_ns = clopt_now_ns();
    return code;
}

static enum clopt_status stub_print(const struct clopt_study_command *command,
                                    struct clopt_store *store, enum clopt_exit *code,
                                    struct clopt_error *error)
{
    (void)command, (void)store, (void)error;
    *code = CLOPT_EXIT_DONE;
    return CLOPT_OK;
}

static enum clopt_status timed_merge(const char *const *paths, size_t count, const char *output,
                                     enum clopt_merge_flags flags, FILE *notices,
                                     struct clopt_error *error)
{
    int64_t began = clopt_now_ns();
    enum clopt_status status = clopt_store_merge(paths, count, output, flags, notices, error);
    if (count > 1)
        shared->merge_ns = clopt_now_ns() - began;
    return status;
}

/* The code of ranks, with these in the place of a study's. */
#define clopt_study_command_look  stub_look
#define clopt_study_command_run   stub_run
#define clopt_study_command_print stub_print
#define clopt_store_merge         timed_merge
#define flock                     timed_flock
#include "main/ranks.c"

static int compare(const void *a, const void *b)
{
    const float *one = a, *other = b;
    return (*one > *other) - (*one < *other);
}

static void print(unsigned ranks, unsigned failed)
{
    unsigned timed = shared->locks < MOST_TIMED ? shared->locks : MOST_TIMED;
    double wall_s = 1e-9 * (double)(shared->last_ns - shared->begun_ns);
    double slow = ranks / SLOW_EVERY,
           ideal_s = SHARDS_A_RANK * mean_s * ranks / (ranks - slow + slow / SLOWER);
    qsort(shared->lock_us, timed, sizeof *shared->lock_us, compare);
    printf("%u ranks, %u shards, %u failed\n", ranks, ranks * SHARDS_A_RANK, failed);
    printf("all shards after        %8.1f s, %.2f times what they take without a rest\n", wall_s,
           wall_s / ideal_s);
    printf("shards taken            %8.1f a second\n", ranks * SHARDS_A_RANK / wall_s);
    printf("locks asked for         %8.1f a second\n", shared->locks / wall_s);
    printf("a lock took             %8.1f us (quartiles %.1f, %.1f; 99%%: %.1f)\n",
           (double)shared->lock_us[timed / 2], (double)shared->lock_us[timed / 4],
           (double)shared->lock_us[timed / 4 * 3], (double)shared->lock_us[timed / 100 * 99]);
    printf("transactions            %8.1f a second, in stores of one rank each\n",
           shared->stores / wall_s);
    printf("merge                   %8.1f s\n", 1e-9 * (double)shared->merge_ns);
}

int main(int argc, char **argv)
{
    unsigned ranks = argc == 5 ? (unsigned)strtoul(argv[1], NULL, 10) : 0, failed = 0;
    if (!ranks || ranks > CLOPT_MOST_SHARDS / SHARDS_A_RANK) {
        fprintf(stderr, "Usage: ranks_stub RANKS SECONDS TEMPLATE.db STORE.db\n");
        return 2;
    }
    mean_s = strtod(argv[2], NULL);
    template_path = argv[3];
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 1;
    shared->begun_ns = clopt_now_ns();
    for (unsigned rank = 0; rank < ranks; rank++) {
        pid_t child = fork();
        if (child == 0) {
            struct clopt_study_command command = {
                .output = argv[4], .jobs = rank % SLOW_EVERY == SLOW_EVERY - 1 ? SLOWER : 1};
            struct clopt_launch launch = {.rank = rank, .size = ranks, .local_size = 1};
            srand(rank);
            _exit(clopt_ranks_run(&command, &launch));
        }
        failed += child < 0;
    }
    for (int how; wait(&how) > 0;)
        failed += how != 0;
    print(ranks, failed);
    return failed != 0;
}
