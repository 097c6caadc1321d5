#!/usr/bin/env python3
"""Make docs/costs.md, what each verb costs, from bench/results/costs.csv.

The file is what `make bench` leaves in build/bench/results.csv: lines of facts, `# machine: …`, and then
a line for each figure. Each row of bench/rows.c has a place in the tables below.

usage: costs.py [--check | --self-test]

--check refuses results of a part of the rows or sizes: the page in the repository is of all.
"""
import csv
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULTS = ROOT / "bench/results/costs.csv"
PAGE = ROOT / "docs/costs.md"
SIZES = (1000, 100000, 1000000)
COMPILERS = ("gcc", "clang")
FACTS = ("machine", "system", "gcc", "clang", "date", "rows", "sizes")

# What one operation of each row is: a table for each group.
GROUPS = {
    "Entities": {
        "create_empty": "`ilk_create`",
        "create_2": "`ilk_spawn` with two values",
        "create_2_set": "`ilk_create`, then `ilk_set` twice",
        "create_2_set_10": "the same, where the second is of ten types in turn",
        "create_2_bulk": "`ilk_spawn_many` with two values, filled in place",
        "destroy_2": "`ilk_destroy`, in order",
        "destroy_2_random": "`ilk_destroy`, in random order",
        "random_despawn_respawn": "`ilk_destroy` at random, and `ilk_spawn`",
    },
    "Components": {
        "get_random": "`ilk_get`, of entities in random order",
        "get_2_seq": "`ilk_get` twice, in order",
        "has_random": "`ilk_has`, in random order",
        "add_remove_1": "`ilk_add` and `ilk_remove`",
        "add_remove_tag": "the same of a tag",
        "add_remove_5": "the same, for each of five",
        "settle": "`ilk_settle`, for each entity that it moves",
    },
    "Loops, for each entity": {
        "iter_1": "`ilk_next`, writing one component",
        "iter_2": "writing one, reading another",
        "iter_3": "writing two, reading one",
        "iter_2_half": "as iter_2, where every second entity matches",
        "iter_churn": "a random half was given the component: `ilk_next_rows`",
        "iter_settled": "the same, after `ilk_settle`: `ilk_next`",
        "iter_toggle": "a random half is switched off: `ilk_next_rows`",
        "iter_rare_1pct": "one in a hundred has the component",
        "frag_26": "26 sets of components, one in common",
        "frag_1024": "1,024 sets of ten components over two",
        "frag_1024_later": "the same, where the ten were given later",
        "query_once": "a query made, walked and destroyed",
        "write_barrier": "a loop that writes, where no snapshot is held",
    },
    "Changes and observers": {
        "change_1pct": "a pass with `.changed`, of one block in a hundred; for each entity that there is",
        "modified_1pct": "the same of one value in a hundred, of a type with `.track`",
        "observer_none": "`ilk_add` and `ilk_remove`, while others are observed",
        "observer_add": "`ilk_add`, told to an observer, and `ilk_remove`",
    },
    "Commands, events and systems": {
        "defer_spawn": "`ilk_cmd_spawn` or `ilk_cmd_destroy`, and applying it",
        "cmd_set": "`ilk_cmd_set`, and applying it",
        "event_emit_read": "`ilk_emit` and `ilk_read`",
        "systems_7": "`ilk_update` with seven systems, for each entity",
        "schedule_100": "`ilk_update` with a hundred systems, for each system",
        "par_heavy": "a parallel system on two threads, for each entity",
        "empty_system": "a system without work",
        "par_small": "`ilk_update` with a parallel system over 100 entities",
        "par_kinds": "a parallel system on two threads over 20,000 kinds, for each entity",
    },
    "Relations and names": {
        "relate_1": "`ilk_relate` and `ilk_unrelate`",
        "relate_4000": "`ilk_relate`, one source to 4,000 targets",
        "children_50k": "`ilk_spawn` with a parent, two children each",
        "children_50k_iter": "a loop over all children",
        "children_50k_parents": "the same, looking at each one's parent",
        "transform_tree": "a tree, parents first (`order_by_depth`), for each node",
        "query_related": "a walk over the ten that relate to one target",
        "name_lookup": "`ilk_named`",
        "name_set": "`ilk_set_name`",
    },
    "Blueprints and moving": {
        "spawn_blueprint": "`ilk_blueprint_spawn_many`, five components",
        "clone_1": "`ilk_copy`, five components",
        "transfer_100k": "`ilk_transfer`, three components",
    },
    "History": {
        "snapshot_take": "`ilk_snapshot_take`",
        "snapshot_restore": "`ilk_snapshot_restore`, over a tick that wrote one component of three",
        "snapshot_open": "`ilk_snapshot_open`, reading one component, and closing",
        "snapshot_tax": "a tick while a snapshot of the one before is held, for each entity",
        "rollback_8": "`ilk_ring_rewind` by eight ticks, and playing them again",
        "hash_full": "`ilk_hash` of all, for each entity",
        "hash_1pct": "`ilk_hash` after one block in a hundred was written, for each entity",
        "delta_1pct": "a delta made and applied, for each value that was written",
    },
    "Space": {
        f"space_{verb}{crowd}": words + (", in clusters" if crowd else "")
        for crowd in ("", "_clustered")
        for verb, words in {
            "build": "building a space, for each entity",
            "refresh_1pct": "`ilk_space_refresh` after one in a hundred moved, for each entity",
            "refresh_all": "the same after all moved",
            "radius": "`ilk_space_find` of some ten",
            "nearest_8": "`ilk_space_nearest` of eight",
        }.items()
    },
    "Worlds and memory": {
        "world_empty_time": "`ilk_world_create` and `ilk_world_destroy`",
        "world_empty_heap": "an empty world",
        "mem_3": "an entity with three components",
        "mem_rare_1pct": "a component of 64 bytes that one in a hundred has",
        "children_50k_bytes": "an entity of a tree, two children each",
        "relate_4000_bytes": "4,000 relations of one entity",
    },
}


class Results:
    """The figures of a results file: facts, and by compiler, row, size and side the least time."""

    def __init__(self, lines):
        self.facts = dict(re.findall(r"^# (\w+): (.*?)\s*$", "\n".join(lines), re.MULTILINE))
        missing = [fact for fact in FACTS if fact not in self.facts]
        if missing:
            raise SystemExit(f"the results do not say: {', '.join(missing)}")
        self.figures = {}
        for one in csv.DictReader(line for line in lines if not line.startswith("#")):
            key = one["compiler"], one["workload"], int(one["n"]), one["impl"]
            self.figures[key] = shown(float(one["min"]), one["unit"]) + "~" * int(one["noisy"])

    def cell(self, row, n, side="ilk", compilers=COMPILERS):
        found = [self.figures.get((compiler, row, n, side)) for compiler in compilers]
        return " · ".join(figure or "–" for figure in found) if any(found) else ""

    def has_only_one_size(self, row):
        return any(key[1] == row and key[2] == 1 for key in self.figures)


def shown(value, unit):
    units = ["B", "KB", "MB"] if unit == "B" else ["ns", "µs", "ms"]
    step = 1024 if unit == "B" else 1000
    while value >= 10 * step and len(units) > 1:
        value /= step
        units.pop(0)
    digits = 2 if value < 10 else 1 if value < 100 else 0
    if 0 < value < 0.05:
        digits = 4
    return f"{value:,.{digits}f}" + ("" if units[0] == "ns" else f" {units[0]}")


def table(results, rows):
    """A line for each row that was measured."""
    for row, words in rows.items():
        if results.has_only_one_size(row):
            cells, raw = ["", results.cell(row, 1), ""], results.cell(row, 1, "raw")
        else:
            cells, raw = [results.cell(row, n) for n in SIZES], results.cell(row, SIZES[1], "raw")
        if any(cells):
            yield f"| {words} | {row} | {' | '.join(cells)} | {raw} |"


INTRODUCTION = """# What things cost

Nanoseconds for each operation, unless another unit stands there: the least of at least ten repeats, by
gcc · clang. Raw is the same work by hand, with flat arrays and no checks, in the same run; how that is
done stands in [performance.md](performance.md). A row without a size of its own stands under 100,000. A
figure with ~ was measured while other programs wanted the processor.

This page is made from [results](../bench/results/costs.csv) and not by hand: `make bench` measures on your
machine, and `make costs` makes this page of what it measured.
"""


def part(facts):
    """What was measured, if that is not all; or None."""
    if facts["rows"] != "all":
        return f"the rows `{facts['rows']}`, at {facts['sizes']}"
    if facts["sizes"] != ",".join(map(str, SIZES)):
        return f"all rows, at {facts['sizes']}"
    return None


def page(results):
    facts = results.facts
    lines = [INTRODUCTION, "| measured | |", "|---|---|"]
    lines += [f"| {fact} | {facts[fact]} |" for fact in ("machine", "system", "gcc", "clang", "date")]
    if part(facts):
        lines += ["", f"Only a part was measured: {part(facts)}."]
    for group, rows in GROUPS.items():
        found = list(table(results, rows))
        if found:
            lines += ["", f"## {group}", "", "| | row | 1,000 | 100,000 | 1,000,000 | raw at 100,000 |",
                      "|---|---|---|---|---|---|", *found]
    return "\n".join(lines) + "\n"


def strangers(bench_rows):
    """Rows of the benchmark that have no place here, and places of rows that are not there."""
    ours = {row for rows in GROUPS.values() for row in rows}
    theirs = set(re.findall(r'^    \{"(\w+)", &work', bench_rows, re.MULTILINE))
    return sorted(ours ^ theirs)


def self_test():
    lines = [f"# {fact}: some {fact}" for fact in FACTS]
    lines += ["compiler,workload,n,impl,unit,min,median,noisy", "gcc,iter_1,1000,ilk,ns,0.25,0.3,0",
              "clang,iter_1,1000,ilk,ns,0.5,0.6,1", "gcc,snapshot_take,1000000,ilk,ns,13600,13700,0",
              "gcc,iter_1,100000,raw,ns,0.02,0.02,0", "gcc,empty_system,1,ilk,ns,28,29,0",
              "gcc,mem_3,100000,ilk,B,52.5,52.5,0"]
    made = page(Results(lines))
    wanted = ["| iter_1 | 0.25 · 0.50~ |  |  | 0.0200 · – |", "| 13.6 µs · – |  |",
              "| empty_system |  | 28.0 · – |  |  |", "| 52.5 B · – |", "the rows `some rows`",
              "| gcc | some gcc |"]
    found = [f"not on the page: {w}" for w in wanted if w not in made]
    found += [f"on the page: {w}" for w in ("iter_2", "## Space") if w in made]
    odd = strangers('    {"iter_1", &work_iter_1},\n    {"odd", &work_odd},\n')
    if "odd" not in odd or "iter_2" not in odd or "iter_1" in odd:
        found.append("a row that is new or gone is not noticed")
    whole = {"rows": "all", "sizes": "1000,100000,1000000"}
    if part(whole) or not part(whole | {"rows": "get_.*"}) or not part(whole | {"sizes": "1000"}):
        found.append("results of a part are not noticed")
    try:
        Results(lines[1:])
        found.append("a fact that is missing is not noticed")
    except SystemExit:
        pass
    return found


def main():
    if "--self-test" in sys.argv:
        found = self_test()
        print("\n".join(found) or "The page is made as it should be.")
        return 1 if found else 0
    odd = strangers((ROOT / "bench/rows.c").read_text(encoding="utf-8"))
    if odd:
        print("not both in bench/rows.c and in tools/costs.py:", *odd)
        return 1
    results = Results(RESULTS.read_text(encoding="utf-8").splitlines())
    made = page(results)
    if "--check" not in sys.argv:
        PAGE.write_text(made, encoding="utf-8")
        print("Written: docs/costs.md")
    elif part(results.facts):
        print(f"bench/results/costs.csv has only a part: {part(results.facts)}. make bench measures all.")
        return 1
    elif not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != made:
        print("docs/costs.md is not what bench/results/costs.csv gives; tools/costs.py makes it anew.")
        return 1
    else:
        print("The page is what the results give.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
