/// The counters of a key that were seen, for refusing replayed requests.
///
/// This is a sliding window as in IPsec (RFC 4303, section 3.4.3): requests may overtake each other
/// by up to 64 counters. Older counters are refused without a lookup. So memory is bounded, and no
/// clock is needed.
struct ReplayWindow {
    static let width: UInt64 = 64

    /// The highest counter so far; 0 before the first.
    private var highest: UInt64 = 0
    /// A bit set, in which bit n stands for the counter `highest - n`.
    private var seen: UInt64 = 0

    /// Records a counter.
    ///
    /// - Returns: false for a counter that was recorded before, for 0, and for one older than the
    ///   window.
    mutating func take(_ counter: UInt64) -> Bool {
        guard counter > 0 else { return false }
        if counter > highest {
            let step = counter - highest
            // A shift by the width or more would leave no bit.
            seen = step < Self.width ? seen << step | 1 : 1
            highest = counter
            return true
        }
        let age = highest - counter
        // Beyond the window nothing is known about a counter, so it counts as seen.
        guard age < Self.width, seen & (1 << age) == 0 else { return false }
        seen |= 1 << age
        return true
    }
}
