/// Finds the smallest recording for which a law still fails.
///
/// Like Hypothesis, it tries shorter recordings first, and then smaller numbers.
struct Shrinker {
    struct Failure: Sendable {
        let recording: Draws
        /// A description of the value.
        let input: String
        let found: String
    }

    /// Runs the law on the value of a script. Returns nil if it holds, or if there is no such
    /// value.
    typealias Trial = (ReplayedDraws) async throws -> Failure?

    // `smallest` has always failed, and each replacement precedes it. There is no endless descent
    // of recordings, so shrinking ends even without the limit.
    private(set) var smallest: Failure
    /// The number of times that the failure has become smaller.
    private(set) var steps = 0
    private var attemptsLeft: Int
    // Only scripts without a draw to simplify: with one, equal numbers may give another value.
    private var tried: Set<[UInt64]> = []

    /// - Parameter attempts: the maximum number of runs of the law.
    init(_ failure: Failure, attempts: Int = 5_000) {
        smallest = failure
        attemptsLeft = attempts
    }

    private var values: [UInt64] { smallest.recording.values }

    mutating func shrink(_ fails: Trial) async throws {
        var before: Int
        // Each pass may make room for the ones before it, so they repeat until a whole round
        // changes nothing.
        repeat {
            before = steps
            try await removeElements(fails)
            try await simplifyDraws(fails)
            try await lowerEach(fails)
            try await lowerEqualOnes(fails)
            try await lowerAndRemove(fails)
        } while steps > before && attemptsLeft > 0
    }

    private mutating func attempt(_ script: ReplayedDraws, _ fails: Trial) async throws -> Bool {
        guard attemptsLeft > 0, script.simplest != nil || tried.insert(script.values).inserted else { return false }
        attemptsLeft -= 1
        // A clamped or padded script may record more than it was given. Only a smaller recording
        // counts.
        guard let failure = try await fails(script), failure.recording.precedes(smallest.recording) else {
            return false
        }
        smallest = failure
        steps += 1
        return true
    }

    private mutating func attempt(_ values: [UInt64], _ fails: Trial) async throws -> Bool {
        try await attempt(ReplayedDraws(values), fails)
    }

    /// Removes all elements of an array, then halves of them, down to single ones.
    private mutating func removeElements(_ fails: Trial) async throws {
        var group = 0
        while group < smallest.recording.groups.count {
            var size = smallest.recording.groups[group].count
            while size > 0 {
                var first = 0
                while group < smallest.recording.groups.count, first < smallest.recording.groups[group].count {
                    let elements = smallest.recording.groups[group]
                    let last = min(first + size, elements.count) - 1
                    var fewer = values
                    fewer.removeSubrange(elements[first].lowerBound..<elements[last].upperBound)
                    // After a success the next elements have moved to this place.
                    if try await !attempt(fewer, fails) { first += size }
                }
                size /= 2
            }
            group += 1
        }
    }

    /// Replaces a draw by its simplest value, or by a nested draw of the same type. For example, a
    /// condition becomes one of its parts.
    private mutating func simplifyDraws(_ fails: Trial) async throws {
        var index = 0
        while index < smallest.recording.spans.count, attemptsLeft > 0 {
            // The outermost draw was recorded last.
            let spans = smallest.recording.spans
            let span = spans[spans.count - 1 - index]
            index += 1
            guard span.range.count > 1, values[span.range].contains(where: { $0 > 0 }) else { continue }
            if try await attempt(ReplayedDraws(values, simplest: (span.ordinal, span.range.upperBound)), fails) {
                continue
            }
            // A nested draw of the same type makes a value that can stand for the whole.
            let inner = spans.filter {
                $0.type == span.type && $0.range.count < span.range.count && span.range.contains($0.range)
            }
            let (front, back) = (values[..<span.range.lowerBound], values[span.range.upperBound...])
            for part in inner.map({ values[$0.range] }) {
                if try await attempt(Array(front + part + back), fails) { break }
                // Tries the part as the first of several alternatives, if the whole was another
                // one.
                if try await attempt(Array(front + [0] + part + back), fails) { break }
            }
        }
    }

    private mutating func lowerEach(_ fails: Trial) async throws {
        var index = 0
        while index < values.count {
            try await lower([index], fails)
            index += 1
        }
    }

    /// Lowers equal numbers together, such as an id that is written and read.
    private mutating func lowerEqualOnes(_ fails: Trial) async throws {
        let (values, bounds) = (values, smallest.recording.bounds)
        for place in values.indices where values[place] > 0 {
            // Equal bounds as well, as equal numbers of other ranges are rarely the same thing. The
            // first of the group handles all.
            let equal = values.indices.filter { values[$0] == values[place] && bounds[$0] == bounds[place] }
            if equal.count > 1, equal.first == place { try await lower(equal, fails) }
        }
    }

    /// Lowers the numbers to the least at which the law still fails: one by one if there are few
    /// values, else by binary search.
    private mutating func lower(_ places: [Int], _ fails: Trial) async throws {
        func with(_ value: UInt64) -> [UInt64] {
            var lower = values
            for place in places where place < lower.count { lower[place] = value }
            return lower
        }
        guard let place = places.first, place < values.count else { return }
        var holds: UInt64 = 0
        var broken = values[place]
        guard broken > 0, try await !attempt(with(0), fails) else { return }
        // A signed number is followed by its sign. Those next to zero precede all others, so 1 with
        // the other sign is tried too.
        if places.count == 1, broken > 1, place + 1 < values.count, values[place + 1] == 0 {
            var other = with(1)
            other[place + 1] = 1
            if try await attempt(other, fails) { return }
        }
        if broken <= 16 {
            for value in 1..<broken where try await attempt(with(value), fails) { return }
            return
        }
        // `broken` fails and `holds` does not. If the failure is not monotone, the result is still
        // one that fails.
        while broken - holds > 1, attemptsLeft > 0 {
            let middle = holds + (broken - holds) / 2
            if try await attempt(with(middle), fails) { broken = middle } else { holds = middle }
        }
    }

    /// Lowers a number by one and removes a later part, as the number may be its count.
    private mutating func lowerAndRemove(_ fails: Trial) async throws {
        var index = 0
        while index < values.count, attemptsLeft > 0 {
            defer { index += 1 }
            guard values[index] > 0 else { continue }
            let parts = smallest.recording.groups.joined() + smallest.recording.spans.map(\.range)
            for part in parts.filter({ $0.lowerBound > index && !$0.isEmpty }).prefix(32) {
                var fewer = values
                fewer[index] -= 1
                fewer.removeSubrange(part)
                if try await attempt(fewer, fails) { break }
            }
        }
    }
}

extension Range {
    fileprivate func contains(_ other: Range) -> Bool {
        lowerBound <= other.lowerBound && other.upperBound <= upperBound
    }
}
