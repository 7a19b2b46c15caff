import Testing
import WharfCore

@testable import WharfTestServer

struct ByteQueueTests {
    @Test func pushBeyondTheLimitWaits() async throws {
        let queue = ByteQueue(limit: 10)
        try await queue.push(.bytes([UInt8](repeating: 1, count: 10), at: .zero))
        let second = Task { try await queue.push(.bytes([2], at: .zero)) }
        await Task.yield()
        #expect(queue.count == 10)
        #expect(try await queue.next() == .bytes([UInt8](repeating: 1, count: 10), at: .zero))
        #expect(try await queue.next() == .bytes([2], at: .zero))
        try await second.value
        #expect(queue.count == 0)
    }

    @Test func cancellationEndsAWaitForTheQueue() async throws {
        let queue = ByteQueue(limit: 1)
        let receiver = Task { try await queue.next() }
        receiver.cancel()
        await #expect(throws: CancellationError.self) { try await receiver.value }
        try await queue.push(.bytes([1], at: .zero))
        let sender = Task { try await queue.push(.bytes([2], at: .zero)) }
        sender.cancel()
        await #expect(throws: CancellationError.self) { try await sender.value }
        #expect(queue.count == 1)
    }

    @Test func bytesArriveInOrder() async throws {
        let queue = ByteQueue(limit: 50)
        async let sent: Void = {
            for number in 0..<2000 { try await queue.push(.bytes([UInt8(number % 256)], at: .zero)) }
            try await queue.push(.end(at: .zero))
        }()
        var received: [UInt8] = []
        while case .bytes(let bytes, _) = try await queue.next() { received += bytes }
        try await sent
        #expect(received == (0..<2000).map { UInt8($0 % 256) })
    }
}

@Suite struct MessageRewriteTests {
    private static let body = Array("garbage".utf8)
    private static let head = "HTTP/1.1 200 OK\r\nServer: a\r\n"
    private static let rewritten = head + "Content-Length: 7\r\nConnection: close\r\n\r\ngarbage"

    private static func run(
        _ text: String, _ goal: MessageRewrite.Goal = .body(body), ofRequest: Bool = false, chunk: Int = 1000
    ) -> (text: String, output: MessageRewrite.Output) {
        var rewrite = MessageRewrite(goal, ofRequest: ofRequest)
        var passed: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while true {
            let output = rewrite.take(Array(rest.prefix(chunk)))
            rest = rest.dropFirst(chunk)
            switch output {
            case .hold(let bytes): passed += bytes
            case .replace(let bytes): return (String(decoding: passed + bytes, as: UTF8.self), .replace([]))
            case .pass(let bytes): return (String(decoding: passed + bytes + rest, as: UTF8.self), .pass([]))
            case .skip(let bytes): return (String(decoding: passed + bytes + rest, as: UTF8.self), .skip([]))
            }
            if rest.isEmpty { return (String(decoding: passed + rewrite.end(), as: UTF8.self), .hold([])) }
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func bodyIsReplacedForAnyFramingAndChunking(chunk: Int) {
        for framing in [
            "Content-Length: 5\r\n", "content-length:5\r\nContent-Encoding: gzip\r\n", "Transfer-Encoding: chunked\r\n",
            "",
        ] {
            let result = Self.run(Self.head + framing + "\r\nhello", chunk: chunk)
            #expect(result.text == Self.rewritten && result.output == .replace([]))
        }
        let interim = Self.run(
            "HTTP/1.1 100 Continue\r\n\r\n" + Self.head + "Content-Length: 5\r\n\r\nhello", chunk: chunk)
        #expect(interim.text == "HTTP/1.1 100 Continue\r\n\r\n" + Self.rewritten)
        let post = Self.run(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", ofRequest: true, chunk: chunk)
        #expect(post.text == "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\nConnection: close\r\n\r\ngarbage")
    }

    @Test(arguments: [
        "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "HTTP/1.1 204 No Content\r\n\r\n",
        "HTTP/1.1 101 Switching Protocols\r\n\r\nbytes", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
    ])
    func answerWithoutBodyGetsNone(text: String) {
        let result = Self.run(text)
        #expect(result.text == text && result.output == .pass([]))
    }

    @Test(arguments: ["SSH-2.0-OpenSSH\r\n\r\n", "HTTP/2.0 200\r\n\r\n", "\u{16}\u{3}\u{1}", "220 mail.example\r\n"])
    func nonHTTPBytesPass(text: String) {
        let result = Self.run(text)
        #expect(result.text == text && result.output == .skip([]))
    }

    @Test func injectedAnswerReplacesTheOriginal() {
        #expect(Self.run(Self.head + "\r\n", .answer(Self.body)).text == "garbage")
    }

    @Test func truncatedHeadPassesUnchanged() {
        let result = Self.run("HTTP/1.1 200 OK\r\nServ", chunk: 3)
        #expect(result.text == "HTTP/1.1 200 OK\r\nServ" && result.output == .hold([]))
    }
}
