#!/usr/bin/env python3
"""Print the totals of a coverage export, and list what is not covered.

usage: coverage_report.py <export of llvm-cov> <list to write>
"""
import json
import os
import sys

MEASURES = ("lines", "branches", "mcdc")


def uncovered_lines(segments):
    """Lines that never ran, as llvm-cov counts them: a line ran if anything on it did.

    A segment is [line, column, count, counted, entry, gap] and reaches to the next.
    """
    best = {}
    for here, after in zip(segments, segments[1:]):
        line, _, count, counted, entry, gap = here
        if not counted or gap:
            continue
        if entry:
            best[line] = max(best.get(line, 0), count)
        for further in range(line + 1, after[0] + 1):
            best[further] = max(best.get(further, 0), count)
    return sorted(line for line, count in best.items() if count == 0)


def ranges(lines):
    """[1, 2, 3, 7] as (1, 3), (7, 7)."""
    found = []
    for line in lines:
        if found and found[-1][1] == line - 1:
            found[-1][1] = line
        else:
            found.append([line, line])
    return found


def uncovered_branches(branches):
    """A branch is [line, column, end line, end column, times true, times false, …]. A function of
    a header is there once for each source that uses it."""
    times = {}
    for branch in branches:
        so_far = times.setdefault((branch[0], branch[1]), [0, 0])
        so_far[0] += branch[4]
        so_far[1] += branch[5]
    for (line, column), (times_true, times_false) in times.items():
        if times_true == 0 and times_false == 0:
            yield line, f"condition at column {column} is never reached"
        elif times_true == 0:
            yield line, f"condition at column {column} is never true"
        elif times_false == 0:
            yield line, f"condition at column {column} is never false"


def uncovered_decisions(decisions):
    """A decision is [line, column, …, list of conditions that were seen to decide alone]."""
    shown = {}
    for decision in decisions:
        place = (decision[0], decision[1])
        before = shown.get(place, [False] * len(decision[-1]))
        shown[place] = [a or b for a, b in zip(before, decision[-1])]
    for (line, _), conditions in shown.items():
        for number, decides in enumerate(conditions, 1):
            if not decides:
                yield line, f"condition {number} never decides alone (MC/DC)"


def uncovered_in(entry):
    """Sorted pairs of line and text."""
    found = []
    for first, last in ranges(uncovered_lines(entry["segments"])):
        found.append((first, "never runs" if first == last else f"never runs, to line {last}"))
    found += uncovered_branches(entry.get("branches", []))
    found += uncovered_decisions(entry.get("mcdc_records", []))
    return sorted(found)


def cell(summary):
    if summary["count"] == 0:
        return f"{'–':>22}"
    return f"{summary['covered']:>6} of {summary['count']:>5} {summary['percent']:>5.1f} %"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        data = json.load(file)["data"][0]
    files = sorted((os.path.relpath(f["filename"]), f) for f in data["files"])

    print(f"{'':32}" + "".join(f"{name:>24}" for name in MEASURES))
    for path, summary in [(p, f["summary"]) for p, f in files] + [("all", data["totals"])]:
        print(f"{path:32}" + "".join(f"{cell(summary[m]):>24}" for m in MEASURES))

    count = 0
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        for path, entry in files:
            for line, what in uncovered_in(entry):
                out.write(f"{path}:{line}: {what}\n")
                count += 1
    print(f"{count} places are not covered.")


if __name__ == "__main__":
    main()
