/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills errors. */
#include <clopt/error.h>

enum clopt_status clopt_fail(struct clopt_error *error, enum clopt_status status,
                             const char *format, ...)
{
    if (error) {
        char message[sizeof error->message]; /* an argument may be the old message */
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message, sizeof message, format, arguments);
        va_end(arguments);
        memcpy(error->message, message, sizeof message);
        error->status = status;
    }
    return status;
}

enum clopt_status clopt_fail_memory(struct clopt_error *error)
{
    return clopt_fail(error, CLOPT_OUT_OF_RESOURCES, "out of memory");
}

enum clopt_status clopt_fail_within(struct clopt_error *error, const char *format, ...)
{
    if (!error)
        return CLOPT_FAILED;
    enum { ROOM = sizeof error->message };
    char message[2 * ROOM + 2];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, ROOM, format, arguments);
    va_end(arguments);
    size_t length = strlen(message);
    snprintf(message + length, sizeof message - length, ": %s", error->message);
    memcpy(error->message, message, ROOM - 1);
    error->message[ROOM - 1] = '\0';
    return error->status;
}
