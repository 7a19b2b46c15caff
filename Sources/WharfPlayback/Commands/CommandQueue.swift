/// Commands that wait for a player, of which only those are left that still matter: latest wins.
///
/// What comes of them is what would come of all of them in their order, as long as none is refused.
struct CommandQueue {
    struct Entry {
        var command: PlaybackCommand
        /// Who waits until it is taken.
        var tickets: [Ticket]
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

    /// - Returns: who waits for a command that this one has made pointless.
    mutating func push(_ command: PlaybackCommand, _ ticket: Ticket? = nil) -> [Ticket] {
        let tickets = [ticket].compactMap(\.self)
        switch (entries.first?.command, command) {
        case (_, .load), (_, .stop):
            defer { entries = [Entry(command: command, tickets: tickets)] }
            return self.tickets
        case (.stop, _):
            // There is nothing left to do it to.
            return tickets
        case (.load(let item, let position, let isPlaying), _):
            entries[0].command = command.folded(into: item, position, isPlaying)
            entries[0].tickets += tickets
            return []
        default:
            let same = entries.filter { $0.command == command }.flatMap(\.tickets)
            let overtaken = entries.filter { command.overtakes($0.command) && $0.command != command }
            entries.removeAll { command.overtakes($0.command) }
            entries.append(Entry(command: command, tickets: same + tickets))
            return overtaken.flatMap(\.tickets)
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

    /// Lets more callers wait for what there is.
    mutating func join(_ tickets: [Ticket]) {
        if !entries.isEmpty { entries[entries.count - 1].tickets += tickets }
    }
}

extension PlaybackCommand {
    /// Whether an earlier one that still waits is pointless now, where no item is about to come or go.
    fileprivate func overtakes(_ earlier: PlaybackCommand) -> Bool {
        switch (self, earlier) {
        case (.play, .play), (.play, .pause), (.pause, .play), (.pause, .pause): true
        case (.seek, .seek), (.seek, .progress), (.progress, .progress): true
        default: false
        }
    }

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
