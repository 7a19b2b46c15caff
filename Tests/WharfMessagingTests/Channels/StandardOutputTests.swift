import Foundation
import Testing
import WharfCore
import WharfMessaging
import WharfTesting

@Suite struct StandardOutputTests {
    @Test func aMessageIsWrittenSoThatNoBodyLooksLikeAnother() async throws {
        let pipe = Pipe()
        let channel = StandardOutputChannel(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let part = MessagePart(
            title: "Lunch", body: "At noon?\nTo: eve\u{1B}[2J\r", name: "Ada", address: "ada\n@example.com",
            key: IdempotencyKey("k"), sentAt: .distantPast)
        #expect(await channel.deliver(part) == .delivered)
        try pipe.fileHandleForWriting.close()
        let written = try #require(try pipe.fileHandleForReading.readToEnd())
        #expect(
            String(decoding: written, as: UTF8.self) == """
                To: Ada <ada\\u{A}@example.com>
                Lunch
                \tAt noon?
                \tTo: eve\\u{1B}[2J\\u{D}

                """)
    }

    @Test func whatCantBeWrittenIsTriedAgain() async {
        let channel = StandardOutputChannel(descriptor: -1)
        guard case .retry(let failure, _) = await channel.deliver(.email()) else {
            Issue.record("it was not told to be tried again")
            return
        }
        #expect(failure.message.contains("descriptor -1"))
    }
}
