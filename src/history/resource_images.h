// Resources in a snapshot. Each value is shared with the world until it is about to be written;
// then a copy of it is saved in the newest snapshot, and shared by those before it, as blocks are.
#ifndef ILKI_RESOURCE_IMAGES_H
#define ILKI_RESOURCE_IMAGES_H

#include <ilk/snapshot.h>

#include "../world/world.h"
#include "cutter.h"

typedef struct ilki_resource_image {
    ilk_type* type;
    uint64_t changed;
    void* own;    // the value; NULL: it is shared
    void* coming; // while the snapshot is being restored: the value that the world is to have
} ilki_resource_image;

typedef struct ilki_resource_images {
    ilki_resource_image* list; // in the order of the world's
    uint32_t count;
} ilki_resource_images;

struct ilki_history;

void ilki_resources_cut(const ilk_world* world, ilki_resource_images* images, ilki_cutter* cutter);
void ilki_resources_release(struct ilki_history* history, ilk_snapshot* snapshot);

// The image of a resource in a snapshot, or NULL. The first snapshot from one on that has a value
// of its own; NULL: the world has it.
ilki_resource_image* ilki_resource_image_of(const ilk_snapshot* snapshot, const ilk_type* type);
ilk_snapshot* ilki_owner_of_resource(ilk_snapshot* snapshot, const ilk_type* type);

// A value in memory of its own; NULL without memory. Drops and frees it.
void* ilki_resource_make(ilki_memory* memory, ilki_use use, const ilk_type* type);
void* ilki_resource_clone(ilki_memory* memory, ilki_use use, const ilk_type* type,
                          const void* value);
void ilki_resource_unmake(ilki_memory* memory, ilki_use use, const ilk_type* type, void* value);

// Has the world save what the newest snapshot, if there is one, shares.
void ilki_resources_share(struct ilki_history* history);

// Makes the values that the world does not have any more. False without memory; then
// ilki_resources_give_up.
bool ilki_resources_ready(struct ilki_history* history, ilk_snapshot* snapshot);
void ilki_resources_give_up(struct ilki_history* history, ilk_snapshot* snapshot);
void ilki_resources_restore(struct ilki_history* history, ilk_snapshot* snapshot);

#endif
