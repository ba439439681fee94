/* SPDX-License-Identifier: BSD-3-Clause */
/* Feeds arbitrary bytes to the reader of T1 tuning files: what it accepts is sections that an INI
 * could have. */
#include "readers/readers.h"
#include "study/ini.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check_setting(const struct clopt_ini_setting *setting)
{
    require(*setting->key && *setting->value && *setting->value != ';');
    require(strlen(setting->key) + strlen(setting->value) < 200);
    require(!strpbrk(setting->value, "\n\r") && !strstr(setting->value, " ;"));
    require(strncmp(setting->origin, "fuzz: ", 6) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct clopt_ini ini = {0};
    struct clopt_error error = {0};
    json_auto_t *document = json_loadb((const char *)data, size, JSON_REJECT_DUPLICATES, NULL);
    if (!document)
        return 0;
    enum clopt_status status = clopt_reader_t1.study(document, "fuzz", "folder/", &ini, &error);
    require(status == error.status && (status == CLOPT_OK) == (error.message[0] == '\0'));
    for (size_t i = 0; i < ini.count && status == CLOPT_OK; i++) {
        require(*ini.sections[i].name && strlen(ini.sections[i].name) < 50);
        for (size_t j = 0; j < ini.sections[i].count; j++)
            check_setting(&ini.sections[i].settings[j]);
    }
    clopt_ini_fini(&ini);
    return 0;
}
