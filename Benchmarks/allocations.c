// Counts heap allocations of a process, apart for camrec's own code (its binary, and the Swift runtime and Foundation
// that it calls) on the frame path's threads and on the main thread (which reports progress), and for the libraries.
// Preloaded by bench.py; writes "path main libraries" to $ALLOCATION_REPORT at exit.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static atomic_long path, main_thread, libraries;
static __thread int inside;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static int is_own(void *caller) {
  Dl_info info;
  if (!dladdr(caller, &info) || !info.dli_fname) return 0;
  const char *file = strrchr(info.dli_fname, '/');
  file = file ? file + 1 : info.dli_fname;
  return !strcmp(file, "camrec") || !strncmp(file, "libswift", 8) || !strncmp(file, "libFoundation", 13) ||
         !strncmp(file, "lib_Foundation", 14) || !strncmp(file, "libdispatch", 11);
}

static void count_one(void *caller) {
  if (inside) return;
  inside = 1;
  atomic_fetch_add(!is_own(caller) ? &libraries : gettid() == getpid() ? &main_thread : &path, 1);
  inside = 0;
}

#define COUNT() count_one(__builtin_return_address(0))

void *malloc(size_t n) { COUNT(); return __libc_malloc(n); }
void *calloc(size_t n, size_t m) { COUNT(); return __libc_calloc(n, m); }
void *realloc(void *p, size_t n) { COUNT(); return __libc_realloc(p, n); }
void *memalign(size_t a, size_t n) { COUNT(); return __libc_memalign(a, n); }
void *aligned_alloc(size_t a, size_t n) { COUNT(); return __libc_memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) { COUNT(); *p = __libc_memalign(a, n); return *p ? 0 : 12; }

__attribute__((destructor)) static void report(void) {
  const char *name = getenv("ALLOCATION_REPORT");
  FILE *file = name ? fopen(name, "w") : NULL;
  if (!file) return;
  fprintf(file, "%ld %ld %ld\n", atomic_load(&path), atomic_load(&main_thread), atomic_load(&libraries));
  fclose(file);
}
