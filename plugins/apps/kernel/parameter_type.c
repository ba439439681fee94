/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the types of a kernel's parameters. */
#include "parameter_type.h"

#include <stdio.h>
#include <string.h>

#include "type.h"

/* Writes the name of a parameter's type, or of what it points to, as the source has it. */
static void source_type_name(const struct clopt_variable *variable, char *name, size_t size)
{
    static const char *const dropped[] = {
        "const",   "volatile",  "restrict", "__restrict",  "__global",     "__constant",
        "__local", "__private", "struct",   "__read_only", "__write_only", "__read_write"};
    bool is_unsigned = false;
    name[0] = '\0';
    for (const char *at = variable->type; *at;) {
        size_t length = strcspn(at, " *");
        bool drop = length == 0;
        for (size_t i = 0; i < sizeof dropped / sizeof *dropped; i++)
            drop |= strlen(dropped[i]) == length && strncmp(at, dropped[i], length) == 0;
        if (!drop && length == 8 && strncmp(at, "unsigned", 8) == 0)
            is_unsigned = drop = true;
        if (!drop)
            snprintf(name, size, "%.*s", (int)length, at);
        at += length + strspn(at + length, " *");
    }
    if (!is_unsigned)
        return;
    char plain[48];
    snprintf(plain, sizeof plain, "%.40s", name[0] ? name : "int");
    snprintf(name, size, "u%s", plain);
}

/* Writes the name of a parameter's type, or of what it points to, as OpenCL C has it: what a
 * typedef means. */
void kernel_parameter_type_name(const struct clopt_variable *variable, char *name, size_t size)
{
    struct kernel_type type;
    bool points = variable->is_pointer;
    enum clopt_scalar scalar = points ? variable->pointee_scalar : variable->scalar;
    unsigned width = points ? variable->pointee_width : variable->width;
    source_type_name(variable, name, size);
    if (kernel_type_named(name, &type) || scalar == CLOPT_SCALAR_NONE)
        return;
    snprintf(name, size, "%s", clopt_scalar_name(scalar));
    if (width > 1)
        snprintf(name, size, "%s%u", clopt_scalar_name(scalar), width);
}
