// The test of the C++ header: main, and types, verbs and worlds.
#include "cpp_support.h"

static void test_types() {
    CHECK(std::strcmp(ilk::type<Position>()->name, "Position") == 0);
    CHECK(std::strcmp(ilk::type<game::Level>()->name, "Level") == 0);
    CHECK(ilk::type<const Position>() == ilk::type<Position>());
    CHECK(ilk::type<Frozen>()->size == 0);
    CHECK(ilk::type<Position>()->size == sizeof(Position));
    CHECK(ilk::type<Position>()->align == alignof(Position));
    CHECK(ilk::type<Title>() == &Title_type);
}

enum class Mood : unsigned short {
    calm
};
struct Everything {
    bool flag;
    char letters[8];
    signed char small;
    unsigned short word;
    int number;
    unsigned long long large;
    double precise;
    ilk_entity friends[2];
    const char* text;
    Position at;
    Mood mood;
};
ILK_CPP_COMPONENT(Everything);

static void test_fields() {
    static const ilk_field fields[] = {
        ILK_CPP_FIELD(Everything, flag),    ILK_CPP_FIELD(Everything, letters),
        ILK_CPP_FIELD(Everything, small),   ILK_CPP_FIELD(Everything, word),
        ILK_CPP_FIELD(Everything, number),  ILK_CPP_FIELD(Everything, large),
        ILK_CPP_FIELD(Everything, precise), ILK_CPP_FIELD(Everything, friends),
        ILK_CPP_FIELD(Everything, text),    ILK_CPP_FIELD(Everything, at),
        ILK_CPP_FIELD(Everything, mood),    {}};
    const ilk_kind kinds[] = {ILK_KIND_BOOL,    ILK_KIND_CHAR,  ILK_KIND_I8,  ILK_KIND_U16,
                              ILK_KIND_I32,     ILK_KIND_U64,   ILK_KIND_F64, ILK_KIND_ENTITY,
                              ILK_KIND_POINTER, ILK_KIND_BYTES, ILK_KIND_U16};
    for (int i = 0; i < 11; i++) CHECK(fields[i].kind == kinds[i]);
    CHECK(ilk_field_length(&fields[1]) == 8 && ilk_field_length(&fields[7]) == 2);
    ilk::type<Everything>()->fields = fields;

    // An entity that a field names is the copy in the copy: so ilk knows the fields.
    ilk::world world;
    ilk_entity e = ilk::spawn(world, Everything{});
    ilk::edit<Everything>(world, e)->friends[1] = e;
    ilk_entity twin = ilk_copy(world, e);
    CHECK(ilk_same(ilk::get<Everything>(world, twin)->friends[1], twin));
}

static void test_verbs() {
    ilk::world world;
    ilk_entity e = ilk::spawn(world, Position{1, 2}, Frozen{});
    CHECK(ilk_alive(world, e));
    CHECK(ilk::get<Position>(world, e)->y == 2);
    CHECK(ilk::has<Frozen>(world, e) && !ilk::has<Velocity>(world, e));
    CHECK(ilk::get<Velocity>(world, e) == nullptr);

    CHECK(ilk::add(world, e, Velocity{3, 4}) == ILK_OK);
    CHECK(ilk::add(world, e, Velocity{5, 6}) == ILK_EXISTS);
    CHECK(ilk::set<Velocity>(world, e, {7, 8}) == ILK_OK);
    CHECK(ilk::get<Velocity>(world, e)->x == 7);
    CHECK(ilk::replace(world, e, Health{3}) == ILK_MISSING);
    ilk::edit<Position>(world, e)->x = 9;
    CHECK(ilk::get<Position>(world, e)->x == 9);
    CHECK(ilk::remove<Frozen>(world, e) == ILK_OK && !ilk::has<Frozen>(world, e));
    CHECK(ilk::remove<Frozen>(world, e) == ILK_MISSING);
    CHECK(ilk::edit<Frozen>(world, e) == nullptr && ilk_error(world).result == ILK_MISSING);

    const Position large = {11, 12};
    CHECK(ilk_set(world, e, ilk::value_at(large)) == ILK_OK);
    CHECK(ilk::get<Position>(world, e)->y == 12);
    CHECK(ilk_is_null(ilk::spawn(world, Health{}, Health{})));
    CHECK(ilk_error(world).result == ILK_EXISTS);
    CHECK(ilk_alive(world, ilk::spawn(world)));
}

static void test_defaults() {
    ilk::world world;
    ilk_entity e = ilk_create(world);
    CHECK(ilk::ensure<Health>(world, e)->points == 100); // the initialiser of the member
    CHECK(ilk::ensure<Velocity>(world, e)->x == 0);
    CHECK(ilk::ensure<Bag>(world, e)->label->empty());
}

static void test_many() {
    ilk::world world;
    ilk_batch batch;
    CHECK((ilk::spawn_many<Position, Frozen>(world, &batch, 100)) == ILK_OK);
    int next = 0;
    while (ilk_batch_next(&batch)) {
        Position* p = ilk::fill<Position>(batch);
        for (uint32_t i = 0; i < batch.count; i++) p[i].x = float(next++);
    }
    CHECK(next == 100);
    CHECK(sum_in_c(world) == 4950);
}

// C's ILK_COMPONENT(Position) is another variable, and the same type.
static void test_shared_with_c() {
    ilk::world world;
    ilk_entity from_c = spawn_in_c(world, 3);
    ilk_entity from_cpp = ilk::spawn(world, Position{4, 0});
    CHECK(ilk::get<Position>(world, from_c)->x == 3);
    CHECK(sum_in_c(world) == 7);
    CHECK(set_in_c(world, from_cpp, 10) == ILK_OK);
    CHECK(ilk::get<Position>(world, from_cpp)->x == 10);
    CHECK(ilk_type_count(world) == 1);
    float sum = 0;
    ilk::query<const Position>(world).each([&](const Position& p) { sum += p.x; });
    CHECK(sum == 13);
}

// C's Title is the same variable, with C's hooks.
static void test_declared_in_c() {
    {
        ilk::world world;
        ilk_entity e = ilk::spawn(world, title_of("Ada"));
        ilk_entity twin = ilk_copy(world, e);
        CHECK(titles == 2);
        CHECK(std::strcmp(ilk::get<Title>(world, twin)->text, "Ada") == 0);
    }
    CHECK(titles == 0);
}

static void test_worlds() {
    ilk_world_desc desc = {};
    desc.name = "first";
    ilk::world first(desc);
    const uint32_t id = ilk_world_id(first);
    ilk::world second = std::move(first);
    CHECK(static_cast<ilk_world*>(first) == nullptr);
    CHECK(std::strcmp(ilk_world_name(second), "first") == 0);
    second = ilk::world();
    CHECK(ilk_world_by_id(id) == nullptr);

    ilk::world taken(ilk_world_create(&desc));
    ilk_world* released = taken.release();
    CHECK(ilk_world_by_id(ilk_world_id(released)) == released);
    ilk_world_destroy(released);
}

// Bytes that a world holds after a query was made on it and gave itself back.
static size_t bytes_after_query(ilk_world* world) {
    {
        ilk::query<const Position> query(world);
    }
    return ilk_stats(world).bytes;
}

// What belongs to a snapshot that is open is given back to it while it is.
static void test_opened() {
    ilk::world world;
    ilk::spawn(world, Position{1, 2});
    ilk_snapshot* snapshot = ilk_snapshot_take(world);
    ilk_world* opened = ilk_snapshot_open(snapshot);
    const size_t bytes = bytes_after_query(opened);
    CHECK(bytes_after_query(opened) == bytes);
    ilk::query<const Position> outlives(opened);
    ilk_world_destroy(opened);
    ilk_snapshot_release(snapshot);
}

// A query, reader or buffer may outlive its world.
static void test_outliving() {
    ilk_world* made = ilk_world_create(nullptr);
    ilk::query<const Position> query(made);
    ilk::reader<Landed> reader(made);
    ilk::commands commands(made);
    ilk_world_destroy(made);
    CHECK(ilk_world_count() == 0);

    ilk::world world;
    query = ilk::query<const Position>(world);
    ilk::spawn(world, Position{});
    CHECK(ilk_query_count(world, query) == 1);
}

#ifdef ILK_CHECKED
static const char* told_file;
static int told_line;
static void note(void*, const ilk_message* message) {
    told_file = message->file;
    told_line = message->line;
}
#endif

// The checked build names the place in the program, not in the header.
static void test_places() {
#ifdef ILK_CHECKED
    ilk_world_desc desc = {};
    desc.message = note;
    ilk::world world(desc);
    ilk_entity e = ilk_create(world);
    ilk::remove<Position>(world, e);
    CHECK(told_line == __LINE__ - 1 && std::strcmp(told_file, __FILE__) == 0);
    ilk::spawn(world, Health{}, Health{});
    CHECK(told_line == __LINE__ - 1 && std::strcmp(told_file, __FILE__) == 0);
    ilk_query_desc more = {};
    more.where = "(";
    ilk::query<Position> unsound(world, more);
    CHECK(told_line == __LINE__ - 1 && std::strcmp(told_file, __FILE__) == 0);
    told_line = 0;
    unsound.each([](Position&) {});
    CHECK(told_line == __LINE__ - 1 && std::strcmp(told_file, __FILE__) == 0);
#endif
}

int main() {
    test_types();
    test_fields();
    test_verbs();
    test_defaults();
    test_many();
    test_shared_with_c();
    test_declared_in_c();
    test_worlds();
    test_opened();
    test_outliving();
    test_places();
    test_owning();
    test_relations();
    test_queries();
    test_running();
    std::printf("%d checks, %d failed\n", checks, failures);
    return failures ? 1 : 0;
}
