// Queries with lambdas over entities and over columns.
#include "cpp_support.h"

// Four entities: what each has is in its name.
struct Four {
    ilk::world world;
    ilk_entity position = ilk::spawn(world, Position{1, 0});
    ilk_entity moving = ilk::spawn(world, Position{2, 0}, Velocity{10, 20});
    ilk_entity frozen = ilk::spawn(world, Position{3, 0}, Velocity{30, 40}, Frozen{});
    ilk_entity healthy = ilk::spawn(world, Position{4, 0}, Health{7});

    template <class... Terms> float sum_of_x() const {
        float sum = 0;
        ilk::query<const Position, Terms...> query(world);
        ilk_iter it = query.iter();
        while (ilk_next(&it)) {
            const Position* p = ilk::column<const Position>(it);
            for (uint32_t i = 0; i < it.count; i++) sum += p[i].x;
        }
        return sum;
    }
};

static void test_each() {
    Four four;
    ilk::query<Position, const Velocity> moving(four.world);
    CHECK(moving.each([](Position& p, const Velocity& v) { p.x += v.x; }) == ILK_OK);
    CHECK(ilk::get<Position>(four.world, four.position)->x == 1);
    CHECK(ilk::get<Position>(four.world, four.moving)->x == 12);
    CHECK(ilk::get<Position>(four.world, four.frozen)->x == 33);

    std::vector<ilk_entity> seen;
    moving.each([&](ilk_entity e, Position&, const Velocity&) { seen.push_back(e); });
    CHECK(seen.size() == 2 && ilk_same(seen[0], four.moving) && ilk_same(seen[1], four.frozen));
    moving.each([&](ilk_iter& it, ilk_entity e, Position& p, const Velocity&) {
        CHECK(it.world == four.world && &p == ilk::get<Position>(four.world, e));
    });
}

static void test_run() {
    Four four;
    uint32_t rows = 0;
    ilk::query<Position, const Velocity, ilk::maybe<Health>> all(four.world);
    auto add = [&](ilk_iter& it, Position* p, const Velocity* v, const Health* h, uint32_t count) {
        for (uint32_t i = 0; i < count; i++) p[i].y = v[i].y;
        CHECK(h == nullptr && count == it.count);
        rows += count;
    };
    CHECK(all.run(add) == ILK_OK);
    CHECK(rows == 2 && ilk::get<Position>(four.world, four.frozen)->y == 40);
}

static void test_terms() {
    Four four;
    CHECK(four.sum_of_x<>() == 10);
    CHECK(four.sum_of_x<ilk::without<Frozen>>() == 7);
    CHECK(four.sum_of_x<ilk::with<Velocity, Frozen>>() == 3);
    CHECK((four.sum_of_x<ilk::without<Frozen>, ilk::with<Velocity>>()) == 2);
    CHECK((four.sum_of_x<ilk::any<Frozen, Health>>()) == 7);
    CHECK((four.sum_of_x<ilk::without<Frozen, Health>>()) == 3);

    int with = 0, lacking = 0;
    ilk::query<ilk::maybe<Health>, ilk::with<Position>> maybe(four.world);
    maybe.each([&](const Health* health) { health ? with += health->points : lacking++; });
    CHECK(with == 7 && lacking == 3);
}

static void test_description() {
    Four four;
    ilk_query_desc more = {};
    more.where = "Frozen | Health";
    more.order_by_index = true;
    std::vector<ilk_entity> seen;
    ilk::query<const Position> chosen(four.world, more);
    chosen.each([&](ilk_entity e, const Position&) { seen.push_back(e); });
    CHECK(seen.size() == 2 && ilk_same(seen[0], four.frozen) && ilk_same(seen[1], four.healthy));

    more.where = "(";
    ilk::query<const Position> unsound(four.world, more);
    CHECK(static_cast<ilk_query*>(unsound) == nullptr);
    CHECK(ilk_error(four.world).result == ILK_INVALID);
    CHECK(unsound.each([](const Position&) {}) == ILK_INVALID);
}

// Its changes are noted by row.
struct Watched {
    int value;
};
ILK_CPP_COMPONENT(Watched);

static void test_changes() {
    ilk::type<Watched>()->track = true;
    ilk::world world;
    for (int i = 0; i < 4; i++) ilk::spawn(world, Watched{i});
    ilk_entity last = ilk::spawn(world, Watched{4});
    ilk::query<const Watched, ilk::changed<Watched>> changed(world);
    ilk::query<const Watched, ilk::added<Watched>> added(world);
    int seen = 0;
    auto count = [&](const Watched&) { seen++; };
    CHECK(changed.each(count) == ILK_OK && seen == 5);
    changed.each(count);
    CHECK(seen == 5);
    ilk::edit<Watched>(world, last)->value = 7;
    changed.each([&](const Watched& watched) { CHECK(watched.value == 7 && ++seen); });
    CHECK(seen == 6);
    added.each(count);
    CHECK(seen == 11);
    ilk_query_since(changed, 0);
    changed.each(count);
    CHECK(seen == 16);
}

static void test_ends() {
    Four four;
    ilk::query<const Position> all(four.world);
    ilk_iter it = all.iter();
    CHECK(ilk_next(&it));
    ilk_iter_end(&it);
    CHECK(!ilk_next(&it));

    int seen = 0;
    auto settle = [&](const Position&) {
        if (seen++ == 0) ilk_settle(four.world, 0);
    };
    CHECK(all.each(settle) == ILK_STALE);

    ilk_iter whole = all.iter(), parts[2];
    CHECK(ilk_iter_split(&whole, parts, 2) == ILK_OK);
    uint32_t rows = 0;
    for (ilk_iter& part : parts)
        while (ilk_next(&part)) rows += part.count;
    ilk_iter_end(&whole);
    CHECK(rows == 4);
}

// More terms than a list of a description has.
template <int number> struct Part {
    int value = number;
};
#define PART(number)                                                                               \
    using Part##number = Part<number>;                                                             \
    ILK_CPP_COMPONENT(Part##number)
PART(0);
PART(1);
PART(2);
PART(3);
PART(4);
PART(5);
PART(6);
PART(7);
PART(8);

static void test_many_terms() {
    ilk::world world;
    ilk::spawn(world, Part0{}, Part1{}, Part2{}, Part3{}, Part4{}, Part5{}, Part6{}, Part7{},
               Part8{});
    int sum = 0;
    ilk::query<Part0, Part1, Part2, Part3, Part4, Part5, Part6, Part7, Part8>(world).each(
        [&](Part0& a, Part1& b, Part2& c, Part3& d, Part4& e, Part5& f, Part6& g, Part7& h,
            Part8& i) {
            sum += a.value + b.value + c.value + d.value + e.value + f.value + g.value + h.value;
            sum += i.value;
        });
    CHECK(sum == 36);
}

void test_queries() {
    test_each();
    test_run();
    test_terms();
    test_description();
    test_changes();
    test_ends();
    test_many_terms();
}
