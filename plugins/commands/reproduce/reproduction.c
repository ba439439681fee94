/* SPDX-License-Identifier: BSD-3-Clause */
/* The files that `clopt reproduce` leaves behind. */
#include "commands/reproduce/reproduction.h"

#include <unistd.h>

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include "file/file.h"
#include "text/json.h"

char *clopt_ending_text(enum clopt_outcome outcome, const char *stage, const char *reason)
{
    struct clopt_text text = {0};
    clopt_text_append(&text, clopt_outcome_name(outcome));
    if (stage && outcome != CLOPT_OUTCOME_OK)
        clopt_text_printf(&text, " in stage %s", stage);
    if (reason && outcome != CLOPT_OUTCOME_OK)
        clopt_text_printf(&text, ": %s", reason);
    return clopt_text_take(&text);
}

static enum clopt_status write_text(const char *folder, const char *name, const char *text,
                                    struct clopt_error *error)
{
    if (!text)
        return CLOPT_OK;
    CLOPT_FREED char *path = clopt_path_join(folder, name);
    return clopt_file_write(path, &clopt_file_any, text, strlen(text), error);
}

/* Writes a text with a newline at its end. */
static enum clopt_status write_line(const char *folder, const char *name, const char *line,
                                    struct clopt_error *error)
{
    if (!line)
        return CLOPT_OK;
    CLOPT_FREED char *text = clopt_text_format("%s\n", line);
    return write_text(folder, name, text, error);
}

/* Writes the trial's description so that people can read it. */
static enum clopt_status write_trial(const char *folder, const char *json,
                                     struct clopt_error *error)
{
    json_auto_t *trial = json_loads(json, 0, NULL);
    CLOPT_FREED char *text = trial ? json_dumps(trial, JSON_INDENT(2)) : NULL;
    return write_line(folder, "trial.json", text ? text : json, error);
}

/* Says which files there are. */
static void list_files(struct clopt_text *text, const char *folder,
                       const struct clopt_reproduction *reproduction)
{
    CLOPT_FREED char *binary = clopt_path_join(folder, CLOPT_REPRODUCTION_BINARY);
    clopt_text_append(text, "\n");
    if (clopt_message_get_variant(reproduction->reply.answer))
        clopt_text_append(text, "source.cl       the program, as the plugins made it\n"
                                "options.txt     the options with which it is built\n");
    if (json_object_get(reproduction->reply.answer, "log"))
        clopt_text_append(text, "build.log       what the compiler said\n");
    if (access(binary, F_OK) == 0)
        clopt_text_append(text, CLOPT_REPRODUCTION_BINARY
                          "  what the driver made of it, as clGetProgramInfo gives it\n");
    else if (reproduction->no_binary.status)
        clopt_text_printf(text, "(no %s: %s)\n", CLOPT_REPRODUCTION_BINARY,
                          reproduction->no_binary.message);
    clopt_text_append(text, "trial.json      the trial, as workers are asked for it\n"
                            "study.ini       the study to which it belongs, as it was in force\n");
}

/* Quotes a text for Python. */
static char *quote(const char *text)
{
    json_auto_t *json = clopt_json_text(text);
    return json_dumps(json, JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
}

static void explain_building(struct clopt_text *text, const struct clopt_found_trial *found)
{
    CLOPT_FREED char *platform = quote(found->platform), *device = quote(found->device_name);
    clopt_text_printf(
        text,
        "\nTo build it by hand, on the same device, with Python's pyopencl:\n"
        "\n"
        "    import pyopencl\n"
        "    platform = [p for p in pyopencl.get_platforms() if p.name == %s][0]\n"
        "    device = [d for d in platform.get_devices() if d.name == %s][0]\n"
        "    program = pyopencl.Program(pyopencl.Context([device]), open(\"source.cl\").read())\n"
        "    program.build(open(\"options.txt\").read().strip())\n"
        "\n"
        "To see what a compiler says of it without any device, with clang:\n"
        "\n"
        "    clang -x cl -cl-std=CL1.2 -Xclang -finclude-default-header -fsyntax-only \\\n"
        "        $(cat options.txt) source.cl\n",
        platform, device);
}

static enum clopt_status write_readme(const char *folder, const struct clopt_found_trial *found,
                                      const char *endings[2],
                                      const struct clopt_reproduction *reproduction,
                                      struct clopt_error *error)
{
    CLOPT_OWNED(clopt_text) text = {0}, shown = {0};
    clopt_text_printf(&text,
                      "Trial %" PRId64 " of %s\n"
                      "%s%s%s, %s: %s\n"
                      "on %s: %s (%s), driver %s\n\n"
                      "The store says: %s\n"
                      "Run once more by clopt %s: %s\n",
                      found->trial, found->store_path, found->app, *found->problem ? " " : "",
                      found->problem, found->kernel, found->name, found->device, found->device_name,
                      found->platform, reproduction->device.driver_version, endings[0],
                      PACKAGE_VERSION, endings[1]);
    list_files(&text, folder, reproduction);
    if (clopt_message_get_variant(reproduction->reply.answer))
        explain_building(&text, found);
    clopt_text_append(&text, "\nTo run it again with clopt:\n\n    clopt reproduce ");
    clopt_text_append_word(&text, found->store_path);
    clopt_text_printf(&text, " %s\n", found->key);
    clopt_text_append_printable_lines(&shown, clopt_text_string(&text));
    return write_text(folder, "README", shown.data, error);
}

enum clopt_status clopt_reproduction_write(const char *folder,
                                           const struct clopt_found_trial *found,
                                           const char *endings[2],
                                           const struct clopt_reproduction *reproduction,
                                           struct clopt_error *error)
{
    const json_t *variant = clopt_message_get_variant(reproduction->reply.answer);
    CLOPT_TRY(write_text(folder, "source.cl", json_string_value(json_object_get(variant, "source")),
                         error));
    CLOPT_TRY(write_line(folder, "options.txt",
                         json_string_value(json_object_get(variant, "options")), error));
    CLOPT_TRY(write_text(folder, "build.log",
                         json_string_value(json_object_get(reproduction->reply.answer, "log")),
                         error));
    CLOPT_TRY(write_trial(folder, found->trial_json, error));
    return write_readme(folder, found, endings, reproduction, error);
}
