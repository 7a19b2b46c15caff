import Foundation
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfHTTP

struct DownloadTests {
    private let file = Request<Void>.get("poster", decoding: .ignored)

    private func answer(_ chunks: [String], _ failure: TransportError.Code? = nil) -> StubAnswer {
        StubAnswer(
            head: HTTPResponse(status: .ok), chunks: chunks.map { Array($0.utf8) },
            failure: failure.map { TransportError($0, message: "scripted") })
    }

    @Test func theBodyIsInTheFileAndNothingBesideIt() async throws {
        let client = try APIClient.testing(StubTransport([answer(["hello ", "world"])]))
        var progress: [TransferProgress] = []
        let contents = try await TemporaryFolder.contents { folder in
            let done = try await client.download(file, to: folder["poster"]) { progress.append($0) }
            #expect(done.byteCount == 11)
            #expect(done.response.status == .ok && done.provenance.source == .network)
            #expect(try folder.permissions(of: "poster") == 0o600)
            #expect(try folder.openFiles().isEmpty)
        }
        #expect(contents == ["poster": Array("hello world".utf8)])
        #expect(progress == [0, 6, 11].map { TransferProgress(completed: $0, total: 11) })
    }

    @Test func anEmptyBodyIsAnEmptyFile() async throws {
        let client = try APIClient.testing(StubTransport([answer([])]))
        var progress: [TransferProgress] = []
        let contents = try await TemporaryFolder.contents {
            try await client.download(file, to: $0["poster"]) { progress.append($0) }
        }
        #expect(contents == ["poster": []])
        #expect(progress == [TransferProgress(completed: 0, total: 0)])
    }

    @Test func keptBodyIsWrittenWithItsProvenanceWhenOffline() async throws {
        let client = try APIClient.testing(APIClientPolicyTests.cache(.keptAndNoNetwork).0)
        try await TemporaryFolder.contents { folder in
            let done = try await client.download(file, to: folder["poster"])
            #expect(done.provenance.source == .httpCache && done.provenance.failure?.code == .offline)
            #expect(done.byteCount > 0)
        }
    }

    @Test(arguments: [
        (StubAnswer.failure(.offline), ReadFailure.Code.offline), (.respond(.notFound, "gone"), .status),
        (.respond(.ok, "too long for the limit"), .tooLarge),
        (
            StubAnswer(
                head: HTTPResponse(status: .ok), chunks: [[1, 2, 3]],
                failure: TransportError(.connectionLost, message: "scripted")), .connectionLost
        ),
        (
            StubAnswer(
                head: HTTPResponse(status: .ok), chunks: [[UInt8](repeating: 1, count: 9), [1, 2, 3]],
                failure: TransportError(.connectionLost, message: "scripted")), .tooLarge
        ),
    ])
    func afterAFailureTheOldFileIsThereAndNothingBesideIt(
        _ answer: StubAnswer, _ code: ReadFailure.Code
    ) async throws {
        let client = try APIClient.testing(StubTransport([answer]))
        let contents = try await TemporaryFolder.contents { folder in
            try folder.write("old", "poster")
            let error = await #expect(throws: ReadFailure.self) {
                try await client.download(file, to: folder["poster"], limit: 10)
            }
            #expect(error?.code == code)
            #expect(try folder.openFiles().isEmpty)
        }
        #expect(contents == ["poster": Array("old".utf8)])
    }

    @Test func aDownloadThatIsCancelledHalfWayLeavesNothing() async throws {
        let body = HalfBody()
        let transport = BodyTransport(status: .ok) { BodyStream(body, expectedLength: 200) }
        let client = try APIClient.testing(transport)
        let contents = try await TemporaryFolder.contents { folder in
            let task = Task { try await client.download(file, to: folder["poster"]) }
            await body.gate.arrivals()
            // Half of the file is there, under another name.
            let half = try folder.contents()
            #expect(half.values.map(\.count) == [100] && half["poster"] == nil)
            task.cancel()
            let error = await #expect(throws: ReadFailure.self) { try await task.value }
            #expect(error?.code == .cancelled)
            #expect(try folder.openFiles().isEmpty)
        }
        #expect(contents.isEmpty)
    }

    @Test func cancelledDownloadWritesNoInMemoryBody() async throws {
        let contents = try await TemporaryFolder.contents { folder in
            let gate = Gate()
            let transport = BodyTransport(status: .ok) { BodyStream([1, 2, 3]) }
            let client = try APIClient.testing(transport)
            let task = Task {
                await gate.pass()
                return try await client.download(file, to: folder["poster"])
            }
            task.cancel()
            let error = await #expect(throws: ReadFailure.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
        #expect(contents.isEmpty)
    }

    @Test(arguments: [
        "", "/", "/missing/poster", "/folder", "/folder/", "/folder/..", "/file/poster", "/file/", "/nowhere", "/a\0",
    ])
    func unwritablePathIsRefusedBeforeSending(_ path: String) async throws {
        let script = StubTransport([answer(["hello"])])
        let client = try APIClient.testing(script)
        let before = ["file": Array("old".utf8)]
        let contents = try await TemporaryFolder.contents { folder in
            try folder.write("old", "file")
            try FileManager.default.createDirectory(atPath: folder["folder"], withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(
                atPath: folder["nowhere"], withDestinationPath: folder["missing"])
            let error = await #expect(throws: ReadFailure.self) {
                try await client.download(file, to: path.isEmpty ? "" : folder.path + path)
            }
            #expect(error?.code == .fileUnwritable)
            for name in ["folder", "nowhere"] { try FileManager.default.removeItem(atPath: folder[name]) }
        }
        #expect(contents == before)
        #expect(script.requests.isEmpty)
    }

    #if os(Linux)
    /// Even root can't write there.
    @Test func aFolderThatTakesNoFilesIsRefusedBeforeAnythingIsSent() async throws {
        let script = StubTransport([answer(["hello"])])
        let client = try APIClient.testing(script)
        let error = await #expect(throws: ReadFailure.self) { try await client.download(file, to: "/proc/self/poster") }
        #expect(error?.code == .fileUnwritable)
        #expect(script.requests.isEmpty)
    }
    #endif
}

/// A body that sends 100 bytes, and then waits.
private final class HalfBody: BodyStream.Producer {
    let gate = Gate()
    private let isGiven = Atomic(false)

    func next() async throws(TransportError) -> [UInt8]? {
        guard isGiven.exchange(true, ordering: .relaxed) else { return [UInt8](repeating: 1, count: 100) }
        await gate.pass()
        // A released body may end in this way.
        return nil
    }

    func cancel() { gate.open() }
}
