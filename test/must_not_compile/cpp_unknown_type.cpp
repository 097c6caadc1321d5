// A type is used that has no name.
// all: write ILK_CPP_COMPONENT(T) for it
#include "snippet.hpp"

#ifdef CORRECT
ILK_CPP_COMPONENT(Stranger);
#endif

void snippet(ilk_world* world, ilk_entity e) {
    ilk::add(world, e, Stranger{1});
}
