# SPDX-License-Identifier: BSD-3-Clause
"""Runs the cells of a notebook in order: notebook.py FILE SHOWN. Writes to SHOWN what they show in HTML or as text, and to
standard error what they say there, as a notebook's kernel does."""
import ast
import json
import sys
import types


def run_cell(source, names, shown):
    """Runs the statements of a cell, and shows the value of the last one where it is an expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), names)
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last else None
    if value is not None:
        shown.write(f"{value._repr_html_() if hasattr(value, '_repr_html_') else repr(value)}\n")


def main():
    """Runs all of them."""
    sys.modules["ipykernel"] = types.ModuleType("ipykernel")
    with open(sys.argv[1], encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    names = {"__name__": "__main__"}
    with open(sys.argv[2], "w", encoding="utf-8") as shown:
        for cell in cells:
            if cell["cell_type"] == "code":
                run_cell("".join(cell["source"]), names, shown)


main()
