#!/usr/bin/env python3
"""See that PNG pictures are whole and show something: check_png.py <width> <height> <file>…

Each must have that size, right check sums, as many bytes as it says, and more than a thousand
different pixels.
"""
import struct
import sys
import zlib

COLOURS = 1000


def chunks(content):
    """Yield name and bytes of each chunk; ValueError for what is none."""
    if content[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError("is no PNG")
    at = 8
    while at < len(content):
        length, name = struct.unpack(">I4s", content[at:at + 8])
        body = content[at + 8:at + 8 + length]
        if struct.unpack(">I", content[at + 8 + length:at + 12 + length])[0] != \
                zlib.crc32(name + body):
            raise ValueError(f"the check sum of {name.decode()} is wrong")
        yield name, body
        at += length + 12


def paeth(a, b, c):
    """Of left, above and above left, the one nearest to a + b - c."""
    p = a + b - c
    return min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]


def unfilter(kind, row, above, size):
    """The bytes of a row, in place."""
    for i in range(len(row) if kind else 0):
        left = row[i - size] if i >= size else 0
        corner = above[i - size] if i >= size else 0
        guess = (0, left, above[i], (left + above[i]) // 2, paeth(left, above[i], corner))[kind]
        row[i] = (row[i] + guess) & 255


def pixels(path, width, height):
    """The set of different pixels."""
    with open(path, "rb") as file:
        found = list(chunks(file.read()))
    if found[0][0] != b"IHDR" or found[-1][0] != b"IEND":
        raise ValueError("does not begin and end as a PNG does")
    header = struct.unpack(">IIBBBBB", found[0][1])
    if header != (width, height, 8, 6, 0, 0, 0):
        raise ValueError(f"is {header}")
    body = zlib.decompress(b"".join(chunk for name, chunk in found if name == b"IDAT"))
    size = 4
    if len(body) != height * (1 + width * size):
        raise ValueError(f"has {len(body)} bytes")
    seen, above = set(), bytearray(width * size)
    for y in range(height):
        begin = y * (1 + width * size)
        row = bytearray(body[begin + 1:begin + 1 + width * size])
        unfilter(body[begin], row, above, size)
        seen.update(bytes(row[i:i + size]) for i in range(0, len(row), size))
        above = row
    return seen


def main():
    width, height = int(sys.argv[1]), int(sys.argv[2])
    failed = False
    for path in sys.argv[3:]:
        try:
            count = len(pixels(path, width, height))
            complaint = "" if count > COLOURS else f"has {count} different pixels only"
        except (ValueError, struct.error, zlib.error) as error:
            complaint = str(error)
        if complaint:
            print(f"{path} {complaint}")
            failed = True
    sys.exit(failed or len(sys.argv) < 4)


main()
