/* SPDX-License-Identifier: BSD-3-Clause */
/* Prints a kernel for merged work-items: what differs between them once for each, the rest once. */
#ifndef GEOMETRY_REPLICATE_H
#define GEOMETRY_REPLICATE_H

#include "replication.h"

/* Puts the body of the kernel. CLOPT_INFEASIBLE where merged work-items cannot wait together. */
enum clopt_status replicate_kernel(struct replication *replication, struct clopt_error *error);

#endif
