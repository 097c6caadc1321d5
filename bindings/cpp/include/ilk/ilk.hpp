// ilk for C++17: the C interface with the types of C++, and nothing in between.
//
//     struct Position { float x, y; };
//     struct Velocity { float x, y; };
//     ILK_CPP_COMPONENT(Position);
//     ILK_CPP_COMPONENT(Velocity);
//
//     ilk::world world;
//     ilk_entity stone = ilk::spawn(world, Position{0, 10.8f}, Velocity{0, -9.8f});
//     ilk::query<Position, const Velocity> moving(world);
//     moving.each([](Position& p, const Velocity& v) { p.y += v.y; });
//
// Handles are those of C (ilk_world*, ilk_entity, ilk_query*), results are ilk_result, and whatever
// has no form of its own here is called as in C, with ilk::type<Position>() where C says
// &Position_type. What the headers of C say of a verb holds for the one of that name here. Nothing
// here throws, allocates (but for ilk::boxed) or needs exceptions or run-time types.
#ifndef ILK_HPP
#define ILK_HPP

#include "types.hpp"

// Compiled into the caller, in which compilers then see what a lambda captures. (They need not be
// told of the rest.)
#define ILK_CPP_INLINE [[gnu::always_inline]] inline

namespace ilk {

// ---- Worlds, and what a world owns.

namespace detail {

// The place of the call that follows, for the checked build.
inline void note_place(const char* file, int line) {
#ifdef ILK_CHECKED
    (ilk_here)(file, line);
#else
    (void)file, (void)line;
#endif
}

} // namespace detail

// A world, which ends with this. It can be moved, and used wherever C takes an ilk_world*.
class world {
  public:
    explicit world(const ilk_world_desc& desc = {}, const char* file = __builtin_FILE(),
                   int line = __builtin_LINE()) {
        detail::note_place(file, line);
        handle = (ilk_world_create)(&desc);
    }
    explicit world(ilk_world* made) : handle(made) {} // takes over one that is there
    world(world&& other) noexcept : handle(other.release()) {}
    world& operator=(world&& other) noexcept {
        std::swap(handle, other.handle);
        return *this;
    }
    ~world() { (ilk_world_destroy)(handle); }
    operator ilk_world*() const { return handle; }
    ilk_world* release() { return std::exchange(handle, nullptr); }

  private:
    ilk_world* handle;
};

namespace detail {

// A world as an argument, which brings along where the caller stands.
template <class World> struct argument {
    argument(World* given, const char* file = __builtin_FILE(), int line = __builtin_LINE())
        : handle(given) {
        note_place(file, line);
    }
    argument(const world& given, const char* file = __builtin_FILE(), int line = __builtin_LINE())
        : argument(static_cast<ilk_world*>(given), file, line) {}
    World* handle;
};
using caller = argument<ilk_world>;
using onlooker = argument<const ilk_world>;

// A value on its way into a world, to which it belongs once it is `taken`.
template <class T> struct held {
    explicit held(T& from) : value(std::move(from)) {}
    held(const held&) = delete;
    ~held() {
        if (!taken) value.~T();
    }
    operator ilk_value() { return {ilk::type<T>(), std::is_empty_v<T> ? nullptr : &value}; }
    union {
        T value;
    };
    bool taken = false;
};

// Relations, and types made at run time: of what C calls a value, the caller is in charge.
template <> struct held<ilk_value> {
    explicit held(ilk_value& from) : value(from) {}
    operator ilk_value() { return value; }
    ilk_value value;
    bool taken = false;
};

// What a world or a buffer of commands did with one value. An event that was cancelled is dropped.
template <class T, class Verb> ilk_result give(T& from, Verb verb) {
    held<T> given(from);
    const ilk_result result = verb(static_cast<ilk_value>(given));
    given.taken = result == ILK_OK || result == ILK_CANCELLED;
    return result;
}

// Whether the values belong to the world: also if an observer destroyed the entity at once, which
// is DEAD, and about no type.
inline bool has_taken(ilk_world* world, ilk_entity made) {
    if (!ilk_is_null(made)) return true;
    const ilk_message error = ilk_error(world);
    return error.result == ILK_DEAD && !error.type;
}

template <class... T> ilk_entity spawn(ilk_world* world, held<T>&&... given) {
    const ilk_value values[] = {given..., ilk_value{}};
    const ilk_entity made = (ilk_spawn)(world, values, sizeof...(T));
    [[maybe_unused]] const bool is_taken = has_taken(world, made);
    (void)(..., (given.taken = is_taken));
    return made;
}

template <class... T> ilk_entity spawn(ilk_cmd* cmd, held<T>&&... given) {
    const ilk_value values[] = {given..., ilk_value{}};
    const ilk_entity made = (ilk_cmd_spawn)(cmd, values, sizeof...(T));
    (void)(..., (given.taken = !ilk_is_null(made)));
    return made;
}

#ifdef ILK_CHECKED
#define ILK_CPP_QUICK(verb) (ilk_##verb)
#else
#define ILK_CPP_QUICK(verb) ilki_##verb
#endif

} // namespace detail

// What belongs to a world, or to a snapshot that is open, and is given back by this unless that
// went first.
template <class Handle, auto give_back> class owned {
  public:
    owned(owned&& other) noexcept
        : in(other.in), world_id(other.world_id), handle(std::exchange(other.handle, nullptr)) {}
    owned& operator=(owned&& other) noexcept {
        std::swap(in, other.in);
        std::swap(world_id, other.world_id);
        std::swap(handle, other.handle);
        return *this;
    }
    ~owned() {
        if (handle && ilk_world_by_id(world_id)) give_back(handle);
    }
    operator Handle*() const { return handle; }

  protected:
    owned(ilk_world* world, Handle* made)
        : in(world), world_id(ilk_world_id(world)), handle(made) {}
    ilk_world* in;

  private:
    uint32_t world_id;
    Handle* handle;
};

// A buffer of commands of one's own. (A system has it.cmd.)
class commands : public owned<ilk_cmd, ilk_cmd_give_back> {
  public:
    explicit commands(detail::caller w) : owned(w.handle, (ilk_cmd_take)(w.handle)) {}
};

// ---- Verbs: on a world, and recorded into a buffer of commands. Values are moved in, and dropped
// if the call fails. (A large one that stays is given by the C verb, with ilk::value_at.)

// A value of a type that owns nothing, for the verbs of C. `value` must outlive the call.
template <class T> ilk_value value_at(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>, "it would belong to the world, and be copied");
    return {type<T>(), &value};
}

template <class T> ILK_CPP_INLINE const T* get(detail::onlooker w, ilk_entity e) {
    return static_cast<const T*>(ILK_CPP_QUICK(get)(w.handle, e, type<T>(), nullptr));
}
template <class T> ILK_CPP_INLINE T* edit(detail::caller w, ilk_entity e) {
    return static_cast<T*>(ILK_CPP_QUICK(edit)(w.handle, e, type<T>()));
}
template <class T> ILK_CPP_INLINE bool has(detail::onlooker w, ilk_entity e) {
    return ILK_CPP_QUICK(has)(w.handle, e, type<T>());
}
#undef ILK_CPP_QUICK

// An entity with these components; an ilk_value among them is taken as it is.
template <class... T> ilk_entity spawn(detail::caller w, T... values) {
    return detail::spawn(w.handle, detail::held<T>(values)...);
}
template <class... T> ilk_entity spawn(ilk_cmd* cmd, T... values) {
    return detail::spawn(cmd, detail::held<T>(values)...);
}

// Each verb of C that moves a value in, for the world and for commands.
#define ILK_CPP_GIVE(verb)                                                                         \
    template <class T> ilk_result verb(detail::caller w, ilk_entity e, T value) {                  \
        return detail::give(value, [&](ilk_value v) { return (ilk_##verb)(w.handle, e, v); });     \
    }                                                                                              \
    template <class T> ilk_result verb(ilk_cmd* cmd, ilk_entity e, T value) {                      \
        return detail::give(value, [&](ilk_value v) { return (ilk_cmd_##verb)(cmd, e, v); });      \
    }
ILK_CPP_GIVE(add)
ILK_CPP_GIVE(set)
ILK_CPP_GIVE(replace)
ILK_CPP_GIVE(emit_to)
#undef ILK_CPP_GIVE

#define ILK_CPP_GIVE_WORLD(verb)                                                                   \
    template <class T> ilk_result verb(detail::caller w, T value) {                                \
        return detail::give(value, [&](ilk_value v) { return (ilk_##verb)(w.handle, v); });        \
    }                                                                                              \
    template <class T> ilk_result verb(ilk_cmd* cmd, T value) {                                    \
        return detail::give(value, [&](ilk_value v) { return (ilk_cmd_##verb)(cmd, v); });         \
    }
ILK_CPP_GIVE_WORLD(emit)
ILK_CPP_GIVE_WORLD(resource_set)
#undef ILK_CPP_GIVE_WORLD

template <class T> T* ensure(detail::caller w, ilk_entity e) {
    return static_cast<T*>((ilk_ensure)(w.handle, e, type<T>()));
}
template <class T> T* ensure(ilk_cmd* cmd, ilk_entity e) {
    return static_cast<T*>((ilk_cmd_ensure)(cmd, e, type<T>()));
}
template <class T> ilk_result remove(detail::caller w, ilk_entity e) {
    return (ilk_remove)(w.handle, e, type<T>());
}
template <class T> ilk_result remove(ilk_cmd* cmd, ilk_entity e) {
    return (ilk_cmd_remove)(cmd, e, type<T>());
}

// ---- Relations. A value that a relation carries is moved in as any other.

template <class T> ilk_result relate(detail::caller w, ilk_entity source, ilk_entity target) {
    return (ilk_relate)(w.handle, source, type<T>(), target);
}
template <class T> ilk_result relate(ilk_cmd* cmd, ilk_entity source, ilk_entity target) {
    return (ilk_cmd_relate)(cmd, source, type<T>(), target);
}
#define ILK_CPP_CARRY(verb, c_verb)                                                                \
    template <class T> ilk_result verb(detail::caller w, ilk_entity source, ilk_entity target,     \
                                       typename T::value value) {                                  \
        return detail::give(value, [&](ilk_value v) {                                              \
            return (ilk_##c_verb)(w.handle, source, type<T>(), target, v.bytes);                   \
        });                                                                                        \
    }                                                                                              \
    template <class T>                                                                             \
    ilk_result verb(ilk_cmd* cmd, ilk_entity source, ilk_entity target, typename T::value value) { \
        return detail::give(value, [&](ilk_value v) {                                              \
            return (ilk_cmd_##c_verb)(cmd, source, type<T>(), target, v.bytes);                    \
        });                                                                                        \
    }
ILK_CPP_CARRY(relate, relate_value)
ILK_CPP_CARRY(relation_set, relation_set)
#undef ILK_CPP_CARRY

template <class T> ilk_result unrelate(detail::caller w, ilk_entity source, ilk_entity target) {
    return (ilk_unrelate)(w.handle, source, type<T>(), target);
}
template <class T> ilk_result unrelate(ilk_cmd* cmd, ilk_entity source, ilk_entity target) {
    return (ilk_cmd_unrelate)(cmd, source, type<T>(), target);
}
template <class T> bool related(detail::onlooker w, ilk_entity source, ilk_entity target) {
    return (ilk_related)(w.handle, source, type<T>(), target);
}
template <class T> ilk_entity target(detail::onlooker w, ilk_entity source) {
    return (ilk_target)(w.handle, source, type<T>());
}
template <class T>
const typename T::value* relation_get(detail::onlooker w, ilk_entity source, ilk_entity target) {
    return static_cast<const typename T::value*>(
        (ilk_relation_get)(w.handle, source, type<T>(), target));
}
template <class T>
typename T::value* relation_edit(detail::caller w, ilk_entity source, ilk_entity target) {
    return static_cast<typename T::value*>(
        (ilk_relation_edit)(w.handle, source, type<T>(), target));
}

// ---- Resources.

template <class T> const T* resource_get(detail::onlooker w) {
    return static_cast<const T*>((ilk_resource_get)(w.handle, type<T>()));
}
template <class T> T* resource_edit(detail::caller w) {
    return static_cast<T*>((ilk_resource_edit)(w.handle, type<T>()));
}
template <class T> T* resource_ensure(detail::caller w) {
    return static_cast<T*>((ilk_resource_ensure)(w.handle, type<T>()));
}
template <class T> ilk_result resource_remove(detail::caller w) {
    return (ilk_resource_remove)(w.handle, type<T>());
}
template <class T> ilk_result resource_remove(ilk_cmd* cmd) {
    return (ilk_cmd_resource_remove)(cmd, type<T>());
}

// Many entities at once, whose columns are then filled: while (ilk_batch_next(&batch)) … fill.
template <class... T> ilk_result spawn_many(detail::caller w, ilk_batch* batch, uint32_t count) {
    ilk_type* const types[] = {type<T>()...};
    return (ilk_spawn_many)(w.handle, batch, count, types, sizeof...(T));
}
template <class T> T* fill(const ilk_batch& batch) {
    return static_cast<T*>(ilk_batch_fill(&batch, type<T>()));
}

// ---- Blueprints, whose other verbs are those of C.

#define ILK_CPP_GIVE_BLUEPRINT(verb)                                                               \
    template <class T> ilk_result blueprint_##verb(ilk_blueprint* blueprint, T value) {            \
        return detail::give(value,                                                                 \
                            [&](ilk_value v) { return (ilk_blueprint_##verb)(blueprint, v); });    \
    }
ILK_CPP_GIVE_BLUEPRINT(add)
ILK_CPP_GIVE_BLUEPRINT(set)
ILK_CPP_GIVE_BLUEPRINT(replace)
#undef ILK_CPP_GIVE_BLUEPRINT

// ---- Queries. What a query asks: T is there and written, const T is there and read, and:

template <class T> struct maybe {}; // there or not; a const T*, which is null if not
template <class... T> struct with {};
template <class... T> struct without {};
template <class... T> struct any {};     // at least one of all that are listed so
template <class... T> struct changed {}; // at least one of all that are listed so; as added
template <class... T> struct added {};

namespace detail {

template <class... T> struct list {};
template <class... A, class... B> list<A..., B...> operator+(list<A...>, list<B...>);

// What a term adds to a query, and the column that it gives to functions.
template <class T> struct term {
    using columns = list<term>;
    using item = T&;
    static constexpr bool reads = std::is_const_v<T>;
    static_assert(!std::is_empty_v<T>, "a tag has no values: ask for it with ilk::with");
    static constexpr std::size_t count = 1;
    static void put(ilk_term* to) { *to = {reads ? ILK_ACCESS_READ : ILK_ACCESS_WRITE, type<T>()}; }
    static T* column(ilk_iter* it) {
        if constexpr (reads)
            return static_cast<T*>((ilk_column_read)(it, type<T>()));
        else
            return static_cast<T*>((ilk_column_write)(it, type<T>()));
    }
    static T& at(T* column, uint32_t row) { return column[row]; }
};

template <class T> struct term<maybe<T>> {
    using columns = list<term>;
    using item = const T*;
    static constexpr std::size_t count = 1;
    static void put(ilk_term* to) { *to = {ILK_ACCESS_MAYBE, type<T>()}; }
    static const T* column(ilk_iter* it) {
        return static_cast<const T*>((ilk_column_maybe)(it, type<T>()));
    }
    static const T* at(const T* column, uint32_t row) { return column ? column + row : nullptr; }
};

template <ilk_access access, class... T> struct filter {
    using columns = list<>;
    static constexpr std::size_t count = sizeof...(T);
    static void put(ilk_term* to) { (void)(..., (*to++ = {access, type<T>()})); }
};
template <class... T> struct term<with<T...>> : filter<ILK_ACCESS_WITH, T...> {};
template <class... T> struct term<without<T...>> : filter<ILK_ACCESS_WITHOUT, T...> {};
template <class... T> struct term<any<T...>> : filter<ILK_ACCESS_ANY, T...> {};
template <class... T> struct term<changed<T...>> : filter<ILK_ACCESS_CHANGED, T...> {};
template <class... T> struct term<added<T...>> : filter<ILK_ACCESS_ADDED, T...> {};

// The terms of a description: those of the program, ended as C wants it.
template <class... Terms> struct terms {
    terms() : all{} {
        [[maybe_unused]] ilk_term* next = all;
        (void)(..., (term<Terms>::put(next), next += term<Terms>::count));
    }
    ilk_term all[(term<Terms>::count + ... + 1)];
};

template <class F> constexpr bool wrong_function = false;

// Calls a function for the columns of a run, or for each of its rows.
template <class Columns> struct walk;
template <class... Term> struct walk<list<Term...>> {
    template <class F> ILK_CPP_INLINE static void run(ilk_iter& it, F& f) {
        f(it, Term::column(&it)..., it.count);
    }
    template <class F> ILK_CPP_INLINE static void each(ilk_iter& it, F& f) {
        rows(it, f, Term::column(&it)...);
    }

  private:
    template <class F, class... Column>
    ILK_CPP_INLINE static void rows(ilk_iter& it, F& f, Column... column) {
        [[maybe_unused]] const ilk_entity* entities = it.entities;
        const uint32_t count = it.count;
        for (uint32_t i = 0; i < count; i++) {
            if constexpr (std::is_invocable_v<F&, ilk_iter&, ilk_entity, typename Term::item...>)
                f(it, entities[i], Term::at(column, i)...);
            else if constexpr (std::is_invocable_v<F&, ilk_entity, typename Term::item...>)
                f(entities[i], Term::at(column, i)...);
            else if constexpr (std::is_invocable_v<F&, typename Term::item...>)
                f(Term::at(column, i)...);
            else
                static_assert(
                    wrong_function<F>,
                    "a function of each takes a T& for each T, a const T& for each const T and a "
                    "const T* for each ilk::maybe<T> that the query asks for, in its order; "
                    "before them it may take an ilk_entity, and before that an ilk_iter&");
        }
    }
};
template <class... Terms> using walk_of =
    walk<decltype((list<>{} + ... + typename term<Terms>::columns{}))>;

} // namespace detail

// The column of the run that an iterator stands at: column<Position>(it) for writing,
// column<const Velocity>(it) for reading, column<ilk::maybe<Health>>(it), which may be null.
template <class Term> auto column(ilk_iter& it) { return detail::term<Term>::column(&it); }

// A query. Whatever else a description says (.where, .relates, .order_by, further lists) can be
// given with it; its .terms are those of the template.
template <class... Terms> class query : public owned<ilk_query, ilk_query_destroy> {
  public:
    explicit query(detail::caller w, const ilk_query_desc& more = {})
        : owned(w.handle, create(w.handle, more)) {}

    // f([[ilk_iter& it,] ilk_entity e,] items…) for each entity: Position&, const Velocity& and,
    // for maybe, const Health*. Returns OK or why the loop ended before its end. A run is what
    // matched when it was handed out: a function that destroys others than e, or takes something
    // from them, records that into ilk::commands, or is called by ilk_each.
    template <class F> ILK_CPP_INLINE ilk_result each(F&& f, const char* file = __builtin_FILE(),
                                                      int line = __builtin_LINE()) const {
        ilk_iter it = iter(file, line);
        while ((ilk_next)(&it)) detail::walk_of<Terms...>::each(it, f);
        return it.result;
    }

    // f(ilk_iter& it, columns…, uint32_t count) for each run: Position*, const Velocity*.
    template <class F> ILK_CPP_INLINE ilk_result run(F&& f, const char* file = __builtin_FILE(),
                                                     int line = __builtin_LINE()) const {
        ilk_iter it = iter(file, line);
        while ((ilk_next)(&it)) detail::walk_of<Terms...>::run(it, f);
        return it.result;
    }

    // For loops of one's own, with ilk_next and ilk::column.
    ilk_iter iter(const char* file = __builtin_FILE(), int line = __builtin_LINE()) const {
        detail::note_place(file, line);
        return (ilk_query_iter)(this->in, *this);
    }

  private:
    static ilk_query* create(ilk_world* world, ilk_query_desc desc) {
        const detail::terms<Terms...> own;
        desc.terms = own.all;
        return (ilk_query_create)(world, &desc);
    }
};

// ---- Functions that the world calls.

namespace detail {

// The function behind a lambda without captures, which is empty, so that any byte is one; or behind
// a pointer to an object, which must outlive its use. An exception that leaves it ends the program.
template <class F> struct function {
    static_assert(std::is_empty_v<F> && std::is_trivially_copyable_v<F>,
                  "a lambda that captures would have to be kept somewhere: keep it, and give a "
                  "pointer to it");
    static void* user(const F&, void* given) { return given; }
    static F& of(void*) {
        alignas(F) static unsigned char room[sizeof(F)];
        return *std::launder(reinterpret_cast<F*>(room));
    }
};
template <class F> struct function<F*> {
    static void* user(F* f, void*) { return f; }
    static F& of(void* user) { return *static_cast<F*>(user); }
};

} // namespace detail

// The description of a system, to be filled in as in C, and made by one of the two verbs. It asks
// for what the template says, as a query does.
//
//     ilk::system<Position, const Velocity> move("move");
//     move.is_parallel = true;
//     move.each(world, [](ilk_iter& it, ilk_entity, Position& p, const Velocity& v) { … });
//
// A function is a lambda without captures or a pointer to an object with an operator(), which is
// then it.user. NULL, and the result in ilk_error, if the system cannot be made.
template <class... Terms> struct system : ilk_system_desc {
    explicit system(const char* called) : ilk_system_desc{} { name = called; }

    // For each entity, as ilk::query::each.
    template <class F> ilk_system* each(detail::caller w, F f) const {
        return create(w.handle, f, [](ilk_iter* it) noexcept {
            auto& call = detail::function<F>::of(it->user);
            while ((ilk_next)(it)) detail::walk_of<Terms...>::each(*it, call);
        });
    }

    // For each run, as ilk::query::run; or f(ilk_iter& it), once, for a loop of its own.
    template <class F> ilk_system* run(detail::caller w, F f) const {
        return create(w.handle, f, [](ilk_iter* it) noexcept {
            auto& call = detail::function<F>::of(it->user);
            if constexpr (std::is_invocable_v<decltype(call), ilk_iter&>)
                call(*it);
            else
                while ((ilk_next)(it)) detail::walk_of<Terms...>::run(*it, call);
        });
    }

  private:
    template <class F> ilk_system* create(ilk_world* world, F f, ilk_system_fn* called) const {
        const detail::terms<Terms...> own;
        ilk_system_desc desc = *this;
        desc.user = detail::function<F>::user(f, user);
        desc.run = called;
        if (sizeof...(Terms) > 0) desc.query.terms = own.all;
        return (ilk_system_create)(world, &desc);
    }
};

// The description of an observer of T: observer<Name>(ILK_ON_ADD).run(world, f), with the functions
// that a system takes, called as f(ilk_notice&, const T*) and returning nothing or an ilk_result.
template <class T> struct observer : ilk_observer_desc {
    explicit observer(uint32_t happening) : ilk_observer_desc{} {
        on = happening;
        type = ilk::type<T>();
    }

    template <class F> ilk_observer* run(detail::caller w, F f) const {
        ilk_observer_desc desc = *this;
        desc.user = detail::function<F>::user(f, user);
        desc.run = [](ilk_notice* notice) noexcept -> ilk_result {
            auto& call = detail::function<F>::of(notice->user);
            const T* value = static_cast<const T*>(notice->value);
            if constexpr (std::is_void_v<decltype(call(*notice, value))>) {
                call(*notice, value);
                return ILK_OK;
            } else
                return call(*notice, value);
        };
        return (ilk_observer_create)(w.handle, &desc);
    }
};

// Reads the events of a type, those that are addressed to an entity alone if there is one.
template <class T> class reader : public owned<ilk_reader, ilk_reader_destroy> {
  public:
    explicit reader(detail::caller w, ilk_entity e = {}) : owned(w.handle, create(w.handle, e)) {}
    // The next one, or null; and what else there is to know of it.
    const T* read(ilk_event* event = nullptr) const {
        return static_cast<const T*>((ilk_read)(*this, event));
    }

  private:
    static ilk_reader* create(ilk_world* world, ilk_entity e) {
        const ilk_reader_desc desc = {type<T>(), e};
        return (ilk_reader_create)(world, &desc);
    }
};

} // namespace ilk

#undef ILK_CPP_INLINE
#endif
