extension CodableDocument {
    /// Returns nil if the value is not a number, or the type can't hold it.
    @inline(__always) func integer<Number: FixedWidthInteger>(_ index: Int, as type: Number.Type) -> Number? {
        let node = nodes[index]
        guard node.kind == .number else { return nil }
        var q = base + Int(node.start)
        let stop = base + Int(node.end)
        let isNegative = q.pointee == 0x2D
        if isNegative { q += 1 }
        // Any number of up to 18 digits fits into 64 bits.
        guard _fastPath(node.flags.isEmpty), _fastPath(stop - q <= 18) else {
            return try? DecimalText(
                UnsafeBufferPointer(start: base + Int(node.start), count: Int(node.end - node.start))
            )
            .whole(as: type).get()
        }
        var value: Int64 = 0
        while q < stop {
            // 18 digits stay below 10^18, so neither operation can overflow.
            value = value &* 10 &+ Int64(q.pointee &- 0x30)
            q += 1
        }
        return Number(exactly: isNegative ? 0 &- value : value)
    }

    /// Returns nil if the value is not a number, or too large or too small for the type.
    @inline(__always) func double(_ index: Int) -> Double? {
        let node = nodes[index]
        guard node.kind == .number else { return nil }
        guard let scanned = JSONReader.scannedDecimal(base + Int(node.start)),
            let value = Decimals.double(scanned.mantissa, scanned.power)
        else { return parsed(node) { Double($0) } }
        return scanned.isNegative ? -value : value
    }

    /// Rounds once, and not by way of a `Double`.
    func float(_ index: Int) -> Float? {
        let node = nodes[index]
        guard node.kind == .number else { return nil }
        guard let scanned = JSONReader.scannedDecimal(base + Int(node.start)),
            let value = Decimals.float(scanned.mantissa, scanned.power)
        else { return parsed(node) { Float($0) } }
        return scanned.isNegative ? -value : value
    }

    @inline(never) private func parsed<Number: BinaryFloatingPoint>(
        _ node: TapeNode, _ parse: (String) -> Number?
    ) -> Number? {
        let text = numberText(node)
        // `Double("1e999")` is infinity, which is no value of JSON.
        guard let value = parse(text), value.isFinite else { return nil }
        // As in Foundation, a number other than zero must not become zero.
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

    /// Returns infinity or NaN, if the strategy defines a text for it.
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
