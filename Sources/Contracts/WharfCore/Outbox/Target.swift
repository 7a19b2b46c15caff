extension OutboxEntry {
    /// A destination of an entry and the condition for its delivery.
    public struct Target: Hashable, Sendable {
        /// The condition under which a destination gets the entry.
        public enum DeliveryCondition: Hashable, Sendable {
            /// The destination always gets the entry.
            case always
            /// The destination gets the entry if another destination fails.
            ///
            /// The condition is met when the other delivery is dead, dropped or discarded, or if
            /// the entry has no such destination. It is never met once the other has delivered.
            case afterFailure(of: String)
            /// The destination gets the entry if another one has not delivered it in time.
            ///
            /// The time counts from the moment when the entry was enqueued. It is measured by the
            /// wall clock, the only clock that goes on across processes. If the clock is set
            /// forward, the condition is met early by as much. If it is set back, the condition is
            /// met late by as much. If the entry was enqueued more than a minute later than now,
            /// the condition is met at once, because the elapsed time is unknown.
            case unlessDelivered(by: String, within: Duration)

            /// The tolerance for clocks that were set back.
            ///
            /// If an entry was enqueued later than now by more than this, the clock was set back
            /// since.
            package static let clockTolerance = Duration.seconds(60)
        }

        /// The name of a ``Destination``.
        public var destination: String
        /// The condition of the delivery.
        public var condition: DeliveryCondition

        /// Creates a target.
        public init(_ destination: String, _ condition: DeliveryCondition = .always) {
            self.destination = destination
            self.condition = condition
        }
    }
}

extension [OutboxEntry.Target] {
    /// Returns targets that all get the entry.
    public static func all(_ destinations: String...) -> Self { destinations.map { .init($0) } }

    /// Returns targets that are tried in order, each after the one before has failed.
    public static func first(of destinations: String...) -> Self {
        destinations.enumerated().map { index, name in
            index == 0 ? .init(name) : .init(name, .afterFailure(of: destinations[index - 1]))
        }
    }
}
