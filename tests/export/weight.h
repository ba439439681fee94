// SPDX-License-Identifier: BSD-3-Clause
#define WEIGHT 0.125f
