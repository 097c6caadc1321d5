// Conditions of queries: a random tree, and a text that means the same. The text has more
// parentheses and spaces than it needs, and sometimes a fault.
#include "passes.h"
#include "script.h"

#include <string.h>

#define DEEPEST 64u // parentheses and nots

static uint32_t dice(run_wording* w, uint32_t sides) {
    return (uint32_t)(script_random(&w->state) % sides);
}

// The tree

static model_condition* grow(run_wording* w, uint32_t depth, run_choose_fn* choose, void* user) {
    model_condition* c = &w->words[w->count++];
    *c = (model_condition){.word = MODEL_IS};
    if (depth > 0) c->word = dice(w, 8) < depth ? MODEL_NOT + dice(w, 3) : MODEL_IS;
    if (c->word == MODEL_IS) {
        c->type = choose(user, script_random(&w->state));
        return c;
    }
    c->left = grow(w, depth - 1, choose, user);
    if (c->word != MODEL_NOT) c->right = grow(w, depth - 1, choose, user);
    return c;
}

// The text

static void put(run_wording* w, const char* text) {
    size_t length = strlen(text);
    if (w->length + length >= sizeof w->text) return;
    memcpy(w->text + w->length, text, length + 1);
    w->length += length;
}

static void space(run_wording* w) {
    static const char* const spaces[8] = {"", "", "", " ", " ", "  ", "\t", "\n "};
    put(w, spaces[dice(w, 8)]);
}

static void put_spaced(run_wording* w, const char* text) {
    space(w);
    put(w, text);
    space(w);
}

typedef enum level {
    LEVEL_LIST, // where a comma may stand
    LEVEL_EITHER,
    LEVEL_BOTH,
    LEVEL_ONE
} level;

static void tell(run_wording* w, const model_world* m, const model_condition* c, level at);

static void tell_name(run_wording* w, const char* name) {
    const char* quote = dice(w, 8) ? "" : "'";
    space(w);
    put(w, quote);
    put(w, name);
    put(w, quote);
    space(w);
}

static void tell_two(run_wording* w, const model_world* m, const model_condition* c,
                     const char* between, level at) {
    tell(w, m, c->left, at);
    put_spaced(w, between);
    tell(w, m, c->right, at);
}

static void tell_in_parentheses(run_wording* w, const model_world* m, const model_condition* c) {
    put_spaced(w, "(");
    tell(w, m, c, LEVEL_LIST);
    put_spaced(w, ")");
}

static void tell(run_wording* w, const model_world* m, const model_condition* c, level at) {
    level most = c->word == MODEL_EITHER ? LEVEL_EITHER
                 : c->word == MODEL_BOTH ? LEVEL_BOTH
                                         : LEVEL_ONE;
    if (at > most || dice(w, 8) == 0) {
        tell_in_parentheses(w, m, c);
    } else if (c->word == MODEL_IS) {
        tell_name(w, m->types[c->type].name);
    } else if (c->word == MODEL_NOT) {
        put_spaced(w, "!");
        tell(w, m, c->left, LEVEL_ONE);
    } else if (c->word == MODEL_EITHER) {
        tell_two(w, m, c, "|", LEVEL_EITHER);
    } else if (at == LEVEL_LIST && dice(w, 2)) {
        tell_two(w, m, c, ",", LEVEL_LIST);
    } else {
        tell_two(w, m, c, "&", LEVEL_BOTH);
    }
}

// The innermost may be as deep as all that stands before it, but need not.
static uint32_t depth_at_most(const char* text) {
    uint32_t signs = 0;
    for (; *text; text++) signs += strchr("(!,|&", *text) != NULL;
    return signs;
}

// Once in a while so deep that it is too deep, or denied a hundred times over.
static void tell_whole(run_wording* w, const model_world* m, const model_condition* c) {
    uint32_t extra = dice(w, 16) ? 0 : 1 + dice(w, 80), nots = dice(w, 16) ? 0 : 2 * dice(w, 50);
    for (uint32_t i = 0; i < extra; i++) put(w, "(");
    for (uint32_t i = 0; i < nots; i++) put(w, "!");
    tell(w, m, c, nots ? LEVEL_ONE : LEVEL_LIST);
    for (uint32_t i = 0; i < extra; i++) put(w, ")");
    if (extra + nots > DEEPEST) w->faults |= MODEL_FAULT(INVALID);
    if (depth_at_most(w->text) > DEEPEST) w->doubts |= MODEL_FAULT(INVALID);
}

// What is no part of the language might be taken for a part of a name.
static void spoil_front(run_wording* w) {
    static const char front[8] = {'&', '|', ',', ')', '.', '@', '(', '='};
    if (w->length + 1 >= sizeof w->text) return;
    memmove(w->text + 1, w->text, ++w->length);
    w->text[0] = front[dice(w, 8)];
    w->faults |= MODEL_FAULT(INVALID);
    w->doubts |= MODEL_FAULT(MISSING);
}

static void spoil_end(run_wording* w) {
    static const char* const ends[8] = {" &", "|", ", ", ")", " (", "!", " Word", " & 'Word"};
    put(w, ends[dice(w, 8)]);
    w->faults |= MODEL_FAULT(INVALID);
    w->doubts |= MODEL_FAULT(MISSING);
}

static void spoil(run_wording* w) {
    static const char* const unknown[4] = {", Nothing", " & Wor", " | Words", "& !word"};
    switch (dice(w, 3)) {
    case 0:
        spoil_front(w);
        break;
    case 1:
        spoil_end(w);
        break;
    default:
        put(w, unknown[dice(w, 4)]);
        w->faults |= MODEL_FAULT(MISSING);
    }
}

const model_condition* run_word_condition(run_wording* w, const model_world* m, bool wrong,
                                          run_choose_fn* choose, void* user) {
    if (dice(w, 16) == 0) {
        space(w);
        return NULL;
    }
    const model_condition* c = grow(w, 1 + dice(w, 5), choose, user);
    tell_whole(w, m, c);
    if (wrong) spoil(w);
    return c;
}
