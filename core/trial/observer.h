/* SPDX-License-Identifier: BSD-3-Clause */
/* A kind of extensions: observers look at a variant once it is made and once it is built, or run it
 * in their own way, with kernels that they have rewritten. */
#pragma once

#include "trial/variant.h"

struct clopt_asked_launch;

/* What there is to look at. */
struct clopt_observed {
    const struct clopt_trial *trial;
    const struct clopt_app_source *source;
    struct clopt_variant *variant; /* an observer may count its changed lines */
    bool initial;                  /* the initial code, for the first time in a run */
};

/* Each of its functions may be NULL. */
struct clopt_observer {
    /* Add what is to be kept of a variant to the worker's answer (worker/worker.h). */
    void (*made)(const struct clopt_observed *observed, json_t *answer);
    void (*built)(const struct clopt_observed *observed, json_t *answer);

    /* Fails where it can neither run a variant nor count here, and says what to do; `verifies`: the
     * study names it for that. */
    enum clopt_status (*usable)(bool verifies, struct clopt_error *error);

    /* Looks for what was wrong in the first launch of a variant, however that has ended:
     * CLOPT_WRONG_RESULT says what. */
    enum clopt_status (*launched)(struct clopt_error *finding);

    /* Adds what a request asks for beside its stages of a variant that is built, as far as this
     * observer knows what that is. */
    enum clopt_status (*report)(struct clopt_session *session, const json_t *request,
                                json_t *answer);

    /* Runs the variant of a session. Puts itself in as the session's observer, and reports
     * {"findings": [{"kernel", "line", "kind", "message"}, ...], ...}, a new reference. `settings`
     * (NULL: by default) are its own. */
    enum clopt_status (*run)(struct clopt_session *session, const json_t *settings,
                             json_t **report);
    const char *manner; /* how findings say that it did: "under Oclgrind" ["checked"] */

    bool counts; /* asked for "count", it reports what the launches of that trial execute, as
                  * "counters": [[kernel, name, value, unit, source], ...], the source beginning
                  * with its name */

    /* Called for a session whose observer it is: before the first launch of a kernel, which it
     * builds (NULL: it is built); before each launch, for the arguments after those of the variant,
     * and for a smaller range; before the app writes to a buffer; and at the end. */
    enum clopt_status (*build)(struct clopt_session *session, unsigned kernel);
    enum clopt_status (*launch)(struct clopt_session *session,
                                const struct clopt_asked_launch *launch,
                                struct clopt_ndrange *range);
    enum clopt_status (*write)(struct clopt_session *session, unsigned buffer, size_t offset,
                               size_t bytes, const void *source);
    void (*end)(struct clopt_session *session);
};
