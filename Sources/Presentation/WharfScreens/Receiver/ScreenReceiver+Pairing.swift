internal import WharfCore
internal import WharfPlayback

/// Pairing, and the authentication of requests by its keys.
extension ScreenReceiver {
    private static let pairingLimit = 1024

    /// Answers `POST /pairing`.
    func pair(_ request: TransportRequest, _ pairing: ScreenPairing) async throws(TransportError) -> TransportResponse {
        let message: PairingMessage.Request
        switch try await self.message(PairingMessage.Request.self, in: request, upTo: Self.pairingLimit) {
        case .success(let read): message = read
        case .failure(let refusal): return refusal.response
        }
        do throws(PlaybackError) {
            return answer(.created, try pairing.pair(message), fields: [.cacheControl: "no-store"])
        } catch {
            return answer(error.code == .malformed ? .badRequest : .forbidden, ScreenMessage.Failure(error))
        }
    }

    /// Checks that a request comes from a paired controller, and is not replayed.
    ///
    /// - Returns: the request with its body in memory, or an answer with 401 or 413. Without a
    ///   pairing, the request unchanged.
    func authenticated(
        _ request: TransportRequest
    ) async throws(TransportError) -> Result<TransportRequest, Refusal> {
        guard let pairing else { return .success(request) }
        guard let signature = request.head.headerFields[.authorization].flatMap(RequestSignature.init(field:)),
            // Before the body is read: a stranger must not make the receiver buffer a megabyte.
            pairing.knows(signature)
        else { return .failure(unauthorized(.unpaired)) }
        var request = request
        let body: [UInt8]
        do throws(TransportError) { body = try await request.body.collect(upTo: Self.bodyLimit) } catch {
            guard error.code == .tooLarge else { throw error }
            return .failure(refusal(.contentTooLarge, error.message))
        }
        let message = RequestSignature.message(
            request.head.method, request.head.path ?? "/", counter: signature.counter, body: body)
        do throws(PlaybackError) { try pairing.verify(signature, for: message) } catch {
            return .failure(unauthorized(error))
        }
        request.body = body.isEmpty ? .none : .bytes(body)
        return .success(request)
    }

    /// Returns a 401, which has to name the scheme (RFC 9110, section 11.6.1).
    private func unauthorized(_ error: PlaybackError) -> Refusal {
        let scheme = RequestSignature.scheme
        return Refusal(
            response: answer(.unauthorized, ScreenMessage.Failure(error), fields: [.wwwAuthenticate: scheme]))
    }
}
