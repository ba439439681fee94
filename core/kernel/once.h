/* SPDX-License-Identifier: BSD-3-Clause */
/* Opens what macros put into do { ... } while (0). */
#ifndef CLOPT_KERNEL_ONCE_H
#define CLOPT_KERNEL_ONCE_H

#include <stdbool.h>

/* Makes { ... } of each do { ... } while (0); of a text, which means the same and is no loop,
 * unless something leaves it or it is marked to be unrolled. Lines stay. Returns false when memory
 * runs out. */
bool clopt_once_open(char *text);

#endif
