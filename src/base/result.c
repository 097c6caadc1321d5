#include <ilk/base.h>

const char* ilk_result_name(ilk_result result) {
    switch (result) {
#define NAME(name, number, sentence)                                                               \
    case ILK_##name:                                                                               \
        return "ILK_" #name;
        ILK_RESULTS(NAME)
#undef NAME
    }
    return "unknown";
}

const char* ilk_result_text(ilk_result result) {
    switch (result) {
#define TEXT(name, number, sentence)                                                               \
    case ILK_##name:                                                                               \
        return sentence;
        ILK_RESULTS(TEXT)
#undef TEXT
    }
    return "unknown";
}
