// Counts heap allocations by thread name, apart for camrec's own code (its binary and the Swift runtime below it) and for
// the libraries. Preloaded by bench.py; writes "thread own libraries" lines to $ALLOCATION_REPORT at exit.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MOST_THREADS = 256 };

static struct entry { char name[16]; long own, libraries; } entries[MOST_THREADS];
static int used;
static __thread struct entry *mine;
static __thread int inside;
static __thread long early;

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
         !strncmp(file, "lib_Foundation", 14) || !strcmp(file, "libdispatch.so");
}

static void count_one(void *caller) {
  if (inside) return;
  inside = 1;
  // A thread gets its name after its first allocations: it is looked up until it is no longer the program's.
  if (!mine && ++early % 8 == 1) {
    char name[16] = "";
    prctl(PR_GET_NAME, name);
    if (strcmp(name, "camrec") != 0 || getpid() == gettid()) {
      int slot = __sync_fetch_and_add(&used, 1);
      if (slot < MOST_THREADS) {
        mine = &entries[slot];
        memcpy(mine->name, name, sizeof name);
      }
    }
  }
  if (mine) is_own(caller) ? mine->own++ : mine->libraries++;
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
  const char *path = getenv("ALLOCATION_REPORT");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file) return;
  for (int i = 0; i < used && i < MOST_THREADS; i++)
    fprintf(file, "%s %ld %ld\n", entries[i].name, entries[i].own, entries[i].libraries);
  fclose(file);
}
