public import WharfChecks
public import WharfHTTP

/// The laws of each ``CredentialsProvider``.
///
/// They are checked against a service under test control. The service can revoke sign-ins and
/// become unreachable.
///
/// ```swift
/// @Test(arguments: CredentialsProviderLaws.all)
/// func mySignInKeeps(law: Law<CredentialsProviderLaws.Subject>) async throws {
///     try await law.check(.init("SignIn") {
///         let service = FakeService()
///         return .init(SignIn(service), revoke: { service.revoke() }, disconnect: { service.disconnect() })
///     })
/// }
/// ```
public enum CredentialsProviderLaws {
    /// A kind of provider, described by a function that makes one.
    public struct Subject: Sendable, CustomStringConvertible {
        public let description: String
        let make: @Sendable () async throws -> Stage

        /// Creates a subject.
        ///
        /// - Parameter make: called for each law.
        public init(_ name: String, _ make: @escaping @Sendable () async throws -> Stage) {
            description = name
            self.make = make
        }
    }

    /// A provider with a valid sign-in, and controls for the service behind it.
    public struct Stage: Sendable {
        let provider: any CredentialsProvider
        let revoke: @Sendable () async throws -> Void
        let disconnect: @Sendable () async throws -> Void

        /// Creates a stage.
        ///
        /// - Parameters:
        ///   - revoke: makes the service refuse the credential and its refresh from now on.
        ///   - disconnect: makes the service unreachable from now on.
        public init(
            _ provider: any CredentialsProvider, revoke: @escaping @Sendable () async throws -> Void,
            disconnect: @escaping @Sendable () async throws -> Void
        ) {
            self.provider = provider
            self.revoke = revoke
            self.disconnect = disconnect
        }

        fileprivate func shown() async throws -> Credential {
            try require(try await provider.credential(), "there was no credential")
        }
    }

    /// All laws.
    public static let all: [Law<Subject>] = [
        Law("a refresh gives another credential than the one that was refused") { subject in
            let provider = try await subject.make().provider
            guard let refused = try await provider.credential() else { return }
            let renewed = try await renewed(provider, refused)
            try require(renewed != refused, "it gave the same")
        },
        Law("when a refresh returns, its credential is the one to show") { subject in
            let stage = try await subject.make()
            guard let renewed = try await renewed(stage.provider, try await stage.shown()) else { return }
            let shown = try await stage.shown()
            try require(shown == renewed, "another was shown")
        },
        Law("a credential is shown without the service") { subject in
            let stage = try await subject.make()
            let before = try await stage.shown()
            try await stage.disconnect()
            let shown = try await stage.shown()
            try require(shown == before, "another was shown")
        },
        Law("a refresh says by CredentialRejection that the sign-in is over") { subject in
            let stage = try await subject.make()
            let refused = try await stage.shown()
            try await stage.revoke()
            let answer = try await require(onlyThrowing: CredentialRejection.self) {
                try await stage.provider.refresh(refused)
            }
            if case .success = answer { throw FailedRequirement(found: "it gave a credential") }
        },
        Law("a refresh that does not reach the service does not say that the sign-in is over") { subject in
            let stage = try await subject.make()
            let refused = try await stage.shown()
            // A provider without refreshes throws a rejection even if the service is reachable.
            guard try await renewed(stage.provider, refused) != nil else { return }
            let other = try await subject.make()
            try await other.disconnect()
            let answer = try await require(onlyThrowing: (any Error).self, where: { !($0 is CredentialRejection) }) {
                try await other.provider.refresh(try await other.shown())
            }
            if case .success = answer { throw FailedRequirement(found: "it gave a credential") }
        },
    ]

    /// Returns the renewed credential; nil if the provider can't refresh, as with an API key.
    private static func renewed(
        _ provider: any CredentialsProvider, _ refused: Credential
    ) async throws -> Credential? {
        let answer = try await require(onlyThrowing: CredentialRejection.self) { try await provider.refresh(refused) }
        return if case .success(let renewed) = answer { renewed } else { nil }
    }
}
