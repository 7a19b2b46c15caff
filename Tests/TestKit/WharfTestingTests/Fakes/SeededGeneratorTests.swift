import Testing
import WharfRandom

@Suite struct SeededGeneratorTests {
    /// The first outputs of the reference implementation (S. Vigna, splitmix64.c) for the seed
    /// 1234567.
    @Test func generatorMatchesTheReference() {
        var random = SeededGenerator(seed: 1_234_567)
        let expected: [UInt64] = [
            6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            4_593_380_528_125_082_431, 16_408_922_859_458_223_821,
        ]
        #expect(expected.allSatisfy { random.next() == $0 })
    }

    @Test func descriptionNamesTheSeedAfterAnyDraws() {
        var random = SeededGenerator(seed: 7)
        let first = random.next()
        _ = random.next()
        #expect("\(random)" == "SeededGenerator(seed: 7)")
        var again = SeededGenerator(seed: random.seed)
        #expect(again.next() == first)
    }
}
