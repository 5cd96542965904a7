#!/usr/bin/env python3
"""Makes a long unfinished film of a short one, to see how long its recovery takes.

    unfinished.py SOURCE.mov RESULT.mov GIGABYTES

SOURCE is what a SIGKILL has left of a recording. Its fragments are appended again and again, numbered and timed as a
recorder would have, and the result ends in the middle of one.
"""
import os
import struct
import sys


def boxes(data, start, end):
    """(type, offset, header, size) of the boxes in data[start:end], as far as they are whole."""
    while start + 8 <= end:
        size, kind = struct.unpack_from(">I4s", data, start)
        header = 8
        if size == 1:
            size, header = struct.unpack_from(">Q", data, start + 8)[0], 16
        if size < header or start + size > end:
            return
        yield kind, start, header, size
        start += size


class Fragment:
    """A moof and its mdat, with the places of what is different in each repetition."""

    def __init__(self, data):
        self.data = bytearray(data)
        self.numbers, self.times, self.bases = [], [], []
        self.ends = {}
        for kind, at, header, size in boxes(data, 0, len(data)):
            if kind == b"moof":
                for inner, place, head, length in boxes(data, at + header, at + size):
                    if inner == b"mfhd":
                        self.numbers.append(place + head + 4)
                    elif inner == b"traf":
                        self.track(data, place + head, place + length)

    def track(self, data, start, end):
        track = duration = default = 0
        for kind, at, header, size in boxes(data, start, end):
            at += header
            flags = struct.unpack_from(">I", data, at)[0] & 0xFFFFFF
            if kind == b"tfhd":
                track = struct.unpack_from(">I", data, at + 4)[0]
                place = at + 8
                if flags & 0x1:
                    self.bases.append(place)
                    place += 8
                place += 4 if flags & 0x2 else 0
                if flags & 0x8:
                    default = struct.unpack_from(">I", data, place)[0]
            elif kind == b"tfdt":
                self.times.append((track, at + 4, data[at] == 1))
                form = ">Q" if data[at] == 1 else ">I"
                time = struct.unpack_from(form, data, at + 4)[0]
            elif kind == b"trun":
                count, place = struct.unpack_from(">I", data, at + 4)[0], at + 8
                place += (4 if flags & 0x1 else 0) + (4 if flags & 0x4 else 0)
                fields = [bool(flags & bit) for bit in (0x100, 0x200, 0x400, 0x800)]
                for _ in range(count):
                    duration += struct.unpack_from(">I", data, place)[0] if fields[0] else default
                    place += 4 * sum(fields)
        self.ends[track] = time + duration

    def moved(self, number, offsets, base):
        for place in self.numbers:
            struct.pack_into(">I", self.data, place, number)
        for place in self.bases:
            struct.pack_into(">Q", self.data, place, base)
        data = bytearray(self.data)
        for track, place, is_long in self.times:
            form = ">Q" if is_long else ">I"
            struct.pack_into(form, data, place, struct.unpack_from(form, data, place)[0] + offsets.get(track, 0))
        return data


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    source, goal = open(sys.argv[1], "rb").read(), int(float(sys.argv[3]) * 1e9)
    found = list(boxes(source, 0, len(source)))
    first = next(at for kind, at, _, _ in found if kind == b"moof")
    fragments = []
    for (kind, at, _, size), (after, _, _, length) in zip(found, found[1:]):
        if kind == b"moof" and after == b"mdat":
            fragments.append(Fragment(source[at : at + size + length]))
    period = {}
    for fragment in fragments:
        period.update({track: max(end, period.get(track, 0)) for track, end in fragment.ends.items()})
    number, offsets = 0, {}
    with open(sys.argv[2], "wb") as result:
        result.write(source[:first])
        while result.tell() < goal:
            for fragment in fragments:
                number += 1
                result.write(fragment.moved(number, offsets, result.tell()))
            offsets = {track: offsets.get(track, 0) + length for track, length in period.items()}
        result.truncate(goal)
    print(f"{sys.argv[2]}: {number} fragments, {os.path.getsize(sys.argv[2])} bytes")


if __name__ == "__main__":
    main()
