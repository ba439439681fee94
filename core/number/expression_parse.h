/* SPDX-License-Identifier: BSD-3-Clause */
/* How an expression is read. */
#ifndef CLOPT_NUMBER_EXPRESSION_PARSE_H
#define CLOPT_NUMBER_EXPRESSION_PARSE_H

#include "number/expression.h"

enum clopt_token { CLOPT_TOKEN_END, CLOPT_TOKEN_NUMBER, CLOPT_TOKEN_NAME, CLOPT_TOKEN_SYMBOL };

/* Once `status` is set, the token is CLOPT_TOKEN_END and all functions do nothing. */
struct clopt_expression_parser {
    struct clopt_expression *made;
    struct clopt_error *error;
    enum clopt_status status;
    const char *rest; /* after the token */
    enum clopt_token token;
    const char *start; /* of the token */
    size_t length;
    struct clopt_number number; /* of a CLOPT_TOKEN_NUMBER */
    unsigned depth;
    uint32_t capacity; /* of the nodes */
};

/* Returns the column of a place in the text. */
uint32_t clopt_expression_column(const struct clopt_expression_parser *parser, const char *place);

/* Ends the parsing. */
void clopt_expression_stop(struct clopt_expression_parser *parser, enum clopt_status status);

/* Ends the parsing with an error at a place of the text; only the first error counts. */
void clopt_expression_fail_at(struct clopt_expression_parser *parser, const char *place,
                              const char *format, ...) CLOPT_PRINTF(3, 4);

/* Goes on to the next token. */
void clopt_expression_advance(struct clopt_expression_parser *parser);

/* Tells whether the token is this name or symbol. */
bool clopt_expression_is_token(const struct clopt_expression_parser *parser, const char *text);

/* Goes on to the next token if this one is `text`. */
bool clopt_expression_accept(struct clopt_expression_parser *parser, const char *text);

/* Goes on to the next token; it is an error if this one is not `text`. */
void clopt_expression_expect(struct clopt_expression_parser *parser, const char *text);

/* Ends the parsing because something else should stand here. */
void clopt_expression_expected(struct clopt_expression_parser *parser, const char *what);

/* Reads the text of an expression into its tree. */
enum clopt_status clopt_expression_parse(struct clopt_expression *made, struct clopt_error *error);

#endif
