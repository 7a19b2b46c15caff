public import WharfChecks
public import WharfPlayback

/// What every ``WharfPlayback/Player`` keeps: the engine of an app, and a screen while it is
/// connected.
///
/// The laws wait without a limit for what ought to come. Where the test is cancelled, as by a time
/// limit of its own, the law says what it was waiting for.
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
    /// A kind of player, as what makes one.
    public typealias Subject = Conformer<Instance>

    /// One player, with what a test sees of it and does to it.
    public struct Instance: Sendable {
        let player: any Player
        let device: @Sendable () async -> PlaybackState
        let remote: @Sendable (PlaybackCommand) async -> Void

        /// - Parameters:
        ///   - player: new, without an item. Its position stands still while nobody moves it.
        ///   - device: what really plays, seen without the player.
        ///   - remote: does there what somebody with a remote control does.
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

    public static let all: [Law<Subject>] = laws { try await $0.make() }

    /// For any subject of which there is a player.
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
    /// Ends the check when the device does not come to this. Positions may differ by what a player
    /// rounds to.
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

    /// Takes `loading` for playing, as a device that has to fetch first.
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
