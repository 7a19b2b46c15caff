import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfPlayback
import WharfPlaybackFakes
import WharfPrimitives
import WharfRandom

@testable import WharfScreens

struct AuthenticationTests {
    let device = StubPlayer()
    let pairing = ScreenPairing(random: SeededGenerator(seed: 1))
    let receiver: ScreenReceiver

    init() { receiver = ScreenReceiver(player: device, pairing: pairing) }

    /// A signed request as sent over the network, which an attacker can record.
    private func signed(
        _ method: HTTPRequest.Method, _ path: String, _ body: String?, by key: ScreenKey
    ) -> TransportRequest {
        var request = Sender(receiver: receiver).request(method, path, body)
        request.head.headerFields[.authorization] = key.authorization(method, path, body: Array((body ?? "").utf8))
        return request
    }

    private func pair() async throws -> ScreenKey {
        try await ScreenKey.pair(by: pairing.showCode(), at: "http://192.0.2.7", transport: receiver)
    }

    private func refusal(of request: TransportRequest) async throws -> String {
        let response = try await receiver.send(request)
        #expect(response.head.status == .unauthorized)
        return String(decoding: try await response.body.collect(), as: UTF8.self)
    }

    @Test func aReplayedRequestIsRefused() async throws {
        let key = try await pair()
        let opening = signed(.post, "/session", "{}", by: key)
        #expect(try await receiver.send(opening).head.status == .created)
        let session = try #require(receiver.session.withLock { $0.id })
        #expect(try await refusal(of: opening).contains("replayed"))
        #expect(receiver.session.withLock { $0.id } == session)
        let stop = signed(.post, "/session/\(session)/commands", #"{"sequence":1,"command":"stop"}"#, by: key)
        #expect(try await receiver.send(stop).head.status == .ok)
        #expect(try await refusal(of: stop).contains("replayed"))
        #expect(device.taken.count == 1)
    }

    @Test func tamperedRequestIsRefusedAndUsesNoCounter() async throws {
        let key = try await pair()
        let opening = signed(.post, "/session", "{}", by: key)
        var changed: [TransportRequest] = []
        var other = opening
        other.body = .bytes(Array("{ }".utf8))
        changed.append(other)
        other = opening
        other.head.method = .delete
        changed.append(other)
        other = opening
        other.head.path = "/tv/session"
        changed.append(other)
        other = opening
        let field = try #require(opening.head.headerFields[.authorization])
        other.head.headerFields[.authorization] = field.replacing("counter=1", with: "counter=2")
        changed.append(other)
        for request in changed { #expect(try await refusal(of: request).contains("not authentic")) }
        #expect(try await receiver.send(opening).head.status == .created)
    }

    @Test func aKeyOfAnotherScreenIsRefused() async throws {
        let elsewhere = ScreenPairing(random: SeededGenerator(seed: 9))
        let key = try await ScreenKey.pair(
            by: elsewhere.showCode(), at: "http://192.0.2.8",
            transport: ScreenReceiver(player: device, pairing: elsewhere))
        #expect(try await refusal(of: signed(.post, "/session", "{}", by: key)).contains("not paired"))
    }

    @Test(arguments: [
        "", "Bearer x", "Wharf-HMAC-SHA256", "Wharf-HMAC-SHA256 key=a", "Wharf-HMAC-SHA256 key=a, counter=-1, mac=00",
        "Wharf-HMAC-SHA256 key=a, counter=1, mac=0", "Wharf-HMAC-SHA256 key=a, key=a, counter=1, mac=00",
        "Wharf-HMAC-SHA256 key=a, counter=1, mac=00" + String(repeating: " ", count: 500),
    ])
    func malformedSignatureFieldIsNil(field: String) {
        #expect(RequestSignature(field: field) == nil)
    }

    @Test func signatureFieldRoundTrips() {
        let signature = RequestSignature(key: "0a", counter: .max, code: SHA256.digest([]))
        #expect(RequestSignature(field: signature.field) == signature)
    }

    @Test func unauthenticatedBodyIsNotRead() async throws {
        var request = Sender(receiver: receiver).request(.post, "/session")
        request.body = .stream({ BodyStream(UnreadBody()) }, length: nil)
        #expect(try await receiver.send(request).head.status == .unauthorized)
    }

    @Test func bodyAboveTheLimitIsRefused() async throws {
        let key = try await pair()
        var request = signed(.post, "/session", nil, by: key)
        request.body = .bytes([UInt8](repeating: 32, count: (1 << 20) + 1))
        #expect(try await receiver.send(request).head.status == .contentTooLarge)
    }

    @Test func aStreamedBodyIsAuthenticatedWhole() async throws {
        let sender = KeyedTransport(receiver, key: try await pair())
        var request = Sender(receiver: receiver).request(.post, "/session")
        request.body = .stream({ BodyStream(Array("{}".utf8)) }, length: 2)
        #expect(try await sender.send(request).head.status == .created)
    }

    @Test func seventeenthKeyEvictsTheFirst() {
        var state = PairingState()
        let deadline = Deadline(after: .seconds(60), on: TestClock())
        for number in 0..<17 {
            let code = PairingCode(number: UInt64(number))
            state.show(code, attempts: 1, until: deadline)
            let key = PairingState.Key(id: "\(number)", hmac: HMAC(key: []), deadline: deadline)
            let isAccepted = state.accept(key, by: code)
            #expect(isAccepted)
        }
        #expect(state.keyCount == 16)
        #expect(state.hmac(of: "0") == nil)
        #expect(state.hmac(of: "1") != nil)
    }
}

private final class UnreadBody: BodyStream.Producer {
    func next() async throws(TransportError) -> [UInt8]? {
        Issue.record("a body without a valid key was read")
        return nil
    }

    func cancel() {}
}
