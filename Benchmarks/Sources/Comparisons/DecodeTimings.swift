/// One document and type, decoded and encoded in each way.
public struct DecodeTimings: Sendable {
    public let name: String
    public let foundation: Timing
    public let dropIn: Timing
    public let direct: Timing
    /// From bytes that are not padded yet: with the one copy that gives them their padding.
    public let directWithCopy: Timing
    /// With the same decoder, which ends at the first error; valid documents have none.
    public let directFirstError: Timing
    public let foundationEncoding: Timing
    public let dropInEncoding: Timing
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

    public static let shapes = DecodeTimings("shapes")
    public static let shapesTagLast = DecodeTimings("shapes-tag-last")
    public static let users = DecodeTimings("users")
    public static let twitter = DecodeTimings("twitter")
    public static let citm = DecodeTimings("citm")
    public static let canada = DecodeTimings("canada")
}

extension Timing {
    public static let shapes1000 = Timing("shapes-growth", "1000", operations: 20)
    public static let shapes4000 = Timing("shapes-growth", "4000", operations: 20)
    /// Small documents, one after the other.
    public static let linesDecoded = Timing("lines", "foundation", operations: 1)
    public static let linesChecked = Timing("lines", "check", operations: 1)
}

extension Comparison {
    /// In the order of the table; without a target where the issue names none.
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
        // `wharf check --lines` runs on every core.
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
