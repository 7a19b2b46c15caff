import Testing
import WharfChecks
import WharfHTTP
import WharfHTTPLaws

/// The provider that the tests of the middleware rely on.
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
