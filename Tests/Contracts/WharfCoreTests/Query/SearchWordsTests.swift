import Testing
import WharfChecks
import WharfCore

@Suite struct SearchWordsTests {
    @Test(arguments: [
        ("Bread and Milk", ["bread", "and", "milk"]), ("don't  stop", ["don", "t", "stop"]), ("", []), ("*\"'%", []),
        ("Café Łódź naïve ĐÀ LẠT", ["cafe", "lodz", "naive", "da", "lat"]), ("milk MILK Milk", ["milk"]),
        ("Straße 12b x²", ["straße", "12b", "x²"]), ("ΟΔΟΣ οδός", ["οδοσ"]), ("мой ёлка", ["мои", "елка"]),
        ("東京 tower", ["東", "京", "tower"]), ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]), ("İstanbul", ["istanbul"]),
        ("a\0b\u{FFFF}c", ["a", "b", "c"]), ("\u{1F600}smile", ["smile"]),
        ("milk \u{2764}\u{FE0F}", ["milk"]), ("\u{20E3} 1\u{FE0F}\u{20E3}", ["1\u{20E3}"]),
        (String(repeating: "a", count: 40_000) + " b", [String(repeating: "a", count: 100), "b"]),
    ])
    func wordsOfATextAreFolded(_ text: String, _ words: [String]) {
        #expect(SearchWords(text).words == words)
    }

    @Test(arguments: ["Ế ệ ǘ ṩ", "É è ñ ü å", "Ά ὕ", "Й ё ї ў", "ø"])
    func composedAndDecomposedLettersAreTheSameWord(_ text: String) {
        // The standard library does not expose decompositions. These are from Unicode 16.
        let decomposed = [
            "Ế ệ ǘ ṩ": "E\u{302}\u{301} e\u{323}\u{302} u\u{308}\u{301} s\u{323}\u{307}",
            "É è ñ ü å": "E\u{301} e\u{300} n\u{303} u\u{308} a\u{30A}",
            "Ά ὕ": "\u{391}\u{301} \u{3C5}\u{314}\u{301}",
            "Й ё ї ў": "\u{418}\u{306} \u{435}\u{308} \u{456}\u{308} \u{443}\u{306}",
        ]
        let other = decomposed[text] ?? text
        #expect(SearchWords(text) == SearchWords(other))
        #expect(SearchWords(text).words.allSatisfy { $0.unicodeScalars.count == 1 })
    }

    @Test(arguments: [
        ("milk bre", true), ("BREAD", true), ("ilk", false), ("milk tea", false), ("", true), ("!?", true),
        ("and milk and", true), ("breads", false),
    ])
    func eachWordOfASearchBeginsAWordOfTheText(_ search: String, _ isFound: Bool) {
        #expect(SearchWords(search).matches("Bread and Milk") == isFound)
    }

    @Test func textIsFoundByPrefixesOfItsWords() async throws {
        let text = Generator.array(of: .element(of: Array("aÉß 東-é9\u{301}Łz".unicodeScalars)), count: 0...30).map {
            scalars in
            var text = ""
            text.unicodeScalars.append(contentsOf: scalars)
            return text
        }
        try await forAll(.zip(text, .int(in: 1...3)), runs: 500) { text, length in
            for word in SearchWords(text).words {
                var start = String.UnicodeScalarView()
                start.append(contentsOf: word.unicodeScalars.prefix(length))
                try require(SearchWords(String(start)).matches(text), "\(start) does not find \(text)")
            }
            try require(
                SearchWords(SearchWords(text).words.joined(separator: " ")) == SearchWords(text), "twice: \(text)")
        }
    }
}
