/// People who get a message together, such as a team or a guest list.
///
/// ```swift
/// let crew = RecipientGroup(id: "crew", members: [ada, cesar])
/// try await messenger.send(Message(body: "At noon?"), to: crew, guests)
/// ```
///
/// Each member gets a message of its own, by the channels that the member prefers. A member of
/// several groups gets it once.
public struct RecipientGroup: Hashable, Sendable, Identifiable {
    public var id: String
    /// In the order in which they get the message.
    public var members: [Recipient]

    /// Creates a group.
    public init(id: String, members: [Recipient]) {
        self.id = id
        self.members = members
    }
}

extension Messenger {
    /// Sends a message to the members of groups, once to each `id`.
    ///
    /// Returns when the message to each of them is on the disk: to all, or to none where it throws.
    ///
    /// - Throws: ``MessagingError/Code/noAddress`` where one of them can't be reached by any
    ///   channel that is preferred, ``MessagingError/Code/notStored``.
    @discardableResult
    public func send(_ message: Message, to groups: RecipientGroup...) async throws(MessagingError) -> [SentMessage] {
        var seen: Set<Recipient.ID> = []
        return try await send(message, to: groups.flatMap(\.members).filter { seen.insert($0.id).inserted })
    }
}
