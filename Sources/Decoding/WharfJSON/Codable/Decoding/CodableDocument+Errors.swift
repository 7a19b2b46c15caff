extension CodableDocument {
    /// Returns the error for an unreadable scalar: null, another kind, or a number out of range.
    @inline(never) func mismatch(_ type: Any.Type, _ steps: [CodingStep], at index: Int) -> DecodingError {
        let node = nodes[index]
        // Cases and texts are Foundation's, which reports null for a `Bool` as another type.
        if node.kind == .null, type != Bool.self {
            return .valueNotFound(
                type,
                context(
                    steps, "Cannot get value of type \(type) -- found null value instead", index, .typeMismatch,
                    Self.expectation(type)))
        }
        if node.kind == .number, type is any Numeric.Type {
            return .dataCorrupted(
                context(
                    steps, "Number \(numberText(node)) is not representable in \(type).", index, .outOfRange,
                    Self.expectation(type, beyond: numberText(node))))
        }
        return .typeMismatch(
            type,
            context(
                steps, "Expected to decode \(type) but found \(Self.name(node.kind)) instead.", index, .typeMismatch,
                Self.expectation(type)))
    }

    @inline(never) func mismatch(_ type: Any.Type, at place: CodingPlace) -> DecodingError {
        mismatch(type, steps(place), at: place.index)
    }

    @inline(never) func mismatch(
        _ type: Any.Type, _ index: Int, _ key: any CodingKey, in place: CodingPlace
    ) -> DecodingError {
        mismatch(type, steps(place) + [CodingStep(node: UInt32(index), key: key)], at: index)
    }

    @inline(never) func noKeyedContainer(at place: CodingPlace) -> DecodingError {
        noContainer([String: Any].self, "keyed", "an object", at: place)
    }

    @inline(never) func noUnkeyedContainer(at place: CodingPlace) -> DecodingError {
        noContainer([Any].self, "unkeyed", "an array", at: place)
    }

    private func noContainer(
        _ type: Any.Type, _ name: String, _ expected: String, at place: CodingPlace
    ) -> DecodingError {
        let kind = nodes[place.index].kind
        let steps = steps(place)
        guard kind == .null else {
            return .typeMismatch(
                type,
                context(
                    steps, "Expected to decode \(type) but found \(Self.name(kind)) instead.", place.index,
                    .typeMismatch,
                    expected))
        }
        return .valueNotFound(
            type,
            context(
                steps, "Cannot get \(name) decoding container -- found null value instead", place.index, .typeMismatch,
                expected))
    }

    @inline(never) func keyNotFound(_ key: any CodingKey, in place: CodingPlace) -> DecodingError {
        let name = key.stringValue
        return .keyNotFound(
            key,
            context(
                steps(place), "No value associated with key \(key) (\"\(name)\").", place.index, .missingKey,
                "a value for the key \"\(name)\"", below: .key(name)))
    }

    @inline(never) func atEnd(_ type: Any.Type, _ index: Int, in place: CodingPlace) -> DecodingError {
        // The element does not exist, so its step leads to no node.
        let end = CodingStep(node: UInt32(Tape.absent), key: ElementKey(index: index))
        return .valueNotFound(
            type,
            context(
                steps(place) + [end], "Unkeyed container is at end.", place.index, .invalidValue,
                "an array of more than \(index) elements"))
    }

    @inline(never) func tooDeep(at place: CodingPlace) -> DecodingError {
        .dataCorrupted(
            context(
                steps(place), "Too many nested arrays or dictionaries.", place.index, .tooDeep,
                "fewer levels of arrays and objects than fill the stack"))
    }

    /// Returns the error for a value of the right kind that has no meaning for the type.
    func corrupted(_ message: String, expected: String, at place: CodingPlace) -> DecodingError {
        .dataCorrupted(context(steps(place), message, place.index, .invalidValue, expected))
    }

    private func context(
        _ steps: [CodingStep], _ message: String, _ index: Int, _ code: JSONIssue.Code, _ expected: String,
        below: JSONPath.Step? = nil
    ) -> DecodingError.Context {
        // A step that leads to no node is not part of the document, whose path ends before it.
        var path = documentPath(index == steps.last.map { Int($0.node) } ?? Tape.root ? steps : steps.dropLast())
        if let below { path.steps.append(below) }
        return DecodingError.Context(
            codingPath: steps.map(\.key), debugDescription: message,
            underlyingError: index == Tape.absent ? nil : error(code, expected, at: index, path: path))
    }

    func error(_ code: JSONIssue.Code, _ expected: String, at index: Int, path: JSONPath) -> JSONError {
        bytes.withUnsafeBytes { bytes in
            let offset = range(of: index).lowerBound
            let (location, lineStart) = sourceIndex.place(of: offset, in: bytes)
            let excerpt = SourceExcerpt(bytes, lineStart: lineStart, offset: offset)
            let found = code == .missingKey ? "an object without it" : FoundValue.describe(bytes, at: offset)
            return JSONError(
                JSONIssue(
                    code: code, path: path, location: location, expected: expected, found: found, excerpt: excerpt))
        }
    }

    /// Returns the reader's error for a document that the scanner refused.
    static func unreadable(_ bytes: JSONBytes, _ options: CodableJSONDecoder) -> DecodingError {
        // The scanner is fast and says only that something is wrong. The reader finds the place.
        var reader = JSONReader(bytes, options: JSONReadingOptions(maximumDepth: options.maximumDepth))
        reader.skipValue()
        var cause: JSONError?
        do { try reader.finish() } catch { cause = error }
        return .dataCorrupted(
            DecodingError.Context(
                codingPath: [], debugDescription: "The given data was not valid JSON.", underlyingError: cause))
    }

    /// Returns the expected value of a scalar type, in the reader's words.
    static func expectation(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any FixedWidthInteger.Type: "a whole number (\(type))"
        case is any BinaryFloatingPoint.Type: "a number"
        default: "a \(type)"
        }
    }

    /// - Parameter number: a number that the type can't hold.
    private static func expectation(_ type: Any.Type, beyond number: String) -> String {
        func range<Number: FixedWidthInteger>(_ type: Number.Type) -> String {
            "a whole number from \(type.min) to \(type.max) (\(type))"
        }
        guard !number.utf8.contains(UInt8(ascii: ".")), let integer = type as? any FixedWidthInteger.Type else {
            return type is any BinaryFloatingPoint.Type ? "a number that fits into \(type)" : expectation(type)
        }
        return range(integer)
    }

    private static func name(_ kind: TapeNode.Kind) -> String {
        switch kind {
        case .null: "null"
        case .no, .yes: "bool"
        case .number: "number"
        case .string: "a string"
        case .array: "an array"
        case .object: "a dictionary"
        }
    }
}
