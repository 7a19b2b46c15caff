import Testing
import WharfChecks
import WharfCore
import WharfFaults
import WharfPlayback
import WharfPlaybackLaws
import WharfScreens

#if TestServer
import LiveTransport
import WharfPlaybackFakes
#endif

struct NetworkScreenLawTests {
    @Test(arguments: ScreenLaws.all)
    func networkScreenKeepsLawOverAWire(law: Law<ScreenLaws.Subject>) async throws {
        try await law.check(.init("NetworkScreen over a wire") { try Self.overAWire { $0 } })
    }

    /// Commands and states arrive late and in small pieces.
    @Test(arguments: ScreenLaws.all)
    func networkScreenKeepsLawOnABadNetwork(law: Law<ScreenLaws.Subject>) async throws {
        let plan: FaultPlan = [.sliced(bytes: 23), .latency(.milliseconds(2), jitter: .milliseconds(2))]
        try await law.check(
            .init("NetworkScreen on a bad network") { try Self.overAWire { FaultyTransport($0, plan, seed: 7) } })
    }

    #if TestServer
    @Test(arguments: ScreenLaws.all)
    func networkScreenKeepsLawOverLoopback(law: Law<ScreenLaws.Subject>) async throws {
        try await law.check(
            .init("NetworkScreen over loopback") {
                let origin = try await LoopbackReceiver()
                let screen = try NetworkScreen(
                    id: "living", name: "Living room", at: "http://127.0.0.1:\(origin.port)/tv",
                    transport: liveTransport(), configuration: .init(timeout: .never, silence: .never, retry: .fast))
                return .init(
                    screen, device: { origin.device.state }, remote: { origin.device.press($0) },
                    leave: { await origin.leave() }, comeBack: { await origin.comeBack() }, hang: { origin.hang() })
            })
    }
    #endif

    private static func overAWire(_ network: (Wire) -> any Transport) throws -> ScreenLaws.Instance {
        let living = Living()
        return .init(
            try living.screen(by: network(living.wire)), device: { living.device.state },
            remote: { living.device.press($0) }, leave: { living.wire.cut() }, comeBack: { living.wire.mend() },
            hang: { living.wire.hang() })
    }
}
