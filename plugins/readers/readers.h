/* SPDX-License-Identifier: BSD-3-Clause */
/* The readers that ship. */
#pragma once

#include "search/reader.h"
#include "study/schema.h"

extern const struct clopt_reader clopt_reader_kernel_tuner, clopt_reader_space, clopt_reader_t1,
    clopt_reader_t4;
extern const struct clopt_study_section clopt_section_published;
