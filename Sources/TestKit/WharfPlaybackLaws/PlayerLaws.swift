public import WharfChecks
public import WharfPlayback

/// The laws of every ``WharfPlayback/Player``.
///
/// They apply to an engine, and to a screen during a connection.
///
/// The laws wait without a limit for a state that has to come. If the test is cancelled, for
/// example by its time limit, the law reports the state that it was waiting for.
///
/// ```swift
/// @Test(arguments: PlayerLaws.all)
/// func myEngineKeeps(law: Law<PlayerLaws.Subject>) async throws {
///     try await law.check(.init("MyEngine") {
///         let engine = MyEngine()
///         return .init(engine, device: { engine.shown }, remote: { engine.buttons.press($0) })
///     })
/// }
/// ```
public enum PlayerLaws {
    /// A kind of player under test, as a function that makes players.
    public typealias Subject = Conformer<Instance>

    /// A player under test, with access to its device.
    public struct Instance: Sendable {
        let player: any Player
        let device: @Sendable () async -> PlaybackState
        let remote: @Sendable (PlaybackCommand) async -> Void

        /// Creates an instance.
        ///
        /// - Parameters:
        ///   - player: a new player without an item. Its position does not advance by itself.
        ///   - device: returns the real state of the device, without asking the player.
        ///   - remote: carries out a command at the device, like a user with a remote control.
        public init(
            _ player: any Player,
            device: @escaping @Sendable () async -> PlaybackState,
            remote: @escaping @Sendable (PlaybackCommand) async -> Void
        ) {
            self.player = player
            self.device = device
            self.remote = remote
        }
    }

    /// All laws, for the arguments of a test.
    public static let all: [Law<Subject>] = laws { try await $0.make() }

    /// Returns the laws for any subject that has a player.
    static func laws<Subject>(_ open: @escaping @Sendable (Subject) async throws -> Instance) -> [Law<Subject>] {
        states(open) + commands(open)
    }

    static let film = MediaItem(
        id: "film-1", url: "http://192.0.2.1/film.mp4", contentType: "video/mp4", title: "A Film & <More>",
        duration: .seconds(3600))
    static let other = MediaItem(
        id: "film-2", url: "http://192.0.2.1/other.mp4?a=1&b=2", contentType: "video/mp4", title: "Other",
        duration: .seconds(1800))
}

extension PlayerLaws.Instance {
    /// Waits for this state of the device, and fails if it does not come.
    ///
    /// Positions may differ by less than a second, because players round them.
    func requireDevice(_ phase: PlaybackState.Phase, _ item: MediaItem?, at position: Duration? = nil) async throws {
        try await eventually {
            "expected \(phase) of \(item?.id ?? "nothing") at \(position.map { "\($0)" } ?? "any position"), and it is \(await device())"
        } until: {
            await device().resembles(phase, item, position)
        }
    }

    func require(_ reader: StateReader, tells phase: PlaybackState.Phase, at position: Duration? = nil) async throws {
        try await eventually {
            "expected to be told that it is \(phase), and was told \(reader.states)"
        } until: {
            reader.states.last.map { $0.phase == phase && (position == nil || $0.isNear(position)) } ?? false
        }
    }

    /// Loads an item, and waits until the device plays or holds it at this position.
    func load(_ item: MediaItem = PlayerLaws.film, at position: Duration = .zero, playing: Bool = true) async throws {
        try await player.perform(.load(item, at: position, playing: playing))
        try await requireDevice(playing ? .playing : .paused, item, at: position)
    }
}

extension PlaybackState {
    func isNear(_ other: Duration?) -> Bool { other.map { abs($0 - position) < .seconds(1) } ?? true }

    func resembles(_ phase: Phase, _ item: MediaItem?, _ position: Duration?) -> Bool {
        self.phase == phase && self.item?.id == item?.id && isNear(position)
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
