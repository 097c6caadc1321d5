// What the pieces of parallel systems do. Nothing here touches the model, or what other pieces use.
#include "run.h"

#include "base/platform.h"

#include <stdlib.h>

static ilki_lock pieces_lock;
static _Thread_local run_piece* piece_here;

run_piece* run_piece_here(void) {
    return piece_here;
}

static void object(run_piece* p, const char* complaint) {
    if (!p->complaint) p->complaint = complaint;
}

static run_piece* new_piece(run_occasion* o) {
    run_piece* p = must(calloc(1, sizeof *p));
    p->of = o;
    return p;
}

// Before

static void list_matches(run_occasion* o, ilk_world* world) {
    ilk_query* query = ilk_system_query(o->system->system);
    uint32_t count = ilk_query_count(world, query);
    o->all = must(malloc((count + 1) * sizeof *o->all));
    o->count = ilk_query_collect(world, query, o->all, count + 1);
    if (o->count > count) o->count = count;
}

static void plan_errands(run_occasion* o, run_side* s) {
    uint64_t state = o->seed;
    for (uint32_t i = 0; i < PIECE_ERRANDS && o->count; i++) {
        uint64_t x = script_random(&state);
        run_errand* a = x % 4 == 0 ? run_free_errand(s) : NULL;
        if (!a) continue;
        script_op op = o->system->op;
        op.seed = (uint32_t)(x >> 32);
        *a = (run_errand){o->system->run, s, true, RUN_SYSTEM_BUFFER(o->system->place), 0, op};
        o->errands[i] = a;
        o->asker[i] = o->all[(x >> 8) % o->count];
    }
}

// Lanes that were given few slots to choose from go to fresh pages, one for each piece, which makes
// the model slow. So that is done in few worlds, and where there are few pieces.
static bool has_slots(const run* r, const model_world* m, uint32_t rows) {
    uint32_t used = m->alive + m->promised + m->retired;
    bool is_spacious = r->header.is_spacious && rows < 512;
    return is_spacious || m->slot_count - used >= 12 + rows / 16;
}

void run_occasion_begin(run_system* its) {
    run_side* s = its->side;
    uint64_t state = its->op.seed + its->occasions++ * 0x10001u;
    run_occasion* o = must(calloc(1, sizeof *o));
    o->system = its;
    o->query = s->schedule.model.systems[its->place].query;
    o->seed = script_random(&state);
    o->is_writing = o->seed >> 8 & 3;
    o->is_by_rows = o->seed >> 10 & 1;
    list_matches(o, s->world);
    o->may_create =
        s->model->is_loose && !s->model->max_entities && has_slots(its->run, s->model, o->count);
    if (its->is_each)
        o->pieces = new_piece(o);
    else
        plan_errands(o, s);
    run_occasion** last = &its->first;
    while (*last) last = &(*last)->next;
    *last = its->latest = o;
    s->schedule.unjudged++;
}

// Pieces

static run_piece* begin_piece(run_occasion* o) {
    run_piece* p = new_piece(o);
    piece_here = p;
    supply_work_beside(true);
    return p;
}

static void end_piece(run_piece* p) {
    piece_here = NULL;
    supply_work_beside(false);
    ilki_lock_take(&pieces_lock);
    p->next = p->of->pieces;
    p->of->pieces = p;
    ilki_lock_give(&pieces_lock);
}

static void add_row(run_piece* p, ilk_entity e, uint64_t look) {
    if (p->count == p->capacity) {
        p->capacity = p->capacity ? 2 * p->capacity : 64;
        p->rows = must(realloc(p->rows, p->capacity * sizeof *p->rows));
        p->looks = must(realloc(p->looks, p->capacity * sizeof *p->looks));
    }
    p->rows[p->count] = e;
    p->looks[p->count++] = look;
}

// Values

static void* value_of(const ilk_iter* it, const void* column, size_t size, uint32_t i,
                      bool is_by_rows) {
    return (unsigned char*)(uintptr_t)column + size * (is_by_rows ? it->rows[i] : i);
}

static void look_at_column(run_piece* p, const ilk_iter* it, uint32_t type, const void* column) {
    size_t size = catalog_models()[type].size;
    for (uint32_t i = 0; i < it->count; i++) {
        const void* value = column ? value_of(it, column, size, i, p->of->is_by_rows) : NULL;
        run_look(&p->looks[p->count - it->count + i], type, value);
    }
}

static void write_column(run_piece* p, ilk_iter* it, uint32_t type) {
    size_t size = catalog_models()[type].size;
    void* column = ilk_column_write(it, catalog_variable(type, false));
    if (!column) object(p, "there is no column to write to");
    for (uint32_t i = 0; i < it->count && column && size; i++) {
        ilk_entity e = p->rows[p->count - it->count + i];
        if (run_is_scrawled(p->of, e))
            catalog_scrawl(type, run_scrawl_seed(p->of, e),
                           value_of(it, column, size, i, p->of->is_by_rows));
    }
}

static void use_columns(run_piece* p, ilk_iter* it) {
    const model_query* q = p->of->query;
    for (uint32_t i = 0; i < q->count; i++) {
        uint32_t type = q->terms[i].type;
        ilk_type* variable = catalog_variable(type, false);
        bool is_maybe = q->terms[i].access == ILK_ACCESS_MAYBE;
        bool is_written = q->terms[i].access == ILK_ACCESS_WRITE;
        if (is_maybe) look_at_column(p, it, type, ilk_column_maybe(it, variable));
        if (is_written || q->terms[i].access == ILK_ACCESS_READ)
            look_at_column(p, it, type, ilk_column_read(it, variable));
        if (is_written && p->of->is_writing) write_column(p, it, type);
    }
}

// Commands

static ilk_entity pick_entity(const run_piece* p, uint64_t x) {
    uint32_t pick = (uint32_t)(x >> 32);
    ilk_entity row = p->rows[pick % p->count];
    const run_deed* last = p->deed_count ? &p->deeds[pick % p->deed_count] : NULL;
    switch (x % 8) {
    case 0:
        return (ilk_entity){row.index, row.generation + 1};
    case 1:
        return last && !ilk_is_null(last->made) ? last->made : row;
    case 2:
    case 3:
        return p->of->all[pick % p->of->count];
    default:
        return row;
    }
}

static uint32_t pick_type(const run_piece* p, uint64_t x) {
    const model_query* q = p->of->query;
    uint32_t type = catalog_common((uint32_t)(x >> 16));
    if (x % 32 == 0) return catalog_choose((uint8_t)(240 + (x >> 8) % 16)); // a wrong one
    if (x % 4 == 0 && q->count) type = q->terms[(x >> 8) % q->count].type;
    if (x % 4 == 1) type = catalog_choose((uint8_t)((x >> 8) % 240));
    return catalog_is_huge(type) ? catalog_common(0) : type;
}

// A value for a command, in both forms; the model's is the log's.
static ilk_value make_value(run_deed* d, uint32_t type, uint64_t x, unsigned char* ours) {
    bool is_plain = type >= catalog_sound() || x % 4 == 0;
    model_value* theirs = &d->values[d->count++];
    *theirs = (model_value){type, NULL};
    if (is_plain) return (ilk_value){catalog_variable(type, x >> 8 & 1), NULL};
    void* bytes = must(malloc(catalog_models()[type].size + 1));
    catalog_make(type, (uint32_t)(x >> 32), ours, bytes);
    theirs->bytes = bytes;
    return (ilk_value){catalog_variable(type, x >> 8 & 1), ours};
}

static ilk_result result_of(ilk_world* world, bool is_made) {
    return is_made ? ILK_OK : ilk_error(world).result;
}

static void give(run_deed* d, ilk_iter* it, uint32_t type, uint64_t x) {
    _Alignas(128) unsigned char ours[2048];
    ilk_value value = make_value(d, type, x, ours);
    d->result = d->verb == MODEL_CMD_ADD       ? ilk_cmd_add(it->cmd, d->entity, value)
                : d->verb == MODEL_CMD_SET     ? ilk_cmd_set(it->cmd, d->entity, value)
                : d->verb == MODEL_CMD_RES_SET ? ilk_cmd_resource_set(it->cmd, value)
                                               : ilk_cmd_replace(it->cmd, d->entity, value);
    if (d->result != ILK_OK && value.bytes) catalog_discard(type, ours);
}

static void ensure(run_deed* d, ilk_iter* it, uint32_t type, uint64_t x) {
    model_value* theirs = &d->values[d->count++];
    *theirs = (model_value){type, NULL};
    void* value = ilk_cmd_ensure(it->cmd, d->entity, catalog_variable(type, false));
    d->result = result_of(it->world, value != NULL);
    if (!value || type >= catalog_sound()) return;
    const model_type* its = &catalog_models()[type];
    unsigned char* bytes = must(calloc(1, its->size + 1));
    if (its->fresh) memcpy(bytes, its->fresh, its->size);
    catalog_rewrite(type, (uint32_t)(x >> 32), value, bytes);
    theirs->bytes = bytes;
}

static void name_type(run_deed* d, ilk_iter* it, uint32_t type) {
    ilk_type* variable = catalog_variable(type, false);
    d->values[d->count++] = (model_value){type, NULL};
    d->result = d->verb == MODEL_CMD_REMOVE       ? ilk_cmd_remove(it->cmd, d->entity, variable)
                : d->verb == MODEL_CMD_ENABLE     ? ilk_cmd_enable(it->cmd, d->entity, variable)
                : d->verb == MODEL_CMD_MARK       ? ilk_cmd_mark(it->cmd, d->entity, variable)
                : d->verb == MODEL_CMD_RES_REMOVE ? ilk_cmd_resource_remove(it->cmd, variable)
                                                  : ilk_cmd_disable(it->cmd, d->entity, variable);
}

static void spawn(run_piece* p, run_deed* d, ilk_iter* it, uint64_t* state) {
    _Alignas(128) unsigned char ours[PIECE_VALUES][2048];
    ilk_value values[PIECE_VALUES];
    uint32_t count = (uint32_t)(script_random(state) % PIECE_VALUES);
    for (uint32_t i = 0; i < count; i++)
        values[i] =
            make_value(d, pick_type(p, script_random(state)), script_random(state), ours[i]);
    d->made = ilk_cmd_spawn(it->cmd, values, count);
    d->result = result_of(it->world, !ilk_is_null(d->made));
    for (uint32_t i = 0; i < count && d->result != ILK_OK; i++)
        if (values[i].bytes) catalog_discard(d->values[i].type, ours[i]);
}

static run_deed* begin_deed(run_piece* p, model_verb verb) {
    run_deed* d = &p->deeds[p->deed_count];
    *d = (run_deed){.verb = verb};
    return d;
}

static void end_deed(run_piece* p, const run_deed* d) {
    p->deed_count++;
    if (d->result == ILK_OK) return;
    p->expected++;
    if (p->messages != p->expected || p->told != d->result)
        object(p, "a command failed, and another thing was told");
}

static void record(run_piece* p, ilk_iter* it, uint64_t* state) {
    static const uint8_t verbs[32] = {
        MODEL_CMD_CREATE,  MODEL_CMD_CREATE,  MODEL_CMD_SPAWN,   MODEL_CMD_SPAWN,
        MODEL_CMD_SPAWN,   MODEL_CMD_SPAWN,   MODEL_CMD_DESTROY, MODEL_CMD_DESTROY,
        MODEL_CMD_DESTROY, MODEL_CMD_DESTROY, MODEL_CMD_ADD,     MODEL_CMD_ADD,
        MODEL_CMD_ADD,     MODEL_CMD_ADD,     MODEL_CMD_SET,     MODEL_CMD_SET,
        MODEL_CMD_SET,     MODEL_CMD_RES_SET, MODEL_CMD_REPLACE, MODEL_CMD_RES_SET,
        MODEL_CMD_ENSURE,  MODEL_CMD_ENSURE,  MODEL_CMD_REMOVE,  MODEL_CMD_REMOVE,
        MODEL_CMD_REMOVE,  MODEL_CMD_ENABLE,  MODEL_CMD_DISABLE, MODEL_CMD_RES_REMOVE,
        MODEL_CMD_MARK,    MODEL_CMD_SCENE,   MODEL_CMD_SET,     MODEL_CMD_REMOVE_ALL};
    uint64_t x = script_random(state), y = script_random(state);
    run_deed* d = begin_deed(p, (model_verb)verbs[x % 32]);
    uint32_t type = pick_type(p, x >> 8);
    bool makes = d->verb == MODEL_CMD_CREATE || d->verb == MODEL_CMD_SPAWN;
    if (makes && !p->of->may_create) return;
    bool is_for_world = d->verb == MODEL_CMD_RES_SET || d->verb == MODEL_CMD_RES_REMOVE;
    if (!makes && !is_for_world) d->entity = pick_entity(p, y);
    switch (d->verb) {
    case MODEL_CMD_CREATE:
        d->made = ilk_cmd_create(it->cmd);
        d->result = result_of(it->world, !ilk_is_null(d->made));
        break;
    case MODEL_CMD_SPAWN:
        spawn(p, d, it, state);
        break;
    case MODEL_CMD_SCENE:
        d->entity = (ilk_entity){0};
        d->change = (uint32_t)(y % (3 * MODEL_SCENES));
        d->result = run_record_change(it->cmd, d->change);
        break;
    case MODEL_CMD_DESTROY:
        d->result = ilk_cmd_destroy(it->cmd, d->entity);
        break;
    case MODEL_CMD_REMOVE_ALL:
        d->result = ilk_cmd_remove_all(it->cmd, d->entity);
        break;
    case MODEL_CMD_ADD:
    case MODEL_CMD_SET:
    case MODEL_CMD_REPLACE:
    case MODEL_CMD_RES_SET:
        give(d, it, type, y);
        break;
    case MODEL_CMD_ENSURE:
        ensure(d, it, type, y);
        break;
    default:
        name_type(d, it, type);
    }
    if (!ilk_is_null(d->made) && ilk_alive(it->world, d->made))
        object(p, "a recorded entity is alive");
    end_deed(p, d);
}

static bool is_row_of_run(const run_piece* p, const ilk_iter* it, ilk_entity e) {
    for (uint32_t i = p->count - it->count; i < p->count; i++)
        if (ilk_same(p->rows[i], e)) return true;
    return false;
}

static void queue_errands(run_piece* p, ilk_iter* it) {
    for (uint32_t i = 0; i < PIECE_ERRANDS && p->deed_count < PIECE_DEEDS; i++) {
        run_errand* a = p->of->errands[i];
        if (!a || !is_row_of_run(p, it, p->of->asker[i])) continue;
        run_deed* d = begin_deed(p, MODEL_CMD_CALL);
        d->user = a;
        d->result = ilk_cmd_call(it->cmd, run_cmd_errand, a);
        end_deed(p, d);
    }
}

// What is for the world's thread, or writes in the rows of others, is refused.
static void try_locked(run_piece* p, ilk_iter* it, uint64_t x) {
    const model_query* q = p->of->query;
    uint32_t type = q->count ? q->terms[(x >> 8) % q->count].type : catalog_common(0);
    ilk_entity e = p->rows[(x >> 16) % p->count];
    bool is_done = false;
    switch (x % 4) {
    case 0:
        is_done = !ilk_is_null(ilk_create(it->world));
        break;
    case 1:
        is_done = ilk_edit(it->world, e, catalog_variable(type, false)) != NULL;
        break;
    case 2:
        is_done = ilk_destroy(it->world, e) != ILK_LOCKED;
        break;
    default:
        ilk_system_enable(it->system, false);
    }
    p->expected++;
    bool is_told = p->messages == p->expected && p->told == ILK_LOCKED;
    if (is_done || !is_told) object(p, "a piece did what is locked");
}

static void act(run_piece* p, ilk_iter* it, uint64_t* state) {
    uint64_t x = script_random(state);
    queue_errands(p, it);
    if (x % 16 == 0) try_locked(p, it, x >> 8);
    for (uint64_t i = 0; i < x % 3 && p->deed_count < PIECE_DEEDS; i++) record(p, it, state);
}

void run_parallel_run(ilk_iter* it) {
    const run_system* its = it->user;
    run_piece* p = begin_piece(its->latest);
    uint64_t state = p->of->seed;
    p->dt = it->dt;
    if (it->world != its->side->world || it->system != its->system || !it->cmd)
        object(p, "a piece is called with something else");
    while (!p->is_left && (p->of->is_by_rows ? ilk_next_rows(it) : ilk_next(it))) {
        for (uint32_t i = 0; i < it->count; i++)
            add_row(p, it->entities[p->of->is_by_rows ? it->rows[i] : i], 0);
        state ^= p->rows[p->count - 1].index * 0x9e3779b97f4a7c15u;
        use_columns(p, it);
        act(p, it, &state);
        p->is_left = script_random(&state) % 32 == 0;
    }
    end_piece(p);
}

// Who else is in the same piece is not told: all that come are logged as one.
void run_parallel_each(void* user, ilk_entity e, void* const* values) {
    const run_system* its = user;
    run_occasion* o = its->latest;
    const model_query* q = o->query;
    uint64_t look = 0;
    for (uint32_t i = 0; i < q->count; i++) {
        ilk_access access = q->terms[i].access;
        uint32_t type = q->terms[i].type;
        bool is_written = access == ILK_ACCESS_WRITE;
        if (!is_written && access != ILK_ACCESS_READ && access != ILK_ACCESS_MAYBE) continue;
        run_look(&look, type, *values);
        if (is_written && *values && run_is_scrawled(o, e))
            catalog_scrawl(type, run_scrawl_seed(o, e), *values);
        values++;
    }
    ilki_lock_take(&pieces_lock);
    add_row(o->pieces, e, look);
    ilki_lock_give(&pieces_lock);
}
