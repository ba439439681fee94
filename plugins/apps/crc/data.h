/* SPDX-License-Identifier: BSD-3-Clause */
/* The bytes that crc checks: made from a seed, or read from a file. */
#pragma once

#include <clopt/clopt.h>

/* The kernels count bytes in 32 bits, and work-items up to whole work-groups. */
#define CRC_MOST_BYTES 4000000000

/* Makes or reads the bytes of a problem, for the caller to free, where that fails, too. An empty
 * file gives no bytes, in memory that is there nevertheless. */
enum clopt_status crc_data_create(const struct clopt_problem *problem, uint8_t **data, size_t *size,
                                  struct clopt_error *error);
