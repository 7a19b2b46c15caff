import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes

extension TransportMutants {
    static let around: [Mutant] = [
        mutant("drops interim responses", breaks: interimLaw) { (base, request) async throws(TransportError) in
            var request = request
            request.onInterim = nil
            return try await base.send(request)
        },
        mutant("passes on the first interim response alone", breaks: interimLaw) {
            (base, request) async throws(TransportError) in
            let (response, heads) = try await collecting(base, request)
            if let head = heads.first { await request.onInterim?(head) }
            return response
        },
        mutant("passes on interim responses in another order", breaks: interimLaw) {
            (base, request) async throws(TransportError) in
            let (response, heads) = try await collecting(base, request)
            for head in heads.reversed() { await request.onInterim?(head) }
            return response
        },
        mutant("passes on an interim response a second time with the body", breaks: interimLaw) {
            (base, request) async throws(TransportError) in
            let (response, heads) = try await collecting(base, request)
            for head in heads { await request.onInterim?(head) }
            return response.reading { (body) async throws(TransportError) in
                if let last = heads.last { await request.onInterim?(last) }
                return try await body.piece()
            }
        },
        mutant("adds the fields of interim responses that it passes on", breaks: interimLaw) {
            (base, request) async throws(TransportError) in
            var (response, heads) = try await collecting(base, request)
            for head in heads {
                await request.onInterim?(head)
                response.head.headerFields.append(contentsOf: head.headerFields)
            }
            return response
        },
        mutant("drops trailers", breaks: trailerLaw) { (base, request) async throws(TransportError) in
            try await base.send(request).trailed { _ in nil }
        },
        mutant("makes trailers up", breaks: trailerLaw) { (base, request) async throws(TransportError) in
            try await base.send(request).trailed { ($0 ?? [:]).isEmpty ? [.via: "mutant"] : $0 }
        },
        mutant("adds trailers to the head", breaks: trailerLaw) { scene in
            !scene.trailers.isEmpty
        } _: { (base, request) async throws(TransportError) in
            var response = try await base.send(request)
            let bytes = try await response.body.collect()
            let trailers = response.body.trailers
            response.head.headerFields.append(contentsOf: trailers ?? [:])
            response.body = BodyStream(bytes)
            let body = Mutex<[UInt8]?>(bytes)
            return response.reading { (_) async throws(TransportError) in
                body.withLock { body in
                    defer { body = nil }
                    return body
                }
            }.trailed { _ in trailers }
        },
    ]

    private static let interimLaw = "interim responses are passed on in order, before the head"
    private static let trailerLaw = "trailers are readable after the body, and are not in the head"

    /// Sends a request, and keeps its interim responses back.
    private static func collecting(
        _ base: any Transport, _ request: TransportRequest
    ) async throws(TransportError) -> (TransportResponse, [HTTPResponse]) {
        let heads = Mutex<[HTTPResponse]>([])
        var observed = request
        observed.onInterim = { head in heads.withLock { $0.append(head) } }
        return (try await base.send(observed), heads.withLock { $0 })
    }
}
