// The whole of ilk, in the order of its layers; also a complete build of it in one file:
//     cc -std=c11 -O2 -Iinclude -c src/ilk.c
#include "base/platform.c"
#include "base/bits.c"
#include "base/result.c"
#include "base/memory.c"
#include "base/arena.c"
#include "base/pool.c"
#include "base/threads.c"

#include "containers/map.c"

#include "entity/index.c"
#include "entity/lanes.c"

#include "component/registry.c"
#include "component/values.c"

#include "storage/block.c"
#include "storage/small.c"
#include "storage/directory.c"
#include "storage/looking.c"
#include "storage/ilks.c"
#include "storage/place.c"
#include "storage/lodge.c"
#include "storage/storage.c"
#include "storage/settle.c"

#include "query/expression.c"
#include "query/match.c"
#include "query/terms.c"
#include "query/order.c"
#include "query/iter.c"
#include "query/columns.c"
#include "query/split.c"

#include "world/report.c"
#include "world/world.c"
#include "world/recipe.c"
#include "world/entities.c"
#include "world/components.c"
#include "world/bulk.c"
#include "world/queries.c"
#include "world/stats.c"
#include "world/validate.c"

#include "deferred/buffer.c"
#include "deferred/apply.c"

#include "schedule/graph.c"
#include "schedule/systems.c"
#include "schedule/wave.c"
#include "schedule/scenes.c"
#include "schedule/run.c"
