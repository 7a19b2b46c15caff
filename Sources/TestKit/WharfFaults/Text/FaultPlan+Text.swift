internal import WharfCore

// MARK: - Reading

extension FaultPlan {
    /// Reads the text form, which ``description`` prints.
    ///
    /// ```
    /// plan    = item *(";" item)
    /// item    = (preset / fault) *("," option)
    /// preset  = "offline" / "very-bad" / "dial-up" / "edge" / "3g" / "dsl" / "lte"
    /// fault   = "latency=" time ["±" time]         ; or +- in place of ±
    ///         / "bandwidth=" rate                  ; 780kbps, 2Mbps
    ///         / "loss=" share                      ; of the packets, each by itself
    ///         / "loss=" share "/" share ["/" share "/" share]
    ///                                              ; worsening / recovery / lost in good / lost in bad
    ///         / "refused" / "down"
    ///         / "reset@" (bytes / time) / "truncate@" bytes / "slowclose=" time
    ///         / "slice=" bytes ["±" bytes] ["/" time]
    ///         / "corrupt=" share / "status=" code / "garbage" ["=" bytes]
    /// option  = "to=" ("server" / "client")        ; not with a preset
    ///         / "p=" share / "first=" count / "from=" number / "after=" time / "until=" time
    /// time    = number ("ns" / "us" / "ms" / "s")
    /// bytes   = number ["B" / "kB" / "MB" / "KiB" / "MiB"]
    /// share   = number "%" / number                ; 30% and 0.3 are the same
    /// ```
    ///
    /// Examples: `3g`, `latency=200ms±50ms`, `reset@512,p=30%`, `edge;status=503,first=2`,
    /// `down,after=5s,until=20s`.
    ///
    /// - Throws: an error that names the expected text, the found text and the place.
    public init(parsing text: String) throws(FaultPlanError) {
        var reader = FaultReader(text)
        self.init(try reader.plan())
    }
}

// MARK: - Writing

extension FaultPlan: CustomStringConvertible {
    /// The text form; empty without faults.
    ///
    /// Presets are printed as their faults.
    public var description: String { faults.map(\.description).joined(separator: ";") }
}

extension Fault: CustomStringConvertible {
    public var description: String {
        var text = kind.description
        if kind.hasDirection, direction != kind.usualDirection {
            text += direction == .toServer ? ",to=server" : ",to=client"
        }
        if probability != 1 { text += ",p=\(Quantity.text(probability))" }
        if exchanges.lowerBound > 1 { text += ",from=\(exchanges.lowerBound)" }
        if exchanges.upperBound < .max { text += ",first=\(exchanges.upperBound)" }
        if start > .zero { text += ",after=\(Quantity.text(start))" }
        if let end { text += ",until=\(Quantity.text(end))" }
        return text
    }
}

extension Fault.Kind: CustomStringConvertible {
    package var description: String {
        func spread(_ text: String, isNone: Bool) -> String { isNone ? "" : "±\(text)" }
        return switch self {
        case .latency(let delay, let jitter):
            "latency=\(Quantity.text(delay))" + spread(Quantity.text(jitter), isNone: jitter == .zero)
        case .bandwidth(let rate): "bandwidth=\(Quantity.text(bitsPerSecond: rate))"
        case .loss(let loss): "loss=\(loss.text)"
        case .refused: "refused"
        case .down: "down"
        case .reset(let count): "reset@\(count)"
        case .cut(let time): "reset@\(Quantity.text(time))"
        case .truncated(let count): "truncate@\(count)"
        case .slowClose(let delay): "slowclose=\(Quantity.text(delay))"
        case .sliced(let bytes, let jitter, let pause):
            "slice=\(bytes)" + spread("\(jitter)", isNone: jitter == 0)
                + (pause == .zero ? "" : "/\(Quantity.text(pause))")
        case .corrupted(let share): "corrupt=\(Quantity.text(share))"
        case .status(let code): "status=\(code)"
        case .garbage(let bytes): "garbage=\(bytes)"
        }
    }
}

extension PacketLoss {
    fileprivate var text: String {
        if self == .share(inGood) { return Quantity.text(inGood) }
        return [worsening, recovery, inGood, inBad].map { Quantity.text($0) }.joined(separator: "/")
    }
}
