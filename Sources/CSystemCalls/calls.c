#define _GNU_SOURCE
#include "CSystemCalls.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

int CSystemCalls_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int CSystemCalls_accept(int listener) { return accept4(listener, NULL, NULL, SOCK_CLOEXEC); }

int64_t CSystemCalls_peer_user(int socket) {
  struct ucred peer;
  socklen_t size = sizeof peer;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 ? (int64_t)peer.uid : -1;
}

int CSystemCalls_rename_new(const char *from, const char *to) {
  return renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE);
}

int CSystemCalls_close_from(void *actions, int first) {
  return posix_spawn_file_actions_addclosefrom_np(actions, first);
}
