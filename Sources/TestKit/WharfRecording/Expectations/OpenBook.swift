internal import Synchronization
internal import WharfChecks
internal import WharfCore
internal import WharfFakes

/// The expectations of one transport, and the place in its test where failures are reported.
final class OpenBook: RequestBook {
    private struct State {
        var book: ExpectationBook
        var isVerified = false
    }

    private let state: Mutex<State>
    private let rules: Redaction?
    private let place: CodePlace

    /// - Parameter rules: are applied to each request before it is compared.
    init(_ book: ExpectationBook, _ rules: Redaction?, _ place: CodePlace) {
        self.state = Mutex(State(book: book))
        self.rules = rules
        self.place = place
    }

    func answer(_ request: TransportRequest) async -> StubAnswer {
        let seen: SeenRequest
        do throws(TransportError) {
            seen = try await SeenRequest(request, redacting: rules)
        } catch {
            return .failure(error)
        }
        switch state.withLock({ $0.book.take(seen) }) {
        case .success(let handler): return await handler(request)
        case .failure(let failure):
            place.fail(failure.message)
            return .failure(TransportError(.unexpectedRequest, message: failure.message, cause: failure))
        }
    }

    func verify() throws(ExpectationFailure) {
        let failure = state.withLock { state in
            state.isVerified = true
            return state.book.failure
        }
        if let failure { throw failure }
    }

    /// Reports missing requests, unless `verify()` did. Unexpected ones were reported when they
    /// came.
    func close() {
        let missing = state.withLock { $0.isVerified ? [] : $0.book.missing }
        guard !missing.isEmpty else { return }
        place.fail((["expected requests that did not arrive:"] + missing).joined(separator: "\n"))
    }
}
