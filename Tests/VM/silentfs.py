#!/usr/bin/env python3
"""A file system in memory that stops answering for some of its files.

    silentfs.py FOLDER RULES

Mounted at FOLDER over /dev/fuse, by root. RULES is a file whose lines are `PATTERN CALL…`: while it has such a line,
no request about a name that matches PATTERN (fnmatch) is answered where it is one of these calls: lookup, create, open,
getattr, read, write, flush, fsync, unlink, rename, statfs, fsyncdir; `all` are all of them. What waits is answered when
the line is gone. SIGTERM unmounts it: the kernel then ends every call that waits.

The protocol is linux/fuse.h, version 7.31.
"""

import ctypes
import errno
import fnmatch
import os
import select
import signal
import stat
import struct
import sys
import time

LOOKUP, FORGET, GETATTR, SETATTR, MKDIR, UNLINK, RMDIR, RENAME, LINK, OPEN, READ, WRITE, STATFS, RELEASE = (
    1, 2, 3, 4, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18)
FSYNC, FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, FSYNCDIR = 20, 25, 26, 27, 28, 29, 30
CREATE, INTERRUPT, DESTROY, BATCH_FORGET, RENAME2 = 35, 36, 38, 42, 45
CALLS = {
    LOOKUP: "lookup", CREATE: "create", OPEN: "open", GETATTR: "getattr", SETATTR: "getattr", READ: "read",
    WRITE: "write", FLUSH: "flush", FSYNC: "fsync", UNLINK: "unlink", RENAME: "rename", RENAME2: "rename",
    STATFS: "statfs", FSYNCDIR: "fsyncdir", LINK: "rename", MKDIR: "create", OPENDIR: "open", READDIR: "read"}
IN = struct.Struct("<IIQQIIII")
ATTRIBUTES = struct.Struct("<QQQQQQIIIIIIIIII")
# Seconds for which the kernel may believe a name or a size: none.
NAMED = struct.Struct("<QQQQII")


class Node:
    def __init__(self, number, mode, name, parent):
        self.number, self.mode, self.name, self.parent = number, mode, name, parent
        self.bytes, self.children, self.links = bytearray(), {}, 2 if stat.S_ISDIR(mode) else 1
        self.times = [time.time()] * 3


class SilentFileSystem:
    def __init__(self, folder, rules):
        self.rules_path, self.rules, self.read_at = rules, [], None
        self.nodes = {1: Node(1, stat.S_IFDIR | 0o755, "", None)}
        self.next, self.waiting, self.folder = 2, [], folder
        self.device = os.open("/dev/fuse", os.O_RDWR)
        self.libc = ctypes.CDLL(None, use_errno=True)
        options = f"fd={self.device},rootmode=40000,user_id=0,group_id=0,allow_other".encode()
        if self.libc.mount(b"silent", folder.encode(), b"fuse.silent", 0, options) != 0:
            sys.exit(f"silentfs.py: mount: {os.strerror(ctypes.get_errno())}")

    def serve(self):
        while True:
            if select.select([self.device], [], [], 0.02)[0]:
                try:
                    request = os.read(self.device, 1 << 18)
                except OSError as error:
                    if error.errno == errno.ENODEV:
                        return
                    if error.errno in (errno.ENOENT, errno.EINTR, errno.EAGAIN):
                        continue
                    raise
                if not self.is_silent(request):
                    self.answer(request)
                else:
                    self.waiting.append(request)
            waiting, self.waiting = self.waiting, []
            for request in waiting:
                if self.is_silent(request):
                    self.waiting.append(request)
                else:
                    self.answer(request)

    def unmount(self):
        self.libc.umount2(self.folder.encode(), 2)
        os.close(self.device)

    # Rules

    def is_silent(self, request):
        _, code, _, number, *_ = IN.unpack_from(request)
        call = CALLS.get(code)
        if call is None:
            return False
        try:
            changed = os.stat(self.rules_path).st_mtime_ns
            if changed != self.read_at:
                with open(self.rules_path) as file:
                    self.rules = [line.split() for line in file if line.strip()]
                self.read_at = changed
        except FileNotFoundError:
            self.rules, self.read_at = [], None
        body = request[IN.size:]
        if code in (LOOKUP, UNLINK, RENAME, RENAME2, CREATE, MKDIR):
            skip = {RENAME: 8, RENAME2: 16, CREATE: 16, MKDIR: 8}.get(code, 0)
            name = body[skip:].split(b"\0")[0].decode()
        else:
            name = self.nodes[number].name if number in self.nodes else ""
        return any(
            fnmatch.fnmatchcase(name, rule[0]) and (call in rule[1:] or "all" in rule[1:]) for rule in self.rules)

    # Answers

    def answer(self, request):
        _, code, unique, number, *_ = IN.unpack_from(request)
        body = request[IN.size:]
        try:
            reply = self.do(code, self.nodes.get(number), body)
        except OSError as error:
            self.send(unique, -error.errno, b"")
        else:
            if reply is not None:
                self.send(unique, 0, reply)

    def send(self, unique, error, data):
        try:
            os.write(self.device, struct.pack("<IiQ", 16 + len(data), error, unique) + data)
        except OSError as failure:
            # The one who asked is gone.
            if failure.errno not in (errno.ENOENT, errno.ENODEV):
                raise

    def do(self, code, node, body):
        if code in (FORGET, BATCH_FORGET, INTERRUPT):
            return None
        if code == INIT:
            major, minor, readahead, _ = struct.unpack_from("<IIII", body)
            # FUSE_BIG_WRITES: 32 pages a request.
            return struct.pack("<IIIIHHIIHH8I", 7, min(minor, 31), readahead, 1 << 5, 0, 0, 1 << 17, 1, 32, 0, *[0] * 8)
        if code == DESTROY:
            return b""
        if node is None:
            raise OSError(errno.ENOENT, "")
        if code == LOOKUP:
            return self.entry(self.child(node, body.split(b"\0")[0].decode()))
        if code == GETATTR:
            return struct.pack("<QII", 0, 0, 0) + self.attributes(node)
        if code == SETATTR:
            return self.set_attributes(node, body)
        if code in (MKDIR, CREATE):
            return self.make(code, node, body)
        if code in (UNLINK, RMDIR):
            child = self.child(node, body.split(b"\0")[0].decode())
            del node.children[child.name]
            child.links -= 1
            return b""
        if code in (RENAME, RENAME2):
            return self.rename(code, node, body)
        if code in (OPEN, OPENDIR):
            # FOPEN_DIRECT_IO would forbid mmap; every read asks here all the same while sizes are not believed.
            return struct.pack("<QII", node.number, 0, 0)
        if code == READ:
            _, offset, size = struct.unpack_from("<QQI", body)
            return bytes(node.bytes[offset:offset + size])
        if code == WRITE:
            _, offset, size = struct.unpack_from("<QQI", body)
            data = body[40:40 + size]
            if len(node.bytes) < offset:
                node.bytes.extend(bytes(offset - len(node.bytes)))
            node.bytes[offset:offset + size] = data
            return struct.pack("<II", size, 0)
        if code == READDIR:
            return self.read_folder(node, body)
        if code == STATFS:
            return struct.pack(
                "<QQQQQIIII6I", 1 << 20, 1 << 20, 1 << 20, 1 << 20, 1 << 20, 4096, 255, 4096, 0, *[0] * 6)
        if code in (RELEASE, RELEASEDIR, FSYNC, FSYNCDIR, FLUSH):
            return b""
        raise OSError(errno.ENOSYS, "")

    def child(self, node, name):
        if name not in node.children:
            raise OSError(errno.ENOENT, "")
        return node.children[name]

    def attributes(self, node):
        access, change, status = (int(value) for value in node.times)
        return ATTRIBUTES.pack(
            node.number, len(node.bytes), (len(node.bytes) + 511) // 512, access, change, status, 0, 0, 0, node.mode,
            node.links, 0, 0, 0, 4096, 0)

    def entry(self, node):
        return NAMED.pack(node.number, 0, 0, 0, 0, 0) + self.attributes(node)

    def set_attributes(self, node, body):
        valid, _, _, size = struct.unpack_from("<IIQQ", body)
        mode = struct.unpack_from("<I", body, 68)[0]
        if valid & 1:
            node.mode = stat.S_IFMT(node.mode) | stat.S_IMODE(mode)
        if valid & 8:
            del node.bytes[size:]
            node.bytes.extend(bytes(size - len(node.bytes)))
        return struct.pack("<QII", 0, 0, 0) + self.attributes(node)

    def make(self, code, node, body):
        if code == CREATE:
            flags, mode = struct.unpack_from("<II", body)
            name = body[16:].split(b"\0")[0].decode()
            child = node.children.get(name)
            if child is not None and flags & os.O_EXCL:
                raise OSError(errno.EEXIST, "")
            kind = stat.S_IFREG
        else:
            mode, name = struct.unpack_from("<I", body)[0], body[8:].split(b"\0")[0].decode()
            child, kind = None, stat.S_IFDIR
        if child is None:
            child = Node(self.next, kind | stat.S_IMODE(mode), name, node)
            self.nodes[self.next] = node.children[name] = child
            self.next += 1
        if code == MKDIR:
            return self.entry(child)
        return self.entry(child) + struct.pack("<QII", child.number, 0, 0)

    def rename(self, code, node, body):
        parent = self.nodes[struct.unpack_from("<Q", body)[0]]
        flags = struct.unpack_from("<I", body, 8)[0] if code == RENAME2 else 0
        old, new = (part.decode() for part in body[8 if code == RENAME else 16:].split(b"\0")[:2])
        child = self.child(node, old)
        if flags & 1 and new in parent.children:
            raise OSError(errno.EEXIST, "")
        if new in parent.children:
            parent.children[new].links -= 1
        del node.children[old]
        parent.children[new] = child
        child.name, child.parent = new, parent
        return b""

    def read_folder(self, node, body):
        _, offset, size = struct.unpack_from("<QQI", body)
        names, reply = list(node.children.values()), b""
        for place, child in enumerate(names[offset:], offset + 1):
            name = child.name.encode()
            entry = struct.pack("<QQII", child.number, place, len(name), child.mode >> 12) + name
            entry += bytes(-len(entry) % 8)
            if len(reply) + len(entry) > size:
                break
            reply += entry
        return reply


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit("usage: silentfs.py FOLDER RULES")
    system = SilentFileSystem(*sys.argv[1:])

    def end(*_):
        system.unmount()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    system.serve()
