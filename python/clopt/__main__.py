# SPDX-License-Identifier: BSD-3-Clause
"""Is the program clopt: `python -m clopt`, and the command that a wheel installs."""
import os
import sys

from . import Error, _program


def main() -> None:
    """Becomes the program."""
    try:
        program = _program()
    except Error as error:
        sys.exit(f"clopt: {error}")
    os.execvp(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
