extension CodableDocument {
    /// nil when the value is no number, or the type can't hold it.
    @inline(__always) func integer<Number: FixedWidthInteger>(_ index: Int, as type: Number.Type) -> Number? {
        let node = nodes[index]
        guard node.kind == .number else { return nil }
        var q = base + Int(node.start)
        let stop = base + Int(node.end)
        let isNegative = q.pointee == 0x2D
        if isNegative { q += 1 }
        // Up to 18 digits fit whatever they are.
        guard _fastPath(node.flags.isEmpty), _fastPath(stop - q <= 18) else {
            return try? DecimalText(
                UnsafeBufferPointer(start: base + Int(node.start), count: Int(node.end - node.start))
            )
            .whole(as: type).get()
        }
        var value: Int64 = 0
        while q < stop {
            value = value &* 10 &+ Int64(q.pointee &- 0x30)
            q += 1
        }
        return Number(exactly: isNegative ? 0 &- value : value)
    }

    /// nil when the value is no number, or too large or too small for the type.
    @inline(__always) func double(_ index: Int) -> Double? {
        let node = nodes[index]
        guard node.kind == .number else { return nil }
        guard let (mantissa, power, isNegative) = decimal(node), let value = Decimals.double(mantissa, power) else {
            return parsed(node) { Double($0) }
        }
        return isNegative ? -value : value
    }

    /// Rounded once, not by way of a `Double`.
    func float(_ index: Int) -> Float? {
        let node = nodes[index]
        guard node.kind == .number else { return nil }
        // Both are exact as a Float, so one operation rounds once.
        if let (mantissa, power, isNegative) = decimal(node), mantissa < 1 << 24, power >= -10, power <= 10 {
            let scale = Float(Decimals.exactPowers[abs(power)])
            let value = power < 0 ? Float(mantissa) / scale : Float(mantissa) * scale
            return isNegative ? -value : value
        }
        return parsed(node) { Float($0) }
    }

    /// `mantissa * 10^power`; nil with more digits than fit.
    @inline(__always) private func decimal(_ node: TapeNode) -> (mantissa: UInt64, power: Int, isNegative: Bool)? {
        var q = base + Int(node.start)
        let stop = base + Int(node.end)
        let isNegative = q.pointee == 0x2D
        if isNegative { q += 1 }
        let first = q
        var mantissa: UInt64 = 0
        var power = 0
        JSONReader.appendDigits(&q, &mantissa)
        if q < stop {
            if q.pointee == 0x2E {
                q += 1
                let fraction = q
                JSONReader.appendDigits(&q, &mantissa)
                power = fraction - q
            }
            // With a point, which is among the 20.
            guard q - first <= (power < 0 ? 20 : 19) else { return nil }
            if q < stop {
                q += 1
                let isSmall = q.pointee == 0x2D
                if isSmall || q.pointee == 0x2B { q += 1 }
                var exponent = 0
                while q < stop {
                    if exponent < 100_000 { exponent = exponent &* 10 &+ Int(q.pointee &- 0x30) }
                    q += 1
                }
                power += isSmall ? -exponent : exponent
            }
            return (mantissa, power, isNegative)
        }
        return q - first <= 19 ? (mantissa, power, isNegative) : nil
    }

    @inline(never) private func parsed<Number: BinaryFloatingPoint>(
        _ node: TapeNode, _ parse: (String) -> Number?
    ) -> Number? {
        let text = numberText(node)
        guard let value = parse(text), value.isFinite else { return nil }
        // As Foundation has it: a number that is not zero does not become zero.
        if value == 0, text.utf8.prefix(while: { $0 | 0x20 != 0x65 }).contains(where: { 0x31...0x39 ~= $0 }) {
            return nil
        }
        return value
    }

    func bool(_ index: Int) -> Bool? {
        switch nodes[index].kind {
        case .yes: true
        case .no: false
        default: nil
        }
    }

    @inline(__always) func string(_ index: Int) -> String? {
        let node = nodes[index]
        return node.kind == .string ? text(node) : nil
    }

    /// The values that JSON has no numbers for, where the strategy gives them texts.
    func nonConforming<Number: BinaryFloatingPoint>(_ index: Int, as type: Number.Type) -> Number? {
        guard case .convertFromString(let infinity, let negative, let nan) = options.nonConformingFloatDecodingStrategy,
            nodes[index].kind == .string, !nodes[index].flags.contains(.escaped)
        else { return nil }
        let text = Array(text(nodes[index]).utf8)
        if text.elementsEqual(infinity.utf8) { return .infinity }
        if text.elementsEqual(negative.utf8) { return -.infinity }
        return text.elementsEqual(nan.utf8) ? .nan : nil
    }
}
