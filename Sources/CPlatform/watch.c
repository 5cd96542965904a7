#define _GNU_SOURCE
#include "CWatch.h"

#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int CWatch_open(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int CWatch_add(int watch, const char *folder) {
  return inotify_add_watch(
      watch, folder,
      IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF |
          IN_MOVE_SELF | IN_ONLYDIR);
}

void CWatch_remove(int watch, int folder) { inotify_rm_watch(watch, folder); }

int CWatch_waiting(int watch) {
  int count = 0;
  return ioctl(watch, FIONREAD, &count) == 0 ? count : 0;
}

size_t CWatch_parse(const uint8_t *bytes, size_t count, size_t offset, struct CWatch_event *event) {
  struct inotify_event head;
  if (offset > count || count - offset < sizeof head) return 0;
  memcpy(&head, bytes + offset, sizeof head);
  size_t name = offset + sizeof head;
  if (count - name < head.len) return 0;
  event->folder = head.wd;
  event->kind = head.mask & IN_Q_OVERFLOW                                               ? 2
                : head.mask & (IN_IGNORED | IN_UNMOUNT | IN_DELETE_SELF | IN_MOVE_SELF) ? 1
                                                                                        : 0;
  event->name = name;
  event->name_length = strnlen((const char *)bytes + name, head.len);
  return name + head.len;
}

int CWatch_process(int pid) { return (int)syscall(SYS_pidfd_open, pid, 0); }
