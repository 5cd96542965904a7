"""What a disk was told, as qemu's blklogwrites logs it, and the disk as a power cut at any place of the log leaves it.

The format is that of Linux's dm-log-writes: a sector with magic, version, number of entries and size of a sector; then
a sector for each entry (first sector, sectors, flags, unused), followed by what it writes. qemu counts the entries up
to the last flush; those behind it are there nevertheless. A write is logged when it is done, a flush too: one that was
done while a flush was underway is taken as flushed.
"""
import collections
import mmap
import struct
import subprocess

Entry = collections.namedtuple("Entry", "sector count is_flush data")  # data: where it begins in the log; None

_MAGIC, _VERSION, _FLUSH = 0x6A736677736872, 1, 1
_BLOCK = 8  # sectors of 512 bytes


class WriteLog:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, prot=mmap.PROT_READ)
        magic, version, count, self.sector_size = struct.unpack_from("<QQQI", self.bytes)
        if (magic, version) != (_MAGIC, _VERSION):
            raise ValueError(f"{path} is no log of writes")
        self.entries = []
        place = self.sector_size
        while place + self.sector_size <= len(self.bytes):
            sector, sectors, flags, _ = struct.unpack_from("<4Q", self.bytes, place)
            place += self.sector_size
            end = place + sectors * self.sector_size
            if flags not in (0, _FLUSH) or end > len(self.bytes) or not (flags or sectors):
                # Where qemu was killed while it wrote.
                break
            self.entries.append(Entry(sector, sectors, flags == _FLUSH, place if sectors else None))
            place = end
        if len(self.entries) < count:
            raise ValueError(f"{path}: entry {len(self.entries)} of {count} cannot be read")

    def data(self, entry):
        return self.bytes[entry.data : entry.data + entry.count * self.sector_size]


class Replay:
    """The disk at the places of a log, in rising order; `base` is a copy of what it was before, and changes."""

    def __init__(self, log, base):
        self.log, self.base, self.done = log, base, 0

    def cut(self, place, image, random):
        """Makes `image`, the disk behind `place` entries: everything up to the last flush is there. Of what came behind
        it, which was in the disk's own memory, each write is there, is not, or some of its blocks are: a disk writes
        4 KiB at once.
        """
        log = self.log
        flushes = (index + 1 for index in range(self.done, place) if log.entries[index].is_flush)
        flushed = max(flushes, default=self.done)
        with open(self.base, "r+b") as file:
            for entry in log.entries[self.done : flushed]:
                self._write(file, entry, range(entry.count))
        self.done = flushed
        subprocess.run(["cp", "--sparse=always", self.base, image], check=True)
        with open(image, "r+b") as file:
            for entry in log.entries[flushed:place]:
                fate = random.choice(("there", "missing", "torn"))
                blocks = {sector // _BLOCK: fate == "there" or fate == "torn" and random.random() < 0.5
                          for sector in range(entry.sector, entry.sector + entry.count)}
                self._write(file, entry, [sector for sector in range(entry.count)
                                          if blocks[(entry.sector + sector) // _BLOCK]])

    def _write(self, file, entry, sectors):
        size = self.log.sector_size
        for sector in sectors if entry.data is not None else ():
            file.seek((entry.sector + sector) * size)
            file.write(self.log.bytes[entry.data + sector * size : entry.data + (sector + 1) * size])
