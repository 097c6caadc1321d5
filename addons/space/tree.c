// Trees: halves of halves, along the longest side, with leaves of a few. A node knows a box in
// which all that is below it lies; it grows with what comes, and shrinks when the tree is built
// anew.
#include <math.h>
#include <string.h>

#include "space.h"

#define LEAF 3u  // the axis of one
#define FULL 16u // entities of a leaf, before it is split
#define EASY 40u // so deep is a tree that is as it should be

static bool ready_nodes(ilk_space* space, uint32_t count) {
    ilks_tree* tree = &space->tree;
    return ilks_grow(&space->memory, &tree->nodes, &tree->capacity, tree->count + count,
                     sizeof *tree->nodes);
}

static ilks_node empty_leaf(uint32_t depth) {
    ilks_node leaf = {.split = FULL, .axis = LEAF, .left = ILKS_NONE, .right = depth};
    for (uint32_t i = 0; i < 3; i++) {
        leaf.box[i] = 1e308;
        leaf.box[3 + i] = -1e308;
    }
    return leaf;
}

// Whether it was not wide enough.
static bool widen(const ilks_store* store, ilks_node* node, const double* numbers) {
    const double* high = store->numbers > store->dims ? numbers + store->dims : numbers;
    bool is_wider = false;
    for (uint32_t i = 0; i < store->dims; i++) {
        is_wider |= numbers[i] < node->box[i] || high[i] > node->box[3 + i];
        if (numbers[i] < node->box[i]) node->box[i] = numbers[i];
        if (high[i] > node->box[3 + i]) node->box[3 + i] = high[i];
    }
    return is_wider;
}

static uint32_t child_for(const ilks_store* store, const ilks_node* node, const double* numbers) {
    return ilks_middle(store, numbers, node->axis) < node->split ? node->left : node->right;
}

static uint32_t leaf_for(const ilk_space* space, const double* numbers) {
    const ilks_tree* tree = &space->tree;
    uint32_t at = 0;
    while (tree->nodes[at].axis != LEAF) at = child_for(&space->store, &tree->nodes[at], numbers);
    return at;
}

// What is above the leaf grows on the way; if it is another leaf, it comes to lie below these, too.
bool ilks_tree_is_same(ilk_space* space, const double* from, const double* to) {
    const ilks_store* store = &space->store;
    ilks_node* node = &space->tree.nodes[0];
    for (;;) {
        bool is_wider = widen(store, node, to);
        if (node->axis == LEAF) {
            space->tree.changes += is_wider;
            return true;
        }
        uint32_t child = child_for(store, node, from);
        if (child != child_for(store, node, to)) return false;
        node = &space->tree.nodes[child];
    }
}

// Splitting

typedef struct middles {
    double low[3], high[3];
} middles;

static void note_middle(const ilks_store* store, middles* all, const double* numbers) {
    for (uint32_t i = 0; i < store->dims; i++) {
        double middle = ilks_middle(store, numbers, i);
        if (middle < all->low[i]) all->low[i] = middle;
        if (middle > all->high[i]) all->high[i] = middle;
    }
}

static const middles no_middles = {{1e308, 1e308, 1e308}, {-1e308, -1e308, -1e308}};

// The axis along which they are spread most; LEAF if all are at one point.
static uint32_t widest(const ilks_store* store, const middles* all) {
    uint32_t axis = LEAF;
    double most = 0;
    for (uint32_t i = 0; i < store->dims; i++) {
        double extent = all->high[i] - all->low[i];
        if (!(extent > most)) continue;
        most = extent;
        axis = i;
    }
    return axis;
}

// A number between two, that is above the first and not above the second.
static double between(double low, double high) {
    double middle = low / 2 + high / 2;
    return middle > low && middle <= high ? middle : high;
}

static void read_entry(const ilks_store* store, const ilks_bucket* bucket, uint32_t at,
                       double* numbers) {
    for (uint32_t i = 0; i < store->numbers; i++) {
        numbers[i] = bucket->numbers[i * ILKS_BUCKET + at];
    }
}

// Splits a leaf in the middle of what is in it, if that is not all at one point. There must be
// memory.
static void split(ilk_space* space, uint32_t at) {
    ilks_tree* tree = &space->tree;
    const ilks_store* store = &space->store;
    ilks_node leaf = tree->nodes[at];
    middles all = no_middles;
    double numbers[6];
    for (uint32_t b = leaf.left; b != ILKS_NONE; b = ilks_bucket_at(store, b)->next) {
        const ilks_bucket* bucket = ilks_bucket_at(store, b);
        for (uint32_t i = 0; i < bucket->count; i++) {
            read_entry(store, bucket, i, numbers);
            note_middle(store, &all, numbers);
        }
    }
    uint32_t axis = widest(store, &all);
    if (axis == LEAF) {
        tree->nodes[at].split = 2.0 * leaf.count; // not looked at again for each who comes
        return;
    }
    uint32_t left = tree->count, right = tree->count + 1;
    tree->nodes[left] = tree->nodes[right] = empty_leaf(leaf.right + 1);
    tree->count += 2;
    tree->nodes[at] = (ilks_node){.axis = axis,
                                  .split = between(all.low[axis], all.high[axis]),
                                  .left = left,
                                  .right = right};
    memcpy(tree->nodes[at].box, leaf.box, sizeof leaf.box);
    tree->is_deep |= leaf.right + 1 >= EASY;
    for (uint32_t chain = leaf.left; chain != ILKS_NONE;) {
        const ilks_bucket* bucket = ilks_bucket_at(store, chain);
        ilk_entity e = bucket->entities[0];
        read_entry(store, bucket, 0, numbers);
        ilks_slot* slot = ilks_slot_at(space, e.index);
        ilks_chain_take(space, &chain, slot->where);
        ilks_node* child = &tree->nodes[child_for(store, &tree->nodes[at], numbers)];
        widen(store, child, numbers);
        slot->where = ilks_chain_add(space, &child->left, e, numbers);
        child->count++;
    }
}

bool ilks_tree_put(ilk_space* space, ilk_entity e, const double* numbers) {
    ilks_tree* tree = &space->tree;
    // (Splitting needs a bucket for each half before those of the whole are free.)
    if (!ready_nodes(space, 3) || !ilks_store_ready(&space->store, &space->memory, 3)) return false;
    if (!tree->count) tree->nodes[tree->count++] = empty_leaf(0);
    uint32_t at = 0;
    for (; tree->nodes[at].axis != LEAF; at = child_for(&space->store, &tree->nodes[at], numbers))
        widen(&space->store, &tree->nodes[at], numbers);
    ilks_node* leaf = &tree->nodes[at];
    widen(&space->store, leaf, numbers);
    ilks_slot_at(space, e.index)->where = ilks_chain_add(space, &leaf->left, e, numbers);
    leaf->count++;
    tree->changes++;
    if (leaf->count > leaf->split && leaf->right + 1 < ILKS_DEEPEST) split(space, at);
    return true;
}

void ilks_tree_take(ilk_space* space, uint32_t index) {
    ilks_tree* tree = &space->tree;
    ilks_slot* slot = ilks_slot_at(space, index);
    double numbers[6];
    ilks_slot_read(space, slot, numbers);
    ilks_node* leaf = &tree->nodes[leaf_for(space, numbers)];
    ilks_chain_take(space, &leaf->left, slot->where);
    leaf->count--;
    tree->changes++;
    slot->where = ILKS_NONE;
}

// Building
//
// Of copies of the middles, which lie side by side, while each half is halved again.

typedef struct middle {
    double at[3];
    uint32_t index;
} middle;

static double lowest_above(const middle* items, uint32_t count, uint32_t axis, double low) {
    double lowest = INFINITY;
    for (uint32_t i = 0; i < count; i++) {
        double value = items[i].at[axis];
        if (value > low && value < lowest) lowest = value;
    }
    return lowest;
}

// The value of a few in the middle: good enough for a half, and never the lowest of all. Where that
// is what many have, these are parted from the others, which would not get fewer otherwise.
static double guess_half(const middle* items, uint32_t count, uint32_t axis, const middles* all) {
    double some[9];
    for (uint32_t i = 0; i < 9; i++) {
        double value = items[(uint64_t)count * i / 9].at[axis];
        uint32_t k = i;
        for (; k > 0 && some[k - 1] > value; k--) some[k] = some[k - 1];
        some[k] = value;
    }
    double low = all->low[axis];
    return some[4] > low ? some[4] : lowest_above(items, count, axis, low);
}

// Those below a value first. How many these are.
static uint32_t part(middle* items, uint32_t count, uint32_t axis, double value) {
    uint32_t low = 0, high = count;
    while (low < high) {
        if (items[low].at[axis] < value) {
            low++;
            continue;
        }
        middle item = items[--high];
        items[high] = items[low];
        items[low] = item;
    }
    return low;
}

static void fill_leaf(ilk_space* space, uint32_t at, const middle* items, uint32_t count) {
    ilks_node* leaf = &space->tree.nodes[at];
    for (uint32_t i = 0; i < count; i++) {
        uint32_t index = items[i].index;
        ilks_slot* slot = ilks_slot_at(space, index);
        ilk_entity e = {index, slot->generation};
        double numbers[6];
        ilks_slot_read(space, slot, numbers);
        widen(&space->store, leaf, numbers);
        slot->where = ilks_chain_add(space, &leaf->left, e, numbers);
    }
    leaf->count = count;
}

static middles spread_of(const ilks_store* store, const middle* items, uint32_t count) {
    middles all = no_middles;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < store->dims; k++) {
            if (items[i].at[k] < all.low[k]) all.low[k] = items[i].at[k];
            if (items[i].at[k] > all.high[k]) all.high[k] = items[i].at[k];
        }
    }
    return all;
}

typedef struct range {
    uint32_t node, from, to;
} range;

// Makes a leaf, or a node whose children are to be made. False without memory.
static bool make_node(ilk_space* space, middle* items, range of, range* waiting, uint32_t* count) {
    ilks_tree* tree = &space->tree;
    middle* first = items + of.from;
    uint32_t all = of.to - of.from, depth = tree->nodes[of.node].right, axis = LEAF;
    middles spread = no_middles;
    if (all > FULL / 2 && depth + 1 < ILKS_DEEPEST) {
        spread = spread_of(&space->store, first, all);
        axis = widest(&space->store, &spread);
    }
    if (axis == LEAF) {
        uint32_t buckets = (all + ILKS_BUCKET - 1) / ILKS_BUCKET;
        if (!ilks_store_ready(&space->store, &space->memory, buckets + 1)) return false;
        fill_leaf(space, of.node, first, all);
        return true;
    }
    if (!ready_nodes(space, 2)) return false;
    double value = guess_half(first, all, axis, &spread);
    uint32_t below = part(first, all, axis, value), left = tree->count;
    ilks_node* node = &tree->nodes[of.node];
    node->axis = axis;
    node->split = value;
    node->left = left;
    node->right = left + 1;
    tree->nodes[left] = tree->nodes[left + 1] = empty_leaf(depth + 1);
    tree->count += 2;
    waiting[(*count)++] = (range){left + 1, of.from + below, of.to};
    waiting[(*count)++] = (range){left, of.from, of.from + below};
    return true;
}

// Nodes come before what is below them.
static void unite_boxes(ilks_tree* tree) {
    for (uint32_t i = tree->count; i-- > 0;) {
        ilks_node* node = &tree->nodes[i];
        if (node->axis == LEAF) continue;
        const double *a = tree->nodes[node->left].box, *b = tree->nodes[node->right].box;
        for (uint32_t k = 0; k < 3; k++) {
            node->box[k] = a[k] < b[k] ? a[k] : b[k];
            node->box[3 + k] = a[3 + k] > b[3 + k] ? a[3 + k] : b[3 + k];
        }
    }
}

static uint32_t copy_middles(const ilk_space* space, middle* items) {
    uint32_t count = 0;
    const ilks_slot* slot;
    for (uint32_t i = 0; (slot = ilks_next_in(space, &i)); i++) {
        middle item = {{0}, i};
        double numbers[6];
        ilks_slot_read(space, slot, numbers);
        for (uint32_t k = 0; k < space->store.dims; k++) {
            item.at[k] = ilks_middle(&space->store, numbers, k);
        }
        items[count++] = item;
    }
    return count;
}

bool ilks_tree_build(ilk_space* space) {
    ilks_tree* tree = &space->tree;
    size_t bytes = ((size_t)space->count + 1) * sizeof(middle);
    middle* items = ilks_alloc(&space->memory, bytes);
    tree->count = tree->changes = 0;
    tree->is_deep = false;
    bool is_made = items && ready_nodes(space, 1);
    if (is_made) {
        range waiting[ILKS_DEEPEST + 2] = {{0, 0, copy_middles(space, items)}};
        uint32_t left = 1;
        tree->nodes[tree->count++] = empty_leaf(0);
        while (left && is_made) {
            range of = waiting[--left];
            is_made = make_node(space, items, of, waiting, &left);
        }
        unite_boxes(tree);
    }
    ilks_free(&space->memory, items, bytes);
    return is_made;
}

// Looking

static bool is_apart(const ilk_space* space, const ilks_visit* visit, const ilks_node* node) {
    double distance = 0;
    for (uint32_t i = 0; i < space->store.dims; i++) {
        if (node->box[3 + i] < visit->low[i] || node->box[i] > visit->high[i]) return true;
        if (!visit->at) continue;
        double below = node->box[i] - visit->at[i], above = visit->at[i] - node->box[3 + i];
        double away = below > above ? below : above;
        if (away > 0) distance += away * away;
    }
    if (visit->at && distance > visit->bound) return true;
    return visit->skips && visit->skips(visit->context, node->box);
}

// The nearer half first.
bool ilks_tree_visit(const ilk_space* space, ilks_visit* visit) {
    const ilks_tree* tree = &space->tree;
    uint32_t waiting[ILKS_DEEPEST + 2], count = 0;
    if (tree->count) waiting[count++] = 0;
    while (count) {
        const ilks_node* node = &tree->nodes[waiting[--count]];
        if (is_apart(space, visit, node)) continue;
        if (node->axis == LEAF) {
            if (!ilks_chain_visit(space, visit, node->left)) return false;
            continue;
        }
        bool is_left = visit->at && visit->at[node->axis] < node->split;
        waiting[count++] = is_left ? node->right : node->left;
        waiting[count++] = is_left ? node->left : node->right;
    }
    return true;
}

void ilks_tree_parts(const ilk_space* space, ilks_part_fn* fn, void* context) {
    for (uint32_t i = 0; i < space->tree.count; i++) {
        const ilks_node* node = &space->tree.nodes[i];
        if (node->axis == LEAF && node->count) fn(context, node->box, node->count);
    }
}
