/* SPDX-License-Identifier: BSD-3-Clause */
/* Launches a variant for the first time, and verifies what it computes. */
#include <string.h>

#include "opencl/findings.h"
#include "worker/reference.h"

/* Launches a variant once, untimed. */
static enum clopt_status launch(struct clopt_session *session, struct clopt_error *error)
{
    struct clopt_stage_clock *clock = &session->workspace->clock;
    enum clopt_status status = clopt_session_make_buffers(session, error);
    if (status)
        return status;
    clopt_stage_begin(clock, CLOPT_STAGE_LAUNCH);
    status = clopt_stage_end(clock, clopt_session_run_poisoned(session, error));
    struct clopt_error finding = {0}; /* says more than the error that it may have led to */
    if (clopt_findings_check(&finding)) {
        *error = finding;
        status = finding.status;
    }
    if (!status && !session->rival)
        clopt_build_note_launch(&session->build, &session->workspace->context,
                                session->deferred_ns);
    return status;
}

/* Launches a variant and takes the digest (NULL: not wanted) of what it computes. */
static enum clopt_status launch_and_digest(struct clopt_session *session, char *digest,
                                           struct clopt_error *error)
{
    enum clopt_status status = launch(session, error);
    if (status || !digest)
        return status;
    clopt_stage_begin(&session->workspace->clock, CLOPT_STAGE_VERIFY);
    return clopt_stage_end(&session->workspace->clock,
                           clopt_session_digest(session, digest, error));
}

enum clopt_status clopt_session_verify(struct clopt_session *session, const char *known,
                                       char *digest, struct clopt_verdict *verdict,
                                       struct clopt_error *error)
{
    struct clopt_stage_clock *clock = &session->workspace->clock;
    enum clopt_status status = known ? launch_and_digest(session, digest, error) : CLOPT_OK;
    if (status)
        return status;
    if (known && strcmp(digest, known) == 0) {
        *verdict = (struct clopt_verdict){.right = true, .text = "the same as was verified before"};
        return CLOPT_OK;
    }
    /* The app has to know what is right before it checks this. */
    if (session->app->defined && session->app->defined->learn) {
        clopt_stage_begin(clock, CLOPT_STAGE_SETUP);
        status = clopt_stage_end(clock, clopt_reference_learn(session, error));
    }
    if (!status)
        status = launch_and_digest(session, digest, error);
    if (status)
        return status;
    clopt_stage_begin(clock, CLOPT_STAGE_VERIFY);
    return clopt_stage_end(clock, clopt_session_check(session, verdict, error));
}
