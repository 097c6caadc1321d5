// What a world holds, as text; and which systems visit what.
#include "text_support.h"

// The line of a text that ends, or begins after its spaces, with a word.
static char* line_with(char* text, const char* begin, const char* end) {
    for (char* line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        size_t length = strlen(line), tail = strlen(end);
        char* first = line + strspn(line, " ");
        bool is_it = length >= tail && strcmp(line + length - tail, end) == 0 &&
                     strncmp(first, begin, strlen(begin)) == 0 && line != first;
        if (is_it) return first;
    }
    print_error("no line from %s to %s\n", begin, end);
    fail();
    return NULL;
}

static void an_empty_world_has_a_head_and_no_sections(void** state) {
    fixture* f = *state;
    char* text = text_of(ilk_world_dump, f->world);
    assert_has(text, "world \"world-");
    assert_has(text, "entities: 0 alive, 0 ever");
    assert_has(text, "chunks: 0 with 0 rows");
    const char* const sections[] = {"\nilks\n", "\ncomponents\n", "\nqueries\n", "\nsystems\n",
                                    "time:"};
    for (uint32_t i = 0; i < COUNT_OF(sections); i++) assert_has_not(text, sections[i]);
    free(text);
    assert_any_size_will_do(ilk_world_dump, f->world);
}

static void the_head_counts_entities_chunks_and_bytes(void** state) {
    fixture* f = *state;
    ilk_entity e[5];
    spawn_positions(f->world, e, 5);
    ilk_create(f->world);
    assert_ok(ilk_destroy(f->world, e[1]));
    ilk_world_stats stats = ilk_stats(f->world);
    char wanted[200];
    snprintf(wanted, sizeof(wanted), "bytes: %zu (%zu values, %zu entities, %zu records, ",
             stats.bytes, stats.bytes_values, stats.bytes_entities, stats.bytes_records);
    assert_shows(ilk_world_dump, f->world, wanted);
    assert_shows(ilk_world_dump, f->world, "entities: 5 alive, 6 ever, 1 without a component\n");
    snprintf(wanted, sizeof(wanted), "chunks: %u with %u rows, 1 holes; %u blocks", stats.chunks,
             stats.rows, stats.blocks);
    assert_shows(ilk_world_dump, f->world, wanted);
}

// R003.26
static void each_component_is_counted_in_order_of_first_use(void** state) {
    fixture* f = *state;
    ilk_entity e[7];
    for (int i = 0; i < 3; i++) ILK_SPAWN(f->world, ILK_WITH(Velocity), ILK_WITH(Enemy));
    spawn_positions(f->world, e, 7);
    assert_ok(ilk_remove(f->world, e[2], &Position_type));
    char* text = text_of(ilk_world_dump, f->world);
    const char* velocity = strstr(text, "    Velocity: 3 ");
    const char* enemy = strstr(text, "    Enemy: 3 ");
    const char* position = strstr(text, "    Position: 6 ");
    assert_true(velocity && enemy && position);
    assert_true(velocity < enemy && enemy < position);
    free(text);
    assert_ok(ilk_add(f->world, e[2], ILK_WITH(Position)));
    assert_shows(ilk_world_dump, f->world, "    Position: 7 ");
}

static void each_component_has_its_size_and_memory(void** state) {
    fixture* f = *state;
    ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Enemy));
    ilk_add(f->world, ILK_SPAWN(f->world, ILK_WITH(Position)), ILK_WITH(Anchor));
    ilk_type* const types[] = {&Position_type, &Enemy_type, &Anchor_type};
    for (uint32_t i = 0; i < COUNT_OF(types); i++) {
        ilk_type_stats stats = ilk_stats_of(f->world, types[i]);
        char* text = text_of(ilk_world_dump, f->world);
        unsigned count, size, blocks, guests, bytes;
        const char* line = line_with(strstr(text, "\ncomponents\n"), types[i]->name, "");
        assert_int_equal(sscanf(line + strlen(types[i]->name), ": %u %u %u %u %u", &count, &size,
                                &blocks, &guests, &bytes),
                         5);
        assert_int_equal(count, stats.count);
        assert_int_equal(size, types[i]->size);
        assert_int_equal(blocks, stats.blocks);
        assert_int_equal(guests, stats.guests);
        assert_int_equal(bytes, stats.bytes);
        free(text);
    }
}

// R001.60: the list of ilks, with their names and entities.
static void each_ilk_is_listed_with_its_components_and_entities(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    spawn_positions(f->world, e, 100);
    for (int i = 0; i < 80; i++) ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    settle_fully(f->world); // so that none lodges with others
    assert_ok(ilk_destroy_many(f->world, e, 30));
    assert_ok(ilk_add(f->world, e[50], ILK_WITH(Health)));
    assert_ok(ilk_add(f->world, e[51], ILK_WITH(Enemy)));
    char* text = text_of(ilk_world_dump, f->world);
    unsigned entities, chunks, rows, all_chunks, all_rows;
    const char* line = line_with(strstr(text, "\nilks\n"), "", "Position; guests Health, Enemy");
    assert_int_equal(sscanf(line, "%u %u %u", &entities, &chunks, &rows), 3);
    assert_int_equal(entities, 70);
    all_chunks = chunks;
    all_rows = rows;
    free(text);
    text = text_of(ilk_world_dump, f->world);
    line = line_with(strstr(text, "\nilks\n"), "", "Position, Velocity");
    assert_int_equal(sscanf(line, "%u %u %u", &entities, &chunks, &rows), 3);
    assert_int_equal(entities, 80);
    assert_int_equal(all_chunks + chunks, ilk_stats(f->world).chunks);
    assert_int_equal(all_rows + rows, ilk_stats(f->world).rows);
    free(text);
}

static void an_ilk_that_is_gone_is_not_listed(void** state) {
    fixture* f = *state;
    ilk_entity e[4];
    spawn_positions(f->world, e, 4);
    assert_shows(ilk_world_dump, f->world, "\nilks\n");
    assert_ok(ilk_destroy_many(f->world, e, 4));
    settle_fully(f->world);
    assert_shows_not(ilk_world_dump, f->world, "\nilks\n");
    assert_shows(ilk_world_dump, f->world, "    Position: 0 ");
}

static void queries_are_listed_in_order_of_making(void** state) {
    fixture* f = *state;
    ilk_entity e[9];
    spawn_positions(f->world, e, 9);
    ilk_query* first = QUERY(f->world, .read = {&Position_type}, .without = {&Enemy_type});
    ilk_query* gone = QUERY(f->world, .read = {&Health_type});
    QUERY(f->world, .where = "Position | Velocity");
    SYSTEM(f->world, "owner", .query = {.write = {&Position_type}});
    for (int i = 0; i < 3; i++) rows_walked(f->world, first, ilk_next);
    ilk_query_destroy(gone);
    char* text = text_of(ilk_world_dump, f->world);
    const char* one = strstr(text, "  -       read Position; without Enemy\n");
    const char* two = strstr(text, "  -       where Position | Velocity\n");
    const char* three = strstr(text, "  owner   write Position\n");
    assert_true(one && two && three && one < two && two < three);
    assert_has_not(text, "Health");
    unsigned passes, chunks, skipped, rows;
    const char* line = line_with(strstr(text, "\nqueries\n"), "", "without Enemy");
    assert_int_equal(sscanf(line, "%u %u %u %u", &passes, &chunks, &skipped, &rows), 4);
    assert_int_equal(passes, 3);
    assert_int_equal(chunks, ilk_query_stats_of(first).chunks);
    assert_int_equal(rows, 27);
    free(text);
}

static void spawn_one(ilk_iter* it) {
    while (ilk_next(it)) {
    }
    ilk_cmd_spawn(it->cmd, ILK_VALUES(ILK_WITH(Health)));
}

// R001.60: what each system took, with its rows and commands.
static void systems_are_listed_in_order_of_running(void** state) {
    fixture* f = *state;
    ilk_entity e[6];
    spawn_positions(f->world, e, 6);
    SYSTEM(f->world, "paint", .run = walk, .phase = "draw", .is_for_all = true);
    SYSTEM(f->world, "walk", .run = walk, .query = {.write = {&Position_type}});
    SYSTEM(f->world, "spawn", .run = spawn_one, .query = {.read = {&Position_type}});
    for (int i = 0; i < 4; i++) assert_ok(ilk_update(f->world, 0.25));
    const char* const names[] = {"walk", "spawn", "paint"};
    for (uint32_t i = 0; i < COUNT_OF(names); i++) {
        ilk_system_stats stats = ilk_system_stats_of(ilk_system_named(f->world, names[i]));
        char* text = text_of(ilk_world_dump, f->world);
        char phase[16];
        unsigned wave, calls, rows, skipped, commands, allocations;
        double mean, worst;
        const char* line = line_with(strstr(text, "\nsystems\n"), "", names[i]);
        assert_int_equal(sscanf(line, "%15s %u %u %u %u %u %u %lf %lf", phase, &wave, &calls, &rows,
                                &skipped, &commands, &allocations, &mean, &worst),
                         9);
        assert_string_equal(phase, i < 2 ? "update" : "draw");
        assert_int_equal(wave, i == 1);
        assert_int_equal(calls, i < 2 ? 4 : 0);
        assert_int_equal(rows, i < 2 ? 24 : 0);
        assert_int_equal(commands, i == 1 ? 4 : 0);
        assert_int_equal(allocations, stats.allocations);
        assert_true(mean <= worst && worst <= (double)stats.worst_ns / 1000);
        assert_true(worst > (double)stats.worst_ns / 1000 - 0.11);
        free(text);
    }
    assert_shows(ilk_world_dump, f->world, "time: 4 frames, 1.000 s\n");
    ilk_pause(f->world, true);
    assert_shows(ilk_world_dump, f->world, "time: 4 frames, 1.000 s, paused\n");
    assert_any_size_will_do(ilk_world_dump, f->world);
}

// Numbers of a column end below the end of its title.
static void columns_are_aligned(void** state) {
    fixture* f = *state;
    ilk_type long_one = {.name = "a component with a name that is rather long", .size = 4};
    ilk_spawn(f->world, &(ilk_value){&long_one, NULL}, 1);
    for (int i = 0; i < 5000; i++) ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Enemy));
    char* text = text_of(ilk_world_dump, f->world);
    char* line = strtok(strstr(text, "\ncomponents\n") + strlen("\ncomponents\n"), "\n");
    const char* const titles[] = {" size", " blocks", " guests", " bytes"};
    size_t ends[COUNT_OF(titles)];
    for (uint32_t i = 0; i < COUNT_OF(titles); i++) {
        assert_has(line, titles[i]);
        ends[i] = (size_t)(strstr(line, titles[i]) - line) + strlen(titles[i]);
    }
    uint32_t lines = 0;
    for (line = strtok(NULL, "\n"); line; line = strtok(NULL, "\n"), lines++) {
        for (uint32_t i = 0; i < COUNT_OF(titles); i++) {
            assert_true(strlen(line) >= ends[i]);
            assert_in_range(line[ends[i] - 1], '0', '9');
            assert_true(line[ends[i]] == ' ' || line[ends[i]] == 0);
        }
    }
    assert_int_equal(lines, 3);
    free(text);
}

// The same history gives the same text: all but the first line, which has the world's id.
static void the_same_history_gives_the_same_text(void** state) {
    fixture* f = *state;
    ilk_world* worlds[2] = {f->world, second_world(f, 0)};
    char* texts[2];
    for (int i = 0; i < 2; i++) {
        ilk_entity e[50];
        spawn_positions(worlds[i], e, 50);
        for (int k = 0; k < 50; k += 3) assert_ok(ilk_add(worlds[i], e[k], ILK_WITH(Velocity)));
        QUERY(worlds[i], .read = {&Velocity_type});
        SYSTEM(worlds[i], "walk", .run = walk, .query = {.write = {&Position_type}});
        settle_fully(worlds[i]);
        texts[i] = text_of(ilk_world_dump, worlds[i]);
    }
    assert_string_equal(strchr(texts[0], '\n'), strchr(texts[1], '\n'));
    for (int i = 0; i < 2; i++) free(texts[i]);
    ilk_world_destroy(worlds[1]);
}

static void scenes_are_told_from_the_bottom_up(void** state) {
    fixture* f = *state;
    assert_shows_not(ilk_world_dump, f->world, "scenes");
    assert_ok(ilk_scene_add(f->world, &(ilk_scene_desc){.name = "level"}));
    assert_ok(ilk_scene_add(f->world, &(ilk_scene_desc){.name = "menu"}));
    assert_ok(ilk_scene_push(f->world, "level"));
    assert_ok(ilk_scene_push(f->world, "menu"));
    assert_shows(ilk_world_dump, f->world, "\n    scenes: level, menu\n");
}

static void threads_are_told_where_there_are_workers(void** state) {
    fixture* f = *state;
    assert_shows_not(ilk_world_dump, f->world, "threads");
    ilk_world_desc desc = fixture_desc(f);
    desc.workers = 2;
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    assert_shows(ilk_world_dump, world, "\n    threads: 1 of 3\n"); // not needed yet
    ilk_world_destroy(world);
}

static void a_name_is_quoted(void** state) {
    fixture* f = *state;
    ilk_world_desc desc = fixture_desc(f);
    desc.name = "the \"first\"";
    ilk_world* world = ilk_world_create(&desc);
    assert_non_null(world);
    assert_shows(ilk_world_dump, world, "world \"the \\\"first\\\"\", id ");
    ilk_world_destroy(world);
}

static void see_everything(ilk_iter* it) {
    text_fn* const functions[] = {ilk_world_dump, ilk_matches_text, ilk_schedule_text,
                                  ilk_schedule_dot};
    fixture* f = it->user;
    uint64_t calls = f->memory.calls;
    for (uint32_t i = 0; i < COUNT_OF(functions); i++) {
        assert_shows(functions[i], it->world, "looker");
    }
    while (ilk_next(it)) assert_shows(ilk_world_dump, it->world, "Position: 6 ");
    assert_int_equal(f->memory.calls, calls);
    note("seen");
}

// Inside a system too, without any memory of the world's, and without a word.
static void a_system_may_look(void** state) {
    fixture* f = *state;
    ilk_entity e[6];
    spawn_positions(f->world, e, 6);
    SYSTEM(f->world, "looker", .run = see_everything, .user = f,
           .query = {.read = {&Position_type}});
    assert_ok(ilk_update(f->world, 1));
    noted("seen");
    assert_quiet(f);
}

static void no_world_is_no_text(void** state) {
    (void)state;
    assert_no_world_is_no_text(ilk_world_dump);
    assert_no_world_is_no_text(ilk_matches_text);
}

// R001.29 R001.37: from systems to chunks and back; and a new ilk is in both.
static void systems_and_chunks_find_each_other(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    spawn_positions(f->world, e, 100);
    SYSTEM(f->world, "move", .query = {.write = {&Position_type}, .read = {&Velocity_type}});
    SYSTEM(f->world, "place", .query = {.read = {&Position_type}});
    SYSTEM(f->world, "tick");
    SYSTEM(f->world, "all", .is_for_all = true);
    assert_text(ilk_matches_text, f->world,
                "what each system visits\n"
                "    move: 0 entities, 0 chunks\n"
                "    place: 100 entities, 4 chunks\n"
                "        100 of 100 in chunks 0-3 of Position\n"
                "    tick: has no query\n"
                "    all: 100 entities, 4 chunks\n"
                "        100 of 100 in chunks 0-3 of Position\n"
                "\n"
                "who visits each ilk\n"
                "    Position: place, all\n");
    for (int i = 0; i < 70; i++) ILK_SPAWN(f->world, ILK_WITH(Position), ILK_WITH(Velocity));
    ilk_create(f->world);
    settle_fully(f->world);
    assert_text(ilk_matches_text, f->world,
                "what each system visits\n"
                "    move: 70 entities, 3 chunks\n"
                "        70 of 70 in chunks 4-6 of Position, Velocity\n"
                "    place: 170 entities, 7 chunks\n"
                "        100 of 100 in chunks 0-3 of Position\n"
                "        70 of 70 in chunks 4-6 of Position, Velocity\n"
                "    tick: has no query\n"
                "    all: 171 entities, 7 chunks\n"
                "        100 of 100 in chunks 0-3 of Position\n"
                "        70 of 70 in chunks 4-6 of Position, Velocity\n"
                "        1 without a component\n"
                "\n"
                "who visits each ilk\n"
                "    Position: place, all\n"
                "    Position, Velocity: move, place, all\n"
                "    without a component: all\n");
    assert_any_size_will_do(ilk_matches_text, f->world);
}

static void single_things_and_gaps_are_named(void** state) {
    fixture* f = *state;
    ilk_entity e[100];
    spawn_positions(f->world, e, 100);
    SYSTEM(f->world, "marked", .query = {.with = {&Enemy_type}});
    assert_shows(ilk_matches_text, f->world, "    Position: nobody\n");
    assert_ok(ilk_add(f->world, e[0], ILK_WITH(Enemy)));
    assert_shows(ilk_matches_text, f->world,
                 "    marked: 1 entity, 1 chunk\n"
                 "        1 of 100 in chunk 0 of Position; guests Enemy\n");
    assert_ok(ilk_add(f->world, e[50], ILK_WITH(Enemy)));
    assert_ok(ilk_add(f->world, e[99], ILK_WITH(Enemy)));
    assert_shows(ilk_matches_text, f->world, "        3 of 100 in chunks 0, 2-3 of Position");
}

// Whatever happened to the entities, the number is the one that the query counts.
static void the_numbers_are_those_of_the_queries(void** state) {
    fixture* f = *state;
    const ilk_system_desc descs[] = {
        {.name = "q0", .query = {.read = {&Position_type}, .without = {&Enemy_type}}},
        {.name = "q1", .query = {.any = {&Velocity_type, &Health_type}}},
        {.name = "q2", .query = {.where = "Position & !(Velocity | Enemy)"}},
        {.name = "q3", .query = {.without = {&Velocity_type}}},
        {.name = "q4", .query = {.changed = {&Position_type}}},
    };
    ilk_type* const types[] = {&Position_type, &Velocity_type, &Health_type, &Enemy_type};
    ilk_system* systems[COUNT_OF(descs)];
    for (uint32_t i = 0; i < COUNT_OF(descs); i++) systems[i] = system_of(f->world, descs[i]);
    ilk_entity e[300];
    uint64_t seed = 5;
    for (uint32_t i = 0; i < COUNT_OF(e); i++) e[i] = ilk_create(f->world);
    for (uint32_t step = 0; step < 3000; step++) {
        ilk_entity one = e[next_random(&seed) % COUNT_OF(e)];
        ilk_type* type = types[next_random(&seed) % COUNT_OF(types)];
        uint32_t what = next_random(&seed) % 8;
        if (what < 4)
            ilk_set(f->world, one, (ilk_value){type, NULL});
        else if (what < 6)
            ilk_remove(f->world, one, type);
        else if (what == 6)
            ilk_disable(f->world, one, type);
        else if (step % 50 == 0)
            ilk_destroy(f->world, one);
        if (step % 100 != 0) continue;
        char* text = text_of(ilk_matches_text, f->world);
        for (uint32_t i = 0; i < COUNT_OF(descs); i++) {
            char wanted[80];
            uint32_t count = ilk_query_count(f->world, ilk_system_query(systems[i]));
            snprintf(wanted, sizeof(wanted), "    %s: %u entit", descs[i].name, count);
            assert_has(text, wanted);
        }
        free(text);
        if (step % 500 == 0) settle_fully(f->world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        SCHEDULE_TEST(an_empty_world_has_a_head_and_no_sections),
        SCHEDULE_TEST(the_head_counts_entities_chunks_and_bytes),
        SCHEDULE_TEST(each_component_is_counted_in_order_of_first_use),
        SCHEDULE_TEST(each_component_has_its_size_and_memory),
        SCHEDULE_TEST(each_ilk_is_listed_with_its_components_and_entities),
        SCHEDULE_TEST(an_ilk_that_is_gone_is_not_listed),
        SCHEDULE_TEST(queries_are_listed_in_order_of_making),
        SCHEDULE_TEST(systems_are_listed_in_order_of_running),
        SCHEDULE_TEST(columns_are_aligned),
        SCHEDULE_TEST(the_same_history_gives_the_same_text),
        SCHEDULE_TEST(scenes_are_told_from_the_bottom_up),
        SCHEDULE_TEST(threads_are_told_where_there_are_workers),
        SCHEDULE_TEST(a_name_is_quoted),
        SCHEDULE_TEST(a_system_may_look),
        SCHEDULE_TEST(no_world_is_no_text),
        SCHEDULE_TEST(systems_and_chunks_find_each_other),
        SCHEDULE_TEST(single_things_and_gaps_are_named),
        SCHEDULE_TEST(the_numbers_are_those_of_the_queries),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
