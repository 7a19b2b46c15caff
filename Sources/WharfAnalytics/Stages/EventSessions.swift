internal import Synchronization
internal import WharfCore

/// Says which events were made in one sitting: those with no longer pause between them than a limit.
///
/// A session has the id of its first event. It ends with the process.
public final class EventSessions: EventStage {
    struct State {
        private var session: (id: String, lastSeen: WallTime)?

        /// A clock that was set back begins no session.
        mutating func session(of event: String, at time: WallTime, pause: Duration) -> String {
            let id = session.flatMap { time - $0.lastSeen > pause ? nil : $0.id } ?? event
            session = (id, time)
            return id
        }
    }

    private let pause: Duration
    private let state = Mutex(State())

    /// - Parameter pause: the longest between two events of a session.
    public init(pause: Duration = .seconds(30 * 60)) { self.pause = pause }

    public func process(_ event: TrackedEvent) -> TrackedEvent? {
        var event = event
        event.session = state.withLock { $0.session(of: event.id, at: event.time, pause: pause) }
        return event
    }
}

extension EventStage where Self == EventSessions {
    public static func sessions(pause: Duration = .seconds(30 * 60)) -> EventSessions { EventSessions(pause: pause) }
}
