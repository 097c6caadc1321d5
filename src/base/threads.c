#include "threads.h"

#ifdef ILK_NO_THREADS

ilki_threads* ilki_threads_start(ilki_memory* memory, uint32_t count) {
    (void)memory, (void)count;
    return NULL;
}

void ilki_threads_stop(ilki_threads* threads, ilki_memory* memory) {
    (void)threads, (void)memory;
}

uint32_t ilki_threads_count(const ilki_threads* threads) {
    (void)threads;
    return 0;
}

void ilki_threads_help(void* threads, void (*work)(void* argument), void* argument,
                       uint32_t times) {
    (void)threads, (void)work, (void)argument, (void)times;
}

void ilki_threads_wait(void* threads) {
    (void)threads;
}

#else

#include <pthread.h>

// How often somebody looks whether there is something to do before sleeping: some 10 µs, less than
// waking up costs.
#define PATIENCE 2000

struct ilki_pool_of_threads {
    pthread_mutex_t mutex;
    pthread_cond_t work_came, work_ended;
    void (*work)(void* argument);
    void* argument;
    uint32_t wanted;  // calls that have not begun
    uint32_t working; // calls that have not returned
    bool is_ending;
    uint32_t count, capacity;
    pthread_t threads[];
};

static void relax(void) {
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
}

static void await_change(const uint32_t* number, bool is_wanted_zero) {
    for (uint32_t i = 0; i < PATIENCE; i++) {
        if ((__atomic_load_n(number, __ATOMIC_RELAXED) == 0) == is_wanted_zero) return;
        relax();
    }
}

static void* work_for_life(void* context) {
    ilki_threads* pool = context;
    pthread_mutex_lock(&pool->mutex);
    while (!pool->is_ending) {
        if (!pool->wanted) {
            pthread_cond_wait(&pool->work_came, &pool->mutex);
            continue;
        }
        __atomic_store_n(&pool->wanted, pool->wanted - 1, __ATOMIC_RELAXED);
        __atomic_store_n(&pool->working, pool->working + 1, __ATOMIC_RELAXED);
        pthread_mutex_unlock(&pool->mutex);
        pool->work(pool->argument);
        pthread_mutex_lock(&pool->mutex);
        __atomic_store_n(&pool->working, pool->working - 1, __ATOMIC_RELAXED);
        if (!pool->working) pthread_cond_signal(&pool->work_ended);
        pthread_mutex_unlock(&pool->mutex);
        await_change(&pool->wanted, false);
        pthread_mutex_lock(&pool->mutex);
    }
    pthread_mutex_unlock(&pool->mutex);
    return NULL;
}

static size_t pool_bytes(uint32_t count) {
    return sizeof(ilki_threads) + count * sizeof(pthread_t);
}

ilki_threads* ilki_threads_start(ilki_memory* memory, uint32_t count) {
    ilki_threads* pool =
        ilki_alloc_zero(memory, ILKI_OTHER, pool_bytes(count), _Alignof(ilki_threads));
    if (!pool) return NULL;
    pool->capacity = count;
    pthread_mutex_init(&pool->mutex, NULL);
    pthread_cond_init(&pool->work_came, NULL);
    pthread_cond_init(&pool->work_ended, NULL);
    while (pool->count < count) {
        if (pthread_create(&pool->threads[pool->count], NULL, work_for_life, pool) != 0) break;
        pool->count++;
    }
    return pool;
}

void ilki_threads_stop(ilki_threads* pool, ilki_memory* memory) {
    if (!pool) return;
    pthread_mutex_lock(&pool->mutex);
    pool->is_ending = true;
    pthread_cond_broadcast(&pool->work_came);
    pthread_mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->count; i++) pthread_join(pool->threads[i], NULL);
    pthread_mutex_destroy(&pool->mutex);
    pthread_cond_destroy(&pool->work_came);
    pthread_cond_destroy(&pool->work_ended);
    ilki_free(memory, ILKI_OTHER, pool, pool_bytes(pool->capacity), _Alignof(ilki_threads));
}

uint32_t ilki_threads_count(const ilki_threads* pool) {
    return pool ? pool->count : 0;
}

void ilki_threads_help(void* threads, void (*work)(void* argument), void* argument,
                       uint32_t times) {
    ilki_threads* pool = threads;
    pthread_mutex_lock(&pool->mutex);
    pool->work = work;
    pool->argument = argument;
    __atomic_store_n(&pool->wanted, times, __ATOMIC_RELAXED);
    if (times == 1)
        pthread_cond_signal(&pool->work_came);
    else
        pthread_cond_broadcast(&pool->work_came);
    pthread_mutex_unlock(&pool->mutex);
}

void ilki_threads_wait(void* threads) {
    ilki_threads* pool = threads;
    await_change(&pool->working, true);
    pthread_mutex_lock(&pool->mutex);
    __atomic_store_n(&pool->wanted, 0, __ATOMIC_RELAXED);
    while (pool->working) pthread_cond_wait(&pool->work_ended, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

#endif
