/// Decides what is done with the engine and the screens, as a value: what happens goes in, what is
/// to be done comes out.
///
/// The session is an item, a position, and whether it plays. It lies in one place; while that place
/// is told to let go of it, it lies in a ``Transit``, and arrives elsewhere only when that place is
/// quiet. So no two play at once.
struct PlaybackMachine {
    typealias Place = SessionState.Place

    /// What is to be done, in this order. A step is answered by ``finished(_:of:_:)``.
    enum Action {
        case connect(Place, step: Int)
        case perform(Place, PlaybackCommand, step: Int)
        case disconnect(Place, step: Int)
        /// The step is over, or nobody waits for it any more.
        case forget(step: Int)
        /// The step is to end soon; its answer is waited for.
        case cancel(step: Int)
        case read(Place, link: Int)
        case stopReading(link: Int)
        /// To be answered after that time by ``settled(_:link:)``. There is one for a link: the
        /// last.
        case wake(Place, link: Int, after: Duration)
        case letSleep(link: Int)
        case settle([Ticket], Ticket.Outcome)
    }

    /// A position that runs or stands.
    struct Anchor {
        var position = Duration.zero
        /// When it was there.
        var time = Duration.zero
        var runs = false
    }

    /// The session, while the place where it lay lets go of it.
    struct Transit {
        var destination: Place
        /// What the destination is to be told: a load, with all that was asked for meanwhile.
        var held = CommandQueue()
    }

    var devices: [Place: Device]
    /// In which they came, so that what is done follows from what happened alone.
    var order: [Place] = [.engine]
    /// By the clock's beginning; set before anything that happens is told.
    var now = Duration.zero

    var place = Place.engine
    var transit: Transit?
    /// It keeps an item, paused, which is played elsewhere.
    var engineRests = false
    /// Is being connected, to get the session then.
    var candidate: (place: Place, tickets: [Ticket])?
    /// The place has not taken the session yet.
    var isArriving = false
    /// Who waits until the session has arrived at the place where it is, or to which it goes.
    var arrivals: [Ticket] = []
    var returned: SessionState.Return?

    var item: MediaItem?
    var isPlaying = false
    var phase = PlaybackState.Phase.idle
    var anchor = Anchor()
    /// The position that followers were told last: what is no news is not told again.
    var told = Duration.zero

    /// Nothing is begun any more.
    var isClosed = false

    private var actions: [Action] = []
    private var lastNumber = 0

    init(engine: any Player) {
        devices = [.engine: Device(engine)]
        devices[.engine]?.link = .connected(0)
        actions = [.read(.engine, link: 0)]
    }

    mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func act(_ action: Action) { actions.append(action) }

    mutating func settle(_ tickets: [Ticket], _ outcome: Ticket.Outcome) {
        if !tickets.isEmpty { act(.settle(tickets, outcome)) }
    }

    /// What is to be done after what has happened.
    mutating func proceed() -> [Action] {
        arriveIfQuiet()
        for place in order { proceed(place) }
        for place in order where devices[place]?.isForgettable == true && !isWanted(place) && place != self.place {
            devices[place] = nil
        }
        order.removeAll { devices[$0] == nil }
        defer { actions = [] }
        return actions
    }

    /// Where the item is now, as far as one can tell.
    var position: Duration {
        guard let item else { return .zero }
        return item.within(anchor.position + (anchor.runs ? now - anchor.time : .zero))
    }

    /// On its way from place to place it stands.
    mutating func anchor(at position: Duration, runs: Bool) {
        anchor = Anchor(position: item?.within(position) ?? .zero, time: now, runs: runs && transit == nil && !isClosed)
    }

    var session: SessionState {
        SessionState(
            place: transit?.destination ?? place, destination: candidate?.place ?? (arrivals.isEmpty ? nil : heading),
            playback: item.map { PlaybackState(phase, item: $0, position: position) } ?? .idle, returned: returned,
            followers: order.compactMap { devices[$0]?.follower })
    }

    /// Where the session is to be when nothing else is asked for.
    var heading: Place { candidate?.place ?? transit?.destination ?? place }
}
