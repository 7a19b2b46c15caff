/// Why a delivery did not succeed, in words that outlive the process.
public struct DeliveryFailure: Error, Hashable, Sendable {
    /// What went wrong, as an extensible name.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let name: String
        public init(_ name: String) { self.name = name }
        public var description: String { name }

        /// There is no way to the receiver.
        public static let offline = Self("offline")
        /// No answer, or one that was cut off.
        public static let noAnswer = Self("noAnswer")
        /// The receiver can't now: 5xx.
        public static let unavailable = Self("unavailable")
        /// The receiver wants fewer requests: 429, or a quota that is used up.
        public static let rateLimited = Self("rateLimited")
        /// The receiver is still at work on a request of the same key, or has a conflict of its
        /// own: 409.
        public static let inProgress = Self("inProgress")
        /// Not signed in.
        public static let needsAuthentication = Self("needsAuthentication")
        /// Somebody else has changed it meanwhile.
        public static let conflict = Self("conflict")
        /// The receiver does not take it.
        public static let rejected = Self("rejected")
        /// So many attempts, or so long, that it is given up.
        public static let exhausted = Self("exhausted")
        /// What it depends on was discarded.
        public static let dependencyDiscarded = Self("dependencyDiscarded")
        /// What it depends on is so long gone that the journal may have forgotten what became of
        /// it, or was lost with a damaged part of the journal.
        public static let dependencyForgotten = Self("dependencyForgotten")
        /// The payload can't be read by who has to send it.
        public static let unreadable = Self("unreadable")
    }

    public let code: Code
    /// What was expected, what was found, and what to do.
    public let message: String
    /// Of an answer over HTTP.
    public let status: Int?

    public init(_ code: Code, message: String, status: Int? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }
}

extension DeliveryFailure: CustomStringConvertible {
    public var description: String { "\(code): \(message)" }
}

extension DeliveryFailure {
    /// Of what depends on an entry that was discarded.
    package static func discarded(_ dependency: OutboxEntry.ID) -> Self {
        Self(
            .dependencyDiscarded,
            message: "it depends on \(dependency), which was discarded; "
                + "discard it as well, or retry it where it makes sense alone")
    }

    /// Of what depends on an entry that could not be read any more when its file was damaged.
    package static func lost(_ dependency: OutboxEntry.ID) -> Self {
        Self(
            .dependencyForgotten,
            message: "it depends on \(dependency), which was lost when the file of the journal was damaged; "
                + "retry it where it makes sense alone, or edit or discard it")
    }

    /// Of what depends on an entry that is long gone.
    package static func forgotten(_ dependency: OutboxEntry.ID) -> Self {
        Self(
            .dependencyForgotten,
            message:
                "it depends on \(dependency), which is so long gone that the journal may have forgotten what became of it; "
                + "retry it where that was delivered and gave no ids, or edit or discard it")
    }
}
