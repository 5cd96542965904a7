"""Has a recorder that stands by make films one after another, and sets the machine's clock in the middle of each."""
import json
import socket
import sys
import time

with socket.socket(socket.AF_UNIX) as remote:
    remote.connect(sys.argv[1])
    lines = remote.makefile("r")
    lines.readline()

    def do(command):
        remote.sendall((json.dumps({"do": command}) + "\n").encode())
        answer = json.loads(lines.readline())
        assert answer["ok"], answer

    for jump in map(int, sys.argv[2:]):
        do("start")
        time.sleep(0.3)
        time.clock_settime(time.CLOCK_REALTIME, time.time() + jump)
        time.sleep(0.3)
        do("stop")
    do("quit")
