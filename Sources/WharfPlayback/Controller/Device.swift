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

    /// What it is in, since when.
    struct Report {
        let state: PlaybackState
        let time: Duration
        /// What is newer has a higher one.
        var number: Int

        /// What that comes to by now: an item that plays runs on between two reports.
        func state(at now: Duration) -> PlaybackState {
            guard state.phase == .playing, let item = state.item else { return state }
            return PlaybackState(.playing, item: item, position: item.within(state.position + (now - time)))
        }
    }

    private(set) var player: any Player
    /// Nil for the engine.
    private(set) var screen: (any Screen)?
    /// The same screen, found again, perhaps at another address: the next connection is to that
    /// one.
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
    var said: Report?
    /// What the commands that it took make of what was known before, as of when the last one was
    /// given.
    private var done: Report?
    /// By number, when it answered the last command.
    private var lastAnswer = 0
    /// A command was not answered in time: it may have done it all the same.
    private var isUnsure = false
    /// Until then what it says counts only where it fits what it was told: anything else may be
    /// older than the command.
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

    /// Whether it said something since the last command that it took was given.
    var hasSpoken: Bool { said.map { $0.number > done?.number ?? 0 } ?? false }

    var known: Report? { hasSpoken ? said : done }

    /// What it said while a command was on its way may be older than that.
    var certain: Report? {
        if let said, said.number > lastAnswer { return said }
        return isUnsure ? nil : done
    }

    /// It has taken a command.
    ///
    /// - Parameters:
    ///   - step: when the command was given, by number.
    ///   - number: that of now.
    ///   - stillFits: what it said before is so afterwards as well.
    mutating func took(_ command: PlaybackCommand, step: Int, number: Int, stillFits: Bool, now: Duration) {
        (lastAnswer, isUnsure) = (number, false)
        var state = known?.state(at: now) ?? .idle
        do throws(PlaybackError) {
            try state.apply(command)
            done = Report(state: state, time: now, number: step)
        } catch {
            // It has an item of which nothing is known.
            done = nil
            if let said, said.number < step { self.said = nil }
        }
        if stillFits { said?.number = number }
    }

    /// A command was given up.
    mutating func kept(silentAt number: Int) { (lastAnswer, isUnsure) = (number, true) }

    /// The connection is over.
    mutating func forget() { (said, done, isUnsure, settlesBy) = (nil, nil, false, nil) }

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
