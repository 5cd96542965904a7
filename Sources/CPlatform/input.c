#include "CInput.h"

#include <errno.h>
#include <linux/input.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

int CInput_useMonotonicClock(int device) {
  int clock = CLOCK_MONOTONIC;
  return ioctl(device, EVIOCSCLOCKID, &clock) < 0 ? -1 : 0;
}

int CInput_grab(int device, int grabs) { return ioctl(device, EVIOCGRAB, grabs ? 1 : 0) < 0 ? -1 : 0; }

int CInput_hasKey(int device, uint16_t code) {
  unsigned char keys[KEY_CNT / 8];
  memset(keys, 0, sizeof keys);
  if (ioctl(device, EVIOCGBIT(EV_KEY, sizeof keys), keys) < 0) return -1;
  return code < KEY_CNT && (keys[code / 8] >> (code % 8) & 1);
}

int CInput_read(int device, struct CInput_event *events, int most) {
  struct input_event raw[64];
  if (most > 64) most = 64;
  ssize_t count = read(device, raw, sizeof raw[0] * (size_t)most);
  if (count < 0) return -1;
  int whole = (int)(count / (ssize_t)sizeof raw[0]);
  for (int index = 0; index < whole; index++) {
    const struct input_event *event = &raw[index];
    events[index].time = (int64_t)event->input_event_sec * 1000000000 + (int64_t)event->input_event_usec * 1000;
    events[index].kind =
        event->type == EV_KEY ? 1 : event->type == EV_SYN && event->code == SYN_DROPPED ? 0 : -1;
    events[index].code = event->code;
    events[index].value = event->value;
  }
  return whole;
}
