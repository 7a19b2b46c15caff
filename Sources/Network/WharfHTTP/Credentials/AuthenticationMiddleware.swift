public import WharfCore

/// Sends the current credential to one origin, and refreshes it after a 401.
///
/// ```swift
/// let client = APIClient(
///     environment: environment, transport: transport,
///     middleware: [RetryMiddleware(), AuthenticationMiddleware(tokens, for: environment)], account: account)
/// ```
///
/// - **Scope.** The credential is sent only to the origin of the environment's base URL (scheme,
///   host and port). On a redirect to another origin `RedirectingTransport` removes it, and that
///   origin's 401 is returned. A request with its own `Authorization` is passed on unchanged.
/// - **401.** Requests that were refused with the same credential share one refresh, and each is
///   sent again once. A request that was refused with an older credential than the current one is
///   sent again without a refresh. A second 401 is returned, and so is the first one if there is no
///   newer credential.
/// - **Rejection.** If the provider throws ``CredentialRejection``, the sign-in is no longer valid,
///   and all waiting requests get their 401. It is an answer, so no stored response masks it.
/// - **Failure.** Any other error of the provider fails all waiting requests with
///   ``WharfCore/TransportError/Code/credentialUnavailable`` and that error as `cause`. The next
///   request starts a new refresh.
/// - **Fallback.** After such a failure a GET or HEAD gets a stored response from the cache below,
///   as if offline, with the failure in its provenance. If the provider had no credential to begin
///   with, only a client with an account gets one.
/// - **Cancellation.** A cancelled request does not disturb the other ones. The refresh goes on
///   even if all requests are cancelled.
/// - **Timeout.** Waiting counts: the request that is sent again has the rest of its time.
/// - **Stored responses.** The cache below sees `Authorization`, and stores no response to a
///   request with it unless the client has an account. A stored 401 never starts a refresh.
/// - **Order.** Put it after ``RetryMiddleware``, as above. Each attempt then has the current
///   credential, and a failed refresh is not retried.
/// - **The provider's own requests.** A request that the provider sends through the same middleware
///   during a refresh goes without a credential. Otherwise the refresh would wait for itself: a
///   deadlock.
public struct AuthenticationMiddleware: Middleware {
    private let provider: any CredentialsProvider
    private let origin: Origin?
    private let refresh: CredentialRefresh
    private let clock: any Clock<Duration>
    private let acceptance: CredentialAcceptance

    /// Creates the middleware for the origin of an environment.
    ///
    /// - Parameters:
    ///   - environment: with ``APIEnvironment/absoluteURLs`` or a file URL, no request gets a
    ///     credential.
    ///   - clock: measures the rest of a request's time.
    ///   - onAcceptance: called when the server accepts another credential than the one it refused,
    ///     for example after a sign-in. Resume an outbox whose requests were refused:
    ///     `OutboxEngine.credentialChanged()`. A stack does that by itself.
    public init(
        _ provider: any CredentialsProvider, for environment: APIEnvironment,
        clock: any Clock<Duration> = ContinuousClock(), onAcceptance: @escaping @Sendable () -> Void = {}
    ) {
        self.provider = provider
        self.origin = environment.base.flatMap { Origin(scheme: $0.scheme, authority: $0.authority) }
        self.refresh = CredentialRefresh(provider)
        self.clock = clock
        acceptance = CredentialAcceptance(onAcceptance)
    }

    public func send(
        _ request: TransportRequest, next: any Transport
    ) async throws(TransportError) -> TransportResponse {
        // The provider's own request during a refresh goes without a credential: waiting for the
        // refresh would be a deadlock.
        guard let origin, origin == Origin(of: request.head), request.head.headerFields[.authorization] == nil,
            !refresh.isOfThisTask
        else { return try await next.send(request) }
        let deadline = request.timeout.map { Deadline(after: $0, on: clock) }
        // Noted before the request is sent. A refresh that ends after this moment may be the reason
        // of the 401 or its remedy.
        let sentAfter = refresh.ended
        let shown: Credential?
        do {
            shown = try await current(for: request.head)
        } catch {
            // Without an account, a stored response may belong to another user.
            guard request.account != nil else { throw error }
            return try await next.kept(for: request, beside: error)
        }
        let answer = try await attempt(request, showing: shown, before: deadline, next)
        guard answer.isRefusal(of: shown), request.cache != .storedOnly else {
            acceptance.note(answer, to: shown)
            return answer
        }
        let renewed: Credential?
        do {
            let refusal = CredentialRefusal(credential: shown, request: request.head, response: answer.head)
            renewed = try await replacement(after: refusal, sentAfter, before: deadline)
        } catch {
            // Without a credential and an account, a stored response may belong to another user.
            guard shown != nil || request.account != nil else { throw error }
            return try await next.kept(for: request.showing(shown, before: nil), beside: error)
        }
        guard let renewed else {
            acceptance.note(answer, to: shown)
            return answer
        }
        // Sent once more. A second 401 is the caller's: another refresh could go on for ever.
        let second = try await next.send(request.showing(renewed, before: deadline))
        acceptance.note(second, to: renewed)
        return second
    }

    private func current(for request: HTTPRequest) async throws(TransportError) -> Credential? {
        do {
            return try await provider.credential(for: request)
        } catch {
            // A cancellation inside the provider is the caller's own, and no failure of the
            // credential.
            if Task.isCancelled { throw .cancelled }
            throw TransportError(
                .credentialUnavailable,
                message: "the provider could not return the current credential; see the cause", cause: error
            )
        }
    }

    /// Sends a request, and reads the body of a 401 before the wait for a refresh. Otherwise the
    /// response would hold a connection that the refresh may need.
    private func attempt(
        _ request: TransportRequest, showing shown: Credential?, before deadline: Deadline?, _ next: any Transport
    ) async throws(TransportError) -> TransportResponse {
        var response = try await next.send(request.showing(shown, before: deadline))
        guard response.isRefusal(of: shown), request.cache != .storedOnly else { return response }
        do {
            response.body = BodyStream(try await response.body.collect(upTo: 64 << 10))
        } catch {
            if error.code == .cancelled || error.code == .timedOut { throw error }
            // Only the status matters here. If the body is too long or breaks off, its reader gets
            // that error.
            response.body = .failing(error)
        }
        return response
    }

    /// Returns the credential to try next; nil if the 401 is to be returned.
    private func replacement(
        after refusal: CredentialRefusal, _ sentAfter: UInt64, before deadline: Deadline?
    ) async throws(TransportError) -> Credential? {
        // Two children: the refresh and the request's own deadline. The refresh itself runs on in
        // its detached task.
        let outcome = await withTaskGroup(of: CredentialRefresh.Outcome?.self) { [refresh] group in
            group.addTask {
                // This throws only if this request is cancelled, which the switch below reports.
                do { return try await refresh.replacement(after: refusal, sentAfter: sentAfter) } catch { return nil }
            }
            if let deadline {
                group.addTask {
                    // The sleep is cancelled once the refresh is over.
                    do { try await deadline.wait() } catch { return nil }
                    return nil
                }
            }
            let first = await group.next() ?? nil
            // The group waits for its children, so the other one must be ended.
            group.cancelAll()
            return first
        }
        switch outcome {
        case .success(let renewed): return renewed
        case .failure(is CredentialRejection): return nil
        case .failure(let error):
            throw TransportError(
                .credentialUnavailable,
                message: "the server refused the credential, and its refresh failed; see the cause, and read again "
                    + "later",
                cause: error, response: refusal.response)
        case nil:
            // Nil has two causes, a cancellation or the deadline. The task's own state tells them
            // apart.
            guard !Task.isCancelled, let deadline else { throw .cancelled }
            throw .timedOut(after: deadline.timeout)
        }
    }
}

extension TransportRequest {
    fileprivate func showing(_ credential: Credential?, before deadline: Deadline?) -> TransportRequest {
        var request = self
        if let credential { request.head.headerFields[.authorization] = credential.authorization }
        request.timeout = deadline.map { max(.zero, $0.remaining()) }
        return request
    }
}

extension TransportResponse {
    /// Returns whether the server itself refused the credential, or sent a challenge to a request
    /// without one.
    fileprivate func isRefusal(of credential: Credential?) -> Bool {
        // The 401 of another origin is no refusal: the credential was removed before the redirect.
        guard head.status == .unauthorized, provenance.source == .network, !leftCredentialsBehind else { return false }
        return credential != nil || !head.authenticationChallenges.isEmpty
    }
}
