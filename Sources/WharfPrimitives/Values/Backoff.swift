/// Exponential backoff with full jitter and a cap, as a value without clock or randomness.
///
/// The delay is a random time between zero and a bound that doubles with each failure. That spreads
/// clients that failed at the same moment better than a fixed or half-random delay.
package struct Backoff: Sendable, Hashable {
    /// The bound after the first failure.
    package var base: Duration
    /// No bound is longer than this.
    package var cap: Duration

    package init(base: Duration, cap: Duration) {
        self.base = base
        self.cap = cap
    }

    /// Between attempts to reach a local store that failed.
    package static let store = Backoff(base: .milliseconds(100), cap: .seconds(30))

    /// The longest delay after so many failures in a row; at least one.
    package func bound(afterFailures failures: Int) -> Duration {
        var bound = max(.zero, base)
        var doublings = failures - 1
        // One doubling at a time: 2 to the power of the failures overflows long before the bound
        // does, and the bound ends the loop after 127 at the latest unless it is zero.
        while doublings > 0, bound > .zero, bound < cap {
            // The double of more than half of the cap may not fit into a `Duration`.
            bound = bound > cap / 2 ? cap : bound * 2
            doublings -= 1
        }
        return max(.zero, min(bound, cap))
    }

    /// A random delay below the bound ("full jitter").
    package func delay(
        afterFailures failures: Int, using random: inout some RandomNumberGenerator
    ) -> Duration {
        bound(afterFailures: failures) * Double.random(in: 0..<1, using: &random)
    }
}
