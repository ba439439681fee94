/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt serve` keeps: a caller's requests, and the one of them that runs. */
#pragma once

#include "commands/serve/confine.h"
#include "file/folder.h"
#include "text/json.h"
#include "text/text.h"

#define SERVE_MOST_LINE  (4 << 20) /* bytes of a request */
#define SERVE_MOST_CALLS 32        /* that wait */

/* A command that callers may run. */
struct serve_tool {
    const char *name;
    const char *hint; /* for callers, besides what the command says of itself */
};
extern const struct serve_tool serve_tools[]; /* ends with one without a name */

/* What one call may take. */
struct serve_limits {
    int64_t seconds;
    int64_t memory_mib;
};

/* Requests that came in one array, and are answered by one. */
struct serve_batch {
    json_t *answers;
    size_t open; /* calls that are still to be answered; the array itself is one */
};

struct serve_call {
    json_t *id;
    json_t *token; /* for notifications of progress; NULL: none are wanted */
    json_t *arguments;
    const struct serve_tool *tool;
    struct serve_batch *batch; /* NULL: it came alone */
    bool cancelled;
};

struct serve {
    const struct clopt_global_options *global;
    struct serve_reach reach;
    struct serve_limits limits;
    bool speaks_mcp, unconfined;
    struct clopt_temporary temporary;

    struct clopt_text line; /* that is being read */
    bool skips;             /* it is too long: to its end */
    bool initialized;
    bool batches; /* the version of the protocol has them */
    bool closed;  /* nobody reads the answers */

    struct serve_call calls[SERVE_MOST_CALLS]; /* the first one runs */
    size_t call_count;
    pid_t runner; /* 0: none */
    int pipe;     /* from it */
    struct clopt_text result;
    int64_t begun_ns;
};

/* ---- tools ---- */

/* Describes all tools, with schemas made from the options of their commands. */
json_t *serve_list_tools(const struct clopt_global_options *global);
const struct clopt_command *serve_command(const struct clopt_global_options *global,
                                          const struct serve_tool *tool);

/* Turns the arguments of a call into the words of a command line, which end with NULL and are for
 * the caller to free; writes sources that are given as text. CLOPT_INVALID: why not. */
enum clopt_status serve_make_words(const struct clopt_global_options *global,
                                   const struct serve_call *call, char ***words, size_t *count,
                                   struct clopt_error *error);

/* Returns what a caller can try next. */
const char *serve_next_step(const struct serve_tool *tool, int code);

/* ---- calls ---- */

/* Runs the call in a child, under the limits, and returns the answer as JSON on a line, for the
 * caller to free. Only for a process of its own, whose output it takes. */
char *serve_run_call(const struct serve *serve, const struct serve_call *call);

/* Makes the result of a call that failed before it could run. */
json_t *serve_failure(const char *message, const char *next);

/* Ends the process of the call with all that it has begun, or is about to begin. */
void serve_end_runner(const struct serve *serve);

/* ---- the protocol ---- */

/* Take the bytes that were read; answer the call that has ended. */
void serve_take_input(struct serve *serve, const char *bytes, size_t length);
void serve_finish_call(struct serve *serve);

/* Gives up the calls that will have no answer, as the caller has gone. */
void serve_drop_calls(struct serve *serve);

/* Tells the caller of the first call that it still runs. */
void serve_report_progress(struct serve *serve);
