// Calls that some file systems do not have, made to fail as they fail there. CAMREC_FAULTY_FILES names them:
// "locks" (flock: ENOLCK, as NFS without lockd), "noreplace" (renameat2 with flags: EINVAL), "links" (link: EPERM).
// With CAMREC_FILE_GATE, the name of a FIFO, the first flock of a .mov waits until somebody has opened and closed that.
// CAMREC_FILE_GATE_CALL names another call (fdatasync, fsync, fchmod), CAMREC_FILE_GATE_NAME what stands in the file's
// name instead.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static int lacks(const char *what) {
  const char *list = getenv("CAMREC_FAULTY_FILES");
  return list && strstr(list, what) != NULL;
}

static int fail(int number) {
  errno = number;
  return -1;
}

static void wait_at_gate(const char *call, int descriptor) {
  static atomic_int passed;
  const char *gate = getenv("CAMREC_FILE_GATE"), *wanted = getenv("CAMREC_FILE_GATE_CALL");
  const char *part = getenv("CAMREC_FILE_GATE_NAME");
  char link[64], name[4096] = "";
  if (!gate || strcmp(call, wanted ? wanted : "flock") != 0) return;
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  if (readlink(link, name, sizeof name - 1) < 0 || !strstr(name, part ? part : ".mov")) return;
  if (atomic_exchange(&passed, 1)) return;
  int fifo, count;
  char byte;
  do fifo = open(gate, O_RDONLY | O_CLOEXEC);
  while (fifo < 0 && errno == EINTR);
  if (fifo < 0) return;
  do count = (int)read(fifo, &byte, 1);
  while (count > 0 || (count < 0 && errno == EINTR));
  close(fifo);
}

int flock(int descriptor, int operation) {
  wait_at_gate("flock", descriptor);
  return lacks("locks") ? fail(ENOLCK) : (int)syscall(SYS_flock, descriptor, operation);
}

int fdatasync(int descriptor) {
  wait_at_gate("fdatasync", descriptor);
  return (int)syscall(SYS_fdatasync, descriptor);
}

int fsync(int descriptor) {
  wait_at_gate("fsync", descriptor);
  return (int)syscall(SYS_fsync, descriptor);
}

int fchmod(int descriptor, mode_t mode) {
  wait_at_gate("fchmod", descriptor);
  return (int)syscall(SYS_fchmod, descriptor, mode);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags) {
  if (flags && lacks("noreplace")) return fail(EINVAL);
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) {
  return lacks("links") ? fail(EPERM) : (int)syscall(SYS_linkat, -100 /* AT_FDCWD */, from, -100, to, 0);
}
