// For who knows EnTT: its first steps in ilk. It prints
//     10 were constructed, 10 moved, 9 left
//     updated: 1
//     the clock says 3; the message arrived: 7
//     the pointer is as good as before: yes
#include <ilk/ilk.h>
#include <stdio.h>

typedef struct position {
    float x, y;
} position;
typedef struct velocity {
    float dx, dy;
} velocity;
typedef struct clock_of {
    int ticks;
} clock_of;
typedef struct message {
    int number;
} message;
ILK_COMPONENT_WITH(position, .track = true);
ILK_COMPONENT(velocity);
ILK_COMPONENT(clock_of);
ILK_EVENT(message);

static ilk_result on_construct(ilk_notice* n) {
    ++*(int*)n->user;
    return ILK_OK;
}

// A view, and any change inside it, of any entity.
static uint32_t update(ilk_world* registry, ilk_query* view) {
    uint32_t count = 0;
    for (ilk_iter it = ilk_query_iter(registry, view); ilk_next(&it);) {
        position* pos = ILK_WRITE(&it, position);
        const velocity* vel = ILK_READ(&it, velocity);
        for (uint32_t i = 0; i < it.count; i++) {
            pos[i].x += vel[i].dx;
            if (pos[i].x > 9) ilk_destroy(registry, it.entities[i]);
        }
        count += it.count;
    }
    return count;
}

static ilk_result receive(ilk_world* registry, const ilk_event* event, void* user) {
    (void)registry;
    *(int*)user = ((const message*)event->value)->number;
    return ILK_OK;
}

static void use_context_and_dispatcher(ilk_world* registry) {
    int received = 0;
    ilk_resource_set(registry, ILK_VALUE(clock_of, .ticks = 3)); // registry.ctx()
    ilk_subscribe(registry, &(ilk_subscription_desc){
                                .type = &message_type, .call = receive, .user = &received});
    ILK_EMIT(registry, message, .number = 7); // enqueue
    ilk_dispatch(registry, 0);                // update
    printf("the clock says %d; the message arrived: %d\n",
           ILK_RESOURCE_GET(registry, clock_of)->ticks, received);
}

int main(void) {
    ilk_world* registry = ilk_world_create(NULL);
    int constructed = 0;
    ilk_observer_create(registry, &(ilk_observer_desc){.on = ILK_ON_ADD,
                                                       .type = &position_type,
                                                       .run = on_construct,
                                                       .user = &constructed});
    ilk_entity first = {0, 0};
    for (int i = 9; i >= 0; i--) {
        ilk_entity e = ilk_create(registry);
        ilk_add(registry, e, ILK_VALUE(position, (float)i, (float)i)); // emplace
        ilk_add(registry, e, ILK_VALUE(velocity, .dx = 0.5f));
        if (i == 8) first = e;
    }
    ilk_query* view = ilk_query_create(
        registry, &(ilk_query_desc){.write = {&position_type}, .read = {&velocity_type}});
    uint32_t moved = update(registry, view);
    printf("%d were constructed, %u moved, %u left\n", constructed, moved,
           ilk_query_count(registry, view));

    ilk_query* updated = ilk_query_create(registry, &(ilk_query_desc){.changed = {&position_type}});
    ilk_query_since(updated, ilk_tick(registry)); // from now on
    position* pos = ILK_EDIT(registry, first, position);
    pos->y = 3; // patch
    printf("updated: %u\n", ilk_query_count(registry, updated));
    use_context_and_dispatcher(registry);

    for (int i = 0; i < 1000; i++) ILK_SPAWN(registry, ILK_VALUE(position, 0, 0));
    ilk_remove(registry, first, &velocity_type);
    bool is_good = pos == ILK_GET(registry, first, position) && pos->y == 3;
    printf("the pointer is as good as before: %s\n", is_good ? "yes" : "no");
    ilk_world_destroy(registry);
    return is_good ? 0 : 1;
}
