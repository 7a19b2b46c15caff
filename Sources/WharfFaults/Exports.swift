// A fault plan is seeded: its users write `SeededGenerator` and no second import.
@_exported public import WharfRandom
