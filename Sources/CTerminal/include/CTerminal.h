// A terminal that delivers keys one by one, and is always restored as it was found.
//
// In C, because a signal handler calls it, and Swift does not promise that any function is safe there (POSIX 2.4.3).
#pragma once
#include <stdbool.h>

// From now on, the calling thread is not stopped when it reads or sets a terminal in the background: it gets an error.
void ct_ignore_job_control(void);

// Whether the process may read from the terminal now: it is in the foreground, or not under the terminal's job control.
bool ct_is_foreground(int terminal);

// Takes the terminal, unless it is taken already: no line editing, no echo. Ctrl-C, Ctrl-Z and Ctrl-\ keep their
// meaning; a signal that ends or stops the process restores the terminal first. One terminal of a process at a time,
// one thread at a time. Returns false if it cannot be taken.
bool ct_take(int terminal);

// Restores the terminal, unless that is done or another process has it by now. Any thread, any signal handler.
void ct_give_back(void);
