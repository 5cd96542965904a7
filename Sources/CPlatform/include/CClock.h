// The state of the kernel's wall clock.
#ifndef CCLOCK_H
#define CCLOCK_H

/// Reads the state with adjtimex(2); changes nothing.
///
/// Returns 1 if the clock is kept synchronised, 0 if not, -1 if the kernel does not say.
/// `maximum_error`: in microseconds, as estimated by the program that sets the clock.
int CClock_state(long *maximum_error);

#endif
