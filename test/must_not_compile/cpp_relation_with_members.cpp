// What a relation carries is a value of each single relation, and not a member of the link.
// all: a relation derives from ilk_link, and has no members
#include "snippet.hpp"

struct Since {
    int day;
};
#ifdef CORRECT
struct Owns : ilk_link {
    using value = Since;
};
#else
struct Owns : ilk_link {
    int day;
};
#endif
ILK_CPP_COMPONENT(Since);
ILK_CPP_RELATION(Owns);

void snippet(ilk_world* world, ilk_entity e) {
    ilk::relate<Owns>(world, e, e);
}
