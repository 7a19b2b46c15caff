internal import WharfJSON
internal import WharfPlayback

/// One connection to a receiver, from its opening to its end, as a value.
///
/// Events go in, and actions come out. Times count from the start of the connection.
struct CastSession {
    enum Action: Equatable {
        case send([UInt8])
        /// Commands are accepted from now on. The first state precedes this action.
        case connected
        case state(PlaybackState)
        case answer(call: UInt64, PlaybackError?)
        /// Closes the connection. Waiting callers get the error.
        case end(PlaybackError)
    }

    enum Phase {
        case opening
        /// Asks for the running app.
        case asking
        case launching
        /// Asks for the state of the app.
        case joining(CastApp)
        case ready(CastApp)
        case ended
    }

    /// The interval of heartbeats, as in Chromium's cast channel.
    static let pingInterval = Duration.seconds(5)
    static let patience = Duration.seconds(10)
    /// The limit for requests that load an app or the start of a film first.
    static let longPatience = Duration.seconds(30)

    // Invariants between two events:
    // - After `.ended` no event has an effect, so `.end` is returned once.
    // - `lastReceived` and `pinged` are at most the time of the last event.
    var phase = Phase.opening
    var media = CastMedia()
    var requests = CastRequests()
    private var frames = CastFrames()
    private var lastReceived: Duration
    private var pinged: Duration

    init(at now: Duration) {
        lastReceived = now
        pinged = now
    }

    var isEnded: Bool {
        if case .ended = phase { true } else { false }
    }

    /// The time at which `wake` has to be called at the latest.
    var due: Duration {
        let silence = lastReceived + Self.patience
        return min(silence, pinged + Self.pingInterval, requests.due ?? silence)
    }

    /// Handles the established connection.
    mutating func opened(at now: Duration) -> [Action] {
        guard case .opening = phase else { return [] }
        phase = .asking
        lastReceived = now
        pinged = now
        return send(Outgoing.connect, in: .connection) + ask(Outgoing.getStatus, in: .receiver, for: .apps, at: now)
    }

    mutating func received(_ bytes: some Sequence<UInt8>, at now: Duration) -> [Action] {
        guard !isEnded else { return [] }
        frames.append(bytes)
        var actions: [Action] = []
        do throws(PlaybackError) {
            // A message may end the session. The bytes behind it are not read any more.
            while !isEnded, let message = try frames.next() {
                lastReceived = now
                actions += try receive(message, at: now)
            }
        } catch {
            actions += end(error)
        }
        return actions
    }

    mutating func wake(at now: Duration) -> [Action] {
        guard !isEnded else { return [] }
        // Silence comes first: overdue requests are only its consequence.
        guard now - lastReceived < Self.patience else {
            let silence = "the receiver sent nothing for \(Self.patience); connect it again"
            guard case .ready = phase else { return end(PlaybackError(.timedOut, silence)) }
            return end(PlaybackError(.disconnected, silence))
        }
        var actions: [Action] = []
        for request in requests.takeOverdue(at: now) {
            let late = PlaybackError(.timedOut, "the receiver did not answer \(request.type) in time")
            switch request.purpose {
            case .apps, .launch, .join: return actions + end(late)
            case .command(let call): actions.append(.answer(call: call, late))
            case .look: break
            }
        }
        guard now - pinged >= Self.pingInterval else { return actions }
        pinged = now
        // Until the connection is open there is nothing to send a ping on.
        guard !isOpening else { return actions }
        return actions + send(Outgoing.ping, in: .heartbeat) + look(at: now)
    }

    /// Ends the session on this side.
    mutating func leave() -> [Action] {
        guard !isEnded else { return [] }
        var actions: [Action] = []
        if let app { actions += send(Outgoing.close, in: .connection, to: app.transportID) }
        if !isOpening { actions += send(Outgoing.close, in: .connection) }
        return actions + end(PlaybackError(.disconnected, "the screen was disconnected"))
    }

    mutating func end(_ error: PlaybackError) -> [Action] {
        guard !isEnded else { return [] }
        phase = .ended
        return [.end(error)]
    }

    var app: CastApp? {
        switch phase {
        case .joining(let app), .ready(let app): app
        default: nil
        }
    }

    private var isOpening: Bool {
        if case .opening = phase { true } else { false }
    }

    /// Polls the position, which the receiver reports only when asked.
    private mutating func look(at now: Duration) -> [Action] {
        guard case .ready(let app) = phase, media.sessionID != nil, !requests.isLooking else { return [] }
        return ask(Outgoing.getStatus, in: .media, to: app.transportID, for: .look, at: now)
    }
}
