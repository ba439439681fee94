/* SPDX-License-Identifier: BSD-3-Clause */
/* A store in a folder of its own, which the tests of a program share. */
#ifndef CLOPT_TESTS_STORE_FIXTURE_H
#define CLOPT_TESTS_STORE_FIXTURE_H

#include "store/store.h"

extern char store_folder[];
extern char store_path[64];

/* Setups of cmocka: make the folder, empty it, and remove it. */
int make_folder(void **state);
int remove_store(void **state);
int remove_folder(void **state);

/* Opens the store to write, and makes it where it is missing. */
struct clopt_store *open_store(void);

/* Makes a store with a run, a device and a problem (both of them number 1), and one trial. */
struct clopt_store *fill_store(struct clopt_store_trial *trial);

/* Puts samples of lud_internal and of the whole run, a row of two each. */
void put_samples(struct clopt_store *store, int64_t trial, int64_t process, const double *times_ns,
                 size_t count);

/* For clopt_store_read_run(): appends "title config status ended" to the struct clopt_text that
 * `user` is. */
enum clopt_status copy_run(void *user, const struct clopt_store_run *run,
                           struct clopt_error *error);

/* Check the work of kernel k, and the peaks of device 1, whose single precision is unknown. */
void expect_work(struct clopt_store *store, enum clopt_arithmetic arithmetic, double operations,
                 double bytes);
void expect_peaks(struct clopt_store *store, double gbytes, double dual, double integer);

#endif
