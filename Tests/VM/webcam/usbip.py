"""USB/IP, the device's side: the kernel hands over transfers, the device answers them, in any order.

Numbers are big-endian; the layout is that of the kernel's Documentation/usb/usbip_protocol.rst."""
import socket
import struct
from collections import namedtuple

STALL = -32        # EPIPE: the endpoint refuses
CANCELLED = -104   # ECONNRESET: the host took the transfer back
HIGH_SPEED = 3     # enum usb_device_speed
HEADER = 48

#: A transfer that the host submitted. `packets`: (offset, length) of each packet of an isochronous one.
Transfer = namedtuple("Transfer", "sequence endpoint inward length setup data packets")
#: The host takes back the transfer `target`.
Unlink = namedtuple("Unlink", "sequence target")


def attach(port, hub="/sys/devices/platform/vhci_hcd.0"):
    """Plugs a new device into the virtual hub and returns its end of the wire."""
    ours, kernels = socket.socketpair()
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
    with open(hub + "/attach", "w", encoding="ascii") as file:
        file.write(f"{port} {kernels.fileno()} {1 << 16 | 2} {HIGH_SPEED}")
    kernels.close()
    return Link(ours)


class Link:
    """The wire between the virtual hub and the device."""

    def __init__(self, wire):
        self.wire = wire
        self.received = bytearray()

    def fileno(self):
        return self.wire.fileno()

    def close(self):
        try:
            self.wire.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass  # the other side was first
        self.wire.close()

    def receive(self):
        """The Transfers and Unlinks that have come; ConnectionError when the port is gone."""
        piece = self.wire.recv(1 << 20)
        if not piece:
            raise ConnectionError("the hub closed the port")
        self.received += piece
        while len(self.received) >= HEADER:
            message, size = self._parse()
            if message is None:
                return
            del self.received[:size]
            yield message

    def _parse(self):
        command, sequence, _, inward, endpoint = struct.unpack_from(">5I", self.received)
        if command == 2:
            return Unlink(sequence, struct.unpack_from(">I", self.received, 20)[0]), HEADER
        if command != 1:
            raise ConnectionError(f"USB/IP command {command}")
        _, length, _, count, _ = struct.unpack_from(">5I", self.received, 20)
        count = 0 if count == 0xFFFFFFFF else count
        data_end = HEADER + (0 if inward else length)
        size = data_end + 16 * count
        if len(self.received) < size:
            return None, 0
        packets = [struct.unpack_from(">2I", self.received, data_end + 16 * index) for index in range(count)]
        setup, data = bytes(self.received[40:HEADER]), bytes(self.received[HEADER:data_end])
        return Transfer(sequence, endpoint, bool(inward), length, setup, data, packets), size

    def answer(self, transfer, data=b"", status=0):
        """Completes a transfer: with `data` when it leads inward, else as taken over whole."""
        length = len(data) if transfer.inward else transfer.length
        self._send(transfer, status, length if status == 0 else 0, data)

    def answer_packets(self, transfer, pieces):
        """Completes an isochronous transfer with one piece of data for each of its packets."""
        table = b"".join(
            struct.pack(">4I", offset, length, len(piece), 0)
            for (offset, length), piece in zip(transfer.packets, pieces))
        data = b"".join(pieces)
        self._send(transfer, 0, len(data), data + table, len(pieces))

    def answer_unlink(self, unlink, found):
        self.wire.sendall(struct.pack(">5Ii24x", 4, unlink.sequence, 0, 0, 0, CANCELLED if found else 0))

    def _send(self, transfer, status, length, payload, packets=0):
        header = struct.pack(">5Ii4I8x", 3, transfer.sequence, 0, 0, 0, status, length, 0, packets, 0)
        self.wire.sendall(header + payload)
