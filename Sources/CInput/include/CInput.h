// Keys and buttons of the kernel's input devices (evdev).
#ifndef CINPUT_H
#define CINPUT_H

#include <stdint.h>

/// What a device says of a key.
struct CInput_event {
  /// Nanoseconds, of the clock that the device was told; 0 where it is another.
  int64_t time;
  /// 1 of a key, 0 where events were lost before this one, -1 of anything else.
  int kind;
  uint16_t code;
  /// 0 let go, 1 pressed, 2 repeated.
  int32_t value;
};

/// Has the device stamp its events by CLOCK_MONOTONIC. Returns 0, or -1 where it does not (`errno`).
int CInput_useMonotonicClock(int device);

/// Lets nobody else have the device's events, or lets everybody. Returns 0, or -1 (`errno`).
int CInput_grab(int device, int grabs);

/// Whether the device has the key: 1 or 0, -1 where it does not say (no input device).
int CInput_hasKey(int device, uint16_t code);

/// Reads what has come, at most `most` events. Returns how many, 0 at the end, or -1 (`errno`, EAGAIN for nothing).
int CInput_read(int device, struct CInput_event *events, int most);

#endif
