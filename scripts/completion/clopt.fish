# SPDX-License-Identifier: BSD-3-Clause
# Completes clopt's command line in fish. What there is says `clopt complete`, whose answer
# plugins/commands/complete/command_complete.c describes.
function __clopt_complete
    set -l words (commandline -opc)
    set -l raw (commandline -ct | string replace -r '^[\'"]' '')
    set -l word (string unescape -- $raw; or echo $raw)
    for line in ($words[1] complete $words[2..] "$word" 2>/dev/null)
        set -l parts (string split \t -- $line)
        if test (count $parts) -lt 3
            echo $line
            continue
        end
        set -l rest (string sub -s (math (string length -- "$parts[1]") + 1) -- "$raw")
        for file in (complete -C "__fish_command_without_completions $rest" | string replace -r '\t.*' '')
            if string match -q -- '*/' $file; or string match -q -- "*$parts[3]" $file
                echo "$parts[1]$file"
            end
        end
    end
end
complete -c clopt -f -a '(__clopt_complete)'
