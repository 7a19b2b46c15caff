import Foundation
import Testing
import Wharf
import WharfChecks
import WharfStorage

@testable import WharfCommand

struct OutboxShowTests {
    private let fields: HTTPFields = [
        .contentType: "application/json", .authorization: "Bearer s3cr3t", .cookie: "id=s3cr3t",
    ]

    @Test func aRequestIsReadableAndItsSecretsAreLeftOut() async throws {
        let file = try OutboxFile()
        try await file.enqueue(
            file.request("a", "https://u:s3cr3t@a/notes?key=s3cr3t", fields: fields, body: "{\"title\": \"x\"}"))
        let result = await file.run("show", "a")
        #expect(result.status == .delivered && result.error.isEmpty)
        for line in [
            "id        a", "lane      a", "kind      http.request, version 1", "key       a", "class     durable",
            "enqueued  2001-09-09T01:46:40Z, 0 s ago", "to api: pending, next now",
            "  POST https://***@a/notes?key=***",
            "  Content-Type: application/json", "  Authorization: ***", "  {\"title\": \"x\"}",
        ] {
            #expect(result.text.contains(line + "\n"), "\(line) in \(result.text)")
        }
        #expect(!result.text.contains("s3cr3t"))
        #expect(!(await file.run("show", "a", "--json")).text.contains("s3cr3t"))
        let whole = await file.run("show", "a", "--secrets")
        #expect(whole.text.contains("  POST https://u:s3cr3t@a/notes?key=s3cr3t\n"))
        #expect(whole.text.contains("  Authorization: Bearer s3cr3t\n"))
    }

    /// The secrets in such a request are unknown.
    @Test(arguments: [true, false])
    func unreadableRequestIsNotShown(isOfAnotherVersion: Bool) async throws {
        let file = try OutboxFile()
        var entry = file.request("a", "https://a/notes", fields: fields)
        if isOfAnotherVersion {
            entry.kind.version = 2
        } else {
            entry.payload = Array("POST https://a/notes\nAuthorization: Bearer s3cr3t\n\n".utf8)
        }
        try await file.enqueue(entry)
        try await file.settle("api", .conflict(DeliveryFailure(.conflict, message: "changed"), theirs: nil))
        let hidden = "\n  (\(entry.payload.count) B of a request that can't be read; --secrets shows them)\n"
        let text = await file.run("show", "a").text
        #expect(text.contains("payload:" + hidden) && !text.contains("s3cr3t"), "\(text)")
        #expect(text.contains("mine, of the conflict at api:" + hidden), "\(text)")
        let object = try #require(try await file.json("show", "a").first)
        #expect(object["payload"] == nil && object["request"] == nil && object["id"] as? String == "a")
        #expect(await file.run("show", "a", "--secrets").text.contains("Authorization: Bearer s3cr3t"))
        let whole = try #require(try await file.json("show", "a", "--secrets").first)
        #expect((whole["payload"] as? [String: String])?["text"]?.contains("s3cr3t") == true)
    }

    @Test func aConflictShowsBaseMineAndTheirs() async throws {
        let file = try OutboxFile()
        var entry = file.request("a", "https://a/1", body: "mine")
        entry.base = Array("base".utf8)
        try await file.enqueue(entry)
        let conflict = DeliveryFailure(.conflict, message: "changed meanwhile", status: 409)
        try await file.settle("api", .conflict(conflict, theirs: Array("theirs".utf8)))
        let text = await file.run("show", "a").text
        for piece in [
            "to api: dead, 1 attempt\n  died 2001-09-09T01:46:40Z\n  http.request to api conflicts with another client's",
            "base, of the conflict at api:\n  base\n", "mine, of the conflict at api:\n  mine\n",
            "theirs, of the conflict at api:\n  theirs\n",
        ] {
            #expect(text.contains(piece), "\(piece) in \(text)")
        }
        let object = try #require(try await file.json("show", "a").first)
        let delivery = try #require((object["deliveries"] as? [[String: Any]])?.first)
        #expect(delivery["theirs"] as? [String: String] == ["text": "theirs"])
        #expect((delivery["explanation"] as? String)?.contains("Compare both") == true)
        #expect(object["base"] as? [String: String] == ["text": "base"])
        let request = try #require(object["request"] as? [String: Any])
        #expect(request["body"] as? [String: String] == ["text": "mine"])
        #expect(request["head"] as? [String] == ["POST https://a/1"])
    }

    @Test func eachTargetHasItsStateAndCondition() async throws {
        let file = try OutboxFile()
        var entry = file.own("a", [0xFF, 0x00])
        entry.targets = .first(of: "notes", "mail")
        entry.deliveryClass = .expiring(after: .seconds(3600), latestWins: true)
        try await file.enqueue(entry)
        let text = await file.run("show", "a").text
        #expect(text.contains("to notes: pending, next now\nto mail: waiting, after a failure of notes\n"), "\(text)")
        #expect(text.contains("class     expiring after 1 h, latest wins\n"))
        #expect(text.contains("needs     the app"))
        #expect(text.contains("(2 B that are not text; --json has them)"))
        let object = try #require(try await file.json("show", "a").first)
        #expect(object["payload"] as? [String: String] == ["base64": "/wA="])
        try await file.settle("notes", .dead(.refused))
        let after = await file.run("show", "a").text
        #expect(
            after.contains("to notes: dead, 1 attempt\n") && after.contains("to mail: pending, next now"), "\(after)")
    }

    @Test(arguments: [
        ("0192f3a0-0000-7000-8000-00000000000", "did you mean 0192f3a0-0000-7000-8000-000000000001 or "),
        ("0192f3a0-0000-7000-8000-000000000003", "did you mean 0192f3a0-0000-7000-8000-000000000001 or "),
        ("0192F3A0-0000-7000-8000-000000000001", "did you mean 0192f3a0-0000-7000-8000-000000000001"),
        ("8f14e45f", "it was settled, or never existed; see wharf outbox ls"),
    ])
    func unknownIDSuggestsSimilarOnes(typed: String, expected: String) async throws {
        let file = try OutboxFile()
        try await file.enqueue(
            file.own("0192f3a0-0000-7000-8000-000000000001"), file.own("0192f3a0-0000-7000-8000-000000000002"))
        let result = await file.run("show", typed)
        #expect(result.status == .notDone && result.output.isEmpty)
        #expect(result.error.contains("\(file.path) has no entry with the id '\(typed)'"))
        #expect(result.error.contains(expected), "\(result.error)")
    }
}
