public import WharfChecks
internal import WharfCore
public import WharfMessaging

/// The laws of each ``WharfMessaging/MessageChannel``, as tests.
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
    /// A type of channel under test, with a function that creates an instance.
    public typealias Subject = Conformer<Instance>

    /// The state of the receiver.
    public enum Condition: Hashable, Sendable, CaseIterable {
        /// The receiver accepts messages.
        case working
        /// The receiver refuses messages for now.
        case busy
        /// The receiver refuses messages permanently.
        case refusing
    }

    /// One part as the receiver got it.
    public struct Arrival: Hashable, Sendable {
        /// The address at which the part arrived.
        public var address: String
        /// The title that arrived; empty for none.
        public var title: String
        /// The body that arrived.
        public var body: String
        /// The idempotency key that arrived; nil if the channel can't carry one.
        public var key: String?
        /// The raw bytes that arrived.
        public var bytes: [UInt8]

        /// Creates an arrival.
        public init(address: String, title: String, body: String, key: String?, bytes: [UInt8]) {
            self.address = address
            self.title = title
            self.body = body
            self.key = key
            self.bytes = bytes
        }
    }

    /// A channel under test, with functions that observe and control its receiver.
    public struct Instance: Sendable {
        let channel: any MessageChannel
        let address: String
        let conditions: Set<Condition>
        let arrivals: @Sendable () async throws -> [Arrival]
        let set: @Sendable (Condition) async -> Void
        let read: @Sendable (MessagePart) -> (title: String, body: String)

        /// Creates an instance.
        ///
        /// - Parameters:
        ///   - channel: a working channel, whose limits leave room for 64 scalars.
        ///   - address: an address to which it delivers.
        ///   - conditions: the conditions that `set` can produce.
        ///   - arrivals: returns the parts that have arrived, in order.
        ///   - set: sets the condition of the receiver for later messages.
        ///   - read: returns the title and the body that are expected at the receiver, for a
        ///     channel that must change characters.
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

    /// All laws, as arguments of a test.
    public static let all: [Law<Subject>] = texts + attempts
}
