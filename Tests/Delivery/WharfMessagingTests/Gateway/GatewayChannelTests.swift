import Testing
import WharfCore
import WharfFakes
import WharfMessaging

@Suite struct GatewayChannelTests {
    private let clock = TestClock()

    private func channel(
        _ transport: StubTransport, classify: GatewayChannel.Classification? = nil,
        excerpt: GatewayChannel.Excerpt? = nil
    ) throws -> GatewayChannel {
        GatewayChannel(
            "sms",
            try GatewayTemplate(.post, "https://sms.example.com/send", body: .form("to={{address}}&text={{body}}")),
            transport: transport, configuration: .init(clock: clock.wall, classify: classify, excerpt: excerpt))
    }

    @Test(arguments: [
        (HTTPResponse.Status.ok, "delivered"), (.accepted, "delivered"), (.tooManyRequests, "rate limited 7"),
        (.serviceUnavailable, "retry 7"), (.badRequest, "rejected"), (.unauthorized, "rejected"),
        (.proxyAuthenticationRequired, "rejected"), (.conflict, "retry"), (.preconditionFailed, "rejected"),
        (.movedPermanently, "rejected"), (.notFound, "rejected"),
    ])
    func statusDeterminesTheVerdict(status: HTTPResponse.Status, meaning: String) async throws {
        let transport = StubTransport([.respond(status, fields: [.retryAfter: "7"], "because")])
        let verdict = await (try channel(transport)).deliver(.email())
        #expect(verdict.name == meaning)
        if case .rejected(let failure) = verdict {
            #expect(failure.message == "the receiver responded with status \(status)" && failure.status == status.code)
        }
    }

    @Test(arguments: [
        HTTPResponse.Status.badRequest, .unauthorized, .conflict, .preconditionFailed, .serviceUnavailable,
    ])
    func failureDoesNotQuoteTheAnswer(status: HTTPResponse.Status) async throws {
        let answer = #"{"error": 21211, "to": "+358401", "token": "S3CRET"}"#
        let transport = StubTransport([.respond(status, answer), .respond(status, answer), .respond(status, answer)])
        let reported = await (try channel(transport)).deliver(.email())
        #expect(["21211", "+358401", "S3CRET"].allSatisfy { !"\(reported)".contains($0) })
        // The same holds if the app reads the answer and leaves the verdict to the HTTP status.
        #expect(await (try channel(transport) { _, _, _ in nil }).deliver(.email()) == reported)
        let excerpting = try channel(
            transport,
            excerpt: { _, body in
                "error \(body.count { $0 == UInt8(ascii: "1") })" + String(repeating: "x", count: 1_000)
            })
        let excerpted = "\(await excerpting.deliver(.email()))"
        #expect(excerpted.contains("error 4x") && !excerpted.contains("S3CRET"))
        #expect(excerpted.count { $0 == "x" } < 210)
    }

    @Test func retryAfterDateIsReadByTheLocalClock() async throws {
        let transport = StubTransport([
            .respond(.tooManyRequests, fields: [.retryAfter: "Sun, 09 Sep 2001 01:47:00 GMT"])
        ])
        #expect(await (try channel(transport)).deliver(.email()).name == "rate limited 20")
    }

    @Test(arguments: [
        (TransportError.Code.offline, "offline"), (.connectionFailed, "offline"), (.timedOut, "retry"),
        (.connectionLost, "retry"), (.invalidRequest, "rejected"), (.credentialUnavailable, "offline"),
    ])
    func transportErrorDeterminesTheVerdict(code: TransportError.Code, meaning: String) async throws {
        let transport = StubTransport([.failure(code)])
        #expect(await (try channel(transport)).deliver(.email()).name == meaning)
    }

    @Test func appReadsTheVerdictFromTheBody() async throws {
        let transport = StubTransport([.ok(#"{"ok": false, "error": "no such channel"}"#), .ok(#"{"ok": true}"#)])
        let channel = try channel(transport) { _, head, body in
            guard String(decoding: body, as: UTF8.self).contains("false") else { return nil }
            return .rejected(DeliveryFailure(.rejected, message: "no such channel", status: head.status.code))
        }
        #expect(await channel.deliver(.email()).name == "rejected")
        #expect(await channel.deliver(.email()) == .delivered)
    }

    @Test(arguments: ["ada", "..", "a\nb"], [nil, TransportError.Code.timedOut, .connectionFailed, .invalidRequest])
    func failureDoesNotRevealTemplateSecrets(address: String, code: TransportError.Code?) async throws {
        let url = "https://push.example.com/botS3CRET/{{address}}/x?token=S3CRET"
        let transport = StubTransport { request in
            code.map { .failure(TransportError($0, message: "no answer to \(request.head.path ?? "")")) }
                ?? .respond(.badRequest)
        }
        let channel = GatewayChannel(
            "push",
            try GatewayTemplate(.post, url, fields: [.authorization: "S3CRET {{address}}"], body: .json(#""S3CRET""#)),
            transport: transport)
        let verdict = await channel.deliver(.email(address: address))
        #expect(verdict != .delivered && !"\(verdict)".contains("S3CRET"))
    }

    @Test(arguments: [
        "https://push.example.com/S3CRET#", "ftp://push.example.com/S3CRET", "https://push.example.com/{{S3CRET",
        "https://push.example.com/{{&S3CRET}}",
    ])
    func refusedTemplateDoesNotRevealItsSecrets(text: String) {
        let errors = [
            #expect(throws: MessagingError.self) { try GatewayTemplate(.post, text) },
            #expect(throws: MessagingError.self) {
                try GatewayTemplate(.post, "https://example.com", fields: [.authorization: "\(text){{"])
            },
            #expect(throws: MessagingError.self) {
                try GatewayTemplate(.post, "https://example.com", body: .json("{\"key\": \"S3CRET\" {{body}}}"))
            },
        ]
        for error in errors { #expect(error.map { "\($0)".contains("S3CRET") } == false) }
    }

    @Test(arguments: [[], ["{\"ok\": "]])
    func brokenAnswerIsNotJudgedByTheApp(chunks: [String]) async throws {
        let broken = StubAnswer(
            head: HTTPResponse(status: .ok), chunks: chunks.map { Array($0.utf8) },
            failure: TransportError(.connectionLost, message: "gone"))
        let transport = StubTransport([broken, broken])
        let asked = try channel(transport) { _, _, _ in .rejected(DeliveryFailure(.rejected, message: "not ok")) }
        guard case .retry(let failure, nil) = await asked.deliver(.email()) else {
            Issue.record("it is not tried again")
            return
        }
        #expect(failure.code == .noAnswer && failure.status == 200)
        // Without `classify` the status decides, and a broken body does not matter.
        #expect(await (try channel(transport)).deliver(.email()) == .delivered)
    }

    @Test func unfillableTemplateIsRejectedAndNothingIsSent() async throws {
        let transport = StubTransport([])
        let channel = GatewayChannel(
            "push", try GatewayTemplate(.post, "https://push.example.com/{{attributes.topic}}"), transport: transport)
        #expect(await channel.deliver(.email()).name == "rejected")
        #expect(transport.requests.isEmpty)
    }
}
