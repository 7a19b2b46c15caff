import Testing
import WharfChecks

@testable import WharfMessaging

@Suite struct OverflowTests {
    private func parts(
        _ message: Message, title: TextLimit? = nil, body: TextLimit? = nil, _ overflow: ChannelLimits.Overflow
    ) throws -> [ChannelLimits.Text] {
        try ChannelLimits(title: title, body: body, overflow: overflow).parts(of: message)
    }

    private static let units: [TextUnit] = [.scalars, .utf16, .bytes, .septets]

    private static let unit: Generator<TextUnit> = Generator<Int>.int(in: 0...3).map { units[$0] }

    /// Characters of one and of several scalars, with different widths in each unit.
    private static let body: Generator<String> = .string(
        of: .element(of: Array("ab c\r\n\u{301}\u{200D}👩👧🇫🇮é€東{".unicodeScalars)), count: 0...120)

    @Test func partsFitTheLimitAndJoinToTheText() async throws {
        let inputs: Generator<(String, TextUnit, Int)> = .zip(
            Self.body, Self.unit, .int(in: 1...80))
        try await forAll(inputs, runs: 1_500) { text, unit, length in
            let limit = TextLimit(length, unit)
            let parts: [ChannelLimits.Text]
            do {
                parts = try self.parts(Message(body: text), body: limit, .split(atMost: 120))
            } catch {
                // A character does not fit beside the part's number, or the number leaves no room.
                return try require(unit.count(text) > length, "what fits was refused")
            }
            try require(parts.allSatisfy { limit.fits($0.body) }, "a part is too long: \(parts)")
            if parts.count == 1 { return try require(parts[0].body == text, "one part, and it is \(parts)") }
            var together = String.UnicodeScalarView()
            for (index, part) in parts.enumerated() {
                let mark = "(\(index + 1)/\(parts.count)) ".unicodeScalars
                try require(part.body.unicodeScalars.starts(with: mark), "\(part.body) is not number \(index + 1)")
                together.append(contentsOf: part.body.unicodeScalars.dropFirst(mark.count))
            }
            try require(together.elementsEqual(text.unicodeScalars), "together they are \(String(together))")
            // No part begins inside a character.
            let bounds = Set(text.indices)
            var start = text.startIndex
            for (index, part) in parts.enumerated() {
                try require(bounds.contains(start), "cut inside a character: \(parts)")
                let count = part.body.unicodeScalars.count - "(\(index + 1)/\(parts.count)) ".count
                start = text.unicodeScalars.index(start, offsetBy: count)
            }
        }
    }

    @Test func textIsCutBetweenWordsIfThatWastesLittle() throws {
        let parts = try parts(
            Message(body: "the quick brown fox jumps"), body: TextLimit(20, .scalars), .split(atMost: 9))
        #expect(parts.map(\.body) == ["(1/3) the quick ", "(2/3) brown fox ", "(3/3) jumps"])
        let long = try self.parts(
            Message(body: "a bbbbbbbbbbbbbbbbbbbbb"), body: TextLimit(20, .scalars), .split(atMost: 9))
        #expect(long.map(\.body) == ["(1/2) a bbbbbbbbbbbb", "(2/2) bbbbbbbbb"])
    }

    @Test func tenPartsAreNumberedByTwoDigitsWithinTheLimit() throws {
        let parts = try parts(
            Message(body: String(repeating: "x", count: 40)), body: TextLimit(10, .scalars), .split(atMost: 99))
        #expect(parts.count == 16 && parts[0].body == "(1/16) xxx" && parts[15].body == "(16/16) x")
        #expect(parts.allSatisfy { $0.body.count <= 10 })
    }

    @Test func aMessageOfMorePartsThanAllowedIsRefused() throws {
        let message = Message(body: String(repeating: "x", count: 17))
        #expect(try parts(message, body: TextLimit(10, .scalars), .split(atMost: 5)).count == 5)
        let error = #expect(throws: MessagingError.self) {
            try parts(message, body: TextLimit(10, .scalars), .split(atMost: 4))
        }
        #expect(error?.code == .tooLong && error?.message.contains("at most 4 parts") == true)
    }

    @Test func truncatedTextIsAPrefixThatFitsTheLimit() async throws {
        let inputs: Generator<(String, TextUnit, Int)> = .zip(
            Self.body, Self.unit, .int(in: 0...60))
        try await forAll(inputs, runs: 800) { text, unit, length in
            let limit = TextLimit(length, unit)
            guard let cut = try? parts(Message(body: text), body: limit, .truncate) else {
                return try require(unit.count(text) > length, "what fits was refused")
            }
            try require(cut.count == 1 && limit.fits(cut[0].body), "\(cut)")
            if unit.count(text) <= length { return try require(cut[0].body == text, "it was cut: \(cut)") }
            let kept = cut[0].body.hasSuffix("...") ? String(cut[0].body.dropLast(3)) : cut[0].body
            try require(text.hasPrefix(kept) || kept.isEmpty, "\(kept) is not its beginning")
        }
    }

    @Test func aTitleIsCutOffOrRefusedOrBecomesTheFirstLine() throws {
        let message = Message(title: "A long title", body: "body")
        #expect(
            try parts(message, title: TextLimit(8, .scalars), .split(atMost: 9)) == [
                .init(title: "A lon...", body: "body")
            ])
        #expect(throws: MessagingError.self) { try parts(message, title: TextLimit(8, .scalars), .refuse) }
        #expect(try parts(message, title: TextLimit.none, .refuse) == [.init(title: "", body: "A long title\nbody")])
        #expect(
            try parts(Message(title: "", body: "body"), title: TextLimit.none, .refuse) == [
                .init(title: "", body: "body")
            ])
        #expect(
            try parts(Message(title: "t", body: ""), title: TextLimit.none, .refuse) == [.init(title: "", body: "t")])
    }

    @Test(arguments: [
        (String(repeating: "a", count: 160), 160), (String(repeating: "€", count: 80), 160),
        (String(repeating: "é", count: 160), 160), (String(repeating: "я", count: 70), 160),
        (String(repeating: "я", count: 71), 163), ("a😀", 7), ("e\u{301}", 5), ("", 0), ("{}", 4), ("ç", 3),
    ])
    func shortMessageIsMeasuredInSeptets(text: String, septets: Int) {
        #expect(TextUnit.septets.count(text) == septets)
    }
}
