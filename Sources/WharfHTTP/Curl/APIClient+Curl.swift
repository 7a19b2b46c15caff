public import WharfCore

extension APIClient {
    /// A command line that sends what this client would send: for a bug report, or to try it in a
    /// shell.
    ///
    /// ```swift
    /// print(try await client.curl(for: Request<User>.get("users/1")))
    /// // curl https://api.example.com/users/1 -H 'Accept: application/json'
    /// ```
    ///
    /// What middleware adds, such as a credential, is not there; a middleware of your own can ask
    /// the request that it sees. Secrets are left out as
    /// ``WharfCore/TransportRequest/curl(revealing:)`` says.
    ///
    /// - Throws: ``ReadFailure/Code/invalidRequest`` for a request that could not be sent; what
    ///   that function throws.
    public func curl<Payload>(
        for request: Request<Payload>, revealing: Bool = false
    ) async throws(ReadFailure) -> String {
        let addressed = try addressed(request)
        do {
            return try await addressed.curl(revealing: revealing)
        } catch {
            throw ReadFailure(error)
        }
    }
}
