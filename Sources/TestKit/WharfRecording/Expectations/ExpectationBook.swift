internal import WharfCore
internal import WharfFakes

/// The expectations, their counts, and the unexpected requests: a value without I/O.
struct ExpectationBook: Sendable {
    private let expectations: [StubTransport.Expectation]
    private let inOrder: Bool
    // One count per expectation, never above its upper bound. In order, expectations before
    // `current` have their lower bound and take no more.
    private var counts: [Int]
    /// With ordered expectations, the index of the first one that may still match.
    private var current = 0
    private(set) var unexpected: [String] = []

    init(_ expectations: [StubTransport.Expectation], inOrder: Bool) {
        self.expectations = expectations
        self.inOrder = inOrder
        self.counts = expectations.map { _ in 0 }
    }

    /// - Returns: the handler for the request, or the reason why it is unexpected.
    mutating func take(_ request: SeenRequest) -> Result<StubTransport.Handler, ExpectationFailure> {
        for index in current..<expectations.count {
            if counts[index] < expectations[index].count.upperBound, RequestDiff(expectations[index], request).isEmpty {
                counts[index] += 1
                if inOrder { current = index }
                return .success(expectations[index].answer)
            }
            // A later one may come only if those before it have come often enough.
            if inOrder, counts[index] < expectations[index].count.lowerBound { break }
        }
        let message = refusal(of: request)
        unexpected.append(message)
        return .failure(ExpectationFailure(.unexpectedRequest, message: message))
    }

    /// The expectations that came too seldom.
    var missing: [String] {
        zip(expectations, counts).enumerated().compactMap { index, entry in
            let (expectation, count) = entry
            guard count < expectation.count.lowerBound else { return nil }
            return "\(index + 1). \(expectation.title), \(standing(index))"
        }
    }

    /// All failures as one; nil without failures.
    var failure: ExpectationFailure? {
        let missing = missing
        var parts = unexpected
        if !missing.isEmpty {
            parts.append(
                (["\(missing.count) of \(expectations.count) expected requests did not arrive:"] + missing)
                    .joined(separator: "\n"))
        }
        guard !parts.isEmpty else { return nil }
        let code: ExpectationFailure.Code = unexpected.isEmpty ? .missingRequest : .unexpectedRequest
        return ExpectationFailure(code, message: parts.joined(separator: "\n\n"))
    }

    private func refusal(of request: SeenRequest) -> String {
        let start = "unexpected request: \(request.title)"
        let diffs = expectations.map { RequestDiff($0, request) }
        guard let nearest = diffs.indices.min(by: { diffs[$0].isNearer(than: diffs[$1]) }) else {
            return "\(start)\nno request is expected; add it to the expectations, or record it"
        }
        if diffs[nearest].isEmpty {
            // Each matching expectation is used up, or it is not its turn yet.
            let isEarly = inOrder && counts[nearest] < expectations[nearest].count.upperBound && nearest > current
            let reason =
                isEarly
                ? "it arrived out of order: number \(current + 1) is next, \(expectations[current].title)"
                : "it arrived once more than expected"
            return "\(start)\n\(reason); it is number \(nearest + 1), \(standing(nearest))"
        }
        return """
            \(start)
            the nearest of \(expectations.count) is number \(nearest + 1), \(standing(nearest)); - expected, + arrived:
            \(diffs[nearest])
            """
    }

    private func standing(_ index: Int) -> String {
        let count = counts[index]
        return
            "expected \(Self.words(expectations[index].count)), "
            + "\(count == 0 ? "never arrived" : "arrived \(Self.times(count))")"
    }

    private static func words(_ count: ClosedRange<Int>) -> String {
        switch (count.lowerBound, count.upperBound) {
        case (let low, let high) where low == high: times(low)
        // An unbounded range ends near `Int.max`.
        case (0, let high) where high >= Int.max - 2: "any number of times"
        case (let low, let high) where high >= Int.max - 2: "at least \(times(low))"
        case (0, let high): "at most \(times(high))"
        case (let low, let high): "\(low) to \(high) times"
        }
    }

    private static func times(_ count: Int) -> String {
        switch count {
        case 0: "never"
        case 1: "once"
        case 2: "twice"
        default: "\(count) times"
        }
    }
}

extension StubTransport.Expectation {
    /// Method and target, for messages.
    var title: String {
        let query = target.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        return "\(method) \(target.origin ?? "")\(target.path)\(query.isEmpty ? "" : "?\(query)")"
    }
}
