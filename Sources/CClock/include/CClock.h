// What the kernel says of its wall clock.
#ifndef CCLOCK_H
#define CCLOCK_H

/// Asks adjtimex(2) and changes nothing.
///
/// Returns 1 where somebody keeps the clock synchronised, 0 where nobody does, -1 where the kernel does not say.
/// `maximum_error`: microseconds, as whoever sets it estimates.
int CClock_state(long *maximum_error);

#endif
