import Testing
import WharfChecks
import WharfJSON

/// Lines, columns, excerpts and paths of `CodableJSONDecoder`'s errors, compared with the reader's.
@Suite struct CodablePlaceTests {
    @Test(arguments: [4, 40, 500, 5000, 100_000])
    func errorsInLongDocumentMatchReaderLocations(_ lineLength: Int) async throws {
        try await forAll(Self.document(lineLength), runs: 5) { document in
            let issues = failure([Int].self, document)
            let found = try CodableJSONDecoder().decode([Lenient].self, from: Array(document.utf8))
                .compactMap(\.issue)
            try require(found.count == issues.count, "\(found.count) errors, the reader has \(issues.count)")
            for (found, issue) in zip(found, issues) {
                let isSame =
                    found.location == issue.location && found.excerpt == issue.excerpt
                    && found.path == issue.path && found.found == issue.found
                try require(isSame, "\(found), the reader has \(issue)")
            }
        }
    }

    /// Arrays of texts with characters of one to four bytes, where numbers are expected. Lines have
    /// about the given length.
    private static func document(_ lineLength: Int) -> Generator<String> {
        let value = Generator.element(of: ["1", #""a""#, #""é""#, #""日本""#, #""😀😀""#, #""a longer text, é \n""#])
        let gap = Generator.frequency(
            (2 * max(lineLength / 6, 2) - 2, .just("")), (1, .just("\n")), (1, .just("\r\n  ")))
        return Generator.array(of: .zip(gap, value), count: 0...1_000).map { elements in
            "[" + elements.map { $0 + $1 }.joined(separator: ",") + "]"
        }
    }

    @Test func errorThrownByTypeIsLocatedThroughConvertedKeys() throws {
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

    /// Catches the error of a wrong number.
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
        /// Throws its own error without a location.
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
