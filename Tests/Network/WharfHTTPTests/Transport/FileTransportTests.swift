import Foundation
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfHTTP

struct FileTransportTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func answer(
        _ name: String, _ bytes: [UInt8]? = nil, _ change: (inout TransportRequest) -> Void = { _ in }
    ) async throws -> (HTTPResponse, [[UInt8]], Provenance) {
        let file = URL(filePath: folder["files of a test/\(name)"])
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        if let bytes { try Data(bytes).write(to: file) }
        var request = TransportRequest(
            HTTPRequest(method: .get, scheme: "file", authority: nil, path: file.path(percentEncoded: true)))
        change(&request)
        let response = try await FileTransport(wallClock: TestClock().wall).send(request)
        var chunks: [[UInt8]] = []
        for try await chunk in response.body { chunks.append(chunk) }
        return (response.head, chunks, response.provenance)
    }

    private func failure(_ name: String, _ change: (inout TransportRequest) -> Void = { _ in }) async -> TransportError?
    {
        await #expect(throws: TransportError.self) { try await answer(name, nil, change) }
    }

    @Test func givesTheFileInPieces() async throws {
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 >> 3) }
        let (head, chunks, provenance) = try await answer("ä b.json", bytes)
        #expect(head.status == .ok)
        #expect(head.headerFields[.contentLength] == "200000")
        #expect(head.headerFields[.contentType] == "application/json")
        #expect(chunks.map(\.count) == [65_536, 65_536, 65_536, 3392])
        #expect(Array(chunks.joined()) == bytes)
        #expect(provenance.source == .file)
        #expect(provenance.asOf == TestClock().wall.now())
    }

    @Test func modificationDateBecomesLastModified() async throws {
        let (head, _, _) = try await answer("x.txt", [1]) { request in
            let path = request.head.path?.removingPercentEncoding ?? ""
            let date = Date(timeIntervalSince1970: 784_111_777)
            do { try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path) } catch {
                Issue.record(error)
            }
        }
        #expect(head.headerFields[.lastModified] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [
        ("a.txt", "text/plain; charset=utf-8"), ("a.html", "text/html; charset=utf-8"), ("a.JSON", "application/json"),
        ("a.bin", nil), ("json", nil),
    ])
    func namesTheTypeByExtension(name: String, type: String?) async throws {
        let (head, _, _) = try await answer(name, [])
        #expect(head.headerFields[.contentType] == type)
    }

    @Test func answersHeadWithoutTheBody() async throws {
        let (head, chunks, _) = try await answer("a.txt", [1, 2, 3]) { $0.head.method = .head }
        #expect(head.headerFields[.contentLength] == "3")
        #expect(chunks.isEmpty)
    }

    @Test func saysWhichFileIsMissing() async throws {
        let error = await failure("missing.json")
        #expect(error?.code == .fileUnreadable)
        #expect(error?.message.contains("missing.json") == true)
        #expect(error?.message.contains("No such file") == true)
    }

    @Test func refusesADirectory() async throws {
        let error = await failure(".")
        #expect(error?.code == .fileUnreadable)
        #expect(error?.message.contains("not a regular file") == true)
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .delete])
    func refusesToWrite(method: HTTPRequest.Method) async throws {
        #expect(await failure("a") { $0.head.method = method }?.code == .invalidRequest)
    }

    @Test(arguments: ["elsewhere.example", "127.0.0.1"])
    func refusesAnotherHost(host: String) async throws {
        #expect(await failure("a") { $0.head.authority = host }?.code == .invalidRequest)
    }

    @Test(arguments: ["relative", "/a%00b", "/%zz"])
    func refusesAnInvalidPath(path: String) async throws {
        #expect(await failure("a") { $0.head.path = path }?.code == .invalidRequest)
    }
}
