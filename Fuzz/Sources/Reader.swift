import WharfJSON

/// Compares the tree, the skipping reader and the plain grammar, which must agree. Each value
/// survives a round trip.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    let bytes = JSONBytes(copying: input)
    let tree = outcome(JSONValue.self, bytes)
    var skipping = JSONReader(bytes)
    skipping.skipValue()
    var skipped: JSONError?
    do throws(JSONError) { try skipping.finish() } catch { skipped = error }
    let isValid = Grammar.accepts(Array(input))

    switch tree {
    case .success(let value):
        check(isValid && skipped == nil, "the tree is read; grammar \(isValid), skip \(String(describing: skipped))")
        checkAgain(value, bytes)
        checkLeaves(of: value, bytes)
    case .failure(let error):
        check(!isValid, "refused, and valid: \(error)")
        check(error == skipped, "read: \(error), skipped: \(String(describing: skipped))")
        check(error.issues.count == 1 && fatalCodes.contains(error.code), "\(error)")
        checkPlaces(error, length: count)
    }
    return 0
}

private func checkAgain(_ value: JSONValue, _ bytes: JSONBytes) {
    let text = encoded(value)
    guard case .success(let again) = outcome(JSONValue.self, JSONBytes(text)) else { fatalError("written, unreadable") }
    check(again == value, "another value after writing")
    check(encoded(again) == text, "another text after writing twice")
    let body = bytes.array.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.array.dropFirst(3) : bytes.array[...]
    check(value.range.map { bytes[$0].first == body.first { $0 > 0x20 } } == true, "the range is off")
}

/// Checks each scalar type by its own range.
private func checkLeaves(of value: JSONValue, _ bytes: JSONBytes) {
    guard let range = value.range else { fatalError("no range") }
    switch value.content {
    case .array(let elements): for element in elements { checkLeaves(of: element, bytes) }
    case .object(let members): for member in members { checkLeaves(of: member.value, bytes) }
    case .number(let number):
        check(Array(number.text.utf8) == bytes[range], "another text than in its range")
        check(JSONNumber(number.text) == number, "no number by itself: \(number.text)")
        checkNumber(number, JSONBytes(bytes[range]))
    case .string, .bool, .null:
        guard case .success(let again) = outcome(JSONValue.self, JSONBytes(bytes[range])) else { fatalError("range") }
        check(again == value, "another value in its range")
    }
}

private func checkNumber(_ number: JSONNumber, _ bytes: JSONBytes) {
    checkFloating(outcome(Double.self, bytes), Double(number.text), number)
    checkFloating(outcome(Float.self, bytes), Float(number.text), number)
    checkInteger(Int8.self, number, bytes)
    checkInteger(Int.self, number, bytes)
    checkInteger(UInt64.self, number, bytes)
    checkInteger(Int128.self, number, bytes)
}

private func checkFloating<Number: BinaryFloatingPoint>(
    _ read: Result<Number, JSONError>, _ expected: Number?, _ number: JSONNumber
) {
    switch read {
    case .success(let value): check(value == expected && value.sign == expected?.sign, "\(number): \(value)")
    case .failure(let error):
        check(expected?.isFinite != true && error.issues.map(\.code) == [.outOfRange], "\(number): \(error)")
    }
}

private func checkInteger<Number: FixedWidthInteger & JSONDecodable>(
    _ type: Number.Type, _ number: JSONNumber, _ bytes: JSONBytes
) {
    switch outcome(type, bytes) {
    case .success(let value): check(value == number.integer(type), "\(number): \(value)")
    case .failure(let error):
        check(number.integer(type) == nil && error.issues.count == 1, "\(number): \(error)")
        check([.outOfRange, .typeMismatch].contains(error.code), "\(number): \(error)")
    }
}
