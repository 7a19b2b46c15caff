/// The timings of one document and type, decoded and encoded in each way.
public struct DecodeTimings: Sendable {
    /// The name of the document.
    public let name: String
    /// Decoding by Foundation's `JSONDecoder`.
    public let foundation: Timing
    /// Decoding by `CodableJSONDecoder`.
    public let dropIn: Timing
    /// Decoding by the reader directly.
    public let direct: Timing
    /// Direct decoding of bytes without padding, including the copy that adds it.
    public let directWithCopy: Timing
    /// Direct decoding that stops at the first error; valid documents have none.
    public let directFirstError: Timing
    /// Encoding by Foundation's `JSONEncoder`.
    public let foundationEncoding: Timing
    /// Encoding by `CodableJSONEncoder`.
    public let dropInEncoding: Timing
    /// Encoding by the writer directly.
    public let directEncoding: Timing

    init(_ name: String) {
        self.name = name
        foundation = Timing(name, "decode.foundation", operations: 1)
        dropIn = Timing(name, "decode.drop-in", operations: 1)
        direct = Timing(name, "decode.direct", operations: 1)
        directWithCopy = Timing(name, "decode.direct-with-copy", operations: 1)
        directFirstError = Timing(name, "decode.direct-first-error", operations: 1)
        foundationEncoding = Timing(name, "encode.foundation", operations: 1)
        dropInEncoding = Timing(name, "encode.drop-in", operations: 1)
        directEncoding = Timing(name, "encode.direct", operations: 1)
    }

    /// Generated shapes with the tag first.
    public static let shapes = DecodeTimings("shapes")
    /// Generated shapes with the tag last.
    public static let shapesTagLast = DecodeTimings("shapes-tag-last")
    /// Generated users.
    public static let users = DecodeTimings("users")
    /// The document twitter.json.
    public static let twitter = DecodeTimings("twitter")
    /// The document citm_catalog.json.
    public static let citm = DecodeTimings("citm")
    /// The document canada.json.
    public static let canada = DecodeTimings("canada")
}

extension Timing {
    /// Direct decoding of 1,000 shapes.
    public static let shapes1000 = Timing("shapes-growth", "1000", operations: 20)
    /// Direct decoding of 4,000 shapes.
    public static let shapes4000 = Timing("shapes-growth", "4000", operations: 20)
    /// Decoding of small documents one after another, by Foundation.
    public static let linesDecoded = Timing("lines", "foundation", operations: 1)
    /// Checks of the same documents by `PayloadCheck`.
    public static let linesChecked = Timing("lines", "check", operations: 1)
}

extension Comparison {
    /// The comparisons in the order of the table; without a goal if the issue names none.
    static let decodes: [Comparison] = [
        faster("shapes, drop-in", .shapes, \.dropIn, 4), faster("users, drop-in", .users, \.dropIn, 3.6),
        faster("shapes, direct", .shapes, \.direct, 20),
        faster("shapes, direct, copied first", .shapes, \.directWithCopy, nil),
        faster("shapes tag last, direct", .shapesTagLast, \.direct, 16),
        faster("users, direct", .users, \.direct, 10),
        faster("users, direct, copied first", .users, \.directWithCopy, nil),
        faster("twitter, direct", .twitter, \.direct, 7), faster("citm, direct", .citm, \.direct, 20),
        faster("canada, direct", .canada, \.direct, nil), faster("twitter, drop-in", .twitter, \.dropIn, nil),
        faster("citm, drop-in", .citm, \.dropIn, nil), faster("canada, drop-in", .canada, \.dropIn, nil),
        encodes("shapes, direct", .shapes, \.directEncoding, 4), encodes("users, direct", .users, \.directEncoding, 4),
        encodes("shapes, drop-in", .shapes, \.dropInEncoding, nil),
        encodes("users, drop-in", .users, \.dropInEncoding, nil),
        Comparison(
            "direct: collecting errors / stopping at the first", DecodeTimings.shapes.direct,
            .ratio(atMost: 1.05, to: DecodeTimings.shapes.directFirstError)),
        Comparison("direct: 4,000 shapes / 1,000 shapes", .shapes4000, .ratio(atMost: 4.4, to: .shapes1000)),
        // `wharf check --lines` uses every core.
        Comparison(
            "check lines on one core: Foundation decodes / ours checks", .linesChecked,
            .speedup(atLeast: 2.5, over: .linesDecoded)),
    ]

    private static func faster(
        _ what: String, _ timings: DecodeTimings, _ measured: KeyPath<DecodeTimings, Timing>, _ times: Double?
    ) -> Comparison {
        Comparison(
            "decode \(what): Foundation / ours", timings[keyPath: measured],
            .speedup(atLeast: times, over: timings.foundation))
    }

    private static func encodes(
        _ what: String, _ timings: DecodeTimings, _ measured: KeyPath<DecodeTimings, Timing>, _ times: Double?
    ) -> Comparison {
        Comparison(
            "encode \(what): Foundation / ours", timings[keyPath: measured],
            .speedup(atLeast: times, over: timings.foundationEncoding))
    }
}
