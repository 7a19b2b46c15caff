/// Commands that wait for a player, of which only those are left that still matter: latest wins.
///
/// What comes of them is what would come of all of them in their order, as long as none is refused.
struct CommandQueue {
    struct Entry {
        var command: PlaybackCommand
        /// Who waits until it is taken.
        var tickets: [Ticket]
        /// It plays from its start what has ended: a pause behind it does not come to the same
        /// without it.
        var restarts = false
    }

    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    var tickets: [Ticket] { entries.flatMap(\.tickets) }
    /// The item is about to come or go.
    var changesItem: Bool {
        switch entries.first?.command {
        case .load, .stop: true
        default: false
        }
    }

    /// - Parameter hasEnded: the item will be at its end, once all that was told before is done.
    /// - Returns: who waits for a command that this one has made pointless.
    mutating func push(_ command: PlaybackCommand, _ ticket: Ticket? = nil, hasEnded: Bool = false) -> [Ticket] {
        let tickets = [ticket].compactMap(\.self)
        switch (entries.first?.command, command) {
        case (_, .load), (_, .stop):
            defer { entries = [Entry(command: command, tickets: tickets)] }
            return self.tickets
        case (.stop, _):
            // There is nothing left to do it to.
            return tickets
        case (.load(let item, let position, let isPlaying), _):
            entries[0].command = command.folded(
                into: item, hasEnded && command == .play ? .zero : position, isPlaying)
            entries[0].tickets += tickets
            return []
        default:
            let pointless = entries.map { isPointless($0, behind: command) }
            let gone = zip(entries, pointless).filter(\.1).map(\.0)
            let (same, overtaken) = (gone.filter { $0.command == command }, gone.filter { $0.command != command })
            let restarts = command == .play && (hasEnded || gone.contains(where: \.restarts))
            entries = zip(entries, pointless).filter { !$0.1 }.map(\.0)
            entries.append(Entry(command: command, tickets: same.flatMap(\.tickets) + tickets, restarts: restarts))
            return overtaken.flatMap(\.tickets)
        }
    }

    /// Whether one that waits is pointless before this command, where no item is about to come or
    /// go.
    private func isPointless(_ earlier: Entry, behind command: PlaybackCommand) -> Bool {
        switch (command, earlier.command) {
        case (.play, .play), (.play, .pause), (.pause, .pause): true
        // A seek says by itself where what has ended goes on.
        case (.pause, .play): !earlier.restarts || entries.contains { $0.command.isSeek }
        case (.seek, .play): entries.contains { $0.command == .pause }
        case (.seek, .seek), (.seek, .progress), (.progress, .progress): true
        default: false
        }
    }

    mutating func next() -> Entry? { entries.isEmpty ? nil : entries.removeFirst() }

    /// Forgets all commands.
    ///
    /// - Returns: who waits for them.
    mutating func clear() -> [Ticket] {
        defer { entries = [] }
        return tickets
    }

    /// Lets callers wait no longer.
    ///
    /// - Returns: who they are.
    mutating func leave(_ isMeant: (Ticket) -> Bool) -> [Ticket] {
        let gone = tickets.filter(isMeant)
        for index in entries.indices { entries[index].tickets.removeAll(where: isMeant) }
        return gone
    }

    /// Lets more callers wait for what there is.
    mutating func join(_ tickets: [Ticket]) {
        if !entries.isEmpty { entries[entries.count - 1].tickets += tickets }
    }
}

extension PlaybackCommand {
    fileprivate var isSeek: Bool { if case .seek = self { true } else { false } }

    /// The load that does what a load and this one behind it would.
    fileprivate func folded(into item: MediaItem, _ position: Duration, _ isPlaying: Bool) -> PlaybackCommand {
        switch self {
        case .play: .load(item, at: position, playing: true)
        case .pause: .load(item, at: position, playing: false)
        case .seek(let target), .progress(let target): .load(item, at: item.within(target), playing: isPlaying)
        case .load, .stop: self
        }
    }
}
