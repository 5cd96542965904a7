"""Sends one command to a running webcam: python3 Tests/VM/webcam/tell.py WORD... (they stand in __main__.py)."""
import socket
import sys

with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as sender:
    sender.sendto(" ".join(sys.argv[1:]).encode(), "/tmp/webcam.control")
