// Changes in folders (inotify(7)) and the ends of processes (pidfd_open(2)).
#ifndef CWATCH_H
#define CWATCH_H

#include <stddef.h>
#include <stdint.h>

/// A change in a watched folder.
struct CWatch_event {
  /// The folder's number, as CWatch_add returned it; no folder's where changes were lost.
  int folder;
  /// 0: an entry was made, replaced, changed or removed; 1: the folder itself is gone; 2: changes were lost.
  int kind;
  /// Where the entry's name begins in the bytes that were read, and how many bytes it has.
  size_t name, name_length;
};

/// A descriptor that watches no folder yet and that no child inherits, or -1 and errno.
int CWatch_open(void);

/// Watches a folder, too. Returns its number, which is the same for two paths of one folder, or -1 and errno.
int CWatch_add(int watch, const char *folder);

/// Watches a folder no longer. Changes that it has had may still be read.
void CWatch_remove(int watch, int folder);

/// How many bytes of changes can be read now.
int CWatch_waiting(int watch);

/// The change at `offset` in the bytes that were read. Returns where the next one begins, or 0 if none begins there.
size_t CWatch_parse(const uint8_t *bytes, size_t count, size_t offset, struct CWatch_event *event);

/// pidfd_open(2): a descriptor that is ready to read once the process has ended, or -1 and errno.
int CWatch_process(int pid);

#endif
