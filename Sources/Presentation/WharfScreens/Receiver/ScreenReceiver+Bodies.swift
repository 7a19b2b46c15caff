internal import WharfCore
internal import WharfJSON
internal import WharfPlayback

/// The bodies of requests, with a length limit for each.
extension ScreenReceiver {
    /// The answer to a request whose body is refused.
    struct Refusal: Error {
        /// The response with status 400 or 413 and a message, or 401 without a valid key.
        var response: TransportResponse
    }

    /// Parses a message of the protocol.
    ///
    /// - Parameter limit: the maximum length in bytes. Reading stops at the first byte beyond it.
    /// - Throws: if the body breaks off. The sender is gone then, and gets no answer.
    func message<Message: JSONDecodable>(
        _ type: Message.Type, in request: TransportRequest, upTo limit: Int
    ) async throws(TransportError) -> Result<Message, Refusal> {
        let bytes: [UInt8]
        do throws(TransportError) { bytes = try await request.body.collect(upTo: limit) } catch {
            guard error.code == .tooLarge else { throw error }
            return .failure(refusal(.contentTooLarge, error.message))
        }
        guard !bytes.isEmpty else {
            return .failure(refusal(.badRequest, "the request has no body; send a JSON object"))
        }
        do throws(JSONError) { return .success(try JSON.decode(type, from: bytes)) } catch {
            return .failure(refusal(.badRequest, error.message))
        }
    }

    func refusal(_ status: HTTPResponse.Status, _ message: String) -> Refusal {
        Refusal(response: answer(status, ScreenMessage.Failure(PlaybackError(.malformed, message))))
    }
}

extension RequestBody {
    /// Returns all bytes of the body.
    ///
    /// - Throws: `tooLarge` for more than `limit` bytes.
    func collect(upTo limit: Int) async throws(TransportError) -> [UInt8] {
        switch self {
        case .none: []
        case .bytes(let all): try await BodyStream(all).collect(upTo: limit)
        case .stream(let make, _): try await make().collect(upTo: limit)
        }
    }
}
