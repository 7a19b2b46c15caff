import Testing
import WharfChecks
import WharfPlayback
import WharfPlaybackFakes
import WharfPlaybackLaws

struct ScreenLawTests {
    @Test(arguments: ScreenLaws.all)
    func stubScreenKeepsLaw(law: Law<ScreenLaws.Subject>) async throws {
        try await law.check(.init("StubScreen") { StubScreen("lounge").underLaws() })
    }

    @Test(arguments: PlayerLaws.all)
    func stubPlayerKeepsLaw(law: Law<PlayerLaws.Subject>) async throws {
        try await law.check(
            .init("StubPlayer") {
                let engine = StubPlayer()
                return .init(
                    engine, device: { engine.state },
                    remote: { command in
                        var state = engine.state
                        do { try state.apply(command) } catch { return }
                        engine.report(state)
                    })
            })
    }

    @Test(arguments: ScreenLaws.all)
    func eachLawFailsForItsMutantsAlone(law: Law<ScreenLaws.Subject>) async throws {
        try await law.prove(by: ScreenMutants.all, in: ScreenLaws.all)
    }
}
