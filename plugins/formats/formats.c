/* SPDX-License-Identifier: BSD-3-Clause */
/* Formats that documents are written in, and those of other tuners. */
#include "formats/formats.h"

static const struct clopt_format text = {.standard = true, .write = clopt_write_text},
                                 html = {.draws = true, .write = clopt_write_html},
                                 markdown = {.write = clopt_write_markdown},
                                 latex = {.write = clopt_write_latex},
                                 csv = {.for_programs = true, .write = clopt_write_csv},
                                 json = {.for_programs = true, .write = clopt_write_json},
                                 figures = {.value = "FOLDER",
                                            .draws = true,
                                            .in_folder = true,
                                            .write = clopt_write_figures},
                                 t4 = {.exchange = &clopt_exchange_t4},
                                 kernel_tuner = {.exchange = &clopt_exchange_kernel_tuner},
                                 space = {.exchange = &clopt_exchange_space};

CLOPT_PLUGIN(
    CLOPT_EXTENSION(FORMAT, "text", "print it as text", &text),
    CLOPT_EXTENSION(FORMAT, "html", "print one page with figures and tables, for a browser", &html),
    CLOPT_EXTENSION(FORMAT, "markdown", "print it as Markdown", &markdown),
    CLOPT_EXTENSION(FORMAT, "latex", "print it for \\input in a LaTeX document", &latex),
    CLOPT_EXTENSION(FORMAT, "csv", "print one line a row of results", &csv),
    CLOPT_EXTENSION(FORMAT, "json", "print the rows of results as JSON", &json),
    CLOPT_EXTENSION(FORMAT, "figures",
                    "draw the results, a file each figure, and print the paths of these files",
                    &figures),
    CLOPT_EXTENSION(FORMAT, "t4",
                    "print results as T4, the format of the auto-tuning community; one file is "
                    "about one device, problem and kernel: with a folder, write all of them there, "
                    "and print their paths",
                    &t4),
    CLOPT_EXTENSION(FORMAT, "kernel-tuner", "the same as --t4, as cache files of Kernel Tuner",
                    &kernel_tuner),
    CLOPT_EXTENSION(FORMAT, "space",
                    "the same as --t4, as recorded spaces, which `clopt advise` learns from",
                    &space));
