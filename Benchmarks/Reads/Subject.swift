/// Something that reads entries, to be timed. The loop is its own, so that nothing stands between
/// it and what is timed.
protocol Subject: Sendable {
    associatedtype Item: Sendable

    /// What one entry is asked for by; made before the clock runs.
    func item(_ index: Int) -> Item
    /// Reads one after another, and gives the bytes of all bodies.
    func read(_ items: [Item]) async throws -> Int
    func close() async throws
}

/// Something that is done as a whole, to be timed.
protocol Rounds: Sendable {
    var expected: Int { get }
    func run() async throws -> Int
    func close() async throws
}

extension Rounds {
    func close() async throws {}
}

extension Subject {
    func close() async throws {}
}
