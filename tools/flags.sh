# The flags of ilk's own builds, for scripts. The same list stands in CMakeLists.txt.
strict_flags='-std=c11 -Wall -Wextra -Wpedantic -Wconversion -Wshadow
    -Wstrict-prototypes -Wmissing-prototypes -Werror'
