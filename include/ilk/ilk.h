// Everything: include this one.
#ifndef ILK_H
#define ILK_H

#include "base.h"
#include "type.h"
#include "world.h"
#include "worlds.h"
#include "plugin.h"
#include "entity.h"
#include "name.h"
#include "query.h"
#include "cmd.h"
#include "resource.h"
#include "relation.h"
#include "observer.h"
#include "blueprint.h"
#include "event.h"
#include "system.h"
#include "scene.h"
#include "see.h"
#include "hash.h"
#include "snapshot.h"
#include "replay.h"
#include "delta.h"
#include "quick.h"
#include "checked.h"

#endif
