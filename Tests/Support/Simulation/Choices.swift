internal import WharfRandom

/// The choices of one run, from a list or a seed. They are recorded.
package struct Choices: Sendable {
    package struct Choice: Sendable, Equatable {
        package var chosen: Int
        package let count: Int
    }

    private enum Source {
        case list([Int])
        case random(SeededGenerator)
    }

    private var source: Source
    /// The choices so far that had an alternative.
    package private(set) var made: [Choice] = []

    /// - Parameter list: the first choices. After its end the first alternative is taken.
    package init(_ list: [Int] = []) { source = .list(list) }

    package init(seed: UInt64) { source = .random(SeededGenerator(seed: seed)) }

    package mutating func choose(from count: Int) -> Int {
        precondition(count > 0, "a choice needs an alternative")
        if count == 1 { return 0 }
        let chosen: Int
        switch source {
        // The list of another program may name an alternative that does not exist here.
        case .list(let list): chosen = made.count < list.count ? min(list[made.count], count - 1) : 0
        case .random(var random):
            chosen = Int.random(in: 0..<count, using: &random)
            source = .random(random)
        }
        made.append(Choice(chosen: chosen, count: count))
        return chosen
    }

    /// The choices as a list that replays the run.
    package var list: [Int] { made.map(\.chosen) }

    /// The next list in the order of a depth-first search, or nil after the last one.
    package var next: [Int]? {
        var choices = made
        while var last = choices.popLast() {
            guard last.chosen + 1 < last.count else { continue }
            last.chosen += 1
            return (choices + [last]).map(\.chosen)
        }
        return nil
    }
}
