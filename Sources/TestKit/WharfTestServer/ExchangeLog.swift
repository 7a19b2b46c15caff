#if TestServer
import WharfPrimitives

/// The exchanges of a server with their outcomes. Tests can wait for further ones.
final class ExchangeLog: Sendable {
    struct Exchange: Sendable {
        var request: TestRequest
        var bytesSent = 0
        var outcome: TestServer.Outcome?
    }

    // The exchange at an index has the number index + 1, and none is ever removed. So a number
    // stays valid.
    private let monitor = Monitor<[Exchange]>([])

    var exchanges: [Exchange] { monitor.read { $0 } }

    func append(_ request: TestRequest) -> TestRequest {
        change { exchanges in
            var numbered = request
            numbered.number = exchanges.count + 1
            exchanges.append(Exchange(request: numbered))
            return numbered
        }
    }

    func sent(_ count: Int, of number: Int) {
        change { $0[number - 1].bytesSent += count }
    }

    func forgetBody(of number: Int) {
        change { $0[number - 1].request.body = [] }
    }

    /// Sets the outcome. Only the first one counts.
    func end(_ number: Int, _ outcome: TestServer.Outcome) {
        change { exchanges in
            if exchanges[number - 1].outcome == nil { exchanges[number - 1].outcome = outcome }
        }
    }

    /// Waits until `value` returns a value.
    ///
    /// - Throws: `CancellationError`.
    func first<Value: Sendable>(_ value: @escaping @Sendable ([Exchange]) -> Value?) async throws -> Value {
        while true {
            let isThere = await monitor.waitUnlessCancelled { value($0) != nil }
            // Read again, as the log may have changed before this task continued.
            if let found = value(exchanges) { return found }
            if !isThere { throw CancellationError() }
        }
    }

    private func change<Result: Sendable>(_ body: (inout [Exchange]) -> Result) -> Result {
        monitor.withLock { exchanges, _ in body(&exchanges) }
    }
}
#endif
