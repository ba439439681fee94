/* SPDX-License-Identifier: BSD-3-Clause */
/* Looks at the file of a shared object before it is mapped. */
#include "plugin/loader.h"

#include <elf.h>
#include <errno.h>
#include <link.h>
#include <sys/stat.h>

#include "file/file.h"

/* A larger one is no plugin. */
#define MOST_OBJECT_BYTES ((uint64_t)1 << 30)

/* Returns where a range of the file ends; UINT64_MAX where that is no number. */
static uint64_t range_end(uint64_t offset, uint64_t bytes)
{
    return bytes > UINT64_MAX - offset ? UINT64_MAX : offset + bytes;
}

/* Returns how many bytes the headers of a shared object say that it has. */
static uint64_t promised_bytes(const char *data, uint64_t size, const ElfW(Ehdr) * header)
{
    uint64_t segments = range_end(header->e_phoff, header->e_phnum * sizeof(ElfW(Phdr)));
    uint64_t most = range_end(header->e_shoff, header->e_shnum * (uint64_t)header->e_shentsize);
    if (segments > most)
        most = segments;
    if (segments > size)
        return most;
    for (unsigned i = 0; i < header->e_phnum; i++) {
        ElfW(Phdr) segment;
        memcpy(&segment, data + header->e_phoff + i * sizeof segment, sizeof segment);
        uint64_t end = range_end(segment.p_offset, segment.p_filesz);
        if (end > most)
            most = end;
    }
    return most;
}

static enum clopt_status check_headers(const char *data, uint64_t size, struct clopt_error *error)
{
    if (size == 0)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "the file is empty");
    if (size < SELFMAG || memcmp(data, ELFMAG, SELFMAG) != 0)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "not a shared object (no ELF header)");
    ElfW(Ehdr) header;
    if (size < sizeof header)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "truncated: %llu bytes, shorter than an ELF header",
                          (unsigned long long)size);
    memcpy(&header, data, sizeof header);
    if (header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "built for another kind of machine");
    if (header.e_type != ET_DYN || header.e_phentsize != sizeof(ElfW(Phdr)))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "not a shared object (link it with -shared)");
    uint64_t promised = promised_bytes(data, size, &header);
    if (promised > size)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE,
                          "truncated: %llu bytes of %llu; build or copy it again",
                          (unsigned long long)size, (unsigned long long)promised);
    return CLOPT_OK;
}

enum clopt_status clopt_object_check(const char *path, char hash[CLOPT_HASH_SIZE],
                                     struct clopt_error *error)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "%s", strerror(errno));
    if (!S_ISREG(about.st_mode))
        return clopt_fail(error, CLOPT_PLUGIN_UNUSABLE, "not a regular file");
    CLOPT_FREED char *data = NULL;
    size_t size = 0;
    CLOPT_TRY(clopt_file_read(path, MOST_OBJECT_BYTES, &data, &size, error));
    CLOPT_TRY(check_headers(data, size, error));
    clopt_sha256_bytes(data, size, hash);
    return CLOPT_OK;
}
