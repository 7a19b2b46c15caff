public import WharfCore

/// Puts the current credential on requests to one origin, and refreshes it when the server refuses
/// it.
///
/// ```swift
/// let client = APIClient(
///     environment: environment, transport: transport,
///     middleware: [RetryMiddleware(), AuthenticationMiddleware(tokens, for: environment)], account: account)
/// ```
///
/// - **Where it goes.** To the origin of the environment's base URL (scheme, host and port) and
///   nowhere else. After a redirect to another origin `RedirectingTransport` leaves it behind, and
///   that origin's 401 stands. A request with an `Authorization` of its own goes by.
/// - **401.** All requests that were refused with one credential wait for one refresh, and each is
///   sent again once. One that was refused with an older credential than the current is sent again
///   without a refresh. A second 401 is the answer, and so is the first when there is nothing
///   newer.
/// - **Rejection.** Where the provider says that the sign-in is no longer valid
///   (``CredentialRejection``), all who wait get their
///   401. It is an answer, which nothing kept masks.
/// - **Failure.** What else the provider throws fails all who wait with
///   ``WharfCore/TransportError/Code/credentialUnavailable``; `cause` is what it threw. As with no
///   network, a GET or HEAD is then answered by what is kept below, with the failure in its
///   provenance: also when not even a first credential could be had, but then only for a client
///   with an account. The next request asks anew.
/// - **Cancellation.** One who leaves does not disturb the others, and the refresh goes on even
///   when all leave.
/// - **Time-out.** Waiting counts: the request sent again has what is left of its time.
/// - **Kept answers.** The cache below sees `Authorization`, and keeps nothing for a request with
///   one unless the client has an account. A kept 401 is never refreshed.
/// - **Order.** Behind ``RetryMiddleware``, as above: each try then has the credential that is
///   current when it is sent, and a failed refresh is not tried again.
/// - **The provider's own requests.** What it sends through the same middleware while it refreshes
///   goes by without a credential, since it can't wait for itself.
public struct AuthenticationMiddleware: Middleware {
    private let provider: any CredentialsProvider
    private let origin: Origin?
    private let refresh: CredentialRefresh
    private let clock: any Clock<Duration>
    private let acceptance: CredentialAcceptance

    /// - Parameters:
    ///   - environment: with ``APIEnvironment/absoluteURLs`` or a file URL, no request gets a
    ///     credential.
    ///   - clock: measures what is left of a request's time.
    ///   - onAcceptance: called when the server takes a credential after a 401 that stood, as after
    ///     a sign-in. An outbox whose requests were refused can go on then:
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
        guard let origin, origin == Origin(of: request.head), request.head.headerFields[.authorization] == nil,
            !refresh.isOfThisTask
        else { return try await next.send(request) }
        let deadline = request.timeout.map { Deadline(after: $0, on: clock) }
        let sentAfter = refresh.ended
        let shown: Credential?
        do {
            shown = try await current(for: request.head)
        } catch {
            // What is kept for nobody in particular may not be what this user would see.
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
            // The same as above.
            guard shown != nil || request.account != nil else { throw error }
            return try await next.kept(for: request.showing(shown, before: nil), beside: error)
        }
        guard let renewed else {
            acceptance.note(answer, to: shown)
            return answer
        }
        let second = try await next.send(request.showing(renewed, before: deadline))
        acceptance.note(second, to: renewed)
        return second
    }

    private func current(for request: HTTPRequest) async throws(TransportError) -> Credential? {
        do {
            return try await provider.credential(for: request)
        } catch {
            if Task.isCancelled { throw .cancelled }
            throw TransportError(
                .credentialUnavailable,
                message: "expected the current credential or none, but the provider failed; see the cause", cause: error
            )
        }
    }

    /// A refused answer is read before the wait begins, so that no connection is held that the
    /// refresh may need.
    private func attempt(
        _ request: TransportRequest, showing shown: Credential?, before deadline: Deadline?, _ next: any Transport
    ) async throws(TransportError) -> TransportResponse {
        var response = try await next.send(request.showing(shown, before: deadline))
        guard response.isRefusal(of: shown), request.cache != .storedOnly else { return response }
        do {
            response.body = BodyStream(try await response.body.collect(upTo: 64 << 10))
        } catch {
            if error.code == .cancelled || error.code == .timedOut { throw error }
            // The status is what counts here; that its explanation is too long or broke off is for
            // its reader.
            response.body = .failing(error)
        }
        return response
    }

    /// Nil when the refusal stands.
    private func replacement(
        after refusal: CredentialRefusal, _ sentAfter: UInt64, before deadline: Deadline?
    ) async throws(TransportError) -> Credential? {
        let outcome = await withTaskGroup(of: CredentialRefresh.Outcome?.self) { [refresh] group in
            group.addTask {
                // Thrown only when this request is cancelled, which is told below.
                do { return try await refresh.replacement(after: refusal, sentAfter: sentAfter) } catch { return nil }
            }
            if let deadline {
                group.addTask {
                    // Cancelled once the refresh is over.
                    do { try await deadline.wait() } catch { return nil }
                    return nil
                }
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
        switch outcome {
        case .success(let renewed): return renewed
        case .failure(is CredentialRejection): return nil
        case .failure(let error):
            throw TransportError(
                .credentialUnavailable,
                message: "expected a credential in place of the one that was refused, but the refresh failed; see the "
                    + "cause, and read again later",
                cause: error, response: refusal.response)
        case nil:
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
    /// Whether the server refused the credential just now; or that there was none, and says what it
    /// wants.
    fileprivate func isRefusal(of credential: Credential?) -> Bool {
        guard head.status == .unauthorized, provenance.source == .network, !leftCredentialsBehind else { return false }
        return credential != nil || !head.authenticationChallenges.isEmpty
    }
}
