/// A move from a place in the list before a batch to a place in the list after it.
public struct ListMove<Place: Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible {
    /// The place before the batch.
    public var from: Place
    /// The place after the batch.
    public var to: Place

    /// Creates a move between two places.
    @inlinable public init(from: Place, to: Place) {
        self.from = from
        self.to = to
    }

    public var description: String { "\(from)→\(to)" }
}
