/* SPDX-License-Identifier: BSD-3-Clause */
/* Tells by its first bytes what a file is that may hold a recorded space. */
#include "file/file.h"
#include "search/recording.h"

enum clopt_status clopt_recording_read_file(const char *path, json_t **document,
                                            struct clopt_error *error)
{
    static const char sqlite[] = "SQLite format 3", gzip[] = "\x1f\x8b";
    char begin[sizeof sqlite] = "";
    FILE *stream = NULL;
    CLOPT_FREED char *text = NULL;
    json_error_t mistake;
    *document = NULL;
    CLOPT_TRY(clopt_file_open(path, &stream, error));
    size_t size = fread(begin, 1, sizeof begin, stream);
    fclose(stream);
    if (size == sizeof sqlite && memcmp(begin, sqlite, sizeof sqlite) == 0)
        return CLOPT_OK;
    if (memcmp(begin, gzip, sizeof gzip - 1) == 0)
        return clopt_fail(error, CLOPT_INVALID, "%s: it is compressed: unpack it with gunzip first",
                          path);
    CLOPT_TRY(clopt_text_read(path, &text, error));
    if (!(*document = json_loads(text, JSON_REJECT_DUPLICATES, &mistake)))
        return clopt_fail(error, CLOPT_INVALID, "%s:%d: this is not JSON: %s", path, mistake.line,
                          mistake.text);
    return CLOPT_OK;
}
