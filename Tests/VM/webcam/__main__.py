"""A simulated USB webcam (UVC 1.1) with a microphone, which the kernel's own uvcvideo and snd-usb-audio drive.

It plugs one end of a socket pair into the kernel's virtual USB port (vhci-hcd) and speaks USB/IP as the device at the
other end: no network, and no program of the system. Runs as root where vhci-hcd is loaded:

    python3 Tests/VM/webcam --flash-every 1 --audio --mjpeg strip

Its YUYV picture answers to light and controls: luma = 16 + 219 t(clip(scene × light × exposure [10 ms] × gain / 16)),
t being --transfer,
the scene a ramp whose fine texture fades with the distance from the best focus; chroma shifts with white balance minus
illuminant. In MJPEG it shows a strip of numbered pictures, the same ones in the same order for any light.

Commands, one a datagram on the UNIX socket /tmp/webcam.control (tell.py sends them):
    light X | best-focus N | illuminant K    the world changes
    unplug | plug | quit
    freeze 0|1                               no pictures come, the device answers
    skip N | cut N                           the next N pictures never come, or break off half-way
    stall CONTROL 0|1                        a control answers with an error
Each control that the host sets, and each stream that it starts, is a line of JSON in --log.
"""
import argparse
import os
import select
import signal
import socket
import sys
import time

import usbip
from device import Device
from scene import Flash, Scene, Strip, World

CONTROL = "/tmp/webcam.control"


def parse_arguments():
    parser = argparse.ArgumentParser(description="A simulated USB webcam.")
    parser.add_argument("--sizes", default="160x120,320x180,640x360", help="of YUYV pictures")
    parser.add_argument("--rates", default="30,25,20,15,10,5", help="frames per second")
    parser.add_argument("--mjpeg", metavar="DIR",
                        help="also MJPEG: DIR/WxH/dark-N.jpg and lit-N.jpg, in the order of N")
    parser.add_argument("--audio", action="store_true", help="a stereo microphone at 48 kHz (USB audio class 1)")
    parser.add_argument("--audio-ppm", type=float, default=0, help="the microphone's clock error")
    parser.add_argument("--flash-every", type=float, default=0, metavar="SECONDS",
                        help="at these times of the monotonic clock: white pictures and a 1 kHz tone for 100 ms")
    parser.add_argument("--light", type=float, default=0.5)
    parser.add_argument("--transfer", choices=["linear", "rec709"], default="linear", help="of YUYV pictures")
    parser.add_argument("--illuminant", type=int, default=4600, metavar="KELVIN")
    parser.add_argument("--best-focus", type=int, default=120)
    parser.add_argument("--latency", type=int, default=2, help="pictures until a new exposure or gain shows")
    parser.add_argument("--name", default="Simulated Webcam")
    parser.add_argument("--serial", default="SIM0001")
    parser.add_argument("--port", type=int, default=0, help="of the virtual hub")
    parser.add_argument("--log", default="/tmp/webcam.log")
    return parser.parse_args()


def parse_sizes(text):
    return [tuple(map(int, size.split("x"))) for size in text.split(",")]


class Webcam:
    """The device and the hand that plugs it in."""

    def __init__(self, arguments):
        self.arguments = arguments
        self.flash = Flash(arguments.flash_every)
        self.world = World(arguments.light, arguments.illuminant, arguments.best_focus)
        self.sources = [Scene(parse_sizes(arguments.sizes), self.world, self.flash, arguments.transfer)]
        if arguments.mjpeg:
            self.sources.append(Strip(arguments.mjpeg, self.flash))
        self.log = open(arguments.log, "a", buffering=1, encoding="utf-8")
        self.device = None
        self.plug()

    def plug(self):
        link = usbip.attach(self.arguments.port)
        self.device = Device(link, self.arguments, self.sources, self.world, self.flash, self.log)

    def unplug(self):
        self.device.link.close()
        self.device = None

    def obey(self, word, *values):
        """Carries out one command; False ends the program."""
        device = self.device
        if word == "quit":
            return False
        if word == "light":
            self.world.light = float(values[0])
        elif word == "illuminant":
            self.world.illuminant = int(values[0])
        elif word == "best-focus":
            self.world.best_focus = int(values[0])
        elif word == "plug" and device is None:
            self.plug()
        elif word == "unplug" and device is not None:
            self.unplug()
        elif word == "freeze" and device is not None:
            device.frozen = values[0] == "1"
        elif word == "skip" and device is not None:
            device.skip = int(values[0])
        elif word == "cut" and device is not None:
            device.cut = int(values[0])
        elif word == "stall" and device is not None:
            device.controls.named(values[0]).stalled = values[1] == "1"
        else:
            print(f"webcam: cannot do {word} {' '.join(values)} now", file=sys.stderr, flush=True)
        return True

    def run(self, control):
        while True:
            watched = [control] + ([self.device.link] if self.device else [])
            ready, _, _ = select.select(watched, [], [], self.device.patience() if self.device else None)
            try:
                if self.device and self.device.link in ready:
                    self.device.serve()
                if control in ready and not self.obey(*control.recv(4096).decode().split()):
                    return
                if self.device:
                    self.device.tick(time.monotonic())
            except ConnectionError:  # the kernel has let go of the port
                self.unplug()


def main():
    arguments = parse_arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    if os.path.exists(CONTROL):
        os.unlink(CONTROL)
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as control:
        control.bind(CONTROL)
        Webcam(arguments).run(control)


main()
