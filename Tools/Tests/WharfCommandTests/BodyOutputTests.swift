import Foundation
import Testing
import Wharf
import WharfChecks
import WharfFakes
import WharfTestServer

@testable import WharfCommand

struct BodyOutputTests {
    @Test func outputFileIsWrittenWholeOrNotAtAll() async throws {
        let session = try Session()
        try session.folder.write("before", to: "out")
        let out = session.folder.path("out")
        try await TestServer.run { server in
            server.route(.get, "/cut", .text("hello world").truncated(after: 5))
            let cut = await session.get("\(server.baseURL)/cut", "-o", out)
            #expect(cut.status == .noAnswer)
            #expect(cut.line.contains("truncated after 5 of 11 bytes"))
            var names = try session.folder.names()
            var contents = try session.folder.contents("out")
            #expect(names == ["out"] && contents == "before")

            let gone = await session.get("\(server.baseURL)/gone", "-o", out)
            contents = try session.folder.contents("out")
            #expect(gone.status == .errorStatus && contents == "before")

            server.route(.get, "/whole", .text("hello world"))
            let whole = await session.get("\(server.baseURL)/whole", "-o", out)
            #expect(whole.status == .delivered)
            #expect(whole.output.isEmpty)
            contents = try session.folder.contents("out")
            names = try session.folder.names()
            #expect(names == ["out"] && contents == "hello world")
        }
    }

    @Test func aLinkStaysALink() async throws {
        let session = try Session()
        try session.folder.write("before", to: "real")
        try FileManager.default.createSymbolicLink(
            atPath: session.folder.path("link"), withDestinationPath: session.folder.path("real"))
        try await TestServer.run { server in
            server.route(.get, "/x", .text("after"))
            _ = await session.get("\(server.baseURL)/x", "-o", session.folder.path("link"))
        }
        #expect(try session.folder.contents("real") == "after")
        #expect(try session.folder.names() == ["link", "real"])
    }

    @Test func requestIsNotSentIfTheFileCannotBeWritten() async throws {
        let session = try Session()
        try await TestServer.run { server in
            server.route(.post, "/x", .text("done"))
            for path in ["/nowhere/at/all", session.folder.url.path(percentEncoded: false).dropTrailingSlash] {
                let result = await session.get("\(server.baseURL)/x", "-d", "1", "-o", path)
                #expect(result.status == .outputFailed)
            }
            #expect(server.requests.isEmpty)
        }
    }

    @Test func truncatedBodyIsReported() async throws {
        let session = try Session()
        try await TestServer.run { server in
            server.route(.get, "/cut", .text("hello world").truncated(after: 5))
            let result = await session.get("\(server.baseURL)/cut")
            #expect(result.status == .noAnswer)
            #expect(result.text == "hello")
            #expect(result.line.contains("200 OK from the network, truncated after 5 of 11 bytes"))
        }
    }

    @Test func cachedAnswerReplacesATruncatedBody() async throws {
        let session = try Session()
        try await TestServer.run(clock: session.clock.wall) { server in
            let url = "\(server.baseURL)/x"
            server.route(.get, "/x", inOrder: [.text("old").maxAge(1), .text("hello world").truncated(after: 5)])
            _ = await session.get(url)
            session.clock.advance(by: .seconds(9))
            let result = await session.get(url, "--strict")
            #expect(result.text == "old")
            #expect(result.status == .stale)
            #expect(result.line.contains("the refresh failed"))
        }
    }

    @Test func tooLargeBodyIsRefused() async throws {
        let session = try Session()
        try await TestServer.run { server in
            server.route(.get, "/announced", .text("hello world"))
            server.route(.get, "/chunked", .text("hello world").chunked())
            for path in ["/announced", "/chunked"] {
                let result = await session.get("\(server.baseURL)\(path)", "--max-size", "10")
                #expect(result.status == .noAnswer)
                #expect(result.output.isEmpty)
                #expect(result.line.contains("raise --max-size"), "\(result.line)")
                let exact = await session.get("\(server.baseURL)\(path)", "--max-size", "11")
                #expect(exact.text == "hello world")
            }
        }
    }

    @Test func hangingServerTimesOut() async throws {
        let session = try Session()
        try await TestServer.run { server in
            server.route(.get, "/slow", .hanging)
            let result = await session.get("\(server.baseURL)/slow", "--timeout", "0.05")
            #expect(result.status == .noAnswer)
        }
    }

    @Test func headIsPrintedOnRequest() async throws {
        let session = try Session()
        try await TestServer.run { server in
            server.route(.get, "/x", .text("hello", fields: [.contentLanguage: "en"]))
            let result = await session.get("\(server.baseURL)/x", "-i")
            #expect(result.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            #expect(result.text.contains("\r\nContent-Language: en\r\n"))
            #expect(result.text.hasSuffix("\r\n\r\nhello"))
            let empty = await session.get("\(server.baseURL)/x", "-i", "-X", "HEAD")
            #expect(empty.text.hasSuffix("\r\n\r\n"))
        }
    }

    @Test func closedOutputPipeIsNoError() async throws {
        let session = try Session()
        try await TestServer.run { server in
            server.route(.get, "/x", .text("hello"))
            let result = await session.get(
                "\(server.baseURL)/x", writing: { _ in throw OutputFailure("closed", errno: EPIPE) })
            #expect(result.status == .delivered)
            let full = await session.get(
                "\(server.baseURL)/x", writing: { _ in throw OutputFailure("standard output", errno: ENOSPC) })
            #expect(full.status == .outputFailed)
            #expect(full.line.contains("No space left"))
        }
    }

    @Test func progressBarIsCleared() async throws {
        let session = try Session()
        try await TestServer.run { server in
            server.route(.get, "/big", TestResponse(body: [UInt8](repeating: 65, count: 1_500_000)))
            let shown = await session.get("\(server.baseURL)/big", columns: 80)
            #expect(shown.error.hasPrefix("\r"))
            #expect(shown.error.contains("\r\u{1B}[K200 OK from the network"))
            let hidden = await session.get("\(server.baseURL)/big")
            #expect(!hidden.error.contains("\r"))
        }
    }

    /// `Content-Encoding` and the entity tag describe the bytes of the origin, so these are stored.
    @Test func encodedBodyIsStoredAsSentAndWrittenDecoded() async throws {
        let session = try Session()
        let encoded: [UInt8] = [
            31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 203, 72, 205, 201, 201, 215, 81, 200, 192, 164, 184, 50, 134, 178, 20, 0,
            72, 247, 75, 233, 216, 0, 0, 0,
        ]
        let text = String(repeating: "hello, hello, hello, hello\n", count: 8)
        try await TestServer.run { server in
            server.route(
                .get, "/x",
                TestResponse(fields: [.contentEncoding: "gzip", .cacheControl: "max-age=60"], body: encoded))
            for source in ["network", "HTTP cache"] {
                let result = await session.get("\(server.baseURL)/x")
                #expect(result.text == text && result.error.contains("from the \(source)"), "\(result.error)")
            }
            let kept = await session.run([
                "cache", "show", "\(server.baseURL)/x", "--body", "--cache", session.folder.path("cache.sqlite"),
            ])
            #expect(kept.output == encoded && kept.error.contains("Content-Encoding gzip"), "\(kept.error)")
            #expect(server.requests.count == 1)
        }
    }

    @Test func fileURLIsRead() async throws {
        let session = try Session()
        try session.folder.write("hello", to: "x.txt")
        let result = await session.get("file://" + session.folder.path("x.txt"))
        #expect(result.text == "hello")
        #expect(result.status == .delivered)
        #expect(result.line == "200 OK from a file")
        let missing = await session.get("file://" + session.folder.path("y.txt"))
        #expect(missing.status == .noAnswer)
    }

    @Test func cacheThatCannotBeOpenedIsReportedAndBypassed() async throws {
        let session = try Session()
        try await TestServer.run { server in
            server.route(.get, "/x", .text("hello"))
            let result = await session.run(["get", "\(server.baseURL)/x", "--cache", "/proc/nowhere/cache.sqlite"])
            #expect(result.text == "hello")
            #expect(result.status == .delivered)
            #expect(result.error.contains("this answer is not kept"))
        }
    }
}

extension String {
    fileprivate var dropTrailingSlash: String { hasSuffix("/") ? String(dropLast()) : self }
}
