// Links: the components of sources, and the edges behind them.
#include "world/party.h"

#include "relation_support.h"

static ilki_relation* relation_of(const fixture* f, ilk_type* type) {
    return ilki_directory_of(&f->world->storage.view, type)->relation;
}

static void a_link_leads_to_its_edges(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    create_some(f->world, e, 3);
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[1]));
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[2]));
    const ilki_relation* likes = relation_of(f, &Likes_type);
    const ilk_link* link = ilki_link_at(&f->world->storage, likes, e[0].index);
    assert_int_equal(link->count, 2);
    assert_int_equal(ilki_link_find(likes, 0, link, 1), link->first);
    uint32_t second = ilki_link_find(likes, 0, link, 2);
    assert_int_equal(ilki_edge_at(&likes->edges, second)->target, 2);
    assert_int_equal(ilki_link_find(likes, 0, link, 0), ILKI_NONE);
    assert_null(ilki_link_at(&f->world->storage, likes, e[1].index));
}

static void a_turned_link_keeps_its_edge(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    create_some(f->world, e, 3);
    assert_ok(ilk_relate(f->world, e[0], &Faces_type, e[1]));
    const ilki_relation* faces = relation_of(f, &Faces_type);
    uint32_t edge = ILK_GET(f->world, e[0], Faces)->first;
    assert_ok(ilk_relate(f->world, e[0], &Faces_type, e[2]));
    assert_int_equal(ILK_GET(f->world, e[0], Faces)->first, edge);
    assert_int_equal(ilki_head_of(&faces->heads, 1).count, 0);
    assert_int_equal(ilki_head_of(&faces->heads, 2).first, edge);
    assert_int_equal(faces->edges.table_capacity, 0);
}

static void pages_note_when_they_change(void** state) {
    fixture* f = *state;
    ilk_entity e[2];
    create_some(f->world, e, 2);
    ilki_next_tick(&f->world->storage);
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[1]));
    const ilki_relation* likes = relation_of(f, &Likes_type);
    assert_int_equal(likes->edges.pages[0]->touched, 2);
    assert_int_equal(likes->heads.pages[0]->touched, 2);
    ilki_next_tick(&f->world->storage);
    assert_ok(ilk_unrelate(f->world, e[0], &Likes_type, e[1]));
    assert_int_equal(likes->edges.pages[0]->touched, 3);
    assert_int_equal(likes->heads.pages[0]->touched, 3);
}

static void a_value_is_where_its_edge_is(void** state) {
    fixture* f = *state;
    ilk_entity e[2];
    create_some(f->world, e, 2);
    assert_ok(ilk_relate_value(f->world, e[0], &Owes_type, e[1], &(Health){5}));
    const ilki_relation* owes = relation_of(f, &Owes_type);
    assert_ptr_equal(ilk_relation_get(f->world, e[0], &Owes_type, e[1]),
                     ilki_edge_value(&owes->edges, 0));
}

static void a_link_is_added_with_a_copy_of_a_value(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    create_some(f->world, e, 3);
    Owned text = {text_copy("a secret")};
    assert_ok(ilk_relate_value(f->world, e[0], &Tells_type, e[1], &text));
    ilki_storage* storage = &f->world->storage;
    ilki_relation* tells = relation_of(f, &Tells_type);
    ilk_link* link = ilki_link_at(storage, tells, 0);
    assert_true(ilki_ready_to_link(storage, tells, 2, 2));
    Owned* copy = ilki_link_add_copy(storage, tells, 0, link, 2, &text);
    assert_hooks(0, 1, 0);
    assert_string_equal(copy->text, "a secret");
    assert_ptr_equal(copy, ilk_relation_get(f->world, e[0], &Tells_type, e[2]));
    assert_null(ilki_link_add_copy(storage, tells, 0, link, 0, NULL)); // the default
    assert_hooks(1, 0, 0);
}

// Their links are gone with the rows.
static void links_are_left_without_a_look_below(void** state) {
    fixture* f = *state;
    ilk_entity e[3];
    create_some(f->world, e, 3);
    assert_ok(ilk_relate(f->world, e[1], &Under_type, e[0]));
    assert_ok(ilk_relate(f->world, e[2], &Under_type, e[1]));
    ilki_storage* storage = &f->world->storage;
    ilki_relation* under = relation_of(f, &Under_type);
    ilki_link_leave(storage, under, ilki_link_at(storage, under, 1));
    assert_int_equal(under->edges.count, 1);
    assert_int_equal(ilki_head_of(&under->heads, 0).count, 0);
    assert_int_equal(ilki_link_at(storage, under, 2)->depth, 2);
    ilki_depart(f->world, e + 2, 1);
    assert_int_equal(under->edges.count, 0);
    ilk_clear(f->world);
}

static void bytes_are_counted(void** state) {
    fixture* f = *state;
    ilk_entity e[2];
    create_some(f->world, e, 2);
    assert_ok(ilk_register(f->world, &Likes_type));
    size_t before = ilk_stats(f->world).bytes_relations;
    size_t type_before = ilk_stats_of(f->world, &Likes_type).bytes;
    assert_ok(ilk_relate(f->world, e[0], &Likes_type, e[1]));
    assert_true(ilk_stats(f->world).bytes_relations >= before + sizeof(ilki_edge_page));
    assert_true(ilk_stats_of(f->world, &Likes_type).bytes >=
                type_before + sizeof(ilki_edge_page) + sizeof(ilki_head_page));
    assert_int_equal(ilk_stats(f->world).relations, 1);
    assert_ok(ilk_unrelate(f->world, e[0], &Likes_type, e[1]));
    ilk_trim(f->world);
    assert_int_equal(ilk_stats(f->world).bytes_relations, before);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        WORLD_TEST(a_link_leads_to_its_edges),
        WORLD_TEST(a_turned_link_keeps_its_edge),
        WORLD_TEST(pages_note_when_they_change),
        WORLD_TEST(a_value_is_where_its_edge_is),
        WORLD_TEST(a_link_is_added_with_a_copy_of_a_value),
        WORLD_TEST(links_are_left_without_a_look_below),
        WORLD_TEST(bytes_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
