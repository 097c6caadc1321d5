// A small job system: threads that take jobs from a queue. It knows nothing of ilk.
#ifndef JOBS_POOL_H
#define JOBS_POOL_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#define POOL_THREADS 3
#define POOL_ROOM 64 // jobs that wait, at most

typedef void job_fn(void* argument);

typedef struct job_pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct {
        job_fn* work;
        void* argument;
    } queue[POOL_ROOM]; // from `next` on, in a circle
    uint32_t next, waiting, running;
    uint64_t added; // since it was opened
    bool is_over;
    pthread_t threads[POOL_THREADS];
} job_pool;

static inline void pool_do_next(job_pool* pool) {
    job_fn* work = pool->queue[pool->next].work;
    void* argument = pool->queue[pool->next].argument;
    pool->next = (pool->next + 1) % POOL_ROOM;
    pool->waiting--;
    pool->running++;
    pthread_mutex_unlock(&pool->lock);
    work(argument);
    pthread_mutex_lock(&pool->lock);
    pool->running--;
    pthread_cond_broadcast(&pool->changed);
}

static inline void* pool_work(void* argument) {
    job_pool* pool = argument;
    pthread_mutex_lock(&pool->lock);
    while (pool->waiting || !pool->is_over) {
        if (pool->waiting) {
            pool_do_next(pool);
        } else {
            pthread_cond_wait(&pool->changed, &pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static inline void pool_open(job_pool* pool) {
    *pool = (job_pool){0};
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->changed, NULL);
    for (int i = 0; i < POOL_THREADS; i++) {
        pthread_create(&pool->threads[i], NULL, pool_work, pool);
    }
}

// False if there is no room.
static inline bool pool_add(job_pool* pool, job_fn* work, void* argument) {
    pthread_mutex_lock(&pool->lock);
    bool has_room = pool->waiting < POOL_ROOM;
    if (has_room) {
        uint32_t at = (pool->next + pool->waiting++) % POOL_ROOM;
        pool->queue[at].work = work;
        pool->queue[at].argument = argument;
        pool->added++;
    }
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    return has_room;
}

// Returns when no job waits or runs.
static inline void pool_wait(job_pool* pool) {
    pthread_mutex_lock(&pool->lock);
    while (pool->waiting || pool->running) pthread_cond_wait(&pool->changed, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
}

static inline void pool_close(job_pool* pool) {
    pthread_mutex_lock(&pool->lock);
    pool->is_over = true;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < POOL_THREADS; i++) pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->changed);
    pthread_mutex_destroy(&pool->lock);
}

#endif
