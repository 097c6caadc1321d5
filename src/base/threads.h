// Threads that wait for work and help with it.
#ifndef ILKI_THREADS_H
#define ILKI_THREADS_H

#include "memory.h"

typedef struct ilki_pool_of_threads ilki_threads;

// Starts up to `count` threads; fewer, or none, if the system has no more. NULL without memory.
ilki_threads* ilki_threads_start(ilki_memory* memory, uint32_t count);

// Ends them. NULL is allowed.
void ilki_threads_stop(ilki_threads* threads, ilki_memory* memory);

uint32_t ilki_threads_count(const ilki_threads* threads);

// Asks up to `times` threads to call `work` once each, and returns at once.
void ilki_threads_help(void* threads, void (*work)(void* argument), void* argument, uint32_t times);

// Returns when nobody is at that work any more. Calls that have not begun by now are not made.
void ilki_threads_wait(void* threads);

#endif
