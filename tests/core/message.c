/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that messages arrive whole however they are cut, and that whatever else a worker may send
 * is refused with a reason. */
#include "protocol/message.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

/* A connection; the reader reads from ends[0]. */
struct connection {
    int ends[2];
    struct clopt_message_reader reader;
};

static int connect_both(void **state)
{
    struct connection *connection = calloc(1, sizeof *connection);
    *state = connection;
    return connection ? socketpair(AF_UNIX, SOCK_STREAM, 0, connection->ends) : -1;
}

static int disconnect(void **state)
{
    struct connection *connection = *state;
    close(connection->ends[0]);
    if (connection->ends[1] >= 0)
        close(connection->ends[1]);
    clopt_message_reader_fini(&connection->reader);
    free(connection);
    return 0;
}

static void hang_up(struct connection *connection)
{
    close(connection->ends[1]);
    connection->ends[1] = -1;
}

static void send_bytes(struct connection *connection, const char *bytes, size_t size)
{
    assert_int_equal(write(connection->ends[1], bytes, size), size);
}

/* Sends a length and a text that need not belong together. */
static void send_raw(struct connection *connection, uint32_t length, const char *text)
{
    char header[] = {(char)(length >> 24), (char)(length >> 16), (char)(length >> 8), (char)length};
    send_bytes(connection, header, sizeof header);
    send_bytes(connection, text, strlen(text));
}

/* Takes the next message of the reader: its number "n", or -1 where none is whole. */
static int64_t take(struct connection *connection)
{
    struct clopt_error error = {0};
    assert_int_equal(
        clopt_message_reader_fill(&connection->reader, connection->ends[0], false, &error),
        CLOPT_OK);
    json_t *message;
    assert_int_equal(clopt_message_reader_take(&connection->reader, &message, &error), CLOPT_OK);
    int64_t number = message ? json_integer_value(json_object_get(message, "n")) : -1;
    json_decref(message);
    return number;
}

/* Expects both ways of reading to refuse what has been sent. */
static void expect_refusal(struct connection *connection, const char *reason)
{
    for (int waits = 0; waits < 2; waits++) {
        json_t *message = NULL;
        struct clopt_error error = {0};
        clopt_message_reader_fill(&connection->reader, connection->ends[0], false, &error);
        assert_int_equal(waits ? clopt_message_receive(&connection->reader, connection->ends[0],
                                                       &message, &error)
                               : clopt_message_reader_take(&connection->reader, &message, &error),
                         CLOPT_FAILED);
        assert_null(message);
        assert_string_equal(error.message, reason);
    }
}

static void message_arrives_as_it_was_sent(void **state)
{
    struct connection *connection = *state;
    struct clopt_error error = {0};
    json_t *sent = json_pack("{s:s,s:[i,f]}", "text", "\xc3\xa4\n\"", "list", -1, 0.1);
    json_t *got;
    assert_int_equal(clopt_message_send(connection->ends[1], json_incref(sent), &error), CLOPT_OK);
    assert_int_equal(clopt_message_receive(&connection->reader, connection->ends[0], &got, &error),
                     CLOPT_OK);
    assert_true(json_equal(sent, got));
    json_decref(sent);
    json_decref(got);
}

static void pieces_are_put_together(void **state)
{
    struct connection *connection = *state;
    static const char bytes[] = "\0\0\0\7{\"n\":7}\0\0\0\7{\"n\":8}";
    for (size_t i = 0; i < sizeof bytes - 1; i++) {
        int64_t whole = i == 11 ? 7 : -1;
        assert_int_equal(take(connection), whole);
        send_bytes(connection, bytes + i, 1);
    }
    assert_int_equal(take(connection), 8);
    assert_int_equal(take(connection), -1);
}

static void many_at_once_are_told_apart(void **state)
{
    struct connection *connection = *state;
    for (int i = 0; i < 100; i++)
        assert_int_equal(clopt_message_send(connection->ends[1], json_pack("{s:i}", "n", i), NULL),
                         CLOPT_OK);
    for (int i = 0; i < 100; i++)
        assert_int_equal(take(connection), i);
    assert_int_equal(take(connection), -1);
}

static void last_words_are_heard_before_the_end(void **state)
{
    struct connection *connection = *state;
    send_raw(connection, 7, "{\"n\":9}");
    hang_up(connection);
    struct clopt_error error = {0};
    json_t *message;
    assert_int_equal(
        clopt_message_receive(&connection->reader, connection->ends[0], &message, &error),
        CLOPT_OK);
    assert_int_equal(json_integer_value(json_object_get(message, "n")), 9);
    json_decref(message);
    assert_int_equal(
        clopt_message_receive(&connection->reader, connection->ends[0], &message, &error),
        CLOPT_INTERRUPTED);
}

static void truncated_message_is_no_message(void **state)
{
    struct connection *connection = *state;
    send_raw(connection, 8, "{\"n\":7}");
    assert_int_equal(take(connection), -1);
    hang_up(connection);
    struct clopt_error error = {0};
    json_t *message;
    assert_int_equal(clopt_message_reader_take(&connection->reader, &message, &error), CLOPT_OK);
    assert_null(message);
}

static void waiting_for_the_rest_ends_with_the_connection(void **state)
{
    struct connection *connection = *state;
    struct clopt_error error = {0};
    json_t *message;
    send_raw(connection, 100, "{\"n\":7}");
    hang_up(connection);
    assert_int_equal(
        clopt_message_receive(&connection->reader, connection->ends[0], &message, &error),
        CLOPT_INTERRUPTED);
    assert_null(message);
    assert_string_equal(error.message, "connection closed");
}

static void nonsense_is_refused(void **state)
{
    static const struct {
        uint32_t length;
        const char *text;
        const char *reason;
    } cases[] = {
        {UINT32_MAX, "", "message of 4294967295 bytes, more than any can have"},
        {(256u << 20) + 1, "", "message of 268435457 bytes, more than any can have"},
        {0, "", "message is not JSON: '[' or '{' expected near end of file"},
        {5, "hello", "message is not JSON: '[' or '{' expected near 'hello'"},
        {6, "{\"n\":7", "message is not JSON: '}' expected near end of file"},
        {2, "[]", "message is not a JSON object"},
        {7, "{\"\xff\":1}", "message is not JSON: unable to decode byte 0xff near '\"'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        disconnect(state);
        assert_int_equal(connect_both(state), 0);
        send_raw(*state, cases[i].length, cases[i].text);
        expect_refusal(*state, cases[i].reason);
    }
}

static void sources_travel_as_they_are(void **state)
{
    static const char text[] = "a\n\"\xc3\xa4\\";
    static const char wrong[] = "\0\0\0\4{}\0\xff";
    struct connection *connection = *state;
    struct clopt_error error = {0};
    json_t *variant = json_pack("{s:s,s:i}", "source", text, "lines_changed", 3);
    json_t *sent = json_object(), *got;
    assert_true(clopt_message_set_variant(sent, variant));
    assert_int_equal(clopt_message_send(connection->ends[1], sent, &error), CLOPT_OK);
    assert_int_equal(
        clopt_message_reader_fill(&connection->reader, connection->ends[0], true, NULL), CLOPT_OK);
    const struct clopt_text *bytes = &connection->reader.bytes;
    assert_memory_equal(bytes->data + bytes->length - strlen(text), text, strlen(text));
    assert_int_equal(clopt_message_reader_take(&connection->reader, &got, &error), CLOPT_OK);
    assert_true(json_equal(clopt_message_get_variant(got), variant));
    json_decref(variant);
    json_decref(got);
    assert_int_equal(
        clopt_message_send(connection->ends[1], json_pack("{s:s}", "op", "\xff"), &error),
        CLOPT_FAILED);
    assert_string_equal(error.message, "a text of a message is not UTF-8");
    send_bytes(connection, wrong, sizeof wrong - 1);
    expect_refusal(connection, "message with a source that is not UTF-8");
}

static void peer_that_is_gone_is_no_signal(void **state)
{
    struct connection *connection = *state;
    struct clopt_error error = {0};
    hang_up(connection);
    assert_int_equal(clopt_message_send(connection->ends[0], json_object(), &error),
                     CLOPT_INTERRUPTED);
    assert_string_equal(error.message, "message not sent: Broken pipe");
}

static void errors_travel(void **state)
{
    (void)state;
    struct clopt_error sent = {.status = CLOPT_BUILD_FAILED, .message = "no \xff such"}, got = {0};
    json_t *message = json_object();
    assert_int_equal(clopt_message_get_error(message, &got), CLOPT_OK);
    clopt_message_set_error(message, &sent);
    assert_int_equal(clopt_message_get_error(message, &got), CLOPT_BUILD_FAILED);
    assert_string_equal(got.message, "no \xef\xbf\xbd such");
    json_object_set_new(message, "status", json_integer(4711));
    assert_int_equal(clopt_message_get_error(message, &got), CLOPT_FAILED);
    json_object_set_new(message, "status", json_string("bad"));
    assert_int_equal(clopt_message_get_error(message, &got), CLOPT_FAILED);
    json_decref(message);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(message_arrives_as_it_was_sent, connect_both, disconnect),
        cmocka_unit_test_setup_teardown(pieces_are_put_together, connect_both, disconnect),
        cmocka_unit_test_setup_teardown(many_at_once_are_told_apart, connect_both, disconnect),
        cmocka_unit_test_setup_teardown(last_words_are_heard_before_the_end, connect_both,
                                        disconnect),
        cmocka_unit_test_setup_teardown(truncated_message_is_no_message, connect_both, disconnect),
        cmocka_unit_test_setup_teardown(waiting_for_the_rest_ends_with_the_connection, connect_both,
                                        disconnect),
        cmocka_unit_test_setup_teardown(nonsense_is_refused, connect_both, disconnect),
        cmocka_unit_test_setup_teardown(sources_travel_as_they_are, connect_both, disconnect),
        cmocka_unit_test_setup_teardown(peer_that_is_gone_is_no_signal, connect_both, disconnect),
        cmocka_unit_test(errors_travel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
