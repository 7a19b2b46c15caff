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

    @Test func noMessageIsWrittenIntoAnother() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        // Both threads of the pool may wait for the pipe: it is emptied by one of its own.
        async let written = withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: Result { try pipe.fileHandleForReading.readToEnd() ?? Data() })
            }
        }
        let length = 300_000
        await withTaskGroup(of: Delivery.Verdict.self) { group in
            for letter in ["a", "b", "c", "d"] {
                group.addTask {
                    let body = String(repeating: letter, count: length)
                    return await StandardOutputChannel(descriptor: descriptor).deliver(.email(title: "", body: body))
                }
            }
            for await verdict in group { #expect(verdict == .delivered) }
        }
        try pipe.fileHandleForWriting.close()
        let lines = String(decoding: try await written.get(), as: UTF8.self).split(separator: "\n")
        #expect(lines.count == 8 && lines.allSatisfy { Set($0.dropFirst()).count == 1 || $0.hasPrefix("To: ") })
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
