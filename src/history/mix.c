#include "mix.h"

uint64_t ilki_mix_text(uint64_t hash, const char* text) {
    size_t length = strlen(text);
    return ilki_mix_bytes(ilki_mix(hash, length), (const unsigned char*)text, length);
}

void ilki_mixer_put(ilki_mixer* mixer, uint64_t number, uint32_t bytes) {
    uint32_t bits = mixer->bits, width = bytes * 8;
    mixer->word |= number << bits;
    mixer->bits = bits + width;
    if (mixer->bits < 64) return;
    mixer->hash = ilki_mix(mixer->hash, mixer->word);
    mixer->bits -= 64;
    mixer->word = mixer->bits ? number >> (64 - bits) : 0;
}

void ilki_mixer_put_bytes(ilki_mixer* mixer, const unsigned char* bytes, size_t size) {
    size_t at = 0;
    for (; at + 8 <= size; at += 8) ilki_mixer_put(mixer, ilki_word_from(bytes + at), 8);
    if (at == size) return;
    ilki_mixer_put(mixer, ilki_word_from_few(bytes + at, size - at), (uint32_t)(size - at));
}

uint64_t ilki_mixer_end(const ilki_mixer* mixer) {
    return mixer->bits ? ilki_mix(mixer->hash, mixer->word) : mixer->hash;
}
