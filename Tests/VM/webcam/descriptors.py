"""What the device says of itself: USB 2.0 chapter 9, UVC 1.1 chapter 3, USB audio class 1.0 chapter 4."""
import struct

from controls import CAMERA, OUTPUT, PROCESSING

# Descriptor types.
DEVICE, CONFIGURATION, STRING, INTERFACE, ENDPOINT, QUALIFIER, ASSOCIATION = 1, 2, 3, 4, 5, 6, 11
CLASS_INTERFACE, CLASS_ENDPOINT = 0x24, 0x25

# Interfaces and endpoints.
VIDEO_CONTROL, VIDEO_STREAM, AUDIO_CONTROL, AUDIO_STREAM = 0, 1, 2, 3
VIDEO_IN, AUDIO_IN, STATUS_IN = 1, 2, 3
IN, BULK, ISOCHRONOUS, INTERRUPT = 0x80, 2, 5, 3

VIDEO, AUDIO = 0x0E, 0x01  # device classes
CLOCK = 48_000_000         # of the camera's time stamps, in Hz
MICROPHONE_RATE = 48_000
VENDOR, PRODUCT = 0x1D6B, 0x0102

# "YUY2" as a GUID (USB_Video_Payload_Uncompressed 1.1, table 2-1).
YUYV_GUID = b"YUY2" + bytes.fromhex("00001000800000aa00389b71")


def word(value):
    return struct.pack("<H", value)


def long(value):
    return struct.pack("<I", value)


def descriptor(*fields):
    """A descriptor: its length, then its fields (a number is a byte)."""
    body = b"".join(field if isinstance(field, bytes) else bytes([field]) for field in fields)
    return bytes([len(body) + 1]) + body


def device():
    return descriptor(DEVICE, word(0x0200), 0xEF, 2, 1, 64, word(VENDOR), word(PRODUCT), word(0x0100), 1, 2, 3, 1)


def qualifier():
    return descriptor(QUALIFIER, word(0x0200), 0xEF, 2, 1, 64, 1, 0)


def string(text):
    return descriptor(STRING, text.encode("utf-16le") if text is not None else word(0x0409))


def configuration(sources, intervals, controls, with_audio):
    """All interfaces. `sources`: what makes pictures (scene.py); `intervals`: between pictures, in 100 ns."""
    body = video_control(controls) + video_stream(sources, intervals)
    if with_audio:
        body += audio_function()
    interfaces = 4 if with_audio else 2
    return descriptor(CONFIGURATION, word(9 + len(body)), interfaces, 1, 0, 0x80, 250) + body


def video_control(controls):
    """Camera terminal → processing unit → output terminal."""
    units = (
        descriptor(CLASS_INTERFACE, 0x02, CAMERA, word(0x0201), 0, 0, word(0), word(0), word(0), 3,
                   controls.bits(CAMERA).to_bytes(3, "little"))
        + descriptor(CLASS_INTERFACE, 0x05, PROCESSING, CAMERA, word(0), 2, word(controls.bits(PROCESSING)), 0, 0)
        + descriptor(CLASS_INTERFACE, 0x03, OUTPUT, word(0x0101), 0, PROCESSING, 0))
    header = descriptor(CLASS_INTERFACE, 0x01, word(0x0110), word(13 + len(units)), long(CLOCK), 1, VIDEO_STREAM)
    return (
        descriptor(ASSOCIATION, VIDEO_CONTROL, 2, VIDEO, 3, 0, 2)
        + descriptor(INTERFACE, VIDEO_CONTROL, 0, 1, VIDEO, 1, 0, 2) + header + units
        + descriptor(ENDPOINT, IN | STATUS_IN, INTERRUPT, word(16), 8) + descriptor(CLASS_ENDPOINT, 3, word(16)))


def video_stream(sources, intervals):
    """One format for each source, over a bulk endpoint."""
    formats = b""
    for index, source in enumerate(sources, 1):
        frames = b""
        for number, (width, height) in enumerate(source.sizes, 1):
            size = width * height * 2
            frames += descriptor(
                CLASS_INTERFACE, 0x07 if source.is_jpeg else 0x05, number, 0, word(width), word(height),
                long(size * 8 * 5), long(size * 8 * 30), long(size), long(intervals[0]),
                len(intervals), b"".join(map(long, intervals)))
        if source.is_jpeg:
            formats += descriptor(CLASS_INTERFACE, 0x06, index, len(source.sizes), 1, 1, 0, 0, 0, 0)
        else:
            formats += descriptor(CLASS_INTERFACE, 0x04, index, len(source.sizes), YUYV_GUID, 16, 1, 0, 0, 0, 0)
        formats += frames + descriptor(CLASS_INTERFACE, 0x0D, 1, 1, 4)  # BT.709, BT.709, SMPTE 170M
    count = len(sources)
    header = descriptor(
        CLASS_INTERFACE, 0x01, count, word(13 + count + len(formats)), IN | VIDEO_IN, 0, OUTPUT, 0, 0, 0, 1,
        bytes(count))
    return (
        descriptor(INTERFACE, VIDEO_STREAM, 0, 1, VIDEO, 2, 0, 0) + header + formats
        + descriptor(ENDPOINT, IN | VIDEO_IN, BULK, word(512), 0))


def audio_function():
    """Microphone → mute and volume → stream of stereo 16-bit samples."""
    units = (
        descriptor(CLASS_INTERFACE, 2, 1, word(0x0201), 0, 2, word(3), 0, 0)
        + descriptor(CLASS_INTERFACE, 6, 2, 1, 1, 3, 0, 0, 0)
        + descriptor(CLASS_INTERFACE, 3, 3, word(0x0101), 0, 2, 0))
    return (
        descriptor(ASSOCIATION, AUDIO_CONTROL, 2, AUDIO, 1, 0, 0)
        + descriptor(INTERFACE, AUDIO_CONTROL, 0, 0, AUDIO, 1, 0, 0)
        + descriptor(CLASS_INTERFACE, 1, word(0x0100), word(9 + len(units)), 1, AUDIO_STREAM) + units
        + descriptor(INTERFACE, AUDIO_STREAM, 0, 0, AUDIO, 2, 0, 0)
        + descriptor(INTERFACE, AUDIO_STREAM, 1, 1, AUDIO, 2, 0, 0)
        + descriptor(CLASS_INTERFACE, 1, 3, 1, word(1))
        + descriptor(CLASS_INTERFACE, 2, 1, 2, 2, 16, 1, MICROPHONE_RATE.to_bytes(3, "little"))
        + descriptor(ENDPOINT, IN | AUDIO_IN, ISOCHRONOUS, word(196), 4, 0, 0)
        + descriptor(CLASS_ENDPOINT, 1, 1, 0, word(0)))
