import Testing
import WharfChecks
import WharfJSON

@Suite struct WriterTests {
    @Test func doublesAndFloatsAreReadBackBitForBit() async throws {
        let doubles: [Double] = [
            0, -0.0, 1, -1, 9_007_199_254_740_991, 9_007_199_254_740_992, 1e22, 1e23, .leastNonzeroMagnitude,
        ]
        try readBack(doubles)
        try readBack([0, -0.0, 1, 16_777_216, 1e10, .greatestFiniteMagnitude, .leastNonzeroMagnitude] as [Float])
        let bits = Generator.int(in: 0...UInt64.max)
        let double = Generator<Double>.oneOf(
            bits.map { Double(Int32(truncatingIfNeeded: $0)) / 100 },
            bits.map { Double(Int64(truncatingIfNeeded: $0 >> ($0 % 64))) },
            bits.map { Double(bitPattern: $0) }.filter { $0.isFinite })
        let float = bits.map { Float(bitPattern: UInt32(truncatingIfNeeded: $0)) }.filter { $0.isFinite }
        try await forAll(.array(of: double, count: 0...200), runs: 1_500) { try readBack($0) }
        try await forAll(.array(of: float, count: 0...100), runs: 1_000) { try readBack($0) }
    }

    private func readBack<Number: JSONCodable & BinaryFloatingPoint>(_ numbers: [Number]) throws {
        let read = try JSON.decode([Number].self, from: JSON.encode(numbers))
        try require(read.count == numbers.count, "\(read.count) numbers")
        for (number, read) in zip(numbers, read) {
            let isSame = read.sign == number.sign && read == number
            try require(isSame, "\(number) was read as \(read)")
        }
    }

    @Test(
        arguments: [
            (1, "1"), (-0.0, "-0"), (0.1, "0.1"), (1e15, "1000000000000000"), (1e22, "1e+22"),
            (.leastNonzeroMagnitude, "5e-324"),
            (-2.5, "-2.5"),
            (9_007_199_254_740_992, "9007199254740992"), (100.25, "100.25"),
        ] as [(Double, String)])
    func aDoubleIsWrittenShort(_ number: Double, _ expected: String) throws {
        #expect(try text(number) == expected)
        #expect(Grammar.accepts(Array(expected.utf8)))
    }

    @Test func stringsOfEveryScalarAndLengthAreReadBack() throws {
        for length in 0...24 {
            for special in [
                "\"", "\\", "\0", "\u{1F}", "\n", "\r", "\t", "\u{8}", "\u{C}", "\u{7F}", "é", "😀", "\u{2028}", "a",
            ] {
                for place in 0...length {
                    let padding = Array(repeating: "x", count: length)
                    let string = (padding[..<place] + [special] + padding[place...]).joined()
                    let bytes = try JSON.encode(string)
                    if !Grammar.accepts(bytes) { Issue.record("\(string.debugDescription)") }
                    if try JSON.decode(String.self, from: bytes) != string {
                        Issue.record("\(string.debugDescription)")
                    }
                }
            }
        }
    }

    @Test func controlCharactersAreEscapedInTheirShortestForm() throws {
        let written = try text(String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0 as UInt8) })))
        #expect(
            written == #""\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f"#
                + #"\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f""#)
        #expect(try text("\"\\/é\u{7F}\u{2028}") == "\"\\\"\\\\/é\u{7F}\u{2028}\"")
    }

    @Test func emptyAndNestedContainersHaveNoCommaTooMany() throws {
        #expect(try text([[Int]]()) == "[]")
        #expect(try text([[], [1], [], [2, 3]] as [[Int]]) == "[[],[1],[],[2,3]]")
        #expect(try text([String: Int]()) == "{}")
        #expect(try text([["a": [Int]()], [:], ["b": [1]]]) == #"[{"a":[]},{},{"b":[1]}]"#)
        #expect(try text([nil, 1, nil] as [Int?]) == "[null,1,null]")
        #expect(try text(["a,", ",", "]"]) == #"["a,",",","]"]"#)
        #expect(try text([7: "x"]) == #"{"7":"x"}"#)
    }

    @Test func documentLargerThanInitialCapacityIsWritten() throws {
        for count in [60, 61, 62, 63, 64, 65, 1000, 1022, 1023, 1024, 1025, 5000] {
            let string = String(repeating: "x", count: count)
            #expect(try text(string) == "\"\(string)\"")
            #expect(try text([string, string]) == "[\"\(string)\",\"\(string)\"]")
            let escaped = String(repeating: "\n", count: count)
            #expect(try JSON.decode(String.self, from: JSON.encode(escaped)) == escaped)
            let numbers = Array(repeating: UInt64.max, count: count)
            #expect(try JSON.decode([UInt64].self, from: JSON.encode(numbers)) == numbers)
        }
    }

    @Test func writerCallsProduceKeysAndValues() throws {
        var writer = JSONWriter(capacity: 0)
        writer.beginObject()
        writer.field("a", 1)
        writer.fieldIfPresent("b", nil as Int?)
        writer.field("c", nil as Int?)
        writer.key("d")
        writer.beginArray()
        writer.element(true)
        writer.element("x")
        writer.endArray()
        writer.endField()
        writer.key(text: "e\n")
        writer.raw(Array("1.50".utf8))
        writer.endField()
        writer.endObject()
        let bytes = try writer.finish()
        #expect(String(decoding: bytes, as: UTF8.self) == #"{"a":1,"c":null,"d":[true,"x"],"e\n":1.50}"#)
    }

    @Test func finishWithoutAValueIsAnError() {
        let writer = JSONWriter()
        var thrown: JSONError?
        do throws(JSONError) { _ = try writer.finish() } catch { thrown = error }
        #expect(thrown?.code == .notEncodable)
        #expect(thrown?.message == "1:1: expected a value, found no value")
    }
}
