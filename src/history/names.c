// Names and ids in a snapshot.
#include "history.h"

// Whether the names of the world are those that the newest snapshot has.
static bool are_known(const ilki_history* history) {
    const ilki_names* names = history->world->storage.names;
    return names && ilki_names_changes(names) == history->names_changes;
}

static void free_image(ilki_history* history, ilki_names_image* image) {
    ilki_memory* memory = &history->world->storage.memory;
    if (!image || --image->users) return;
    ilki_names_fini(&image->names, memory);
    ilki_free(memory, ILKI_HISTORY, image, sizeof *image, _Alignof(ilki_names_image));
}

static ilki_names_image* make_image(ilki_memory* memory, const ilki_names* names) {
    ilki_names_image* image =
        ilki_alloc_zero(memory, ILKI_HISTORY, sizeof *image, _Alignof(ilki_names_image));
    if (image && ilki_names_clone(names, memory, &image->names)) return image;
    ilki_free(memory, ILKI_HISTORY, image, sizeof *image, _Alignof(ilki_names_image));
    return NULL;
}

bool ilki_names_take(ilki_history* history, ilki_names_image** image) {
    ilki_storage* storage = &history->world->storage;
    *image = NULL;
    if (!storage->names) return true;
    bool is_there = history->newest && are_known(history);
    *image = is_there ? history->newest->names : make_image(&storage->memory, storage->names);
    if (*image) (*image)->users++;
    return *image != NULL;
}

void ilki_names_keep(ilki_history* history, ilk_snapshot* snapshot, ilki_names_image* image) {
    if (!snapshot) {
        free_image(history, image);
        return;
    }
    snapshot->names = image;
    history->names_changes = image ? ilki_names_changes(history->world->storage.names) : UINT64_MAX;
}

void ilki_names_release(ilki_history* history, ilk_snapshot* snapshot) {
    bool is_newest = snapshot == history->newest;
    if (is_newest && (!snapshot->older || snapshot->older->names != snapshot->names)) {
        history->names_changes = UINT64_MAX;
    }
    free_image(history, snapshot->names);
}

// Whether the names of the world are to become others.
static bool are_to_change(const ilki_history* history, const ilk_snapshot* snapshot) {
    bool is_here = snapshot == history->newest && are_known(history);
    return history->world->storage.names && !is_here && !snapshot->keeps_names;
}

bool ilki_names_ready_to_restore(ilki_history* history, const ilk_snapshot* snapshot) {
    ilki_memory* memory = &history->world->storage.memory;
    if (!snapshot->names || !are_to_change(history, snapshot)) return true;
    return ilki_names_clone(&snapshot->names->names, memory, &history->coming_names);
}

void ilki_names_give_up(ilki_history* history) {
    ilki_names_fini(&history->coming_names, &history->world->storage.memory);
}

void ilki_names_restore(ilki_history* history, const ilk_snapshot* snapshot) {
    ilki_names* names = history->world->storage.names;
    if (!are_to_change(history, snapshot)) return;
    ilki_names_fini(names, &history->world->storage.memory);
    *names = history->coming_names;
    history->coming_names = (ilki_names){0};
    bool is_newest = snapshot == history->newest && snapshot->names;
    history->names_changes = is_newest ? ilki_names_changes(names) : UINT64_MAX;
}
