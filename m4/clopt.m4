# SPDX-License-Identifier: BSD-3-Clause
# Checks that collect what is missing, so that one run of configure names all of it.

# CLOPT_NEED(WHAT, DEBIAN-PACKAGE): remember that WHAT is missing.
AC_DEFUN([CLOPT_NEED], [CLOPT_MISSING="$CLOPT_MISSING
  $1: Debian package $2"])

# CLOPT_CHECK_PKG(PREFIX, MODULE, DEBIAN-PACKAGE): a library with a pkg-config file.
AC_DEFUN([CLOPT_CHECK_PKG],
    [PKG_CHECK_MODULES([$1], [$2], [], [CLOPT_NEED([$2], [$3])])])

# CLOPT_CHECK_LTDL: libltdl has no pkg-config file.
AC_DEFUN([CLOPT_CHECK_LTDL],
    [AC_ARG_VAR([LTDL_LIBS], [linker flags for libltdl])
    AS_IF([test -z "$LTDL_LIBS"],
        [AC_CHECK_HEADER([ltdl.h],
            [AC_CHECK_LIB([ltdl], [lt_dladvise_init], [LTDL_LIBS=-lltdl], [CLOPT_NEED([libltdl], [libltdl-dev])])],
            [CLOPT_NEED([ltdl.h], [libltdl-dev])])])])

# CLOPT_CHECK_LIBCLANG: libclang's C interface, and the OpenCL headers that clang itself needs.
# libclang is opened when the first kernel is rewritten and not before: it takes 10 ms and 56 MB. It is
# opened by its soname, which names the interface that was compiled with, where the linker finds that.
# Of several LLVMs the newest is taken that has all of it: in the folders of Debian, from 14 on, or else
# where llvm-config says. LIBCLANG=libclang-14.so.1 or LLVM_CONFIG=llvm-config-14 choose one.
AC_DEFUN([CLOPT_CHECK_LIBCLANG],
    [AC_ARG_VAR([LLVM_CONFIG], [the llvm-config of the libclang to use])
    AC_ARG_VAR([LIBCLANG_CFLAGS], [compiler flags for libclang's C interface])
    AC_ARG_VAR([LIBCLANG], [the shared object of libclang: a path, or a name that dlopen() finds])
    AC_ARG_VAR([CLANG_HEADERS], [the folder with clang's opencl-c-base.h])
    clopt_llvm_versions='22 21 20 19 18 17 16 15 14'
    AS_CASE([$LIBCLANG], [*libclang-[[0-9]]*],
        [clopt_llvm_versions=$(echo "$LIBCLANG" | sed 's/.*libclang-\([[0-9]]*\).*/\1/')])
    clopt_llvm_libdirs=$("${LLVM_CONFIG:-false}" --libdir 2>/dev/null)
    AS_IF([test -z "$clopt_llvm_libdirs"],
        [for clopt_version in $clopt_llvm_versions; do
            clopt_llvm_libdirs="$clopt_llvm_libdirs /usr/lib/llvm-$clopt_version/lib"
        done
        clopt_llvm_libdirs="$clopt_llvm_libdirs $(${LLVM_CONFIG:-llvm-config} --libdir 2>/dev/null)"])
    for clopt_libdir in $clopt_llvm_libdirs; do
        clopt_include=${clopt_libdir%/*}/include
        for clopt_library in "$clopt_libdir"/libclang-*.so.1 "$clopt_libdir"/libclang.so.1 \
            "$clopt_libdir"/libclang.so; do
            test ! -f "$clopt_library" || break
        done
        clopt_version=${clopt_libdir#*/llvm-}
        for clopt_headers in "${clopt_libdir%/llvm-*}/clang/${clopt_version%/lib}/include" \
            "$clopt_libdir"/clang/*/include "${clopt_libdir%/*}"/lib/clang/*/include; do
            test ! -f "$clopt_headers/opencl-c-base.h" || break
        done
        AS_IF([{ test -n "$LIBCLANG_CFLAGS" || test -f "$clopt_include/clang-c/Index.h"; } &&
            { test -n "$LIBCLANG" || test -f "$clopt_library"; } &&
            { test -n "$CLANG_HEADERS" || test -f "$clopt_headers/opencl-c-base.h"; }],
            [LIBCLANG_CFLAGS=${LIBCLANG_CFLAGS:--I$clopt_include}
            CLANG_HEADERS=${CLANG_HEADERS:-$clopt_headers}
            AS_IF([test -z "$LIBCLANG"],
                [LIBCLANG=$($OBJDUMP -p "$clopt_library" 2>/dev/null | sed -n 's/^ *SONAME *//p')
                test -f "$($CC -print-file-name="$LIBCLANG")" || LIBCLANG=$clopt_library])
            break])
    done
    clopt_saved_CPPFLAGS=$CPPFLAGS
    CPPFLAGS="$CPPFLAGS $LIBCLANG_CFLAGS"
    AC_CHECK_HEADER([clang-c/Index.h], [], [CLOPT_NEED([clang-c/Index.h], [libclang-dev])])
    CPPFLAGS=$clopt_saved_CPPFLAGS
    AS_IF([test -z "$LIBCLANG"], [CLOPT_NEED([libclang], [libclang-dev])])
    AS_IF([test ! -f "$CLANG_HEADERS/opencl-c-base.h"],
        [CLOPT_NEED([clang's opencl-c-base.h], [libclang-dev])])
    clopt_version=$(echo "$CLANG_HEADERS" | sed -n 's,.*/clang/\([[0-9]]*\).*,\1,p')
    AC_DEFINE_UNQUOTED([CLOPT_LIBCLANG], ["$LIBCLANG"], [What dlopen() is asked for])
    AC_DEFINE_UNQUOTED([CLOPT_CLANG_HEADERS], ["$CLANG_HEADERS"], [Where opencl-c-base.h is])
    AC_DEFINE_UNQUOTED([CLOPT_CLANG_VERSION], ["$clopt_version"], [The version of both])])

# CLOPT_REPORT_MISSING: end here if anything was.
AC_DEFUN([CLOPT_REPORT_MISSING],
    [AS_IF([test -n "$CLOPT_MISSING"], [AC_MSG_ERROR([clopt cannot be built without:$CLOPT_MISSING
`scripts/quickstart` installs everything on Debian.])])])

# CLOPT_CHECK_LINK_FLAG(FLAG, VARIABLE): add FLAG to VARIABLE if a shared object links with it. An
# address sanitizer that lives in the program alone (clang's) makes `-z defs` fail on shared objects.
AC_DEFUN([CLOPT_CHECK_LINK_FLAG],
    [AC_MSG_CHECKING([whether shared objects link with $1])
    clopt_saved_CFLAGS=$CFLAGS
    clopt_saved_LDFLAGS=$LDFLAGS
    CFLAGS="$CFLAGS $CLOPT_CFLAGS -fPIC"
    LDFLAGS="$LDFLAGS -shared $1"
    AC_LINK_IFELSE([AC_LANG_SOURCE([int clopt_probe(int *p); int clopt_probe(int *p) { return *p + 1; }])],
        [$2="[$]$2 $1"; AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
    CFLAGS=$clopt_saved_CFLAGS
    LDFLAGS=$clopt_saved_LDFLAGS])

# CLOPT_COMPLETION_DIR(SHELL, FOLDER): where the shell's completion goes, below $datadir.
AC_DEFUN([CLOPT_COMPLETION_DIR],
    [AC_ARG_WITH([$1-completion-dir],
        [AS_HELP_STRING([--with-$1-completion-dir=DIR], [where the $1 completion goes @<:@DATADIR/$2@:>@])],
        [$1completiondir=$withval], [$1completiondir='${datadir}/$2'])
    AC_SUBST([$1completiondir])])
