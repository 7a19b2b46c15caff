/// The known state of the engine or of one screen. It carries out one step at a time.
struct Device {
    enum Link: Equatable {
        case none
        /// Connected, with a number that tells this connection's reports from older ones.
        case connected(Int)
    }

    enum Work {
        case connect(isCancelled: Bool)
        case command(CommandQueue.Entry)
        case disconnect
    }

    /// A state with the time at which it held.
    struct Report {
        let state: PlaybackState
        let time: Duration
        /// The sequence number. A newer report has a higher one.
        var number: Int

        /// Returns the state by now: an item that plays advances between two reports.
        func state(at now: Duration) -> PlaybackState {
            guard state.phase == .playing, let item = state.item else { return state }
            return PlaybackState(.playing, item: item, position: item.within(state.position + (now - time)))
        }
    }

    // Invariants between two events:
    // - At most one step runs, in `busy`. Its number is unique, so the answer to an abandoned step
    //   is recognised.
    // - While connected, `report`, `done` and `settlesBy` come from this connection.
    private(set) var player: any Player
    /// The screen; nil for the engine.
    private(set) var screen: (any Screen)?
    /// The same screen, discovered again and perhaps at another address. The next connection uses
    /// it.
    private var newer: (any Screen)?
    var link = Link.none
    var queue = CommandQueue()
    var busy: (step: Int, work: Work)?
    /// The kinds of commands that it gets as a follower; nil if it does not follow.
    var receives: PlaybackCommand.Kinds?
    /// Whether the session has left this screen. It follows again from the next item on.
    var rests = false
    /// Whether connecting failed or was lost. A follower is not connected again until the next
    /// item.
    var isBroken = false
    var failures = 0
    var lastError: PlaybackError?
    /// The last report of the player.
    var report: Report?
    /// The state computed from the last accepted command and the state known before.
    private var done: Report?
    /// The sequence number of the last answer to a command.
    private var lastAnswer = 0
    /// Whether the last command timed out. It may have taken effect nevertheless.
    private var isUnsure = false
    /// The end of the settling time after a command. Until then a report that contradicts the
    /// command is ignored, because it may be older than the command.
    var settlesBy: Duration?

    init(_ engine: any Player) { (player, screen) = (engine, nil) }

    init(_ screen: any Screen) { (player, self.screen) = (screen, screen) }

    var isConnected: Bool { link != .none }

    /// Whether no command is running or pending. Connecting and disconnecting do not count.
    var isQuiet: Bool {
        guard queue.isEmpty || !isConnected else { return false }
        switch busy?.work {
        case nil, .connect, .disconnect: return true
        case .command: return false
        }
    }

    var isForgettable: Bool { screen != nil && receives == nil && !isConnected && busy == nil }

    /// Records a newly discovered instance of the screen. The last one counts.
    mutating func found(_ screen: any Screen) {
        // A screen that is a value and no object always counts as a different instance.
        let isKnown = self.screen.map { ($0 as AnyObject) === (screen as AnyObject) } == true
        newer = isKnown ? nil : screen
    }

    /// Switches to the newer instance. Call it between two connections.
    ///
    /// - Returns: whether there was a newer instance.
    mutating func takeNewer() -> Bool {
        guard let newer else { return false }
        (player, screen, self.newer) = (newer, newer, nil)
        return true
    }

    /// Whether the player has reported since the last accepted command was sent.
    var hasSpoken: Bool { report.map { $0.number > done?.number ?? 0 } ?? false }

    var known: Report? { hasSpoken ? report : done }

    /// The report that is certain. A report from the time of a running command may be older than
    /// the command.
    var certain: Report? {
        // A report from before the answer may show the state before the command.
        if let report, report.number > lastAnswer { return report }
        return isUnsure ? nil : done
    }

    /// Records that the player has accepted a command.
    ///
    /// - Parameters:
    ///   - step: the sequence number at which the command was sent.
    ///   - number: the current sequence number.
    ///   - stillFits: whether the last report is still valid after the command.
    mutating func took(_ command: PlaybackCommand, step: Int, number: Int, stillFits: Bool, now: Duration) {
        (lastAnswer, isUnsure) = (number, false)
        var state = known?.state(at: now) ?? .idle
        do throws(PlaybackError) {
            try state.apply(command)
            done = Report(state: state, time: now, number: step)
        } catch {
            // The player accepted a command that needs an item, so it has an item that is unknown
            // here.
            done = nil
            if let report, report.number < step { self.report = nil }
        }
        // The report fits the command, so it counts as newer than its answer.
        if stillFits { report?.number = number }
    }

    /// Records that a command has timed out.
    mutating func kept(silentAt number: Int) { (lastAnswer, isUnsure) = (number, true) }

    /// Forgets all reports, at the end of a connection.
    mutating func forget() { (report, done, isUnsure, settlesBy) = (nil, nil, false, nil) }

    mutating func followAgain() { (rests, isBroken) = (false, false) }

    mutating func count(_ error: PlaybackError) {
        // A cancelled step says nothing about the screen.
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
