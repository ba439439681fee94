# SPDX-License-Identifier: BSD-3-Clause
# Completes clopt's command line in bash: commands and options from its own help, plugins by name.
# shellcheck shell=bash

# _clopt_options PROGRAM [COMMAND]: the options that a help text names.
_clopt_options()
{
    "$@" --help 2>/dev/null | grep -oE -- '(^|[ ,[{])--?[A-Za-z][a-z0-9-]*' | grep -oE -- '-.*' | sort -u
}

_clopt_commands()
{
    "$1" --help 2>/dev/null | sed -n '/^Commands:$/,/^$/s/^  \([a-z]*\) .*/\1/p'
}

# _clopt_plugins PROGRAM KIND: the names of the usable plugins: app, optimization, or either by "".
_clopt_plugins()
{
    "$1" plugins --json 2>/dev/null |
        sed -n "/\"kind\": \".*$2\"/{n;s/.*\"name\": \"\([a-z0-9_]*\)\".*/\1/p}"
}

# _clopt_files WORD SUFFIX: files of that suffix, and folders on the way to them.
_clopt_files()
{
    compopt -o filenames 2>/dev/null || : # no completion going on, in a test
    mapfile -t COMPREPLY < <(compgen -f -X "!*.$2" -- "$1"; compgen -d -- "$1")
}

_clopt_words()
{
    mapfile -t COMPREPLY < <(compgen -W "$2" -- "$1")
}

# _clopt_value WORD PREVIOUS: the value behind the = of an option, which bash takes for a word of its own.
_clopt_value()
{
    local word=$1 option=''
    [ "$2" != = ] || option=${COMP_WORDS[COMP_CWORD - 2]}
    [ "$1" != = ] || option=$2 word=''
    case $option in
    --figures | --t4 | --kernel-tuner)
        compopt -o filenames 2>/dev/null || :
        mapfile -t COMPREPLY < <(compgen -d -- "$word")
        ;;
    --format) _clopt_words "$word" "svg png pdf" ;;
    *) return 1 ;;
    esac
}

_clopt()
{
    local program=$1 word=$2 previous=$3 command='' study=() i
    COMPREPLY=()
    for ((i = 1; i < COMP_CWORD; i++)); do
        case ${COMP_WORDS[i]} in
        -c)
            study=(-c study.ini)
            ((i++))
            ;;
        -o | -s) ((i++)) ;;
        -* | =) ;;
        *)
            [ "${COMP_WORDS[i - 1]}" = = ] && continue
            command=${COMP_WORDS[i]}
            break
            ;;
        esac
    done
    if _clopt_value "$word" "$previous"; then
        return
    fi
    case $previous in
    -c) _clopt_files "$word" ini ;;
    -o) _clopt_files "$word" db ;;
    *)
        case $command,$word in
        *,-*) _clopt_words "$word" "$(_clopt_options "$program" ${command:+"$command"} "${study[@]}")" ;;
        ,*) _clopt_words "$word" "$(_clopt_commands "$program")" ;;
        run,*) _clopt_words "$word" "$(_clopt_plugins "$program" app)" ;;
        plugins,*) _clopt_words "$word" "$(_clopt_plugins "$program" '')" ;;
        init,* | transform,*) _clopt_files "$word" cl ;;
        report,* | status,* | reproduce,*) _clopt_files "$word" db ;;
        esac
        ;;
    esac
}

complete -F _clopt clopt
