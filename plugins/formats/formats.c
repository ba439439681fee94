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
    CLOPT_EXTENSION(FORMAT, "html", "a page with figures, for a browser", &html),
    CLOPT_EXTENSION(FORMAT, "markdown", "Markdown", &markdown),
    CLOPT_EXTENSION(FORMAT, "latex", "tables to \\input in LaTeX", &latex),
    CLOPT_EXTENSION(FORMAT, "csv", "a line for each result", &csv),
    CLOPT_EXTENSION(FORMAT, "json", "JSON, for programs", &json),
    CLOPT_EXTENSION(FORMAT, "figures", "figures as files in this folder; prints their paths",
                    &figures),
    CLOPT_EXTENSION(FORMAT, "t4",
                    "T4, the auto-tuning community's format, of one device, problem and kernel; "
                    "FOLDER: a file for each, whose paths are printed",
                    &t4),
    CLOPT_EXTENSION(FORMAT, "kernel-tuner", "the same as Kernel Tuner's cache files",
                    &kernel_tuner),
    CLOPT_EXTENSION(FORMAT, "space", "the same as recorded spaces, of which `clopt advise` learns",
                    &space));
