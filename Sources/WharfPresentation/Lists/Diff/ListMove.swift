/// From a place in the list before a batch to one in the list after it.
public struct ListMove<Place: Hashable & Sendable>: Hashable, Sendable, CustomStringConvertible {
    public var from: Place
    public var to: Place

    @inlinable public init(from: Place, to: Place) {
        self.from = from
        self.to = to
    }

    public var description: String { "\(from)→\(to)" }
}
