/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds arbitrary bytes to the reader of .npy files: what it accepts is written, and read again. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "npy.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_again(const struct kernel_npy *array, const void *numbers)
{
    char *text = NULL;
    size_t length = 0;
    struct kernel_npy again;
    void *same;
    FILE *stream = open_memstream(&text, &length);
    kernel_npy_write(stream, array, numbers);
    fclose(stream);
    stream = fmemopen(text, length, "r");
    require(kernel_npy_read(stream, "fuzz", &again, &same, NULL) == CLOPT_OK);
    fclose(stream);
    require(kernel_npy_bytes(&again) == kernel_npy_bytes(array));
    require(memcmp(same, numbers, kernel_npy_bytes(array)) == 0);
    free(same);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct kernel_npy array;
    struct clopt_error error = {0};
    void *numbers;
    FILE *stream = size ? fmemopen((void *)data, size, "r") : NULL;
    if (!stream)
        return 0;
    enum clopt_status status = kernel_npy_read(stream, "fuzz", &array, &numbers, &error);
    fclose(stream);
    require(status == error.status && (status == CLOPT_OK) == (numbers != NULL));
    require((status == CLOPT_OK) == (error.message[0] == '\0'));
    if (status == CLOPT_OK) {
        require(kernel_npy_bytes(&array) <= size);
        check_again(&array, numbers);
    }
    free(numbers);
    return 0;
}
