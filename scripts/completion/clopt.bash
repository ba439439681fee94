# SPDX-License-Identifier: BSD-3-Clause
# Completes clopt's command line in bash. What there is says `clopt complete`, whose answer
# plugins/commands/complete/command_complete.c describes.
# shellcheck shell=bash

# _clopt_answer LINE: adds the candidates of a line of the answer to COMPREPLY. Uses _clopt()'s
# variables.
_clopt_answer()
{
    local candidate=${1%%$'\t'*} ending=${1#*$'\t\t'} file
    if [ "$ending" != "$1" ]; then
        compopt -o filenames 2>/dev/null || : # no completion goes on, in a test
        while IFS= read -r file; do
            COMPREPLY+=("${candidate#"$kept"}$file")
        done < <(
            [ "$ending" = / ] || compgen -f -X "!*$ending" -- "${word#"$candidate"}"
            compgen -d -- "${word#"$candidate"}"
        )
        return
    fi
    [[ $candidate != *= ]] || compopt -o nospace 2>/dev/null || :
    if [ -z "$quote" ]; then
        printf -v candidate %q "$candidate"
    elif [[ $candidate == *[\'\"\$\`\\!]* ]]; then
        return
    fi
    COMPREPLY+=("${candidate#"$kept"}")
}

_clopt()
{
    local raw word kept quote='' item line joined='' words=()
    # Here = and : are words of their own; $2 is what follows the last one.
    for item in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
        if [[ ${#words[@]} -gt 0 && ($item =~ ^[=:]+$ || ($joined && $item)) ]]; then
            words[-1]+=$item
        else
            words+=("$item")
        fi
        [[ $item =~ ^[=:]+$ ]] && joined=yes || joined=''
    done
    raw=${words[-1]}
    [[ $raw != [\'\"]* ]] || quote=${raw:0:1}
    kept=${raw%"$2"}
    kept=${kept#"$quote"}
    words=("${words[@]//[\\\'\"]/}")
    word=${words[-1]}
    COMPREPLY=()
    while IFS= read -r line; do
        _clopt_answer "$line"
    done < <("$1" complete "${words[@]}" 2>/dev/null)
}

complete -F _clopt clopt
