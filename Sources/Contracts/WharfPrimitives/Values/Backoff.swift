/// Exponential backoff with full jitter and a cap, without clock or randomness.
///
/// The delay is a random time between zero and a bound that doubles with each failure. Clients that
/// failed at the same moment are spread better than with a fixed or half-random delay.
package struct Backoff: Sendable, Hashable {
    /// The bound after the first failure.
    package var base: Duration
    /// The maximum of the bound.
    package var cap: Duration

    package init(base: Duration, cap: Duration) {
        self.base = base
        self.cap = cap
    }

    /// The backoff of retries after a local store has failed.
    package static let store = Backoff(base: .milliseconds(100), cap: .seconds(30))

    /// Returns the maximum delay after a number of failures in a row; at least one.
    package func bound(afterFailures failures: Int) -> Duration {
        var bound = max(.zero, base)
        var doublings = failures - 1
        // Double step by step: 2 to the power of the failures overflows long before the bound does.
        // Unless the bound is zero, it ends the loop after at most 127 steps.
        while doublings > 0, bound > .zero, bound < cap {
            // The double of more than half of the cap may not fit into a `Duration`.
            bound = bound > cap / 2 ? cap : bound * 2
            doublings -= 1
        }
        return max(.zero, min(bound, cap))
    }

    /// Returns a random delay below the bound ("full jitter").
    package func delay(
        afterFailures failures: Int, using random: inout some RandomNumberGenerator
    ) -> Duration {
        // Full jitter draws from zero. With a fixed minimum all clients of an outage would return
        // in one narrow window.
        bound(afterFailures: failures) * Double.random(in: 0..<1, using: &random)
    }
}
