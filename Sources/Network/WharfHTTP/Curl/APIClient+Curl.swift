public import WharfCore

extension APIClient {
    /// Returns a curl command line for a request, as this client would send it.
    ///
    /// Use it in a bug report, or to try the request in a shell.
    ///
    /// ```swift
    /// print(try await client.curl(for: Request<User>.get("users/1")))
    /// // curl https://api.example.com/users/1 -H 'Accept: application/json'
    /// ```
    ///
    /// Additions by middleware, such as a credential, are missing. A custom middleware can call
    /// ``WharfCore/TransportRequest/curl(revealing:)`` on the request that it sees. That method
    /// also describes which secrets are left out.
    ///
    /// - Throws: ``ReadFailure/Code/invalidRequest`` for a request that can't be sent, and the
    ///   errors of ``WharfCore/TransportRequest/curl(revealing:)``.
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
