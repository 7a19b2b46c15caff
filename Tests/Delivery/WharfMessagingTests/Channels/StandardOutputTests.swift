import Foundation
import Testing
import WharfCore

@testable import WharfMessaging

@Suite struct StandardOutputTests {
    @Test func bodyCannotImitateAnotherMessage() async throws {
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

    /// Each channel writes less than the pipe holds, so none waits.
    @Test func concurrentMessagesAreNotInterleaved() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let letters = "abcdefgh"
        await withTaskGroup(of: Delivery.Verdict.self) { group in
            for letter in letters {
                group.addTask {
                    let channel = StandardOutputChannel(descriptor: descriptor) { descriptor, bytes in
                        // A system call may write less than it is given, and let another writer
                        // continue.
                        let count = write(descriptor, bytes.baseAddress, min(bytes.count, 5))
                        sched_yield()
                        return count
                    }
                    return await channel.deliver(.email(title: "", body: String(repeating: letter, count: 3_000)))
                }
            }
            for await verdict in group { #expect(verdict == .delivered) }
        }
        try pipe.fileHandleForWriting.close()
        let written = try #require(try pipe.fileHandleForReading.readToEnd())
        let bodies = String(decoding: written, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("\t") }
        let reported = bodies.map { "\(Set($0.dropFirst()).sorted().map(String.init).joined()) \($0.count - 1)" }
        #expect(reported.sorted() == letters.map { "\($0) 3000" })
    }

    @Test func failedWriteIsARetry() async {
        let channel = StandardOutputChannel(descriptor: -1)
        guard case .retry(let failure, _) = await channel.deliver(.email()) else {
            Issue.record("it was not told to be tried again")
            return
        }
        #expect(failure.message.contains("descriptor -1"))
    }
}
