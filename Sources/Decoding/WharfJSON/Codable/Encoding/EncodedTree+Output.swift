extension EncodedTree {
    /// Returns the document.
    ///
    /// As in Foundation, a value that encoded nothing becomes an empty object.
    func document() -> [UInt8] {
        var output = EncodedText(capacity: text.count + 2 * nodes.count + 64)
        write(Self.root, into: &output, indent: 0)
        return output.array
    }

    private func write(_ index: Int, into output: inout EncodedText, indent: Int) {
        switch nodes[index].kind {
        case .text: output.append(text.bytes(nodes[index].value))
        case .pending, .object: writeContainer(index, 0x7B, 0x7D, into: &output, indent: indent)
        case .array: writeContainer(index, 0x5B, 0x5D, into: &output, indent: indent)
        }
    }

    private func writeContainer(
        _ index: Int, _ open: UInt8, _ close: UInt8, into output: inout EncodedText, indent: Int
    ) {
        let isPretty = options.outputFormatting.contains(.prettyPrinted)
        output.append(open)
        if isPretty { output.append(0x0A as UInt8) }
        if nodes[index].kind == .object, options.outputFormatting.contains(.sortedKeys) {
            var isFirst = true
            for child in children(of: index).sorted(by: precedes) {
                writeChild(child, isFirst, isPretty, into: &output, indent: indent + 1)
                isFirst = false
            }
        } else {
            let first = Int(nodes[index].first)
            var child = first
            while child != 0 {
                writeChild(child, child == first, isPretty, into: &output, indent: indent + 1)
                child = Int(nodes[child].next)
            }
        }
        if isPretty {
            output.append(0x0A as UInt8)
            Self.indent(indent, &output)
        }
        output.append(close)
    }

    @inline(__always) private func writeChild(
        _ child: Int, _ isFirst: Bool, _ isPretty: Bool, into output: inout EncodedText, indent: Int
    ) {
        let node = nodes[child]
        if !isFirst { output.append(0x2C as UInt8) }
        if isPretty {
            if !isFirst { output.append(0x0A as UInt8) }
            Self.indent(indent, &output)
            if !node.key.isEmpty {
                output.append(text.bytes(node.key.lowerBound..<node.key.upperBound - 1))
                output.append(" : ")
            }
        } else if node.kind == .text, node.key.upperBound == node.value.lowerBound {
            // Key and value were written one after the other, so one copy does for both.
            return output.append(text.bytes(node.key.lowerBound..<node.value.upperBound))
        } else {
            output.append(text.bytes(node.key))
        }
        write(child, into: &output, indent: indent)
    }

    private static func indent(_ level: Int, _ output: inout EncodedText) {
        for _ in 0..<level { output.append("  ") }
    }

    /// Compares the bytes of two keys with their escapes resolved.
    private func precedes(_ left: Int, _ right: Int) -> Bool {
        let left = text.bytes(nodes[left].key).dropFirst().dropLast(2)
        let right = text.bytes(nodes[right].key).dropFirst().dropLast(2)
        // `\/` sorts as `/`. Keys without escapes can be compared as they stand.
        guard left.contains(0x5C) || right.contains(0x5C) else { return left.lexicographicallyPrecedes(right) }
        return Self.resolved(left).lexicographicallyPrecedes(Self.resolved(right))
    }

    private static func resolved(_ key: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
        // Four zeros follow, because an escape is read as a whole.
        let bytes = Array(key) + [0, 0, 0, 0]
        return bytes.withUnsafeBufferPointer { bytes in
            bytes.baseAddress.map { Array(StringEscape.text($0, key.count).utf8) } ?? []
        }
    }
}
