extension OutboxEntry {
    /// A destination of an entry, and when it is its turn.
    public struct Target: Hashable, Sendable {
        public enum Condition: Hashable, Sendable {
            case always
            /// When another of the entry's destinations is dead, dropped or discarded, or the entry
            /// has none of that name; never when that has delivered.
            case afterFailure(of: String)
            /// When another has not delivered so long after the entry was enqueued; never when it
            /// has by then.
            ///
            /// By the clock on the wall, which alone goes on from one process to the next. One that
            /// is set forward brings it early, by as much. One that is set back brings it late, by
            /// as much; but at once where the entry was enqueued more than a minute later than now,
            /// because nobody knows then how long it has waited.
            case unlessDelivered(by: String, within: Duration)

            /// What was enqueued later than now by more than this was so before the clock was set
            /// back, and not while somebody looked.
            package static let clockTolerance = Duration.seconds(60)
        }

        /// The name of a ``Destination``.
        public var destination: String
        public var condition: Condition

        public init(_ destination: String, _ condition: Condition = .always) {
            self.destination = destination
            self.condition = condition
        }
    }
}

extension [OutboxEntry.Target] {
    /// To each of them.
    public static func all(_ destinations: String...) -> Self { destinations.map { .init($0) } }

    /// To the first that takes it: each is tried when the one before has failed for good.
    public static func first(of destinations: String...) -> Self {
        destinations.enumerated().map { index, name in
            index == 0 ? .init(name) : .init(name, .afterFailure(of: destinations[index - 1]))
        }
    }
}
