internal import Synchronization
internal import WharfCore
internal import WharfDependencies
internal import WharfFakes

/// The expectations of one transport, and the place in its test where failures are reported.
final class OpenBook: RequestBook {
    private struct State {
        var book: ExpectationBook
        var isVerified = false
    }

    // Once `isVerified` is true, `close()` reports nothing: the caller of `verify()` has the
    // failures.
    private let state: Mutex<State>
    private let rules: Redaction?
    private let place: TestPlace

    /// - Parameter rules: are applied to each request before it is compared.
    init(_ book: ExpectationBook, _ rules: Redaction?, _ place: TestPlace) {
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
            // Reported here and not only thrown, as the code under test may handle the error.
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
