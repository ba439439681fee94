/* SPDX-License-Identifier: BSD-3-Clause */
/* What `clopt check` found, for people and programs. */
#ifndef CLOPT_REPORT_FINDINGS_H
#define CLOPT_REPORT_FINDINGS_H

#include "document/document.h"

/* What was found is an array of runs: {"app", "inputs", "variant", "device", "source", "accesses",
 * "skipped", "passes", "findings"}. Both add to each finding the column that it has in its source.
 */
void clopt_findings_report(json_t *runs, struct clopt_document *document);
enum clopt_status clopt_findings_print_sarif(json_t *runs, FILE *stream, struct clopt_error *error);

#endif
