/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts of a study: what they are told, and how they are waited for. */
#include "launchers/host.h"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pool/query.h"
#include "trial/variant.h"

#define WAIT_MS     10
#define OTHER_FILES 1024

/* ---- what travels ---- */

/* What is gathered for the hosts. */
struct gathering {
    json_t *files;
    json_t *kernels; /* folders in which sources are looked for by name */
    char folder[4096];
    struct clopt_error *error;
};

/* Adds a file by the hash of its content, unless it is there. `named`: the study names it, and
 * workers there look for it as it does. */
static void add_file(struct gathering *gathering, const char *path, bool named)
{
    char hash[CLOPT_HASH_SIZE];
    struct stat about;
    CLOPT_OWNED(clopt_text) there = {0};
    const json_t *file;
    size_t i;
    clopt_text_printf(&there, "%s%s%s", *path == '/' ? "" : gathering->folder,
                      *path == '/' ? "" : "/", path);
    json_array_foreach(gathering->files, i, file)
    {
        if (strcmp(json_string_value(json_array_get(file, 0)), clopt_text_string(&there)) == 0)
            return;
    }
    if (clopt_file_hash(path, NULL, hash, gathering->error))
        return;
    if (named && *path == '/')
        clopt_fail(gathering->error, CLOPT_INVALID,
                   "%s: for other hosts a file is named relative to the study, and the study to "
                   "the working folder",
                   path);
    else if (stat(path, &about) == 0 && (uint64_t)about.st_size > CLOPT_MOST_TRAVELLING)
        clopt_fail(gathering->error, CLOPT_INVALID,
                   "%s: has more than 256 MiB, and does not travel to other hosts", path);
    else
        json_array_append_new(gathering->files,
                              json_pack("[s,s]", clopt_text_string(&there), hash));
}

/* Adds a source, all that it includes, and the folder where it is looked for. */
static void add_source(struct gathering *gathering, const struct clopt_app *app,
                       const char *kernel_path)
{
    CLOPT_OWNED(clopt_app_source) source = {0};
    if (gathering->error->status ||
        clopt_app_source_read(app, kernel_path, &source, gathering->error))
        return;
    add_file(gathering, source.path, app->source_is_path);
    for (size_t at = 0; at < source.files.length && !gathering->error->status;
         at += strlen(source.files.data + at) + 1)
        add_file(gathering, source.files.data + at, app->source_is_path);
    size_t below = strlen(source.path) - strlen(app->source);
    if (app->source_is_path || below < 1)
        return;
    CLOPT_OWNED(clopt_text) folder = {0};
    if (*source.path != '/')
        clopt_text_printf(&folder, "%s/", gathering->folder);
    clopt_text_append_bytes(&folder, source.path, below - 1);
    json_array_append_new(gathering->kernels, json_string(clopt_text_string(&folder)));
}

static void add_app(struct gathering *gathering, const struct clopt_study_app *app,
                    const char *kernel_path)
{
    const struct clopt_app *own = app->entry->extension->app;
    add_source(gathering, own, kernel_path);
    if (own->defined && own->defined->reference)
        add_source(gathering, own->defined->reference, kernel_path);
    const struct clopt_alternative *all = own->defined ? own->defined->alternatives : NULL;
    for (; all && all->name; all++)
        add_source(gathering, all->program, kernel_path);
    for (size_t p = 0; p < app->problem_count; p++)
        for (size_t i = 0; i < app->problems[p]->count; i++) {
            const struct clopt_value *value = &app->problems[p]->items[i];
            if (value->type == CLOPT_FILE && value->text && !gathering->error->status)
                add_file(gathering, value->text, true);
        }
}

/* Makes what each host is told. */
static json_t *make_setup(const struct clopt_study *study, const char *kernel_path,
                          struct clopt_error *error)
{
    struct gathering gathering = {.files = json_array(), .kernels = json_array(), .error = error};
    if (!getcwd(gathering.folder, sizeof gathering.folder))
        clopt_fail(error, CLOPT_FAILED, "the working folder has no name");
    else if (study->rival_count)
        clopt_fail(error, CLOPT_INVALID, "%s: [rival %s]: programs do not travel to other hosts",
                   study->path, study->rivals[0].label);
    for (size_t i = 0; i < study->app_count && !error->status; i++)
        add_app(&gathering, &study->apps[i], kernel_path);
    return json_pack("{s:s,s:b,s:o,s:o}", "folder", gathering.folder, "keep",
                     study->measure.keep_builds, "files", gathering.files, "kernels",
                     gathering.kernels);
}

/* ---- waiting ---- */

/* How many workers may build on a host, so that all of them have seats. */
static size_t count_builders(const struct clopt_host *host, unsigned jobs, size_t hosts)
{
    size_t most = CLOPT_MOST_SEATS / 2 / (hosts + 1);
    size_t wanted = jobs ? jobs : host->processors;
    return wanted < most ? wanted : most;
}

/* Allows this process the open files that a connection to each of many hosts takes. */
static void allow_files(size_t hosts)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < hosts + OTHER_FILES) {
        limit.rlim_cur =
            limit.rlim_max < hosts + OTHER_FILES ? limit.rlim_max : hosts + OTHER_FILES;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

/* Has all hosts go on; returns how many there are to wait for, and how many are ready. */
static size_t advance(struct clopt_pool *pool, size_t *ready, struct clopt_error *error)
{
    size_t waits = 0;
    *ready = 0;
    for (size_t i = 0; i < pool->host_count && !error->status; i++) {
        struct clopt_host *host = &pool->hosts[i];
        clopt_host_advance(host);
        waits += host->state < CLOPT_HOST_READY && !host->link->failures;
        *ready += host->state == CLOPT_HOST_READY;
        if (host->state == CLOPT_HOST_REFUSED)
            *error = host->why;
    }
    return waits;
}

/* Waits for the hosts, for late ones not longer than they may be. Fails where one is refused, or it
 * is to stop. */
static enum clopt_status wait_for(struct clopt_pool *pool, FILE *notices, struct clopt_error *error)
{
    const volatile sig_atomic_t *stop = pool->settings.stop;
    struct clopt_lateness lateness = {.began_ns = clopt_now_ns()};
    size_t ready, waits = advance(pool, &ready, error);
    while (waits && !*stop && !error->status && !clopt_is_too_late(&lateness, ready)) {
        poll(NULL, 0, WAIT_MS);
        waits = advance(pool, &ready, error);
    }
    for (size_t i = 0; i < pool->host_count && waits && !*stop && !error->status; i++)
        if (pool->hosts[i].state == CLOPT_HOST_STARTING && !pool->hosts[i].link->failures)
            clopt_text_print(notices, "clopt: host %s has not come yet: the others begin\n",
                             pool->hosts[i].name);
    return *stop && !error->status ? clopt_fail(error, CLOPT_INTERRUPTED, "interrupted")
                                   : error->status;
}

/* Makes room for the hosts of a study; nothing is started. */
static void add_hosts(struct clopt_pool *pool, const struct clopt_study *study,
                      const struct clopt_host_setup *setup)
{
    pool->hosts = clopt_calloc(study->host_count, sizeof *pool->hosts);
    pool->host_count = study->host_count;
    for (size_t i = 0; i < pool->host_count; i++) {
        struct clopt_link *link = clopt_calloc(1, sizeof *link);
        *link = (struct clopt_link){.setup = setup, .wanted = &study->hosts[i], .file = -1};
        pool->hosts[i] = (struct clopt_host){
            .transport = &clopt_transport, .link = link, .name = link->wanted->name};
    }
}

static enum clopt_status open_hosts(struct clopt_pool *pool, const struct clopt_study *study,
                                    unsigned jobs, FILE *notices, struct clopt_error *error)
{
    size_t ready = 0, builders = 1;
    struct clopt_host_setup *setup = clopt_calloc(1, sizeof *setup);
    allow_files(study->host_count);
    *setup = (struct clopt_host_setup){.json = make_setup(study, pool->settings.kernel_path, error),
                                       .errors = pool->settings.scratch,
                                       .notices = notices};
    add_hosts(pool, study, setup);
    if (!error->status && !setup->json)
        clopt_fail(error, CLOPT_INVALID, "the working folder's name is not UTF-8");
    if (error->status || wait_for(pool, notices, error))
        return error->status;
    if (pool->seat_count < pool->host_count) /* each lists its devices in one */
        pool->seat_count = pool->host_count;
    for (size_t i = 0; i < pool->host_count; i++) {
        struct clopt_host *host = &pool->hosts[i];
        if (host->state != CLOPT_HOST_READY)
            continue;
        ready++;
        builders = host->builders = count_builders(host, jobs, pool->host_count);
    }
    for (size_t i = 0; i < pool->host_count; i++) /* the others may come later */
        if (!pool->hosts[i].builders)
            pool->hosts[i].builders = builders;
    return ready ? CLOPT_OK
                 : clopt_fail(error, CLOPT_FAILED, "no host can be used: %s",
                              pool->hosts[0].why.message);
}

static void close_hosts(struct clopt_pool *pool)
{
    struct clopt_host_setup *setup = (struct clopt_host_setup *)pool->hosts[0].link->setup;
    for (size_t i = 0; i < pool->host_count; i++)
        clopt_host_hang_up(&pool->hosts[i]);
    for (size_t i = 0; i < pool->host_count; i++)
        clopt_host_fini(&pool->hosts[i]);
    free(pool->hosts);
    json_decref(setup->json);
    free(setup);
}

const struct clopt_transport clopt_transport = {.choose = clopt_hosts_choose,
                                                .open = open_hosts,
                                                .close = close_hosts,
                                                .awaits = clopt_host_awaits,
                                                .advance = clopt_host_advance,
                                                .list = clopt_hosts_list,
                                                .start = clopt_host_start,
                                                .request = clopt_host_request,
                                                .order = clopt_host_order,
                                                .end = clopt_host_end,
                                                .serve = clopt_relay_serve};
