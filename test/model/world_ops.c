// Operations on worlds as such: the catalogue, the pointer that a world carries, and plugins.
#include "run.h"

// The catalogue and the pointer

static ilk_world* world_of(const run* r, ilk_entity e) {
    const run_side *a = &r->sides[0], *b = &r->sides[1];
    const run_side* older = ilk_world_id(a->world) < ilk_world_id(b->world) ? a : b;
    const run_side* younger = older == a ? b : a;
    if (model_alive(older->model, e)) return older->world;
    return model_alive(younger->model, e) ? younger->world : NULL;
}

static void set_pointer(run* r, run_side* s, const script_op* op) {
    if (s->schedule.within) return;
    s->user = op->seed & 1 ? &r->list[op->seed % 8] : NULL;
    ilk_world_set_user(s->world, s->user);
}

void run_world_ask(run* r, run_side* s, const script_op* op) {
    ilk_entity e = run_pick(r, s, op->mode, op->pick);
    ilk_world* found[3] = {0};
    run_begin(r, s, (run_call){.name = "ilk_world_of", .about_entity = true, .entity = e});
    run_forbid(s);
    set_pointer(r, s, op);
    ilk_world* of = ilk_world_of(e);
    uint32_t count = ilk_worlds(found, 3);
    run_permit(s);
    RUN_CHECK(r, of == world_of(r, e), "%s: {%u, %u} is of another world", s->name, e.index,
              e.generation);
    RUN_CHECK(r, ilk_world_user(s->world) == s->user, "%s: its pointer differs", s->name);
    RUN_CHECK(r, ilk_world_by_id(ilk_world_id(s->world)) == s->world, "%s: not by id", s->name);
    RUN_CHECK(r, ilk_world_named(s->name) == s->world, "%s: not by name", s->name);
    RUN_CHECK(r, !ilk_world_by_id(s->id_before), "%s: a world that is gone is found", s->name);
    RUN_CHECK(r, count == 2 && ilk_world_count() == 2 && !found[2], "%u worlds", count);
    bool is_sorted = found[0] && found[1] && ilk_world_id(found[0]) < ilk_world_id(found[1]);
    RUN_CHECK(r, is_sorted, "the worlds are not in order");
}

// A factory that makes what is asked for.
ilk_world* run_build(void* context, const ilk_world_desc* desc) {
    ++*(uint32_t*)context;
    return ilk_world_make(desc);
}

// Plugins. Each needs some of those before it; the last two need each other; one fails as long as
// its side says so.

enum {
    FAILING = 3,
    INSTALLER = 5 // whose function installs another one
};

static const uint8_t needs[RUN_PLUGINS] = {0, 1, 3, 1, 14, 2, 133, 64};
static ilk_plugin plugins[2][RUN_PLUGINS];
static const ilk_plugin* needed[2][RUN_PLUGINS][RUN_PLUGINS + 1];
static const char* const plugin_names[RUN_PLUGINS] = {"p0", "p1", "p2", "p3",
                                                      "p4", "p5", "p6", "p7"};

typedef struct part {
    run* run;
    run_side* side;
    uint32_t at;
} part;
static part parts[2][RUN_PLUGINS];

static ilk_result install(ilk_world* world, void* user) {
    const part* p = user;
    run_side* s = p->side;
    RUN_CHECK(p->run, world == s->world && !(s->plugins.is_there >> p->at & 1),
              "%s: a plugin is installed in another world, or twice", s->name);
    if (p->at == INSTALLER) return ilk_plugin_install(world, &plugins[s == &p->run->sides[1]][2]);
    return p->at == FAILING && s->plugins.is_failing ? ILK_CANCELLED : ILK_OK;
}

static void leave(ilk_world* world, void* user) {
    const part* p = user;
    run_plugins* its = &p->side->plugins;
    bool is_last = its->count && its->order[its->count - 1] == p->at;
    if (its->removing) {
        RUN_CHECK(p->run, its->removing == p->at + 1, "%s: another plugin goes", p->side->name);
        return;
    }
    RUN_CHECK(p->run, world == p->side->world && is_last, "%s: another plugin was to go",
              p->side->name);
    its->count -= its->count > 0;
}

static void make_plugins(run* r, run_side* s) {
    uint32_t side = s == &r->sides[1];
    for (uint32_t i = 0; i < RUN_PLUGINS; i++) {
        uint32_t count = 0;
        for (uint32_t k = 0; k < RUN_PLUGINS; k++)
            if (needs[i] >> k & 1) needed[side][i][count++] = &plugins[side][k];
        needed[side][i][count] = NULL;
        parts[side][i] = (part){r, s, i};
        plugins[side][i] =
            (ilk_plugin){plugin_names[i], install, leave, needed[side][i], &parts[side][i]};
    }
}

static bool has_cycle(uint32_t at, uint32_t open) {
    for (uint32_t k = 0; k < RUN_PLUGINS; k++)
        if (needs[at] >> k & 1 && (open >> k & 1 || has_cycle(k, open | 1u << k))) return true;
    return false;
}

static void enter(run_plugins* its, uint32_t at) {
    its->is_there |= 1u << at;
    its->order[its->count++] = at;
}

// What the installing of a plugin comes to. Those that need each other are never there.
static model_faults follow_install(run_side* s, uint32_t at) {
    run_plugins* its = &s->plugins;
    if (its->is_there >> at & 1) return MODEL_FINE;
    for (uint32_t k = 0; k < RUN_PLUGINS; k++) {
        model_faults faults = needs[at] >> k & 1 ? follow_install(s, k) : MODEL_FINE;
        if (faults) return faults;
    }
    if (at == INSTALLER) follow_install(s, 2);
    if (at == FAILING && its->is_failing) return MODEL_FAULT(CANCELLED);
    enter(its, at);
    return MODEL_FINE;
}

static void compare_plugins(run* r, const run_side* s) {
    const run_plugins* its = &s->plugins;
    RUN_CHECK(r, ilk_plugin_count(s->world) == its->count, "%s: %u plugins", s->name, its->count);
    for (uint32_t i = 0; i < its->count && !r->outcome->failed; i++)
        RUN_CHECK(r, strcmp(ilk_plugin_at(s->world, i), plugin_names[its->order[i]]) == 0,
                  "%s: plugin %u is another", s->name, i);
    for (uint32_t i = 0; i < RUN_PLUGINS; i++)
        RUN_CHECK(r, ilk_plugin_has(s->world, plugin_names[i]) == (its->is_there >> i & 1),
                  "%s: it has plugin %u, or not", s->name, i);
}

static model_faults removal_faults(const run_plugins* its, uint32_t at) {
    if (!(its->is_there >> at & 1)) return MODEL_FAULT(MISSING);
    for (uint32_t i = 0; i < RUN_PLUGINS; i++)
        if (its->is_there >> i & 1 && needs[i] >> at & 1) return MODEL_FAULT(NEEDED);
    return MODEL_FINE;
}

static void remove_plugin(run* r, run_side* s, uint32_t at) {
    run_plugins* its = &s->plugins;
    model_faults faults = removal_faults(its, at);
    uint32_t kept = 0;
    make_plugins(r, s);
    its->removing = at + 1;
    run_begin(r, s, (run_call){.name = "ilk_plugin_remove", .count = at});
    run_forbid(s);
    ilk_result result = ilk_plugin_remove(s->world, plugin_names[at]);
    run_permit(s);
    its->removing = 0;
    run_expect(r, s, result, faults);
    for (uint32_t i = 0; i < its->count && !faults; i++)
        if (its->order[i] != at) its->order[kept++] = its->order[i];
    if (!faults) its->count = kept;
    if (!faults) its->is_there &= ~(1u << at);
    compare_plugins(r, s);
}

// The function of a plugin may lack memory for what it installs: then that is told twice.
void run_plugin(run* r, run_side* s, const script_op* op) {
    uint32_t at = op->pick % RUN_PLUGINS;
    ilk_plugin plugin;
    if (op->flags % 8 >= 6) {
        remove_plugin(r, s, at);
        return;
    }
    make_plugins(r, s);
    plugin = plugins[s == &r->sides[1]][at];
    bool is_other = op->mode >= 200 && s->plugins.is_there >> at & 1;
    if (is_other) plugin.user = NULL;
    s->plugins.is_failing = op->flags & 1;
    bool was_paused = r->plan.paused, is_nested = !(s->plugins.is_there >> 2 & 1);
    if (at == INSTALLER && is_nested) r->plan.paused = true;
    run_begin(r, s, (run_call){.name = "ilk_plugin_install", .count = at});
    ilk_result result = ilk_plugin_install(s->world, &plugin);
    r->plan.paused = was_paused;
    if (run_excused(r, s, result)) return;
    model_faults faults = is_other                  ? MODEL_FAULT(EXISTS)
                          : has_cycle(at, 1u << at) ? MODEL_FAULT(INVALID)
                                                    : follow_install(s, at);
    run_expect(r, s, result, faults);
    compare_plugins(r, s);
}
