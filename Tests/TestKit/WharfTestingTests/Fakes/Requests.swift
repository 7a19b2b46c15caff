import Testing
import WharfCore

extension TransportRequest {
    static func sample(_ method: HTTPRequest.Method, _ path: String, body: String = "") -> TransportRequest {
        let head = HTTPRequest(method: method, scheme: "https", authority: "api.example.com", path: path)
        return TransportRequest(head, body: body.isEmpty ? .none : .bytes(Array(body.utf8)))
    }
}

extension Transport {
    /// The complete body of the answer to a GET.
    func text(_ path: String) async throws(TransportError) -> String {
        String(decoding: try await send(.sample(.get, path)).body.collect(), as: UTF8.self)
    }

    /// The error of a GET, or nil if it succeeds.
    func failure(_ path: String) async -> TransportError? {
        do throws(TransportError) {
            _ = try await text(path)
            return nil
        } catch {
            return error
        }
    }

    /// The message of the failure.
    func refusal(_ request: TransportRequest) async -> String? {
        do throws(TransportError) {
            _ = try await send(request).body.collect()
            return nil
        } catch {
            return error.message
        }
    }
}

/// The result of `body`, which must record an issue.
func expectingIssue<Value: Sendable>(_ body: () async -> Value?) async -> Value? {
    var value: Value?
    await withKnownIssue { value = await body() }
    return value
}
