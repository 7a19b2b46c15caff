import Synchronization
import Testing
import WharfChecks
import WharfHTTP
import WharfHTTPLaws

@Suite struct CredentialsProviderLawTests {
    @Test(arguments: CredentialsProviderLaws.all)
    func aSignInKeeps(law: Law<CredentialsProviderLaws.Subject>) async throws {
        try await law.check(SignIn.subject())
    }

    @Test(arguments: CredentialsProviderLaws.all)
    func fixedCredentialKeeps(law: Law<CredentialsProviderLaws.Subject>) async throws {
        let fixed = FixedCredential(try .bearer("key"))
        try await law.check(.init("FixedCredential") { .init(fixed, revoke: {}, disconnect: {}) })
    }

    @Test(arguments: SignIn.Fault.allCases)
    func aProviderThatIsWrongBreaksItsLawAndNoOther(fault: SignIn.Fault) async throws {
        let names = try await CredentialsProviderLaws.all.violations(by: SignIn.subject(fault)).map(\.law)
        #expect(names.count == 1 && names[0].contains(fault.rawValue), "broken were \(names)")
    }

    @Test func everyLawIsBrokenBySomeProvider() {
        for law in CredentialsProviderLaws.all {
            #expect(SignIn.Fault.allCases.contains { law.name.contains($0.rawValue) }, "nothing breaks \(law)")
        }
    }
}

/// Tokens that a service counts.
final class SignIn: CredentialsProvider {
    struct Unreachable: Error {}

    /// Each raw value is a part of the name of the law that must detect the fault.
    enum Fault: String, CaseIterable {
        case givesTheSame = "gives another credential"
        case forgetsTheNewOne = "when a refresh returns"
        case asksForEachRequest = "without the service"
        case saysItIsUnreachable = "says by CredentialRejection"
        case takesSilenceForRefusal = "does not reach the service"
    }

    private struct State {
        var token = 1
        var issued = 1
        var isRevoked = false
        var isReachable = true
    }

    private let fault: Fault?
    private let state = Mutex(State())

    init(_ fault: Fault?) { self.fault = fault }

    static func subject(_ fault: Fault? = nil) -> CredentialsProviderLaws.Subject {
        .init(fault.map { "\($0)" } ?? "SignIn") {
            let provider = SignIn(fault)
            return .init(
                provider, revoke: { provider.state.withLock { $0.isRevoked = true } },
                disconnect: { provider.state.withLock { $0.isReachable = false } })
        }
    }

    func credential() async throws -> Credential? {
        let state = state.withLock { $0 }
        if fault == .asksForEachRequest, !state.isReachable { throw Unreachable() }
        return try .bearer("\(state.token)")
    }

    func refresh(_ rejected: Credential) async throws -> Credential {
        let token = try state.withLock { state in
            guard state.isReachable else {
                throw fault == .takesSilenceForRefusal
                    ? CredentialRejection(message: "no answer") : Unreachable() as any Error
            }
            guard !state.isRevoked else {
                throw fault == .saysItIsUnreachable
                    ? Unreachable() : CredentialRejection(message: "revoked") as any Error
            }
            if fault != .givesTheSame { state.issued += 1 }
            if fault != .forgetsTheNewOne { state.token = state.issued }
            return state.issued
        }
        return try .bearer("\(token)")
    }
}
