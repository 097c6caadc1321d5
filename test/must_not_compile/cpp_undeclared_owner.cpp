// A type that owns something is said to be bytes.
// all: this type cannot be copied byte by byte
#include "snippet.hpp"

struct Name {
    ilk::boxed<std::string> text;
};
#ifdef CORRECT
ILK_CPP_OWNING(Name);
#else
ILK_CPP_COMPONENT(Name);
#endif

void snippet(ilk_world* world, ilk_entity e) {
    ilk::ensure<Name>(world, e);
}
