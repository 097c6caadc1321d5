#include "threads.h"

#include "native.h"

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

// How often somebody looks whether there is something to do before sleeping: some 10 µs, less than
// waking up costs.
#define PATIENCE 2000

struct ilki_pool_of_threads {
    ilki_mutex mutex;
    ilki_signal work_came, work_ended;
    void (*work)(void* argument);
    void* argument;
    uint32_t wanted;  // calls that have not begun
    uint32_t working; // calls that have not returned
    bool is_ending;
    uint32_t count, capacity;
    ilki_native_thread threads[];
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

static ILKI_LIFE work_for_life(void* context) {
    ilki_threads* pool = context;
    ilki_mutex_take(&pool->mutex);
    while (!pool->is_ending) {
        if (!pool->wanted) {
            ilki_signal_wait(&pool->work_came, &pool->mutex);
            continue;
        }
        __atomic_store_n(&pool->wanted, pool->wanted - 1, __ATOMIC_RELAXED);
        __atomic_store_n(&pool->working, pool->working + 1, __ATOMIC_RELAXED);
        ilki_mutex_give(&pool->mutex);
        pool->work(pool->argument);
        ilki_mutex_take(&pool->mutex);
        __atomic_store_n(&pool->working, pool->working - 1, __ATOMIC_RELAXED);
        if (!pool->working) ilki_signal_one(&pool->work_ended);
        ilki_mutex_give(&pool->mutex);
        await_change(&pool->wanted, false);
        ilki_mutex_take(&pool->mutex);
    }
    ilki_mutex_give(&pool->mutex);
    return 0;
}

static size_t pool_bytes(uint32_t count) {
    return sizeof(ilki_threads) + count * sizeof(ilki_native_thread);
}

ilki_threads* ilki_threads_start(ilki_memory* memory, uint32_t count) {
    ilki_threads* pool =
        ilki_alloc_zero(memory, ILKI_OTHER, pool_bytes(count), _Alignof(ilki_threads));
    if (!pool) return NULL;
    pool->capacity = count;
    ilki_mutex_init(&pool->mutex);
    ilki_signal_init(&pool->work_came);
    ilki_signal_init(&pool->work_ended);
    while (pool->count < count) {
        if (!ilki_native_start(&pool->threads[pool->count], work_for_life, pool)) break;
        pool->count++;
    }
    return pool;
}

void ilki_threads_stop(ilki_threads* pool, ilki_memory* memory) {
    if (!pool) return;
    ilki_mutex_take(&pool->mutex);
    pool->is_ending = true;
    ilki_signal_all(&pool->work_came);
    ilki_mutex_give(&pool->mutex);
    for (uint32_t i = 0; i < pool->count; i++) ilki_native_join(pool->threads[i]);
    ilki_mutex_fini(&pool->mutex);
    ilki_signal_fini(&pool->work_came);
    ilki_signal_fini(&pool->work_ended);
    ilki_free(memory, ILKI_OTHER, pool, pool_bytes(pool->capacity), _Alignof(ilki_threads));
}

uint32_t ilki_threads_count(const ilki_threads* pool) {
    return pool ? pool->count : 0;
}

void ilki_threads_help(void* threads, void (*work)(void* argument), void* argument,
                       uint32_t times) {
    ilki_threads* pool = threads;
    ilki_mutex_take(&pool->mutex);
    pool->work = work;
    pool->argument = argument;
    __atomic_store_n(&pool->wanted, times, __ATOMIC_RELAXED);
    if (times == 1)
        ilki_signal_one(&pool->work_came);
    else
        ilki_signal_all(&pool->work_came);
    ilki_mutex_give(&pool->mutex);
}

void ilki_threads_wait(void* threads) {
    ilki_threads* pool = threads;
    await_change(&pool->working, true);
    ilki_mutex_take(&pool->mutex);
    __atomic_store_n(&pool->wanted, 0, __ATOMIC_RELAXED);
    while (pool->working) ilki_signal_wait(&pool->work_ended, &pool->mutex);
    ilki_mutex_give(&pool->mutex);
}

#endif
