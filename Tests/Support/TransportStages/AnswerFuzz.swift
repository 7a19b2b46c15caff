import Foundation
import Synchronization
import WharfCache
import WharfChecks
package import WharfCore
import WharfCoreLaws

/// Feeds mutated answers to a cached transport over real sockets, and compares the results.
///
/// Each result is compared with ``AnswerReading``:
///
/// - By the rules of HTTP, every returned or stored answer is contained in the bytes.
/// - The stored answer equals the returned one, and the next read of the cache returns it.
/// - Each request ends once its connection is closed.
///
/// If a process crashes, or hangs until `scripts/run-tests` ends it, the bytes that caused it are
/// in a file. The path of the file is printed at the start.
package final class AnswerFuzz: Sendable {
    private struct State {
        var answer = TransportLaws.Wire([])
        var count = 0
        var given = 0
        var kept = 0
    }

    private typealias Exchanged = Result<(head: HTTPResponse, body: [UInt8]), TransportError>

    private let transport: any Transport
    private let name: String
    private let state = Mutex(State())
    private let file: String

    private init(_ transport: any Transport, _ name: String) {
        self.transport = transport
        self.name = name
        let number = ProcessInfo.processInfo.processIdentifier
        let file = "wharf-answer-fuzz-\(name)-\(number).txt"
        self.file = FileManager.default.temporaryDirectory.appendingPathComponent(file).path
    }

    /// - Parameter runs: the number of answers. `WHARF_RUNS` overrides it, and `WHARF_SEED` sets
    ///   the first seed.
    /// - Throws: `Counterexample` with the smallest failing bytes and their seed.
    package static func run(_ name: String, over transport: any Transport, runs: Int = 1_000) async throws {
        let fuzz = AnswerFuzz(transport, name)
        print("\(name): an answer that ends the process is left in \(fuzz.file)")
        try Data().write(to: URL(fileURLWithPath: fuzz.file))
        defer {
            do { try FileManager.default.removeItem(atPath: fuzz.file) } catch { print("\(name): \(error)") }
        }
        try await RawPeer.run { _ in
            fuzz.state.withLock { $0.answer }
        } _: { peer in
            for seed in MutatedAnswer.seeds { try await fuzz.checkValid(seed.name, seed.bytes, peer) }
            try await forAll(.mutatedAnswer, runs: runs, name: name) { answer in try await fuzz.check(answer, peer) }
        }
        let (count, given, kept) = fuzz.state.withLock { ($0.count, $0.given, $0.kept) }
        print("\(name): \(count) answers, \(given) of them given, \(kept) stored")
        try require(kept > 0, "none of \(count) answers was stored")
    }

    /// Fails a transport that refuses a valid answer, as one that refuses all would pass every
    /// other check.
    private func checkValid(_ name: String, _ bytes: [UInt8], _ peer: RawPeer) async throws {
        let before = state.withLock { $0.given }
        try await check(MutatedAnswer(seed: name, bytes: bytes, mutations: []), peer)
        let isGiven = state.withLock { $0.given } > before
        try require(isGiven || MutatedAnswer.mayBeRefused.contains(name), "the valid answer \"\(name)\" was refused")
    }

    private func check(_ answer: MutatedAnswer, _ peer: RawPeer) async throws {
        let number = state.withLock { state in
            state.answer = answer.wire
            state.count += 1
            return state.count
        }
        try Data("\(answer)\n".utf8).write(to: URL(fileURLWithPath: file))
        let cache = CachingTransport(transport, store: MemoryCacheStore()) { _ in
            // The read also reports a body that breaks off.
        }
        let request = TransportRequest(peer.request("/\(number)"))
        let given = await Self.exchange(request, by: cache)
        var again = request
        again.cache = .storedOnly
        try judge(answer, given, await Self.exchange(again, by: cache))
    }

    private static func exchange(_ request: TransportRequest, by transport: any Transport) async -> Exchanged {
        do throws(TransportError) {
            let response = try await transport.send(request)
            return .success((response.head, try await response.body.collect(upTo: 1 << 24)))
        } catch {
            return .failure(error)
        }
    }

    private func judge(_ answer: MutatedAnswer, _ given: Exchanged, _ kept: Exchanged) throws {
        let readings = AnswerReading.all(of: answer.bytes)
        var first: (head: HTTPResponse, body: [UInt8])?
        if case .success(let given) = given {
            first = given
            state.withLock { $0.given += 1 }
            try require(
                readings.contains { $0.allows(given) },
                "a wrong answer was given: \(shown(given)); expected \(shown(readings))")
        }
        guard case .success(let kept) = kept else { return }
        state.withLock { $0.kept += 1 }
        guard let first else { throw Wrong("an answer was stored, \(shown(kept)), that was not given: \(given)") }
        try require(
            first.head.status == kept.head.status && first.body == kept.body,
            "another answer was stored than was given: \(shown(kept)); expected \(shown(first))")
    }

    private struct Wrong: Error, CustomStringConvertible {
        let description: String
        init(_ description: String) { self.description = description }
    }

    private func shown(_ answer: (head: HTTPResponse, body: [UInt8])) -> String {
        let coding = answer.head.headerFields[.contentEncoding].map { ", \($0)" } ?? ""
        return "\(answer.head.status.code)\(coding) \(MutatedAnswer.shown(answer.body))"
    }

    private func shown(_ readings: Set<AnswerReading>) -> String {
        guard !readings.isEmpty else { return "an error" }
        return readings.map { reading in
            let plain = reading.decoded.map(MutatedAnswer.shown).joined(separator: " or ")
            return "\(reading.status) \(plain)"
        }.joined(separator: ", or ")
    }
}

extension AnswerReading {
    fileprivate func allows(_ answer: (head: HTTPResponse, body: [UInt8])) -> Bool {
        allows(
            status: answer.head.status.code, body: answer.body,
            isDecoded: answer.head.headerFields[.contentEncoding] == nil)
    }
}
