internal import WharfPlayback

/// What a receiver knows of its sender, as a value: which session is the last, which of its
/// commands wait, and how those before ended.
struct ReceiverSession {
    /// What the sender of a session is told.
    struct Told: Hashable, Sendable {
        /// Of the state, and rises with each of the session.
        var event: Int
        var state: ScreenMessage.State
        /// Told behind the state, as the next event; nil while the session goes on.
        var end: SessionEnd?
    }

    enum Decision {
        /// It is in the queue.
        case wait(for: SentCommand)
        /// It was done already, and its answer did not arrive.
        case answered(CommandAnswer)
        case late(PlaybackError)
        case full
        case over(SessionEnd)
    }

    /// A session that is over, and is to be told so behind the lock.
    struct Ended {
        var end: SessionEnd
        var feed: StateFeed<Told>
        var commands: [SentCommand]

        func tell() {
            feed.finish()
            for command in commands { command.end(end) }
        }
    }

    /// How many commands may wait, the one that is being done included. A sender that behaves gives
    /// one at a time.
    static let queueLimit = 8
    /// Of how many sessions it is known how they ended.
    static let endsLimit = 16

    /// Of the session that may give commands; nil for none.
    private(set) var id: String?
    private(set) var feed: StateFeed<Told>?
    /// What the player said last; nil before it has said anything.
    private(set) var state: PlaybackState?
    /// Of the player's stream that counts: what those before it say is older than its first word.
    private(set) var generation = 0
    /// The player says nothing more, and a session would have nobody to talk to.
    private(set) var isDeserted = false
    private var ends: [(id: String, end: SessionEnd)] = []
    private var waiting: [SentCommand] = []
    /// May be of a session before: the player is given one command at a time.
    private var performing: SentCommand?
    private var lastAnswer: (sequence: Int, answer: CommandAnswer)?
    private var lastSequence = 0
    private var event = 0

    /// The latest session counts: the one before is over.
    ///
    /// - Parameter id: one that no session had.
    mutating func open(as id: String) -> Ended? {
        let before = close(.takenOver)
        (self.id, lastSequence, lastAnswer, event) = (id, 0, nil, 1)
        feed = StateFeed(told)
        return before
    }

    mutating func close(_ end: SessionEnd) -> Ended? {
        guard let id, let feed else { return nil }
        ends.append((id, end))
        if ends.count > Self.endsLimit { ends.removeFirst() }
        var last = told
        last.end = end
        feed.update(last)
        let commands = queue.filter { $0.session == id }
        (self.id, self.feed, waiting) = (nil, nil, [])
        return Ended(end: end, feed: feed, commands: commands)
    }

    mutating func desert() -> Ended? {
        isDeserted = true
        return close(.switchedOff)
    }

    /// How a session ended; nil for the one that has not.
    func end(of id: String) -> SessionEnd? {
        if id == self.id { return nil }
        return ends.last { $0.id == id }?.end ?? .expired
    }

    mutating func decide(_ message: ScreenMessage.Command, of id: String) -> Decision {
        if let end = end(of: id) { return .over(end) }
        if let lastAnswer, lastAnswer.sequence == message.sequence { return .answered(lastAnswer.answer) }
        // Sent again because nobody has heard of it for too long.
        let queue = queue
        if let same = queue.first(where: { $0.session == id && $0.sequence == message.sequence }) {
            return .wait(for: same)
        }
        guard message.sequence > lastSequence else {
            return .late(
                PlaybackError(
                    .cancelled,
                    "command \(message.sequence) came behind command \(lastSequence), which has taken its place"))
        }
        guard queue.count < Self.queueLimit else { return .full }
        lastSequence = message.sequence
        let command = SentCommand(message, of: id)
        waiting.append(command)
        return .wait(for: command)
    }

    /// The command that the player is to be given now; nil where it has one, or none waits.
    mutating func next() -> SentCommand? {
        guard performing == nil, !waiting.isEmpty else { return nil }
        performing = waiting.removeFirst()
        return performing
    }

    /// What has become of a command.
    ///
    /// - Parameter state: the first word of a stream of after it; nil where there was none.
    mutating func finished(
        _ command: SentCommand, _ outcome: Result<Void, PlaybackError>, _ state: PlaybackState?
    ) -> CommandAnswer {
        performing = nil
        let isNews = state != nil && state != self.state
        if let state {
            generation += 1
            self.state = state
        }
        let answer = outcome.map { ScreenMessage.State(sequence: command.sequence, state: self.state ?? .idle) }
        // The sender of now has not heard of another's.
        let isOwn = command.session == id
        if isOwn { lastAnswer = (command.sequence, answer) }
        if isOwn || isNews { tell() }
        return answer
    }

    /// What the player says first where nobody knew anything of it.
    ///
    /// - Returns: the generation of the stream that said so; nil where something is known already.
    mutating func began(with state: PlaybackState) -> Int? {
        guard self.state == nil else { return nil }
        generation += 1
        reported(state, generation: generation)
        return generation
    }

    mutating func reported(_ state: PlaybackState, generation: Int) {
        guard generation == self.generation, state != self.state else { return }
        self.state = state
        tell()
    }

    private mutating func tell() {
        event += 1
        feed?.update(told)
    }

    /// All that wait, the one that is being done first.
    var queue: [SentCommand] { (performing.map { [$0] } ?? []) + waiting }

    private var told: Told {
        Told(event: event, state: .init(sequence: lastAnswer?.sequence ?? 0, state: state ?? .idle))
    }
}
