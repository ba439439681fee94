/* SPDX-License-Identifier: BSD-3-Clause */
/* The readers that ship. */
#pragma once

#include "search/reader.h"

extern const struct clopt_reader clopt_reader_kernel_tuner, clopt_reader_published,
    clopt_reader_space, clopt_reader_t1, clopt_reader_t4;
