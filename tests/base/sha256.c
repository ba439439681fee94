/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that SHA-256 gives what FIPS 180-4's examples give, however the data arrive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "file/sha256.h"

static void check(const char *data, const char *expected)
{
    struct clopt_sha256 hash;
    char text[CLOPT_HASH_SIZE];
    clopt_sha256_init(&hash);
    clopt_sha256_add(&hash, data, strlen(data));
    clopt_sha256_end(&hash, text);
    assert_string_equal(text, expected);
}

static void test_published_vectors(void **state)
{
    (void)state;
    check("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    check("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    check("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    check("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
          "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
          "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

static void test_a_million_letters_in_uneven_pieces(void **state)
{
    (void)state;
    static const char letters[] =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    struct clopt_sha256 hash;
    char text[CLOPT_HASH_SIZE];
    clopt_sha256_init(&hash);
    for (size_t left = 1000000, part = 1; left; left -= part, part = part % 67 + 1) {
        if (part > left)
            part = left;
        clopt_sha256_add(&hash, letters, part);
    }
    clopt_sha256_end(&hash, text);
    assert_string_equal(text, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void hash_two(const char *a, const char *b, char text[CLOPT_HASH_SIZE])
{
    struct clopt_sha256 hash;
    clopt_sha256_init(&hash);
    clopt_sha256_add_string(&hash, a);
    clopt_sha256_add_string(&hash, b);
    clopt_sha256_end(&hash, text);
}

static void test_neighbouring_strings_do_not_flow_together(void **state)
{
    (void)state;
    char one[CLOPT_HASH_SIZE];
    char two[CLOPT_HASH_SIZE];
    hash_two("ab", "c", one);
    hash_two("a", "bc", two);
    assert_string_not_equal(one, two);
    hash_two("", "c", one);
    hash_two(NULL, "c", two);
    assert_string_not_equal(one, two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_vectors),
        cmocka_unit_test(test_a_million_letters_in_uneven_pieces),
        cmocka_unit_test(test_neighbouring_strings_do_not_flow_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
