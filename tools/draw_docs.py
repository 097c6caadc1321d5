#!/usr/bin/env python3
"""Draw the pictures of docs/storage.md, docs/systems.md and docs/snapshots.md.

usage: draw_docs.py <folder>
"""
import sys
from pathlib import Path
from xml.sax.saxutils import escape

INK, GREY, LINE, PAPER = "#1f2933", "#66727f", "#b9c4cf", "#ffffff"
BLUE, ORANGE, GREEN, RED, PLAIN = "blue", "orange", "green", "red", "plain"
# Of each kind of thing: what fills it, and its border.
COLOURS = {
    BLUE: ("#dfeaf7", "#2f6db3"),
    ORANGE: ("#fbe8d3", "#c0702a"),
    GREEN: ("#dff1e6", "#2f8f5b"),
    RED: ("#fbdfd9", "#c4472b"),
    PLAIN: ("#f2f5f8", "#8895a3"),
}
STYLE = (
    "text{font:13px Helvetica,Arial,sans-serif;fill:" + INK + "}"
    ".code{font-family:DejaVu Sans Mono,Menlo,Consolas,monospace;font-size:12px}"
    ".small{font-size:11.5px;fill:" + GREY + "}.title{font-size:15px;font-weight:bold}"
    ".head{font-weight:bold}path{fill:none;stroke-width:1.6}"
)
TIP = (
    '<marker id="{0}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" '
    'markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0L8 4L0 8z" '
    'style="fill:{1};stroke:none"/></marker>'
)


class Picture:
    def __init__(self, width, height, about):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" role="img">',
            f"<title>{escape(about)}</title>",
            f"<style>{STYLE}</style>",
            "<defs>" + "".join(TIP.format(k, c[1]) for k, c in COLOURS.items()) + "</defs>",
            f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
        ]

    def text(self, x, y, words, kind="", anchor="start", colour=None):
        style = f' style="fill:{COLOURS[colour][1]}"' if colour else ""
        for i, line in enumerate(words.split("\n")):
            self.parts.append(
                f'<text x="{x}" y="{y + 17 * i}" class="{kind}" text-anchor="{anchor}"{style}>'
                f"{escape(line)}</text>"
            )

    def box(self, x, y, width, height, colour=PLAIN, words="", kind="", dashed=False, round_=3):
        fill, border = COLOURS[colour]
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self.parts.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="{round_}" '
            f'fill="{PAPER if dashed else fill}" stroke="{border}"{dash}/>'
        )
        lines = words.split("\n") if words else []
        first = y + height / 2 + 4.5 - 8.5 * (len(lines) - 1)
        self.text(x + width / 2, first, words, kind, "middle")

    def path(self, way, colour=PLAIN, has_tip=True, dashed=False):
        tip = f' marker-end="url(#{colour})"' if has_tip else ""
        dash = ' stroke-dasharray="4 3"' if dashed else ""
        self.parts.append(f'<path d="{way}" stroke="{COLOURS[colour][1]}"{dash}{tip}/>')

    def write(self, path):
        path.write_text("\n".join(self.parts + ["</svg>\n"]), encoding="utf-8")


ROW = 24
# Rows of chunk 7: entity, the bits of Position, Velocity and Burning; no entity is a hole.
ROWS = [
    ("9:1", 0, 0, 0),
    ("10:1", 0, 0, 1),
    (None, 0, 0, 0),
    ("12:3", 0, 0, 0),
    ("13:1", 0, 1, 0),
    ("14:2", 0, 0, 0),
    ("15:1", 0, 0, 1),
]


def draw_way(p):
    """How a value is found: entity, record, entry, block."""
    p.text(24, 34, "The way of ilk_get", "title")
    p.text(24, 62, "an entity", "head")
    p.box(24, 72, 70, 30, PLAIN, "index 12", "small")
    p.box(94, 72, 92, 30, PLAIN, "generation 3", "small")
    p.path("M186 87H236", RED)
    p.text(240, 62, "its record, 8 bytes", "head")
    p.box(240, 72, 92, 30, PLAIN, "generation 3", "small")
    p.box(332, 72, 118, 30, RED, "chunk 7, row 3")
    p.path("M450 87H500", RED)
    p.text(504, 62, "directory of Position, 32 bytes each", "head")
    for i, name in enumerate(["…", "6", "7", "8", "…"]):
        p.box(504 + 56 * i, 72, 56, 30, RED if name == "7" else PLAIN, name)
    p.text(800, 78, "entry 7: where the values begin,\nand that all have one: no bit is\nlooked at", "small")
    p.text(240, 122, "same generation: it is alive", "small")


def draw_column(p, x, name, kind, colour, width, bits, first):
    p.text(x + 4, first - 26, name, "head", colour=colour)
    p.text(x + 4, first - 9, kind, "small")
    for row, (entity, *_) in enumerate(ROWS):
        y = first + ROW * row
        bit = bits[row]
        has = entity and (bit if colour == ORANGE else not bit)
        p.box(x, y, 26, ROW, colour, str(bit) if entity else "", "code", not entity, 0)
        value = f"value {row}" if has else "" if entity else "hole"
        p.box(x + 26, y, width, ROW, colour, value, "small" if value == "hole" else "", not has, 0)


def draw_chunk(p, first):
    p.text(24, first - 58, "Chunk 7, of the ilk {Position, Velocity}: 16 rows", "title")
    p.text(24, first - 26, "row", "head")
    p.text(66, first - 26, "entity", "head")
    for row, (entity, *_) in enumerate(ROWS):
        y = first + ROW * row
        p.text(40, y + 16, str(row), "small", "middle")
        colour = RED if entity == "12:3" else PLAIN
        p.box(62, y, 62, ROW, colour, entity or "", "code", dashed=not entity, round_=0)
    last = first + ROW * len(ROWS)
    p.text(24, last + 18, "7–15: rows that were never used", "small")
    draw_column(p, 148, "Position", "home", BLUE, 100, [row[1] for row in ROWS], first)
    draw_column(p, 298, "Velocity", "home", BLUE, 100, [row[2] for row in ROWS], first)
    draw_column(p, 448, "Burning", "guest", ORANGE, 100, [row[3] for row in ROWS], first)


def draw_notes(p, first):
    x = 606
    p.text(x, first - 26, "Home: every row has the value.", "", colour=BLUE)
    p.text(x, first - 8, "A bit that is set is an exception: entity 13:1 has lost", "small")
    p.text(x, first + 9, "its Velocity, and lies where it was.", "small")
    p.text(x, first + 42, "Guest: a type that the ilk does not have.", "", colour=ORANGE)
    p.text(x, first + 60, "A bit that is set is a value: entities 10:1 and 15:1 were", "small")
    p.text(x, first + 77, "given Burning, and nothing moved.", "small")
    p.text(x, first + 110, "Hole: entity 11 was destroyed.")
    p.text(x, first + 128, "The next entity of the ilk fills it, the lowest first.", "small")
    p.text(x, first + 161, "Settling puts right what lasts: exceptions and guests", "small")
    p.text(x, first + 178, "move to chunks of their own ilk, holes are closed.", "small")


def draw_memory(p, y):
    p.text(24, y - 18, "The block of Position in memory: 64 + 16 × 8 bytes", "title")
    p.box(24, y, 84, 30, PLAIN, "unused, 48", "small", round_=0)
    p.box(108, y, 84, 30, BLUE, "off, 8", "small", round_=0)
    p.box(192, y, 84, 30, BLUE, "bits, 8", "small", round_=0)
    for i, name in enumerate(["value 0", "value 1", "value 2", "value 3", "value 4", "…", "value 15"]):
        p.box(276 + 88 * i, y, 88, 30, RED if i == 3 else BLUE, name, round_=0)
    p.text(192, y + 48, "a bit of each for a row", "small", "middle")
    p.path(f"M276 {y + 54}V{y + 34}", BLUE)
    p.text(282, y + 48, "base, aligned to 64 bytes", "small")
    p.path(f"M540 {y + 54}V{y + 34}", RED)
    p.text(546, y + 48, "base + 3 × 8: where row 3 stays until it is removed, or the world settles", "small")


def draw_storage(folder):
    p = Picture(1000, 548, "From an entity to its value: record, directory entry, block")
    draw_way(p)
    draw_chunk(p, 222)
    draw_notes(p, 222)
    p.path("M644 102V164Q644 174 634 174H294Q284 174 284 184V296Q284 306 274 306H258", RED)
    draw_memory(p, 466)
    p.write(folder / "storage.svg")


# What an update does, in the order and with the numbers of docs/systems.md.
STEPS = [
    ("events", "to their\nsubscribers", PLAIN, 92),
    ("start", "in the first\nframe", BLUE, 76),
    ("fixed × N", "whole steps\nof 1/60 s,\nat most 8", BLUE, 92),
    ("update", "and phases\nof your own", BLUE, 108),
    ("post", "", BLUE, 64),
    ("commands", "that wait for\nthe frame", GREEN, 96),
    ("events", "that all have\npassed go", PLAIN, 88),
    ("settling", "up to 1,024\nblocks", ORANGE, 88),
]


def draw_step(p, x, y, name, words, colour, width):
    p.box(x, y, width, 42, colour, name, "head")
    p.text(x + width / 2, y - 10 - 17 * words.count("\n"), words, "small", "middle")


def draw_steps(p, y):
    """A frame from left to right. Returns where the phase update is."""
    p.text(24, 34, "A frame: ilk_update(world, dt), then ilk_draw(world, surface)", "title")
    p.text(24, y + 26, "dt", "code")
    p.path(f"M44 {y + 21}H66", PLAIN)
    x = 70
    update = None
    for step in STEPS:
        draw_step(p, x, y, *step)
        if step[0] == "update":
            update = (x, step[-1])
        x += step[-1] + 8
    p.path(f"M{x - 6} {y + 21}H{x + 28}", PLAIN)
    draw_step(p, x + 32, y, "draw", "no time\ngoes by", BLUE, 84)
    return update


LANES = ["world's thread", "worker 1", "worker 2"]
# Waves: a name, the systems of each lane (name, colour, width), and how long it lasts.
WAVES = [
    ("wave 0", "swim and count: neither writes\nwhat the other reads", [
        [("swim 0", BLUE, 62), ("swim 3", BLUE, 62), ("swim 5", BLUE, 62)],
        [("swim 1", BLUE, 62), ("swim 4", BLUE, 62)],
        [("swim 2", BLUE, 62), ("count", ORANGE, 110)],
    ], 192),
    ("wave 1", "turn reads what swim writes:\nit comes after", [
        [("turn 0", BLUE, 62), ("turn 2", BLUE, 62)],
        [("turn 1", BLUE, 62), ("turn 3", BLUE, 62)],
        [],
    ], 130),
    ("wave 2", "breed declares nothing:\nit runs alone", [
        [("breed", ORANGE, 90)],
        [],
        [],
    ], 90),
]
APPLY = 92


def draw_wave(p, x, top, lanes):
    for lane, jobs in enumerate(lanes):
        at = x
        for name, colour, width in jobs:
            p.box(at, top + 40 * lane, width - 4, 30, colour, name, "small")
            at += width


def draw_waves(p, left, top, update):
    x, width = update
    bottom, right = top + 40 * len(LANES) + 92, 1000 - 24
    p.path(f"M{x} 154L{left} {top - 52}", BLUE, False, True)
    p.path(f"M{x + width} 154L{right} {top - 52}", BLUE, False, True)
    p.parts.append(
        f'<rect x="{left}" y="{top - 52}" width="{right - left}" height="{bottom - top + 52}" rx="6" '
        f'fill="none" stroke="{COLOURS[BLUE][1]}" stroke-dasharray="4 3"/>'
    )
    for lane, name in enumerate(LANES):
        p.text(left + 14, top + 40 * lane + 20, name)
        p.path(f"M{left + 118} {top + 40 * lane + 15}H{right - 14}", PLAIN, False, True)
    at = left + 124
    for name, why, lanes, length in WAVES:
        p.text(at, top - 30, name, "head")
        p.text(at, top - 13, "its systems at the same time" if name == "wave 0" else "", "small")
        draw_wave(p, at, top, lanes)
        p.text(at, top + 40 * len(LANES) + 14, why, "small")
        at += length + 4
        p.box(at, top, APPLY - 12, 30, GREEN, "commands", "small")
        at += APPLY + 8
    p.text(left + 14, bottom - 32, "Pieces (swim 0, swim 1, …) depend on the world alone, and commands are "
           "applied in the order of systems and pieces:\nthe result is the same for any number of "
           "workers.", "small")


def draw_frame(folder):
    p = Picture(1000, 482, "A frame: events, phases, waves of systems, commands, settling, drawing")
    update = draw_steps(p, 112)
    draw_waves(p, 24, 246, update)
    p.write(folder / "frame.svg")


FIRST, SECOND, WORLD = 152, 220, 288  # where snapshot 1, snapshot 2 and the world stand
PITCH = 42


def draw_panel(p, x, title, words, rows):
    """The world's four blocks at one moment, and above it the snapshots: rows of a place, a name, four
    blocks, of which None shares the bytes of whoever is below, and a colour for each."""
    p.text(x, 70, title, "head")
    p.text(x, 90, words, "small")
    for y, name, blocks, colours in rows:
        p.text(x + 4 * PITCH + 6, y + 19, name, "small")
        for i, (block, colour) in enumerate(zip(blocks, colours)):
            colour = colour if block else PLAIN
            p.box(x + PITCH * i, y, PITCH - 4, 28, colour, block or "", "code", not block)
    for (upper, _, blocks, _), (lower, *_) in zip(rows, rows[1:]):
        for i, block in enumerate(blocks):
            middle = x + PITCH * i + PITCH // 2 - 2
            if not block:
                p.path(f"M{middle} {upper + 28}V{lower - 2}", PLAIN, True, True)
            elif lower == WORLD:
                p.path(f"M{middle} {lower - 2}V{upper + 30}", ORANGE)


def first(*blocks):
    return FIRST, "snapshot 1", blocks, [ORANGE] * 4


def second(*blocks):
    return SECOND, "snapshot 2", blocks, [ORANGE] * 4


def world(*blocks, written=""):
    return WORLD, "world", blocks, [RED if block[0] in written else BLUE for block in blocks]


def draw_key(p, y):
    p.box(24, y - 14, 30, 18, BLUE)
    p.text(62, y, "as it was", "small")
    p.box(150, y - 14, 30, 18, RED)
    p.text(188, y, "written since", "small")
    p.box(300, y - 14, 30, 18, ORANGE)
    p.text(338, y, "old bytes, put aside", "small")
    p.box(486, y - 14, 30, 18, PLAIN, dashed=True)
    p.text(524, y, "shared: read where the arrow leads, in a newer snapshot or in the world", "small")


def draw_snapshot(folder):
    p = Picture(1000, 376, "A snapshot shares the world's blocks; the first write puts old bytes aside")
    p.text(24, 34, "Snapshots share what does not change", "title")
    none = (None,) * 4
    draw_panel(p, 24, "1 · a snapshot is taken",
               "It is a list of blocks. All are the\nworld's: no value is copied.",
               [first(*none), world("A", "B", "C", "D")])
    draw_panel(p, 268, "2 · the first write to B",
               "Its bytes are put aside, once; then\nthe world writes where it always did.",
               [first(None, "B", None, None), world("A", "B′", "C", "D", written="B")])
    draw_panel(p, 512, "3 · another one, then B and D",
               "The newest gets the old bytes; the\none before finds its D there.",
               [first(None, "B", None, None), second(None, "B′", None, "D"),
                world("A", "B″", "C", "D′", written="BD")])
    draw_panel(p, 756, "4 · back to snapshot 2",
               "B and D are swapped for what was\nput aside; A and C are not touched.",
               [first(None, "B", None, None), second(*none), world("A", "B′", "C", "D")])
    draw_key(p, 350)
    p.write(folder / "snapshot.svg")


def main():
    folder = Path(sys.argv[1])
    draw_storage(folder)
    draw_frame(folder)
    draw_snapshot(folder)


if __name__ == "__main__":
    main()
