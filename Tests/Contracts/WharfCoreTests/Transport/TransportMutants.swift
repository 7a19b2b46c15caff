import Synchronization
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfFakes

/// Transports with one defect each.
enum TransportMutants {
    typealias Mutant = LawMutant<TransportLaws.Subject>
    typealias Send =
        @Sendable (any Transport, TransportRequest) async throws(TransportError) -> TransportResponse

    static let all = answers + bodies + endings + heads + framing + connections + around

    static func mutant(_ description: String, breaks law: String, _ send: @escaping Send) -> Mutant {
        Mutant(breaks: law, .overStub(description) { WrongTransport(base: $0, send: send) })
    }

    /// A mutant for which a law would wait for ever. The mutant reports that, and the law's time
    /// limit then ends at once.
    static func mutant(
        _ description: String, breaks law: String,
        _ send: @escaping @Sendable (_ hangs: @escaping @Sendable () -> Void) -> Send
    ) -> Mutant {
        let timer = TestClock()
        let send = send { timer.advance(by: .seconds(1_000)) }
        return Mutant(breaks: law, .overStub(description, timer: timer) { WrongTransport(base: $0, send: send) })
    }

    /// A mutant whose defect depends on the scene, as a stub does not play the bytes by which
    /// scenes differ.
    static func mutant(
        _ description: String, breaks law: String, where isMeant: @escaping @Sendable (TransportLaws.Scene) -> Bool,
        _ send: @escaping Send
    ) -> Mutant {
        let subject = TransportLaws.Subject(description) { scene, clock, body in
            let arrived = Gate()
            arrived.open()
            let stub = StubTransport(timer: clock) { _ in
                await arrived.pass()
                return StubAnswer(scene)
            }
            let transport: any Transport = isMeant(scene) ? WrongTransport(base: stub, send: send) : stub
            try await body(.init(transport: transport, stub: stub, playing: scene) { await arrived.arrivals() })
        }
        return Mutant(breaks: law, subject)
    }

    private struct WrongTransport: Transport {
        let base: any Transport
        let send: Send

        func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
            try await send(base, request)
        }
    }
}

extension TransportMutants {
    static let answers: [Mutant] = [
        mutant("throws what a server failed at", breaks: "every status is an answer") {
            (base, request) async throws(TransportError) in
            let response = try await base.send(request)
            guard response.head.status.code < 500 else {
                throw TransportError(.serverFailed, message: "status \(response.head.status)", response: response.head)
            }
            return response
        },
        mutant("follows redirects", breaks: "a redirect is an answer, with its Location and its body") {
            (base, request) async throws(TransportError) in
            let response = try await base.send(request)
            guard let location = response.head.headerFields[.location] else { return response }
            var next = request
            next.head.path = location
            return try await base.send(next)
        },
        mutant("turns PUT into POST", breaks: "a request arrives with its method, fields and body unchanged") { scene in
            scene.requestsPerConnection == nil
        } _: { (base, request) async throws(TransportError) in
            var changed = request
            if request.head.method == .put { changed.head.method = .post }
            return try await base.send(changed)
        },
        together(),
    ]

    private static func together() -> Mutant {
        // The requests in flight, by their numbers.
        let underWay = Mutex((methods: [Int: HTTPRequest.Method](), last: 0))
        return mutant(
            "asks once for all at one time", breaks: "concurrent requests do not get each other's answers"
        ) { (base, request) async throws(TransportError) in
            let number = underWay.withLock { state in
                state.last += 1
                state.methods[state.last] = request.head.method
                return state.last
            }
            defer { underWay.withLock { _ = $0.methods.removeValue(forKey: number) } }
            await letOthersRun { underWay.withLock { $0.methods.count > 1 } }
            var changed = request
            changed.head.method = underWay.withLock { state in
                state.methods.min { $0.key < $1.key }?.value ?? request.head.method
            }
            return try await base.send(changed)
        }
    }

    static let bodies: [Mutant] = [
        mutant("keeps Content-Encoding", breaks: "the head describes the bytes that are delivered") { scene in
            scene.encoded != nil
        } _: { (base, request) async throws(TransportError) in
            var response = try await base.send(request)
            response.head.headerFields[.contentEncoding] = "gzip"
            return response
        },
        mutant("answers HEAD by 204", breaks: "HEAD is answered by a head alone") {
            (base, request) async throws(TransportError) in
            var response = try await base.send(request)
            if request.head.method == .head { response.head.status = .noContent }
            return response
        },
        mutant("stops at a megabyte", breaks: "a large body comes whole and in order") {
            (base, request) async throws(TransportError) in
            let count = Mutex(0)
            return try await base.send(request).reading { (body) async throws(TransportError) in
                let room = (1 << 20) - count.withLock { $0 }
                guard room > 0, let piece = try await body.piece() else { return nil }
                count.withLock { $0 += piece.count }
                return Array(piece.prefix(room))
            }
        },
        mutant(
            "takes an end before the first byte for an empty body",
            breaks: "a body that ends early throws, and never looks complete"
        ) { (base, request) async throws(TransportError) in
            let isEmpty = Mutex(true)
            return try await base.send(request).reading { (body) async throws(TransportError) in
                do throws(TransportError) {
                    let piece = try await body.piece()
                    isEmpty.withLock { $0 = false }
                    return piece
                } catch {
                    if error.code == .connectionLost, isEmpty.withLock({ $0 }) { return nil }
                    throw error
                }
            }
        },
        mutant("forgets that it broke", breaks: "a second pass over a body that broke throws again") {
            (base, request) async throws(TransportError) in
            let broke = Mutex(false)
            return try await base.send(request).reading { (body) async throws(TransportError) in
                if broke.withLock({ $0 }) { return nil }
                do throws(TransportError) {
                    return try await body.piece()
                } catch {
                    broke.withLock { $0 = true }
                    throw error
                }
            }
        },
    ]
}
