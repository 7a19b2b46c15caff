import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes
import WharfPrimitives
import WharfRandom

@testable import WharfScreens

struct PairingTests {
    let clock = TestClock()
    let device = StubPlayer()
    let pairing: ScreenPairing
    let receiver: ScreenReceiver

    init() {
        pairing = ScreenPairing(clock: clock, random: SeededGenerator(seed: 1))
        receiver = ScreenReceiver(player: device, pairing: pairing)
    }

    private func pair(
        _ code: PairingCode, by transport: (any Transport)? = nil
    ) async throws(PlaybackError) -> ScreenKey {
        try await ScreenKey.pair(
            by: code, at: "http://192.0.2.7/tv", transport: transport ?? receiver, random: SeededGenerator(seed: 2))
    }

    private func outcome(_ body: () async throws -> Void) async -> PlaybackError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? PlaybackError
        }
    }

    private func wrong(_ code: PairingCode) -> PairingCode {
        PairingCode(number: (UInt64(code.digits) ?? 0) + 1)
    }

    @Test func aPairedControllerPlays() async throws {
        let key = try await pair(pairing.showCode())
        let screen = try NetworkScreen.patient(KeyedTransport(receiver, key: key))
        try await screen.connect()
        try await screen.perform(.load(Living.film, at: .seconds(3), playing: true))
        #expect(device.state.phase == .playing)
        await screen.disconnect()
        #expect(key.lifetime == .seconds(12 * 3600))
        #expect(pairing.controllerCount == 1)
    }

    @Test func withoutAKeyEveryRequestIsRefused() async throws {
        let sender = Sender(receiver: receiver)
        for (method, path) in [
            (.post, "/session"), (.get, "/session/x/events"), (.post, "/session/x/commands"), (.delete, "/session/x"),
            (.get, "/"),
        ] as [(HTTPRequest.Method, String)] {
            let answer = try await sender.send(method, path, method == .post ? "{}" : nil)
            #expect(answer.status == 401)
            #expect(answer.fields[.wwwAuthenticate] == "Wharf-HMAC-SHA256")
            #expect(answer.body.contains("not paired"))
        }
        let screen = try NetworkScreen.patient(receiver)
        #expect(await outcome { try await screen.connect() }?.code == .refused)
    }

    @Test func codeIsShownInGroupsAndReadFromTypedText() throws {
        let code = PairingCode(number: 12_345)
        #expect(code.description == "0000 0000 0001 2345")
        #expect(try PairingCode(" 0000-0000 00012345") == code)
        for text in ["", "1234", "0000 0000 0001 234x", "0000 0000 0001 23456"] {
            #expect(throws: PlaybackError.self) { try PairingCode(text) }
        }
    }

    @Test func fiveWrongCodesMakeACodeVoid() async throws {
        let code = pairing.showCode()
        for left in [4, 3, 2, 1] {
            let error = await outcome { _ = try await pair(wrong(code)) }
            #expect(error?.code == .refused)
            #expect(error?.message.contains("\(left) attempts are left") == true)
        }
        #expect(await outcome { _ = try await pair(wrong(code)) }?.message.contains("void") == true)
        #expect(pairing.code == nil)
        // The correct code comes too late.
        #expect(await outcome { _ = try await pair(code) } == .noCode)
        _ = try await pair(pairing.showCode())
    }

    @Test func aCodeIsValidForItsLifetimeAndOneKey() async throws {
        #expect(await outcome { _ = try await pair(PairingCode(number: 0)) } == .noCode)
        let first = pairing.showCode()
        clock.advance(by: .seconds(120))
        #expect(pairing.code == nil)
        #expect(await outcome { _ = try await pair(first) } == .noCode)
        let second = pairing.showCode()
        clock.advance(by: .seconds(119))
        _ = try await pair(second)
        #expect(await outcome { _ = try await pair(second) } == .noCode)
        _ = pairing.showCode()
        pairing.hideCode()
        #expect(pairing.code == nil)
    }

    @Test func aKeyIsValidForItsLifetimeAndUntilItIsForgotten() async throws {
        let key = try await pair(pairing.showCode())
        let sender = KeyedTransport(receiver, key: key)
        let opening = Sender(receiver: receiver).request(.post, "/session", "{}")
        #expect(try await sender.send(opening).head.status == .created)
        clock.advance(by: .seconds(12 * 3600))
        #expect(try await sender.send(opening).head.status == .unauthorized)
        #expect(pairing.controllerCount == 0)
        let other = KeyedTransport(receiver, key: try await pair(pairing.showCode()))
        #expect(try await other.send(opening).head.status == .created)
        pairing.forgetControllers()
        #expect(try await other.send(opening).head.status == .unauthorized)
    }

    @Test func receiverWithoutTheCodeIsRefused() async throws {
        let code = pairing.showCode()
        let impostor = ScriptedReceiver { _, _ in
            let digits = String(repeating: "0", count: 32)
            return .message(
                .created, #"{"key":"\#(digits)","nonce":"\#(digits)","seconds":60,"proof":"\#(digits)\#(digits)"}"#)
        }
        let error = await outcome { _ = try await pair(code, by: impostor) }
        #expect(error?.code == .refused)
        #expect(error?.message.contains("did not prove") == true)
    }

    @Test func theCodeNeverGoesOverTheNetwork() async throws {
        let wire = Wire(receiver)
        let code = pairing.showCode()
        _ = try await pair(code, by: wire)
        for request in wire.requests {
            let body = String(decoding: try await request.body.collect(upTo: 4096), as: UTF8.self)
            #expect(!body.contains(code.digits) && body.contains("proof"))
        }
        #expect(wire.requests.count == 1)
    }

    @Test func invalidPairingRequestGetsItsStatus() async throws {
        let code = pairing.showCode()
        let sender = Sender(receiver: receiver)
        #expect(try await sender.send(.get, "/pairing").status == 405)
        #expect(try await sender.send(.post, "/pairing", "{}", type: "text/plain").status == 415)
        let nonce = String(repeating: "0", count: 32)
        for body in [
            "", "{", "{}", #"{"nonce":"","proof":""}"#, #"{"nonce":"\#(nonce)","proof":"x"}"#,
            #"{"nonce":"\#(String(repeating: "A", count: 32))","proof":"00"}"#,
        ] {
            #expect(try await sender.send(.post, "/pairing", body).status == 400)
        }
        #expect(try await sender.send(.post, "/pairing", String(repeating: " ", count: 1025)).status == 413)
        // None of these counted as an attempt.
        #expect(pairing.code == code)
        #expect(try await sender.send(.post, "/pairing", #"{"nonce":"\#(nonce)","proof":"00"}"#).status == 403)
        #expect(await outcome { _ = try await pair(wrong(code)) }?.message.contains("3 attempts") == true)
        #expect(try await Sender(receiver: ScreenReceiver(player: device)).send(.post, "/pairing", "{}").status == 404)
    }
}
