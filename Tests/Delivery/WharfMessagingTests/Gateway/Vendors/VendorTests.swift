import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfMessaging

@Suite struct VendorTests {
    typealias Sink = @Sendable (TransportRequest) throws -> (StubAnswer, VendorSinks.Taken?)

    enum Vendor: String, CaseIterable {
        case twilio, slack, telegram

        var sink: Sink {
            switch self {
            case .twilio: { try VendorSinks.twilio($0) }
            case .slack: { try VendorSinks.slack($0) }
            case .telegram: { try VendorSinks.telegram($0) }
            }
        }

        var address: String {
            switch self {
            case .twilio: "+358401234567"
            case .slack: "C0123456789"
            case .telegram: "@harbour"
            }
        }

        func channel(_ transport: StubTransport, token: String? = nil) throws -> GatewayChannel {
            switch self {
            case .twilio:
                try .twilio(
                    accountSID: "AC01", authToken: token ?? "S3CRET", from: "+15005550006", transport: transport)
            case .slack: try .slack(botToken: token ?? "xoxb-S3CRET", transport: transport)
            case .telegram: try .telegram(botToken: token ?? "12:S3C-RET_", transport: transport)
            }
        }
    }

    /// Delivers a part, and checks each field that the vendor receives.
    private func deliver(
        _ vendor: Vendor, to address: String, _ body: String, token: String? = nil
    ) async throws -> (verdict: Delivery.Verdict, taken: [VendorSinks.Taken]) {
        let taken = Mutex<[VendorSinks.Taken]>([])
        let broken = Mutex<(any Error)?>(nil)
        let sink = vendor.sink
        let transport = StubTransport { request in
            do {
                let (answer, message) = try sink(request)
                if let message { taken.withLock { $0.append(message) } }
                return answer
            } catch {
                broken.withLock { $0 = error }
                return .respond(.badRequest)
            }
        }
        let verdict = await (try vendor.channel(transport, token: token)).deliver(
            .email(title: "", body: body, address: address))
        if let error = broken.withLock({ $0 }) { throw error }
        return (verdict, taken.withLock { $0 })
    }

    @Test(arguments: Vendor.allCases)
    func anyTextArrivesAsWritten(vendor: Vendor) async throws {
        try await forAll(.string(count: 1...80)) { text in
            let (verdict, taken) = try await deliver(vendor, to: vendor.address, text)
            try require(verdict == .delivered, "\(verdict)")
            let isSame = taken.map { Array($0.text.unicodeScalars) } == [Array(text.unicodeScalars)]
            try require(isSame && taken.map(\.address) == [vendor.address], "\(taken)")
        }
    }

    @Test(arguments: Vendor.allCases)
    func aTextAtTheLimitIsTaken(vendor: Vendor) async throws {
        let limit = try #require(try vendor.channel(StubTransport([])).limits.body)
        let text = String(repeating: "a", count: limit.length - 2) + "🚀"
        #expect(limit.unit.count(text) == limit.length)
        #expect(try await deliver(vendor, to: vendor.address, text).verdict == .delivered)
    }

    @Test(arguments: [
        (Vendor.twilio, "not a number", "rejected", "error 21211"), (.twilio, "+500", "rate limited", "error 20429"),
        (.slack, "nowhere", "rejected", "channel_not_found"), (.slack, "CBUSY", "rate limited", "ratelimited"),
        (.slack, "C429", "rate limited 30", "429"), (.slack, "CHTML", "retry", "is not its JSON"),
        (.slack, "CODD", "rejected", "no error"),
        (.telegram, "nobody", "rejected", "Bad Request: chat not found"),
        (.telegram, "403", "rejected", "blocked by the user"),
        (.telegram, "429", "rate limited 35", "limits the rate"),
        (.telegram, "html", "retry", "lacks \"ok\": true"),
    ])
    func vendorErrorDeterminesTheVerdict(
        vendor: Vendor, address: String, meaning: String, reported: String
    ) async throws {
        let (verdict, taken) = try await deliver(vendor, to: address, "At noon?")
        #expect(verdict.name == meaning && taken.isEmpty, "\(verdict)")
        #expect(verdict.failure?.message.contains(reported) == true, "\(verdict)")
        #expect(!"\(verdict)".contains("S3C") && !"\(verdict)".contains("At noon"))
    }

    @Test(arguments: [(Vendor.twilio, "other", "20003"), (.slack, "xoxb-other", "invalid_auth")])
    func aWrongTokenRejectsTheMessage(vendor: Vendor, token: String, reported: String) async throws {
        let (verdict, _) = try await deliver(vendor, to: vendor.address, "x", token: token)
        #expect(verdict.name == "rejected" && verdict.failure?.message.contains(reported) == true)
    }

    @Test(arguments: [
        (Vendor.slack, "S3CRET\r\nX: y"), (.slack, ""), (.telegram, "12:S3/CRET"), (.telegram, "S3CRET"),
        (.telegram, "12:"),
    ])
    func invalidTokenIsRefusedAndNotRevealed(vendor: Vendor, token: String) {
        let error = #expect(throws: MessagingError.self) { try vendor.channel(StubTransport([]), token: token) }
        #expect(error?.code == .invalidTemplate && error.map { "\($0)".contains("S3") } == false)
    }

    @Test func twilioTakesAMessagingServiceAndAKey() async throws {
        let transport = StubTransport([.respond(.created, "{}")])
        let service = "MG" + String(repeating: "0aF1", count: 8)
        let channel = try GatewayChannel.twilio(
            accountSID: "AC01", authToken: "{{body}}", keySID: "SK1", from: service, transport: transport)
        #expect(await channel.deliver(.email(body: "x", address: "+1")) == .delivered)
        guard case .bytes(let bytes) = try #require(transport.requests.first).body else { throw Broken("no bytes") }
        #expect(String(decoding: bytes, as: UTF8.self) == "To=%2B1&MessagingServiceSid=\(service)&Body=x")
        let other = StubTransport([.respond(.created, "{}")])
        let named = try GatewayChannel.twilio(
            accountSID: "AC01", authToken: "t", from: "MGROUP&To=2", transport: other)
        #expect(await named.deliver(.email(body: "x", address: "+1")) == .delivered)
        guard case .bytes(let sent) = try #require(other.requests.first).body else { throw Broken("no bytes") }
        #expect(String(decoding: sent, as: UTF8.self) == "To=%2B1&From=MGROUP%26To%3D2&Body=x")
        let error = #expect(throws: MessagingError.self) {
            try GatewayChannel.twilio(accountSID: "AC/..", authToken: "t", from: "+1", transport: transport)
        }
        #expect(error?.code == .invalidTemplate)
    }
}
