/* SPDX-License-Identifier: BSD-3-Clause */
/* All that a plugin may include. */
#pragma once

#include <clopt/app.h>
#include <clopt/coarsen.h>
#include <clopt/device.h>
#include <clopt/divergence.h>
#include <clopt/error.h>
#include <clopt/file.h>
#include <clopt/layout.h>
#include <clopt/loop.h>
#include <clopt/memory.h>
#include <clopt/ndrange.h>
#include <clopt/optimization.h>
#include <clopt/plugin.h>
#include <clopt/random.h>
#include <clopt/rewrite.h>
#include <clopt/source.h>
#include <clopt/text.h>
#include <clopt/value.h>
