/* SPDX-License-Identifier: BSD-3-Clause */
/* The formats that ship. */
#pragma once

#include "document/format.h"
#include "exchange/exchange.h"

extern clopt_document_writer clopt_write_csv, clopt_write_figures, clopt_write_html,
    clopt_write_json, clopt_write_latex, clopt_write_markdown, clopt_write_text;

extern const struct clopt_exchange_format clopt_exchange_kernel_tuner, clopt_exchange_space,
    clopt_exchange_t4;
