/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs workers for a supervisor on another host. */
#include "launchers/host.h"

#include <config.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/cache.h"
#include "file/file.h"
#include "file/folder.h"
#include "launchers/host.h"
#include "process/clock.h"
#include "text/json.h"

#define USAGE_NS         ((int64_t)100 * 1000 * 1000)
#define WAIT_MS          200
#define ENDING_MS        5
#define MOST_BUILD_BYTES ((uint64_t)1 << 30)
#define MOST_FILE_BYTES  ((uint64_t)8 << 30)

/* A worker; channel 0: none. */
struct guest {
    uint32_t channel;
    struct clopt_process process;
    bool ending; /* it was killed, and will have exited soon */
};

struct relay {
    struct clopt_stream stream;
    struct clopt_process_settings settings;
    struct clopt_temporary scratch;
    json_t *setup;
    struct clopt_text kernel_path;
    char *root; /* what the supervisor's root is here: the files of the study, and no others */
    char *builds, *driver_cache;
    struct guest guests[CLOPT_MOST_GUESTS];
    size_t missing;  /* files that have been asked for */
    int64_t used_ns; /* when it was told last what workers take */
    struct clopt_error *error;
};

/* ---- the files of the study ---- */

static const char *file_text(const json_t *file, size_t index)
{
    const char *text = json_string_value(json_array_get(file, index));
    return text ? text : "";
}

/* Writes a file of the study to its place. */
static void place_file(struct relay *relay, const json_t *file, const void *data, size_t size)
{
    CLOPT_FREED char *path = clopt_path_join(relay->root, file_text(file, 0));
    CLOPT_FREED char *folder = clopt_strdup(path);
    *strrchr(folder, '/') = '\0';
    if (!clopt_folder_create(folder, relay->error))
        clopt_file_write_soon(path, data, size, relay->error);
}

/* Asks for files; for none: workers can start. */
static void tell_wanted(struct relay *relay, json_t *numbers)
{
    relay->missing = json_array_size(numbers);
    clopt_stream_put_json(&relay->stream, CLOPT_FRAME_WANTED, 0,
                          clopt_json_object("files:o builds:S", numbers, relay->builds));
}

/* Places what is cached here, and asks for the rest. */
static void place_files(struct relay *relay)
{
    const json_t *files = json_object_get(relay->setup, "files"), *file;
    CLOPT_FREED char *cache = clopt_cache_folder("files");
    json_t *wanted = json_array();
    size_t i;
    json_array_foreach(files, i, file)
    {
        size_t size = 0;
        const void *data = cache ? clopt_cache_find(cache, file_text(file, 1), &size) : NULL;
        if (data)
            place_file(relay, file, data, size);
        else
            json_array_append_new(wanted, json_integer((json_int_t)i));
        clopt_cache_release(data, size);
    }
    tell_wanted(relay, wanted);
}

/* Takes a file that was wanted, if it is the one. */
static void take_file(struct relay *relay, const struct clopt_frame *frame)
{
    const json_t *files = json_object_get(relay->setup, "files");
    const json_t *file = json_array_get(files, frame->channel);
    CLOPT_FREED char *cache = clopt_cache_folder("files");
    char hash[CLOPT_HASH_SIZE];
    clopt_sha256_bytes(frame->data, frame->length, hash);
    if (strcmp(hash, file_text(file, 1)) != 0) {
        clopt_fail(relay->error, CLOPT_FAILED, "%s: changed on the way", file_text(file, 0));
        return;
    }
    if (cache && frame->length)
        clopt_cache_put(cache, hash, frame->data, frame->length);
    place_file(relay, file, frame->data, frame->length);
    if (relay->missing && --relay->missing == 0)
        tell_wanted(relay, json_array());
}

/* Makes the folders of programs, where they are kept. */
static void make_builds(struct relay *relay)
{
    CLOPT_FREED char *cache = clopt_cache_folder(NULL);
    const char *parent =
        json_is_true(json_object_get(relay->setup, "keep")) && cache ? cache : relay->scratch.path;
    struct clopt_error none = {0};
    relay->builds = clopt_path_join(parent, "builds");
    relay->driver_cache = clopt_path_join(relay->builds, "driver");
    if (clopt_folder_create_own(parent, &none) || clopt_folder_create_own(relay->builds, &none) ||
        clopt_folder_create_own(relay->driver_cache, &none))
        *relay->error = none;
}

/* Makes room for the study: workers run in what is its working folder here. */
static void set_up(struct relay *relay, const struct clopt_frame *frame)
{
    const json_t *folder;
    size_t i;
    json_decref(relay->setup);
    relay->setup = json_loadb(frame->data, frame->length, 0, NULL);
    relay->root = clopt_path_join(relay->scratch.path, "root");
    const char *own = json_string_value(json_object_get(relay->setup, "folder"));
    CLOPT_FREED char *folder_here = own ? clopt_path_join(relay->root, own) : NULL;
    json_array_foreach(json_object_get(relay->setup, "kernels"), i, folder)
    {
        clopt_text_printf(&relay->kernel_path, "%s%s/%s", i ? ":" : "", relay->root,
                          json_string_value(folder));
    }
    if (relay->settings.kernel_path)
        clopt_text_printf(&relay->kernel_path, ":%s", relay->settings.kernel_path);
    if (!folder_here || clopt_folder_create(folder_here, relay->error) || chdir(folder_here) != 0) {
        clopt_fail(relay->error, CLOPT_FAILED, "the study's folder cannot be made here");
        return;
    }
    make_builds(relay);
    relay->settings.kernel_path = clopt_text_string(&relay->kernel_path);
    relay->settings.scratch = relay->scratch.path;
    relay->settings.builds = relay->builds;
    relay->settings.driver_cache = relay->driver_cache;
    if (!relay->error->status)
        place_files(relay);
}

/* ---- workers ---- */

static struct guest *find_guest(struct relay *relay, uint32_t channel)
{
    for (size_t i = 0; i < CLOPT_MOST_GUESTS; i++)
        if (relay->guests[i].channel == channel)
            return &relay->guests[i];
    return NULL;
}

/* Says how a worker has ended, once it has. */
static void end_guest(struct relay *relay, struct guest *guest)
{
    CLOPT_FREED char *words = NULL;
    int status = clopt_process_end(&guest->process, &words);
    clopt_stream_put_json(&relay->stream, CLOPT_FRAME_EXIT, guest->channel,
                          clopt_json_object("status:i words:S", (int64_t)status, words));
    clopt_process_fini(&guest->process);
    *guest = (struct guest){.process.file = -1, .process.notes = -1};
}

static void start_guest(struct relay *relay, const struct clopt_frame *frame)
{
    struct clopt_process_settings settings = relay->settings;
    struct guest *guest = find_guest(relay, 0);
    struct clopt_error why;
    json_auto_t *json = json_loadb(frame->data, frame->length, 0, NULL);
    settings.pin = json_is_true(json_object_get(json, "pin"));
    settings.unpin = json_is_true(json_object_get(json, "unpin"));
    settings.cache = (unsigned)json_integer_value(json_object_get(json, "cache"));
    if (!guest)
        return;
    if (clopt_process_start(&guest->process, &settings, 0, &why))
        clopt_stream_put_json(
            &relay->stream, CLOPT_FRAME_EXIT, frame->channel,
            clopt_json_object("status:i words:s", (int64_t)W_EXITCODE(1, 0), why.message));
    else
        guest->channel = frame->channel;
}

/* Sends on what has come over one of a worker's connections; false: it has hung up. */
static bool pass_on(struct relay *relay, const struct guest *guest, int file,
                    enum clopt_frame_kind kind)
{
    char chunk[65536];
    ssize_t got = recv(file, chunk, sizeof chunk, MSG_DONTWAIT);
    if (got > 0)
        clopt_stream_put(&relay->stream, kind, guest->channel, chunk, (size_t)got);
    return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

/* Notes go first: they were sent before the answer. */
static void serve_guest(struct relay *relay, struct guest *guest, bool answers, bool notes)
{
    if (answers || notes)
        pass_on(relay, guest, guest->process.notes, CLOPT_FRAME_NOTES);
    if ((answers && !pass_on(relay, guest, guest->process.file, CLOPT_FRAME_ANSWER)) ||
        (guest->ending && clopt_process_has_exited(&guest->process)))
        end_guest(relay, guest);
}

static void tell_usage(struct relay *relay)
{
    int64_t now = clopt_now_ns();
    if (now - relay->used_ns < USAGE_NS)
        return;
    relay->used_ns = now;
    for (size_t i = 0; i < CLOPT_MOST_GUESTS; i++) {
        struct clopt_process *process = &relay->guests[i].process;
        if (relay->guests[i].channel && !relay->guests[i].ending)
            clopt_stream_put_json(
                &relay->stream, CLOPT_FRAME_USAGE, relay->guests[i].channel,
                clopt_json_object("memory:i printed:i lost:d", clopt_process_memory(process),
                                  clopt_process_printed(process),
                                  clopt_lost_time(&process->clock.use, process->pid)));
    }
}

/* ---- what the supervisor wants ---- */

/* Does to the worker of the channel what is wanted, unless it has exited by itself. */
static void take_order(struct relay *relay, const struct clopt_frame *frame)
{
    struct guest *guest = frame->channel ? find_guest(relay, frame->channel) : NULL;
    if (!guest || guest->ending)
        return;
    if (frame->kind == CLOPT_FRAME_REQUEST) {
        if (clopt_process_printed(&guest->process) && truncate(guest->process.output, 0) != 0)
            errno = 0; /* it counts as printed once more */
        clopt_message_send_bytes(guest->process.file, frame->data, frame->length, NULL);
    } else if (frame->kind == CLOPT_FRAME_KILL) {
        clopt_process_kill(&guest->process);
        guest->ending = true;
    } else {
        clopt_process_pause(&guest->process, frame->kind == CLOPT_FRAME_PAUSE);
    }
}

static void take(struct relay *relay, const struct clopt_frame *frame)
{
    switch (frame->kind) {
    case CLOPT_FRAME_SETUP:
        set_up(relay, frame);
        break;
    case CLOPT_FRAME_FILE:
        take_file(relay, frame);
        break;
    case CLOPT_FRAME_START:
        start_guest(relay, frame);
        break;
    case CLOPT_FRAME_REQUEST:
    case CLOPT_FRAME_KILL:
    case CLOPT_FRAME_PAUSE:
    case CLOPT_FRAME_RESUME:
        take_order(relay, frame);
        break;
    default: /* it is alive */
        break;
    }
}

/* Waits for something to come, and deals with it. */
static void wait_and_serve(struct relay *relay)
{
    static struct pollfd files[2 * CLOPT_MOST_GUESTS + 2];
    bool ending = false;
    for (size_t i = 0; i < CLOPT_MOST_GUESTS; i++) {
        const struct guest *guest = &relay->guests[i];
        bool open = guest->channel && !guest->ending;
        ending |= guest->ending;
        files[2 * i] = (struct pollfd){open ? guest->process.file : -1, POLLIN, 0};
        files[2 * i + 1] = (struct pollfd){open ? guest->process.notes : -1, POLLIN, 0};
    }
    struct pollfd *stream = &files[2 * CLOPT_MOST_GUESTS];
    stream[0] = (struct pollfd){relay->stream.in, POLLIN, 0};
    stream[1] =
        (struct pollfd){clopt_stream_is_full(&relay->stream) ? relay->stream.out : -1, POLLOUT, 0};
    if (poll(files, sizeof files / sizeof *files, ending ? ENDING_MS : WAIT_MS) < 0)
        return;
    for (size_t i = 0; i < CLOPT_MOST_GUESTS; i++)
        if (relay->guests[i].channel)
            serve_guest(relay, &relay->guests[i], files[2 * i].revents, files[2 * i + 1].revents);
    tell_usage(relay);
}

static void serve(struct relay *relay)
{
    struct clopt_frame frame;
    while (!relay->stream.ended && !relay->error->status &&
           !clopt_stream_is_silent(&relay->stream)) {
        wait_and_serve(relay);
        clopt_stream_exchange(&relay->stream);
        while (!relay->error->status && clopt_stream_take(&relay->stream, &frame))
            take(relay, &frame);
    }
}

static void say_who(struct relay *relay)
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    clopt_text_append(&relay->stream.sending, CLOPT_STREAM_MAGIC);
    clopt_stream_put_json(&relay->stream, CLOPT_FRAME_IDENTITY, 0,
                          clopt_json_object("version:s abi:i name:s processors:i memory:i",
                                            PACKAGE_VERSION, (int64_t)CLOPT_ABI, name,
                                            (int64_t)clopt_usable_processors(),
                                            clopt_memory_limit(0)));
    relay->stream.greeted = true; /* the supervisor says nothing before it is told */
}

static void relay_fini(struct relay *relay)
{
    for (size_t i = 0; i < CLOPT_MOST_GUESTS; i++)
        if (relay->guests[i].channel)
            clopt_process_kill(&relay->guests[i].process);
    for (size_t i = 0; i < CLOPT_MOST_GUESTS; i++)
        if (relay->guests[i].channel)
            clopt_process_fini(&relay->guests[i].process);
    CLOPT_FREED char *files = clopt_cache_folder("files");
    if (files)
        clopt_cache_prune(files, MOST_FILE_BYTES);
    if (relay->builds)
        clopt_cache_prune(relay->builds, MOST_BUILD_BYTES);
    if (relay->scratch.path && chdir("/") == 0)
        clopt_temporary_fini(&relay->scratch);
    clopt_stream_fini(&relay->stream);
    clopt_text_fini(&relay->kernel_path);
    json_decref(relay->setup);
    free(relay->root);
    free(relay->builds);
    free(relay->driver_cache);
    free(relay);
}

enum clopt_status clopt_relay_serve(const struct clopt_process_settings *settings,
                                    struct clopt_error *error)
{
    struct relay *relay = clopt_calloc(1, sizeof *relay);
    relay->settings = *settings;
    relay->error = error;
    for (size_t i = 0; i < CLOPT_MOST_GUESTS; i++)
        relay->guests[i].process.file = relay->guests[i].process.notes = -1;
    int out = fcntl(1, F_DUPFD_CLOEXEC, 3);
    if (out < 0 || dup2(2, 1) < 0) /* nothing else is to speak on that */
        clopt_fail(error, CLOPT_FAILED, "standard output: %s", strerror(errno));
    else if (!clopt_temporary_create(&relay->scratch, error)) {
        clopt_stream_open(&relay->stream, 0, out, CLOPT_MOST_FRAME_BYTES);
        say_who(relay);
        clopt_stream_keep_alive(&relay->stream);
        serve(relay);
    }
    enum clopt_status status = error->status;
    relay_fini(relay);
    return status;
}
