import Synchronization
import Testing
import WharfCore
import WharfPlayback
import WharfTesting

@testable import WharfDLNA

/// A socket without a network.
private final class FakeSocket: DatagramSocket {
    let received: AsyncStream<[UInt8]>
    private let heard: AsyncStream<[UInt8]>.Continuation
    let sent = Mutex<[(datagram: [UInt8], address: DatagramAddress)]>([])
    let isClosed = Mutex(false)
    private let failure: PlaybackError?

    init(failure: PlaybackError? = nil) {
        (received, heard) = AsyncStream.makeStream()
        self.failure = failure
    }

    func send(_ datagram: [UInt8], to address: DatagramAddress) throws(PlaybackError) {
        if let failure { throw failure }
        sent.withLock { $0.append((datagram, address)) }
    }

    func close() {
        isClosed.withLock { $0 = true }
        heard.finish()
    }

    func hear(_ location: String, _ name: String) {
        heard.yield(Array("HTTP/1.1 200 OK\r\nLOCATION: \(location)\r\nUSN: \(name)\r\n\r\n".utf8))
    }
}

@Suite struct DiscoveryTests {
    private let clock = TestClock()
    private let socket = FakeSocket()
    private var network: StubTransport {
        StubTransport { request in
            let path = request.head.path ?? ""
            return path.hasPrefix("/none")
                ? .respond(.notFound) : .ok(Samples.description(base: "", control: "/c", udn: "uuid:\(path)"))
        }
    }

    private func discovery(sends: Int = 3, _ socket: FakeSocket) -> DLNADiscovery {
        DLNADiscovery(transport: network, sends: sends, clock: clock) { socket }
    }

    private func ids(_ findings: AsyncStream<DLNADiscovery.Finding>) async -> [String] {
        var ids: [String] = []
        for await finding in findings {
            switch finding {
            case .screen(let screen): ids.append(screen.id)
            case .failure(let error): ids.append("\(error.code)")
            }
        }
        return ids.sorted()
    }

    @Test func itAsksTheGroupThreeTimesAndEndsWithTheSearch() async throws {
        async let found = ids(discovery(socket).findings())
        for _ in 0..<4 {
            await clock.untilSleeping()
            clock.advance(to: try #require(clock.nextDeadline))
        }
        #expect(await found == [])
        #expect(clock.now.offset == .milliseconds(3 * 300 + 3_000))
        let sent = socket.sent.withLock { $0 }
        #expect(sent.count == 3)
        #expect(sent.allSatisfy { $0.address == DatagramAddress(host: "239.255.255.250", port: 1900) })
        #expect(sent.allSatisfy { $0.datagram == SearchRequest(longestWait: 2).datagram })
        #expect(socket.isClosed.withLock { $0 })
    }

    @Test func eachDeviceComesOnceAndOneThatCantBeHadIsAFailure() async throws {
        for _ in 0..<2 {
            socket.hear("http://192.0.2.1/a", "uuid:a::r")
            socket.hear("http://192.0.2.2/b", "uuid:b::r")
            socket.hear("http://192.0.2.1:80/other", "uuid:a::r")
            socket.hear("http://192.0.2.3/none", "uuid:c::r")
            socket.hear("not a url", "uuid:d::r")
        }
        async let found = ids(discovery(sends: 1, socket).findings())
        for _ in 0..<2 {
            await clock.untilSleeping()
            clock.advance(to: try #require(clock.nextDeadline))
        }
        #expect(await found == ["malformed", "refused", "uuid:/a", "uuid:/b"])
    }

    @Test func whereNothingCanBeSentThatIsTheFinding() async {
        let failure = PlaybackError(.disconnected, "no network")
        #expect(await ids(discovery(FakeSocket(failure: failure)).findings()) == ["disconnected"])
        let closed = DLNADiscovery(transport: network, clock: clock) { () throws(PlaybackError) in throw failure }
        #expect(await ids(closed.findings()) == ["disconnected"])
    }

    @Test func whoLeavesEndsTheSearch() async {
        let findings = discovery(socket).findings()
        let reader = Task { for await _ in findings {} }
        await clock.untilSleeping()
        reader.cancel()
        await reader.value
        for await _ in socket.received {}
        #expect(socket.isClosed.withLock { $0 })
    }

    @Test func aDeviceGoneWildEndsTheSearch() async {
        for number in 0..<1_000 { socket.hear("http://192.0.2.1/none\(number)", "uuid:\(number)") }
        let count = await ids(discovery(socket).findings()).count
        #expect(count <= DLNADiscovery.most)
        #expect(socket.isClosed.withLock { $0 })
    }
}

/// The system's sockets, on the loopback interface.
@Suite struct UDPSocketTests {
    @Test func datagramsGoOutAndAnswersComeBack() async throws {
        let one = try UDPSocket(interface: "127.0.0.1")
        let other = try UDPSocket(interface: "127.0.0.1")
        defer { for socket in [one, other] { socket.close() } }
        let port = try #require(other.localPort)
        try one.send([1, 2, 3], to: DatagramAddress(host: "127.0.0.1", port: port))
        try one.send([], to: DatagramAddress(host: "127.0.0.1", port: port))
        try one.send([4], to: DatagramAddress(host: "127.0.0.1", port: port))
        var heard: [[UInt8]] = []
        for await datagram in other.received {
            heard.append(datagram)
            if heard.count == 3 { break }
        }
        #expect(heard == [[1, 2, 3], [], [4]])
    }

    @Test func aClosedSocketEndsAndSendsNothing() async throws {
        let socket = try UDPSocket(interface: "127.0.0.1")
        socket.close()
        socket.close()
        for await _ in socket.received { Issue.record("a closed socket heard something") }
        let error = #expect(throws: PlaybackError.self) {
            try socket.send([1], to: DatagramAddress(host: "127.0.0.1", port: 9))
        }
        #expect(error?.code == .disconnected)
    }

    @Test func whatIsNoAddressIsMalformed() throws {
        #expect(throws: PlaybackError.self) { try UDPSocket(interface: "localhost") }
        let socket = try UDPSocket(interface: "127.0.0.1")
        let error = #expect(throws: PlaybackError.self) {
            try socket.send([1], to: DatagramAddress(host: "::1", port: 9))
        }
        #expect(error?.code == .malformed)
    }
}
