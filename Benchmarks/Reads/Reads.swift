internal import Benchmark
internal import Comparisons
internal import Fixtures

let benchmarks: @Sendable () -> Void = {
    let small = Entries.small
    Benchmark.reads(.memoryHot, of: small, .hot) { try await CacheHits.inMemory(small) }
    Benchmark.reads(.memoryHotDictionary, of: small, .hot) { DictionaryReads(small) }
    Benchmark.reads(.memoryRandom, of: small, .random) { try await CacheHits.inMemory(small) }
    Benchmark.reads(.memoryRandomDictionary, of: small, .random) { DictionaryReads(small) }

    Benchmark.reads(.sqliteHot, of: small, .hot) { try await CacheHits.inFile(small) }
    Benchmark.reads(.sqliteHotPool, of: small, .hot) { try PoolReads(small) }
    Benchmark.reads(.sqliteRandom, of: small, .random) { try await CacheHits.inFile(small) }
    Benchmark.reads(.sqliteRandomPool, of: small, .random) { try PoolReads(small) }
    Benchmark.opening(.opening, of: small)

    models()
    lists()

    let large = Entries.large
    Benchmark.reads(.sqliteLargeHot, of: large, .hot) { try await CacheHits.inFile(large) }
    Benchmark.reads(.sqliteLargeHotPool, of: large, .hot) { try PoolReads(large) }
    Benchmark.reads(.sqliteLargeRandom, of: large, .random) { try await CacheHits.inFile(large) }
    Benchmark.reads(.sqliteLargeRandomPool, of: large, .random) { try PoolReads(large) }

    let million = Entries.million
    guard CacheFiles.wantsMillion else { return }
    Benchmark.reads(.millionRandom, of: million, .random) { try await CacheHits.inFile(million) }
    Benchmark.reads(.millionRandomPool, of: million, .random) { try PoolReads(million) }
    Benchmark.opening(.millionOpening, of: million)
}

private func models() {
    // Used only for the number of articles and their length.
    let entries = Entries(count: Articles.small.count, length: Articles.small.length)
    Benchmark.reads(.modelHot, of: entries, .hot) { try await ModelReads.inMemory(.small) }
    Benchmark.reads(.modelHotDictionary, of: entries, .hot) { ModelDictionaryReads(.small) }
    Benchmark.reads(.modelRandom, of: entries, .random) { try await ModelReads.inMemory(.small) }
    Benchmark.reads(.modelRandomDictionary, of: entries, .random) { ModelDictionaryReads(.small) }
    Benchmark.reads(.modelStored, of: entries, .random) { try await ModelReads.inFile(.small) }
    Benchmark.reads(.modelStoredRecord, of: entries, .random) { try RecordReads(.small) }
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
