/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a buffer back in bands of rows. */
#include <clopt/app.h>

/* The host memory of a band, if one row is not more. */
#define BAND_BYTES ((size_t)4 << 20)

struct clopt_rows clopt_rows_begin(struct clopt_session *session, unsigned buffer, size_t row_bytes,
                                   size_t count)
{
    size_t most = row_bytes < BAND_BYTES ? BAND_BYTES / row_bytes : 1;
    struct clopt_rows rows = {session, buffer, row_bytes, count,
                              .most = most < count ? most : count};
    rows.data = malloc(rows.most * row_bytes);
    if (!rows.data)
        rows.status = clopt_fail_memory(clopt_session_error(session));
    return rows;
}

enum clopt_status clopt_rows_end(struct clopt_rows *rows)
{
    enum clopt_status status = rows->status;
    free(rows->data);
    *rows = (struct clopt_rows){.data = NULL};
    return status;
}

const void *clopt_rows_find(struct clopt_rows *rows, size_t row)
{
    bool there = row >= rows->from && row - rows->from < rows->read;
    if (!there && !rows->status) {
        /* Reads the band that begins with a row or, where one goes backwards, ends with it. */
        bool backwards = row < rows->from;
        rows->from = row;
        if (backwards)
            rows->from = row + 1 > rows->most ? row + 1 - rows->most : 0;
        rows->read = rows->count - rows->from < rows->most ? rows->count - rows->from : rows->most;
        rows->status = clopt_read(rows->session, rows->buffer, rows->from * rows->row_bytes,
                                  rows->read * rows->row_bytes, rows->data);
    }
    return rows->status ? NULL : rows->data + (row - rows->from) * rows->row_bytes;
}
