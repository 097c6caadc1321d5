// The functions of Windows, if this is one, without the everyday words that its header defines as
// macros.
#ifndef ILKI_WINDOWS_WORDS_H
#define ILKI_WINDOWS_WORDS_H

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#include <windows.h>

#undef TEXT
#undef far
#undef near

#endif

#endif
