#if os(Linux)
import Synchronization
import Testing
import WharfChecks
import WharfCore

@testable import WharfCurl

/// The states of an exchange, tested without libcurl.
struct StateTests {
    private static let lost = TransportError(.connectionLost, message: "lost")

    private func receive(_ bytes: [UInt8], _ state: inout AnswerState) -> String {
        switch bytes.withUnsafeBytes({ state.receive($0) }) {
        case .taken(let reader): reader == nil ? "buffered" : "read"
        case .paused: "paused"
        case .refused: "refused"
        }
    }

    private func read(_ state: inout AnswerState) -> String {
        switch state.read() {
        case .piece(let piece, let resumes): "\(piece.count)\(resumes ? " resumes" : "")"
        case .end(.success): "end"
        case .end(.failure(let error)): "\(error.code)"
        case .nothingYet: "nothing"
        }
    }

    @Test func aFullBufferPausesAndTakingItResumes() {
        var state = AnswerState()
        #expect(read(&state) == "nothing")
        let piece = [UInt8](repeating: 1, count: 100 << 10)
        #expect(receive(piece, &state) == "buffered")
        #expect(receive(piece, &state) == "paused")
        #expect(read(&state) == "102400 resumes")
        #expect(receive(piece, &state) == "buffered")
        #expect(read(&state) == "102400")
    }

    @Test func aPieceAboveTheLimitIsTakenByAnEmptyBuffer() {
        var state = AnswerState()
        #expect(receive([UInt8](repeating: 1, count: 200 << 10), &state) == "buffered")
        #expect(receive([1], &state) == "paused")
    }

    @Test func aReaderThatWaitsGetsThePieceUnbuffered() {
        var state = AnswerState()
        _ = state.waitForPiece { _ in }
        #expect(receive([1], &state) == "read")
        #expect(read(&state) == "nothing")
    }

    @Test func bufferedBytesAreReadBeforeTheError() {
        var state = AnswerState()
        #expect(receive([1], &state) == "buffered")
        #expect(state.finish(.failure(Self.lost), dropsRest: false) != nil)
        #expect(receive([1], &state) == "refused")
        #expect((read(&state), read(&state), read(&state)) == ("1", "connectionLost", "connectionLost"))
    }

    @Test func nothingIsReadAfterACancellation() {
        var state = AnswerState()
        #expect(receive([1], &state) == "buffered")
        _ = state.finish(.failure(.cancelled), dropsRest: true)
        #expect(read(&state) == "cancelled")
    }

    @Test func laterEndDoesNotReplaceTheFirst() {
        var state = AnswerState()
        #expect(state.finish(.failure(Self.lost), dropsRest: false) != nil)
        #expect(state.finish(.success(()), dropsRest: false) == nil)
        #expect(read(&state) == "connectionLost")
    }

    @Test func theEndReachesBothReaders() {
        let received = Mutex<[String]>([])
        var state = AnswerState()
        _ = state.waitForHead { result in received.withLock { $0.append("head \(result)") } }
        _ = state.waitForPiece { result in received.withLock { $0.append("piece \(result)") } }
        state.finish(.failure(Self.lost), dropsRest: false)?.tell(.failure(Self.lost))
        #expect(received.withLock { $0.count } == 2)
    }

    // MARK: Uploads

    private func give(_ count: Int, _ state: inout UploadState) -> String {
        var room = [UInt8](repeating: 0, count: count)
        return room.withUnsafeMutableBytes { room in
            switch state.give(room) {
            case .bytes(let count, let pump):
                "\(room.prefix(count).map { String($0) }.joined())\(pump == nil ? "" : " pump")"
            case .paused: "paused"
            case .end: "end"
            case .refused: "refused"
            }
        }
    }

    @Test func anUploadPausesUntilThePumpBringsMore() {
        var state = UploadState()
        #expect(give(2, &state) == "paused")
        #expect(state.bring([1, 2, 3], isLast: false) == true)
        #expect(state.wait { _ in } == nil)
        #expect(give(2, &state) == "12")
        #expect(give(2, &state) == "3 pump")
        #expect(give(2, &state) == "paused")
        #expect(state.bring([], isLast: true) == true)
        #expect(give(2, &state) == "end")
    }

    @Test func anUploadThatIsOverWantsNoMore() {
        var state = UploadState()
        #expect(state.bring([1], isLast: false) == false)
        #expect(state.wait { _ in } == nil)
        #expect(state.finish() != nil)
        #expect(state.wait { _ in } == false)
        #expect(state.bring([1], isLast: false) == false)
        #expect(give(1, &state) == "refused")
    }

    // MARK: Permits

    @Test func permitsAreGrantedInOrderPerHost() {
        var queue = HostQueue<Int>(limit: 2)
        #expect((1...4).map { queue.enter($0, at: "a") } == [true, true, false, false])
        #expect(queue.enter(5, at: "b") == true, "hosts do not share permits")
        #expect([queue.leave("a"), queue.leave("a"), queue.leave("a"), queue.leave("a")] == [3, 4, nil, nil])
        #expect(queue.enter(6, at: "a") == true)
    }

    @Test func aPermitTakenBackMayExceedTheLimit() {
        var queue = HostQueue<Int>(limit: 1)
        #expect(queue.enter(1, at: "a") == true)
        #expect(queue.enter(2, at: "a") == false)
        // The first one stalls, the second starts, and the first continues.
        #expect(queue.leave("a") == 2)
        queue.reenter("a")
        #expect(queue.enter(3, at: "a") == false)
        #expect(queue.leave("a") == nil)
        #expect(queue.leave("a") == 3)
    }

    @Test func anItemThatWithdrawsIsPassedOver() {
        var queue = HostQueue<Int>(limit: 1)
        #expect((1...4).map { queue.enter($0, at: "a") } == [true, false, false, false])
        queue.withdraw(from: "a") { $0 == 3 }
        queue.withdraw(from: "a") { $0 == 9 }
        #expect([queue.leave("a"), queue.leave("a"), queue.leave("a")] == [2, 4, nil])
    }

    @Test func aMultiplexedHostHasNoLimit() {
        var queue = HostQueue<Int>(limit: 1)
        #expect([queue.enter(1, at: "a"), queue.enter(2, at: "a"), queue.enter(3, at: "a")] == [true, false, false])
        #expect(queue.multiplex("a") == [2, 3])
        #expect(queue.multiplex("a") == [])
        #expect(queue.enter(4, at: "a") == true)
    }

    @Test func aHostThatFallsBackToHTTP1IsLimitedAgain() {
        var queue = HostQueue<Int>(limit: 1)
        #expect(queue.enter(1, at: "a") == true)
        #expect(queue.multiplex("a") == [])
        #expect(queue.enter(2, at: "a") == true)
        queue.endMultiplexing("a")
        #expect([queue.enter(3, at: "a"), queue.enter(4, at: "a")] == [false, false])
        // Two run, and the limit is one.
        #expect([queue.leave("a"), queue.leave("a"), queue.leave("a")] == [nil, 3, 4])
        #expect(queue.leave("a") == nil)
        #expect(queue.count == 0)
    }

    @Test func theTableOfIdleMultiplexedHostsIsBounded() {
        var queue = HostQueue<Int>(limit: 1)
        for host in 0..<1_000 {
            _ = queue.enter(host, at: "\(host)")
            _ = queue.multiplex("\(host)")
            _ = queue.leave("\(host)")
            // A response may be noted after the end of its transfer.
            _ = queue.multiplex("\(host) late")
        }
        #expect(queue.count == HostQueue<Int>.longestMemory)
        #expect((0..<2).map { queue.enter($0, at: "0") } == [true, true])
    }

    @Test func noPermitIsLostInAnyOrder() async throws {
        try await forAll(.array(of: .int(in: 0...3), count: 0...60), runs: 300) { steps in
            var queue = HostQueue<Int>(limit: 2)
            var (running, stalled, waiting, next) = (0, 0, [Int](), 0)
            func left() throws {
                guard let item = queue.leave("a") else {
                    running -= 1
                    return
                }
                let first = waiting.removeFirst()
                try require(item == first, "\(item) came before \(first)")
            }
            for step in steps {
                switch step {
                case 0:
                    next += 1
                    if queue.enter(next, at: "a") { running += 1 } else { waiting.append(next) }
                case 1 where running > 0: try left()
                case 2 where running > 0:
                    stalled += 1
                    try left()
                case 3 where stalled > 0:
                    stalled -= 1
                    running += 1
                    queue.reenter("a")
                default: continue
                }
                try require(waiting.isEmpty || running >= 2, "\(waiting.count) wait while \(running) run")
            }
        }
    }
}
#endif
