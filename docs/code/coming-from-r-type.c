// For who knows the R-Type registry: the same in ilk. It prints
//     at 10, 20; health of the dead: ILK_DEAD; velocity of the living: ILK_MISSING
//     ilk_set of Health: entity 0:1 is not alive in world "server"
//     the id is used again: yes
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct Position {
    float x, y;
} Position;
typedef struct Velocity {
    float x, y;
} Velocity;
typedef struct Health {
    int points;
} Health;
ILK_COMPONENT(Position);
ILK_COMPONENT(Velocity);
ILK_COMPONENT(Health);

int main(void) {
    ilk_world* registry = ilk_world_create(&(ilk_world_desc){.name = "server"});
    ilk_entity e = ilk_create(registry);
    ilk_set(registry, e, ILK_VALUE(Position, 10, 20));
    ilk_set(registry, e, ILK_VALUE(Health, 100));

    if (ilk_has(registry, e, &Position_type)) {
        const Position* position = ILK_GET(registry, e, Position);
        printf("at %.0f, %.0f; ", position->x, position->y);
    }
    ilk_result why_no_velocity, why_no_health;
    ilk_get(registry, e, &Velocity_type, &why_no_velocity);
    ilk_remove(registry, e, &Health_type);
    ilk_destroy(registry, e);
    ilk_get(registry, e, &Health_type, &why_no_health);
    printf("health of the dead: %s; velocity of the living: %s\n", ilk_result_name(why_no_health),
           ilk_result_name(why_no_velocity));

    if (ilk_set(registry, e, ILK_VALUE(Health, 1)) != ILK_OK) puts(ilk_error(registry).text);
    bool is_used_again = ilk_create(registry).index == e.index;
    printf("the id is used again: %s\n", is_used_again ? "yes" : "no");
    ilk_world_destroy(registry);
    return is_used_again ? 0 : 1;
}
