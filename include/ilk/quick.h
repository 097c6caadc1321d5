// The verbs that are compiled into the caller, where a call would cost more than the work. Each is
// a macro over an inline function that does what the function of its name does, which is there
// too, for pointers and other languages. In the checked build they are plain calls.
#ifndef ILK_QUICK_H
#define ILK_QUICK_H

#include "entity.h"
#include "inside.h"

#ifndef ILK_CHECKED
#define ilk_alive(...) ilki_alive(__VA_ARGS__)
#define ilk_get(...) ilki_get(__VA_ARGS__)
#define ilk_edit(...) ilki_edit(__VA_ARGS__)
#define ilk_has(...) ilki_has(__VA_ARGS__)
#endif

#endif
