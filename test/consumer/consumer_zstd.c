// The smallest program that uses the installed addon zstd.
#include <ilk/zstd.h>

#include <stdio.h>
#include <string.h>

int main(void) {
    static const char zeros[1000];
    ilk_packer* packer = ilk_packer_create(NULL);
    ilk_bytes small, whole;
    bool right = ilk_pack(packer, zeros, sizeof(zeros), &small) == ILK_OK && small.size < 100;
    char packed[100];
    if (right) memcpy(packed, small.bytes, small.size);
    right = right && ilk_unpack(packer, packed, small.size, &whole) == ILK_OK &&
            whole.size == sizeof(zeros) && memcmp(whole.bytes, zeros, sizeof(zeros)) == 0;
    ilk_packer_destroy(packer);
    puts(right ? "packed and unpacked" : "not the bytes that were packed");
    return right ? 0 : 1;
}
