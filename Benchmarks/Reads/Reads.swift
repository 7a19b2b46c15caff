internal import Benchmark
internal import Comparisons
internal import Fixtures

let benchmarks: @Sendable () -> Void = {
    let small = Entries.small
    for (keys, ours, dictionary) in [
        (Keys.hot, Timing.memoryHot, Timing.memoryHotDictionary),
        (.random, .memoryRandom, .memoryRandomDictionary),
    ] {
        Benchmark.reads(
            of: small, keys,
            [Reader(ours) { try await CacheHits.inMemory(small) }, Reader(dictionary) { DictionaryReads(small) }])
    }
    for (keys, ours, pool, row) in [
        (Keys.hot, Timing.sqliteHot, Timing.sqliteHotPool, Timing.sqliteHotRow),
        (.random, .sqliteRandom, .sqliteRandomPool, .sqliteRandomRow),
    ] {
        Benchmark.reads(
            of: small, keys,
            [
                Reader(ours) { try await CacheHits.inFile(small) }, Reader(pool) { try PoolReads(small) },
                Reader(row) { try RowReads(small) },
            ])
    }
    Benchmark.opening(.opening, of: small)

    models()
    lists()

    stored(.large, .hot, .sqliteLargeHot, .sqliteLargeHotPool)
    stored(.large, .random, .sqliteLargeRandom, .sqliteLargeRandomPool)
    Benchmark.reads(
        of: .files, .random,
        [Reader(.bodyFile) { try await CacheHits.inFile(.files) }, Reader(.bodyFileRead) { try FileReads() }])

    guard CacheFiles.wantsMillion else { return }
    stored(.million, .random, .millionRandom, .millionRandomPool)
    Benchmark.opening(.millionOpening, of: .million)
}

private func stored(_ entries: Entries, _ keys: Keys, _ ours: Timing, _ pool: Timing) {
    Benchmark.reads(
        of: entries, keys,
        [Reader(ours) { try await CacheHits.inFile(entries) }, Reader(pool) { try PoolReads(entries) }])
}

private func models() {
    // Used only for the number of articles and their length.
    let entries = Entries(count: Articles.small.count, length: Articles.small.length)
    for (keys, ours, dictionary) in [
        (Keys.hot, Timing.modelHot, Timing.modelHotDictionary),
        (.random, .modelRandom, .modelRandomDictionary),
    ] {
        Benchmark.reads(
            of: entries, keys,
            [
                Reader(ours) { try await ModelReads.inMemory(.small) },
                Reader(dictionary) { ModelDictionaryReads(.small) },
            ])
    }
    Benchmark.reads(
        of: entries, .random,
        [
            Reader(.modelStored) { try await ModelReads.inFile(.small) },
            Reader(.modelStoredRecord) { try RecordReads(.small) },
        ])
    Benchmark.rounds(.shared) { SharedRequest(callers: 1_000) }
    Benchmark.rounds(.sharedTask) { SharedTask() }
    Benchmark.rounds(.sharedAlone) { SharedRequest(callers: 1) }
    Benchmark.rounds(.firstPage) { try await FirstPage(.many) }
    Benchmark.rounds(.firstPageRecords) { try FirstRecords(.many) }
}

private func lists() {
    Benchmark.rounds(.rowBare) { Lists.bare(.rowBare) }
    Benchmark.rounds(.rowOneLayer) { Lists.oneLayer(.rowOneLayer) }
    Benchmark.rounds(.rowSixLayers) { Lists.sixLayers(.rowSixLayers) }
    Benchmark.rounds(.rowErased) { Lists.bare(.rowErased).erased }
    Benchmark.rounds(.rowErasedOneLayer) { Lists.oneLayer(.rowErasedOneLayer).erased }
    Benchmark.rounds(.rowErasedSixLayers) { Lists.sixLayers(.rowErasedSixLayers).erased }
}
