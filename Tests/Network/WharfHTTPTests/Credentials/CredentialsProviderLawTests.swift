import Testing
import WharfChecks
import WharfHTTP
import WharfHTTPLaws

/// The provider on which the middleware's tests rely keeps the laws.
@Suite struct CredentialsProviderLawTests {
    private struct Unreachable: Error {}

    @Test(arguments: CredentialsProviderLaws.all)
    func theScriptedTokensKeep(law: Law<CredentialsProviderLaws.Subject>) async throws {
        try await law.check(
            .init("TestTokens") {
                let tokens = try TestTokens()
                return .init(
                    tokens, revoke: { tokens.set(failure: CredentialRejection(message: "revoked")) },
                    disconnect: { tokens.set(failure: Unreachable()) })
            })
    }
}
