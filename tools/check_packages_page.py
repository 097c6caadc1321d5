#!/usr/bin/env python3
"""Do what docs/packages.md says: each block of CMake, of Meson or of the shell, in the folder of a
project that has ilk in every form, makes a program that runs. Installing makes none, and what comes
after it finds what it installed.

usage: check_packages_page.py
"""
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build/packages/page"
PREFIX = FOLDER / "prefix"
BLOCK = re.compile(r"^```(cmake|meson|sh)\n(.*?)^```$", re.S | re.M)
COMMANDS = {
    "cmake": "cmake -S . -B built -DCMAKE_BUILD_TYPE=Debug && cmake --build built && built/game",
    "meson": "meson setup --buildtype debug --wrap-mode nodownload built && "
             "meson compile -C built && built/game",
}


def make_project():
    """The folder of a project as the page has it, and a compiler that does not optimise."""
    project = FOLDER / "project"
    shutil.rmtree(FOLDER, ignore_errors=True)
    for name in ("vendor", "subprojects"):
        (project / name).mkdir(parents=True)
        (project / name / "ilk").symlink_to(ROOT)
    shutil.copy(ROOT / "test/consumer/consumer.c", project / "game.c")
    subprocess.run([sys.executable, ROOT / "tools/dist.py", "--archive", project / "ilk"], check=True)
    for archive in (project / "ilk").glob("*.tar.gz"):
        archive.rename(project / "vendor" / archive.name)
    compiler = FOLDER / "bin/cc"
    compiler.parent.mkdir()
    compiler.write_text('#!/bin/sh\nexec clang "$@" -O0\n')
    compiler.chmod(0o755)
    return project


def environment():
    return {**os.environ, "PATH": f"{FOLDER / 'bin'}:{os.environ['PATH']}", "CC": "cc",
            "CMAKE_PREFIX_PATH": str(PREFIX), "PKG_CONFIG_PATH": f"{PREFIX}/lib/pkgconfig"}


def commands(folder, language, text):
    if language == "sh":
        installs = "--install" in text
        text = text.replace("$PWD/prefix", str(PREFIX))
        return "set -e\n" + text + ("" if installs else "./game\n")
    name = {"cmake": "CMakeLists.txt", "meson": "meson.build"}[language]
    (folder / name).write_text(text, encoding="utf-8")
    return COMMANDS[language]


def check(project, number, language, text):
    """True if a block does in a project of its own what it should."""
    folder = FOLDER / f"block{number}"
    shutil.copytree(project, folder, symlinks=True)
    run = subprocess.run(["sh", "-c", commands(folder, language, text)], cwd=folder,
                         env=environment(), capture_output=True, text=True)
    if run.returncode != 0:
        print(f"This block of docs/packages.md fails:\n{text}\n{run.stdout}{run.stderr}")
    return run.returncode == 0


def main():
    page = (ROOT / "docs/packages.md").read_text(encoding="utf-8")
    blocks = BLOCK.findall(page)
    project = make_project()
    failed = [n for n, block in enumerate(blocks) if not check(project, n, *block)]
    print(f"{len(blocks) - len(failed)} of {len(blocks)} blocks make a program that runs.")
    return 1 if failed or not blocks else 0


if __name__ == "__main__":
    sys.exit(main())
