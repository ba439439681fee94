/* SPDX-License-Identifier: BSD-3-Clause */
/* libclang's C interface, opened when the first kernel is parsed and not before. */
#pragma once

#include <clang-c/Index.h>

#include <clopt/error.h>

/* The functions in use, without their prefix clang_. */
#define CLOPT_CLANG_FUNCTIONS(F)                                                                   \
    F(createIndex)                                                                                 \
    F(disposeIndex)                                                                                \
    F(parseTranslationUnit2)                                                                       \
    F(disposeTranslationUnit)                                                                      \
    F(getNumDiagnostics)                                                                           \
    F(getDiagnostic)                                                                               \
    F(getDiagnosticSeverity)                                                                       \
    F(getDiagnosticSpelling)                                                                       \
    F(getDiagnosticLocation)                                                                       \
    F(disposeDiagnostic)                                                                           \
    F(getExpansionLocation)                                                                        \
    F(getFileLocation)                                                                             \
    F(getCString)                                                                                  \
    F(disposeString)                                                                               \
    F(getTranslationUnitCursor)                                                                    \
    F(visitChildren)                                                                               \
    F(getCursorExtent)                                                                             \
    F(getCursorLocation)                                                                           \
    F(getCursorReferenced)                                                                         \
    F(getCanonicalCursor)                                                                          \
    F(getSpecializedCursorTemplate)                                                                \
    F(isCursorDefinition)                                                                          \
    F(Cursor_getVarDeclInitializer)                                                                \
    F(getCursorSpelling)                                                                           \
    F(getCursorType)                                                                               \
    F(getCanonicalType)                                                                            \
    F(getArrayElementType)                                                                         \
    F(getPointeeType)                                                                              \
    F(getResultType)                                                                               \
    F(getNumElements)                                                                              \
    F(getElementType)                                                                              \
    F(getTypeSpelling)                                                                             \
    F(isVolatileQualifiedType)                                                                     \
    F(isConstQualifiedType)                                                                        \
    F(Type_getSizeOf)                                                                              \
    F(Type_getAlignOf)                                                                             \
    F(Type_visitFields)                                                                            \
    F(Cursor_getOffsetOfField)                                                                     \
    F(getRangeStart)                                                                               \
    F(getRangeEnd)                                                                                 \
    F(getFile)                                                                                     \
    F(getFileName)                                                                                 \
    F(getFileContents)                                                                             \
    F(getInclusions)                                                                               \
    F(getSkippedRanges)                                                                            \
    F(disposeSourceRangeList)

struct clopt_clang {
#define CLOPT_CLANG_FIELD(name) __typeof__(&clang_##name) name;
    CLOPT_CLANG_FUNCTIONS(CLOPT_CLANG_FIELD)
#undef CLOPT_CLANG_FIELD
    void *library;
};

/* The folder of the headers that clang itself needs for OpenCL C. */
const char *clopt_clang_headers(void);

/* Opens libclang; the caller closes it. dlopen() counts, so opening it again is cheap. */
enum clopt_status clopt_clang_open(struct clopt_clang *clang, struct clopt_error *error);
void clopt_clang_close(struct clopt_clang *clang);
