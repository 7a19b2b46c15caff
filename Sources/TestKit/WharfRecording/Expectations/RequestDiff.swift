internal import WharfCore
internal import WharfFakes

/// The differences of a request from an expectation, line by line.
struct RequestDiff: CustomStringConvertible {
    struct Line: Equatable {
        enum Mark: String {
            case same = "  "
            case expected = "- "
            case found = "+ "
        }

        let mark: Mark
        let part: String
        let text: String
    }

    private(set) var lines: [Line] = []
    /// The distance between the targets, which counts more than other differences.
    private(set) var distance = 0

    var isEmpty: Bool { lines.allSatisfy { $0.mark == .same } }

    /// Returns whether this diff is smaller.
    func isNearer(than other: RequestDiff) -> Bool {
        (distance, differences) < (other.distance, other.differences)
    }

    private var differences: Int { lines.count { $0.mark != .same } }

    var description: String {
        lines.map { line in
            let part = line.part + String(repeating: " ", count: max(0, 7 - line.part.count))
            return "\(line.mark.rawValue)\(part) \(line.text)"
        }.joined(separator: "\n")
    }

    init(_ expected: StubTransport.Expectation, _ found: SeenRequest) {
        compare("method", expected.method.rawValue, found.method.rawValue)
        if let origin = expected.target.origin { compare("origin", origin, found.target.origin ?? "") }
        compare("path", expected.target.path, found.target.path)
        distance = lines.count { $0.mark == .expected } + Self.segments(expected.target.path, found.target.path)
        compareQueries(expected.target.query, found.target.query)
        for name in expected.fields.map(\.name).uniqued() {
            compare("field", named(name, expected.fields), named(name, found.fields))
        }
        lines += BodyDiff.lines(expected.body, found.body)
    }

    private mutating func compare(_ part: String, _ expected: String, _ found: String) {
        guard expected != found else { return lines.append(Line(mark: .same, part: part, text: expected)) }
        lines.append(Line(mark: .expected, part: part, text: expected))
        lines.append(Line(mark: .found, part: part, text: found))
    }

    private mutating func compareQueries(_ expected: [RequestTarget.Item], _ found: [RequestTarget.Item]) {
        var rest = found
        for item in expected {
            let index = rest.firstIndex(of: item)
            // Each found item stands for one expected item, so repetitions count.
            if let index { rest.remove(at: index) }
            append(index == nil ? .expected : .same, item)
        }
        for item in rest { append(.found, item) }
    }

    private mutating func append(_ mark: Line.Mark, _ item: RequestTarget.Item) {
        lines.append(Line(mark: mark, part: "query", text: "\(item.name)=\(item.value)"))
    }

    private func named(_ name: HTTPField.Name, _ fields: HTTPFields) -> String {
        // An empty field is treated like a missing one.
        let value = fields[name].flatMap { $0.isEmpty ? nil : $0 }
        return "\(name.rawName): \(value ?? "(none)")"
    }

    /// Returns the number of path segments that differ.
    private static func segments(_ a: String, _ b: String) -> Int {
        let (a, b) = (a.split(separator: "/"), b.split(separator: "/"))
        return zip(a, b).count { $0 != $1 } + abs(a.count - b.count)
    }
}

extension Sequence where Element: Hashable {
    fileprivate func uniqued() -> [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}
