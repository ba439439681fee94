/* SPDX-License-Identifier: BSD-3-Clause */
/* The clopt program: all of it is in libclopt. */
#include "main/command.h"

int main(int argc, char **argv)
{
    return clopt_main(argc, argv);
}
