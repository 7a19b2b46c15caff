internal import WharfRandom

/// The source of the values that a ``Generator`` draws.
///
/// It draws numbers from a seed and records them, or replays a recording.
public struct Choices {
    private enum Origin {
        case seed(SeededGenerator)
        case script(ReplayedDraws)
    }

    // Between calls `recording` holds the number of every choice, clamped to its range. `values`
    // and `bounds` have the same count. Ranges of spans and groups lie within them.
    private var origin: Origin
    private(set) var recording = Draws()
    private var spansBegun = 0

    /// The maximum number of choices for a value. A larger value stems from an endless recursion.
    static let limit = 1 << 16

    init(seed: UInt64) { origin = .seed(SeededGenerator(seed: seed)) }
    init(_ script: ReplayedDraws) { origin = .script(script) }

    /// Draws a value of another generator, as a part of the value being made.
    public mutating func draw<Value>(_ generator: Generator<Value>) throws -> Value {
        // Counted by their starts, so that a replay which simplifies an outer draw finds it again,
        // however many draws are inside.
        let ordinal = spansBegun
        let start = recording.values.count
        spansBegun += 1
        beginSpan(ordinal)
        let value = try generator.make(&self)
        endSpan(ordinal)
        recording.spans.append(
            Draws.Span(ordinal: ordinal, type: ObjectIdentifier(Value.self), range: start..<recording.values.count))
        return value
    }

    /// The value, or nil if a filter or the limit rejected it.
    mutating func value<Value>(of generator: Generator<Value>) throws -> Value? {
        do { return try draw(generator) } catch is Rejected { return nil }
    }

    /// Draws one number of `range`. The smallest number stands for the simplest value.
    ///
    /// - Parameter pick: draws the number if it is not replayed. It need not be in the range.
    mutating func choose(
        _ range: ClosedRange<UInt64>, _ pick: (inout SeededGenerator) -> UInt64
    ) throws -> UInt64 {
        // A generator that contains itself could draw without end. Its value is rejected and
        // another one is tried.
        guard recording.values.count < Self.limit else { throw Rejected() }
        let number: UInt64
        switch origin {
        case .seed(var random):
            number = pick(&random)
            origin = .seed(random)
        case .script(var script):
            number = script.next()
            origin = .script(script)
        }
        // A replayed number may come from another place of a shrunk recording, so it can be out of
        // range here.
        let value = min(max(number, range.lowerBound), range.upperBound)
        recording.values.append(value)
        recording.bounds.append(range.upperBound)
        return value
    }

    /// Draws elements, each after a number that says that there is one more.
    ///
    /// Removing these numbers from a recording removes the element.
    mutating func elements<Element>(of generator: Generator<Element>, count: ClosedRange<Int>) throws -> [Element] {
        let wanted: Int
        if case .seed(var random) = origin {
            wanted = Int.random(in: count, using: &random)
            origin = .seed(random)
        } else {
            // A replay takes the count from the recorded numbers.
            wanted = 0
        }
        let group = recording.groups.count
        recording.groups.append([])
        var elements: [Element] = []
        while true {
            let start = recording.values.count
            let least: UInt64 = elements.count < count.lowerBound ? 1 : 0
            let most: UInt64 = elements.count < count.upperBound ? 1 : 0
            let isMore = try choose(least...max(least, most)) { _ in elements.count < wanted ? 1 : 0 }
            guard isMore == 1 else { return elements }
            elements.append(try draw(generator))
            recording.groups[group].append(start..<recording.values.count)
        }
    }

    /// Draws again until the value is wanted, and removes the rejected draws from the recording. A
    /// replay has only one attempt.
    mutating func drawUntil<Value>(
        _ isWanted: (Value) throws -> Bool, _ make: (inout Choices) throws -> Value
    ) throws -> Value {
        let (before, spansBefore) = (recording, spansBegun)
        for _ in 0..<100 {
            let value = try make(&self)
            if try isWanted(value) { return value }
            // A replay would draw the numbers that follow, so a second attempt would make another
            // value than the one recorded.
            guard case .seed = origin else { break }
            (recording, spansBegun) = (before, spansBefore)
        }
        throw Rejected()
    }

    private mutating func beginSpan(_ ordinal: Int) {
        guard case .script(var script) = origin else { return }
        script.begin(ordinal)
        origin = .script(script)
    }

    private mutating func endSpan(_ ordinal: Int) {
        guard case .script(var script) = origin else { return }
        script.end(ordinal)
        origin = .script(script)
    }
}

/// There is no value for these choices.
struct Rejected: Error {}
