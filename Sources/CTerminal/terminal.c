#include "CTerminal.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <termios.h>
#include <unistd.h>

// Stop or end the process at once. SIGINT, SIGTERM and SIGHUP end a recording, and the program gives back by itself.
static const int leaving[] = {SIGTSTP, SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
enum { leaving_count = sizeof leaving / sizeof *leaving };

static struct termios found;
static struct sigaction before[leaving_count];
static atomic_int taken = -1; // the terminal, −1 for none

void ct_ignore_job_control(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTTIN);
  sigaddset(&set, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}

bool ct_is_foreground(int terminal) {
  pid_t group = tcgetpgrp(terminal);
  return group < 0 ? errno == ENOTTY : group == getpgrp();
}

void ct_give_back(void) {
  int terminal = atomic_exchange(&taken, -1);
  if (terminal < 0 || !ct_is_foreground(terminal)) return;
  // It may go to the background in this moment; then it is not worth being stopped for.
  sigset_t set, mask;
  sigemptyset(&set);
  sigaddset(&set, SIGTTOU);
  pthread_sigmask(SIG_BLOCK, &set, &mask);
  tcsetattr(terminal, TCSANOW, &found);
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
}

// Gives the terminal back, and lets happen what would have happened.
static void leave(int number) {
  int error = errno;
  ct_give_back();
  for (int i = 0; i < leaving_count; i++)
    if (leaving[i] == number) sigaction(number, &before[i], NULL);
  // Held back until this handler returns.
  raise(number);
  errno = error;
}

static void watch_signals(void) {
  struct sigaction ours = {.sa_handler = leave, .sa_flags = SA_RESTART};
  sigemptyset(&ours.sa_mask);
  for (int i = 0; i < leaving_count; i++) {
    struct sigaction now;
    sigaction(leaving[i], NULL, &now);
    bool is_ignored = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_IGN;
    bool is_ours = !(now.sa_flags & SA_SIGINFO) && now.sa_handler == leave;
    if (is_ignored || is_ours) continue;
    before[i] = now;
    sigaction(leaving[i], &ours, NULL);
  }
}

bool ct_take(int terminal) {
  struct termios modes;
  if (tcgetattr(terminal, &modes)) return false;
  if (atomic_load(&taken) == terminal && !(modes.c_lflag & ICANON)) return true;
  found = modes;
  modes.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
  modes.c_cc[VMIN] = 1;
  modes.c_cc[VTIME] = 0;
  watch_signals();
  // Before it is so: a signal in between gives back what is there.
  atomic_store(&taken, terminal);
  if (!tcsetattr(terminal, TCSANOW, &modes)) return true;
  atomic_store(&taken, -1);
  return false;
}
