import Testing
import WharfCore
import WharfFakes
import WharfSQLite
import WharfStorage

@Suite struct StoreTests {
    @Test func writeToAFullFileKeepsItsEntries() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: SQLiteCacheProbe(pageLimit: 40)) { _ in }
        try await store.keep("https://a.test/1", [UInt8](repeating: 1, count: 20_000))
        let code = await storeErrorCode {
            try await store.keep("https://a.test/1", [UInt8](repeating: 2, count: 250_000))
        }
        #expect(code == .full)
        #expect(try await store.body("https://a.test/1") == [UInt8](repeating: 1, count: 20_000))
        try await store.keep("https://a.test/2", [3])
        #expect(try await store.body("https://a.test/2") == [3])
        try await store.close()
        #expect(try folder.count("SELECT bytes FROM total") == folder.count("SELECT sum(size) FROM response"))
    }

    @Test func recentlyUsedEntryIsKeptAcrossReopening() async throws {
        let folder = try Scratch()
        let body = [UInt8](repeating: 5, count: 10_000)
        var store = try await SQLiteCacheStore.open(at: folder.path(), byteLimit: 35_000) { _ in }
        for name in ["a", "b", "c"] { try await store.keep("https://a.test/\(name)", body) }
        _ = try await store.body("https://a.test/a")
        try await store.close()
        store = try await SQLiteCacheStore.open(at: folder.path(), byteLimit: 35_000) { _ in }
        try await store.keep("https://a.test/d", body)
        #expect(try await store.body("https://a.test/a") == body)
        #expect(try await store.body("https://a.test/b") == nil)
        #expect(try await store.body("https://a.test/c") == body)
        #expect(try await store.body("https://a.test/d") == body)
        try await store.close()
    }

    @Test func aHitWritesNothing() async throws {
        let folder = try Scratch()
        let transactions = Box(0)
        let probe = SQLiteCacheProbe { point in if point == .inTransaction { transactions.change { $0 += 1 } } }
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe) { _ in }
        try await store.keep("https://a.test/1", [1])
        for _ in 0..<1000 { _ = try await store.body("https://a.test/1") }
        #expect(transactions.value == 1)
        try await store.close()
    }

    /// The cache stores them as a part.
    @Test(arguments: [10, 300_000])
    func cancelledAppendLeavesTheBytesBefore(count: Int) async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        let writer = try await store.begin(CacheKey(target: "https://a.test/1"), .sample)
        let bytes = LargeBody.bytes(count)
        try await writer.append(bytes)
        let append = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await storeErrorCode { try await writer.append([1]) }
        }
        #expect(await append.value == .cancelled)
        _ = try await writer.commit()
        #expect(try await store.body("https://a.test/1") == bytes)
        try await store.close()
    }

    @Test func oversizedBodyIsRefusedDuringAppend() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path(), entryLimit: 1000) { _ in }
        let writer = try await store.begin(CacheKey(target: "https://a.test/1"), .sample)
        try await writer.append([UInt8](repeating: 1, count: 1000))
        #expect(await storeErrorCode { try await writer.append([1]) } == .tooLarge)
        #expect(await storeErrorCode { _ = try await writer.commit() } == .closed)
        #expect(try await store.body("https://a.test/1") == nil)
        try await store.close()
    }

    @Test func responseAnnouncedTooLargeIsRefusedAtOnce() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path(), entryLimit: 1000) { _ in }
        var head = StoredHead.sample
        for (length, code) in [("1000", nil), ("1001", StoreError.Code.tooLarge)] {
            head.response.headerFields[.contentLength] = length
            let announced = head
            let found = await storeErrorCode {
                _ = try await store.begin(CacheKey(target: "https://a.test/1"), announced)
            }
            #expect(found == code)
        }
        try await store.close()
    }

    @Test func cancelledTaskChangesNothing() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        try await store.keep("https://a.test/1", [1])
        let gate = Gate()
        let task = Task {
            let writer = try await store.begin(CacheKey(target: "https://a.test/1"), .sample)
            try await writer.append([2])
            await gate.pass()
            var codes: [StoreError.Code?] = []
            codes.append(await storeErrorCode { _ = try await writer.commit() })
            codes.append(
                await storeErrorCode { try await store.removeAll(under: CacheKey(target: "https://a.test/1")) })
            codes.append(await storeErrorCode { _ = try await store.body("https://a.test/1") })
            return codes
        }
        await gate.arrivals()
        task.cancel()
        #expect(try await task.value == [.cancelled, .cancelled, .cancelled])
        #expect(try await store.body("https://a.test/1") == [1])
        try await store.close()
    }

    @Test func cancelledTransactionIsRolledBack() async throws {
        let folder = try Scratch()
        let running = Box<Task<StoreError.Code?, Never>?>(nil)
        let armed = Box(false)
        let probe = SQLiteCacheProbe { point in
            if point == .bodyWritten, armed.value { running.value?.cancel() }
        }
        let store = try await SQLiteCacheStore.open(at: folder.path(), probe: probe) { _ in }
        try await store.keep("https://a.test/1", [1])
        armed.change { $0 = true }
        let gate = Gate()
        let task = Task {
            await gate.pass()
            return await storeErrorCode { try await store.keep("https://a.test/1", [2]) }
        }
        running.change { $0 = task }
        gate.open()
        #expect(await task.value == .cancelled)
        armed.change { $0 = false }
        #expect(try await store.body("https://a.test/1") == [1])
        try await store.close()
    }

    @Test func closedStoreRefusesCallsAndCloseIsIdempotent() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        let writer = try await store.begin(CacheKey(target: "https://a.test/1"), .sample)
        try await store.close()
        try await store.close()
        #expect(await storeErrorCode { _ = try await store.body("https://a.test/1") } == .closed)
        #expect(await storeErrorCode { _ = try await writer.commit() } == .closed)
        #expect(
            await storeErrorCode { _ = try await store.begin(CacheKey(target: "https://a.test/1"), .sample) } == .closed
        )
    }

    @Test func twoStoresOfOneProcessShareAFile() async throws {
        let folder = try Scratch()
        let first = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        let second = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        try await first.keep("https://a.test/1", [1])
        try await second.keep("https://a.test/2", [2])
        #expect(try await second.body("https://a.test/1") == [1])
        #expect(try await first.body("https://a.test/2") == [2])
        try await first.close()
        #expect(try await second.body("https://a.test/1") == [1])
        try await second.close()
    }

    @Test func headRoundTripsThroughTheStore() async throws {
        let folder = try Scratch()
        let store = try await SQLiteCacheStore.open(at: folder.path()) { _ in }
        let name = try #require(HTTPField.Name("X-Bytes"))
        var fields: HTTPFields = [.setCookie: "a=1", .contentType: "text/plain; charset=\"ü\""]
        fields.append(HTTPField(name: .setCookie, value: "b=2"))
        fields.append(HTTPField(name: name, value: [0x80, 0xFF, 0x41]))
        fields.append(HTTPField(name: name, value: ""))
        let head = StoredHead(
            response: HTTPResponse(status: .init(code: 299, reasonPhrase: "Odd"), headerFields: fields),
            varying: [.accept: ""], requestedAt: .distantPast, respondedAt: .distantFuture
        )
        let writer = try await store.begin(CacheKey(target: "https://a.test/1"), head)
        _ = try await writer.commit()
        let found = try await store.lookup(CacheKey(target: "https://a.test/1")) {
            $0.first.map { CacheSelection(id: $0.id) }
        }
        #expect(found.variants.map(\.head) == [head])
        #expect(found.variants.first?.head.response.headerFields.map(\.name.rawName) == fields.map(\.name.rawName))
        #expect(found.variants.first?.head.response.status.reasonPhrase == "Odd")
        #expect(try await found.body?.collect() == [])
        try await store.close()
    }
}
