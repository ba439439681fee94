/* SPDX-License-Identifier: BSD-3-Clause */
/* Lets gnuplot draw a figure. */
#include "base/program.h"
#include "figure/figure.h"

enum clopt_status clopt_figure_draw(const struct clopt_figure *figure, const char *gnuplot,
                                    enum clopt_figure_format format, const char *title,
                                    struct clopt_text *output, struct clopt_error *error)
{
    /* -d: what the user has set for figures of their own is not asked for. */
    char *const argv[] = {"gnuplot", "-d", NULL};
    struct clopt_text script = {0};
    enum clopt_status status = clopt_figure_script(figure, format, title, &script, error);
    if (!status)
        status = clopt_program_run(gnuplot, argv, clopt_text_string(&script), output, error);
    clopt_text_fini(&script);
    return status;
}
