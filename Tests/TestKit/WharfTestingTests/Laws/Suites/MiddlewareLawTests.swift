import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfHTTP
import WharfHTTPLaws

@Suite struct MiddlewareLawTests {
    @Test(arguments: MiddlewareLaws.all)
    func retryingMiddlewareKeeps(law: Law<MiddlewareLaws.Subject>) async throws {
        try await law.check(Conformer("Again") { Again() })
    }

    @Test(arguments: MiddlewareLaws.all)
    func answeringMiddlewareKeeps(law: Law<MiddlewareLaws.Subject>) async throws {
        try await law.check(Conformer("Refusing") { Refusing() })
    }

    @Test func middlewareIgnoringCancellationBreaksItsLawAndNoOther() async throws {
        let names = try await MutantProof.$effort.withValue(1) {
            try await MiddlewareLaws.all.violations(by: Conformer("Detached") { Detached() }).map(\.law)
        }
        #expect(names == ["a cancelled middleware cancels the transport that it waits for"])
    }

    @Test func middlewareKeepingBodiesBreaksItsLawAndNoOther() async throws {
        for keepsLast in [false, true] {
            let names = try await MutantProof.$effort.withValue(1) {
                try await MiddlewareLaws.all.violations(
                    by: Conformer("Hoarding") { Hoarding(keepsLast: keepsLast) }
                ).map(\.law)
            }
            #expect(names == ["the body of an answer that is not handed on is let go"])
        }
    }
}

private struct Again: Middleware {
    func send(_ request: TransportRequest, next: any Transport) async throws(TransportError) -> TransportResponse {
        for _ in 0..<2 {
            let response = try await next.send(request)
            if response.head.status.code < 500 { return response }
        }
        return try await next.send(request)
    }
}

private struct Refusing: Middleware {
    func send(_ request: TransportRequest, next: any Transport) async throws(TransportError) -> TransportResponse {
        throw TransportError(.offline, message: "always")
    }
}

private struct Detached: Middleware {
    func send(_ request: TransportRequest, next: any Transport) async throws(TransportError) -> TransportResponse {
        let task = Task.detached { () async -> Result<TransportResponse, TransportError> in
            do throws(TransportError) { return .success(try await next.send(request)) } catch { return .failure(error) }
        }
        return try await task.value.get()
    }
}

private final class Hoarding: Middleware {
    private let keepsLast: Bool
    private let kept = Mutex<[BodyStream]>([])

    init(keepsLast: Bool) { self.keepsLast = keepsLast }

    func send(_ request: TransportRequest, next: any Transport) async throws(TransportError) -> TransportResponse {
        let first = try await next.send(request)
        guard first.head.status.code >= 500 || keepsLast else { return first }
        kept.withLock { $0.append(first.body) }
        return keepsLast ? first : try await next.send(request)
    }
}
