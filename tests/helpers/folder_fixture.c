/* SPDX-License-Identifier: BSD-3-Clause */
/* A folder of its own, in which the tests of a program work. */
#include "folder_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "unit.XXXXXX";

int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

int leave_folder(void **state)
{
    (void)state;
    if (chdir(".."))
        return -1;
    char command[32];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

void write_file(const char *path, const char *content, size_t size)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(content, 1, size, file), size);
    fclose(file);
}
