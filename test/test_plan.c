// The order of systems as text and as a graph.
#define _POSIX_C_SOURCE 200809L // for popen
#include "text_support.h"

static void a_schedule_is_told_by_phase_and_wave(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "paint", .phase = "draw", .query = {.read = {&Position_type}});
    SYSTEM(f->world, "move",
           .query = {.write = {&Position_type}, .read = {&Velocity_type}, .with = {&Enemy_type}});
    SYSTEM(f->world, "heal", .query = {.write = {&Health_type}}, .apply = ILK_APPLY_PHASE);
    SYSTEM(f->world, "bounce", .query = {.write = {&Velocity_type}, .read = {&Position_type}});
    SYSTEM(f->world, "think", .apply = ILK_APPLY_FRAME);
    SYSTEM(f->world, "count", .is_for_all = true, .is_disabled = true);
    SYSTEM(f->world, "sum", .query = {.with = {&Enemy_type}}, .after = {"count"});
    assert_text(
        ilk_schedule_text, f->world,
        "phase update\n"
        "  wave 0\n"
        "    move    writes Position  reads Velocity\n"
        "    heal    writes Health  commands at the end of the phase\n"
        "  wave 1, because move writes Position, which bounce reads, and bounce writes "
        "Velocity, which move reads\n"
        "    bounce  writes Velocity  reads Position\n"
        "  wave 2, because think declares nothing\n"
        "    think   declares nothing, and may use everything  commands at the end of the frame\n"
        "  wave 3, because think declares nothing\n"
        "    count   reads and writes nothing  switched off\n"
        "  wave 4, because sum comes after count\n"
        "    sum     reads and writes nothing\n"
        "\n"
        "phase draw\n"
        "  wave 0\n"
        "    paint   reads Position\n");
    assert_any_size_will_do(ilk_schedule_text, f->world);
}

// Each way to use a component is told, and each component once; what is written is not told as
// read.
static void every_kind_of_access_is_told(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "one",
           .query = {.write = {&Position_type},
                     .read = {&Velocity_type},
                     .maybe = {&Health_type},
                     .changed = {&Position_type, &Velocity_type},
                     .added = {&Enemy_type},
                     .without = {&Frozen_type},
                     .any = {&Anchor_type}});
    assert_text(ilk_schedule_text, f->world,
                "phase update\n"
                "  wave 0\n"
                "    one  writes Position  reads Velocity, Health, Enemy\n");
}

// What a system uses beside its query counts like that.
static void declarations_beside_the_query_are_told(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "one", .writes = {&Position_type, &Health_type}, .reads = {&Velocity_type},
           .stays_on_main = true);
    SYSTEM(f->world, "two", .query = {.read = {&Health_type}, .with = {&Enemy_type}},
           .reads = {&Health_type, &Anchor_type}, .is_parallel = true);
    SYSTEM(f->world, "three", .writes = {&Velocity_type}, .query = {.write = {&Velocity_type}});
    assert_text(ilk_schedule_text, f->world,
                "phase update\n"
                "  wave 0\n"
                "    one    writes Position, Health  reads Velocity  on the world's thread\n"
                "  wave 1, because one writes Health, which two reads\n"
                "    two    reads Health, Anchor  in pieces\n"
                "    three  writes Velocity\n");
    assert_shows(ilk_schedule_dot, f->world, "  s0 -> s1 [style=dashed, label=\"Health\"];\n");
    assert_shows(ilk_schedule_dot, f->world, "  s0 -> s2 [style=dashed, label=\"Velocity\"];\n");
}

// A resource is told as such: a component of the same type is another thing.
static void resources_are_told(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "one", .writes_resources = {&Health_type, &Anchor_type},
           .reads_resources = {&Enemy_type, &Anchor_type}, .reads = {&Health_type});
    SYSTEM(f->world, "two", .query = {.write = {&Enemy_type}}, .reads_resources = {&Enemy_type});
    SYSTEM(f->world, "three", .reads_resources = {&Anchor_type, &Health_type});
    SYSTEM(f->world, "four", .writes_resources = {&Anchor_type});
    assert_text(ilk_schedule_text, f->world,
                "phase update\n"
                "  wave 0\n"
                "    one    writes resource Health, resource Anchor  reads Health, resource Enemy\n"
                "    two    writes Enemy  reads resource Enemy\n"
                "  wave 1, because one writes resource Health, which three reads, and one writes "
                "resource Anchor, which three reads\n"
                "    three  reads resource Anchor, resource Health\n"
                "  wave 2, because four writes resource Anchor, which three reads\n"
                "    four   writes resource Anchor\n");
    assert_shows(ilk_schedule_dot, f->world,
                 "  s0 -> s2 [style=dashed, label=\"resource Health, resource Anchor\"];\n");
    assert_shows(ilk_schedule_dot, f->world,
                 "  s2 -> s3 [style=dashed, label=\"resource Anchor\"];\n");
    assert_any_size_will_do(ilk_schedule_text, f->world);
}

static void a_system_of_another_scene_is_told(void** state) {
    fixture* f = *state;
    static const char* const none[] = {NULL};
    SYSTEM(f->world, "one", .query = {.read = {&Position_type}});
    assert_ok(ilk_scene_add(f->world, &(ilk_scene_desc){.name = "none", .systems = none}));
    assert_ok(ilk_scene_push(f->world, "none"));
    assert_shows(ilk_schedule_text, f->world, "    one  reads Position  rests in this scene\n");
}

static int by_health(const void* a, const void* b) {
    return ((const Health*)a)->points - ((const Health*)b)->points;
}

static void an_order_is_reading(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "sorted",
           .query = {.with = {&Enemy_type}, .order_by = &Health_type, .compare = by_health});
    SYSTEM(f->world, "writer", .query = {.write = {&Health_type}});
    assert_shows(ilk_schedule_text, f->world, "    sorted  reads Health\n");
    assert_shows(ilk_schedule_text, f->world,
                 "  wave 1, because writer writes Health, which sorted reads\n");
    assert_shows(ilk_schedule_dot, f->world, "  s0 -> s1 [style=dashed, label=\"Health\"];\n");
}

static void what_both_write_is_told_once(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "one", .query = {.write = {&Position_type, &Velocity_type}});
    SYSTEM(f->world, "two", .query = {.write = {&Velocity_type}, .read = {&Position_type}});
    assert_shows(ilk_schedule_text, f->world,
                 "  wave 1, because one writes Position, which two reads, and one writes Velocity, "
                 "which two writes too\n");
    assert_shows(ilk_schedule_dot, f->world, "[style=dashed, label=\"Position, Velocity\"]");
}

static void every_system_of_the_wave_before_is_a_reason(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "one", .query = {.read = {&Position_type}});
    SYSTEM(f->world, "two", .query = {.read = {&Position_type}});
    SYSTEM(f->world, "aside", .query = {.read = {&Velocity_type}});
    SYSTEM(f->world, "last", .query = {.write = {&Position_type}}, .after = {"two"});
    assert_shows(ilk_schedule_text, f->world,
                 "  wave 1, because last writes Position, which one reads, and last comes after "
                 "two\n");
}

static void a_phase_stands_for_its_systems(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "last", .query = {.read = {&Position_type}}, .after = {"update"});
    SYSTEM(f->world, "one", .query = {.read = {&Position_type}});
    SYSTEM(f->world, "two", .query = {.read = {&Position_type}}, .before = {"last"});
    assert_shows(ilk_schedule_text, f->world,
                 "  wave 1, because last comes after one, and last comes after two\n");
}

static void a_graph_has_clusters_ranks_and_edges(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.name = "w";
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    assert_text(ilk_schedule_dot, world,
                "digraph \"w\" {\n  newrank=true;\n  node [shape=box];\n}\n");
    SYSTEM(world, "move", .query = {.write = {&Position_type}});
    SYSTEM(world, "heal", .query = {.write = {&Health_type}});
    SYSTEM(world, "\"look\"", .query = {.read = {&Position_type}});
    SYSTEM(world, "rest", .query = {.read = {&Health_type}}, .after = {"move"});
    SYSTEM(world, "end", .phase = "post", .after = {"heal"});
    SYSTEM(world, "finish", .phase = "post");
    assert_text(ilk_schedule_dot, world,
                "digraph \"w\" {\n"
                "  newrank=true;\n"
                "  node [shape=box];\n"
                "  subgraph cluster_2 {\n"
                "    label=\"update\";\n"
                "    { rank=same; s0 [label=\"move\"]; s1 [label=\"heal\"]; }\n"
                "    { rank=same; s2 [label=\"\\\"look\\\"\"]; s3 [label=\"rest\"]; }\n"
                "  }\n"
                "  subgraph cluster_3 {\n"
                "    label=\"post\";\n"
                "    { rank=same; s4 [label=\"end\"]; }\n"
                "    { rank=same; s5 [label=\"finish\"]; }\n"
                "  }\n"
                "  s0 -> s2 [style=dashed, label=\"Position\"];\n"
                "  s0 -> s3;\n"
                "  s1 -> s3 [style=dashed, label=\"Health\"];\n"
                "  s1 -> s4;\n"
                "  s3 -> s4 [style=invis];\n"
                "  s4 -> s5 [style=dashed, label=\"everything\"];\n"
                "}\n");
    assert_any_size_will_do(ilk_schedule_dot, world);
    ilk_world_destroy(world);
}

// Of waves that a system must not run beside, the last one has the edges.
static void edges_come_from_the_last_wave_in_the_way(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "a", .query = {.write = {&Position_type, &Health_type}});
    SYSTEM(f->world, "b", .query = {.write = {&Position_type}});
    SYSTEM(f->world, "c", .query = {.write = {&Position_type}});
    SYSTEM(f->world, "d", .query = {.read = {&Health_type}}, .after = {"c"});
    assert_shows(ilk_schedule_dot, f->world, "  s0 -> s1 [style=dashed, label=\"Position\"];\n");
    assert_shows(ilk_schedule_dot, f->world, "  s1 -> s2 [style=dashed, label=\"Position\"];\n");
    assert_shows_not(ilk_schedule_dot, f->world, "  s0 -> s2");
    assert_shows(ilk_schedule_dot, f->world, "  s2 -> s3;\n");
    assert_shows(ilk_schedule_dot, f->world, "  s0 -> s3 [style=dashed, label=\"Health\"];\n");
}

static void without_systems_there_is_no_text(void** state) {
    fixture* f = *state;
    assert_text(ilk_schedule_text, f->world, "");
    ilk_pause(f->world, false); // which makes a schedule
    assert_text(ilk_schedule_text, f->world, "");
    assert_no_world_is_no_text(ilk_schedule_text);
    assert_no_world_is_no_text(ilk_schedule_dot);
}

static void destroy_and_look(ilk_world* world, ilk_cmd* cmd, void* user) {
    (void)cmd;
    assert_ok(ilk_system_destroy(user));
    assert_shows(ilk_schedule_text, world,
                 "    goer    reads Position  goes at the end of the update");
    note("looked");
}

static void queue_the_end(ilk_iter* it) {
    ilk_cmd_call(it->cmd, destroy_and_look, ilk_system_named(it->world, "goer"));
}

static void a_system_that_goes_is_told(void** state) {
    fixture* f = *state;
    SYSTEM(f->world, "goer", .run = walk, .query = {.read = {&Position_type}});
    SYSTEM(f->world, "sender", .run = queue_the_end);
    assert_ok(ilk_update(f->world, 1));
    noted("looked");
    assert_shows_not(ilk_schedule_text, f->world, "goer");
}

// Systems that use components at random, some of them declared to come after others.
static void make_random_systems(ilk_world* world, uint64_t seed) {
    ilk_type* const types[] = {&Position_type, &Velocity_type, &Health_type,
                               &Anchor_type,   &Enemy_type,    &Frozen_type};
    char names[40][16];
    const char* phases[COUNT_OF(names)];
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(names[i], sizeof(names[i]), "s\\%u\"\n&<", i);
        ilk_system_desc desc = {.name = names[i], .run = walk};
        desc.is_for_all = next_random(&seed) % 8 != 0;
        if (next_random(&seed) % 3 == 0) desc.phase = "post";
        for (uint32_t k = 0; desc.is_for_all && k < COUNT_OF(types); k++) {
            uint32_t use = next_random(&seed) % 12;
            if (use == 0) desc.query.write[k] = types[k];
            if (use == 1) desc.query.read[k] = types[k];
            if (use == 2) desc.query.changed[k] = types[k];
        }
        uint32_t other = next_random(&seed) % (i + 6);
        bool is_later = other < i && !(phases[other] && !desc.phase); // else there were a cycle
        if (is_later) desc.after[0] = names[other];
        phases[i] = desc.phase;
        system_of(world, desc);
    }
}

static void every_wave_but_the_first_has_a_reason(void** state) {
    fixture* f = *state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        ilk_world* world = second_world(f, 0);
        make_random_systems(world, seed);
        char* text = text_of(ilk_schedule_text, world);
        uint32_t waves = 0, later = 0;
        const char begin[] = "\n  wave ";
        for (char* line = strstr(text, begin); line; line = strstr(line, begin)) {
            unsigned long wave = strtoul(line + strlen(begin), &line, 10);
            bool has_reason = strncmp(line, ", because s\\", 12) == 0;
            assert_int_equal(has_reason, wave > 0);
            waves++;
            later += wave > 0;
        }
        assert_true(waves > later && later > 3);
        free(text);
        ilk_world_destroy(world);
    }
}

// Where Graphviz is installed, it is asked.
static void graphviz_takes_the_graph(void** state) {
    fixture* f = *state;
    if (system("command -v dot >/dev/null 2>&1") != 0) skip();
    make_random_systems(f->world, 3);
    char* text = text_of(ilk_schedule_dot, f->world);
    FILE* graphviz = popen("dot -Tplain >/dev/null", "w");
    assert_non_null(graphviz);
    assert_true(fputs(text, graphviz) >= 0);
    assert_int_equal(pclose(graphviz), 0);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(a_schedule_is_told_by_phase_and_wave),
        SCHEDULE_TEST(every_kind_of_access_is_told),
        SCHEDULE_TEST(declarations_beside_the_query_are_told),
        SCHEDULE_TEST(resources_are_told),
        SCHEDULE_TEST(a_system_of_another_scene_is_told),
        SCHEDULE_TEST(an_order_is_reading),
        SCHEDULE_TEST(what_both_write_is_told_once),
        SCHEDULE_TEST(every_system_of_the_wave_before_is_a_reason),
        SCHEDULE_TEST(a_phase_stands_for_its_systems),
        SCHEDULE_TEST(a_graph_has_clusters_ranks_and_edges),
        SCHEDULE_TEST(edges_come_from_the_last_wave_in_the_way),
        SCHEDULE_TEST(without_systems_there_is_no_text),
        SCHEDULE_TEST(a_system_that_goes_is_told),
        SCHEDULE_TEST(every_wave_but_the_first_has_a_reason),
        SCHEDULE_TEST(graphviz_takes_the_graph),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
