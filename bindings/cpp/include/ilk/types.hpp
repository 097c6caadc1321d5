// Types of C++ as types of ilk: their names, their layout, and what their values own.
//
// A type has a name, which is its identity: across files, libraries and languages, so that C's
// ILK_COMPONENT(Position) and ILK_CPP_COMPONENT(Position) mean the same type if the layout is the
// same. One of the macros below stands outside of every namespace, once in a header or a source,
// after the type and before it is used, with a semicolon behind it.
#ifndef ILK_TYPES_HPP
#define ILK_TYPES_HPP

#include <ilk/ilk.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

// A type that can be copied byte by byte. An empty one is a tag. In a namespace its name is as it
// is written here, "game::Position"; the second form gives another one.
#define ILK_CPP_COMPONENT(T) ILK_CPP_COMPONENT_NAMED(T, #T)
#define ILK_CPP_COMPONENT_NAMED(T, text)                                                           \
    template <> struct ilk::component<T> : ilk::detail::plain<T> {                                 \
        static constexpr const char* name = text;                                                  \
    }

// A type that owns something: its constructors and destructor become the hooks of the type. With
// this its author says that values may be moved as bytes, as ilk does: so it is with std::vector,
// std::unique_ptr and ilk::boxed, but not with the std::string, std::map, std::set and std::list of
// GCC, which point into themselves; those go into an ilk::boxed. One value is made and examined
// when the program starts: a type that points into itself then is refused by every verb, as
// INVALID.
#define ILK_CPP_OWNING(T) ILK_CPP_OWNING_NAMED(T, #T)
#define ILK_CPP_OWNING_NAMED(T, text)                                                              \
    template <> struct ilk::component<T> : ilk::detail::owning<T> {                                \
        static constexpr const char* name = text;                                                  \
    }

// A type that C code defines as T_type, with its hooks, default and fields.
#define ILK_CPP_DECLARED(T)                                                                        \
    template <> struct ilk::component<T> {                                                         \
        static ilk_type* type() { return &T##_type; }                                              \
    }

// A relation to other entities. T is a struct of the program that derives from ilk_link and has no
// members; what each single relation carries is named in it, if it carries something.
//
//     struct Owns : ilk_link { using value = Since; };
//     ILK_CPP_RELATION(Owns);
//     ilk::relation<Owns>()->at_end = ILK_END_SOURCE; // before it is used for the first time
#define ILK_CPP_RELATION(T) ILK_CPP_RELATION_NAMED(T, #T)
#define ILK_CPP_RELATION_NAMED(T, text)                                                            \
    template <> struct ilk::component<T> : ilk::detail::relating<T> {                              \
        static constexpr const char* name = text;                                                  \
    }

// A field of a type, for a list that ends with {} and goes to ilk::type<T>()->fields.
#define ILK_CPP_FIELD(T, member)                                                                   \
    ilk_field {                                                                                    \
        #member, ilk::kind_of<decltype(T::member)>(), offsetof(T, member), sizeof(T::member)       \
    }

namespace ilk {

template <class T> struct component {
    static_assert(sizeof(T) == 0, "ilk does not know this type: write ILK_CPP_COMPONENT(T) for it");
    static ilk_type* type();
};

// The type of T, const or not. Its further members are set before it is used for the first time:
// ilk::type<Position>()->track = true.
template <class T> constexpr ilk_type* type() { return component<std::remove_const_t<T>>::type(); }

// The kind of a field of the type M or, for an array, of its elements.
template <class M> constexpr ilk_kind kind_of() {
    using T = std::remove_cv_t<std::remove_extent_t<M>>;
    if constexpr (std::is_enum_v<T>) return kind_of<std::underlying_type_t<T>>();
    if constexpr (std::is_same_v<T, bool>) return ILK_KIND_BOOL;
    if constexpr (std::is_same_v<T, char>) return ILK_KIND_CHAR;
    if constexpr (std::is_same_v<T, float>) return ILK_KIND_F32;
    if constexpr (std::is_same_v<T, double>) return ILK_KIND_F64;
    if constexpr (std::is_same_v<T, ilk_entity>) return ILK_KIND_ENTITY;
    if constexpr (std::is_pointer_v<T>) return ILK_KIND_POINTER;
    if constexpr (!std::is_integral_v<T> || sizeof(T) > 8) return ILK_KIND_BYTES;
    constexpr bool is_signed = std::is_signed_v<T>;
    if constexpr (sizeof(T) == 1) return is_signed ? ILK_KIND_I8 : ILK_KIND_U8;
    if constexpr (sizeof(T) == 2) return is_signed ? ILK_KIND_I16 : ILK_KIND_U16;
    if constexpr (sizeof(T) == 4) return is_signed ? ILK_KIND_I32 : ILK_KIND_U32;
    return is_signed ? ILK_KIND_I64 : ILK_KIND_U64;
}

// A value that lives by itself, in memory of its own, and is copied with what holds it: for what
// points into itself. It is made of whatever becomes a T by itself: boxed<std::string> name =
// "Ada". Empty only after it was moved from: there is then no T, * and -> must not be used, and it
// may be given a value, copied, and end.
template <class T> class boxed {
    template <class From> using from_value =
        std::enable_if_t<std::conjunction_v<std::negation<std::is_same<std::decay_t<From>, boxed>>,
                                            std::is_convertible<From, T>>>;

  public:
    boxed() : value(new T()) {}
    template <class From = T, class = from_value<From>> boxed(From&& from)
        : value(new T(std::forward<From>(from))) {}
    boxed(const boxed& other) : value(other.value ? new T(*other.value) : nullptr) {}
    boxed(boxed&& other) noexcept = default;
    boxed& operator=(boxed other) noexcept {
        value.swap(other.value);
        return *this;
    }
    T& operator*() const { return *value; }
    T* operator->() const { return value.get(); }

  private:
    std::unique_ptr<T> value;
};

// The kind of a relation, whose members are set before it is used for the first time.
template <class T> ilk_relation* relation() { return &component<T>::kind; }

// A relation to an entity, as a value: ilk::spawn(world, ilk::to<Owns>(e)), ilk::add, ilk::set.
template <class T> T to(ilk_entity target) {
    T link{};
    link.target = target;
    return link;
}

// The hierarchy, which is a relation of ilk's own: ilk::to<ilk::child_of>(parent).
struct child_of : ilk_link {};

namespace detail {

template <class T> inline const T default_value{};

template <class T> constexpr ilk_type type_of(const char* name) {
    ilk_type made{};
    made.name = name;
    made.size = std::is_empty_v<T> ? 0 : sizeof(T);
    made.align = alignof(T);
    return made;
}

template <class T> constexpr ilk_type plain_type() {
    static_assert(std::is_trivially_copyable_v<T>,
                  "this type cannot be copied byte by byte: see ILK_CPP_OWNING");
    ilk_type made = type_of<T>(component<T>::name);
    constexpr bool has_default =
        std::is_default_constructible_v<T> && !std::is_trivially_default_constructible_v<T>;
    if constexpr (has_default && !std::is_empty_v<T>) made.default_value = &default_value<T>;
    return made;
}

// An exception that leaves one of these ends the program.
template <class T> void init(void* value, void*) noexcept { new (value) T(); }
template <class T> void copy(void* to, const void* from, void*) noexcept {
    new (to) T(*static_cast<const T*>(from));
}
template <class T> void drop(void* value, void*) noexcept { static_cast<T*>(value)->~T(); }

template <class T> constexpr ilk_type owning_type() {
    static_assert(std::is_default_constructible_v<T> && std::is_move_constructible_v<T>,
                  "an owning type has a default constructor, and can be moved");
    ilk_type made = type_of<T>(component<T>::name);
    made.hooks.init = init<T>;
    made.hooks.drop = drop<T>;
    if constexpr (std::is_copy_constructible_v<T>) made.hooks.copy = copy<T>;
    return made;
}

// Whether a value points into itself when it is made.
template <class T> bool is_about_itself() {
    alignas(T) static unsigned char room[sizeof(T)]; // zero, where the constructor writes nothing
    unsigned char* volatile hidden = room;           // so that compilers take it for used
    unsigned char* at = hidden;
    T* value = new (at) T();
    bool found = false;
    for (std::size_t i = 0; i + sizeof(std::uintptr_t) <= sizeof(T); i += alignof(void*)) {
        std::uintptr_t word;
        std::memcpy(&word, at + i, sizeof word);
        found = found || word - reinterpret_cast<std::uintptr_t>(at) < sizeof(T);
    }
    value->~T();
    return found;
}

// Makes a type unsound if its values cannot be moved as bytes.
template <class T> bool examine(ilk_type* type) {
    if (!is_about_itself<T>()) return true;
    type->unsound =
        "it points into itself, and ilk moves values as bytes: ilk::boxed<T> keeps what "
        "does so in a place of its own";
    return false;
}

// What each single relation carries, or NULL.
template <class T, class = void> struct carried {
    static constexpr ilk_type* type() { return nullptr; }
};
template <class T> struct carried<T, std::void_t<typename T::value>> {
    static constexpr ilk_type* type() { return ilk::type<typename T::value>(); }
};

template <class T> constexpr ilk_relation kind_of_relation() {
    static_assert(
        std::is_base_of_v<ilk_link, T> && sizeof(T) == sizeof(ilk_link),
        "a relation derives from ilk_link, and has no members: struct Owns : ilk_link {};");
    ilk_relation made{};
    made.value = carried<T>::type();
    return made;
}

template <class T> constexpr ilk_type relation_type(const ilk_relation* kind) {
    ilk_type made = plain_type<T>();
    made.relation = kind;
    return made;
}

// (All of this is there before the program's own code runs, if compilers see through it:
// constexpr.)
template <class T> struct relating {
    static constexpr ilk_type* type() { return &variable; }
    static inline ilk_relation kind = kind_of_relation<T>();
    static inline ilk_type variable = relation_type<T>(&kind);
};

template <class T> struct plain {
    static constexpr ilk_type* type() { return &variable; }
    static inline ilk_type variable = plain_type<T>();
};

template <class T> struct owning {
    static constexpr ilk_type* type() {
        (void)&is_sound;
        return &variable;
    }
    static inline ilk_type variable = owning_type<T>();
    static inline const bool is_sound = examine<T>(&variable);
};

} // namespace detail
} // namespace ilk

template <> struct ilk::component<ilk::child_of> {
    static ilk_type* type() { return &ilk_child_of_type; }
};
ILK_CPP_DECLARED(ilk_entity_spawned);
ILK_CPP_DECLARED(ilk_entity_destroyed);
ILK_CPP_DECLARED(ilk_component_added);
ILK_CPP_DECLARED(ilk_component_removed);

#endif
