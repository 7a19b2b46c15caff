import Testing
import WharfJSON
import WharfTesting

/// Lines, columns, excerpts and paths of `CodableJSONDecoder`'s errors, against the reader's.
@Suite struct CodablePlaceTests {
    @Test(arguments: [(1, 4), (2, 40), (3, 500), (4, 5000), (5, 100_000)])
    func eachErrorOfALongDocumentHasThePlaceThatTheReaderSays(_ seed: UInt64, _ lineLength: Int) throws {
        var random = SeededGenerator(seed: seed)
        let document = Self.document(&random, lineLength)
        let issues = failure([Int].self, document)
        let found = try CodableJSONDecoder().decode([Lenient].self, from: Array(document.utf8)).compactMap(\.issue)
        try #require(found.count == issues.count && issues.count > 200)
        for (found, issue) in zip(found, issues) {
            #expect(found.location == issue.location)
            #expect(found.excerpt == issue.excerpt)
            #expect(found.caret == issue.caret)
            #expect(found.path == issue.path)
            #expect(found.found == issue.found)
        }
    }

    /// Texts of one to four bytes a character, in lines of about a length, where numbers are expected.
    private static func document(_ random: inout SeededGenerator, _ lineLength: Int) -> String {
        let texts = [#""a""#, #""é""#, #""日本""#, #""😀😀""#, "1", #""a longer text, é \n""#]
        var text = "["
        for index in 0..<800 {
            if index > 0 { text += "," }
            if random.oneIn(max(lineLength / 6, 2)) { text += random.oneIn(2) ? "\n" : "\r\n  " }
            text += texts.randomElement(using: &random) ?? ""
        }
        return text + "]"
    }

    @Test func anErrorThatATypeThrowsHasThePlaceOfItsPathUnderEveryStrategy() throws {
        var decoder = CodableJSONDecoder()
        let document = #"{"my_values": {"first_key": [1, {"is_odd": 2}]}}"#
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let error = #expect(throws: DecodingError.self) {
            try decoder.decode(Values.self, from: Array(document.utf8))
        }
        let cause = try #require(error.flatMap(CodableErrorTests.cause))
        #expect(cause.code == .invalidValue)
        #expect(cause.path.description == "my_values.first_key[1].is_odd")
        #expect(cause.location.offset == 43)
    }

    @Test func aByteOrderMarkIsPassedOver() throws {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(try CodableJSONDecoder().decode([Int].self, from: mark + Array("[1, 2]".utf8)) == [1, 2])
        #expect(throws: DecodingError.self) {
            try CodableJSONDecoder().decode([Int].self, from: mark + mark + Array("[1, 2]".utf8))
        }
        let error = #expect(throws: DecodingError.self) {
            try CodableJSONDecoder().decode([Int].self, from: mark + Array("[1, null]".utf8))
        }
        #expect(error.flatMap(CodableErrorTests.cause)?.location.offset == 7)
    }

    /// Catches what is wrong with a number.
    private struct Lenient: Decodable {
        let issue: JSONIssue?

        init(from decoder: any Decoder) throws {
            do {
                _ = try decoder.singleValueContainer().decode(Int.self)
                issue = nil
            } catch let error as DecodingError {
                issue = CodableErrorTests.cause(of: error)?.issues.first
            }
        }
    }

    private struct Values: Decodable {
        /// Throws an error of its own, without a place.
        struct Odd: Decodable {
            enum CodingKeys: CodingKey { case isOdd }

            init(from decoder: any Decoder) throws {
                let container = try? decoder.container(keyedBy: CodingKeys.self)
                guard let container else { return }
                throw DecodingError.dataCorruptedError(forKey: .isOdd, in: container, debugDescription: "not odd")
            }
        }
        let myValues: [String: [Odd]]
    }
}
