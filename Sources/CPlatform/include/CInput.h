// Keys and buttons of the kernel's input devices (evdev).
#ifndef CINPUT_H
#define CINPUT_H

#include <stdint.h>

/// An event from a device.
struct CInput_event {
  /// Nanoseconds on the clock that was set for the device; 0 if it uses another.
  int64_t time;
  /// 1: a key; 0: events were lost before this one; -1: anything else.
  int kind;
  uint16_t code;
  /// 0: released, 1: pressed, 2: repeated.
  int32_t value;
};

/// Makes the device stamp its events with CLOCK_MONOTONIC. Returns 0, or -1 if it refuses (`errno`).
int CInput_useMonotonicClock(int device);

/// Takes the device's events for this process alone, or shares them again. Returns 0, or -1 (`errno`).
int CInput_grab(int device, int grabs);

/// Whether the device has the key: 1 or 0, or -1 if it is not an input device.
int CInput_hasKey(int device, uint16_t code);

/// Reads at most `most` waiting events. Returns how many, 0 at the end, or -1 (`errno`, EAGAIN if there are none).
int CInput_read(int device, struct CInput_event *events, int most);

#endif
