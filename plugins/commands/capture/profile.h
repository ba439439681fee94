/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernels that an application has launched, by the time that they took. */
#pragma once

#include "commands/capture/application.h"
#include "document/document.h"
#include "file/file.h"

/* A report of these kernels, in any format. */
extern const struct clopt_file_kind clopt_profile_kind;

/* Reports the kernels of an application that has run. */
void clopt_profile_report(const struct clopt_application *application,
                          struct clopt_document *document);

/* Appends sizes as "1024 x 16"; nothing where they were not given. */
void clopt_sizes_print(const uint64_t sizes[3], unsigned dimensions, struct clopt_text *text);

/* Returns the time of all kernels of an application. */
uint64_t clopt_record_total_ns(const struct clopt_record *record);

/* Adds the command that captures a kernel of the application. */
void clopt_profile_advise(const struct clopt_application *application, const char *kernel,
                          struct clopt_document *document);
