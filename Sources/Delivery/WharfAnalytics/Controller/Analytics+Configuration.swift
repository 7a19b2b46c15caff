public import WharfCore

extension Analytics {
    /// The settings of analytics: stages for all sinks, limits, clock and incident handler.
    ///
    /// ```swift
    /// var configuration = Analytics.Configuration(stages: [.context(["app": "1.2"])])
    /// configuration.waitingLimit = 1_000
    /// ```
    public struct Configuration: Sendable {
        /// The most events that wait for a sink; 10,000 by default.
        ///
        /// Above it the oldest are dropped for newer ones.
        public var waitingLimit = 10_000
        /// The most posted events that wait for the disk; 1,000 by default.
        ///
        /// Above it the oldest are dropped.
        public var postedLimit = 1_000
        /// The number of refused events that are kept for each sink; 1,000 by default.
        ///
        /// Once there are a sixteenth more, the oldest are discarded. This is checked when an event
        /// is kept; until then there may be ``waitingLimit`` more.
        public var deadLetterLimit = 1_000
        /// The largest event in bytes, as ``TrackedEvent/json``; 1 MiB by default.
        ///
        /// A sink may have a smaller limit.
        public var eventLimit = 1 << 20
        /// The stages for all sinks, in this order.
        public var stages: [any EventStage]
        /// The clock of events and sessions.
        public var clock: any WallClock
        /// The handler of failures that no call can throw.
        ///
        /// It gets each lost posted event, dead letters that could not be discarded, and sessions
        /// that could not be stored.
        public var onIncident: IncidentHandler

        /// Creates a configuration with the default limits.
        public init(
            stages: [any EventStage] = [], clock: any WallClock = .system,
            onIncident: @escaping IncidentHandler = { _ in }
        ) {
            self.stages = stages
            self.clock = clock
            self.onIncident = onIncident
        }
    }
}
