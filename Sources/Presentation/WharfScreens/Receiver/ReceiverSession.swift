internal import WharfPlayback

/// The receiver's knowledge of its sender, as a value.
///
/// It holds the current session, the pending commands, and the ends of earlier sessions.
struct ReceiverSession {
    /// The state that the sender of a session gets.
    struct SentState: Hashable, Sendable {
        /// The event id of the state. It increases with each state of the session.
        var event: Int
        var state: ScreenMessage.State
        /// The end of the session, an event after the state; nil during the session.
        var end: SessionEnd?
    }

    enum Decision {
        /// The command is in the queue.
        case wait(for: SentCommand)
        /// The command was carried out before, and its answer did not arrive.
        case answered(CommandAnswer)
        case late(PlaybackError)
        case full
        case over(SessionEnd)
    }

    /// A session that is over. Its observers are notified after the lock has been released.
    struct EndedSession {
        var end: SessionEnd
        var feed: StateFeed<SentState>
        var commands: [SentCommand]

        func tell() {
            feed.finish()
            for command in commands { command.end(end) }
        }
    }

    /// The maximum number of pending commands, including the running one. A well-behaved sender
    /// sends one at a time.
    static let queueLimit = 8
    /// The number of ended sessions whose end is remembered.
    static let endsLimit = 16

    /// The id of the session that may send commands; nil for none.
    private(set) var id: String?
    private(set) var feed: StateFeed<SentState>?
    /// The player's last state; nil before the first.
    private(set) var state: PlaybackState?
    /// The number of the player's current stream. States of earlier streams are older than its
    /// first state.
    private(set) var generation = 0
    /// Whether the player's states have ended. Then there is no player for a session.
    private(set) var isDeserted = false
    // Invariants between two calls:
    // - `id` and `feed` are both set or both nil.
    // - `waiting` has commands of the present session only; `performing` may be of an earlier one.
    // - Sequence numbers of accepted commands increase, so a repeated command is never carried out
    //   twice.
    private var ends: [(id: String, end: SessionEnd)] = []
    private var waiting: [SentCommand] = []
    /// The running command, perhaps of an earlier session.
    ///
    /// The player gets one command at a time.
    private var performing: SentCommand?
    private var lastAnswer: (sequence: Int, answer: CommandAnswer)?
    private var lastSequence = 0
    private var event = 0

    /// Opens a session. The latest session wins, and the one before is over.
    ///
    /// - Parameter id: an id that no session had.
    mutating func open(as id: String) -> EndedSession? {
        let before = close(.takenOver)
        (self.id, lastSequence, lastAnswer, event) = (id, 0, nil, 1)
        feed = StateFeed(sentState)
        return before
    }

    mutating func close(_ end: SessionEnd) -> EndedSession? {
        guard let id, let feed else { return nil }
        ends.append((id, end))
        if ends.count > Self.endsLimit { ends.removeFirst() }
        var last = sentState
        last.end = end
        // The last state carries the end, so the sender gets both in this order.
        feed.update(last)
        let commands = queue.filter { $0.session == id }
        (self.id, self.feed, waiting) = (nil, nil, [])
        return EndedSession(end: end, feed: feed, commands: commands)
    }

    mutating func abandon() -> EndedSession? {
        isDeserted = true
        return close(.switchedOff)
    }

    /// Returns the end of a session; nil for the current one.
    func end(of id: String) -> SessionEnd? {
        if id == self.id { return nil }
        return ends.last { $0.id == id }?.end ?? .expired
    }

    mutating func decide(_ message: ScreenMessage.Command, of id: String) -> Decision {
        if let end = end(of: id) { return .over(end) }
        // The answer was lost, and the sender repeats the command. Carried out again, a seek or a
        // load would jump back.
        if let lastAnswer, lastAnswer.sequence == message.sequence { return .answered(lastAnswer.answer) }
        // The sender has retried the command because no answer has come in time.
        let queue = queue
        if let same = queue.first(where: { $0.session == id && $0.sequence == message.sequence }) {
            return .wait(for: same)
        }
        guard message.sequence > lastSequence else {
            return .late(
                PlaybackError(
                    .cancelled,
                    "command \(message.sequence) came after command \(lastSequence), which superseded it"))
        }
        guard queue.count < Self.queueLimit else { return .full }
        lastSequence = message.sequence
        let command = SentCommand(message, of: id)
        waiting.append(command)
        return .wait(for: command)
    }

    /// Returns the next command for the player; nil if one runs, or none is pending.
    mutating func next() -> SentCommand? {
        guard performing == nil, !waiting.isEmpty else { return nil }
        performing = waiting.removeFirst()
        return performing
    }

    /// Records the outcome of a command.
    ///
    /// - Parameter state: the first state of a stream that was opened after the command; nil for
    ///   none.
    mutating func finished(
        _ command: SentCommand, _ outcome: Result<Void, PlaybackError>, _ state: PlaybackState?
    ) -> CommandAnswer {
        performing = nil
        // Compared before the state is replaced.
        let isNews = state != nil && state != self.state
        if let state {
            generation += 1
            self.state = state
        }
        let answer = outcome.map { ScreenMessage.State(sequence: command.sequence, state: self.state ?? .idle) }
        // The current sender does not know the commands of an earlier session.
        let isOwn = command.session == id
        if isOwn { lastAnswer = (command.sequence, answer) }
        if isOwn || isNews { tell() }
        return answer
    }

    /// Records the player's first state, if none is known.
    ///
    /// - Returns: the generation of the stream with this state; nil if a state is known already.
    mutating func began(with state: PlaybackState) -> Int? {
        guard self.state == nil else { return nil }
        generation += 1
        reported(state, generation: generation)
        return generation
    }

    mutating func reported(_ state: PlaybackState, generation: Int) {
        // A reader of an older stream may still hold a state from before the last command.
        guard generation == self.generation, state != self.state else { return }
        self.state = state
        tell()
    }

    private mutating func tell() {
        event += 1
        feed?.update(sentState)
    }

    /// All unfinished commands, the running one first.
    var queue: [SentCommand] { (performing.map { [$0] } ?? []) + waiting }

    private var sentState: SentState {
        SentState(event: event, state: .init(sequence: lastAnswer?.sequence ?? 0, state: state ?? .idle))
    }
}
