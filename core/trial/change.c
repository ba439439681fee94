/* SPDX-License-Identifier: BSD-3-Clause */
/* Says in words what launches of variants must have. */
#include "text/text.h"
#include "trial/transform.h"

#define SYMBOL_SIZE 32

static const char *name_symbol(const void *text, unsigned symbol)
{
    if (symbol < CLOPT_LAUNCH_GLOBAL)
        snprintf((char *)text, SYMBOL_SIZE, "argument %u", symbol - 1);
    else
        snprintf((char *)text, SYMBOL_SIZE, "%s size %u",
                 symbol < CLOPT_LAUNCH_LOCAL ? "global" : "local",
                 (symbol - CLOPT_LAUNCH_GLOBAL) % 4);
    return text;
}

void clopt_form_say(struct clopt_text *text, const struct clopt_affine *form)
{
    char symbol[SYMBOL_SIZE] = "";
    CLOPT_FREED char *printed = clopt_affine_print(form, "*", name_symbol, symbol);
    clopt_text_append(text, printed ? printed : "");
}

void clopt_need_say(struct clopt_text *text, const struct clopt_launch_need *need)
{
    clopt_form_say(text, &need->form);
    if (need->multiple)
        clopt_text_printf(text, " is a multiple of %u", need->multiple);
    else
        clopt_text_append(text, " is 0 or more");
}
