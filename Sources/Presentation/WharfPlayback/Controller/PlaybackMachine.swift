/// The decisions of a playback as a value: events go in, actions come out.
///
/// The session is an item, a position, and whether it plays. It is at one place, or in a
/// ``Transfer`` while that place is paused or stopped. It arrives at its destination only when the
/// old place is quiet.
///
/// Invariant: no two places play at once.
struct PlaybackMachine {
    typealias Place = SessionState.Place

    /// An action to carry out, in order. A step is answered by ``finished(_:of:_:loss:)``.
    enum Action {
        case connect(Place, step: Int)
        case perform(Place, PlaybackCommand, step: Int)
        case disconnect(Place, step: Int)
        /// Drops the tasks of a step that has ended or was abandoned.
        case forget(step: Int)
        /// Cancels a step, whose answer is still awaited.
        case cancel(step: Int)
        case read(Place, link: Int)
        case stopReading(link: Int)
        /// Calls ``settled(_:link:)`` after this time. It replaces an earlier wake-up of the same
        /// link.
        case wake(Place, link: Int, after: Duration)
        case cancelWake(link: Int)
        case settle([Ticket], Ticket.Outcome)
    }

    /// A position at a time, from which the current position follows.
    struct Anchor {
        var position = Duration.zero
        /// The time at which the position held.
        var time = Duration.zero
        var runs = false
    }

    /// The session while it leaves its place.
    struct Transfer {
        var destination: Place
        /// The commands for the destination: a load, merged with later commands.
        var held = CommandQueue()
    }

    // Invariants between two events:
    // - `order` has each place of `devices` once. The engine is among them.
    // - `place` and the destination of `transit` are in `devices`.
    // - In transit, and after `close()`, the anchor does not run.
    var devices: [Place: Device]
    /// The places in the order of their addition. It makes the actions deterministic.
    var order: [Place] = [.engine]
    /// The time since the start of the playback. Set before each event is handled.
    var now = Duration.zero

    var place = Place.engine
    var transit: Transfer?
    /// Whether the engine keeps a paused item that is played elsewhere.
    var engineRests = false
    /// The place that is being connected to get the session.
    var candidate: (place: Place, tickets: [Ticket])?
    /// Whether the place has not accepted the session's item yet.
    var isArriving = false
    /// The tickets of callers that wait until the session has arrived.
    var arrivals: [Ticket] = []
    var returned: SessionState.Return?

    var item: MediaItem?
    var isPlaying = false
    var phase = PlaybackState.Phase.idle
    var anchor = Anchor()
    /// The position that followers were last sent. An equal position is not sent again.
    var reportedProgress = Duration.zero

    /// Whether the playback is closed. No new step starts then.
    var isClosed = false

    private var actions: [Action] = []
    private var lastNumber = 0

    init(engine: any Player) {
        devices = [.engine: Device(engine)]
        devices[.engine]?.link = .connected(0)
        actions = [.read(.engine, link: 0)]
    }

    mutating func number() -> Int {
        // One sequence for steps, connections and reports. So "reported after that command" is a
        // comparison of numbers.
        lastNumber += 1
        return lastNumber
    }

    mutating func act(_ action: Action) { actions.append(action) }

    mutating func settle(_ tickets: [Ticket], _ outcome: Ticket.Outcome) {
        if !tickets.isEmpty { act(.settle(tickets, outcome)) }
    }

    /// Returns the actions that the events since the last call require.
    mutating func proceed() -> [Action] {
        // Before the steps: the arrival gives its destination the commands to send.
        arriveIfQuiet()
        for place in order { proceed(place) }
        for place in order where devices[place]?.isForgettable == true && !isWanted(place) && place != self.place {
            devices[place] = nil
        }
        order.removeAll { devices[$0] == nil }
        defer { actions = [] }
        return actions
    }

    /// The computed current position of the item.
    var position: Duration {
        guard let item else { return .zero }
        return item.within(anchor.position + (anchor.runs ? now - anchor.time : .zero))
    }

    /// Sets the position. In transit the position does not advance.
    mutating func anchor(at position: Duration, runs: Bool) {
        anchor = Anchor(position: item?.within(position) ?? .zero, time: now, runs: runs && transit == nil && !isClosed)
    }

    var session: SessionState {
        SessionState(
            place: transit?.destination ?? place, destination: candidate?.place ?? (arrivals.isEmpty ? nil : heading),
            playback: item.map { PlaybackState(phase, item: $0, position: position) } ?? .idle, returned: returned,
            followers: order.compactMap { devices[$0]?.follower })
    }

    /// The place that the session will be at if no other request follows.
    var heading: Place { candidate?.place ?? transit?.destination ?? place }
}
