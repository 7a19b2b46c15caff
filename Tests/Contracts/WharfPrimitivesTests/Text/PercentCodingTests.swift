import Testing
import WharfPrimitives
import WharfRandom

@Suite struct PercentCodingTests {
    /// Texts of random scalars, many of which are delimiters.
    private static func text(_ random: inout SeededGenerator) -> String {
        let delimiters = Array("%+&=;/?#:@[]\"<> \r\n\u{301}é日".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...20, using: &random) {
            let any = Unicode.Scalar(UInt32.random(in: 0...0x2FFF, using: &random)) ?? "x"
            text.append(Bool.random(using: &random) ? any : delimiters.randomElement(using: &random) ?? any)
        }
        return String(text)
    }

    @Test(arguments: [
        ("a b/c?d&e=f+g%41", "a%20b%2Fc%3Fd%26e%3Df%2Bg%2541"), ("-._~", "-._~"), ("é", "%C3%A9"), ("\r\n", "%0D%0A"),
    ])
    func dataEncodingKeepsOnlyUnreservedCharacters(text: String, encoded: String) {
        #expect(PercentEncoding.data(text) == encoded)
    }

    @Test(arguments: [
        ("/a b/%2f%zz%", "/a%20b/%2f%25zz%25", "/a%20b/%2f%25zz%25"),
        ("!$&'()*+,;=:@", "!$&'()*+,;=:@", "!$&'()*+,;=:@"),
        ("a?b#c[d]", "a%3Fb%23c%5Bd%5D", "a?b%23c%5Bd%5D"), ("%4", "%254", "%254"),
    ])
    func pathsAndQueriesKeepTriplets(text: String, path: String, query: String) {
        #expect(PercentEncoding.path(text) == path)
        #expect(PercentEncoding.query(text) == query)
    }

    @Test(arguments: [
        ("%41%c3%A9", "Aé"), ("%", "%"), ("%4", "%4"), ("%zz", "%zz"), ("%%41", "%A"), ("a+b", "a+b"),
        // A sign is no digit. These were once decoded as the octets 5 and 15.
        ("%+5", "%+5"), ("%+F", "%+F"), ("%-0", "%-0"),
    ])
    func lenientDecodingKeepsMalformedTriplets(text: String, decoded: String) {
        #expect(PercentDecoding.path(text) == decoded)
    }

    @Test(arguments: [("%", 0), ("a%4", 1), ("%41%+5", 3), ("%C3%A9é%zz", 8)])
    func strictDecodingNamesTheOffsetOfAMalformedTriplet(text: String, offset: Int) {
        #expect(throws: PercentDecoding.Malformed.self) { try PercentDecoding.strict(text.utf8) }
        do throws(PercentDecoding.Malformed) {
            _ = try PercentDecoding.strict(text.utf8)
        } catch {
            #expect(error.offset == offset)
        }
    }

    @Test func itemsKeepTheirOrderAndAnEmptyValue() {
        let items = PercentDecoding.items("a=1&b&a=%26+x=y&&\u{301}=z")
        #expect(items.map(\.name) == ["a", "b", "a", "\u{301}"])
        #expect(items.map(\.value) == ["1", "", "& x=y", "z"])
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func encodedTextDecodesToTheSameBytes(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let text = Self.text(&random)
            let encoded = PercentEncoding.data(text)
            #expect(encoded.utf8.allSatisfy { OctetSet.unreserved.contains($0) || $0 == UInt8(ascii: "%") })
            #expect(try PercentDecoding.strict(encoded.utf8) == Array(text.utf8), "\(random)")
            #expect(Array(PercentDecoding.form(encoded).utf8) == Array(text.utf8), "\(random)")
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func encodingAPathOrQueryTwiceChangesNothing(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            let text = Self.text(&random)
            for encode in [PercentEncoding.path, PercentEncoding.query] as [(String) -> String] {
                let encoded = encode(text)
                #expect(encode(encoded) == encoded, "\(random)")
                #expect(InvalidEscape(in: encoded) == nil, "\(random)")
            }
        }
    }

    @Test(arguments: 0..<20 as Range<UInt64>)
    func strictDecodingRefusesEveryInvalidEscape(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let text = Self.text(&random)
            let decoded = try? PercentDecoding.strict(text.utf8)
            #expect((decoded == nil) == (InvalidEscape(in: text) != nil), "\(random)")
        }
    }
}
