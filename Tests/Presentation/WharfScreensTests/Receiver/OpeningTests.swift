import Synchronization
import Testing
import WharfCore
import WharfFakes
import WharfPlaybackFakes
import WharfRandom

@testable import WharfScreens

struct OpeningTests {
    let sender = Sender(receiver: ScreenReceiver(player: StubPlayer()))

    @Test(arguments: ["", " ", "{", "{}{}", "null", "[]", #"{"a":}"#, #"{"a":1"#, "\u{0}", "session"])
    func anOpeningThatIsNoObjectGives400(body: String) async throws {
        let session = try await sender.open()
        let answer = try await sender.send(.post, "/session", body)
        #expect(answer.status == 400)
        #expect(answer.body.hasPrefix(#"{"code":"malformed","message":""#))
        // The other sender's session continues.
        #expect(try await sender.command(session, 1).status == 200)
    }

    @Test func anOpeningWithoutABodyGives400() async throws {
        let answer = try await sender.send(.post, "/session")
        #expect(answer.status == 400)
        #expect(answer.body.contains("has no body"))
    }

    @Test func anOpeningOfRandomBytesGives400() async throws {
        var generator = SeededGenerator(seed: 28)
        for _ in 0..<500 {
            // Begins with an opening brace, so that the parser gets past the first byte.
            let random = (0..<Int.random(in: 1...64, using: &generator)).map { _ in
                UInt8(truncatingIfNeeded: generator.next())
            }
            var request = sender.request(.post, "/session")
            request.body = .bytes([UInt8(ascii: "{")] + random)
            let status = try await sender.receiver.send(request).head.status
            #expect(status == .badRequest || random == [UInt8(ascii: "}")])
        }
    }

    @Test func unknownFieldsOfAnOpeningAreIgnored() async throws {
        #expect(try await sender.send(.post, "/session", #"{"version":2,"names":["a"]}"#).status == 201)
    }

    @Test func anOpeningAboveFourKilobytesGives413() async throws {
        let session = try await sender.open()
        let fits = "{" + String(repeating: " ", count: 4094) + "}"
        let answer = try await sender.send(.post, "/session", fits + " ")
        #expect(answer.status == 413)
        #expect(answer.body.hasPrefix(#"{"code":"malformed""#))
        #expect(try await sender.command(session, 1).status == 200)
        #expect(try await sender.send(.post, "/session", fits).status == 201)
    }

    @Test func endlessOpeningIsReadUpToItsLimit() async throws {
        let endless = EndlessBody()
        var request = sender.request(.post, "/session")
        request.body = .stream({ BodyStream(endless) }, length: nil)
        #expect(try await sender.receiver.send(request).head.status == .contentTooLarge)
        #expect(endless.pieces <= 6)
    }

    @Test func anOpeningThatBreaksOffEndsNoSession() async throws {
        let session = try await sender.open()
        var request = sender.request(.post, "/session")
        request.body = .stream({ BodyStream(BrokenBody()) }, length: 2)
        await #expect { try await sender.receiver.send(request) } throws: {
            ($0 as? TransportError)?.code == .connectionLost
        }
        #expect(try await sender.command(session, 1).status == 200)
    }
}

/// Endless pieces of one kilobyte.
private final class EndlessBody: BodyStream.Producer {
    private let count = Atomic(0)

    var pieces: Int { count.load(ordering: .relaxed) }

    func next() async throws(TransportError) -> [UInt8]? {
        count.wrappingAdd(1, ordering: .relaxed)
        return [UInt8](repeating: UInt8(ascii: " "), count: 1024)
    }

    func cancel() {}
}

/// An opening whose connection is lost before its last byte.
private final class BrokenBody: BodyStream.Producer {
    private let hasBegun = Atomic(false)

    func next() async throws(TransportError) -> [UInt8]? {
        guard hasBegun.exchange(true, ordering: .relaxed) else { return [UInt8(ascii: "{")] }
        throw TransportError(.connectionLost, message: "the sender has gone")
    }

    func cancel() {}
}
