/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt serve` keeps: a caller's requests, and the one of them that runs. */
#pragma once

#include "commands/serve/confine.h"
#include "file/folder.h"
#include "text/json.h"
#include "text/text.h"

struct serve {
    const struct clopt_global_options *global;
    struct serve_reach reach;
    int64_t limit_s, memory_mib;
    bool speaks_mcp, unconfined;
    struct clopt_temporary temporary;

    struct clopt_text line; /* that is being read */
    bool skips;             /* it is too long: to its end */
    bool initialized;
    bool closed; /* the caller reads no answers any more */

    json_t *calls;  /* requests; the first one runs */
    bool cancelled; /* and is not answered */
    pid_t runner;   /* 0: none */
    int pipe;       /* from it */
    struct clopt_text result;
    int64_t begun_ns;
};

/* ---- tools ---- */

/* Describes all tools, with schemas made from the options of their commands. */
json_t *serve_list_tools(const struct clopt_global_options *global);

/* Finds a tool's command; NULL: there is no such tool. */
const struct clopt_command *serve_find_tool(const struct clopt_global_options *global,
                                            const char *name);

/* Turns the arguments of a call into the words of a command line, which end with NULL and are for
 * the caller to free; writes sources that are given as text. CLOPT_INVALID: why not. */
enum clopt_status serve_make_words(const struct clopt_global_options *global,
                                   const struct clopt_command *command, const json_t *arguments,
                                   struct clopt_list *words, struct clopt_error *error);

/* Returns what a caller can try next. */
const char *serve_next_step(const char *tool, int code);

/* ---- calls ---- */

/* Runs the first call in a child, under the limits, and returns the answer as JSON on a line, for
 * the caller to free. Only for a process of its own, whose output it takes. */
char *serve_run_call(const struct serve *serve);

/* Makes the result of a call that failed before it could run. */
json_t *serve_failure(const char *message, const char *next);

/* Ends the process of the call with all that it has begun, or is about to begin. */
void serve_end_runner(const struct serve *serve);

/* ---- the protocol ---- */

/* Take the bytes that were read; answer the call that has ended. */
void serve_take_input(struct serve *serve, const char *bytes, size_t length);
void serve_finish_call(struct serve *serve);

/* Tells the caller of the first call that it still runs. */
void serve_report_progress(struct serve *serve);
