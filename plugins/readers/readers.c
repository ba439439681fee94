/* SPDX-License-Identifier: BSD-3-Clause */
/* Readers: what others have written down of tuning. */
#include "readers/readers.h"

CLOPT_PLUGIN(CLOPT_EXTENSION(READER, "space", "recorded spaces, as `clopt report --space` prints",
                             &clopt_reader_space),
             CLOPT_EXTENSION(READER, "kernel-tuner", "Kernel Tuner's cache files",
                             &clopt_reader_kernel_tuner),
             CLOPT_EXTENSION(READER, "t1", "T1 tuning files, as studies", &clopt_reader_t1),
             CLOPT_EXTENSION(READER, "t4", "T4 documents of results", &clopt_reader_t4),
             CLOPT_EXTENSION(SECTION, "published", "tables of published times (CSV)",
                             &clopt_section_published));
