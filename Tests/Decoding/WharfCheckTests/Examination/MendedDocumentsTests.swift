import Foundation
import Testing
import WharfCheck
import WharfFaults

/// If all reported errors are fixed one after the other, the document decodes. Each reported error
/// needed its fix.
@Suite struct MendedDocumentsTests {
    /// A document that can be changed at a path.
    indirect enum Tree {
        case object([String: Tree])
        case array([Tree])
        case raw(String)

        init(_ value: Any) {
            switch value {
            case let object as [String: Any]: self = .object(object.mapValues(Tree.init))
            case let array as [Any]: self = .array(array.map(Tree.init))
            case let text as String: self = .raw("\"\(text)\"")
            case is NSNull: self = .raw("null")
            default: self = .raw("\(value)")
            }
        }

        var json: String {
            switch self {
            case .object(let fields):
                "{"
                    + fields.sorted { $0.key < $1.key }.map { "\"\($0.key)\": \($0.value.json)" }.joined(
                        separator: ", ")
                    + "}"
            case .array(let elements): "[" + elements.map(\.json).joined(separator: ", ") + "]"
            case .raw(let text): text
            }
        }

        subscript(path: ArraySlice<JSONPath.Step>) -> Tree? {
            get {
                guard let step = path.first else { return self }
                switch (self, step) {
                case (.object(let fields), .key(let key)): return fields[key]?[path.dropFirst()]
                case (.array(let elements), .index(let index)) where elements.indices ~= index:
                    return elements[index][path.dropFirst()]
                default: return nil
                }
            }
            set {
                guard let step = path.first else {
                    if let newValue { self = newValue }
                    return
                }
                switch (self, step) {
                case (.object(var fields), .key(let key)):
                    if path.count == 1 { fields[key] = newValue } else { fields[key]?[path.dropFirst()] = newValue }
                    self = .object(fields)
                case (.array(var elements), .index(let index)) where elements.indices ~= index:
                    elements[index][path.dropFirst()] = newValue
                    self = .array(elements)
                default: break
                }
            }
        }

        /// The path of every value except the root.
        var paths: [[JSONPath.Step]] {
            switch self {
            case .object(let fields):
                fields.sorted { $0.key < $1.key }.flatMap { key, value in
                    [[.key(key)]] + value.paths.map { [.key(key)] + $0 }
                }
            case .array(let elements):
                elements.enumerated().flatMap { index, value in
                    [[.index(index)]] + value.paths.map { [.index(index)] + $0 }
                }
            case .raw: []
            }
        }
    }

    private static func decodes(_ json: String, _ decoder: CodableJSONDecoder) -> JSONError? {
        do {
            _ = try decoder.decode(MutatedDocumentsTests.Document.self, from: Array(json.utf8))
            return nil
        } catch {
            return JSONError(behind: error)
        }
    }

    @Test(arguments: 0..<40)
    func eachFindingIsThrownOnceEarlierOnesAreFixed(_ seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var decoder = CodableJSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let good = Tree(try JSONSerialization.jsonObject(with: Data(MutatedDocumentsTests.good.utf8)))
        #expect(Self.decodes(good.json, decoder) == nil)
        for _ in 0..<4 {
            var tree = good
            for _ in 0..<Int.random(in: 1...5, using: &random) {
                let path = try #require(good.paths.randomElement(using: &random))
                let values: [Tree] = [
                    .raw("null"), .raw("true"), .raw("7"), .raw("-1.5"), .raw("\"q\""), .array([]), .object([:]),
                    .array([.array([])]), .object(["a": .raw("1")]), .raw("300"),
                ]
                let value = try #require(values.randomElement(using: &random))
                // Removes a key, or replaces a value.
                tree[path[...]] = Bool.random(using: &random) || path.last == .index(0) ? value : nil
            }
            let json = tree.json
            let findings = PayloadCheck(MutatedDocumentsTests.Document.self, decoder: decoder)
                .findings(in: Array(json.utf8))
            let mayHideMore = findings.contains { $0.hides != nil }
            var thrown: [JSONPath] = []
            while let error = Self.decodes(tree.json, decoder) {
                let path = error.path
                if !findings.contains(where: { $0.path == path }) {
                    #expect(mayHideMore, "\(path) is thrown, and is not among \(findings.map(\.path)) of \(json)")
                }
                thrown.append(path)
                try #require(thrown.count < 100, "\(thrown) of \(json)")
                // For an array that is too short, the whole array is restored.
                var place = path.steps[...]
                while !place.isEmpty, good[place] == nil { place.removeLast() }
                tree[place] = good[place]
            }
            for finding in findings {
                #expect(thrown.contains(finding.path), "\(finding.path) is reported and never thrown, of \(json)")
            }
        }
    }
}
