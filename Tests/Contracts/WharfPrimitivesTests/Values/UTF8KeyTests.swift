import Testing
import WharfPrimitives
import WharfRandom

@Suite struct UTF8KeyTests {
    @Test func canonicallyEquivalentTextsAreTwoKeys() {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(composed == decomposed)
        var values: [UTF8Key: Int] = [UTF8Key(composed): 1]
        values[UTF8Key(decomposed)] = 2
        #expect(values.count == 2 && values[UTF8Key(composed)] == 1)
        #expect(UTF8Key(decomposed) < UTF8Key(composed))
        #expect(UTF8Key(decomposed).hasPrefix("e") && !UTF8Key(composed).hasPrefix("e"))
        #expect("\(UTF8Key(composed))" == composed)
    }

    @Test func pairsOfKeysDoNotCollide() {
        struct Pair: Hashable {
            let a: UTF8Key
            let b: UTF8Key
        }
        let pairs = ["", "a", "ab", "abc"].flatMap { a in
            ["", "c", "bc", "abc"].map { Pair(a: .init(a), b: .init($0)) }
        }
        #expect(Set(pairs.map(\.hashValue)).count == pairs.count)
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func keysCompareLikeTheirBytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "b", "e", "\u{301}", "\u{E9}", "\u{1F600}", "\u{212B}", "\u{C5}", "\u{FFFD}"]
        func draw() -> String {
            (0..<Int.random(in: 0...3, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
        }
        for _ in 0..<500 {
            let (a, b) = (draw(), draw())
            let (bytesOfA, bytesOfB) = (Array(a.utf8), Array(b.utf8))
            #expect((UTF8Key(a) == UTF8Key(b)) == (bytesOfA == bytesOfB), "\(random)")
            #expect((UTF8Key(a) < UTF8Key(b)) == bytesOfA.lexicographicallyPrecedes(bytesOfB), "\(random)")
            if bytesOfA == bytesOfB { #expect(UTF8Key(a).hashValue == UTF8Key(b).hashValue) }
        }
    }
}
