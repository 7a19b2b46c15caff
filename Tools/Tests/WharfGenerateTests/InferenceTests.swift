import Testing
import WharfGenerate
import WharfJSON

/// The types inferred from samples, checked by lines of the source.
struct InferenceTests {
    struct Expectation: Sendable, CustomStringConvertible {
        let sample: String
        let lines: [String]
        let missing: [String]

        init(_ sample: String, _ lines: String..., missing: [String] = []) {
            (self.sample, self.lines, self.missing) = (sample, lines, missing)
        }

        var description: String { sample }
    }

    @Test(arguments: [
        Expectation("Integers", "let a: Int", "let b: Int", "let d: Int"),
        Expectation("BeyondInt", "let a: UInt64", "let b: UInt64"),
        Expectation("BeyondUInt64", "let a: Decimal", "let b: Decimal", "let c: Decimal"),
        Expectation("Fractions", "let a: Double", "let b: Double", "let d: Double", missing: ["import Foundation"]),
        Expectation("TurningFractional", "let price: Double"),
        Expectation("TurningLarge", "let n: UInt64"),
        Expectation("NegativeAndLarge", "let n: Decimal"),
        Expectation("ExactDecimals", "let amount: Decimal", "let rate: Decimal"),
        Expectation("Dates", "import Foundation", "let at: Date", "let leap: Date"),
        Expectation("Milliseconds", "let at: [Date]"),
        Expectation("LongFractions", "let a: [Decimal]", "let b: Decimal", "let c: Decimal", "let d: Double"),
        Expectation("OddURLs", "let a: String", "let b: String", "let c: String", "let d: URL"),
        Expectation("Hashes", "let hash: Int", "let hashValueValue: Int", "let none: Int"),
        Expectation("MutableChain", "let t: Int", "final class MutableChain: Codable, Sendable {"),
        Expectation("Wrapper", "let data: WrapperData", "let data: WrapperDataData", missing: ["?"]),
        Expectation("ManyOptionals", "let street: String?", missing: ["[String: String]"]),
        Expectation("OneOptional", "let zip: String?", missing: ["enum"]),
        Expectation("Date", "typealias DateDocument = [DateValue]"),
        Expectation("DatesOfTwoForms", "let at: String"),
        Expectation("DatesWithOffset", "let at: String"),
        Expectation("NearlyDates", "let a: String", "let b: String", "let c: String"),
        Expectation("OptionalDates", "let at: Date?"),
        Expectation("LowercaseUUIDs", "let id: UUID", "let others: [UUID]"),
        Expectation("UppercaseUUIDs", "let id: UUID", missing: ["LowercaseUUID"]),
        Expectation("MixedCaseUUIDs", "let id: [String]"),
        Expectation("URLs", "let htmlURL: URL", "let home: URL"),
        Expectation("NearlyURLs", "let a: String", "let b: String", "let c: String", "let d: String"),
        Expectation("MixedScalars", "let id: ID?", "case bool(Bool)", "case integer(Int)", "case string(String)"),
        Expectation("NullsAlone", "let a: NullsAloneJSON?", "let b: [NullsAloneJSON?]"),
        Expectation("NullOrValue", "let a: Int?", "try container.encode(a, forKey: .a)"),
        Expectation("AbsentOrValue", "let a: Int?", missing: ["func encode"]),
        Expectation(
            "NullAbsentOrValue", "let a: Int?", "/// Absent or null; nil is written as absent.",
            missing: ["func encode"]),
        Expectation("ClosedSet", "let state: State", "case inProgress", "case \"in-progress\": self = .inProgress"),
        Expectation("TopLevelArray", "typealias TopLevelArray = [TopLevelArrayValue]"),
        Expectation("Matrix", "let rows: [[Double]]"),
        Expectation(
            "Shared", "let author: Author", "let reviewers: [Author]", "let byDay: [String: Author]",
            missing: ["struct Reviewer"]),
        Expectation("Tree", "let children: [Tree]?", missing: ["struct Child"]),
        Expectation("Chain", "final class Chain: Codable, Sendable {", "let next: Chain?"),
        Expectation("Alternating", "let folder: Folder?", "let files: [File]"),
        Expectation("ParentAlike", "let owner: Owner", "struct Owner: Codable, Hashable, Sendable {"),
        Expectation("MapByNumber", "let users: [String: User]"),
        Expectation("MapByUUID", "typealias MapByUUID = [String: Int]"),
        Expectation("MapByName", "let currencies: [String: Currency]"),
        Expectation("MapOfMaps", "typealias MapOfMaps = [String: [String: [Int]]]"),
        Expectation(
            "Feed", "let shapes: [Shape]", "case square(Square)", "case rectangle(Rectangle)", "case unknown(FeedJSON)",
            "case content = \"attributes\""),
        Expectation(
            "InternalTag", "case circle(Circle)", "self = .circle(try Circle(from: decoder))", "let radius: Double"),
        Expectation("TagAlone", "case ping", "case text(Text)"),
        Expectation("ContentOrNot", "case open", "case move(Move)", "case content = \"data\""),
        Expectation(
            "Expression", "indirect enum Expression: Codable, Hashable, Sendable {", "case add(Add)",
            "let left: Expression",
            "let operand: Expression", missing: ["struct Left", "enum Right"]),
        Expectation("SameKeysOtherKinds", "case count(Count)", "case label(Label)"),
        Expectation("NestedEvidence", "case people(People)", "case articles(Articles)"),
        Expectation("UnusualTag", "case dark(Dark)", "case light(Light)"),
        Expectation("NamedTag", "case dark(Dark)", "case light(Light)"),
        Expectation("NoUnions", "let radius: Int?", "let side: Int?", missing: ["enum NoUnion"]),
        Expectation("NoEvidence", "let note: String?", missing: ["enum "]),
        Expectation("Clashes", "let userID: Int", "let userID2: Int", "let userID4: Int"),
        Expectation("Cases", "let id: Int", "let id2: Int", "let id3: Int"),
        Expectation("Digits", "let _2x: Int", "let _3dModel: _3dModelValue"),
        Expectation("Keywords", "let `class`: Int", "let selfValue: Int", "let initValue: Int", "case `default`"),
        Expectation(
            "Plurals", "let categories: [Category]", "let people: [Person]", "let news: [News]", "let boxes: [Box]",
            "let addresses: [Address]", "let houses: [House]"),
        Expectation("SameNameElsewhere", "let item: Item", "let item: BItem", "let item: CItem"),
        Expectation("TakenTypes", "let data: TakenTypesData", "let anyJSON: AnyJSON", "let h: [TakenTypesJSON?]"),
        Expectation(
            "PublicTypes", "public struct PublicTypes: Hashable, Sendable {", "public let id: Int",
            "extension PublicTypes: Codable {", "public init(from decoder: any Decoder) throws {"),
        Expectation(
            "Classes", "final class Classes: Codable, Sendable {", "required init(from decoder: any Decoder) throws {"),
        Expectation("MutableTypes", "var id: Int"),
        Expectation("MutableClasses", "final class MutableClasses: Codable {"),
        Expectation(
            "PrefixedTypes", "struct ACMEPrefixedTypes: Codable, Hashable, Sendable {", "let data: ACMEData",
            "enum ACMEPrefixedTypesJSON: Codable, Hashable, Sendable {"),
        Expectation("Acronyms", "let apiUrl: String", "let gpsPosition: Int"),
    ])
    func sampleGivesTheExpectedTypes(_ expected: Expectation) throws {
        let sample = try #require(Sample.all.first { $0.name == expected.sample })
        let source = try sample.source()
        let lines = Set(source.split(separator: "\n").map { String($0.drop { $0 == " " }) })
        for line in expected.lines { #expect(lines.contains(line), "no line \(line) in\n\(source)") }
        for text in expected.missing { #expect(!source.contains(text), "found \(text) in\n\(source)") }
    }

    @Test(arguments: Sample.all)
    func generationIsDeterministic(_ sample: Sample) throws {
        let source = try sample.source()
        for _ in 0..<3 { #expect(try sample.source() == source) }
    }

    @Test func optionalityDoesNotDependOnSampleOrder() throws {
        let texts = [#"{"a": 1, "b": "x"}"#, #"{"a": 2}"#, #"{"a": null, "b": "y"}"#]
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2]] {
            let values = try order.map { try JSON.decode(JSONValue.self, from: texts[$0]) }
            let source = try Generator.files(for: values, named: "T")[0].text
            #expect(source.contains("let a: Int?") && source.contains("let b: String?"))
        }
    }
}
