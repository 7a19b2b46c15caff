import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfCoreLaws
import WharfStorage

@testable import WharfCache

@Suite struct StoringBodyTests {
    /// A body of pieces, which fails after a cancellation or at its end.
    private final class Pieces: BodyStream.Producer {
        private struct State {
            var rest: ArraySlice<[UInt8]>
            var end: TransportError?
        }

        private let state: Mutex<State>

        init(_ bytes: [UInt8], size: Int = 10_000, end: TransportError? = nil) {
            let starts = stride(from: 0, to: bytes.count, by: size)
            state = Mutex(State(rest: starts.map { Array(bytes[$0...].prefix(size)) }[...], end: end))
        }

        func next() async throws(TransportError) -> [UInt8]? {
            let (piece, end) = state.withLock { ($0.rest.popFirst(), $0.end) }
            if let piece { return piece }
            if let end { throw end }
            return nil
        }

        func cancel() {
            state.withLock { state in
                if state.rest.isEmpty { return }
                (state.rest, state.end) = ([], TransportError(.cancelled, message: "cancelled"))
            }
        }
    }

    private static let key = CacheKey(target: "https://example.com/a")

    private func sink() async throws -> StoringBody.Sink {
        let rig = Rig()
        let head = StoredHead(response: HTTPResponse(status: .ok), requestedAt: noon, respondedAt: noon)
        return StoringBody.Sink(
            writer: try await rig.store.begin(Self.key, head), key: Self.key,
            inFlight: InvalidationFence().enter(Self.key), cache: rig.cache)
    }

    @Test(arguments: BodyProducerLaws.all)
    func storingBodyKeeps(law: Law<BodyProducerLaws.Subject>) async throws {
        try await law.check(
            .init("StoringBody") { bytes in
                StoringBody(nil, rest: BodyStream(Pieces(bytes)), length: Int64(bytes.count), into: try await sink())
            })
        try await law.check(
            .init("StoringBody after a start") { bytes in
                let rest = BodyStream(Pieces(bytes))
                let start = try await WholeBody(rest, length: nil, limit: 25_000)
                return StoringBody(start, rest: rest, length: nil, into: try await sink())
            })
        try await law.check(
            .init("StoringBody of a complete start") { bytes in
                let rest = BodyStream(Pieces(bytes))
                let start = try await WholeBody(rest, length: nil, limit: .max - 1)
                return StoringBody(start, rest: rest, length: nil, into: nil)
            })
    }

    @Test func storingBodyThatFailedThrowsItsErrorAgain() async throws {
        let lost = TransportError(.connectionLost, message: "scripted")
        let body = StoringBody(nil, rest: BodyStream(Pieces([1], end: lost)), length: nil, into: try await sink())
        #expect(try await body.next() == [1])
        for _ in 0..<2 { #expect(await code { _ = try await body.next() } == .connectionLost) }
    }

    /// A client of HTTP/1.1 knows the length, and may close the connection after the last byte.
    @Test func responseIsStoredForAReaderThatLeavesAfterTheLastByte() async throws {
        let sink = try await sink()
        do {
            let body = StoringBody(nil, rest: BodyStream(Pieces([1, 2], size: 1)), length: 2, into: sink)
            _ = try await body.next()
            #expect(try await sink.cache.store.lookup(Self.key) { _ in nil }.variants.isEmpty)
            #expect(try await body.next() == [2])
            body.cancel()
        }
        #expect(try await sink.cache.store.lookup(Self.key) { _ in nil }.variants.count == 1)
    }

    @Test(arguments: [nil, TransportError(.connectionLost, message: "scripted")])
    func surplusOrFailureAfterTheLastByteIsThrownAndNotStored(end: TransportError?) async throws {
        let sink = try await sink()
        let bytes: [UInt8] = end == nil ? [1, 2, 3] : [1, 2]
        let body = StoringBody(nil, rest: BodyStream(Pieces(bytes, size: 1, end: end)), length: 2, into: sink)
        #expect(try await body.next() == [1])
        #expect(try await body.next() == [2])
        for _ in 0..<2 { #expect(await code { _ = try await body.next() } == .connectionLost) }
        #expect(try await sink.cache.store.lookup(Self.key) { _ in nil }.variants.isEmpty)
    }

    @Test func storingBodyOfAnotherLengthNeverLooksComplete() async throws {
        let body = StoringBody(nil, rest: BodyStream(Pieces([1])), length: 2, into: try await sink())
        #expect(try await body.next() == [1])
        for _ in 0..<2 { #expect(await code { _ = try await body.next() } == .connectionLost) }
    }
}
