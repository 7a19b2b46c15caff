// Whoever tests over a bad network needs no second import; `SeededGenerator` lives there too.
@_exported public import WharfFaults
