/// The reason why a delivery failed, in a form that can be stored.
public struct DeliveryFailure: CodedError, Hashable, Sendable {
    /// The kind of failure, as an extensible name.
    public struct Code: ErrorCode {
        /// The name, as in the description.
        public let name: String
        /// Creates a code from its name.
        public init(_ name: String) { self.name = name }

        /// The receiver can't be reached.
        public static let offline = Self("offline")
        /// There was no answer, or it was incomplete.
        public static let noAnswer = Self("noAnswer")
        /// The receiver is temporarily unavailable: 5xx.
        public static let unavailable = Self("unavailable")
        /// The receiver limits the rate: 429, or an exhausted quota.
        public static let rateLimited = Self("rateLimited")
        /// The receiver still processes a request with the same key: 409.
        ///
        /// Some receivers also answer 409 to a conflict of their own.
        public static let inProgress = Self("inProgress")
        /// The user is not signed in.
        public static let needsAuthentication = Self("needsAuthentication")
        /// Another client has changed the model.
        public static let conflict = Self("conflict")
        /// The receiver does not accept the entry.
        public static let rejected = Self("rejected")
        /// The limit of attempts or of time was reached.
        public static let exhausted = Self("exhausted")
        /// An entry that it depends on was discarded.
        public static let dependencyDiscarded = Self("dependencyDiscarded")
        /// The outcome of an entry that it depends on is unknown.
        ///
        /// The journal may have forgotten it because it is too long ago, or lost it in a damaged
        /// part of its file.
        public static let dependencyForgotten = Self("dependencyForgotten")
        /// The sender can't read the payload.
        public static let unreadable = Self("unreadable")
    }

    /// The kind of failure.
    public let code: Code
    /// The expected and the found state, and the remedy.
    public let message: String
    /// The status of an answer over HTTP.
    public let status: Int?

    /// Creates a failure.
    public init(_ code: Code, message: String, status: Int? = nil) {
        self.code = code
        self.message = message
        self.status = status
    }
}

extension DeliveryFailure {
    /// Returns the failure of an entry whose dependency was discarded.
    package static func discarded(_ dependency: OutboxEntry.ID) -> Self {
        Self(
            .dependencyDiscarded,
            message: "the entry depends on \(dependency), which was discarded; discard the entry as well, or retry it "
                + "if it makes sense alone")
    }

    /// Returns the failure of an entry whose dependency was lost with a damaged file.
    package static func lost(_ dependency: OutboxEntry.ID) -> Self {
        Self(
            .dependencyForgotten,
            message: "the entry depends on \(dependency), which was lost when the journal's file was damaged; retry "
                + "the entry if it makes sense alone, or edit or discard it")
    }

    /// Returns the failure of an entry whose dependency may have been forgotten.
    package static func forgotten(_ dependency: OutboxEntry.ID) -> Self {
        Self(
            .dependencyForgotten,
            message:
                "the entry depends on \(dependency), which is so old that the journal may have deleted its outcome; "
                + "retry the entry if the dependency was delivered and assigned no ids, or edit or discard it")
    }
}
