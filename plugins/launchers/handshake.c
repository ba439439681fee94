/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said until a host is ready. */
#include "launchers/handshake.h"

#include <config.h>

#include "file/file.h"

#define MOST_VERSION    40 /* characters of one that are printed */
#define MOST_PROCESSORS (1 << 20)

/* The files of the study, which the host may want. */
static const json_t *files_of(const struct clopt_host *host)
{
    return json_object_get(host->link->setup->json, "files");
}

void clopt_handshake_begin(struct clopt_host *host)
{
    host->link->known = false;
    host->link->file_bytes = 0;
    free(host->link->wants);
    host->link->wants =
        clopt_calloc(json_array_size(files_of(host)) + 1, sizeof *host->link->wants);
}

enum clopt_status clopt_handshake_identity(struct clopt_host *host, const json_t *json,
                                           struct clopt_error *fault)
{
    const char *version = json_string_value(json_object_get(json, "version"));
    json_int_t abi = json_integer_value(json_object_get(json, "abi"));
    json_int_t processors = json_integer_value(json_object_get(json, "processors"));
    if (host->link->known || !json_is_object(json) || processors < 1 ||
        processors > MOST_PROCESSORS)
        return clopt_fail(fault, CLOPT_FAILED, "is lost: it does not say once what it is");
    host->link->known = true;
    host->processors = (size_t)processors;
    host->memory_bytes = (uint64_t)json_integer_value(json_object_get(json, "memory"));
    if (!version || strcmp(version, PACKAGE_VERSION) != 0 || abi != CLOPT_ABI)
        return clopt_fail(fault, CLOPT_INVALID,
                          "has clopt %.*s (ABI %" JSON_INTEGER_FORMAT
                          "), this is clopt %s (ABI %u): install the same version on both",
                          MOST_VERSION, version ? version : "of an unknown version", abi,
                          PACKAGE_VERSION, CLOPT_ABI);
    clopt_stream_put_json(&host->link->stream, CLOPT_FRAME_SETUP, 0,
                          json_incref(host->link->setup->json));
    clopt_stream_keep_alive(&host->link->stream);
    return CLOPT_OK;
}

/* Takes note of the files that are wanted; false: the study has not all of them, or they were. */
static bool note_wanted(struct clopt_host *host, const json_t *numbers)
{
    const json_t *number;
    size_t i;
    json_array_foreach(numbers, i, number)
    {
        json_int_t file = json_is_integer(number) ? json_integer_value(number) : -1;
        if (file < 0 || (size_t)file >= json_array_size(files_of(host)) || host->link->wants[file])
            return false;
        host->link->wants[file] = CLOPT_FILE_WANTED;
    }
    return json_is_array(numbers);
}

enum clopt_status clopt_handshake_wanted(struct clopt_host *host, const json_t *json,
                                         struct clopt_error *fault)
{
    const json_t *numbers = json_object_get(json, "files");
    const char *builds = json_string_value(json_object_get(json, "builds"));
    if (!host->link->known || host->state != CLOPT_HOST_STARTING || !note_wanted(host, numbers))
        return clopt_fail(fault, CLOPT_FAILED,
                          "is lost: it asks for files that the study has not, or twice for one");
    if (json_array_size(numbers))
        return CLOPT_OK;
    free(host->builds);
    host->builds = builds ? clopt_strdup(builds) : NULL;
    host->state = CLOPT_HOST_READY;
    return CLOPT_OK;
}

enum clopt_status clopt_handshake_send(struct clopt_host *host, struct clopt_error *fault)
{
    size_t count = json_array_size(files_of(host)), number = 0;
    while (number < count && host->link->wants[number] != CLOPT_FILE_WANTED)
        number++;
    if (number == count || clopt_stream_is_full(&host->link->stream))
        return CLOPT_OK;
    const json_t *file = json_array_get(files_of(host), number);
    const char *path = json_string_value(json_array_get(file, 0));
    CLOPT_FREED char *data = NULL;
    size_t size = 0;
    host->link->wants[number] = CLOPT_FILE_SENT;
    if (!path || clopt_file_read(path, CLOPT_MOST_TRAVELLING, &data, &size, NULL))
        return clopt_fail(fault, CLOPT_INVALID,
                          "wants a file that cannot be read any more: start again");
    host->link->file_bytes += size;
    clopt_stream_put(&host->link->stream, CLOPT_FRAME_FILE, (uint32_t)number, data, size);
    return CLOPT_OK;
}
