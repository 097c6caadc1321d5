// The types of components.h, with their fields.
#include "components.h"

#define VECTOR(T) ILK_FIELDS(ILK_FIELD(T, x), ILK_FIELD(T, y))

ILK_COMPONENT_WITH(Position, .fields = VECTOR(Position));
ILK_COMPONENT_WITH(Velocity, .fields = VECTOR(Velocity));
ILK_COMPONENT_WITH(Wish, .fields = VECTOR(Wish));
ILK_COMPONENT_WITH(Heading, .fields = VECTOR(Heading));
ILK_COMPONENT_WITH(Local, .fields = VECTOR(Local));
ILK_COMPONENT_WITH(Boat, .fields = ILK_FIELDS(ILK_FIELD(Boat, light), ILK_FIELD(Boat, recovers)));
ILK_COMPONENT_WITH(Bat, .fields = ILK_FIELDS(ILK_FIELD(Bat, rests), ILK_FIELD(Bat, tires)));
ILK_COMPONENT_WITH(Lure, .fields = ILK_FIELDS(ILK_FIELD(Lure, orbit)));
ILK_COMPONENT_WITH(Sprite, .fields = ILK_FIELDS(ILK_FIELD(Sprite, size)));
ILK_COMPONENT_WITH(Shadow,
                   .fields = ILK_FIELDS(ILK_FIELD(Shadow, height), ILK_FIELD(Shadow, radius)));
ILK_COMPONENT_WITH(Glow, .fields = ILK_FIELDS(ILK_FIELD(Glow, radius), ILK_FIELD(Glow, strength),
                                              ILK_FIELD(Glow, color)));
ILK_COMPONENT_WITH(Particle,
                   .fields = ILK_FIELDS(ILK_FIELD(Particle, kind), ILK_FIELD(Particle, age),
                                        ILK_FIELD(Particle, life), ILK_FIELD(Particle, size),
                                        ILK_FIELD(Particle, color)));
ILK_COMPONENT_WITH(Label, .fields = ILK_FIELDS(ILK_FIELD(Label, x), ILK_FIELD(Label, y),
                                               ILK_FIELD(Label, scale), ILK_FIELD(Label, color),
                                               ILK_FIELD(Label, text)));
ILK_COMPONENT_WITH(Bar, .fields = ILK_FIELDS(ILK_FIELD(Bar, x), ILK_FIELD(Bar, y),
                                             ILK_FIELD(Bar, width), ILK_FIELD(Bar, height),
                                             ILK_FIELD(Bar, shows), ILK_FIELD(Bar, color)));
ILK_COMPONENT_WITH(Counter, .fields = ILK_FIELDS(ILK_FIELD(Counter, shows)));
ILK_COMPONENT_WITH(Button,
                   .fields = ILK_FIELDS(ILK_FIELD(Button, action), ILK_FIELD(Button, place)));

ILK_TAG(Firefly);
ILK_TAG(Pad);
ILK_TAG(Reed);
ILK_TAG(Pole);
ILK_TAG(Lotus);
ILK_TAG(Bloomed);
ILK_TAG(Lantern);
ILK_TAG(Camera);
ILK_TAG(RewindBar);
ILK_TAG(OfTitle);
ILK_TAG(OfPlay);
ILK_TAG(OfPause);
ILK_TAG(OfEnd);

ILK_RELATION_WITH(Follows, .is_exclusive = true);

ILK_EVENT_WITH(Caught, .fields = VECTOR(Caught));
ILK_EVENT_WITH(Eaten, .fields = VECTOR(Eaten));
ILK_EVENT_WITH(Woken, .fields = VECTOR(Woken));
ILK_EVENT_WITH(Flashed, .fields = VECTOR(Flashed));
ILK_EVENT_WITH(Bumped, .fields = VECTOR(Bumped));
ILK_EVENT_WITH(Chosen, .fields = ILK_FIELDS(ILK_FIELD(Chosen, action)));
ILK_EVENT_WITH(Ended, .fields = ILK_FIELDS(ILK_FIELD(Ended, how)));

ILK_COMPONENT_WITH(Pond, .fields = ILK_FIELDS(ILK_FIELD(Pond, tick), ILK_FIELD(Pond, dawn),
                                              ILK_FIELD(Pond, fireflies), ILK_FIELD(Pond, boat)));
ILK_COMPONENT_WITH(Menu, .fields = ILK_FIELDS(ILK_FIELD(Menu, selected)));
ILK_COMPONENT_WITH(Input, .unrecorded = true);
ILK_COMPONENT_WITH(Rewind, .unrecorded = true);
ILK_TAG_WITH(Canvas, .unrecorded = true);
