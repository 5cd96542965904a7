"""Looks through a recorder until it is told to end (SIGTERM): python3 Tests/VM/viewer.py SOCKET LOG

Writes a line for each picture: the frame's number and when it was there to be looked at, in seconds of CLOCK_MONOTONIC.
"""
import json
import signal
import socket
import struct
import sys

HEADER = struct.Struct("<HBBIQqqqqqf4BIIHHIQ")
PICTURE = 1

signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
link = socket.socket(socket.AF_UNIX)
link.connect(sys.argv[1])
stream = link.makefile("rb")


def ask(**request):
    link.sendall(json.dumps(request).encode() + b"\n")


ask(do="pictures", subscription=1, width=80, rate=2)
with open(sys.argv[2], "w", buffering=1) as log:
    while head := stream.read(HEADER.size):
        _, _, kind, subscription, sequence, frame, _, tap, *_, size = HEADER.unpack(head)
        payload = stream.read(size)
        if kind == PICTURE:
            log.write(json.dumps({"frame": frame, "tap": tap / 1e9, "bytes": len(payload)}) + "\n")
            ask(do="used", subscription=subscription, sequence=sequence)
        else:
            log.write(payload.decode() + "\n")
