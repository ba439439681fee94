/* SPDX-License-Identifier: BSD-3-Clause */
/* Proves that a source, its options and the files that are found decide what is built, or that it
 * is said that they need not: whatever another directive, a macro or a splice may include. */
#include "file/inclusion.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "folder_fixture.h"

static bool decides(const char *source, const char *options)
{
    CLOPT_OWNED(clopt_build_options) words = {0};
    clopt_build_options_split(options, &words);
    return clopt_inclusions_decide(source, &words);
}

static void put(const char *path, const char *text)
{
    write_file(path, text, strlen(text));
}

static void what_is_found_decides(void **state)
{
    (void)state;
    put("one.h", "#include \"two.h\"\n");
    put("two.h", "#define TWO 2\n");
    put("lost.h", "#include <three.h>\n");
    put("late.h", "int when = __TIME__;\n");
    assert_true(decides("kernel void k(global int *y) { y[0] = 7 % 3 ? 1 : 2; }\n", ""));
    assert_true(decides("#define LONG \\\n 1\n#if 1\n#pragma unroll\n#endif\n// include\n", ""));
    assert_true(decides("#include \"one.h\"\n # include <two.h>\n%:include \"one.h\"\n", ""));
    assert_false(decides("#include \"three.h\"\n", ""));
    assert_false(decides("#include \"lost.h\"\n", ""));
    assert_false(decides("#include \"late.h\"\n", ""));
    assert_false(decides("int a = __DATE__[0];\n", ""));
    assert_true(decides("#include \"two.h\"", "-I nowhere -I."));
}

static void other_ways_are_not_followed(void **state)
{
    (void)state;
    put("two.h", "#define TWO 2\n");
    static const char *const sources[] = {
        "#define FILE \"two.h\"\n#include FILE\n",
        "/* */ #include \"two.h\"\n",
        "/*\n*/ #include \"two.h\"\n",
        "#/* */include \"two.h\"\n",
        "#/*\n*/include \"two.h\"\n",
        "#\\\ninclude \"two.h\"\n",
        "#inc\\\nlude \"two.h\"\n",
        "#include_next \"two.h\"\n",
        "#import \"two.h\"\n",
        "int a[] = {\n#embed \"two.h\"\n};\n",
        "#if __has_include(\"two.h\")\n#endif\n",
        "?\?=include FILE\n",
        "%:include FILE\n",
    };
    for (size_t i = 0; i < sizeof sources / sizeof *sources; i++)
        if (decides(sources[i], ""))
            fail_msg("taken for decided: %s", sources[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_found_decides),
        cmocka_unit_test(other_ways_are_not_followed),
    };
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
