/// A subject that reads entries, to be timed.
///
/// It contains the loop, so that no call through a protocol is timed.
protocol Subject: Sendable {
    associatedtype Item: Sendable

    /// Returns the key of one entry, which is created before the measurement.
    func item(_ index: Int) -> Item
    /// Reads entries one after another, and returns the number of bytes of all bodies.
    func read(_ items: [Item]) async throws -> Int
    func close() async throws
}

/// A subject that is timed as a whole.
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
