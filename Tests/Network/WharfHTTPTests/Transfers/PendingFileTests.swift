import Foundation
import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfHTTP

struct PendingFileTests {
    @Test func aReplacedFileKeepsItsPermissionsAndALinkStaysALink() async throws {
        let contents = try await TemporaryFolder.contents { folder in
            try folder.write("old", "real")
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: folder["real"])
            try FileManager.default.createSymbolicLink(atPath: folder["link"], withDestinationPath: folder["real"])
            let file = try PendingFile(for: folder["link"])
            try file.write(Array("new".utf8))
            try file.commit()
            #expect(try folder.permissions(of: "real") == 0o644)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder["link"]) == folder["real"])
        }
        #expect(contents == ["real": Array("new".utf8), "link": Array("new".utf8)])
    }

    @Test func partialAndInterruptedWritesAreContinued() async throws {
        let calls = Mutex(0)
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0) }
        let contents = try await TemporaryFolder.contents { folder in
            let file = try PendingFile(for: folder["film"]) { descriptor, bytes, offset in
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                guard call % 3 != 0 else {
                    errno = EINTR
                    return -1
                }
                return pwrite(descriptor, bytes.baseAddress, min(bytes.count, 7), off_t(offset))
            }
            try file.write(Array(bytes[..<600]))
            try file.write(Array(bytes[600...]))
            try file.commit()
        }
        #expect(contents == ["film": bytes])
        #expect(calls.withLock { $0 } > 140)
    }

    @Test func aWriteOfNoBytesFailsWhateverTheLastErrorWas() async throws {
        let calls = Mutex(0)
        let contents = try await TemporaryFolder.contents { folder in
            let file = try PendingFile(for: folder["film"]) { _, bytes, _ in
                let call = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                // An earlier call of another function was interrupted.
                errno = EINTR
                // The bound ends a loop that would otherwise be endless.
                return call < 100 ? 0 : bytes.count
            }
            #expect(throws: ReadFailure.self) { try file.write([1, 2, 3]) }
        }
        #expect(contents == [:])
        #expect(calls.withLock { $0 } == 1)
    }

    @Test func aFullDiskFailsTheDownloadAndLeavesTheOldFile() async throws {
        let body = [UInt8](repeating: 7, count: 100)
        let answer = StubAnswer(head: HTTPResponse(status: .ok), chunks: [body, body, body])
        let client = try APIClient.testing(StubTransport([answer]))
        var progress: [Int64] = []
        let contents = try await TemporaryFolder.contents { folder in
            try folder.write("old", "film")
            let full: PendingFile.Write = { descriptor, bytes, offset in
                guard offset + Int64(bytes.count) > 250 else {
                    return pwrite(descriptor, bytes.baseAddress, bytes.count, off_t(offset))
                }
                // A full disk takes the bytes that still fit, and then none.
                guard offset == 250 else {
                    return pwrite(descriptor, bytes.baseAddress, Int(250 - offset), off_t(offset))
                }
                errno = ENOSPC
                return -1
            }
            let error = await #expect(throws: ReadFailure.self) {
                try await client.download(
                    Request<Void>.get("film", decoding: .ignored),
                    to: PendingFile(for: folder["film"], writing: full), limit: nil, policy: nil
                ) { progress.append($0.completed) }
            }
            #expect(error?.code == .fileUnwritable)
            #expect(error?.message.contains(String(cString: strerror(ENOSPC))) == true)
            #expect(try folder.openFiles().isEmpty)
        }
        #expect(contents == ["film": Array("old".utf8)])
        #expect(progress == [0, 100, 200])
    }

    @Test func directoryAtTheTargetFailsTheCommitCleanly() async throws {
        let contents = try await TemporaryFolder.contents { folder in
            let commit = {
                let file = try PendingFile(for: folder["film"])
                try file.write([1])
                try FileManager.default.createDirectory(atPath: folder["film"], withIntermediateDirectories: false)
                try file.commit()
            }
            let error = #expect(throws: ReadFailure.self) { try commit() }
            #expect(error?.code == .fileUnwritable)
            try FileManager.default.removeItem(atPath: folder["film"])
        }
        #expect(contents.isEmpty)
    }

    @Test(arguments: [1, 200, 201, 255]) func aNameOfAnyLengthCanBeWritten(_ count: Int) async throws {
        let name = String(repeating: "n", count: count)
        let contents = try await TemporaryFolder.contents { folder in try PendingFile(for: folder[name]).commit() }
        #expect(contents == [name: []])
    }

    @Test func uncommittedFileIsRemoved() async throws {
        let contents = try await TemporaryFolder.contents { folder in
            do {
                let file = try PendingFile(for: folder["film"])
                try file.write([1, 2, 3])
                #expect(try folder.contents().count == 1)
            }
            #expect(try folder.openFiles().isEmpty)
        }
        #expect(contents.isEmpty)
    }
}
