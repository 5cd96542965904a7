#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <fcntl.h>
#include <linux/fs.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/vfs.h>
#include <unistd.h>

int CSystemCalls_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int CSystemCalls_memory_file(void) { return memfd_create("camrec", MFD_CLOEXEC); }

int CSystemCalls_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int64_t CSystemCalls_peer_user(int socket) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? (int64_t)peer.uid : -1;
}

int CSystemCalls_rename_new(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int CSystemCalls_exchange(const char *one, const char *other) {
  return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int CSystemCalls_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

int CSystemCalls_clone(int from, int to) { return ioctl(to, FICLONE, from); }

int64_t CSystemCalls_copy_range(int from, int to, int64_t offset, int64_t count) {
  off_t in = offset, out = offset;
  return copy_file_range(from, &in, to, &out, (size_t)count, 0);
}

int64_t CSystemCalls_file_system(int file) {
  struct statfs facts;
  return fstatfs(file, &facts) == 0 ? (int64_t)(uint32_t)facts.f_type : -1;
}
