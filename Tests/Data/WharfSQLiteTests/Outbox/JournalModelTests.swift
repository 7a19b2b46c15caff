import Testing
import WharfChecks
import WharfCore
import WharfSQLite
import WharfStores

/// Random operations have the same results on a journal in memory and on one on disk.
@Suite struct JournalModelTests {
    @Test(arguments: ChosenSeeds.chosen(otherwise: 1...2)) func sqliteJournalAnswersLikeTheMemoryJournal(
        seed: UInt64
    ) async throws {
        let folder = try Scratch()
        let file = try await SQLiteDataFile.open(at: folder.path("data.sqlite"))
        let remembered = seed % 2 == 0 ? 3 : 100_000
        var play = JournalPlay(seed: seed, file: file, remembering: remembered)
        for step in 0..<250 {
            let what = try await play.step()
            let difference = try await play.difference()
            guard difference == nil else {
                Issue.record("seed \(seed), step \(step), \(what): \(difference ?? "")")
                break
            }
        }
        try await file.close()
    }
}
