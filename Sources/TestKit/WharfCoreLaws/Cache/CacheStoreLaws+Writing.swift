internal import Synchronization
internal import WharfChecks
internal import WharfCore
internal import WharfStorage

extension CacheStoreLaws {
    static let visibility: [Law<Subject>] = [
        Law("a response is invisible before its commit and whole after it") { subject in
            let store = try await subject.roomy()
            let writer = try await store.begin(key, head("new"))
            try require(try await variants(store).isEmpty, "a response showed when it was begun")
            try await writer.append([1, 2])
            try await writer.append([3])
            try require(try await variants(store).isEmpty, "a response showed before it was committed")
            let id = try await writer.commit()
            let found = try await store.lookup(key) { $0.first.map { CacheSelection(id: $0.id) } }
            try require(found.variants.map(\.id) == [id], "after the commit of \(id) there were \(found.variants)")
            try require(found.variants.first?.head == head("new"), "the head came back as \(found.variants)")
            try require(try await found.body?.collect() == [1, 2, 3], "the body was not the one that was written")
        },
        Law("a kept response stays readable until its successor is committed") { subject in
            let store = try await subject.roomy()
            try await put(store, head("old"), [1])
            let writer = try await store.begin(key, head("new"))
            try await writer.append([2])
            try await requireLabels(store, are: ["old"], "the old response was gone before the new one came")
            try require(try await newestBody(store) == [1], "the old body was gone before the new one came")
            _ = try await writer.commit()
            try await requireLabels(store, are: ["new"], "the new response did not replace the old one")
            try require(try await newestBody(store) == [2], "the new head came with another body")
        },
        Law("a commit after a cancelled append stores all bytes before it, or none") { subject in
            // A store may write a long body to another place than a short one.
            for length in [3, 300_000] {
                let store = try await subject.roomy()
                let writer = try await store.begin(key, head("a"))
                try await writer.append(pattern(length))
                let append = Task {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return await refusal { try await writer.append([9]) } == nil
                }
                let expected = pattern(length) + (await append.value ? [9] : [])
                guard await refusal({ _ = try await writer.commit() }) == nil else {
                    try await requireLabels(store, are: [], "the commit was refused")
                    continue
                }
                try require(try await newestBody(store) == expected, "the body of \(length) bytes has others")
            }
        },
        Law("an abandoned writer leaves no response and keeps the earlier one") { subject in
            let store = try await subject.roomy()
            let first = try await store.begin(key, head("a"))
            try await first.append(pattern(10_000))
            first.abandon()
            first.abandon()
            try require(try await variants(store).isEmpty, "an abandoned response is visible")
            try await put(store, head("kept"), [7])
            let second = try await store.begin(key, head("b"))
            try await second.append([8])
            second.abandon()
            try await requireLabels(store, are: ["kept"], "abandoning changed what was kept")
            try require(try await newestBody(store) == [7], "abandoning changed a kept body")
        },
        Law("a writer that is released without a commit leaves no response") { subject in
            let store = try await subject.roomy()
            do {
                let writer = try await store.begin(key, head("a"))
                try await writer.append(pattern(10_000))
            }
            try require(try await variants(store).isEmpty, "a response that was let go is visible")
        },
        Law("a commit under another head has its bytes and no trace of the first head") { subject in
            let store = try await subject.roomy()
            // The longer one is long enough for a store that keeps large bodies in another way.
            for size in [3, 300_000] {
                try await put(store, head("kept", varying: [.acceptLanguage: "sv"]), [7])
                let writer = try await store.begin(key, head("begun", varying: [.acceptLanguage: "de"]))
                try await writer.append(pattern(size))
                var part = head("part", varying: [.acceptLanguage: "sv"])
                part.response.status = .partialContent
                part.response.headerFields[.contentRange] = "bytes 0-\(size - 1)/900000"
                part.respondedAt = WallTime(nanoseconds: 3_000_000_011)
                let id = try await writer.commit(as: part)
                try await requireLabels(store, are: ["part"], "the head of the commit replaces its own variant alone")
                let found = try await variants(store).first
                try require(
                    found?.id == id && found?.head == part, "the head came back as \(String(describing: found))")
                try require(try await body(store, id) == pattern(size), "the bytes of \(size) changed")
            }
        },
        Law("a writer refuses bytes and commits after its end") { subject in
            let store = try await subject.roomy()
            let committed = try await store.begin(key, head("a"))
            try await committed.append([1])
            _ = try await committed.commit()
            // As from a `defer`: abandoning after the commit must do nothing.
            committed.abandon()
            try require(try await newestBody(store) == [1], "abandoning after the commit took the response away")
            try require(await refusal { try await committed.append([2]) } != nil, "it took bytes after its commit")
            try require(await refusal { _ = try await committed.commit() } != nil, "it was committed twice")
            try require(try await newestBody(store) == [1], "a committed body changed")
            let abandoned = try await store.begin(key, head("b"))
            abandoned.abandon()
            try require(await refusal { _ = try await abandoned.commit() } != nil, "it was committed when abandoned")
            try await requireLabels(store, are: ["a"], "an abandoned response is visible")
        },
    ]

    static let bodies: [Law<Subject>] = [
        Law("a body is given whole and unchanged") { subject in
            let store = try await subject.roomy()
            for (size, piece) in [(0, 1), (1, 1), (2_048, 2_048), (65_536, 65_536), (300_000, 977), (300_000, 70_001)] {
                let expected = pattern(size, seed: UInt8(piece % 251))
                let id = try await put(store, head("\(size)"), expected, inPiecesOf: piece)
                let found = try await store.lookup(key) { $0.first.map { CacheSelection(id: $0.id) } }
                let length = found.variants.first?.length
                try require(length == Int64(size), "length of \(size) bytes: \(String(describing: length))")
                let body = try require(found.body, "no body for an entry of \(size) bytes")
                let bytes = try await body.collect()
                try require(bytes == expected, "\(size) bytes in pieces of \(piece) came back as \(bytes.count) others")
                try require(try await CacheStoreLaws.body(store, id) == expected, "a second look gave another body")
            }
        },
        Law("fields are kept in their order, doubled ones too, and times to the nanosecond") { subject in
            let store = try await subject.roomy()
            var fields = HTTPFields()
            for value in ["a=1", "b=2"] { fields.append(HTTPField(name: .setCookie, value: value)) }
            fields.append(HTTPField(name: .cacheControl, value: "max-age=1"))
            fields.append(HTTPField(name: .setCookie, value: "c=\u{e9}"))
            fields.append(HTTPField(name: .eTag, value: ""))
            let head = StoredHead(
                response: HTTPResponse(status: .init(code: 599), headerFields: fields),
                varying: [.accept: "", .acceptLanguage: "de"], requestedAt: WallTime(nanoseconds: -1),
                respondedAt: WallTime(nanoseconds: 1_763_000_000_123_456_789)
            )
            try await put(store, head, [])
            let found = try require(try await variants(store).first, "nothing is kept")
            try require(found.head == head, "the head came back as \(found.head)")
            try require(
                Array(found.head.response.headerFields) == Array(fields),
                "the fields came back as \(found.head.response.headerFields)"
            )
        },
        Law("concurrent writers leave one whole response") { subject in
            let store = try await subject.roomy()
            try await withThrowingTaskGroup(of: Void.self) { group in
                // All write the same key. A store that mixes pieces of two writers gives a body
                // that no head announces.
                for seed in UInt8(1)...8 {
                    group.addTask {
                        for _ in 0..<8 {
                            try await put(store, head("\(seed)"), pattern(20_000, seed: seed), inPiecesOf: 3_001)
                        }
                    }
                }
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<32 { try await requireWhole(store) }
                    }
                }
                try await group.waitForAll()
            }
            try await requireWhole(store)
            try require(try await variants(store).count == 1, "several stand side by side")
        },
    ]

    /// Ends the law if there is a body under the key that its head does not announce.
    private static func requireWhole(_ store: any CacheStore) async throws {
        let found = try await store.lookup(key) { $0.first.map { CacheSelection(id: $0.id) } }
        guard let stored = found.variants.first else { return }
        let label = stored.head.response.headerFields[.eTag] ?? ""
        let seed = try require(UInt8(label), "a head that no writer wrote: \(stored.head)")
        let body = try require(found.body, "the variant that was selected came without a body")
        try require(try await body.collect() == pattern(20_000, seed: seed), "the body is not that of head \(label)")
    }
}
