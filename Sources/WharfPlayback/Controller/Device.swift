/// What is known of the engine or of one screen. It is given one thing to do at a time.
struct Device {
    enum Link: Equatable {
        case none
        /// With its number, by which what an older link had to say is told apart.
        case connected(Int)
    }

    enum Work {
        case connect(isCancelled: Bool)
        case command(CommandQueue.Entry)
        case disconnect
    }

    /// What it said of itself, and when.
    struct Report {
        let state: PlaybackState
        let time: Duration

        /// What that comes to by now: an item that plays runs on between two reports.
        func state(at now: Duration) -> PlaybackState {
            guard state.phase == .playing, let item = state.item else { return state }
            return PlaybackState(.playing, item: item, position: item.within(state.position + (now - time)))
        }
    }

    private(set) var player: any Player
    /// Nil for the engine.
    private(set) var screen: (any Screen)?
    /// The same screen, found again, perhaps at another address: the next connection is to that one.
    private var newer: (any Screen)?
    var link = Link.none
    var queue = CommandQueue()
    var busy: (step: Int, work: Work)?
    /// Nil for one that does not follow.
    var receives: PlaybackCommand.Kinds?
    /// The session has left it: it follows again from the next item on.
    var rests = false
    /// It is not connected again to follow, until the next item.
    var isBroken = false
    var failures = 0
    var lastError: PlaybackError?
    /// What it said last.
    var reported: Report?
    /// Until then what it says counts only where it fits what it was told: anything else may be older than the command.
    var settlesBy: Duration?

    init(_ engine: any Player) { (player, screen) = (engine, nil) }

    init(_ screen: any Screen) { (player, self.screen) = (screen, screen) }

    var isConnected: Bool { link != .none }

    /// Neither at work nor about to be. Letting go of the connection stops nothing any more.
    var isQuiet: Bool {
        guard queue.isEmpty || !isConnected else { return false }
        switch busy?.work {
        case nil, .connect, .disconnect: return true
        case .command: return false
        }
    }

    var isForgettable: Bool { screen != nil && receives == nil && !isConnected && busy == nil }

    /// The one that was given last counts.
    mutating func found(_ screen: any Screen) {
        // A screen that is a value, and no object, always counts as another.
        let isKnown = self.screen.map { ($0 as AnyObject) === (screen as AnyObject) } == true
        newer = isKnown ? nil : screen
    }

    /// Between two connections.
    ///
    /// - Returns: whether there is a newer one to take.
    mutating func takeNewer() -> Bool {
        guard let newer else { return false }
        (player, screen, self.newer) = (newer, newer, nil)
        return true
    }

    mutating func followAgain() { (rests, isBroken) = (false, false) }

    mutating func count(_ error: PlaybackError) {
        guard error.code != .cancelled else { return }
        failures += 1
        lastError = error
    }

    var follower: SessionState.Follower? {
        guard let screen, let receives else { return nil }
        return SessionState.Follower(
            id: screen.id, name: screen.name, receives: receives, isConnected: isConnected, failures: failures,
            lastError: lastError)
    }
}
