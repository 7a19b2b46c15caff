import Synchronization
import Testing
import WharfChecks
import WharfPlayback
import WharfPlaybackLaws

@testable import WharfDLNA

@Suite struct ScreenLawTests {
    @Test(arguments: ScreenLaws.all)
    func rendererKeepsLaw(law: Law<ScreenLaws.Subject>) async throws {
        try await law.check(Self.subject("a renderer that does what it is told"))
    }

    @Test(arguments: ScreenLaws.all)
    func rendererWithQuirksKeepsLaw(law: Law<ScreenLaws.Subject>) async throws {
        try await law.check(
            Self.subject(
                "a renderer with habits", .init(forgottenSeeks: 1, transitions: 2, keepsItsItem: true, respells: true)))
    }

    /// Longer than any run, so that no verdict depends on the machine's load.
    private static let never = Duration.seconds(100 * 86_400)

    /// The renderer's position stands still with its clock. It is polled often by the system's
    /// clock.
    private static func subject(_ name: String, _ habits: FakeRenderer.Habits = .init()) -> ScreenLaws.Subject {
        ScreenLaws.Subject(name) {
            let renderer = FakeRenderer(habits, duration: .seconds(3600))
            let timing = DLNATiming(
                interval: .milliseconds(2), answer: never, misses: 2, ready: never, confirmation: .zero)
            let screen = try await DLNAScreen.at(
                FakeRenderer.location, transport: renderer.transport(timer: ContinuousClock()), timing: timing)
            return ScreenLaws.Instance(
                screen, device: { renderer.state }, remote: { renderer.press($0) },
                leave: { renderer.set { $0.presence = .gone } }, comeBack: { renderer.set { $0.presence = .there } },
                hang: { renderer.set { $0.presence = .hanging } })
        }
    }
}

extension FakeRenderer {
    /// The state that it really plays.
    fileprivate var state: PlaybackState {
        content.withLock { content in
            let item = DIDLLite.item(at: content.uri, content.metadata)
            return switch content.state {
            case "PLAYING": PlaybackState(.playing, item: item, position: position(content))
            case "PAUSED_PLAYBACK": PlaybackState(.paused, item: item, position: position(content))
            default: .idle
            }
        }
    }

    fileprivate func press(_ command: PlaybackCommand) {
        set { content in
            switch command {
            case .play: content.state = "PLAYING"
            case .pause: content.state = "PAUSED_PLAYBACK"
            case .stop: (content.state, content.base.position) = ("STOPPED", .zero)
            default: Issue.record("there is no button for \(command)")
            }
        }
    }
}
