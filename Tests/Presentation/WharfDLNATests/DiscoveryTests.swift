import Dispatch
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback

@testable import WharfDLNA

struct DiscoveryTests {
    private let clock = TestClock()
    private let socket = FakeSocket()
    private var network: StubTransport {
        StubTransport(timer: clock) { request in
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

    @Test func searchAsksTheGroupThreeTimesAndEnds() async throws {
        async let found = ids(discovery(socket).findings())
        await rest(of: 3)
        #expect(await found == [])
        #expect(clock.now.offset == .milliseconds(3 * 300 + 3_000))
        let sent = socket.sent.withLock { $0 }
        #expect(sent.count == 3)
        #expect(sent.allSatisfy { $0.address == DatagramAddress(host: "239.255.255.250", port: 1900) })
        #expect(sent.allSatisfy { $0.datagram == SearchRequest(longestWait: 2).datagram })
        #expect(socket.isClosed.withLock { $0 })
    }

    /// Advances the clock until the search has ended.
    private func rest(of sends: Int = 1) async {
        for _ in 0..<sends { await pass(.milliseconds(300)) }
        await pass(.seconds(3))
    }

    /// Advances the clock past one pause of the search. The first sleeper may be a request to a
    /// device, whose timeout is longer.
    private func pass(_ pause: Duration) async {
        let end = clock.now.advanced(by: pause)
        await waitUntil { clock.nextDeadline == end }
        clock.advance(to: end)
    }

    @Test func repeatedAnswersAreDeduplicatedAndBadOnesFail() async throws {
        for _ in 0..<2 {
            socket.hear("http://192.0.2.1/a", "uuid:a::r")
            socket.hear("http://192.0.2.2/b", "uuid:b::r")
            socket.hear("http://192.0.2.3/none", "uuid:c::r")
            socket.hear("not a url", "uuid:d::r")
        }
        async let found = ids(discovery(sends: 1, socket).findings())
        await rest()
        #expect(await found == ["malformed", "refused", "uuid:/a", "uuid:/b"])
    }

    @Test func deviceAtANewAddressIsFoundAgain() async throws {
        socket.hear("http://192.0.2.1:49152/a", "uuid:a::r")
        let findings = discovery(sends: 1, socket).findings()
        var found: [String] = []
        for await finding in findings {
            guard case .screen(let screen) = finding else { continue }
            found.append(screen.location)
            if found.count == 1 { socket.hear("http://192.0.2.9:49153/a", "uuid:a::r") } else { break }
        }
        #expect(found == ["http://192.0.2.1:49152/a", "http://192.0.2.9:49153/a"])
    }

    @Test func failureToSendIsTheOnlyFinding() async throws {
        let failure = PlaybackError(.disconnected, "no network")
        async let found = ids(discovery(FakeSocket(failures: [failure, failure, failure])).findings())
        for _ in 0..<3 { await pass(.milliseconds(300)) }
        #expect(await found == ["disconnected"])
        #expect(clock.now.offset == .milliseconds(900))
        let closed = DLNADiscovery(transport: network, clock: clock) { () throws(PlaybackError) in throw failure }
        #expect(await ids(closed.findings()) == ["disconnected"])
    }

    @Test func cancelledReaderEndsTheSearch() async {
        let findings = discovery(socket).findings()
        let reader = Task { for await _ in findings {} }
        await clock.untilSleeping()
        reader.cancel()
        await reader.value
        for await _ in socket.received {}
        #expect(socket.isClosed.withLock { $0 })
    }

    @Test(arguments: [[0], [1], [2], [0, 1], [1, 2]]) func searchContinuesIfOneDatagramIsSent(
        failing: [Int]
    ) async throws {
        let failure = PlaybackError(.disconnected, "no network")
        let socket = FakeSocket(failures: (0..<3).map { failing.contains($0) ? failure : nil })
        async let found = ids(discovery(socket).findings())
        for _ in 0..<3 { await pass(.milliseconds(300)) }
        socket.hear("http://192.0.2.1/late", "uuid:late")
        await pass(.seconds(3))
        #expect(await found == ["uuid:/late"])
        #expect(socket.sent.withLock { $0.count } == 3 - failing.count)
        #expect(clock.now.offset == .milliseconds(3 * 300 + 3_000))
    }

    @Test func floodOfAddressesIsLimitedAndReported() async throws {
        for number in 0..<1_000 { socket.hear("http://192.0.2.1/\(number)", "uuid:\(number)") }
        async let found = ids(discovery(sends: 1, socket).findings())
        await rest()
        let ids = await found
        // Devices that answered before the limit are reported.
        #expect(ids.filter { $0.hasPrefix("uuid:") }.count == DLNADiscovery.most)
        #expect(ids.count == DLNADiscovery.most + 1)
        #expect(ids.first == "refused")
        #expect(socket.isClosed.withLock { $0 })
    }

    @Test func atMostEightDevicesAreAskedAtATime() async throws {
        let gate = Gate()
        let asked = Mutex<[String]>([])
        let network = StubTransport(timer: clock) { request in
            let path = request.head.path ?? ""
            asked.withLock { $0.append(path) }
            return StubAnswer.ok(Samples.description(base: "", control: "/c", udn: "uuid:\(path)")).held(by: gate)
        }
        for number in 0..<20 { socket.hear("http://192.0.2.1/\(number)", "uuid:\(number)") }
        let discovery = DLNADiscovery(transport: network, sends: 1, clock: clock) { [socket] in socket }
        async let found = ids(discovery.findings())
        await gate.arrivals(8)
        // Nothing more is requested once the search itself is over.
        await rest()
        await letOthersRun { asked.withLock { $0.count } > 8 }
        #expect(asked.withLock { $0.sorted() } == (0..<8).map { "/\($0)" })
        gate.open()
        #expect(await found.count == 20)
    }

    @Test func queuedDeviceIsNotAskedAfterCancellation() async {
        let gate = Gate()
        let network = StubTransport(timer: clock) { _ in .failure(.connectionLost).held(by: gate) }
        for number in 0..<20 { socket.hear("http://192.0.2.1/\(number)", "uuid:\(number)") }
        let discovery = DLNADiscovery(transport: network, sends: 1, clock: clock) { [socket] in socket }
        let reader = Task { for await _ in discovery.findings() {} }
        await gate.arrivals(8)
        reader.cancel()
        await reader.value
        gate.open()
        await letOthersRun { network.requests.count > 8 }
        #expect(network.requests.count == 8)
    }

    @Test func onlyTheAnsweringAddressIsAsked() async throws {
        let network = network
        socket.hear("http://192.0.2.9/a", "uuid:a", from: "192.0.2.66")
        socket.hear("http://localhost/a", "uuid:a", from: "127.0.0.1")
        // A device at an address named by another device is found as well.
        socket.hear("http://192.0.2.9/a", "uuid:a", from: "192.0.2.9")
        socket.hear("http://192.0.2.9/a", "uuid:a", from: "192.0.2.9")
        let discovery = DLNADiscovery(transport: network, sends: 1, clock: clock) { [socket] in socket }
        async let found = ids(discovery.findings())
        await rest()
        #expect(await found == ["refused", "refused", "uuid:/a"])
        #expect(network.requests.map(\.head.authority) == ["192.0.2.9"])
    }

    @Test func deviceCountAtTheLimitIsNoFailure() async throws {
        for number in 0..<DLNADiscovery.most { socket.hear("http://192.0.2.1/\(number)", "uuid:\(number)") }
        async let found = ids(discovery(sends: 1, socket).findings())
        await rest()
        #expect(await found.allSatisfy { $0.hasPrefix("uuid:") })
    }

    @Test func aSocketThatIsClosedByOthersEndsTheSearch() async {
        socket.close()
        #expect(await ids(discovery(socket).findings()) == [])
    }
}

/// The system's sockets, on the loopback interface.
struct UDPSocketTests {
    @Test func datagramsGoOutAndAnswersComeBack() async throws {
        let one = try UDPSocket(interface: "127.0.0.1")
        let other = try UDPSocket(interface: "127.0.0.1")
        defer { for socket in [one, other] { socket.close() } }
        let port = try #require(other.localPort)
        try one.send([1, 2, 3], to: DatagramAddress(host: "127.0.0.1", port: port))
        try one.send([], to: DatagramAddress(host: "127.0.0.1", port: port))
        try one.send([4], to: DatagramAddress(host: "127.0.0.1", port: port))
        var senders: Set<DatagramAddress?> = []
        var heard: [[UInt8]] = []
        for await datagram in other.received {
            heard.append(datagram.bytes)
            senders.insert(datagram.sender)
            if heard.count == 3 { break }
        }
        #expect(heard == [[1, 2, 3], [], [4]])
        #expect(senders == [DatagramAddress(host: "127.0.0.1", port: try #require(one.localPort))])
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

    @Test func datagramsBeyondOneBatchAreReceived() async throws {
        let (one, other) = (try UDPSocket(interface: "127.0.0.1"), try UDPSocket(interface: "127.0.0.1"))
        defer { for socket in [one, other] { socket.close() } }
        let address = DatagramAddress(host: "127.0.0.1", port: try #require(other.localPort))
        let numbers = (0..<UDPSocket.batch * 2 + 1).map { [UInt8(truncatingIfNeeded: $0)] }
        for number in numbers { try one.send(number, to: address) }
        var heard: [[UInt8]] = []
        for await datagram in other.received {
            heard.append(datagram.bytes)
            if heard.count == numbers.count { break }
        }
        #expect(heard == numbers)
    }

    @Test func floodIsTakenInBatches() {
        var (left, taken) = (UDPSocket.batch * 100, 0)
        UDPSocket.take(
            from: {
                left -= 1
                return left < 0 ? nil : Datagram([1])
            }, to: { _ in taken += 1 })
        #expect(taken == UDPSocket.batch)
    }

    @Test func aSocketUnderAFloodIsClosed() async throws {
        let flooded = try UDPSocket(interface: "127.0.0.1")
        let address = DatagramAddress(host: "127.0.0.1", port: try #require(flooded.localPort))
        let flood = Flood(to: address)
        for _ in 0..<2 { flood.begin() }
        var heard = 0
        for await _ in flooded.received {
            heard += 1
            if heard == 1_000 { flooded.close() }
        }
        flood.end()
        #expect(flooded.localPort == nil)
    }

    /// Uses threads, as tasks would leave no thread to the test.
    private final class Flood: Sendable {
        private let address: DatagramAddress
        private let isOver = Mutex(false)

        init(to address: DatagramAddress) { self.address = address }

        func begin() {
            DispatchQueue(label: "flood").async { [self] in
                do throws(PlaybackError) {
                    let socket = try UDPSocket(interface: "127.0.0.1")
                    defer { socket.close() }
                    while !isOver.withLock({ $0 }) { try socket.send([1], to: address) }
                } catch {
                    // The system may report that no process has the port any more.
                    #expect((error.cause as? SocketFailure)?.call == "sendto")
                }
            }
        }

        func end() { isOver.withLock { $0 = true } }
    }

    @Test func invalidAddressIsMalformed() throws {
        #expect(throws: PlaybackError.self) { try UDPSocket(interface: "localhost") }
        let socket = try UDPSocket(interface: "127.0.0.1")
        let error = #expect(throws: PlaybackError.self) {
            try socket.send([1], to: DatagramAddress(host: "::1", port: 9))
        }
        #expect(error?.code == .malformed)
    }
}
