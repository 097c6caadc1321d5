// What the game's entities are made of: components, tags, events, resources and one relation.
//
// All fields are described, so that the hash of the world is the same on every machine.
#ifndef COMPONENTS_H
#define COMPONENTS_H

#include <ilk/ilk.h>

#include "numbers.h"

// Where something is in the pond, in pixels; how fast it is, in pixels a second; how fast it would
// like to be; and where it looks, one long.
typedef vec Position;
typedef vec Velocity;
typedef vec Wish;
typedef vec Heading;

// Where a child is on its parent, ahead of it and to its right: see the system "hang".
typedef vec Local;

typedef struct Boat {
    float light;    // of its lanterns, 0 to 1
    float recovers; // seconds until it can flash again
} Boat;

typedef struct Bat {
    float rests; // seconds until it hunts again
    float tires; // seconds until it lets go of what it hunts
} Bat;

// Fireflies that follow somebody fly around it, so far away.
typedef struct Lure {
    float orbit;
} Lure;

// How large it is painted; what it looks like goes by its kind, see sprites.c.
typedef struct Sprite {
    float size;
} Sprite;

typedef struct Shadow {
    float height; // above the water
    float radius;
} Shadow;

// It lights the water and all that is near.
typedef struct Glow {
    float radius;
    float strength;
    uint32_t color; // 0xRRGGBB
} Glow;

typedef enum particle_kind {
    PARTICLE_SPARK, // shines, and gets smaller
    PARTICLE_RING   // on the water, and gets wider
} particle_kind;

typedef struct Particle {
    uint32_t kind;
    float age, life; // seconds
    float size;
    uint32_t color;
} Particle;

// What is on the screen, in pixels of the picture.
#define TEXT_SIZE 32

typedef struct Label {
    int32_t x, y; // the middle of its upper edge
    uint32_t scale;
    uint32_t color;
    char text[TEXT_SIZE];
} Label;

typedef enum quantity {
    QUANTITY_LIGHT,
    QUANTITY_NIGHT,
    QUANTITY_LOTUSES,
    QUANTITY_FOLLOWERS
} quantity;

typedef struct Bar {
    int32_t x, y, width, height;
    uint32_t shows; // a quantity
    uint32_t color;
} Bar;

// A label that tells a quantity.
typedef struct Counter {
    uint32_t shows;
} Counter;

enum {
    ACTION_PLAY,
    ACTION_RESUME,
    ACTION_LEAVE, // back to the title
    ACTION_QUIT
};

typedef struct Button {
    uint32_t action;
    uint32_t place; // among its neighbours, 0 being the first
} Button;

ILK_DECLARE(Position);
ILK_DECLARE(Velocity);
ILK_DECLARE(Wish);
ILK_DECLARE(Heading);
ILK_DECLARE(Local);
ILK_DECLARE(Boat);
ILK_DECLARE(Bat);
ILK_DECLARE(Lure);
ILK_DECLARE(Sprite);
ILK_DECLARE(Shadow);
ILK_DECLARE(Glow);
ILK_DECLARE(Particle);
ILK_DECLARE(Label);
ILK_DECLARE(Bar);
ILK_DECLARE(Counter);
ILK_DECLARE(Button);

// Tags. The last four say with which scene an entity goes.
ILK_DECLARE(Firefly);
ILK_DECLARE(Pad);
ILK_DECLARE(Reed);
ILK_DECLARE(Pole);
ILK_DECLARE(Lotus);
ILK_DECLARE(Bloomed); // a lotus that is awake
ILK_DECLARE(Lantern);
ILK_DECLARE(Camera);
ILK_DECLARE(RewindBar);
ILK_DECLARE(OfTitle);
ILK_DECLARE(OfPlay);
ILK_DECLARE(OfPause);
ILK_DECLARE(OfEnd);

// Whom a firefly follows: the boat, a lotus, or a dot of the title. A relation's type is ilk_link.
typedef ilk_link Follows;
ILK_DECLARE(Follows);

// Events: something happened at a place…
typedef vec Caught;
typedef vec Eaten;
typedef vec Woken;
typedef vec Flashed;
typedef vec Bumped;
// …a button was chosen, or the night is over.
typedef struct Chosen {
    uint32_t action;
} Chosen;

typedef enum ending {
    ENDING_WON,
    ENDING_DARK,
    ENDING_DAWN
} ending;

typedef struct Ended {
    uint32_t how; // an ending
} Ended;

ILK_DECLARE(Caught);
ILK_DECLARE(Eaten);
ILK_DECLARE(Woken);
ILK_DECLARE(Flashed);
ILK_DECLARE(Bumped);
ILK_DECLARE(Chosen);
ILK_DECLARE(Ended);

// Resources. What the pond is like now…
typedef struct Pond {
    uint32_t tick;      // fixed steps so far
    uint32_t dawn;      // the tick in which the night ends
    uint32_t fireflies; // as many as there are to be
    ilk_entity boat;
} Pond;

typedef struct Menu {
    uint32_t selected; // the place of a button
} Menu;

// …and what is no part of history: the keys held, how far time was turned back, and the picture,
// which is declared as written by the systems that draw, so that they do so one after the other.
enum {
    KEY_UP = 1,
    KEY_DOWN = 2,
    KEY_LEFT = 4,
    KEY_RIGHT = 8,
    KEY_FLASH = 16,
    KEY_START = 32,
    KEY_PAUSE = 64,
    KEY_REWIND = 128
};

typedef struct Input {
    uint32_t held;
    uint32_t pressed; // held now, and not in the frame before
} Input;

typedef struct Rewind {
    bool is_on;
    uint64_t oldest, present, newest; // frames that are kept
    uint64_t bytes;                   // that they hold
} Rewind;

ILK_DECLARE(Pond);
ILK_DECLARE(Menu);
ILK_DECLARE(Input);
ILK_DECLARE(Rewind);
ILK_DECLARE(Canvas);

#endif
