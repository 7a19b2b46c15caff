internal import WharfPlayback

/// What a receiver knows of its sender, as a value: which session is the last, and which of its commands.
struct ReceiverSession {
    /// What the sender of a session is told.
    struct Told: Hashable, Sendable {
        /// Rises with each event of the session.
        var event: Int
        var message: Message

        enum Message: Hashable, Sendable {
            case state(ScreenMessage.State)
            case end(ScreenMessage.Failure)
        }
    }

    enum Decision {
        case take
        /// It was taken already, and its answer did not arrive.
        case taken(Result<Void, PlaybackError>)
        case refuse(PlaybackError)
    }

    /// Of the session that may give commands; 0 for none.
    private(set) var number = 0
    private(set) var feed: StateFeed<Told>?
    private(set) var lastAnswer: (sequence: Int, outcome: Result<Void, PlaybackError>)?
    private var lastNumber = 0
    private var lastSequence = 0
    private var event = 0
    private var state = PlaybackState.idle

    /// The latest session counts: the one before is over.
    ///
    /// - Returns: its number, and whom to tell that it is over.
    mutating func open() -> (number: Int, before: StateFeed<Told>?) {
        let before = close(PlaybackError(.refused, "another sender has taken the screen over"))
        lastNumber += 1
        (number, lastSequence, lastAnswer, event) = (lastNumber, 0, nil, 1)
        feed = StateFeed(Told(event: 1, message: .state(.init(sequence: 0, state: state))))
        return (number, before)
    }

    /// - Returns: who has been told so, and is to be ended.
    mutating func close(_ error: PlaybackError) -> StateFeed<Told>? {
        defer { (number, feed) = (0, nil) }
        event += 1
        feed?.update(Told(event: event, message: .end(.init(error))))
        return feed
    }

    mutating func decide(_ sequence: Int, of number: Int) -> Decision {
        guard number == self.number else {
            return .refuse(
                PlaybackError(.disconnected, "session \(number) is over; open another one to give commands"))
        }
        if let lastAnswer, lastAnswer.sequence == sequence { return .taken(lastAnswer.outcome) }
        guard sequence > lastSequence else {
            return .refuse(
                PlaybackError(
                    .cancelled, "command \(sequence) came behind command \(lastSequence), which has taken its place"))
        }
        lastSequence = sequence
        return .take
    }

    /// What has become of a command, and what the player says since.
    mutating func answered(
        _ sequence: Int, of number: Int, _ outcome: Result<Void, PlaybackError>, _ state: PlaybackState?
    ) {
        guard number == self.number else {
            // The sender of now has not heard of it.
            if let state { reported(state) }
            return
        }
        if let state { self.state = state }
        lastAnswer = (sequence, outcome)
        tell()
    }

    mutating func reported(_ state: PlaybackState) {
        guard state != self.state else { return }
        self.state = state
        tell()
    }

    private mutating func tell() {
        event += 1
        feed?.update(
            Told(event: event, message: .state(.init(sequence: lastAnswer?.sequence ?? 0, state: state))))
    }
}
