internal import Synchronization

/// A random number generator that several tasks share, behind a lock.
package final class SharedRandom: Sendable {
    // Invariant: one draw owns the generator. Interleaved draws of two tasks would make a seed
    // irreproducible.
    private let generator: Mutex<any RandomNumberGenerator & Sendable>

    package init(_ generator: any RandomNumberGenerator & Sendable) { self.generator = Mutex(generator) }

    /// Draws from the generator while no other task does.
    ///
    /// The numbers of one draw are consecutive in the generator's sequence, so a seed reproduces
    /// them.
    package func draw<Result: Sendable>(_ body: (inout any RandomNumberGenerator & Sendable) -> Result) -> Result {
        generator.withLock { body(&$0) }
    }
}
