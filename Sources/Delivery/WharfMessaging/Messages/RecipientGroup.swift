/// A list of recipients for one message, such as a team or a guest list.
///
/// ```swift
/// let crew = RecipientGroup(id: "crew", members: [ada, cesar])
/// try await messenger.send(Message(body: "At noon?"), to: crew, guests)
/// ```
///
/// Each member gets a separate message, by the channels of its preference. A member of several
/// groups gets it once.
public struct RecipientGroup: Hashable, Sendable, Identifiable {
    /// The id of the group, which messages do not use.
    public var id: String
    /// The members, in the order in which their messages are enqueued.
    public var members: [Recipient]

    /// Creates a group.
    public init(id: String, members: [Recipient]) {
        self.id = id
        self.members = members
    }
}

extension Messenger {
    /// Enqueues a message for the members of groups, once for each `id`.
    ///
    /// The operation is atomic. It returns when all entries are on the disk, and stores none if it
    /// throws.
    ///
    /// - Throws: ``MessagingError/Code/noAddress`` if a member has an address for none of the
    ///   channels of its preference that are not optional, ``MessagingError/Code/notStored``.
    @discardableResult
    public func send(_ message: Message, to groups: RecipientGroup...) async throws(MessagingError) -> [SentMessage] {
        var seen: Set<Recipient.ID> = []
        return try await send(message, to: groups.flatMap(\.members).filter { seen.insert($0.id).inserted })
    }
}
