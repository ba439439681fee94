/* SPDX-License-Identifier: BSD-3-Clause */
/* The statements that unite stores: `main` is the new one, `part` one of those that it is made of,
 * whose path is in the newest row of `temp.source`. */
#pragma once

/* Make the tables that go with the connection. */
extern const char clopt_merge_begin[];

/* Each returns a row, why the part is no store that can be merged, or none; NULL ends the list. */
extern const char *const clopt_merge_checks[];

/* Has the part's devices and trials named after its host, unless shards or it itself say where they
 * are from; and unnames them in the end, if all parts are from one host. */
extern const char clopt_merge_apart[];
extern const char clopt_merge_end[];

/* The same, of why it does not belong to the parts before. */
extern const char *const clopt_merge_matches[];

/* Takes all rows of the part. */
extern const char clopt_merge_take[];

/* Returns a row for each trial that ended otherwise in another part. */
extern const char clopt_merge_conflicts[];

/* Each returns what is still missing of the whole, or no row; NULL ends the list. */
extern const char *const clopt_merge_gaps[];

/* ---- where stores are of any studies, under the names in `temp.source.stem` ---- */

/* Make the part one that can be taken; NULL ends the list. */
extern const char *const clopt_merge_join[];

/* Say which store the rows are from that were taken, and, in the end, what all are called. */
extern const char clopt_merge_origins[];
extern const char clopt_merge_joined[];
