import Testing
import WharfCore
import WharfPlayback
import WharfScreens
import WharfTesting

@Suite(.timeLimit(.minutes(1))) struct ScreenReceiverTests {
    let device = StubPlayer()

    private func answer(
        _ receiver: ScreenReceiver, _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
    ) async throws -> (status: Int, body: String) {
        let head = HTTPRequest(method: method, scheme: "http", authority: "192.0.2.7", path: path)
        let sent = TransportRequest(head, body: body.map { .bytes(Array($0.utf8)) } ?? .none)
        let response = try await receiver.send(sent)
        return (response.head.status.code, String(decoding: try await response.body.collect(), as: UTF8.self))
    }

    @Test func itSpeaksAsTheArticleSays() async throws {
        let receiver = ScreenReceiver(player: device)
        #expect(try await answer(receiver, .post, "/tv/session") == (201, #"{"session":1}"#))
        let load =
            #"{"sequence":1,"command":"load","item":{"id":"f","url":"http://192.0.2.1/f","contentType":"video/mp4"},"position":2000,"playing":true}"#
        #expect(try await answer(receiver, .post, "/tv/session/1/commands", load) == (204, ""))
        #expect(device.state.position == .seconds(2))
        let again = try await answer(receiver, .post, "/tv/session/1/commands", load)
        #expect(again.status == 204)
        #expect(device.taken.count == 1)
        let pause = try await answer(receiver, .post, "/tv/session/1/commands", #"{"sequence":3,"command":"pause"}"#)
        #expect(pause.status == 204)
        let late = try await answer(receiver, .post, "/tv/session/1/commands", #"{"sequence":2,"command":"play"}"#)
        #expect(late.status == 409)
        #expect(late.body.hasPrefix(#"{"code":"cancelled","message":"command 2 came behind command 3"#))
        #expect(device.state.phase == .paused)
    }

    @Test func aCommandOfAnOlderSessionIsRefused() async throws {
        let receiver = ScreenReceiver(player: device)
        _ = try await answer(receiver, .post, "/session")
        _ = try await answer(receiver, .post, "/session")
        let late = try await answer(receiver, .post, "/session/1/commands", #"{"sequence":9,"command":"stop"}"#)
        #expect(late.status == 410)
        #expect(device.taken.isEmpty)
        #expect(try await answer(receiver, .get, "/session/1/events").status == 204)
        #expect(try await answer(receiver, .delete, "/session/1").status == 204)
        #expect(
            try await answer(receiver, .post, "/session/2/commands", #"{"sequence":1,"command":"stop"}"#).status == 204)
    }

    @Test func whatIsNotOfTheProtocolIsToldSo() async throws {
        let receiver = ScreenReceiver(player: device)
        _ = try await answer(receiver, .post, "/session")
        let malformed = try await answer(receiver, .post, "/session/1/commands", "{")
        #expect(malformed.status == 400)
        #expect(malformed.body.contains("malformed"))
        for (method, path, status) in [
            (.get, "/", 404), (.get, "/session", 405), (.get, "/session/x", 404), (.put, "/session/1/events", 404),
        ] as [(HTTPRequest.Method, String, Int)] {
            #expect(try await answer(receiver, method, path).status == status)
        }
    }

    @Test func whoComesAgainIsToldWhatItDoesNotKnow() async throws {
        let receiver = ScreenReceiver(player: device, retry: .milliseconds(250))
        _ = try await answer(receiver, .post, "/session")
        var head = HTTPRequest(method: .get, scheme: "http", authority: "192.0.2.7", path: "/session/1/events")
        func read(_ count: Int) async throws -> String {
            let response = try await receiver.send(TransportRequest(head))
            #expect(response.head.headerFields[.contentType] == "text/event-stream")
            var text = ""
            var chunks = response.body.makeAsyncIterator()
            for _ in 0..<count { text += String(decoding: try await chunks.next() ?? [], as: UTF8.self) }
            return text
        }
        let first = "retry: 250\n\nevent: state\nid: 1\ndata: {\"sequence\":0,\"phase\":\"idle\",\"position\":0}\n\n"
        #expect(try await read(2) == first)
        head.headerFields[try #require(.init("Last-Event-ID"))] = "1"
        _ = try await answer(receiver, .post, "/session/1/commands", #"{"sequence":1,"command":"stop"}"#)
        #expect(try await read(2).contains(#"data: {"sequence":1,"phase":"idle","position":0}"#))
    }

    @Test func whoSwitchesItOffEndsTheSession() async throws {
        let receiver = ScreenReceiver(player: device)
        let screen = try NetworkScreen(id: "tv", name: "TV", at: "http://192.0.2.7", transport: receiver)
        try await screen.connect()
        receiver.close()
        for await _ in screen.states() {}
        #expect(screen.loss?.message == "the screen was switched off")
    }

    @Test func whoLetsGoEndsItsSessionThere() async throws {
        let receiver = ScreenReceiver(player: device)
        let screen = try NetworkScreen(id: "tv", name: "TV", at: "http://192.0.2.7", transport: receiver)
        try await screen.connect()
        await screen.disconnect()
        #expect(try await answer(receiver, .get, "/session/1/events").status == 204)
        #expect(screen.loss == nil)
    }
}
