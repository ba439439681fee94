/* SPDX-License-Identifier: BSD-3-Clause */
/* Another host, on which workers of this supervisor run. */
#include "launchers/host.h"

#include <config.h>
#include <fcntl.h>
#include <math.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "file/file.h"
#include "launchers/handshake.h"
#include "process/clock.h"

#define LEAST_RATE    1e6        /* bytes a second, at which the study's files travel at least */
#define ENDING_NS     2000000000 /* in which launchers end by themselves */
#define LONGEST_S     60         /* between two attempts */
#define MOST_FAILURES 12         /* in a row: some six minutes */
#define NOT_FOUND     127
#define MOST_WORDS    300
#define SILENT_NS     2000000000          /* hosts say once a second that they live */
#define MOST_FRAME    ((uint32_t)1 << 20) /* bytes: relays send no longer ones */

static void notice(const struct clopt_host *host, const char *what)
{
    if (host->link->setup->notices)
        clopt_text_print(host->link->setup->notices, "clopt: host %s %s\n", host->name, what);
}

/* ---- the launcher ---- */

/* The line for the shell. In a launcher %h is the host; one without it gets the host as its last
 * word. */
static char *command_line(const struct clopt_study_host *wanted)
{
    struct clopt_text line = {0};
    const char *at = wanted->launcher, *next;
    clopt_text_append(&line, "exec ");
    for (; (next = strstr(at, "%h")); at = next + 2) {
        clopt_text_append_bytes(&line, at, (size_t)(next - at));
        clopt_text_append(&line, wanted->name);
    }
    clopt_text_printf(&line, "%s %s worker", at, wanted->program);
    return clopt_text_take(&line);
}

/* Is the launcher. Runs between fork and exec. */
static _Noreturn void become_launcher(const struct clopt_host *host, const char *line, int end,
                                      pid_t parent)
{
    setsid(); /* ctrl-C is the supervisor's */
    clopt_child_attach(parent);
    int errors = open(host->link->errors, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (errors >= 0 && dup2(end, 0) >= 0 && dup2(end, 1) >= 0 && dup2(errors, 2) >= 0)
        execl("/bin/sh", "sh", "-c", line, (char *)NULL);
    _exit(1);
}

static void start(struct clopt_host *host)
{
    int ends[2] = {-1, -1};
    pid_t own = getpid();
    CLOPT_FREED char *line = command_line(host->link->wanted);
    free(host->link->errors);
    host->link->errors = clopt_text_format("%s/host-%s", host->link->setup->errors, host->name);
    host->state = CLOPT_HOST_STARTING;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0 &&
        (host->link->launcher = fork()) == 0)
        become_launcher(host, line, ends[1], own);
    if (ends[1] >= 0)
        close(ends[1]);
    host->link->file = ends[0];
    clopt_stream_open(&host->link->stream, host->link->file, host->link->file, MOST_FRAME);
    host->link->stream.ended = host->link->launcher <= 0;
    clopt_handshake_begin(host);
}

void clopt_host_hang_up(struct clopt_host *host)
{
    clopt_stream_rest(&host->link->stream);
    if (host->link->file >= 0) {
        close(host->link->file);
        host->link->hung_up_ns = clopt_now_ns();
    }
    host->link->file = -1;
}

/* Ends the launcher, and returns its wait status. What it has started ends as it loses its input.
 */
static int end_launcher(struct clopt_host *host, bool now)
{
    int status = 0;
    clopt_host_hang_up(host);
    while (host->link->launcher > 0 && waitpid(host->link->launcher, &status, WNOHANG) == 0) {
        if (now || clopt_now_ns() - host->link->hung_up_ns > ENDING_NS)
            kill(-host->link->launcher, SIGKILL);
        usleep(1000);
    }
    host->link->launcher = 0;
    clopt_stream_fini(&host->link->stream);
    return status;
}

/* Appends the last line that a launcher has printed. */
static void append_words(const struct clopt_host *host, struct clopt_text *text)
{
    CLOPT_FREED char *words = NULL;
    size_t size = 0;
    if (!host->link->errors || clopt_file_read(host->link->errors, 1 << 20, &words, &size, NULL))
        return;
    char *last = words;
    for (char *line = strtok(words, "\r\n"); line; line = strtok(NULL, "\r\n"))
        last = *line ? line : last;
    if (last && *last)
        clopt_text_printf(text, ": %.*s", MOST_WORDS, last);
}

/* ---- its loss ---- */

/* Takes note that the host is away: its workers are lost with it, and it is asked back later. */
static void lose(struct clopt_host *host, const char *reason)
{
    CLOPT_OWNED(clopt_text) text = {0};
    bool was_ready = host->state == CLOPT_HOST_READY, refused = host->state == CLOPT_HOST_REFUSED;
    int status = end_launcher(host, strcmp(reason, "") != 0);
    bool none = WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND && !was_ready;
    double delay_s = fmin(ldexp(1, (int)host->link->failures), LONGEST_S);
    if (none)
        clopt_text_printf(&text,
                          "has no program %s: install clopt %s there, or name it in [host %s]: "
                          "program = /path/clopt",
                          host->link->wanted->program, PACKAGE_VERSION, host->name);
    else if (*reason)
        clopt_text_append(&text, reason);
    else if (WIFSIGNALED(status))
        clopt_text_printf(&text, "is lost: %s was ended by signal %d", host->link->wanted->launcher,
                          WTERMSIG(status));
    else
        clopt_text_printf(&text, "is lost: %s ended with exit code %d",
                          host->link->wanted->launcher, WEXITSTATUS(status));
    if (!refused && !was_ready)
        append_words(host, &text);
    refused |= none || ++host->link->failures == MOST_FAILURES;
    host->state = refused ? CLOPT_HOST_REFUSED : CLOPT_HOST_AWAY;
    host->link->next_ns = clopt_now_ns() + (int64_t)(delay_s * 1e9);
    clopt_fail(&host->why, none ? CLOPT_INVALID : CLOPT_FAILED, "host %s %s", host->name,
               clopt_text_string(&text));
    clopt_text_printf(&text, refused ? ": it is not asked back" : ": it is asked again in %.0f s",
                      delay_s);
    notice(host, clopt_text_string(&text));
    for (size_t i = 0; i < host->link->process_count; i++) {
        struct clopt_distant *distant = &host->link->processes[i]->distant;
        distant->exited = distant->lost = distant->heard = true;
    }
}

/* Refuses a host for good. */
static void refuse(struct clopt_host *host, const char *reason)
{
    host->state = CLOPT_HOST_REFUSED;
    lose(host, reason);
    host->why.status = CLOPT_INVALID;
}

void clopt_host_leave_out(struct clopt_host *host, const char *reason)
{
    CLOPT_FREED char *text = clopt_text_format("is left out: %s", reason);
    enum clopt_status status = host->why.status;
    refuse(host, text);
    host->why.status = status ? status : CLOPT_FAILED;
}

/* ---- what comes from there ---- */

/* Goes on where a host has kept to the protocol; loses, or refuses it, otherwise. */
static void go_on(struct clopt_host *host, const struct clopt_error *fault)
{
    if (fault->status == CLOPT_INVALID)
        refuse(host, fault->message);
    else if (fault->status)
        lose(host, fault->message);
}

static void take_identity(struct clopt_host *host, const json_t *json)
{
    struct clopt_error fault = {0};
    clopt_handshake_identity(host, json, &fault);
    go_on(host, &fault);
}

static void take_wanted(struct clopt_host *host, const json_t *json)
{
    struct clopt_error fault = {0};
    bool is_back = !clopt_handshake_wanted(host, json, &fault) && host->state == CLOPT_HOST_READY &&
                   host->link->failures;
    go_on(host, &fault);
    if (is_back)
        notice(host, "is back");
}

static struct clopt_process *find_process(const struct clopt_host *host, uint32_t channel)
{
    for (size_t i = 0; i < host->link->process_count; i++)
        if (host->link->processes[i]->distant.channel == channel)
            return host->link->processes[i];
    return NULL;
}

static void take_exit(struct clopt_distant *distant, const json_t *json)
{
    const char *words = json_string_value(json_object_get(json, "words"));
    free(distant->words);
    distant->words = words ? clopt_text_format("%.*s", MOST_WORDS, words) : NULL;
    distant->wait_status = (int)json_integer_value(json_object_get(json, "status"));
    distant->exited = distant->heard = true;
}

/* Takes bytes of a worker's answer, or of its notes, which nobody has read yet. */
static void take_bytes(struct clopt_host *host, struct clopt_process *process,
                       const struct clopt_frame *frame)
{
    struct clopt_message_reader *reader =
        frame->kind == CLOPT_FRAME_NOTES ? &process->note_reader : &process->reader;
    if (!process->busy) /* it was killed meanwhile, or says what nobody has asked */
        return;
    host->link->failures = 0;
    if (clopt_message_reader_put(reader, frame->data, frame->length))
        process->distant.heard = true;
    else
        lose(host, "is lost: it sends more than the answer to one request has");
}

/* Takes time off what a worker's request and its stage have taken by now. */
static void excuse(struct clopt_process *process, int64_t lost_ns)
{
    if (process->clock.paused_since_ns)
        return;
    process->clock.stage_began_ns += lost_ns;
    process->clock.request_began_ns += lost_ns;
}

/* What a worker waited there for processors is not its time, if that is not more than it can be. */
static void take_usage(struct clopt_process *process, const json_t *json)
{
    struct clopt_distant *distant = &process->distant;
    int64_t now_ns = clopt_now_ns(), passed_ns = distant->usage_ns ? now_ns - distant->usage_ns : 0;
    double lost_ns = json_number_value(json_object_get(json, "lost")) * 1e9;
    distant->memory = (uint64_t)json_integer_value(json_object_get(json, "memory"));
    distant->printed = (uint64_t)json_integer_value(json_object_get(json, "printed"));
    distant->usage_ns = now_ns;
    excuse(process, (int64_t)fmin(fmax(lost_ns, 0), CLOPT_MOST_LOST * (double)passed_ns));
}

/* Takes a frame; returns whether a worker has said something, or the host has become ready. */
static bool take(struct clopt_host *host, const struct clopt_frame *frame)
{
    struct clopt_process *process = find_process(host, frame->channel);
    bool raw = frame->kind == CLOPT_FRAME_ANSWER || frame->kind == CLOPT_FRAME_NOTES;
    json_auto_t *json = raw ? NULL : json_loadb(frame->data, frame->length, 0, NULL);
    switch (frame->kind) {
    case CLOPT_FRAME_IDENTITY:
        take_identity(host, json);
        return true;
    case CLOPT_FRAME_WANTED:
        take_wanted(host, json);
        return true;
    case CLOPT_FRAME_ANSWER:
    case CLOPT_FRAME_NOTES:
        if (process)
            take_bytes(host, process, frame);
        return frame->kind == CLOPT_FRAME_ANSWER;
    case CLOPT_FRAME_USAGE:
        if (process)
            take_usage(process, json);
        return false;
    case CLOPT_FRAME_EXIT:
        if (process)
            take_exit(&process->distant, json);
        return true;
    default:
        return false;
    }
}

/* Loses a host that has hung up, has said nothing for long, or does not become ready. */
static bool judge(struct clopt_host *host)
{
    double start_s = host->link->wanted->start_s;
    double most_s = start_s + (double)host->link->file_bytes / LEAST_RATE;
    CLOPT_FREED char *reason = NULL;
    if (host->link->stream.ended)
        reason = clopt_strdup("");
    else if (host->state == CLOPT_HOST_STARTING &&
             (double)host->link->stream.age_ns * 1e-9 > most_s)
        reason = clopt_text_format("did not come: it was not ready %g s after its launcher was "
                                   "started ([host %s] start)",
                                   start_s, host->name);
    else if (host->link->stream.greeted && clopt_stream_is_silent(&host->link->stream))
        reason =
            clopt_text_format("is lost: it has said nothing for %g s", clopt_stream_patience_s());
    if (reason)
        lose(host, reason);
    return reason != NULL;
}

/* Exchanges what there is. What a host's silence lasts is not the time of its workers: the host
 * is lost then, and their limits say nothing. */
static void exchange(struct clopt_link *link)
{
    int64_t silent_ns = link->stream.silent_ns;
    clopt_stream_exchange(&link->stream);
    silent_ns = link->stream.silent_ns - silent_ns;
    for (size_t i = 0; link->stream.silent_ns > SILENT_NS && i < link->process_count; i++)
        excuse(link->processes[i], silent_ns);
}

bool clopt_host_advance(struct clopt_host *host)
{
    struct clopt_frame frame;
    bool changed = false;
    if (host->state == CLOPT_HOST_REFUSED ||
        (host->state == CLOPT_HOST_AWAY && clopt_now_ns() < host->link->next_ns))
        return false;
    if (host->state == CLOPT_HOST_AWAY)
        start(host);
    if (host->state == CLOPT_HOST_STARTING) {
        struct clopt_error fault = {0};
        clopt_handshake_send(host, &fault);
        go_on(host, &fault);
    }
    if (host->state == CLOPT_HOST_REFUSED)
        return true;
    exchange(host->link);
    while (host->link->launcher > 0 && clopt_stream_take(&host->link->stream, &frame))
        changed |= take(host, &frame);
    if (host->link->launcher <= 0 && host->state != CLOPT_HOST_STARTING)
        return true;
    return judge(host) || changed;
}

struct pollfd clopt_host_awaits(const struct clopt_host *host)
{
    struct clopt_link *link = host->link;
    return (struct pollfd){link->file, POLLIN | (clopt_stream_is_full(&link->stream) ? POLLOUT : 0),
                           0};
}

void clopt_host_fini(struct clopt_host *host)
{
    struct clopt_link *link = host->link;
    if (link->launcher > 0)
        end_launcher(host, false);
    free(link->errors);
    free(link->processes);
    free(link->wants);
    free(link);
    free(host->builds);
}

/* ---- its workers ---- */

void clopt_host_start(struct clopt_host *host, struct clopt_process *process,
                      const struct clopt_process_settings *settings)
{
    bool lost = host->state != CLOPT_HOST_READY;
    process->distant = (struct clopt_distant){.host = host,
                                              .channel = ++host->link->channels,
                                              .heard = lost,
                                              .exited = lost,
                                              .lost = lost};
    process->runs = true;
    host->link->processes = clopt_realloc(host->link->processes, host->link->process_count + 1,
                                          sizeof *host->link->processes);
    host->link->processes[host->link->process_count++] = process;
    if (!lost)
        clopt_stream_put_json(&host->link->stream, CLOPT_FRAME_START, process->distant.channel,
                              json_pack("{s:b,s:b,s:i}", "pin", settings->pin, "unpin",
                                        settings->unpin, "cache", (int)settings->cache));
}

enum clopt_status clopt_host_request(struct clopt_process *process, json_t *request,
                                     struct clopt_error *error)
{
    struct clopt_host *host = process->distant.host;
    CLOPT_OWNED(clopt_text) text = {0};
    process->distant.printed = 0;
    CLOPT_TRY(clopt_message_write(request, &text, error));
    if (process->distant.exited)
        return clopt_fail(error, CLOPT_INTERRUPTED, "%s", host->why.message);
    clopt_stream_put(&host->link->stream, CLOPT_FRAME_REQUEST, process->distant.channel, text.data,
                     text.length);
    return CLOPT_OK;
}

void clopt_host_order(const struct clopt_process *process, enum clopt_order order)
{
    static const enum clopt_frame_kind kinds[] = {[CLOPT_ORDER_PAUSE] = CLOPT_FRAME_PAUSE,
                                                  [CLOPT_ORDER_RESUME] = CLOPT_FRAME_RESUME,
                                                  [CLOPT_ORDER_KILL] = CLOPT_FRAME_KILL};
    struct clopt_host *host = process->distant.host;
    if (host->state == CLOPT_HOST_READY && !process->distant.exited)
        clopt_stream_put(&host->link->stream, kinds[order], process->distant.channel, "", 0);
}

int clopt_host_end(struct clopt_process *process)
{
    struct clopt_host *host = process->distant.host;
    struct clopt_link *link = host->link;
    if (process->runs && !process->distant.exited && host->state == CLOPT_HOST_READY)
        lose(host, "is lost: a worker there was ended, and has not exited for 5 s");
    for (size_t i = 0; i < link->process_count; i++)
        if (link->processes[i] == process)
            link->processes[i] = link->processes[--link->process_count];
    return process->distant.wait_status;
}
