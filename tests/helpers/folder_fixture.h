/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder of its own, in which the tests of a program work. */
#pragma once

#include <stddef.h>

/* Setups of cmocka: make the folder and change to it, and remove it. */
int enter_folder(void **state);
int leave_folder(void **state);

void write_file(const char *path, const char *content, size_t size);
