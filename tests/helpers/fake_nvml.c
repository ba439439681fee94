/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for NVIDIA's libnvidia-ml.so.1: the GPU with the UUID that tests/helpers/odd_loader.c tells, which
 * takes 100 W. CLOPT_FAKE_NVML: "still": its counter does not move; "back": it goes back after a
 * while; "none": it has no counter; "other": there is another GPU alone. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORTED __attribute__((visibility("default")))

#define POWER_MW      100000
#define NOT_SUPPORTED 3
#define NOT_FOUND     6
#define BACK_S        0.9 /* then it counts down, a mJ a second */

int nvmlInit_v2(void);
int nvmlShutdown(void);
const char *nvmlErrorString(int code);
int nvmlDeviceGetHandleByUUID(const char *uuid, void **device);
int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *energy_mj);

static struct timespec began;

static int is_to_do(const char *what)
{
    const char *wanted = getenv("CLOPT_FAKE_NVML");
    return wanted && strcmp(wanted, what) == 0;
}

EXPORTED int nvmlInit_v2(void)
{
    return clock_gettime(CLOCK_MONOTONIC, &began);
}

EXPORTED int nvmlShutdown(void)
{
    return 0;
}

EXPORTED const char *nvmlErrorString(int code)
{
    return code == NOT_SUPPORTED ? "Not Supported" : "Not Found";
}

EXPORTED int nvmlDeviceGetHandleByUUID(const char *uuid, void **device)
{
    *device = &began;
    return is_to_do("other") || strcmp(uuid, "GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff") != 0
               ? NOT_FOUND
               : 0;
}

EXPORTED int nvmlDeviceGetTotalEnergyConsumption(void *device, unsigned long long *energy_mj)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double passed_s =
        (double)(now.tv_sec - began.tv_sec) + 1e-9 * (double)(now.tv_nsec - began.tv_nsec);
    *energy_mj = is_to_do("still") ? 7 : 7 + (unsigned long long)(POWER_MW * passed_s);
    if (is_to_do("back") && passed_s > BACK_S)
        *energy_mj = 7 + (passed_s < 50 ? (unsigned long long)(50 - passed_s) : 0);
    return is_to_do("none") || device != &began ? NOT_SUPPORTED : 0;
}
