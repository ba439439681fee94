/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that .npy files are read and written as NumPy does, and that others are refused. */
#include "npy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct clopt_error error;

/* Reads a file with a header and so many bytes after it; gives the message, or "". */
static const char *read_file(unsigned version, const char *header, size_t bytes,
                             struct kernel_npy *array)
{
    unsigned char file[4096] = {0x93, 'N', 'U', 'M', 'P', 'Y'};
    size_t start = version == 1 ? 10 : 12;
    size_t length = strlen(header);
    void *data;
    file[6] = (unsigned char)version;
    file[8] = (unsigned char)length;
    file[9] = (unsigned char)(length >> 8);
    memcpy(file + start, header, length);
    for (size_t i = 0; i < bytes; i++)
        file[start + length + i] = (unsigned char)i;
    FILE *stream = fmemopen(file, start + length + bytes, "r");
    error = (struct clopt_error){0};
    enum clopt_status status = kernel_npy_read(stream, "a.npy", array, &data, &error);
    fclose(stream);
    assert_int_equal(status, error.status);
    assert_int_equal(status == CLOPT_OK, data != NULL);
    if (data)
        assert_memory_equal(data, file + start + length, bytes);
    free(data);
    return error.message;
}

static const char *refuse(const char *header)
{
    struct kernel_npy array;
    read_file(1, header, 0, &array);
    assert_int_equal(error.status, CLOPT_INVALID);
    return error.message;
}

static void arrays_are_read(void **state)
{
    (void)state;
    struct kernel_npy array;
    char type[KERNEL_NPY_TEXT];
    for (unsigned version = 1; version <= 3; version++) {
        assert_string_equal(
            read_file(version, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }   \n",
                      24, &array),
            "");
        assert_int_equal(array.kind, 'f');
        assert_int_equal(array.scalar_bytes, 4);
        assert_int_equal(array.dimensions, 2);
        assert_int_equal(array.shape[0], 2);
        assert_int_equal(array.shape[1], 3);
        assert_int_equal(kernel_npy_count(&array), 6);
    }
    assert_string_equal(
        read_file(1, "{\"shape\":(5L,),\"descr\":\"|b1\",\"fortran_order\":False}", 5, &array), "");
    assert_int_equal(array.dimensions, 1);
    kernel_npy_print_type(&array, type);
    assert_string_equal(type, "uint8");
    assert_string_equal(
        read_file(1, "{'descr': '<i8', 'fortran_order': False, 'shape': ()}", 8, &array), "");
    assert_int_equal(array.dimensions, 0);
    kernel_npy_print_type(&array, type);
    assert_string_equal(type, "int64");
    assert_string_equal(
        read_file(1, "{'descr': '>u1', 'fortran_order': False, 'shape': (3, 0)}", 0, &array), "");
    kernel_npy_print_type(&array, type);
    assert_string_equal(type, "uint8");
}

static void others_are_refused(void **state)
{
    (void)state;
    assert_string_equal(refuse("{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}"),
                        "a.npy: the elements are >f4, not little-endian; save it with "
                        "astype('<f4')");
    assert_string_equal(refuse("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2)}"),
                        "a.npy: the elements are in Fortran's order; save it with "
                        "numpy.ascontiguousarray()");
    assert_string_equal(refuse("{'descr': '<c8', 'fortran_order': False, 'shape': (2,)}"),
                        "a.npy: elements of type <c8 are not supported; there are b1, i1 to i8, u1 "
                        "to u8 and f2 to f8");
    assert_string_equal(
        refuse("{'descr': '|O', 'fortran_order': False, 'shape': (2,)}"),
        "a.npy: elements of type |O are not supported; there are b1, i1 to i8, u1 to "
        "u8 and f2 to f8");
    assert_string_equal(refuse("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}"),
                        "a.npy: arrays of structures are not supported; save each field by itself");
    assert_string_equal(refuse("{'descr': '<f4', 'fortran_order': False}"),
                        "a.npy: the header lacks descr, fortran_order or shape");
    assert_string_equal(refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}"),
                        "a.npy: the header is not that of a .npy file: {'descr': '<f4', "
                        "'fortran_order': False, 'shape': (2 3)}");
    assert_string_equal(refuse("{'descr': '<f4' 'shape': (2)}"),
                        "a.npy: the header lacks descr, fortran_order or shape");
    assert_string_equal(refuse("{'descr': '<f4', 'descr': '<f4'}"),
                        "a.npy: the header lacks descr, fortran_order or shape");
    assert_string_equal(refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}"),
                        "a.npy: the header is not that of a .npy file: {'descr': '<f4', "
                        "'fortran_order': False, 'shape': (-1,)}");
    assert_string_equal(
        refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"),
        "a.npy: the shape is too large");
    assert_string_equal(
        refuse("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, 4294967296)}"),
        "a.npy: the shape is too large");
    assert_string_equal(refuse("{'descr': '<f4', 'fortran_order': False, 'shape': ()} x"),
                        "a.npy: the header is not that of a .npy file: {'descr': '<f4', "
                        "'fortran_order': False, 'shape': ()} x");
    assert_string_equal(refuse(""), "a.npy: the header is not that of a .npy file: ");
}

static void sizes_must_agree(void **state)
{
    (void)state;
    struct kernel_npy array;
    const char *header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}";
    assert_string_equal(read_file(1, header, 23, &array),
                        "a.npy: the header says 24 bytes of numbers, but the file has 23");
    assert_string_equal(read_file(1, header, 25, &array),
                        "a.npy: the header says 24 bytes of numbers, but the file has 25");
    assert_string_equal(read_file(1,
                                  "{'descr': '<f8', 'fortran_order': False, 'shape': "
                                  "(100000000000000,)}",
                                  8, &array),
                        "a.npy: the header says 800000000000000 bytes of numbers, but the "
                        "file has 8");
    assert_string_equal(read_file(4, header, 24, &array),
                        "a.npy: version 4.0 of .npy; 1 to 3 are known");
}

/* Reads the first bytes of a file only. */
static const char *read_part(size_t bytes)
{
    static unsigned char file[] = "\x93NUMPY\1\0\xff\0{'descr': ";
    struct kernel_npy array;
    void *data;
    FILE *stream = fmemopen(file, bytes, "r");
    error = (struct clopt_error){0};
    assert_int_equal(kernel_npy_read(stream, "a.npy", &array, &data, &error), CLOPT_INVALID);
    fclose(stream);
    return error.message;
}

static void truncated_files_are_refused(void **state)
{
    (void)state;
    for (size_t bytes = 1; bytes <= 20; bytes++)
        assert_string_equal(read_part(bytes),
                            "a.npy: this is not a .npy file, or the end is missing");
    struct kernel_npy array;
    void *data;
    char text[] = "something else that is long enough";
    FILE *stream = fmemopen(text, sizeof text, "r");
    assert_int_equal(kernel_npy_read(stream, "a.npy", &array, &data, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "a.npy: this is not a .npy file");
    fclose(stream);
    assert_int_equal(kernel_npy_load("none.npy", &array, &data, &error), CLOPT_INVALID);
    assert_string_equal(error.message, "none.npy: cannot be read: No such file or directory");
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    static const char kinds[] = {'u', 'i', 'u', 'f'};
    unsigned char numbers[8 * 24];
    for (size_t i = 0; i < sizeof numbers; i++)
        numbers[i] = (unsigned char)(7 * i);
    for (size_t kind = 0; kind < 4; kind++)
        for (unsigned dimensions = 0; dimensions <= 4; dimensions++) {
            struct kernel_npy array = {
                kinds[kind], kind ? (size_t)1 << kind : 1, {4, 3, 2, 1}, dimensions};
            struct kernel_npy again;
            void *data;
            FILE *stream = fopen("unit_npy.npy", "wb");
            assert_non_null(stream);
            kernel_npy_write(stream, &array, numbers);
            assert_int_equal(fclose(stream), 0);
            assert_int_equal(kernel_npy_load("unit_npy.npy", &again, &data, &error), CLOPT_OK);
            assert_int_equal(again.kind, array.kind);
            assert_int_equal(again.scalar_bytes, array.scalar_bytes);
            assert_int_equal(again.dimensions, dimensions);
            for (unsigned d = 0; d < dimensions; d++)
                assert_int_equal(again.shape[d], array.shape[d]);
            assert_memory_equal(data, numbers, kernel_npy_bytes(&array));
            free(data);
        }
    assert_int_equal(unlink("unit_npy.npy"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_read),         cmocka_unit_test(others_are_refused),
        cmocka_unit_test(sizes_must_agree),        cmocka_unit_test(truncated_files_are_refused),
        cmocka_unit_test(what_is_written_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
