"""A display of its own, what its window shows, and keys for it. Needs Xvfb, libX11 and xdotool.

    with Display(1280, 720) as display:
        display.pixels(0, 0, 48, 4), display.key("space"), display.click(640, 360)
"""
import ctypes
import os
import subprocess


class Image(ctypes.Structure):
    """The beginning of an XImage (Xlib.h)."""

    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int), ("xoffset", ctypes.c_int), ("format", ctypes.c_int),
                ("data", ctypes.c_void_p), ("byte_order", ctypes.c_int), ("bitmap_unit", ctypes.c_int),
                ("bitmap_bit_order", ctypes.c_int), ("bitmap_pad", ctypes.c_int), ("depth", ctypes.c_int),
                ("bytes_per_line", ctypes.c_int), ("bits_per_pixel", ctypes.c_int)]


class Display:
    def __init__(self, width, height):
        self.width, self.height = width, height
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{width}x{height}x24", "-nolisten", "tcp"],
            pass_fds=[writing], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(writing)
        with os.fdopen(reading) as number:
            self.name = ":" + number.readline().strip()
        if self.name == ":":
            raise RuntimeError("Xvfb does not start")
        # SDL's own software draws the same on every machine.
        self.environment = {"DISPLAY": self.name, "SDL_RENDER_DRIVER": "software", "SDL_VIDEODRIVER": "x11"}
        self.x11 = ctypes.CDLL("libX11.so.6")
        for function in ("XOpenDisplay", "XGetImage"):
            getattr(self.x11, function).restype = ctypes.c_void_p
        self.x11.XDefaultRootWindow.restype = ctypes.c_ulong
        self.connection = ctypes.c_void_p(self.x11.XOpenDisplay(self.name.encode()))
        self.root = ctypes.c_ulong(self.x11.XDefaultRootWindow(self.connection))
        self.libc = ctypes.CDLL("libc.so.6")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.x11.XCloseDisplay(self.connection)
        self.server.terminate()
        self.server.wait()

    def rows(self, x, y, width, height):
        """Rows of bytes: blue, green, red and an unused one for each pixel."""
        address = self.x11.XGetImage(
            self.connection, self.root, x, y, width, height, ctypes.c_ulong(0xFFFFFFFF), 2)  # ZPixmap
        if not address:
            raise RuntimeError(f"nothing to be seen at {x},{y}")
        image = Image.from_address(address)
        rows = [ctypes.string_at(image.data + row * image.bytes_per_line, 4 * width) for row in range(height)]
        self.libc.free(ctypes.c_void_p(image.data))
        self.x11.XFree(ctypes.c_void_p(address))
        return rows

    def pixel(self, x, y):
        """Red, green, blue."""
        blue, green, red, _ = self.rows(x, y, 1, 1)[0]
        return red, green, blue

    def key(self, *keys):
        subprocess.run(["xdotool", "key", *keys], check=True, env=os.environ | self.environment)

    def click(self, x, y):
        subprocess.run(["xdotool", "mousemove", str(x), str(y), "click", "1"],
                       check=True, env=os.environ | self.environment)

    def save(self, path):
        """As a PNG file."""
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "bgr0", "-s", f"{self.width}x{self.height}",
             "-i", "-", "-frames:v", "1", "-pix_fmt", "rgb24", path],
            check=True, input=b"".join(self.rows(0, 0, self.width, self.height)))
