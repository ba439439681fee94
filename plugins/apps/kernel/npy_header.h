/* SPDX-License-Identifier: BSD-3-Clause */
/* The header of .npy files: a dictionary as Python writes it. */
#ifndef KERNEL_NPY_HEADER_H
#define KERNEL_NPY_HEADER_H

#include "npy.h"

/* Reads {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. */
enum clopt_status kernel_npy_header_read(const char *text, const char *name,
                                         struct kernel_npy *array, struct clopt_error *error);

#endif
