internal import Synchronization
public import WharfChecks
public import WharfPlayback

/// The laws of every ``WharfPlayback/Screen``.
///
/// They include ``PlayerLaws`` during a connection.
///
/// ```swift
/// @Test(arguments: ScreenLaws.all)
/// func myScreenKeeps(law: Law<ScreenLaws.Subject>) async throws {
///     try await law.check(.init("MyScreen") {
///         let television = FakeTelevision()
///         return .init(
///             MyScreen(at: television.address), device: { television.state }, remote: { television.press($0) },
///             leave: { television.unplug() }, comeBack: { television.plugIn() }, hang: { television.freeze() })
///     })
/// }
/// ```
public enum ScreenLaws {
    /// A kind of screen under test, as a function that makes screens.
    public typealias Subject = Conformer<Instance>

    /// A screen under test, with access to its device.
    public struct Instance: Sendable {
        let screen: any Screen
        let player: PlayerLaws.Instance
        package let leave: @Sendable () async -> Void
        package let comeBack: @Sendable () async -> Void
        package let hang: @Sendable () async -> Void

        package var device: @Sendable () async -> PlaybackState { player.device }
        package var remote: @Sendable (PlaybackCommand) async -> Void { player.remote }

        /// Creates an instance.
        ///
        /// - Parameters:
        ///   - screen: a new, unconnected screen. Its device has no item, and its position does not
        ///     advance by itself.
        ///   - device: returns the real state of the device, without asking the screen.
        ///   - remote: carries out a command at the device, like a user with a remote control.
        ///   - leave: takes the device from the network. Existing connections end, and new ones are
        ///     refused.
        ///   - comeBack: ends `leave` and `hang`. The device has not changed meanwhile.
        ///   - hang: makes the device accept connections and requests without answering.
        public init(
            _ screen: any Screen,
            device: @escaping @Sendable () async -> PlaybackState,
            remote: @escaping @Sendable (PlaybackCommand) async -> Void,
            leave: @escaping @Sendable () async -> Void, comeBack: @escaping @Sendable () async -> Void,
            hang: @escaping @Sendable () async -> Void
        ) {
            self.screen = screen
            self.player = .init(screen, device: device, remote: remote)
            self.leave = leave
            self.comeBack = comeBack
            self.hang = hang
        }
    }

    /// All laws, for the arguments of a test.
    public static let all: [Law<Subject>] =
        PlayerLaws.laws { subject in
            let it = try await subject.make()
            try await it.screen.connect()
            return it.player
        } + connections + disappearances + cancellations
}

extension ScreenLaws.Instance {
    func requireOver(_ reader: StateReader, _ when: String) async throws {
        try await eventually {
            "\(when) its states did not end"
        } until: {
            reader.isOver
        }
    }

    /// Fails if the screen accepts a command, or if its states do not end.
    func requireDisconnected(_ when: String) async throws {
        let answer = try await require(
            onlyThrowing: PlaybackError.self, where: { $0.code == .disconnected }, { try await screen.perform(.stop) })
        guard case .failure = answer else { throw FailedRequirement(found: "\(when) a command was taken") }
        try await requireOver(StateReader(screen.states()), when)
    }

    /// Waits until the screen's states end, or a command fails, because of a loss.
    func noticeLoss(_ reader: StateReader) async throws {
        try await eventually {
            "it did not notice that the device had disappeared"
        } until: {
            if reader.isOver { return true }
            do throws(PlaybackError) { try await screen.perform(.progress(.zero)) } catch {
                return error.code == .disconnected
            }
            return false
        }
    }

    /// Returns the outcome of a task, and fails if it does not come.
    func outcome(
        of what: String, _ task: Task<Result<Void, PlaybackError>, Never>
    ) async throws -> Result<Void, PlaybackError> {
        let end = StateEnd()
        // A separate task, as waiting for the outcome itself could not be given up.
        let watcher = Task {
            let outcome = await task.value
            end.isOver.store(true, ordering: .releasing)
            return outcome
        }
        try await eventually {
            "\(what) did not answer"
        } until: {
            end.isOver.load(ordering: .acquiring)
        }
        return await watcher.value
    }

    func begin(
        _ body: @escaping @Sendable () async throws(PlaybackError) -> Void
    ) -> Task<Result<Void, PlaybackError>, Never> {
        Task {
            do throws(PlaybackError) { return .success(try await body()) } catch { return .failure(error) }
        }
    }
}
