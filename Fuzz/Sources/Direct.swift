import WharfJSON

/// Reads every input by straight-line models. Each reports a syntax error if and only if the input
/// has one.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzDirect(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeRawBufferPointer(start: start, count: count)
    let bytes = JSONBytes(copying: input)
    let isValid = Grammar.accepts(Array(input))
    checkModel(Square.self, bytes, isValid)
    checkModel(Scalars.self, bytes, isValid)
    checkModel(Tree.self, bytes, isValid)
    checkModel([Shape].self, bytes, isValid)
    checkModel(Node.self, bytes, isValid)
    checkModel([String: Node?].self, bytes, isValid)
    checkModel(LossyArray<Node>.self, bytes, isValid)
    checkModel(Feed.self, bytes, isValid)
    return 0
}

private func checkModel<Value: JSONCodable & Hashable>(_ type: Value.Type, _ bytes: JSONBytes, _ isValid: Bool) {
    let all = outcome(type, bytes)
    switch all {
    case .success(let value):
        check(isValid, "\(type) is read from what is no JSON")
        let text = encoded(value)
        check(
            Grammar.accepts(text, maximumDepth: 600), "\(type) is written as \(String(decoding: text, as: UTF8.self))")
        guard case .success(let again) = outcome(type, JSONBytes(text)) else {
            fatalError("\(type): written, unreadable")
        }
        check(again == value, "\(type) is another after writing")
    case .failure(let error):
        checkPlaces(error, length: bytes.count)
        let breaches = error.issues.filter { fatalCodes.contains($0.code) }
        check(breaches.count <= 1, "\(type): \(error)")
        check(isValid ? breaches.allSatisfy { $0.code == .tooManyRewinds } : breaches.count == 1, "\(type): \(error)")
        check(Set(error.issues).count == error.issues.count, "\(type), twice: \(error)")
    }
    checkOptions(type, bytes, all)
}

private func checkOptions<Value: JSONCodable & Hashable>(
    _ type: Value.Type, _ bytes: JSONBytes, _ all: Result<Value, JSONError>
) {
    let one = outcome(type, bytes, options: JSONReadingOptions(stopsAtFirstError: true))
    let few = outcome(type, bytes, options: JSONReadingOptions(maximumIssues: 2))
    let strict = outcome(type, bytes, options: JSONReadingOptions(duplicateKeys: .reject))
    switch (all, one, few) {
    case (.success(let value), .success(let second), .success(let third)):
        check(value == second && value == third, "\(type): another value with other options")
    case (.failure(let error), .failure(let first), .failure(let some)):
        check(first.issues.count == 1 && first.omitted == 0, "\(type): \(first)")
        check(error.issues.contains(first.issues[0]), "\(type): \(first) is not among \(error)")
        check(some.issues.count <= 3, "\(type): \(some)")
        check(
            some.issues.count + some.omitted == error.issues.count + error.omitted,
            "\(type): \(some.issues.count) and \(some.omitted) of \(error.issues.count)")
    default: fatalError("\(type): with other options \(all), \(one), \(few)")
    }
    switch (all, strict) {
    case (.success(let value), .success(let second)): check(value == second, "\(type): another value when strict")
    case (.success, .failure(let error)):
        check(error.issues.allSatisfy { $0.code == .duplicateKey }, "\(type): \(error)")
        checkPlaces(error, length: bytes.count)
    case (.failure(let error), .failure(let more)):
        check(more.issues.count + more.omitted >= error.issues.count + error.omitted, "\(type): fewer when strict")
    case (.failure, .success): fatalError("\(type): no error when strict")
    }
}
