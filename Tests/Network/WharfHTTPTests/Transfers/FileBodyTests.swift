import Synchronization
import Testing
import WharfChecks
import WharfCore
import WharfFakes
import WharfHTTP

/// Files as bodies, and the progress of sending them.
struct FileBodyTests {
    private func stream(_ body: RequestBody) throws -> BodyStream {
        guard case .stream(let make, let length) = body else { throw FormParser.Malformed(reason: "no stream") }
        let stream = make()
        #expect(stream.expectedLength == length)
        return stream
    }

    @Test(arguments: [[UInt8](), [1, 2], [1, 2, 3, 4]])
    func aFileThatChangedFailsTheSending(_ changed: [UInt8]) async throws {
        try await TemporaryFolder.contents { folder in
            try folder.write([1, 2, 3], "film")
            let body = try RequestBody.file(folder["film"])
            try folder.write(changed, "film")
            let error = await #expect(throws: TransportError.self) { try await stream(body).collect() }
            #expect(error?.code == .fileUnreadable)
            #expect(try folder.openFiles().isEmpty)
        }
    }

    @Test func aFileThatIsNotThereIsRefusedWhenTheBodyIsMade() async throws {
        try await TemporaryFolder.contents { folder in
            for path in [folder["film"], folder.path] {
                let error = #expect(throws: TransportError.self) { try RequestBody.file(path) }
                #expect(error?.code == .fileUnreadable)
            }
        }
    }

    @Test func fileIsReadInChunksWithProgress() async throws {
        try await TemporaryFolder.contents { folder in
            try folder.write([UInt8](repeating: 7, count: 150_000), "film")
            let steps = Mutex<[TransferProgress]>([])
            let body = try RequestBody.file(folder["film"]).reporting { step in steps.withLock { $0.append(step) } }
            var sizes: [Int] = []
            for try await chunk in try stream(body) { sizes.append(chunk.count) }
            #expect(sizes == [65_536, 65_536, 18_928])
            let expected: [Int64] = [0, 65_536, 131_072, 150_000]
            #expect(steps.withLock { $0.map(\.completed) } == expected)
            #expect(steps.withLock { $0.allSatisfy { $0.total == 150_000 } })
            // If the body is sent again, the progress starts over.
            #expect(try await stream(body).collect().count == 150_000)
            #expect(steps.withLock { $0.map(\.completed) } == expected + expected)
        }
    }

    @Test(arguments: [RequestBody.bytes([]), .stream({ BodyStream.empty }, length: 0)])
    func emptyBodyReportsProgress(_ body: RequestBody) async throws {
        let steps = Mutex<[TransferProgress]>([])
        let reported = body.reporting { step in steps.withLock { $0.append(step) } }
        #expect(try await stream(reported).collect().isEmpty)
        #expect(steps.withLock { $0 } == [TransferProgress(completed: 0, total: 0)])
    }

    @Test func aBodyThatIsLeftHalfWayClosesItsFile() async throws {
        try await TemporaryFolder.contents { folder in
            try folder.write([UInt8](repeating: 7, count: 150_000), "film")
            for body in [try RequestBody.file(folder["film"]), try .file(folder["film"]).reporting { _ in }] {
                do {
                    var chunks = try stream(body).makeAsyncIterator()
                    #expect(try await chunks.next() != nil)
                    #if os(Linux)
                    #expect(try folder.openFiles() == [folder["film"]])
                    #endif
                }
                #expect(try folder.openFiles().isEmpty)
            }
        }
    }

    @Test func aCancelledTaskReadsNoFurther() async throws {
        try await TemporaryFolder.contents { folder in
            try folder.write([1, 2, 3], "film")
            var form = MultipartForm()
            try form.append("film", file: folder["film"])
            let body = form.body
            let gate = Gate()
            let task = Task {
                await gate.pass()
                return try await stream(body).collect()
            }
            task.cancel()
            let error = await #expect(throws: TransportError.self) { try await task.value }
            #expect(error?.code == .cancelled)
        }
    }
}
