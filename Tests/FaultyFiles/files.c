// Calls that some file systems do not have, made to fail as they fail there. CAMREC_FAULTY_FILES names them:
// "locks" (flock: ENOLCK, as NFS without lockd), "noreplace" (renameat2 with flags: EINVAL), "links" (link: EPERM).
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
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

int flock(int descriptor, int operation) {
  return lacks("locks") ? fail(ENOLCK) : (int)syscall(SYS_flock, descriptor, operation);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned int flags) {
  if (flags && lacks("noreplace")) return fail(EINVAL);
  return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) {
  return lacks("links") ? fail(EPERM) : (int)syscall(SYS_linkat, -100 /* AT_FDCWD */, from, -100, to, 0);
}
