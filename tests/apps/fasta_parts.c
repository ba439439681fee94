/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that FASTA files are read as people write them, and that each way in which one can be
 * wrong is refused with its line. */
#include "fasta.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define MOST 100

static enum clopt_status read_bytes(const char *text, size_t length, struct fasta *fasta,
                                    struct clopt_error *error)
{
    FILE *stream = fmemopen((void *)text, length, "r");
    assert_non_null(stream);
    enum clopt_status status = fasta_read(stream, "a.fasta", MOST, fasta, error);
    fclose(stream);
    return status;
}

static void expect_sequence(const char *text, const char *name, const char *letters)
{
    struct fasta fasta;
    struct clopt_error error = {0};
    assert_int_equal(read_bytes(text, strlen(text), &fasta, &error), CLOPT_OK);
    assert_string_equal(fasta.name, name);
    assert_int_equal(fasta.length, strlen(letters));
    for (size_t i = 0; i < fasta.length; i++)
        assert_int_equal(fasta.letters[i], letters[i] == '*' ? 26 : letters[i] - 'A');
    fasta_free(&fasta);
    assert_null(fasta.letters);
}

static void expect_refusal(const char *text, size_t length, const char *message)
{
    struct fasta fasta;
    struct clopt_error error = {0};
    assert_int_equal(read_bytes(text, length, &fasta, &error), CLOPT_INVALID);
    assert_string_equal(error.message, message);
    fasta_free(&fasta);
}

#define REFUSE(text, message) expect_refusal(text, sizeof(text) - 1, message)

static void reads_what_people_write(void **state)
{
    (void)state;
    expect_sequence(">A\nACGT\n", "A", "ACGT");
    expect_sequence(">A\nACGT", "A", "ACGT");
    expect_sequence("\n\n>sp|P1|X a protein of 4\nmk\nV*\n\n", "sp|P1|X", "MKV*");
    expect_sequence(">A\r\nAC\r\n\r\nGT\r\n", "A", "ACGT");
    expect_sequence(">A\rAC\rGT", "A", "ACGT");
    expect_sequence("; old\n;style\n> A first\n;comment > 3\nAC GT\tA\n", "A", "ACGTA");
    expect_sequence(">\nA\n", "unnamed", "A");
    expect_sequence(">an_unreasonably_long_name_for_any_sequence\nA\n",
                    "an_unreasonably_long_name_for_a", "A");
    expect_sequence(">caf\xc3\xa9\nA\n", "caf??", "A");
}

static void reads_as_many_letters_as_allowed(void **state)
{
    (void)state;
    char text[MOST + 8] = ">A\n";
    memset(text + 3, 'C', MOST);
    struct fasta fasta;
    struct clopt_error error = {0};
    assert_int_equal(read_bytes(text, strlen(text), &fasta, &error), CLOPT_OK);
    assert_int_equal(fasta.length, MOST);
    fasta_free(&fasta);
    memcpy(text + 3 + MOST, "C\n", sizeof "C\n");
    expect_refusal(text, strlen(text),
                   "a.fasta:2: the sequence has more than 100 letters, too many to align");
}

static void refuses_what_is_no_sequence(void **state)
{
    (void)state;
    REFUSE("\n\n", "a.fasta: has no sequence");
    REFUSE(";only a comment", "a.fasta: has no sequence");
    REFUSE("\nACGT\n", "a.fasta:2: is not a FASTA file: a line with > and a name must come first");
    REFUSE(">A", "a.fasta:2: the sequence 'A' has no letters");
    REFUSE(">A\n\n", "a.fasta:3: the sequence 'A' has no letters");
    REFUSE(">A\nAC\n\n>B\nAC\n", "a.fasta:4: a second sequence begins; leave one in the file");
    REFUSE(">A\nAC\nA-C\n", "a.fasta:3: '-' in column 2 is not a letter of a sequence (A to Z, *)");
    REFUSE(">A\nAC>\n", "a.fasta:2: '>' in column 3 is not a letter of a sequence (A to Z, *)");
    REFUSE(">A\n1 ACG\n", "a.fasta:2: '1' in column 1 is not a letter of a sequence (A to Z, *)");
    REFUSE(">A\nA\0C\n",
           "a.fasta:2: byte 0x00 in column 2 is not a letter of a sequence (A to Z, *)");
    REFUSE(">A\nA\xff\n",
           "a.fasta:2: byte 0xff in column 2 is not a letter of a sequence (A to Z, *)");
}

static void a_folder_is_no_file(void **state)
{
    (void)state;
    struct fasta fasta;
    struct clopt_error error = {0};
    FILE *stream = fopen(".", "r");
    assert_non_null(stream);
    assert_int_equal(fasta_read(stream, "a.fasta", MOST, &fasta, &error), CLOPT_FAILED);
    assert_string_equal(error.message, "a.fasta: cannot be read: Is a directory");
    fclose(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_people_write),
        cmocka_unit_test(reads_as_many_letters_as_allowed),
        cmocka_unit_test(refuses_what_is_no_sequence),
        cmocka_unit_test(a_folder_is_no_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
