#ifndef CSDL2_SHIM_H
#define CSDL2_SHIM_H

// The program has a main function of its own.
#define SDL_MAIN_HANDLED
#include <SDL2/SDL.h>

#endif
