#if os(Linux) && TestServer
import LiveTransport
import Testing
import WharfCore
import WharfPlayback
import WharfTestServer

@testable import WharfDLNA

/// Tests against Debian's `gmediarender`, an independent implementation.
@Suite(
    .serialized,
    .enabled(RendererNetwork.whereItIsNot) { await RendererNetwork.isThere.value })
struct RendererTests {
    /// Playback takes real time, so the item is longer than a test takes on a busy machine.
    private static let length = Duration.seconds(600)
    /// The timeouts are long, as the renderer's program runs in real time. Only a defect can make a
    /// test wait for an answer in vain.
    private static func timing(_ interval: Duration = .milliseconds(200)) -> DLNATiming {
        DLNATiming(interval: interval, answer: .seconds(86_400), misses: 2, ready: .seconds(86_400))
    }

    private let transport = liveTransport()

    /// Runs a test with a connected screen and an item that its renderer can fetch.
    ///
    /// On a machine under load gmediarender can lose the data of an item that it has begun. It then
    /// reports the same position for ever. Such a run proves nothing about the screen, so it is
    /// repeated with another renderer.
    private func run(
        asking interval: Duration = .milliseconds(200),
        _ body: @escaping @Sendable (DLNAScreen, MediaItem, RendererNetwork) async throws -> Void
    ) async throws {
        var stalls = 0
        while true {
            do {
                return try await runOnce(asking: interval, body)
            } catch let stall as Stalled {
                stalls += 1
                if stalls == 4 { throw stall }
                print("\(stall); repeated with another one")
            }
        }
    }

    private struct Stalled: Error, CustomStringConvertible {
        let reading: TransportReading
        var description: String { "the renderer stands still: \(reading)" }
    }

    private func runOnce(
        asking interval: Duration,
        _ body: @escaping @Sendable (DLNAScreen, MediaItem, RendererNetwork) async throws -> Void
    ) async throws {
        try await RendererNetwork.run { network in
            let server = try await TestServer.start(host: network.host)
            server.route(.get, "/tone.wav") { .wave(Wave.tone, $0.fields[.range]) }
            let item = MediaItem(
                id: "tone & <1>", url: server.baseURL + "/tone.wav?a=1&b=2", contentType: "audio/x-wav",
                title: "A \"tone\" & more", duration: Self.length)
            do {
                let screen = try await DLNAScreen.at(
                    network.location, transport: transport, timing: Self.timing(interval))
                try await screen.connect()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask { try await body(screen, item, network) }
                    group.addTask { try await watch(screen) }
                    defer { group.cancelAll() }
                    try await group.next()
                }
                await screen.disconnect()
            } catch {
                await server.stop()
                throw error
            }
            await server.stop()
        }
    }

    /// Throws ``Stalled`` if the renderer reports for two minutes that it plays one position.
    private func watch(_ screen: DLNAScreen) async throws {
        let exchange = DeviceExchange(transport: transport, timeout: Self.timing().answer)
        let description = try await DeviceDescription.fetch(screen.location, over: exchange)
        let renderer = AVTransport(service: description.transport, exchange: exchange)
        var (last, repeats) = (TransportReading?.none, 0)
        while true {
            // The renderer runs in real time. The loop counts its answers, and not the seconds.
            try await Task.sleep(for: .seconds(1))
            do throws(PlaybackError) {
                let reading = try await renderer.reading(withPosition: true)
                repeats =
                    reading == last && (reading.state == .playing || reading.state == .transitioning) ? repeats + 1 : 0
                last = reading
            } catch {
                // The test has killed the renderer, or it has not started yet.
                repeats = 0
            }
            if let last, repeats >= 120 { throw Stalled(reading: last) }
        }
    }

    @discardableResult
    private func state(
        of screen: DLNAScreen, _ isWanted: @Sendable (PlaybackState) -> Bool
    ) async throws -> PlaybackState {
        var last: PlaybackState?
        for await state in screen.states() {
            if isWanted(state) { return state }
            last = state
        }
        throw RendererNetwork.Failure("the states ended with \(String(describing: last)): \(screen.loss as Any)")
    }

    private func now(_ screen: DLNAScreen) async throws -> PlaybackState { try await state(of: screen) { _ in true } }

    @Test func searchFindsTheRenderer() async throws {
        try await run { screen, _, network in
            let discovery = DLNADiscovery(transport: transport, wait: 1) { () throws(PlaybackError) in
                try UDPSocket(interface: network.host)
            }
            var found: [DLNAScreen] = []
            for await case .screen(let screen) in discovery.findings() { found.append(screen) }
            #expect(found.map(\.id) == [screen.id])
            #expect(found.map(\.name) == ["Wharf & <Tests>"])
            #expect(screen.id == "uuid:00000000-0000-4000-8000-000000000001")
        }
    }

    @Test func rendererFollowsCommands() async throws {
        try await run { screen, item, _ in
            try await state(of: screen) { $0 == .idle }
            try await screen.perform(.load(item, at: .zero, playing: true))
            try await state(of: screen) { $0.phase == .playing && $0.item == item && $0.position >= .seconds(1) }
            try await state(of: screen) { $0.position >= .seconds(2) && $0.position < .seconds(300) }

            try await screen.perform(.seek(to: .seconds(300)))
            try await state(of: screen) {
                $0.phase == .playing && $0.position >= .seconds(301) && $0.position < .seconds(599)
            }

            try await screen.perform(.pause)
            let paused = try await state(of: screen) { $0.phase == .paused }
            try await screen.perform(.seek(to: .seconds(10)))
            let sought = try await now(screen)
            #expect(sought == PlaybackState(.paused, item: item, position: .seconds(10)))
            #expect(paused.position >= .seconds(301))
            try await screen.perform(.play)
            try await state(of: screen) { $0.phase == .playing && $0.position >= .seconds(11) }

            try await screen.perform(.stop)
            let stopped = try await now(screen)
            #expect(stopped == .idle)
        }
    }

    @Test(arguments: [true, false])
    func loadStartsAtItsPosition(playing: Bool) async throws {
        try await run { screen, item, _ in
            try await screen.perform(.load(item, at: .seconds(42), playing: playing))
            let state = try await state(of: screen) { $0.phase == (playing ? .playing : .paused) }
            #expect(state.item == item)
            #expect(state.position >= .seconds(42))
            #expect(state.position < .seconds(599))
            // A screen that has not loaded the item can take it over.
            let other = try await DLNAScreen.at(screen.location, transport: transport, timing: Self.timing())
            try await other.connect()
            let seen = try await now(other)
            #expect(seen.item == item)
            await other.disconnect()
        }
    }

    @Test func endOfTheItemIsReported() async throws {
        // With rare queries the renderer may have stopped long after the last one. The last reading
        // must be 7 s before the end at most, or the stop does not count as the end.
        try await run(asking: .seconds(3)) { screen, item, _ in
            try await screen.perform(.load(item, at: .seconds(590), playing: true))
            let end = try await state(of: screen) { $0.phase != .playing }
            #expect(end == PlaybackState(.ended, item: item, position: Self.length))
            try await screen.perform(.play)
            try await state(of: screen) {
                $0.phase == .playing && $0.position >= .seconds(1) && $0.position < .seconds(590)
            }
        }
    }

    @Test func anotherItemTakesThePlaceOfTheFirst() async throws {
        try await run { screen, item, _ in
            var other = item
            (other.id, other.url) = ("other", item.url + "&c=3")
            try await screen.perform(.load(item, at: .seconds(10), playing: true))
            try await screen.perform(.load(other, at: .seconds(20), playing: true))
            let state = try await state(of: screen) { $0.phase == .playing }
            #expect(state.item == other)
            #expect(state.position >= .seconds(20))
        }
    }

    @Test func killedRendererIsLostAndReconnectsOnceRestarted() async throws {
        try await run { screen, item, network in
            try await screen.perform(.load(item, at: .zero, playing: true))
            let states = screen.states()
            try await network.killRenderer()
            for await _ in states {}
            #expect(screen.loss?.code == .disconnected)
            let error = await #expect(throws: PlaybackError.self) { try await screen.perform(.pause) }
            #expect(error?.code == .disconnected)
            try await network.startRenderer()
            try await screen.connect()
            let back = try await now(screen)
            #expect(back == .idle)
        }
    }

    @Test func refusedActionIsAnErrorWithItsFault() async throws {
        try await run { screen, _, _ in
            let exchange = DeviceExchange(transport: transport, timeout: Self.timing().answer)
            let description = try await DeviceDescription.fetch(screen.location, over: exchange)
            let transport = AVTransport(service: description.transport, exchange: exchange)
            let error = await #expect(throws: PlaybackError.self) { try await transport.pause() }
            #expect(error?.code == .refused)
            #expect((error?.cause as? UPnPFault)?.code == 501)
        }
    }
}

private enum Wave {
    static let tone = tone(seconds: 600)

    /// A tone as a RIFF file: 8,000 samples of 16 bits a second, one channel.
    private static func tone(seconds: Int) -> [UInt8] {
        func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
            (0..<(Number.bitWidth / 8)).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
        }
        let size = UInt32(seconds * 16_000)
        var file = Array("RIFF".utf8) + bytes(size + 36) + Array("WAVEfmt ".utf8) + bytes(UInt32(16))
        file += bytes(UInt16(1)) + bytes(UInt16(1)) + bytes(UInt32(8_000)) + bytes(UInt32(16_000))
        file += bytes(UInt16(2)) + bytes(UInt16(16)) + Array("data".utf8) + bytes(size)
        for sample in 0..<(seconds * 8_000) { file += bytes(Int16(sample % 64 < 32 ? 3_000 : -3_000)) }
        return file
    }
}

extension TestResponse {
    /// The whole file, or a range from an offset on. gmediarender needs ranges to seek.
    fileprivate static func wave(_ bytes: [UInt8], _ range: String?) -> TestResponse {
        let fields: HTTPFields = [.contentType: "audio/x-wav", .acceptRanges: "bytes"]
        guard let start = range?.split(separator: "=").last?.split(separator: "-").first.flatMap({ Int($0) }),
            bytes.indices.contains(start)
        else { return TestResponse(fields: fields, body: bytes) }
        return TestResponse(.partialContent, fields: fields, body: Array(bytes[start...]))
            .setting(.contentRange, "bytes \(start)-\(bytes.count - 1)/\(bytes.count)")
    }
}
#endif
