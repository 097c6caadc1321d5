#!/usr/bin/env python3
"""Check docs/requirements.md against the tests.

A row of the table is `| R000.12 | what is asked | tests | state |`; its name is R000.12 or C17. The
tests are names of test functions or files, the state is `done`, `partly: …`, `open` or `later: …`.
A test names the rows that it proves in a comment: `// R000.12 C17` or `// C17: why`; a script of tools/
that is a test, in one with `#`.

Every row that is done has tests, and a comment of a test names it; every row that a comment names is
in the table; every test that a row lists exists; no row stands twice.

usage: check_requirements.py [--self-test]
"""
import re
import sys
import tempfile
from pathlib import Path

ROW = re.compile(r"R\d{3}\.\d+|C\d+")
STATE = re.compile(r"(done|open|partly: .+|later: .+)$")
# R000.12 counts anywhere in a comment. C17 might be the language, so it counts only in a
# comment that starts with a list of rows and then ends or goes on with a colon.
COMMENT = re.compile(r"//(.*)")
SCRIPT_COMMENT = re.compile(r"^# (.*)")
R_ROW = re.compile(r"\bR\d{3}\.\d+\b")
LEADING_ROWS = re.compile(r"\s*((?:(?:R\d{3}\.\d+|C\d+)[\s,]*)+)(?::|$)")


def rows_of_table(path):
    """Yield line number, name, tests and state of each row."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip())][1:-1]
        if cells and ROW.fullmatch(cells[0]):
            yield number, cells


def tests_of(cell):
    names = re.split(r"[\s,;`]+", cell)
    return [name for name in names if re.match(r"[A-Za-z_.]", name)]


def rows_in_comment(comment):
    found = set(R_ROW.findall(comment))
    leading = LEADING_ROWS.match(comment)
    if leading:
        found.update(ROW.findall(leading[1]))
    return found


def rows_in_tests(root):
    """Yield path, line number and name of each row that a comment of a test names."""
    tests = [path for path in (root / "test").rglob("*") if path.suffix in (".c", ".h")]
    for path in sorted(tests + list((root / "tools").glob("check_*.sh"))):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            for comment in (COMMENT if path.suffix != ".sh" else SCRIPT_COMMENT).findall(line):
                for row in sorted(rows_in_comment(comment)):
                    yield path, number, row


class Tests:
    """What a row may list: files by path or by name, and words in the sources of the tests."""

    def __init__(self, root):
        self.root = root
        self.files = set()
        self.words = set()
        for folder in ("test", "bench", "tools", "examples"):
            for path in (root / folder).rglob("*"):
                if path.is_file() and path.suffix in (".c", ".h", ".py", ".sh", ".txt"):
                    self.files.add(path.name)
                    self.words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))

    def have(self, name):
        if "/" in name:
            return (self.root / name).exists()
        return name in self.files or name in self.words


def offences(root):
    table = root / "docs/requirements.md"
    if not table.is_file():
        return ["docs/requirements.md is not there"]
    found = []
    named = list(rows_in_tests(root))
    names_in_tests = {row for _, _, row in named}
    tests = Tests(root)
    seen = {}
    for line, cells in rows_of_table(table):
        here = f"docs/requirements.md:{line}: {cells[0]}"
        if len(cells) != 4:
            found.append(f"{here} has {len(cells)} columns, not 4")
            continue
        row, _, listed, state = cells
        if row in seen:
            found.append(f"{here} stands already at line {seen[row]}")
        seen[row] = line
        if not STATE.match(state):
            found.append(f"{here} has the unknown state '{state}'")
        if state == "done" and not tests_of(listed):
            found.append(f"{here} is done but lists no test")
        if state == "done" and row not in names_in_tests:
            found.append(f"{here} is done but no comment in test/ names it")
        for name in tests_of(listed):
            if not tests.have(name):
                found.append(f"{here} lists {name}, which is not there")
    if not seen:
        found.append("docs/requirements.md has no rows")
    for path, line, row in named:
        if row not in seen:
            found.append(f"{path.relative_to(root)}:{line}: {row} is not in the table")
    return found


def self_test():
    """Plant each kind of offence in a small project, and see each caught and nothing else."""
    table = r"""
| row | what | tests | state |
|---|---|---|---|
| R000.1 | right, with a \| in it | `test_right`, test_some.c | done |
| C17 | right too | test/test_some.c | done |
| C18 | right too | – | partly: half of it |
| R000.2 | named by no comment | test_right | done |
| R000.3 | a test that is not there | test_absent | open |
| R000.1 | twice | | open |
| R000.4 | no such state | | nearly |
| R000.5 | too few columns | done |
| R000.6 | no tests | | done |
"""
    test = """
// R000.1 C17
static void test_right(void** state) {} // R000.6: and why
// C11 is the language. C18
// R009.9 C99
"""
    wanted = [
        "R000.2 is done but no comment in test/ names it",
        "R000.3 lists test_absent, which is not there",
        "R000.1 stands already at line 4",
        "R000.4 has the unknown state 'nearly'",
        "R000.5 has 3 columns, not 4",
        "R000.6 is done but lists no test",
        "test/test_some.c:5: C99 is not in the table",
        "test/test_some.c:5: R009.9 is not in the table",
    ]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        for name in ("docs", "test"):
            (root / name).mkdir()
        (root / "docs/requirements.md").write_text(table, encoding="utf-8")
        (root / "test/test_some.c").write_text(test, encoding="utf-8")
        found = offences(root)
    missed = [f"not caught: {w}" for w in wanted if not any(f.endswith(w) for f in found)]
    extra = [f"caught for no reason: {f}" for f in found if not any(f.endswith(w) for w in wanted)]
    return missed + extra


def main():
    root = Path(__file__).resolve().parent.parent
    found = self_test() if "--self-test" in sys.argv else offences(root)
    print("\n".join(found) if found else "The requirements and the tests agree.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
