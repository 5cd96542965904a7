"""Watches folders of films while others work in them, and judges each film that goes.

A film is known by its number (inode), whatever its name is. The witness reads the folders, their catalogues and what
every recorder has open some twenty times a second, and remembers all of it.
"""
import json
import os
import stat
import threading
import time

#: Seconds after which a recorder that goes on may count the films of one that has ended as its own.
ADOPTION = 50
#: Seconds by which a film may seem to have gone too early: the folders are looked at about 20 times a second.
POLL = 0.1


class FilmSeen:
    """One film, from the moment in which it was first seen."""

    def __init__(self, inode, folder, name, now):
        self.inode, self.folder, self.name, self.first, self.last = inode, folder, name, now, now
        self.names, self.bytes, self.gone = [name], 0, None
        #: The recorder's process that writes it, and when it was last seen to.
        self.writer, self.written = None, None
        #: Since when a mark stands beside it, and how long each one stood.
        self.keep_marked, self.marks = None, []
        # When its mark was removed: it may go before the next poll.
        self.released = 0
        self.is_judged, self.is_lost_open = False, False

    def was_kept_throughout(self, moment):
        """A mark stood beside it for the second before and behind that moment."""
        return self.keep_marked is not None and self.keep_marked < moment - 1 or any(
            begin < moment - 1 and moment + 1 < end for begin, end in self.marks)

    def __str__(self):
        return f"{self.folder}/{self.name} (inode {self.inode})"


class Catalogue:
    """All lines that ever stood in a folder's catalogue."""

    def __init__(self):
        self.lines, self.stamp = set(), None
        self.finished, self.deleted, self.hooked, self.begun = {}, [], {}, {}

    def read(self, path):
        try:
            status = os.stat(path)
            if self.stamp == (status.st_mtime_ns, status.st_size, status.st_ino):
                return
            with open(path, errors="replace") as file:
                lines = file.read().split("\n")
        except OSError:
            return
        self.stamp = (status.st_mtime_ns, status.st_size, status.st_ino)
        for line in lines[:-1]:
            if line in self.lines:
                continue
            self.lines.add(line)
            try:
                record = json.loads(line)
            except ValueError:
                continue
            if entry := record.get("finished"):
                self.finished[entry["id"]] = entry
            elif entry := record.get("deleted"):
                self.deleted.append(entry)
            elif entry := record.get("hooked"):
                self.hooked.setdefault(entry["id"], []).append(entry)
            elif entry := record.get("begun"):
                self.begun[entry.get("inode")] = entry

    def awaits_hook(self, entry, uptime):
        outcomes = [hooked["outcome"] for hooked in self.hooked.get(entry["id"], [])
                    if hooked["moment"]["uptime"] < uptime]
        wanted = entry["awaitsHook"] or "wanted" in outcomes
        return wanted and not {"done", "givenUp"} & set(outcomes)


class Witness(threading.Thread):
    def __init__(self, disk, soak):
        super().__init__(daemon=True)
        self.disk, self.soak = disk, soak
        self.films, self.all, self.catalogues, self.free = {}, [], {}, []
        #: Folders (by number) that stand elsewhere than recorders mean, and since when.
        self.away = {}
        self.lock, self.ends = threading.RLock(), threading.Event()
        #: What the soak does to a name: (folder's number, name, what, from, until or None).
        self.own = []

    def run(self):
        while not self.ends.wait(0.05):
            self.look()

    # What is there

    def look(self):
        with self.lock:
            now = time.monotonic()
            room = os.statvfs(self.disk)
            self.free.append((now, room.f_bavail * room.f_frsize))
            del self.free[:-1200]
            present = {}
            for folder in os.scandir(self.disk):
                if not folder.is_dir(follow_symlinks=False) or folder.name == "lost+found":
                    continue
                number = folder.inode()
                self.catalogues.setdefault(number, Catalogue()).read(f"{folder.path}/.camrec-films.jsonl")
                try:
                    files = [(file.name, file.inode(), file.stat(follow_symlinks=False))
                             for file in os.scandir(folder.path)]
                except OSError:
                    return  # The folder has just moved: once more.
                marks = {name[:-5] for name, _, _ in files if name.endswith(".keep")}
                for name, inode, status in files:
                    # Under a hidden name is a film that is about to go, or that a crash has left.
                    is_film = name.endswith(".mov") or inode in self.films and not name.endswith(".camrec")
                    # One that is made ready for the next segment has 36 bytes and no frame.
                    if is_film and stat.S_ISREG(status.st_mode) and (status.st_size > 4096 or inode in self.films):
                        present[inode] = (number, folder.name, name, status.st_size, name in marks)
            self.update(present, now)
            self.look_at_writers(now)

    def update(self, present, now):
        for inode, film in list(self.films.items()):
            there = present.get(inode)
            # No film goes to another folder, and none becomes a bake's.
            was_reused = there and (
                there[0] != film.folder or ".part-" in there[2]
                or there[2] not in film.names and not there[2].startswith(".") and there[3] < film.bytes)
            if there is None or was_reused:
                film.gone = now
                del self.films[inode]
        for inode, (number, folder, name, size, is_kept) in present.items():
            film = self.films.get(inode)
            if film is None:
                if name.startswith(".") or size <= 4096:
                    continue
                film = self.films[inode] = FilmSeen(inode, number, name, now)
                self.all.append(film)
            film.folder, film.last, film.bytes, film.place = number, now, max(size, film.bytes), folder
            if name != film.name and not name.startswith("."):
                film.name = name
                film.names.append(name)
            if is_kept:
                film.keep_marked = film.keep_marked or now
            elif film.keep_marked:
                film.marks.append((film.keep_marked, now))
                film.keep_marked = None

    def look_at_writers(self, now):
        for process in self.soak.processes():
            folder = f"/proc/{process.pid}/fd"
            try:
                names = os.listdir(folder)
            except OSError:
                continue
            for number in names:
                try:
                    target = os.readlink(f"{folder}/{number}")
                    if ".mov" not in target or ".mov.camrec" in target:
                        continue
                    if not os.lstat(f"{folder}/{number}").st_mode & 0o200:
                        continue
                    status = os.stat(f"{folder}/{number}")
                except OSError:
                    continue
                # A number is used again on ext4: the name has to be one of the film's, too.
                name = os.path.basename(target.removesuffix(" (deleted)"))
                film = next((film for film in reversed(self.all[-300:])
                             if film.inode == status.st_ino and name in film.names), None)
                if film is None:
                    continue
                if status.st_nlink == 0 and status.st_size and film.gone and not film.is_lost_open:
                    film.is_lost_open = True
                    if not self.own_doing(film, ("remove",)):
                        what = self.own_doing(film, ("bake", "recover")) or "nothing of the soak's"
                        self.soak.claims.check(
                            False, f"{film} lost its last name while {process} wrote it; at work then: {what}")
                elif status.st_nlink:
                    film.writer, film.written = process, now

    # What the soak does itself

    def begin(self, path, what):
        with self.lock:
            record = [os.stat(os.path.dirname(path)).st_ino, os.path.basename(path), what, time.monotonic(), None]
            self.own.append(record)
            return record

    def own_doing(self, film, kinds):
        """What the soak did to the film's name around its going."""
        for folder, name, what, begin, end in self.own:
            if what in kinds and name in film.names and folder == film.folder and begin - 0.2 <= film.gone \
                    and (end is None or film.last <= end + 0.2):
                return what
        return None

    def is_worked_on(self, film):
        """The soak works on a file of that name, or has just done so."""
        now = time.monotonic()
        with self.lock:
            return any(folder == film.folder and name in film.names and (end is None or now < end + 1)
                       for folder, name, _, _, end in self.own)

    def is_full_of_what_stays(self):
        """Films that nobody may delete leave less than recorders want: kept ones, those that wait for a hook, and those
        that are in no catalogue."""
        with self.lock:
            uptime = self.soak.uptime(time.monotonic())
            stays = sum(film.bytes for film in self.films.values()
                        if film.keep_marked or not (entry := self.entry(film))
                        or self.catalogues[film.folder].awaits_hook(entry, uptime))
        disk = os.statvfs(self.disk)
        return disk.f_blocks * disk.f_frsize - stays < 45e6

    # The judge

    def judge_gone(self, grace=3.0):
        """Films that went some time ago, once their deletion must have been told."""
        with self.lock:
            now = time.monotonic()
            for film in self.all:
                if film.gone and not film.is_judged and film.gone < now - grace:
                    film.is_judged = True
                    self.judge(film)

    def entry(self, film):
        """The film's line in the catalogue, the last of its number."""
        found = [entry for entry in self.catalogues[film.folder].finished.values()
                 if entry.get("inode") == film.inode and entry["film"] in film.names]
        return found[-1] if found else None

    def judge(self, film):
        check, catalogue = self.soak.claims.check, self.catalogues[film.folder]
        if self.own_doing(film, ("remove", "bake")):
            return
        entry = self.entry(film)
        deleted = next((line for line in catalogue.deleted if entry and line["id"] == entry["id"]), None)
        note = self.soak.note_of_deletion(film, entry)
        if not check(entry is not None and (deleted or note),
                     f"{film} is gone, and nobody says why; {len(catalogue.deleted)} deletions are known there"):
            return
        self.soak.deletions += 1
        reason = deleted["reason"] if deleted else note[1]["facts"]["reason"]
        actor = note[0] if note else None
        check(not film.writer or film.written < film.gone - 0.05 or film.writer.ended,
              f"{film} was deleted ({reason}) while {film.writer} wrote it")
        check(film.name == entry["film"], f"{film} was deleted ({reason}) as '{entry['film']}', which is not its name")
        said = f"{film} was deleted ({reason}) by {actor}"
        is_kept = film.keep_marked and film.last - film.keep_marked >= 1 and film.released < film.keep_marked
        check(not is_kept, f"{said} and is marked kept")
        check(not catalogue.awaits_hook(entry, self.soak.uptime(film.gone)), f"{said} and waits for its hook")
        since = self.away.get(film.folder)
        check(since is None or film.last < since + 0.3,
              f"{said} {film.last - (since or 0):.1f} s after its folder was moved away")
        check(since is not None or "-" not in film.place, f"{said} in {film.place}, which was moved away")
        self.judge_newest(film, entry, reason, actor)
        self.judge_reason(film, entry, reason, actor)

    def standing(self, film):
        """Finished films of its recorder's name that were there with it, in the order of their beginnings.

        Whether one was there by then is for its catalogue line to say: a busy witness may see it after it was needed.
        """
        return [other for other in self.all
                if other.folder == film.folder
                and (other.gone is None or other.gone >= film.last - 0.5)
                and (entry := self.entry(other)) and entry["recorder"] == self.entry(film)["recorder"]
                and entry["finished"]["uptime"] <= self.soak.uptime(film.gone) + POLL]

    def judge_newest(self, film, entry, reason, actor):
        """One that is newer stays, of the same process or of one that may have adopted its films."""
        writer = film.writer
        if writer is None:
            return
        # A busy witness saw the film last some time before it went.
        lived = writer.ended is None or writer.ended > film.gone
        if reason in ("age", "count", "size") and actor and lived:
            self.soak.claims.check(actor is writer,
                                   f"{film} of {writer}, which lives, was deleted ({reason}) by {actor}")
        heirs = [other for other in self.standing(film) if other.first > film.first and other.writer
                 and (other.writer is writer or writer.ended and (
                     other.writer.begun >= writer.ended - 0.5 or film.gone > writer.ended + ADOPTION))]
        if not heirs:
            # A film without a known writer may be its successor: adopted behind a kill.
            heirs = [other for other in self.standing(film) if other.first > film.first and not other.writer]
        self.soak.claims.check(
            heirs, f"{film} was deleted ({reason}) by {actor} and was the newest finished film of {writer}")

    def judge_reason(self, film, entry, reason, actor):
        check = self.soak.claims.check
        limits = [actor.limits] if actor else [process.limits for process in self.soak.started
                                                      if process.folder == film.place.split("-")[0]]
        catalogue = self.catalogues[film.folder]
        free = min((room for moment, room in self.free if film.last - 3 <= moment <= film.gone), default=0)
        counted = [other for other in self.standing(film)
                   if other is not film and not other.was_kept_throughout(film.last) and not catalogue.awaits_hook(
                       self.entry(other), self.soak.uptime(film.gone))]
        younger = [other for other in counted if other.first > film.first]
        said = f"{film} was deleted ({reason}) by {actor}:"
        told = f"and {limits} are the limits"
        if reason == "count":
            check(any("count" in limit and len(counted) >= limit["count"] for limit in limits),
                  f"{said} {len(counted)} others stood there, {len(younger)} of them younger, {told}")
        elif reason == "size":
            total = sum(other.bytes for other in counted) + film.bytes
            check(any("size" in limit and total > limit["size"] for limit in limits),
                  f"{said} {total} bytes stood there, {told}")
        elif reason == "free":
            # Between two polls: what was free behind the deletion is more by what the film had.
            check(any("free" in limit and free - film.bytes < limit["free"] for limit in limits),
                  f"{said} {free} bytes were free, {told}")
        elif reason == "age":
            old = film.gone - film.first
            check(any("age" in limit and old > limit["age"] - 1 for limit in limits),
                  f"{said} it was {old:.0f} s old, {told}")
        else:
            check(any(limit.get("rotates") for limit in limits), f"{said} nobody rotates here, {told}")
            check(free < 64e6, f"{said} {free} bytes were free")
