#!/usr/bin/env python3
# Saves pictures of a running recorder in this folder: monitor.py [SOCKET [COUNT]]
import glob, json, os, socket, struct, sys

HEADER = struct.Struct("<HBBIQqqqqqf4BIIHHIQ")
folders = [os.environ.get("XDG_RUNTIME_DIR", "/run") + "/camrec", "/run/camrec", "/run/camrec/*"]
paths = sys.argv[1:2] or [path for folder in folders for path in sorted(glob.glob(folder + "/*.monitor"))]
count = int(sys.argv[2]) if len(sys.argv) > 2 else 10
link = socket.socket(socket.AF_UNIX)
if all(link.connect_ex(path) for path in paths):  # a recorder that was killed leaves a socket behind
    sys.exit("cannot connect to " + (" or ".join(paths) or "a monitor socket: there is none"))
stream = link.makefile("rb")

def ask(**request):
    link.sendall(json.dumps(request).encode() + b"\n")

ask(do="pictures", subscription=1, width=640, rate=5)
while count > 0:
    start = stream.read(HEADER.size) or sys.exit("the recorder has ended")
    length, version, kind, subscription, sequence, frame, *_, size = HEADER.unpack(start)
    stream.read(length - HEADER.size)  # what a later version has there
    payload = stream.read(size)
    if kind == 0:  # text: the greeting, answers, notices
        print(payload.decode())
        if "error" in json.loads(payload): sys.exit(1)
    elif kind == 1:  # a picture
        with open(f"picture-{frame}.jpg", "wb") as file:
            file.write(payload)
        ask(do="used", subscription=subscription, sequence=sequence)
        count -= 1
