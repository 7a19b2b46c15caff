// A fault plan is seeded. Its users need `SeededGenerator`, and must not need a second import for
// it.
@_exported public import WharfRandom
