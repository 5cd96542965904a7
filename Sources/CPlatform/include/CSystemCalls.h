// Linux calls that Swift does not see, because they are declared for GNU sources only.
#ifndef CSYSTEMCALLS_H
#define CSYSTEMCALLS_H

#include <stdint.h>

/// pipe2(2) with O_CLOEXEC: 0, or -1 and errno.
int CSystemCalls_pipe(int ends[2]);

/// memfd_create(2) with MFD_CLOEXEC: an empty file in memory that is open for reading and writing, or -1 and errno.
int CSystemCalls_memory_file(void);

/// accept4(2) with SOCK_CLOEXEC, without the remote's address: a descriptor, or -1 and errno.
int CSystemCalls_accept(int listener);

/// SO_PEERCRED of unix(7): the user whose process connected a Unix socket, or -1 and errno.
int64_t CSystemCalls_peer_user(int socket);

/// renameat2(2) with RENAME_NOREPLACE: 0, or -1 and errno; EINVAL if the file system does not support it.
int CSystemCalls_rename_new(const char *from, const char *to);

/// renameat2(2) with RENAME_EXCHANGE: 0, or -1 and errno; EINVAL if the file system does not support it.
int CSystemCalls_exchange(const char *one, const char *other);

/// Makes a child close every descriptor from `first` on, after the actions so far: 0, or an error number.
/// `actions`: a posix_spawn_file_actions_t.
int CSystemCalls_close_from(void *actions, int first);

/// FICLONE of ioctl_ficlonerange(2): `to` shares all bytes of `from`. 0, or -1 and errno.
int CSystemCalls_clone(int from, int to);

/// copy_file_range(2) between the same offsets of two files: the number of bytes copied, or -1 and errno.
int64_t CSystemCalls_copy_range(int from, int to, int64_t offset, int64_t count);

/// The type of an open file's file system, `f_type` of statfs(2), or -1 and errno.
int64_t CSystemCalls_file_system(int file);

#endif
