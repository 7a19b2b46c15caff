import Synchronization
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes
import WharfPlaybackLaws

/// A screen with one defect.
final class WrongScreen: Screen {
    enum Fault: Sendable {
        case tellsChangesOnly, tellsTwoReadersOnly, keepsTheOldest, tellsNothingOfTheRemote, losesTheTitle
        case beginsAtZero, playsWhatIsHeld, forgetsEveryFifth, playsBehindASeek, pausesAtASeek, playsAtAProgress,
            pausesAtAStop
        case playsNothing, refusesToStopNothing
        case takesCommandsUnconnected, tellsUnconnected, startsAnewWhenConnectedTwice, stopsWhenLetGo
        case staysWhenLetGo, takesCommandsWhenLetGo, remembersTheLoss, losesWhenLetGo
        case staysWhenGone, takesCommandsWhenGone, connectsOnce
        case connectsNobody, waitsForWhoIsGone, takesTheUnanswered
        case waitsWhenCancelled, connectsTheCancelled, waitsWithACommand
    }

    private struct Content {
        var performed = 0
        var wasConnected = false
        var wasLetGo = false
        var loss: PlaybackError?
        var isHanging = false
        var readers = 0
        /// Whether the last command asked it to play.
        var wasToldToPlay = false
    }

    private final class Box: Sendable {
        private let content = Mutex(Content())

        func withLock<Result: Sendable>(_ body: (inout Content) -> Result) -> Result {
            content.withLock { content in body(&content) }
        }
    }

    let base = StubScreen("wrong")
    private let fault: Fault
    private let content = Box()

    init(_ fault: Fault) { self.fault = fault }

    /// Whether the device answers nothing.
    var isHanging: Bool {
        get { content.withLock { $0.isHanging } }
        set { content.withLock { $0.isHanging = newValue } }
    }

    var id: String { base.id }
    var name: String { base.name }

    var loss: PlaybackError? {
        let (kept, wasLetGo) = content.withLock { ($0.loss, $0.wasLetGo) }
        switch fault {
        case .remembersTheLoss: return kept ?? base.loss
        case .losesWhenLetGo where wasLetGo && !base.isConnected: return PlaybackError(.disconnected, "let go of")
        default: return base.loss
        }
    }

    func connect() async throws(PlaybackError) {
        let wasConnected = content.withLock { content in
            defer { content.wasConnected = true }
            content.loss = content.loss ?? base.loss
            return content.wasConnected
        }
        switch fault {
        case .startsAnewWhenConnectedTwice where base.isConnected: await base.disconnect()
        case .connectsOnce where wasConnected && base.loss != nil && base.device.state.item != nil:
            throw PlaybackError(.disconnected, "once is enough")
        case .connectsTheCancelled where Task.isCancelled:
            let task = Task { [base] in try await base.connect() }
            do { try await task.value } catch { throw PlaybackError(.disconnected, "\(error)") }
            throw PlaybackError(.cancelled, "and yet connected")
        case .waitsWhenCancelled where isHanging:
            let task = Task { [base] in try await base.connect() }
            do { try await task.value } catch { throw (error as? PlaybackError) ?? PlaybackError(.refused, "\(error)") }
            return
        case .waitsForWhoIsGone where isHanging:
            do { try await base.connect() } catch {
                if error.code == .disconnected { await Gate().pass() }
                throw error
            }
            return
        case .connectsNobody where !isHanging:
            do { try await base.connect() } catch { if error.code != .disconnected { throw error } }
            return
        default: break
        }
        try await base.connect()
    }

    func disconnect() async {
        let wasLetGo = content.withLock { content in
            defer { content.wasLetGo = true }
            return content.wasLetGo
        }
        if fault == .staysWhenLetGo, wasLetGo { return }
        if fault == .stopsWhenLetGo { base.device.report(.idle) }
        await base.disconnect()
    }

    func perform(_ command: PlaybackCommand) async throws(PlaybackError) {
        let (number, wasConnected, wasLetGo) = content.withLock { content in
            content.performed += 1
            if case .load(_, _, true) = command { content.wasToldToPlay = true } else { content.wasToldToPlay = false }
            return (content.performed, content.wasConnected, content.wasLetGo)
        }
        let hasItem = base.device.state.item != nil
        switch (fault, command) {
        case (.takesCommandsUnconnected, _) where !wasConnected: return
        case (.takesCommandsWhenLetGo, _) where wasLetGo && !base.isConnected: return
        case (.takesCommandsWhenGone, _) where base.loss != nil && !isHanging: return
        case (.takesTheUnanswered, _) where isHanging:
            do { try await base.perform(command) } catch { if error.code != .disconnected { throw error } }
            return
        case (.waitsWithACommand, _) where isHanging:
            let task = Task { [base] in try await base.perform(command) }
            do { try await task.value } catch { throw (error as? PlaybackError) ?? PlaybackError(.refused, "\(error)") }
            return
        case (.beginsAtZero, .load(let item, let position, let plays)) where position != .seconds(60):
            try await base.perform(.load(item, at: .zero, playing: plays))
            return
        case (.playsWhatIsHeld, .load(let item, let position, _)) where position != .zero && position != .seconds(60):
            try await base.perform(.load(item, at: position, playing: true))
            return
        case (.losesTheTitle, .load(var item, let position, let plays)):
            item.title = nil
            try await base.perform(.load(item, at: position, playing: plays))
            return
        case (.forgetsEveryFifth, _) where number % 5 == 0: return
        case (.playsNothing, _) where !hasItem && [.play, .pause].contains(command): return
        case (.refusesToStopNothing, .stop) where !hasItem && base.isConnected && !isHanging:
            throw PlaybackError(.refused, "nothing to stop")
        case (.pausesAtAStop, .stop) where hasItem && !isHanging:
            try await base.perform(.pause)
            return
        default: break
        }
        try await base.perform(command)
        switch (fault, command) {
        case (.playsBehindASeek, .seek(to: .seconds(120))): try await base.perform(.play)
        case (.pausesAtASeek, .seek(to: .seconds(120))): try await base.perform(.pause)
        case (.playsAtAProgress, .progress) where hasItem: try await base.perform(.play)
        default: break
        }
    }

    func states() -> AsyncStream<PlaybackState> {
        let (wasConnected, reader) = content.withLock { content in
            content.readers += 1
            return (content.wasConnected, content.readers)
        }
        let states = base.states()
        switch fault {
        case .tellsUnconnected where !wasConnected: return copy(states, ends: { false }) { state, _ in state }
        case .staysWhenGone where wasConnected:
            return copy(states, ends: { [base] in base.loss == nil }) { state, _ in state }
        case .tellsChangesOnly:
            return copy(states) { state, place in
                place == 0 && state.phase == .paused && state.position == .zero ? nil : state
            }
        case .tellsTwoReadersOnly where reader > 2: return copy(states) { state, place in place == 0 ? state : nil }
        case .keepsTheOldest where reader == 1:
            return copy(states) { state, _ in state.position == .seconds(90) ? nil : state }
        case .tellsNothingOfTheRemote:
            return copy(states) { [content] state, _ in
                let plays = content.withLock { $0.wasToldToPlay }
                return plays && state.phase == .paused && state.position == .zero ? nil : state
            }
        default: return states
        }
    }

    /// Maps or drops each state, by its index.
    private func copy(
        _ states: AsyncStream<PlaybackState>, ends: @escaping @Sendable () -> Bool = { true },
        _ change: @escaping @Sendable (PlaybackState, Int) -> PlaybackState?
    ) -> AsyncStream<PlaybackState> {
        AsyncStream { continuation in
            let task = Task {
                var place = 0
                for await state in states {
                    if let state = change(state, place) { continuation.yield(state) }
                    place += 1
                }
                if ends() { continuation.finish() }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    func underLaws() -> ScreenLaws.Instance {
        let stub = base.underLaws(self)
        return ScreenLaws.Instance(
            self, device: { await stub.device() }, remote: { await stub.remote($0) },
            leave: { await stub.leave() },
            comeBack: { [self] in
                isHanging = false
                await stub.comeBack()
            },
            hang: { [self] in
                isHanging = true
                await stub.hang()
            })
    }
}
