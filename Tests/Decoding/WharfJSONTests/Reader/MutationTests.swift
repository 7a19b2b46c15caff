import Testing
import WharfChecks
import WharfJSON

/// Valid documents with one changed byte: every decoder agrees with the plain grammar, and all
/// decoders report the same offset.
@Suite struct MutationTests {
    private static let documents: [Document] = [
        #"{"id": 7, "tags":["a","\u00e9\\"],"x":{"y":-1.5e+3,"z":[null,true,false]}}"#,
        "[0,-0.0,10.25E-2,\"é😀\\ud83d\\ude00\\n\",{},[[]], 1]",
        #"{"a longer key with a tail":"a text of more than eight bytes \t and more","b":0.1}"#,
    ]

    /// All bytes with a meaning in the grammar or UTF-8, and their neighbours. The fuzzer tries the
    /// others.
    private static let bytes: [UInt8] =
        Array("{}[]:,;\"'\\/ \n\r\t\0\u{B}\u{1F}!.+-0189aeEflnrstuxDdz~\u{7F}".utf8)
        + [0x80, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF]

    private func check(_ bytes: [UInt8]) {
        if let breach = breach(bytes) { Issue.record("\(Document(bytes).testDescription): \(breach)") }
    }

    private func breach(_ bytes: [UInt8]) -> String? {
        let isValid = Grammar.accepts(bytes)
        let breaches = [Way.tree, .skipped, .mistaken].map { $0.breach(bytes) }
        let dropIn = Way.dropIn.breach(bytes)
        let agree =
            breaches.allSatisfy { ($0 == nil) == isValid && $0 == breaches[0] }
            && dropIn?.location == breaches[0]?.location
        return agree ? nil : "grammar \(isValid), \(breaches)"
    }

    @Test(arguments: documents) func replacedByteIsJudgedLikeTheGrammar(_ document: Document) {
        for place in document.bytes.indices {
            for byte in Self.bytes {
                var bytes = document.bytes
                bytes[place] = byte
                check(bytes)
            }
        }
    }

    @Test(arguments: documents) func removedOrInsertedByteIsJudgedLikeTheGrammar(_ document: Document) {
        for place in document.bytes.indices {
            var bytes = document.bytes
            bytes.remove(at: place)
            check(bytes)
            for byte in "{}[]:,\"\\ 0.e-+tu\0\u{1F}".utf8 + [0x80, 0xC3, 0xFF] {
                var bytes = document.bytes
                bytes.insert(byte, at: place)
                check(bytes)
            }
        }
    }

    @Test(arguments: documents) func prefixesAndSuffixesAreJudgedLikeTheGrammar(_ document: Document) {
        for place in document.bytes.indices {
            check(Array(document.bytes[..<place]))
            check(Array(document.bytes[place...]))
        }
    }

    @Test func randomPiecesAreJudgedLikeTheGrammar() async throws {
        let piece = Generator.element(of: [
            "1", "{", "}", "[", "]", ":", ",", "\"", "\"a\"", "-", "0", ".5", "e", "true", "null", " ", "\\", "\\u00",
            "é", "\0",
        ])
        let documents = Generator<[String]>.array(of: piece, count: 1...8).map { $0.joined(separator: "") }
        try await forAll(documents, runs: 5_000) { document in
            let breach = breach(Array(document.utf8))
            try require(breach == nil, breach ?? "")
        }
    }
}
