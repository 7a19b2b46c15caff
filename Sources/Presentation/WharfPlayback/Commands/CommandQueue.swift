/// The pending commands of a player, without redundant ones.
///
/// The remaining commands have the same effect as all of them in order, if the player refuses none.
struct CommandQueue {
    struct Entry {
        var command: PlaybackCommand
        /// The callers that wait until the command is taken.
        var tickets: [Ticket]
        /// Whether this is a play that restarts an ended item. A later pause must not remove it:
        /// without the play the item would stay at its end.
        var restarts = false
    }

    // Invariant: only the first entry can load or stop. A later load or stop replaces the whole
    // queue.
    private(set) var entries: [Entry] = []

    var isEmpty: Bool { entries.isEmpty }
    var tickets: [Ticket] { entries.flatMap(\.tickets) }
    /// Whether the next command loads or removes the item.
    var changesItem: Bool {
        switch entries.first?.command {
        case .load, .stop: true
        default: false
        }
    }

    /// Adds a command, and removes those that it makes redundant.
    ///
    /// - Parameter hasEnded: whether the item will be at its end after all earlier commands.
    /// - Returns: the tickets of callers whose commands a different command has superseded.
    mutating func push(_ command: PlaybackCommand, _ ticket: Ticket? = nil, hasEnded: Bool = false) -> [Ticket] {
        let tickets = [ticket].compactMap(\.self)
        switch (entries.first?.command, command) {
        case (_, .load), (_, .stop):
            // The new item, or its end, makes each earlier command pointless.
            defer { entries = [Entry(command: command, tickets: tickets)] }
            return self.tickets
        case (.stop, _):
            // After a stop there is no item that the command could act on.
            return tickets
        case (.load(let item, let position, let isPlaying), _):
            entries[0].command = command.folded(
                into: item, hasEnded && command == .play ? .zero : position, isPlaying)
            // The callers wait for the load that carries out their commands.
            entries[0].tickets += tickets
            return []
        default:
            let pointless = entries.map { isPointless($0, behind: command) }
            let gone = zip(entries, pointless).filter(\.1).map(\.0)
            let (same, overtaken) = (gone.filter { $0.command == command }, gone.filter { $0.command != command })
            // A restart that this play replaces is still needed, so the play inherits it.
            let restarts = command == .play && (hasEnded || gone.contains(where: \.restarts))
            entries = zip(entries, pointless).filter { !$0.1 }.map(\.0)
            entries.append(Entry(command: command, tickets: same.flatMap(\.tickets) + tickets, restarts: restarts))
            return overtaken.flatMap(\.tickets)
        }
    }

    /// Returns whether a pending command is redundant before this one.
    ///
    /// It is called only if no pending command loads or removes the item.
    private func isPointless(_ earlier: Entry, behind command: PlaybackCommand) -> Bool {
        switch (command, earlier.command) {
        // The last of play and pause decides.
        case (.play, .play), (.play, .pause), (.pause, .pause): true
        // A restart is needed only if no seek follows, because a seek sets the position itself.
        case (.pause, .play): !earlier.restarts || entries.contains { $0.command.isSeek }
        // Play before a pause serves its restart only, and the seek sets the position.
        case (.seek, .play): entries.contains { $0.command == .pause }
        case (.seek, .seek), (.seek, .progress), (.progress, .progress): true
        default: false
        }
    }

    mutating func next() -> Entry? { entries.isEmpty ? nil : entries.removeFirst() }

    /// Removes all commands.
    ///
    /// - Returns: the tickets of their callers.
    mutating func clear() -> [Ticket] {
        defer { entries = [] }
        return tickets
    }

    /// Removes the matching tickets from all commands.
    ///
    /// - Returns: the removed tickets.
    mutating func leave(_ isMeant: (Ticket) -> Bool) -> [Ticket] {
        let gone = tickets.filter(isMeant)
        for index in entries.indices { entries[index].tickets.removeAll(where: isMeant) }
        return gone
    }

    /// Adds tickets to the last command.
    mutating func join(_ tickets: [Ticket]) {
        if !entries.isEmpty { entries[entries.count - 1].tickets += tickets }
    }
}

extension PlaybackCommand {
    fileprivate var isSeek: Bool { if case .seek = self { true } else { false } }

    /// Returns one load with the effect of a load followed by this command.
    fileprivate func folded(into item: MediaItem, _ position: Duration, _ isPlaying: Bool) -> PlaybackCommand {
        switch self {
        case .play: .load(item, at: position, playing: true)
        case .pause: .load(item, at: position, playing: false)
        case .seek(let target), .progress(let target): .load(item, at: item.within(target), playing: isPlaying)
        case .load, .stop: self
        }
    }
}
