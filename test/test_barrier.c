// The write barrier: a block is saved once, before its first change in an epoch.
#include "world/world.h"

#include "support.h"

// What was saved: how often, the block, and its first value as it was then.
static struct {
    uint32_t calls;
    const ilki_block* block;
    Position value;
} saved;

static void save(ilki_storage* storage, const ilki_block* block) {
    assert_true(block->touched < storage->epoch);
    saved.calls++;
    saved.block = block;
    if (block->kind == ILKI_HOME) memcpy(&saved.value, block->base, sizeof saved.value);
}

// The rows of chunks are none of this file's business.
static void save_rows(ilki_storage* storage, const ilki_chunk* chunk) {
    (void)storage, (void)chunk;
}

static uint32_t saves_taken(void) {
    uint32_t calls = saved.calls;
    saved.calls = 0;
    return calls;
}

// A new epoch begins with a new tick.
static void begin_epoch(fixture* f) {
    ilki_storage* storage = &f->world->storage;
    storage->save_block = save;
    storage->save_chunk = save_rows;
    ilki_next_tick(storage);
    storage->epoch = storage->view.tick;
    saves_taken();
}

static ilki_block* block_of(fixture* f, ilk_type* type, uint32_t chunk) {
    return ilki_block_at(ilki_directory_of(&f->world->storage.view, type), chunk);
}

static void touching_saves_once(void** state) {
    fixture* f = *state;
    ilki_storage* storage = &f->world->storage;
    ilki_block block = {.changed = 1, .touched = 1};
    begin_epoch(f);
    ilki_touch(storage, &block);
    assert_int_equal(saves_taken(), 1);
    assert_ptr_equal(saved.block, &block);
    assert_int_equal(block.touched, storage->view.tick);
    assert_int_equal(block.changed, 1);
    ilki_touch(storage, &block);
    ilki_change(storage, &block);
    ilki_change(storage, &block);
    assert_int_equal(saves_taken(), 0);
    assert_int_equal(block.changed, storage->view.tick);
}

static void without_an_epoch_nothing_is_saved(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    f->world->storage.save_block = save;
    ilki_next_tick(&f->world->storage);
    saves_taken();
    assert_non_null(ILK_EDIT(f->world, e, Position));
    assert_int_equal(saves_taken(), 0);
}

static void the_first_write_saves_what_was_there(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2), ILK_WITH(Velocity));
    begin_epoch(f);
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Position, 3, 4)));
    assert_int_equal(saved.calls, 1);
    assert_ptr_equal(saved.block, block_of(f, &Position_type, 0));
    assert_true(same_position(&saved.value, 1, 2));
    ILK_EDIT(f->world, e, Position)->x = 5;
    assert_ok(ilk_replace(f->world, e, ILK_VALUE(Position, 6, 7)));
    assert_non_null(ILK_ENSURE(f->world, e, Position));
    assert_ok(ilk_disable(f->world, e, &Position_type));
    assert_ok(ilk_remove(f->world, e, &Position_type));
    assert_int_equal(saves_taken(), 1);
    assert_ok(ilk_remove(f->world, e, &Velocity_type));
    assert_int_equal(saves_taken(), 1);
}

static void a_later_tick_of_the_epoch_saves_nothing(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    begin_epoch(f);
    ILK_EDIT(f->world, e, Position);
    assert_int_equal(saves_taken(), 1);
    ilki_next_tick(&f->world->storage);
    ILK_EDIT(f->world, e, Position);
    assert_int_equal(saves_taken(), 0);
    assert_int_equal(block_of(f, &Position_type, 0)->changed, f->world->storage.view.tick);
    begin_epoch(f);
    ILK_EDIT(f->world, e, Position);
    assert_int_equal(saves_taken(), 1);
}

// Every verb that changes a value, a bit or a switch, each in an epoch of its own.
typedef void change(fixture* f, ilk_entity e);

static void write_it(fixture* f, ilk_entity e) {
    assert_non_null(ILK_EDIT(f->world, e, Position));
}

static void ensure_it(fixture* f, ilk_entity e) {
    assert_non_null(ILK_ENSURE(f->world, e, Position));
}

static void set_it(fixture* f, ilk_entity e) {
    assert_ok(ilk_set(f->world, e, ILK_VALUE(Position, 1, 2)));
}

static void default_it(fixture* f, ilk_entity e) {
    assert_ok(ilk_set(f->world, e, ILK_WITH(Position)));
}

static void disable_it(fixture* f, ilk_entity e) {
    assert_ok(ilk_disable(f->world, e, &Position_type));
}

static void enable_it(fixture* f, ilk_entity e) {
    assert_ok(ilk_enable(f->world, e, &Position_type));
}

static void remove_it(fixture* f, ilk_entity e) {
    assert_ok(ilk_remove(f->world, e, &Position_type));
}

static void add_it(fixture* f, ilk_entity e) {
    assert_ok(ilk_add(f->world, e, ILK_VALUE(Position, 1, 2)));
}

static void remove_all(fixture* f, ilk_entity e) {
    assert_ok(ilk_remove_all(f->world, e));
}

static void destroy_it(fixture* f, ilk_entity e) {
    assert_ok(ilk_destroy(f->world, e)); // it is an exception, whose bit is cleared
}

static void spawn_beside(fixture* f, ilk_entity e) {
    (void)e;
    ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
}

static void copy_it(fixture* f, ilk_entity e) {
    ilk_copy(f->world, e);
}

static void spawn_many(fixture* f, ilk_entity e) {
    (void)e;
    ilk_batch batch;
    assert_ok(ilk_spawn_many(f->world, &batch, 1, ILK_TYPES(&Position_type)));
}

static void walk_it(fixture* f, ilk_entity e) {
    (void)e;
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){.write = {&Position_type}});
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        assert_non_null(ILK_WRITE(&it, Position));
    }
}

static void each_change_passes_the_barrier(void** state) {
    fixture* f = *state;
    change* changes[] = {write_it,   ensure_it, set_it,       default_it, disable_it,
                         enable_it,  copy_it,   spawn_beside, spawn_many, walk_it,
                         remove_all, add_it,    remove_it,    destroy_it};
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    for (uint32_t i = 0; i < COUNT_OF(changes); i++) {
        begin_epoch(f);
        changes[i](f, e);
        assert_int_equal(saves_taken(), 1);
        assert_ptr_equal(saved.block, block_of(f, &Position_type, 0));
        assert_int_equal(saved.block->touched, f->world->storage.view.tick);
    }
}

static void readers_save_nothing(void** state) {
    fixture* f = *state;
    ilk_entity e = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    uint64_t changed = block_of(f, &Position_type, 0)->changed;
    begin_epoch(f);
    assert_non_null(ILK_GET(f->world, e, Position));
    assert_true(ilk_has(f->world, e, &Position_type));
    assert_true(ilk_enabled(f->world, e, &Position_type));
    assert_ok(ilk_enable(f->world, e, &Position_type)); // it is on already
    ilk_query* query = ilk_query_create(f->world, &(ilk_query_desc){.write = {&Position_type}});
    for (ilk_iter it = ilk_query_iter(f->world, query); ilk_next(&it);) {
        assert_non_null(ILK_READ(&it, Position));
    }
    assert_int_equal(saves_taken(), 0);
    assert_int_equal(block_of(f, &Position_type, 0)->changed, changed);
}

// Moving values touches the blocks that they go from and come to, but for the user nothing changes.
static void settling_touches_without_changing(void** state) {
    fixture* f = *state;
    ilk_entity e[20];
    for (int i = 0; i < 20; i++) e[i] = ILK_SPAWN(f->world, ILK_VALUE(Position, 1, 2));
    for (int i = 0; i < 3; i++) assert_ok(ilk_destroy(f->world, e[i]));
    for (int i = 6; i < 20; i++) assert_ok(ilk_destroy(f->world, e[i]));
    const ilki_block* block = block_of(f, &Position_type, 0);
    uint64_t changed = block->changed;
    begin_epoch(f);
    assert_int_equal(ilk_settle(f->world, 0).moved, 3); // two to the first chunk, one into its hole
    assert_int_equal(saves_taken(), 2);
    assert_int_equal(block->changed, changed);
    assert_int_equal(block->touched, f->world->storage.view.tick);
}

// A value that owns something is saved while it still does.
static void save_before_drop(ilki_storage* storage, const ilki_block* block) {
    (void)storage, (void)block;
    saved.calls++;
    assert_int_equal(hooks_called.drops, 0);
}

static void values_are_dropped_behind_the_barrier(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    for (uint32_t i = 0; i < COUNT_OF(e); i++) e[i] = ILK_SPAWN(f->world, ILK_WITH(Owned));
    for (uint32_t i = 0; i < COUNT_OF(e); i++) {
        begin_epoch(f);
        f->world->storage.save_block = save_before_drop;
        hooks_taken();
        assert_ok(i == 0   ? ilk_remove(f->world, e[i], &Owned_type)
                  : i == 1 ? ilk_remove_all(f->world, e[i])
                           : ilk_destroy(f->world, e[i]));
        assert_int_equal(saves_taken(), 1);
        assert_int_equal(hooks_taken().drops, 1);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(values_are_dropped_behind_the_barrier),
        WORLD_TEST(touching_saves_once),
        WORLD_TEST(without_an_epoch_nothing_is_saved),
        WORLD_TEST(the_first_write_saves_what_was_there),
        WORLD_TEST(a_later_tick_of_the_epoch_saves_nothing),
        WORLD_TEST(each_change_passes_the_barrier),
        WORLD_TEST(readers_save_nothing),
        WORLD_TEST(settling_touches_without_changing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
