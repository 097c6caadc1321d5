// A little of everything in C++: components that are bytes and ones that own something, a query, a
// system, an observer and events. It prints
//     Ada falls
//     Ada is at 7.0, with 2 things
//     landed at speed 3
//     Ada is gone
#include <ilk/ilk.hpp>

#include <cstdio>
#include <string>
#include <vector>

struct Position {
    float x, y;
};
struct Velocity {
    float x, y;
};
struct Falling {};
struct Person {
    ilk::boxed<std::string> name; // the std::string of GCC points into itself, and has to be boxed
    std::vector<int> things;
};
struct Landed {
    ilk_entity who;
    int speed;
};

ILK_CPP_COMPONENT(Position);
ILK_CPP_COMPONENT(Velocity);
ILK_CPP_COMPONENT(Falling);
ILK_CPP_COMPONENT(Landed);
ILK_CPP_OWNING(Person);

static void make_systems(ilk_world* world) {
    ilk::system<Position, const Velocity, ilk::with<Falling>> fall("fall");
    fall.is_parallel = true;
    fall.each(world, [](ilk_iter& it, ilk_entity e, Position& p, const Velocity& v) {
        p.y += v.y * float(it.dt);
        if (p.y > 7) return;
        ilk::remove<Falling>(it.cmd, e);
        ilk::emit(it.cmd, Landed{e, int(-v.y)});
    });
    ilk::observer<Person>(ILK_ON_REMOVE).run(world, [](ilk_notice&, const Person* person) {
        std::printf("%s is gone\n", person->name->c_str());
    });
}

static void print_message(void*, const ilk_message* message) {
    std::fprintf(stderr, "%s\n", message->text);
}

int main() {
    ilk_world_desc desc = {};
    desc.name = "fall";
    desc.message = print_message;
    ilk::world world(desc);
    make_systems(world);
    ilk::reader<Landed> landings(world);

    Person ada;
    *ada.name = "Ada";
    ada.things = {1, 2};
    ilk_entity e = ilk::spawn(world, Position{0, 10}, Velocity{0, -3}, Falling{}, std::move(ada));
    if (ilk_is_null(e)) return 1;

    ilk::query<const Person, ilk::with<Falling>> falling(world);
    falling.each([](const Person& person) { std::printf("%s falls\n", person.name->c_str()); });
    ilk_update(world, 1);

    ilk::query<const Position, ilk::maybe<Person>> placed(world);
    placed.each([](const Position& p, const Person* person) {
        if (!person) return;
        std::printf("%s is at %.1f, with %zu things\n", person->name->c_str(), double(p.y),
                    person->things.size());
    });
    while (const Landed* landed = landings.read()) {
        std::printf("landed at speed %d\n", landed->speed);
    }
    ilk_destroy(world, e);
}
