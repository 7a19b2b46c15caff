internal import WharfCore

/// A parser for the text form of a plan.
struct FaultReader {
    private let text: String
    /// The current word, whose place is given in messages.
    private var word: Substring

    init(_ text: String) {
        self.text = text
        self.word = text[...]
    }

    mutating func plan() throws(FaultPlanError) -> [Fault] {
        var faults: [Fault] = []
        for item in text.split(separator: ";", omittingEmptySubsequences: false) {
            faults += try read(item: item)
        }
        return faults
    }

    private mutating func read(item: Substring) throws(FaultPlanError) -> [Fault] {
        let words = item.split(separator: ",", omittingEmptySubsequences: false).map(Self.trimmed)
        word = words[0]
        let preset = FaultPlan.presets.first { $0.name == word.lowercased() }
        var faults: [Fault]
        if let preset { faults = preset.plan.faults } else { faults = [try fault()] }
        for option in words.dropFirst() {
            word = option
            faults = try applyingOption(to: faults, ofPreset: preset != nil)
        }
        return faults
    }

    // MARK: Faults

    private func fault() throws(FaultPlanError) -> Fault {
        let name = word.prefix { $0 != "=" && $0 != "@" }
        let value = word[name.endIndex...].dropFirst()
        let mark = word[name.endIndex...].first
        switch (name.lowercased(), mark) {
        case ("latency", "="):
            let (delay, jitter) = try spread(value)
            return .latency(
                try required(Quantity.time(delay), "a time such as 200ms"),
                jitter: try jitter.map { text throws(FaultPlanError) in
                    try required(Quantity.time(text), "a time such as 50ms after ±")
                } ?? .zero)
        case ("bandwidth", "="):
            let rate = try required(Quantity.rate(value), "a rate such as 780kbps")
            return .bandwidth(bitsPerSecond: try required(rate >= 8 ? rate : nil, "a rate of at least 8bps"))
        case ("loss", "="): return .loss(try loss(value))
        case ("refused", nil): return .refused
        case ("down", nil): return .down
        case ("reset", "@"):
            // A plain number counts bytes; a unit of time makes it a time.
            if let count = Quantity.size(value) { return .reset(afterBytes: count) }
            return .reset(after: try required(Quantity.time(value), "bytes or a time, such as reset@512 or reset@2s"))
        case ("truncate", "@"):
            return .truncated(afterBytes: try required(Quantity.size(value), "bytes, such as truncate@512"))
        case ("slowclose", "="): return .slowClose(try required(Quantity.time(value), "a time such as 2s"))
        case ("slice", "="): return try slice(value)
        case ("corrupt", "="): return .corrupted(share: try share(value))
        case ("status", "="): return .status(HTTPResponse.Status(code: try statusCode(value)))
        case ("garbage", nil): return .garbage()
        case ("garbage", "="):
            return .garbage(bytes: try required(positive(Quantity.size(value)), "a number of bytes such as 64"))
        default: throw unknownFault()
        }
    }

    private func loss(_ value: Substring) throws(FaultPlanError) -> PacketLoss {
        var shares: [Double] = []
        for part in value.split(separator: "/", omittingEmptySubsequences: false) { shares.append(try share(part)) }
        switch shares.count {
        case 1: return .share(shares[0])
        case 2: return PacketLoss(worsening: shares[0], recovery: shares[1])
        case 4: return PacketLoss(worsening: shares[0], recovery: shares[1], inGood: shares[2], inBad: shares[3])
        default:
            throw invalid("one share, or two or four with / between them, such as loss=10% or loss=1%/30%")
        }
    }

    private func slice(_ value: Substring) throws(FaultPlanError) -> Fault {
        let parts = value.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let (size, jitter) = try spread(parts[0])
        let bytes = try required(positive(Quantity.size(size)), "a number of bytes such as slice=16")
        let more = try jitter.map { text throws(FaultPlanError) in
            try required(Quantity.size(text), "a number of bytes after ±")
        }
        _ = try required((more ?? 0) < bytes ? bytes : nil, "less after ± than before it")
        let pause: Duration =
            try parts.count > 1 ? required(Quantity.time(parts[1]), "a pause after /, such as slice=16/10ms") : .zero
        return .sliced(bytes: bytes, jitter: more ?? 0, pause: pause)
    }

    private func statusCode(_ value: Substring) throws(FaultPlanError) -> Int {
        let code = value.count == 3 ? Int(value) : nil
        return try required(code.flatMap { (200...599).contains($0) ? $0 : nil }, "a final status from 200 to 599")
    }

    // MARK: Options

    private func applyingOption(to faults: [Fault], ofPreset: Bool) throws(FaultPlanError) -> [Fault] {
        let name = word.prefix { $0 != "=" }
        let value = word[name.endIndex...].dropFirst()
        switch name.lowercased() {
        case "to":
            guard !ofPreset, faults.allSatisfy(\.kind.hasDirection) else {
                throw error(.unknownOption, "no direction for a fault of both directions", "leave it out")
            }
            let directions: [String: Fault.Direction] = ["server": .toServer, "client": .toClient]
            let direction = try required(directions[value.lowercased()], "to=server or to=client")
            return faults.map { Fault(redirecting: $0, direction) }
        case "p":
            let probability = try share(value)
            return faults.map { $0.with(probability: probability) }
        case "first":
            let count = try required(Int(value).flatMap { $0 >= 0 ? $0 : nil }, "a count such as first=3")
            return faults.map { $0.first(count) }
        case "from":
            let number = try required(positive(Int(value)), "the number of an exchange, such as from=2")
            return faults.map { $0.from(number) }
        case "after":
            let time = try required(Quantity.time(value), "a time such as after=5s")
            return faults.map { $0.after(time) }
        case "until":
            let time = try required(Quantity.time(value), "a time such as until=20s")
            return faults.map { $0.until(time) }
        default:
            throw error(
                .unknownOption, "one of the options to=, p=, first=, from=, after=, until=",
                "separate faults by a semicolon")
        }
    }

    // MARK: Values

    private func share(_ text: Substring) throws(FaultPlanError) -> Double {
        try required(Quantity.share(text), "a share between 0 and 1, such as 30% or 0.3")
    }

    /// Splits a value at ± or +-.
    private func spread(_ value: Substring) throws(FaultPlanError) -> (Substring, Substring?) {
        guard let mark = value.firstRange(of: "±") ?? value.firstRange(of: "+-") else { return (value, nil) }
        return (value[..<mark.lowerBound], value[mark.upperBound...])
    }

    private func positive(_ number: Int?) -> Int? { number.flatMap { $0 > 0 ? $0 : nil } }

    private func required<Value>(_ value: Value?, _ expected: String) throws(FaultPlanError) -> Value {
        guard let value else { throw invalid(expected) }
        return value
    }

    // MARK: Errors

    private func invalid(_ expected: String) -> FaultPlanError { error(.invalidValue, expected, nil) }

    private func unknownFault() -> FaultPlanError {
        let presets = FaultPlan.presets.map(\.name).joined(separator: ", ")
        return error(
            .unknownFault,
            "a preset (\(presets)) or one of latency=, bandwidth=, loss=, refused, down, reset@, truncate@, slowclose=, slice=, "
                + "corrupt=, status=, garbage", nil)
    }

    private func error(_ code: FaultPlanError.Code, _ expected: String, _ advice: String?) -> FaultPlanError {
        let place = text.distance(from: text.startIndex, to: word.startIndex) + 1
        let found = word.isEmpty ? "nothing" : "'\(word)'"
        return FaultPlanError(
            code,
            message: "expected \(expected), found \(found) at character \(place) of '\(text)'"
                + (advice.map { "; \($0)" } ?? ""))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text.drop { $0 == " " }
        while text.last == " " { text = text.dropLast() }
        return text
    }
}

extension Fault {
    fileprivate init(redirecting fault: Fault, _ direction: Direction) {
        self = fault
        self.direction = direction
    }
}
