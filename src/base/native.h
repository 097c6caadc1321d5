// Threads, mutexes and signals as the system has them: those of POSIX, or of Windows. With
// ILK_NO_THREADS there are none.
#ifndef ILKI_NATIVE_H
#define ILKI_NATIVE_H

#include "platform.h"
#include "windows_words.h"

// WebAssembly has threads only if it is asked for them.
#if defined __wasm__ && !defined _REENTRANT && !defined ILK_NO_THREADS
#define ILK_NO_THREADS
#endif

#if defined ILK_NO_THREADS
#elif defined _WIN32

#include <process.h>

#define ILKI_LIFE unsigned __stdcall // the type of what a thread runs

typedef SRWLOCK ilki_mutex;
typedef CONDITION_VARIABLE ilki_signal;
typedef HANDLE ilki_native_thread;

static inline void ilki_mutex_init(ilki_mutex* mutex) {
    InitializeSRWLock(mutex);
}

static inline void ilki_mutex_fini(ilki_mutex* mutex) {
    (void)mutex;
}

static inline void ilki_mutex_take(ilki_mutex* mutex) {
    AcquireSRWLockExclusive(mutex);
}

static inline void ilki_mutex_give(ilki_mutex* mutex) {
    ReleaseSRWLockExclusive(mutex);
}

static inline void ilki_signal_init(ilki_signal* signal) {
    InitializeConditionVariable(signal);
}

static inline void ilki_signal_fini(ilki_signal* signal) {
    (void)signal;
}

static inline void ilki_signal_wait(ilki_signal* signal, ilki_mutex* mutex) {
    SleepConditionVariableSRW(signal, mutex, INFINITE, 0);
}

static inline void ilki_signal_one(ilki_signal* signal) {
    WakeConditionVariable(signal);
}

static inline void ilki_signal_all(ilki_signal* signal) {
    WakeAllConditionVariable(signal);
}

// False if there are no more threads to be had.
static inline bool ilki_native_start(ilki_native_thread* thread, unsigned(__stdcall* life)(void*),
                                     void* context) {
    *thread = (HANDLE)_beginthreadex(NULL, 0, life, context, 0, NULL);
    return *thread != NULL;
}

static inline void ilki_native_join(ilki_native_thread thread) {
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

#else

#include <pthread.h>

#define ILKI_LIFE void* // the type of what a thread runs

typedef pthread_mutex_t ilki_mutex;
typedef pthread_cond_t ilki_signal;
typedef pthread_t ilki_native_thread;

static inline void ilki_mutex_init(ilki_mutex* mutex) {
    pthread_mutex_init(mutex, NULL);
}

static inline void ilki_mutex_fini(ilki_mutex* mutex) {
    pthread_mutex_destroy(mutex);
}

static inline void ilki_mutex_take(ilki_mutex* mutex) {
    pthread_mutex_lock(mutex);
}

static inline void ilki_mutex_give(ilki_mutex* mutex) {
    pthread_mutex_unlock(mutex);
}

static inline void ilki_signal_init(ilki_signal* signal) {
    pthread_cond_init(signal, NULL);
}

static inline void ilki_signal_fini(ilki_signal* signal) {
    pthread_cond_destroy(signal);
}

static inline void ilki_signal_wait(ilki_signal* signal, ilki_mutex* mutex) {
    pthread_cond_wait(signal, mutex);
}

static inline void ilki_signal_one(ilki_signal* signal) {
    pthread_cond_signal(signal);
}

static inline void ilki_signal_all(ilki_signal* signal) {
    pthread_cond_broadcast(signal);
}

// False if there are no more threads to be had.
static inline bool ilki_native_start(ilki_native_thread* thread, void* (*life)(void*),
                                     void* context) {
    return pthread_create(thread, NULL, life, context) == 0;
}

static inline void ilki_native_join(ilki_native_thread thread) {
    pthread_join(thread, NULL);
}

#endif
#endif
