// For LD_PRELOAD: a file system that lacks what CAMREC_FAULTY_FILES names.
#ifndef FAULTYFILES_H
#define FAULTYFILES_H
#endif
