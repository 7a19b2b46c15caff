import Synchronization
import Testing
import WharfChecks
import WharfFakes
import WharfPlayback

/// Commands, transfers and losses in many interleavings.
@Suite struct InterleavingTests {
    enum Step: CustomStringConvertible {
        case perform(PlaybackCommand)
        case transfer(to: String?)
        case vanish(String)
        case comeBack(String)

        var description: String {
            switch self {
            case .perform(.load(let item, let position, let isPlaying)):
                "load \(item.id) at \(position) \(isPlaying ? "playing" : "paused")"
            case .perform(let command): "\(command)"
            case .transfer(let id): "transfer to \(id ?? "engine")"
            case .vanish(let id): "\(id) vanishes"
            case .comeBack(let id): "\(id) comes back"
            }
        }
    }

    private static let screens = ["a", "b"]
    private static let step = Generator<Step>.frequency(
        (3, .oneOf(.just(.perform(.play)), .just(.perform(.pause)))),
        (2, Generator<Int>.int(in: 0...30).map { .perform(.seek(to: .seconds($0 * 10))) }),
        (
            2,
            Generator.zip(.element(of: [Stage.film, Stage.other]), .int(in: 0...5), .bool).map {
                .perform(.load($0.0, at: .seconds($0.1 * 10), playing: $0.2))
            }
        ),
        (1, .just(.perform(.stop))), (4, Generator<String>.element(of: screens).map { .transfer(to: $0) }),
        (2, .just(.transfer(to: nil))), (2, Generator<String>.element(of: screens).map { .vanish($0) }),
        (2, Generator<String>.element(of: screens).map { .comeBack($0) }))

    /// Several users with one step each, as fast as the seed lets them.
    private static func violations(seed: UInt64, _ steps: [Step]) throws -> [String] {
        let floor = Floor(seed: seed, ["engine"] + screens)
        let (engine, a, b) = (
            FloorScreen(floor: floor, id: "engine"), FloorScreen(floor: floor, id: "a"),
            FloorScreen(floor: floor, id: "b")
        )
        floor.content.withLock { $0.devices["engine"]?.isConnected = true }
        return try SeededScheduler(seed: seed).run { scheduler in
            let playback = Playback(engine: engine, clock: TestClock(), executor: scheduler)
            await withTaskGroup { group in
                for step in steps {
                    await floor.pause()
                    floor.content.withLock { $0.issued.append(step.description) }
                    switch step {
                    case .perform(let command):
                        // The expected result is computed at the time when the command is issued.
                        floor.content.withLock { content in
                            do { try content.asked.apply(command) } catch { content.issued.append("refused") }
                        }
                        let call = Task.immediate(executorPreference: scheduler) {
                            _ = await code { try await playback.perform(command) }
                        }
                        group.addTask { await call.value }
                    case .transfer(let id):
                        let call = Task.immediate(executorPreference: scheduler) {
                            _ = await code {
                                if let id {
                                    try await playback.transfer(to: id == "a" ? a : b)
                                } else {
                                    try await playback.transferBack()
                                }
                            }
                        }
                        group.addTask { await call.value }
                    case .vanish(let id): floor.vanish(id)
                    case .comeBack(let id): floor.comeBack(id)
                    }
                }
            }
            // Everything that was started ends.
            for _ in 0..<500 { await Task.yield() }
            floor.check(playback.state)
            return floor.content.withLock { $0.violations }
        }
    }

    @Test func atMostOneScreenPlaysAndTheLastCommandWins() async throws {
        try await forAll(
            .zip(Generator<UInt64>.int(in: 0...UInt64.max), .array(of: Self.step, count: 1...12)), runs: 4_000
        ) {
            seed, steps in
            let violations = try Self.violations(seed: seed, steps)
            try require(violations.isEmpty, violations.joined(separator: "; "))
        }
    }
}

extension Floor {
    /// Checks the final state: the device with the session follows the last command, and no other
    /// device plays.
    fileprivate func check(_ state: SessionState) {
        content.withLock { content in
            let place =
                switch state.place {
                case .engine: "engine"
                case .screen(let id): id
                }
            if state.destination != nil { content.violations.append("a transfer is under way for ever") }
            let (asked, device) = (content.asked, content.devices[place]?.state ?? .idle)
            if device != asked { content.violations.append("\(place) is \(device), and \(asked) was asked for") }
            if state.playback != asked {
                content.violations.append("it tells \(state.playback), and \(asked) was asked for")
            }
            for (id, device) in content.devices where id != place && device.state.phase == .playing {
                content.violations.append("\(id) plays, and the session is at \(place)")
            }
        }
    }
}
