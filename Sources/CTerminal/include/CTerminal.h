// A terminal whose keys come one by one, and which is always given back as it was found.
//
// In C because a signal handler may call nothing else: Swift promises for no function that it is safe there (POSIX 2.4.3).
#pragma once
#include <stdbool.h>

// The calling thread is never stopped for reading or setting a terminal in the background: it gets an error.
void ct_ignore_job_control(void);

// The process may read from the terminal now: it is in the foreground, or the terminal rules no jobs of it.
bool ct_is_foreground(int terminal);

// Takes the terminal, unless it is taken already: no line editing, no echo; Ctrl-C, Ctrl-Z and Ctrl-\ keep their
// meaning, and what ends or stops the process gives it back before. One terminal of a process at a time, one thread at
// a time. Returns false where it cannot be taken.
bool ct_take(int terminal);

// Gives it back, unless that is done or the terminal is somebody else's by now. Any thread, any signal handler.
void ct_give_back(void);
