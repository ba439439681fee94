/* SPDX-License-Identifier: BSD-3-Clause */
/* A store in a folder of its own, which the tests of a program share. */
#pragma once

#include "store/cursor.h"
#include "text/text.h"

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

/* Appends "title config status ended" of the chosen run, if there is one. */
enum clopt_status copy_run(struct clopt_store *store, struct clopt_text *text);

/* Check the work of kernel k, and the peaks of device 1, whose single precision is unknown;
 * operations 0: no work is known. */
void expect_work(struct clopt_store *store, enum clopt_arithmetic arithmetic, double operations,
                 double bytes);
void expect_peaks(struct clopt_store *store, double gbytes, double dual, double integer);
