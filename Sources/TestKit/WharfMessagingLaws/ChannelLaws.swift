public import WharfChecks
internal import WharfCore
public import WharfMessaging

/// What every ``WharfMessaging/MessageChannel`` keeps.
///
/// ```swift
/// @Test(arguments: ChannelLaws.all)
/// func myChannelKeeps(law: Law<ChannelLaws.Subject>) async throws {
///     try await law.check(.init("Pigeon") {
///         let loft = FakeLoft()
///         return .init(Pigeon(loft: loft), address: "roof 7", arrivals: { loft.arrivals }, set: { loft.weather = $0 })
///     })
/// }
/// ```
public enum ChannelLaws {
    /// A kind of channel, as what makes one.
    public typealias Subject = Conformer<Instance>

    /// What a message finds at the other end.
    public enum Condition: Hashable, Sendable, CaseIterable {
        case working
        /// It can't now.
        case busy
        /// It takes nothing from us, today or ever.
        case refusing
    }

    /// What the other end got of one part.
    public struct Arrival: Hashable, Sendable {
        public var address: String
        public var title: String
        public var body: String
        /// nil where the channel can't carry one.
        public var key: String?
        /// All of it, as it came.
        public var bytes: [UInt8]

        public init(address: String, title: String, body: String, key: String?, bytes: [UInt8]) {
            self.address = address
            self.title = title
            self.body = body
            self.key = key
            self.bytes = bytes
        }
    }

    /// One channel, with what a test sees of the other end and does to it.
    public struct Instance: Sendable {
        let channel: any MessageChannel
        let address: String
        let conditions: Set<Condition>
        let arrivals: @Sendable () async throws -> [Arrival]
        let set: @Sendable (Condition) async -> Void
        let read: @Sendable (MessagePart) -> (title: String, body: String)

        /// - Parameters:
        ///   - channel: at work. Its limits leave room for 64 scalars.
        ///   - address: one that it delivers to.
        ///   - conditions: those that a test can make.
        ///   - arrivals: what has come to the other end, in order.
        ///   - set: changes what the next messages find there.
        ///   - read: how title and body read there, where a channel must write something in another
        ///     way.
        public init(
            _ channel: any MessageChannel, address: String,
            conditions: Set<Condition> = Set(Condition.allCases),
            arrivals: @escaping @Sendable () async throws -> [Arrival],
            set: @escaping @Sendable (Condition) async -> Void,
            read: @escaping @Sendable (MessagePart) -> (title: String, body: String) = { ($0.title, $0.body) }
        ) {
            self.channel = channel
            self.address = address
            self.conditions = conditions
            self.arrivals = arrivals
            self.set = set
            self.read = read
        }

        func part(_ key: String, title: String = "Lunch", body: String = "At noon?", name: String = "") -> MessagePart {
            MessagePart(
                title: hasTitles ? title : "", body: body, name: name, address: address, key: IdempotencyKey(key),
                sentAt: WallTime(secondsSince1970: 1_000_000_000))
        }

        private var hasTitles: Bool { channel.limits.title?.length != 0 }
    }

    public static let all: [Law<Subject>] = texts + attempts
}
