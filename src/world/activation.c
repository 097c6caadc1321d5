// Activation, and the end of entities that something outlives.
//
// Both are tags: an entity that is inactive has one, and so has one that is dying. Queries look at
// their bits (match.c); all other verbs of inactive entities are the usual ones. Nothing quick is
// done to a value that may outlive its entity, nor to what lies in a chunk with somebody dying, so
// that the slow ways of destroying, giving and removing are the only ones that ask.
#include "world.h"

static ilk_result fail_about(ilk_world* world, ilk_result result, const char* call, ilk_entity e,
                             const char* what) {
    return ilki_fail_for(world, result, call, e, NULL, "it is %s", what);
}

// DEAD for an entity that is not there, or dying; the failure is noted.
static ilk_result refuse_dead(ilk_world* world, ilk_entity e, const char* call) {
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    if (record && !ilki_is_dying(&world->storage, record->place)) return ILK_OK;
    return ilki_fail(world, ILK_DEAD, call, e, NULL);
}

ilk_result ilk_deactivate(ilk_world* world, ilk_entity e) {
    const char* call = "ilk_deactivate";
    ilk_result result = ilki_enter_for(world, e, NULL, call);
    if (result == ILK_OK) result = refuse_dead(world, e, call);
    if (result != ILK_OK) return result;
    if (ilk_enabled(world, e, &ilk_inactive_type)) {
        return fail_about(world, ILK_EXISTS, call, e, "inactive already");
    }
    if (ilki_has(world, e, &ilk_inactive_type)) return ilk_enable(world, e, &ilk_inactive_type);
    return ilki_add_as(world, e, (ilk_value){&ilk_inactive_type, NULL}, call);
}

ilk_result ilk_activate(ilk_world* world, ilk_entity e) {
    const char* call = "ilk_activate";
    ilk_result result = ilki_enter_for(world, e, NULL, call);
    if (result == ILK_OK) result = refuse_dead(world, e, call);
    if (result != ILK_OK) return result;
    if (!ilk_enabled(world, e, &ilk_inactive_type)) {
        return fail_about(world, ILK_MISSING, call, e, "active already");
    }
    return ilk_remove(world, e, &ilk_inactive_type);
}

ilk_entity ilk_create_inactive(ilk_world* world) {
    return ilki_spawn_as(world, &(ilk_value){&ilk_inactive_type, NULL}, 1, "ilk_create_inactive");
}

// Whether the entity at a place has a value that outlives it, but for the tag of the dying, and for
// what is taken.
static bool is_kept_without(const ilki_storage* storage, uint32_t place,
                            const ilki_directory* taken) {
    const ilki_chunk* chunk = storage->chunks[ilki_chunk_of(place)];
    for (uint32_t i = 0; chunk->keeps && i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        if (!directory->type->outlives || directory == storage->dying) continue;
        if (directory == taken) continue;
        if (ilki_block_has(ilki_block_at(directory, chunk->number), ilki_row_of(place)))
            return true;
    }
    return false;
}

bool ilki_is_kept(const ilki_storage* storage, uint32_t place) {
    if (!storage->has_outliving || ilki_is_nowhere(place)) return false;
    return is_kept_without(storage, place, NULL);
}

// What does not outlive the entity goes; then the tag comes, for which there is room where a value
// is that outlives.
static void begin_to_die(ilk_world* world, uint32_t place) {
    ilki_storage* storage = &world->storage;
    ilki_chunk* chunk = storage->chunks[ilki_chunk_of(place)];
    for (uint32_t i = 0; i < ilki_block_count(chunk); i++) {
        const ilki_directory* directory = ilki_directory_in(storage, chunk, i);
        if (!directory->type->outlives) ilki_value_take(storage, directory, place);
    }
    ilki_value_give(storage, storage->dying, ilki_block_at(storage->dying, chunk->number), place);
    ilki_chunk_note_dying(storage, chunk);
    ilki_report_stale(world, "ilk_destroy");
}

// The same, and tells whoever observes it.
static ilk_result begin_to_die_observed(ilk_world* world, ilk_entity e, uint32_t place,
                                        ilk_reason reason, const char* call) {
    ilki_frame frame;
    if (!ilki_frame_begin_one(&frame, world, NULL, e, reason, call)) {
        return ilki_last_result(world);
    }
    bool is_ready = ilki_frame_before(&frame);
    if (is_ready) {
        ilki_tell_stripped(&frame, true);
        begin_to_die(world, place);
        frame.directory = world->storage.dying;
        frame.announced = ILK_ON_ADD;
        ilki_frame_done(&frame);
        ilki_tell(&frame, ILK_ON_ADD, NULL);
        frame.directory = NULL;
        ilki_tell_matches(&frame, ILK_ON_MATCH);
    }
    ilki_frame_end(&frame);
    return is_ready ? ILK_OK : ilki_last_result(world);
}

ilk_result ilki_begin_to_die(ilk_world* world, ilk_entity e, uint32_t place, ilk_reason reason,
                             const char* call) {
    if (ilki_is_dying(&world->storage, place)) return ilki_fail(world, ILK_DEAD, call, e, NULL);
    if (world->observers) return begin_to_die_observed(world, e, place, reason, call);
    begin_to_die(world, place);
    return ILK_OK;
}

bool ilki_may_let_go(ilk_world* world, uint32_t place, const ilki_directory* taken,
                     const char* call) {
    const ilki_storage* storage = &world->storage;
    if (!world->tells_end || !ilki_is_dying(storage, place)) return true;
    bool stays = taken && is_kept_without(storage, place, taken);
    return stays || ilki_frames_ready(world, call);
}

void ilki_go_if_dying(ilk_world* world, ilk_entity e, const char* call) {
    const ilki_record* record = ilki_record_of(&world->storage.view.index, e);
    if (!record || !ilki_is_dying(&world->storage, record->place)) return;
    if (ilki_is_kept(&world->storage, record->place)) return;
    uint32_t number = ilki_chunk_of(record->place);
    bool is_told = ilki_entity_end(world, e, ILK_REASON_DESTROY, call) == ILK_OK;
    if (!is_told && ilki_alive(world, e)) ilki_destroy_quietly(world, e, call);
    // By now an observer may have done anything, even cleared the world.
    ilki_chunk* chunk = number < world->storage.chunk_count ? world->storage.chunks[number] : NULL;
    if (chunk && chunk->has_dying) ilki_chunk_note_dying(&world->storage, chunk);
}

ilk_result ilki_refuse_dying(ilk_world* world, const char* call) {
    return ilki_fail_because(world, ILK_INVALID, call, &ilk_dying_type,
                             "%s is given by ilk_destroy alone, and goes with the entity",
                             ilk_dying_type.name);
}

bool ilk_active(const ilk_world* world, ilk_entity e) {
    const ilki_record* record = world ? ilki_record_of(&world->storage.view.index, e) : NULL;
    return record && !ilki_is_inactive(&world->storage, record->place) &&
           !ilki_is_dying(&world->storage, record->place);
}

bool ilk_dying(const ilk_world* world, ilk_entity e) {
    const ilki_record* record = world ? ilki_record_of(&world->storage.view.index, e) : NULL;
    return record && ilki_is_dying(&world->storage, record->place);
}
