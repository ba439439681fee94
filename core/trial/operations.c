/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the operations of plugins, for values that mean something beside each other. */
#include "trial/trial.h"

enum clopt_status clopt_step_check(const struct clopt_transform *transform,
                                   const struct clopt_step *step, struct clopt_error *error)
{
    const struct clopt_optimization *optimization = step->optimization->extension->optimization;
    if (clopt_values_check_meaning(optimization->parameters, step->values, error)) {
        if (error)
            error->status = CLOPT_INFEASIBLE;
        return CLOPT_INFEASIBLE;
    }
    return optimization->check ? optimization->check(transform, step->values, error) : CLOPT_OK;
}

enum clopt_status clopt_step_apply(struct clopt_transform *transform, const struct clopt_step *step,
                                   struct clopt_error *error)
{
    if (!clopt_step_rewrites(step))
        return CLOPT_OK;
    return step->optimization->extension->optimization->apply(transform, step->values, error);
}

enum clopt_status clopt_trial_describe(const struct clopt_trial *trial,
                                       const struct clopt_values *knobs,
                                       const struct clopt_kernel *kernel,
                                       struct clopt_kernel_work *work, struct clopt_error *error)
{
    const struct clopt_app *app = trial->app->extension->app;
    *work = (struct clopt_kernel_work){0};
    CLOPT_TRY(clopt_values_check_meaning(app->inputs, trial->inputs, error));
    struct clopt_problem problem = clopt_problem_of(trial->app, trial->inputs, trial->seed);
    problem.knobs = knobs;
    problem.parameters = trial->parameters;
    return app->describe(&problem, NULL, kernel, work, error);
}
