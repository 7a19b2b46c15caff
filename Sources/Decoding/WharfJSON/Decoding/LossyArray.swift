/// An array that leaves out wrong elements and reports them.
///
/// One bad element spoils neither its neighbours nor the document.
///
/// ```swift
/// let feed = try JSON.decode(Feed.self, from: bytes)     // struct Feed { var shapes: LossyArray<Shape> }
/// feed.shapes.elements                                   // the good ones, in their order
/// feed.shapes.failures                                   // why the others are not there: "shapes[7].attributes.length: …"
/// ```
///
/// A document that breaks the grammar still fails: after such a place nothing can be read reliably.
public struct LossyArray<Element> {
    /// The elements that could be read, in document order.
    public let elements: [Element]
    /// The number of elements left out.
    public let leftOut: Int
    let report: JSONFailureReport?
    let range: Range<Int>
    let level: Int

    /// The errors of the elements left out, each with its index in the path.
    ///
    /// There are at most ``JSONReadingOptions/maximumIssues`` per document; ``leftOut`` counts all
    /// elements.
    public var failures: [JSONIssue] {
        report?.issues(in: range, at: level) ?? []
    }

    /// Creates an array with no failures.
    public init(_ elements: [Element] = []) {
        self.init(elements: elements, leftOut: 0, report: nil, range: 0..<0)
    }

    init(elements: [Element], leftOut: Int, failures: [JSONIssue]) {
        self.init(
            elements: elements, leftOut: leftOut, report: failures.isEmpty ? nil : JSONFailureReport(failures),
            range: failures.indices)
    }

    @usableFromInline init(
        elements: [Element], leftOut: Int, report: JSONFailureReport?, range: Range<Int>, level: Int = 0
    ) {
        self.elements = elements
        self.leftOut = leftOut
        self.report = report
        self.range = range
        self.level = level
    }
}

extension LossyArray: Sendable where Element: Sendable {}

/// Two arrays are equal if their elements are; failures do not count.
extension LossyArray: Equatable where Element: Equatable {
    public static func == (left: Self, right: Self) -> Bool { left.elements == right.elements }
}

extension LossyArray: Hashable where Element: Hashable {
    public func hash(into hasher: inout Hasher) { hasher.combine(elements) }
}

extension LossyArray: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { elements.count }
    public subscript(position: Int) -> Element { elements[position] }
}

extension LossyArray: ExpressibleByArrayLiteral {
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension LossyArray: JSONDecodable where Element: JSONDecodable {
    @inlinable public static func decode(from json: inout JSONReader) -> LossyArray<Element>? {
        guard var positions = json.beginArray() else { return nil }
        var elements: [Element] = []
        var leftOut = 0
        // The errors from here on belong to this array, or to arrays inside of its elements.
        let first = json.notes.report?.count ?? 0
        json.notes.tolerated += 1
        defer { json.notes.tolerated -= 1 }
        while json.next(&positions) {
            let mark = json.notes.mark
            let reported = json.notes.report?.count ?? 0
            let element = Element.decode(from: &json)
            // A wrong field that may be absent leaves the element readable, but notes an error.
            if let element, json.notes.isClean(since: mark) {
                elements.append(element)
            } else {
                leftOut += 1
                json.notes.setAside(since: mark, reported: reported)
            }
            if json.notes.isFatal { break }
        }
        let report = leftOut == 0 ? nil : json.notes.report
        return LossyArray(
            elements: elements, leftOut: leftOut, report: report, range: first..<(report?.count ?? first),
            level: json.notes.tolerated)
    }
}

extension LossyArray: JSONEncodable where Element: JSONEncodable {
    public func encode(into json: inout JSONWriter) { elements.encode(into: &json) }
}
