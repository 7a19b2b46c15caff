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

    let player: any Player
    /// Nil for the engine.
    let screen: (any Screen)?
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
    /// What it said last of itself.
    var reported: PlaybackState?
    /// Whether it has said that it has the item. What it said before was of another.
    var hasShown = false
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
